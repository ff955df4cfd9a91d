#pragma once
// The parts of a curve plot that are painted by hand on their own layers: regions and bands below the lines; labels,
// index lines, NaN strips and notes above them; cursor and zoom box on top. It knows the plot's state, nothing else.

#include <QRectF>
#include <vector>

#include "widgets/plots/curve_plot.h"

class QCPPainter;

namespace sextant {

struct EndLabel {
    QString name, value;
    QColor ink;
    SeriesStyle style;
    MarkerShape marker = MarkerShape::kDisc;
    double y = 0.0;  // pixel, after pushing apart
    double sortValue = 0.0;
    bool bold = true;
};

// Pushes centres apart to at least `distance` inside [low, high], moving them as little as possible in all; the order
// is kept. Deterministic.
void pushApart(std::vector<double>& centres, double distance, double low, double high);

class CurveCanvas {
  public:
    explicit CurveCanvas(CurvePlot& plot) : p_(plot) {}

    // Room beside the axes, from the labels and the legend; also fills what is painted later.
    void measure(int width, int height);
    [[nodiscard]] int right() const { return right_; }
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] bool legend() const { return legend_; }
    void placeLabels();

    void paintBelow(QCPPainter& painter) const;
    void paintAbove(QCPPainter& painter) const;
    void paintCursor(QCPPainter& painter) const;

  private:
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double pixelX(double value) const;  // data value to pixel
    [[nodiscard]] double pixelY(double value) const;
    void paintRegions(QCPPainter& painter) const;
    void paintBands(QCPPainter& painter) const;
    void paintMarkers(QCPPainter& painter) const;
    void paintGaps(QCPPainter& painter) const;
    void paintLines(QCPPainter& painter) const;
    void paintNames(QCPPainter& painter) const;
    void paintLabels(QCPPainter& painter) const;
    void paintLegend(QCPPainter& painter) const;
    void paintNotes(QCPPainter& painter) const;
    void paintHidden(QCPPainter& painter) const;
    void paintEmpty(QCPPainter& painter) const;
    void haloText(QCPPainter& painter, const QRectF& rect, int flags, const QString& text, const QColor& ink) const;
    [[nodiscard]] std::vector<EndLabel> labels() const;
    [[nodiscard]] bool hasGaps() const;

    CurvePlot& p_;
    int right_ = 0, top_ = 0;
    bool legend_ = false;
    double labelWidth_ = 0.0;
    std::vector<EndLabel> labels_;
};

}  // namespace sextant
