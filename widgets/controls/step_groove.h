#pragma once
// The groove of the step bar. It is a QAbstractSlider, so that assistive tools read and change its value.

#include <QAbstractSlider>
#include <vector>

namespace sextant {

class StepGroove : public QAbstractSlider {
    Q_OBJECT

  public:
    explicit StepGroove(QWidget* parent = nullptr);
    void setSteps(qint64 total, qint64 recorded, std::vector<qint64> snapshots);
    [[nodiscard]] qint64 total() const { return total_; }
    [[nodiscard]] qint64 recorded() const { return recorded_; }
    [[nodiscard]] const std::vector<qint64>& snapshots() const { return snapshots_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] double place(qint64 step) const;
    [[nodiscard]] int stepAt(double x) const;

    qint64 total_ = 0;
    qint64 recorded_ = 0;
    std::vector<qint64> snapshots_;
};

}  // namespace sextant
