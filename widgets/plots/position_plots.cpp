// Rotations and length extrapolation.
#include "widgets/plots/position_plots.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "widgets/controls/marks.h"

namespace sextant {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

SeriesStyle orderedStyle(const Theme& theme, int index, int count, double width) {
    SeriesStyle style;
    style.color = style.ink = theme.ordered(index, count);
    style.width = width;
    return style;
}

}  // namespace

int neverTurning(const std::vector<double>& inverseFrequencies, double trainingLength) {
    return static_cast<int>(std::count_if(inverseFrequencies.begin(), inverseFrequencies.end(),
                                          [&](double f) { return !(f * trainingLength >= kTurn); }));
}

void showPhases(CurvePlot& plot, const PhaseData& data) {
    const int pairs = static_cast<int>(data.inverseFrequencies.size());
    std::vector<CurveSeries> series;
    double lowest = 1e-3;
    for (int pair = 0; pair < pairs; ++pair) {
        const double f = data.inverseFrequencies[static_cast<std::size_t>(pair)];
        CurveSeries one;
        one.id = QStringLiteral("pair-%1").arg(pair);
        one.name = QWidget::tr("pair %1").arg(pair);
        std::vector<double> x, y;
        for (double p = 1.0; p < data.length; p *= 1.5) {
            x.push_back(p);
            y.push_back(p * f / kTurn);
        }
        x.push_back(data.length);
        y.push_back(data.length * f / kTurn);
        if (y.back() > 0) lowest = std::min(lowest, y.back());
        one.x = sharedValues(std::move(x));
        one.y = sharedValues(std::move(y));
        const bool marked =
            pair == data.chosen || pair == 0 || pair == pairs - 1 || (pairs >= 8 && pair % (pairs / 4) == 0);
        const double width = pair == data.chosen ? 3.0 : marked ? 1.75 : 1.0;
        const bool never = !(f * data.trainingLength >= kTurn);
        one.style = [pair, pairs, width, never](const Theme& t) {
            SeriesStyle style = orderedStyle(t, pair, pairs, width);
            if (never) style.dash = {4.5, 3.5};
            return style;
        };
        one.labelled = marked;
        series.push_back(std::move(one));
    }
    AxisOptions x;
    x.name = QWidget::tr("position, tokens (log)");
    x.kind = AxisKind::kLog2;
    x.range = Range{1.0, std::max(data.length, 2.0)};
    AxisOptions y;
    y.name = QWidget::tr("angle, turns (log)");
    y.kind = AxisKind::kLog;
    const double top = pairs > 0 ? std::max(data.length * data.inverseFrequencies.front() / kTurn * 1.3, 2.0) : 10.0;
    y.range = Range{std::clamp(lowest / 1.5, 1e-6, 0.1), top};
    plot.setXAxis(x);
    plot.setYAxis(y);
    plot.setRegions({PlotRegion{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(), 1.0}});
    plot.setLines({IndexLine{Qt::Vertical, data.trainingLength, displayNumber(data.trainingLength), false},
                   IndexLine{Qt::Horizontal, 1.0, QWidget::tr("one turn"), true}});
    plot.setEmptyText(QWidget::tr("This encoding has no rotating pairs."));
    plot.setSeries(std::move(series));
}

