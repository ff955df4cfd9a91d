#pragma once
// What a curve plot draws of one series at the present view; rebuilt by CurvePlot::resample().

#include <QPolygonF>
#include <QVector>

#include "widgets/plots/curve_plot.h"
#include "widgets/plots/qcp.h"

namespace sextant {

struct CurvePlot::Drawn {
    QCPGraph* raw = nullptr;  // faint values under a moving average
    QCPGraph* main = nullptr;
    std::vector<QPolygonF> bands;  // plot coordinates
    std::vector<QPolygonF> paths;  // kPath
    QVector<QPointF> markers;      // plot coordinates
    std::vector<double> hidden;    // plot x of values the y axis cannot show
    SeriesStyle style;
};

// Ticks computed by AxisScale; the library only draws them.
class ScaleTicker : public QCPAxisTicker {
  public:
    void set(const std::vector<Tick>& ticks, const std::vector<double>& minor);
    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* tickLabels) override;

  private:
    QVector<double> places_, minor_;
    QVector<QString> labels_;
};

// A layer painted by a function.
class PaintLayer : public QCPLayerable {
  public:
    PaintLayer(QCustomPlot* plot, const QString& layer, std::function<void(QCPPainter&)> paint)
        : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter* painter) override { paint_(*painter); }

  private:
    std::function<void(QCPPainter&)> paint_;
};

// 40 % of the colour on the ground, opaque: faster than alpha and free of darker joints.
[[nodiscard]] QColor fainter(const QColor& color, const QColor& ground);

}  // namespace sextant
