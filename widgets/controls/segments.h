#pragma once
// Two to six exclusive choices in one frame; above that use a combo box. The chosen one is bold on `select`.

#include <QStringList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace sextant {

class Segments : public QWidget {
    Q_OBJECT

  public:
    explicit Segments(const QStringList& labels, QWidget* parent = nullptr);
    void setLabels(const QStringList& labels);
    [[nodiscard]] int currentIndex() const;
    [[nodiscard]] QString currentText() const;
    void setCurrentIndex(int index);  // no signal
    void setSegmentEnabled(int index, bool enabled, const QString& reason = {});

  signals:
    void currentChanged(int index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    QHBoxLayout* row_ = nullptr;
    QButtonGroup* group_ = nullptr;
};

}  // namespace sextant