void showWavelengths(CurvePlot& plot, const PhaseData& data, const std::vector<double>& scaled,
                     const QString& scaledName) {
    std::vector<CurveSeries> series;
    const std::size_t pairs = data.inverseFrequencies.size();
    const auto wavelength = [](double f) { return f > 0.0 ? kTurn / f : std::numeric_limits<double>::quiet_NaN(); };
    if (!scaled.empty()) {
        CurveSeries stems;
        stems.id = QStringLiteral("stems");
        stems.role = SeriesRole::kPath;
        stems.labelled = false;
        std::vector<double> x, y;
        CurveSeries dots;
        dots.id = QStringLiteral("scaled");
        dots.role = SeriesRole::kPoints;
        dots.markers = true;
        dots.slot = 5;
        dots.labelled = false;
        dots.style = [](const Theme& t) {
            SeriesStyle dot = t.series(5);
            dot.marker = MarkerShape::kDisc;
            return dot;
        };
        std::vector<double> px, py;
        for (std::size_t i = 0; i < std::min(pairs, scaled.size()); ++i) {
            const double pair = static_cast<double>(i);
            x.insert(x.end(), {pair, pair, pair});
            y.insert(y.end(), {wavelength(data.inverseFrequencies[i]), wavelength(scaled[i]),
                               std::numeric_limits<double>::quiet_NaN()});
            px.push_back(pair);
            py.push_back(wavelength(scaled[i]));
        }
        stems.x = sharedValues(std::move(x));
        stems.y = sharedValues(std::move(y));
        stems.style = [](const Theme& t) {
            SeriesStyle thin;
            thin.color = thin.ink = t.axis;
            thin.width = 1.0;
            return thin;
        };
        dots.name = scaledName;
        dots.x = sharedValues(std::move(px));
        dots.y = sharedValues(std::move(py));
        series.push_back(std::move(stems));
        series.push_back(std::move(dots));
    }
    // Two kinds of points: full turns in training (filled) and never one (open).
    for (const bool open : {false, true}) {
        CurveSeries points;
        points.id = open ? QStringLiteral("never") : QStringLiteral("turning");
        points.role = SeriesRole::kPoints;
        points.markers = true;
        points.openMarkers = open;
        points.labelled = false;
        points.name = open ? QWidget::tr("never a full turn in training") : QWidget::tr("full turn in training");
        std::vector<double> x, y;
        for (std::size_t i = 0; i < pairs; ++i) {
            const bool never = !(data.inverseFrequencies[i] * data.trainingLength >= kTurn);
            if (never != open) continue;
            x.push_back(static_cast<double>(i));
            y.push_back(wavelength(data.inverseFrequencies[i]));
        }
        points.x = sharedValues(std::move(x));
        points.y = sharedValues(std::move(y));
        series.push_back(std::move(points));
    }
    AxisOptions x;
    x.name = QWidget::tr("pair");
    AxisOptions y;
    y.name = QWidget::tr("wavelength, tokens (log)");
    y.kind = AxisKind::kLog;
    plot.setXAxis(x);
    plot.setYAxis(y);
    const int never = neverTurning(data.inverseFrequencies, data.trainingLength);
    std::vector<PlotNote> notes;
    notes.push_back({0.03, 0.06, QWidget::tr("○ never a full turn in training: %1 of %2").arg(never).arg(pairs), 0,
                     false, std::nullopt, true});
    if (!scaled.empty())
        notes.push_back({0.03, 0.15, QStringLiteral("● %1").arg(scaledName), 5, false, std::nullopt, true});
    plot.setNotes(std::move(notes));
    plot.setLines({IndexLine{Qt::Horizontal, data.trainingLength,
                             QWidget::tr("training length %1").arg(displayNumber(data.trainingLength)), false}});
    plot.setEmptyText(QWidget::tr("This encoding has no rotating pairs."));
    plot.setSeries(std::move(series));
}

void showDecay(CurvePlot& plot, const std::vector<DecayCurve>& curves, double trainingLength) {
    std::vector<CurveSeries> series;
    for (const DecayCurve& curve : curves) {
        CurveSeries one;
        one.id = one.name = curve.name;
        one.slot = curve.slot;
        one.faint = curve.faint;
        one.x = sharedValues(counting(curve.values.size()));
        one.y = sharedValues(curve.values);
        series.push_back(std::move(one));
    }
    AxisOptions x;
    x.name = QWidget::tr("distance, tokens");
    AxisOptions y;
    y.name = QWidget::tr("relative upper bound of the score");
    y.includeZero = true;
    plot.setXAxis(x);
    plot.setYAxis(y);
    plot.setLines({IndexLine{Qt::Vertical, trainingLength, displayNumber(trainingLength), false}});
    plot.setEmptyText(QWidget::tr("Only rotary encodings have this bound."));
    plot.setSeries(std::move(series));
}

