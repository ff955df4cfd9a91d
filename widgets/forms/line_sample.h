#pragma once
// The 20 px sample of a variant's line, with its dash: how lists and tables say which curve is whose.

#include <QWidget>

class QPainter;

namespace sextant {

void drawLineSample(QPainter& painter, const QRectF& rect, int slot);

class LineSample : public QWidget {
    Q_OBJECT

  public:
    explicit LineSample(int slot, QWidget* parent = nullptr);
    void setSlot(int slot);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    int slot_;
};

}  // namespace sextant
