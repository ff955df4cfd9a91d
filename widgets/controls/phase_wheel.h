#pragma once
// The phase of every RoPE pair at one position: pair 0 on the outer ring, angle counted from the index line at the
// right, counter-clockwise. Filled: past its first turn; open: still in it. Click or arrow keys choose a pair.

#include <QWidget>
#include <vector>

#include "widgets/theme/theme.h"

namespace sextant {

void paintPhaseWheel(QPainter& painter, const QRectF& rect, const std::vector<double>& angles, int selected,
                     const Theme& theme);

class PhaseWheel : public QWidget {
    Q_OBJECT

  public:
    explicit PhaseWheel(QWidget* parent = nullptr);
    // Radians, one a pair, not reduced: position times inverse frequency.
    void setAngles(std::vector<double> angles, double position);
    void setSelected(int pair);
    [[nodiscard]] int selected() const { return selected_; }
    [[nodiscard]] const std::vector<double>& angles() const { return angles_; }
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    void pairSelected(int pair);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void choose(int pair);
    [[nodiscard]] int footHeight() const;  // the line that explains the marks, two in narrow wheels

    std::vector<double> angles_;
    double position_ = 0.0;
    int selected_ = -1;
};

}  // namespace sextant
