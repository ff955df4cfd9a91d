#pragma once
// Colours and paint of one matrix, the same for the large view, thumbnails and figures: integer cells, hard edges,
// hatch for masked cells, NaN in the error colour.

#include <QImage>
#include <QRect>
#include <array>
#include <optional>

#include "widgets/controls/color_bar.h"
#include "widgets/plots/matrix.h"
#include "widgets/plots/plot_style.h"

class QPainter;

namespace sextant {

struct MatrixLook {
    QString map = QStringLiteral("depth");
    ScaleKind scale = ScaleKind::kLinear;
    Range range{0.0, 1.0};
    std::vector<double> ranked;            // kRank: the values ranks are taken among
    double mapFrom = 0.0, mapTo = 1.0;     // part of the map in use
    bool hatched = true;                   // false: masked cells flat
    std::optional<double> dashedDistance;  // query - key at which the weight is halved
    QString valueName;
    bool rangeLocked = false;

    bool operator==(const MatrixLook&) const = default;
    [[nodiscard]] ValueScale valueScale() const;
    // Symmetric about 0 for diverging maps: the range becomes +-max.
    static MatrixLook diverging(double magnitude, const QString& map = QStringLiteral("tide"));
    // Biases that are never positive: the negative half of tide over [low, 0].
    static MatrixLook negative(double low);
};

// Value to colour through a table of 256; log and rank go through their scale.
class MatrixColors {
  public:
    MatrixColors(const MatrixLook& look, const Theme& theme);
    [[nodiscard]] QRgb at(double value) const;

  private:
    ValueScale scale_;
    std::array<QRgb, 256> table_{};
    QRgb notFinite_ = 0;
    bool linear_ = true;
    double low_ = 0.0, factor_ = 0.0;
};

// One pixel a cell of `cells` (x: columns, y: rows); masked cells are transparent.
[[nodiscard]] QImage matrixImage(const MatrixData& matrix, const QRect& cells, const MatrixColors& colors);

// Paints the whole matrix into `target` with its frame. Reduces cells that would be smaller than a pixel.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const MatrixLook& look,
                 const PlotStyle& style, int hatchPitch = 0);
// Ground of masked cells, in screen px with the brush fixed to the viewport, as vector lines in figures.
void paintHatch(QPainter& painter, const QRectF& target, const PlotStyle& style, bool hatched, int pitch = 0);
// The dashed line of equal distance, clipped to the matrix.
void paintDistance(QPainter& painter, const QRectF& target, const MatrixData& matrix, double distance,
                   const PlotStyle& style);

}  // namespace sextant
