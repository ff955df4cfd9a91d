#pragma once
// The bar beside every matrix: 14 px of the map, ticks outside, a triangle where values are clipped, an index mark at
// the locked value, a padlock while the range is locked, a swatch for masked cells. One paint function serves the
// widget, the matrix views and the exports.

#include <QString>
#include <QWidget>
#include <optional>

#include "widgets/controls/value_scale.h"
#include "widgets/plots/plot_style.h"

namespace sextant {

struct ColorBarSpec {
    QString map = QStringLiteral("depth");
    ValueScale scale;
    QString label;            // unit and name, above (vertical) or at the left (horizontal)
    bool clippedLow = false;  // values below the range exist
    bool clippedHigh = false;
    bool locked = false;
    bool masked = false;                // show the swatch
    std::optional<double> marker;       // value of the locked cell
    double mapFrom = 0.0, mapTo = 1.0;  // part of the map that is used (ALiBi: the negative half)
};

void paintColorBar(QPainter& painter, const QRectF& rect, Qt::Orientation orientation, const ColorBarSpec& spec,
                   const PlotStyle& style);

class ColorBar : public QWidget {
    Q_OBJECT

  public:
    explicit ColorBar(Qt::Orientation orientation, QWidget* parent = nullptr);
    void setSpec(const ColorBarSpec& spec);
    [[nodiscard]] const ColorBarSpec& spec() const { return spec_; }
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Qt::Orientation orientation_;
    ColorBarSpec spec_;
};

}  // namespace sextant
