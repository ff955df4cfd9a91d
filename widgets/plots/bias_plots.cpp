// Biases, slopes, reach and kernels.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/plots/position_plots.h"

namespace sextant {

QString slopeText(double slope) {
    if (slope > 0.0 && slope <= 1.0) {
        const double inverse = 1.0 / slope;
        if (inverse == std::floor(inverse) && inverse <= 65536.0)
            return inverse == 1.0 ? QStringLiteral("1") : QStringLiteral("1/%1").arg(static_cast<qint64>(inverse));
    }
    return displayNumber(slope, 4);
}

void showBias(HeatmapGrid& grid, const BiasData& data) {
    std::vector<GridCell> cells;
    GridOptions options;
    if (data.values.shape.size() == 3) {
        const std::int64_t heads = data.values.shape[0];
        const std::int64_t queries = data.values.shape[1];
        const std::int64_t keys = data.values.shape[2];
        const auto area = static_cast<std::size_t>(queries * keys);
        for (std::int64_t head = 0; head < heads; ++head) {
            const auto first =
                data.values.values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(head) * area);
            std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(area));
            if (data.asFactor)
                for (double& value : values)
                    if (std::isfinite(value)) value = std::exp(value);
            GridCell cell;
            cell.matrix = MatrixData::of(queries, keys, std::move(values));
            cell.head = static_cast<int>(head);
            cell.title = QWidget::tr("head %1").arg(head + 1);
            if (static_cast<std::size_t>(head) < data.slopes.size()) {
                const double slope = data.slopes[static_cast<std::size_t>(head)];
                cell.note = QStringLiteral("m = %1").arg(slopeText(slope));
                cell.spoken = QWidget::tr("slope %1").arg(displayNumber(slope));
                if (slope > 0.0) cell.dashedDistance = std::numbers::ln2 / slope;
            }
            cells.push_back(std::move(cell));
        }
    }
    const MatrixStatistics numbers = HeatmapGrid::shared(cells, 0.0);
    if (data.asFactor) {
        options.look.map = QStringLiteral("depth");
        options.look.range = {0.0, std::max(numbers.largest, 1.0)};
        options.look.valueName = QWidget::tr("e^bias");
    } else if (numbers.largest <= 0.0) {
        options.look = MatrixLook::negative(data.floor.value_or(std::max(numbers.smallest, -8.0)));
        options.look.valueName = QWidget::tr("bias");
    } else {
        options.look = MatrixLook::diverging(std::max(std::abs(numbers.smallest), std::abs(numbers.largest)));
        options.look.valueName = QWidget::tr("bias");
    }
    options.look.rangeLocked = true;
    options.axisNumbers = true;
    options.barNotes = {QWidget::tr("one scale for all heads")};
    if (!data.asFactor && numbers.shown > 0 && numbers.smallest < options.look.range.first)
        options.barNotes << QWidget::tr("values below %1 are drawn as %1").arg(displayNumber(options.look.range.first));
    if (numbers.masked > 0) options.barNotes << QWidget::tr("hatched: masked, not in the scale");
    grid.setEmptyText(QWidget::tr("This encoding adds nothing to the scores."));
    grid.setCells(std::move(cells), options);
}

