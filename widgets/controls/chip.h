#pragma once
// A quiet label for tags, counts and badges ("decimated 1:3"). Not clickable; clickable things are buttons.

#include <QWidget>

namespace sextant {

class Chip : public QWidget {
    Q_OBJECT

  public:
    explicit Chip(const QString& text = {}, QWidget* parent = nullptr);
    void setText(const QString& text);  // an empty text hides the chip
    [[nodiscard]] QString text() const { return text_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString text_;
};

// For delegates: paints a chip with its left edge at `left`, centred on `y`; returns its width.
int paintChip(QPainter& painter, int left, int y, const QString& text);

}  // namespace sextant
