#pragma once
// What a plot needs to paint itself, on the screen or in a figure. On the screen lengths follow the body font; in a
// figure one design px is `unit` logical units and fonts have exact sizes, whatever screen there is.

#include <QFont>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

class QCPPainter;
class QSizeF;

namespace sextant {

struct PlotStyle {
    Theme theme;
    double unit = 0.0;        // 0: the screen; else logical units a design px (figures: 8 at 8 pt, 768 units an inch)
    double extraScale = 1.0;  // figures with larger or smaller text

    [[nodiscard]] QFont font(TextRole role) const;
    [[nodiscard]] int px(double design) const;
    [[nodiscard]] double line(double design) const { return unit > 0.0 ? design * unit * extraScale : design; }
    [[nodiscard]] bool figure() const { return unit > 0.0; }

    static PlotStyle screen() { return {sextant::theme(), 0.0, 1.0}; }
    // Text of `points` (7 to 9) stands where the screen has 8 pt.
    static PlotStyle forFigure(const Theme& theme, double points);
};

inline constexpr double kFigureUnitsPerInch = 768.0;

// Anything that can be printed: painted in figure units into [0, size).
class FigureSource {
  public:
    virtual ~FigureSource() = default;
    virtual void paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const = 0;
};

}  // namespace sextant