void showSlopes(CurvePlot& plot, const SlopesData& data) {
    const auto heads = [](std::size_t count) {
        std::vector<double> x(count);
        for (std::size_t i = 0; i < count; ++i)
            x[i] = static_cast<double>(i + 1);
        return sharedValues(std::move(x));
    };
    CurveSeries naive;
    naive.id = QStringLiteral("naive");
    naive.name = QWidget::tr("naive 2^(−8k/n)");
    naive.x = heads(data.naive.size());
    naive.y = sharedValues(data.naive);
    naive.markers = naive.openMarkers = true;
    naive.labelled = false;
    naive.style = [](const Theme& t) {
        SeriesStyle quiet;
        quiet.color = quiet.ink = t.text2;
        quiet.width = 1.0;
        quiet.dash = {3, 3};
        quiet.marker = MarkerShape::kRing;
        return quiet;
    };
    CurveSeries trained;
    trained.id = QStringLiteral("interleave");
    trained.name = QWidget::tr("interleave (trained so)");
    trained.role = SeriesRole::kPoints;
    trained.markers = true;
    trained.slot = 1;
    trained.labelled = false;
    trained.x = heads(data.slopes.size());
    trained.y = sharedValues(data.slopes);
    AxisOptions x;
    x.name = QWidget::tr("head, checkpoint order");
    const std::size_t count = std::max(data.slopes.size(), data.naive.size());
    // All heads up to 12, else every second, fourth or eighth, counted from the first.
    std::size_t every = 1;
    while (count > 12 * every)
        every *= 2;
    for (std::size_t head = 1; head <= count; head += every)
        x.fixedTicks.emplace_back(static_cast<double>(head), QString::number(head));
    x.range = Range{0.4, static_cast<double>(count) + 0.6};
    AxisOptions y;
    y.name = QWidget::tr("slope m (log)");
    y.kind = AxisKind::kLog2;
    double least = 1.0;
    for (const auto* list : {&data.slopes, &data.naive})
        for (const double slope : *list)
            if (slope > 0.0) least = std::min(least, slope);
    y.range = Range{least / 1.4, 1.35};
    for (int e = 0; std::exp2(-e) >= least / 1.4; e += least < 1e-4 ? 4 : 2)
        y.fixedTicks.emplace_back(std::exp2(-e), slopeText(std::exp2(-e)));
    plot.setXAxis(x);
    plot.setYAxis(y);
    std::vector<PlotNote> notes;
    const bool uneven = data.powerOfTwo > 0 && data.powerOfTwo < static_cast<int>(count);
    notes.push_back({0.03, 0.93, QStringLiteral("■ ") + trained.name, 1, false, std::nullopt, true});
    // Below the falling points there is room at the left, whatever the number of heads.
    if (!data.naive.empty())
        notes.push_back({uneven ? 0.03 : 0.5, uneven ? 0.82 : 0.1, QStringLiteral("○ ") + naive.name, -1, false,
                         std::nullopt, true});
    if (uneven) {
        plot.setRegions({PlotRegion{data.powerOfTwo + 0.5, std::numeric_limits<double>::infinity()}});
        notes.push_back({data.powerOfTwo + 0.6, std::sqrt(least) * 0.6,
                         QWidget::tr("odd ones of %1").arg(2 * data.powerOfTwo), -1, false, std::nullopt, false});
    } else {
        plot.setRegions({});
    }
    plot.setNotes(std::move(notes));
    plot.setEmptyText(QWidget::tr("Only ALiBi has slopes."));
    plot.setSeries({std::move(naive), std::move(trained)});
}

void showReach(CurvePlot& plot, const std::vector<double>& slopes, double trainingLength, int chosen) {
    std::vector<CurveSeries> series;
    AxisOptions y;
    y.name = QWidget::tr("half-weight distance ln 2 / m");
    y.descending = true;
    y.range = Range{0.4, static_cast<double>(slopes.size()) + 0.6};
    double farthest = trainingLength;
    std::vector<PlotNote> notes;
    const int heads = static_cast<int>(slopes.size());
    const int every = heads <= 12 ? 1 : heads <= 24 ? 2 : 4;
    for (int head = 0; head < heads; ++head) {
        const double slope = slopes[static_cast<std::size_t>(head)];
        if (!(slope > 0.0)) continue;
        const double half = std::numbers::ln2 / slope;
        farthest = std::max(farthest, half);
        if (head % every == 0) y.fixedTicks.emplace_back(head + 1.0, QWidget::tr("head %1").arg(head + 1));
        CurveSeries bar;
        bar.id = QStringLiteral("head-%1").arg(head + 1);
        bar.name = QWidget::tr("head %1").arg(head + 1);
        bar.role = SeriesRole::kPath;
        bar.labelled = false;
        bar.x = sharedValues({std::min(1.0, half), half});
        bar.y = sharedValues({head + 1.0, head + 1.0});
        bar.style = [head, heads, chosen](const Theme& t) {
            SeriesStyle style;
            style.color = style.ink = t.ordered(head, heads);
            style.width = (head == chosen ? 6.0 : 4.0) / (heads > 12 ? 2.0 : 1.0);
            return style;
        };
        series.push_back(bar);
        CurveSeries end = bar;
        end.id += QStringLiteral("-end");
        end.role = SeriesRole::kPoints;
        end.markers = true;
        end.x = sharedValues({half});
        end.y = sharedValues({head + 1.0});
        series.push_back(end);
        PlotNote note;
        note.x = half;
        note.y = head + 1.0;
        note.text = displayNumber(half, 3);
        note.offset = 8.0;
        if (head % every != 0 && head != chosen) continue;
        if (head == chosen) note.ink = [](const Theme& t) { return t.text; };
        notes.push_back(note);
    }
    AxisOptions x;
    x.name = QWidget::tr("tokens (log)");
    x.kind = AxisKind::kLog2;
    x.range = Range{1.0, farthest * 3.0};
    plot.setXAxis(x);
    plot.setYAxis(y);
    plot.setNotes(std::move(notes));
    plot.setLines({IndexLine{Qt::Vertical, trainingLength, displayNumber(trainingLength), false}});
    plot.setEmptyText(QWidget::tr("Only ALiBi has slopes."));
    plot.setSeries(std::move(series));
}