MatrixData rasterOf(const std::vector<double>& inverseFrequencies, std::int64_t positions, bool sine) {
    const auto pairs = static_cast<std::int64_t>(inverseFrequencies.size());
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(pairs * std::max<std::int64_t>(positions, 0)));
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        for (std::int64_t p = 0; p < positions; ++p) {
            const double angle = static_cast<double>(p) * inverseFrequencies[static_cast<std::size_t>(pair)];
            values.push_back(sine ? std::sin(angle) : std::cos(angle));
        }
    }
    return MatrixData::of(pairs, positions, std::move(values));
}

MatrixLook rasterLook() {
    MatrixLook look = MatrixLook::diverging(1.0);
    // The inner 78 %: value +-1 stands where +-1.28 would be the end of the map.
    look.mapFrom = 0.5 - 0.5 / 1.28;
    look.mapTo = 0.5 + 0.5 / 1.28;
    return look;
}

void showExtrapolation(CurvePlot& plot, const ExtrapolationData& data) {
    std::vector<CurveSeries> series;
    std::vector<double> lengths = data.lengths;
    for (const LengthCurve& curve : data.curves)
        for (const LengthPoint& point : curve.points)
            lengths.push_back(point.length);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::vector<PlotNote> notes;
    for (const LengthCurve& curve : data.curves) {
        CurveSeries one;
        one.id = curve.id;
        one.name = curve.name;
        one.slot = curve.slot;
        one.baseline = curve.baseline;
        one.markers = true;
        one.faint = curve.faint;
        std::vector<double> x, y, low, high;
        bool banded = false;
        int present = 0;
        for (const double length : lengths) {
            const auto found = std::find_if(curve.points.begin(), curve.points.end(),
                                            [&](const LengthPoint& p) { return p.length == length; });
            if (found == curve.points.end()) continue;
            ++present;
            x.push_back(length);
            y.push_back(found->value);
            low.push_back(found->low);
            high.push_back(found->high);
            one.n = std::max(one.n, found->n);
            banded = banded || (std::isfinite(found->low) && std::isfinite(found->high));
        }
        // A curve that stops early is named at its last point: it has no value at the right end.
        if (present > 0 && present < static_cast<int>(lengths.size()) && x.back() < lengths.back()) {
            one.labelled = false;
            PlotNote note;
            note.x = x.back();
            note.y = y.back();
            note.text =

                (present == 1 ? QWidget::tr("%1, %2 only").arg(curve.name, displayNumber(x.back())) : curve.name);
            note.slot = curve.slot;
            note.offset = 8.0;
            notes.push_back(note);
        }
        one.x = sharedValues(std::move(x));
        one.y = sharedValues(std::move(y));
        if (banded) {
            one.low = sharedValues(std::move(low));
            one.high = sharedValues(std::move(high));
        }
        series.push_back(std::move(one));
    }
    AxisOptions x;
    x.name = QWidget::tr("evaluation length, tokens (log)");
    x.kind = AxisKind::kLog2;
    for (const double length : lengths)
        x.fixedTicks.emplace_back(length, displayNumber(length));
    AxisOptions y;
    y.name = data.logarithmic ? QWidget::tr("%1 (log)").arg(data.metric) : data.metric;
    y.kind = data.logarithmic ? AxisKind::kLog : AxisKind::kLinear;
    plot.setXAxis(x);
    plot.setYAxis(y);
    std::vector<IndexLine> lines{IndexLine{Qt::Vertical, data.trainingLength,
                                           QWidget::tr("training length %1").arg(displayNumber(data.trainingLength)),
                                           false}};
    if (data.compared) lines.push_back(IndexLine{Qt::Vertical, *data.compared, QString(), true});
    plot.setLines(std::move(lines));
    plot.setNotes(std::move(notes));
    plot.setEndValues(true, 3);
    plot.setEmptyText(QWidget::tr("No evaluation by length yet. It is written when a run ends."));
    plot.setSeries(std::move(series));
}

}  // namespace sextant