void showKernels(CurvePlot& plot, const std::vector<KernelCurve>& curves, const QString& yName, int chosen,
                 bool logarithmic) {
    std::vector<CurveSeries> series;
    std::vector<PlotNote> notes;
    const int count = static_cast<int>(curves.size());
    double highest = 0.0;
    for (int i = 0; i < count; ++i) {
        const KernelCurve& curve = curves[static_cast<std::size_t>(i)];
        CurveSeries one;
        one.id = QStringLiteral("kernel-%1").arg(i);
        one.name = curve.name;
        one.slot = std::max(curve.slot, 0);
        std::vector<double> x(curve.factor.size());
        for (std::size_t d = 0; d < x.size(); ++d)
            x[d] = static_cast<double>(d);
        for (const double value : curve.factor)
            if (std::isfinite(value)) highest = std::max(highest, value);
        if (curve.slot < 0) {
            one.style = [i, count, chosen](const Theme& t) {
                SeriesStyle style;
                style.color = style.ink = t.ordered(i, count);
                style.width = i == chosen ? 2.5 : 1.25;
                return style;
            };
            one.labelled = false;
            // The name sits on the curve where it falls through a height of its own, so that names do not meet.
            const double height = 0.16 + 0.62 * (count > 1 ? static_cast<double>(i) / (count - 1) : 0.5);
            std::size_t at = 0;
            while (at + 1 < curve.factor.size() && curve.factor[at] > height * std::max(curve.factor.front(), 1e-300))
                ++at;
            const double share = x.size() > 1 ? static_cast<double>(at) / static_cast<double>(x.size() - 1) : 0.0;
            if (share > 0.85 && x.size() > 4)
                at = static_cast<std::size_t>(static_cast<double>(x.size()) * (0.62 + 0.06 * (i % 4)));
            if (at < curve.factor.size()) {
                PlotNote note;
                note.x = static_cast<double>(at);
                note.y = curve.factor[at];
                note.text = curve.name;
                note.centred = true;
                note.ink = [i, count](const Theme& t) { return t.ordered(i, count); };
                notes.push_back(note);
            }
        }
        one.x = sharedValues(std::move(x));
        one.y = sharedValues(curve.factor);
        series.push_back(std::move(one));
    }
    AxisOptions x;
    x.name = QWidget::tr("distance, tokens");
    AxisOptions y;
    y.name = yName;
    y.kind = logarithmic ? AxisKind::kLog : AxisKind::kLinear;
    if (!logarithmic && highest <= 1.0 && highest > 0.5) y.range = Range{0.0, 1.0};
    plot.setXAxis(x);
    plot.setYAxis(y);
    plot.setNotes(std::move(notes));
    plot.setLines({IndexLine{Qt::Horizontal, 0.5, QString(), true}});
    plot.setEmptyText(QWidget::tr("This encoding has no kernel over distance."));
    plot.setSeries(std::move(series));
}

}  // namespace sextant
