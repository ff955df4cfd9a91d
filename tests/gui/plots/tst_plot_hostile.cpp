// Every chart of the program with data as it comes from broken runs: empty, one point, constant, all NaN, infinities,
// 1e308, denormals, negative on a log axis, unsorted and repeated steps. Each must draw, in finite ranges, and quickly;
// curve plots and matrices have tables of their own (tst_plot_curves, tst_plot_matrix).
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <functional>
#include <limits>

#include "widgets/controls/color_bar.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/controls/step_bar.h"
#include "widgets/controls/token_strip.h"
#include "widgets/forms/arm_table.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/position_plots.h"

using namespace sextant;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

const std::vector<std::pair<const char*, Values>>& inputs() {
    static const std::vector<std::pair<const char*, Values>> all = {
        {"empty", {}},
        {"one point", {0.5}},
        {"one NaN", {kNan}},
        {"constant", Values(20, 0.25)},
        {"all zero", Values(20, 0.0)},
        {"all NaN", Values(20, kNan)},
        {"plus infinity", Values(20, kInfinity)},
        {"minus infinity", Values(20, -kInfinity)},
        {"infinity inside", {0.5, kInfinity, 0.25, -kInfinity, 0.125}},
        {"1e308", {1e308, -1e308, 1.7e308, 0.0}},
        {"denormals", {5e-324, 1e-320, 0.0, 3e-315}},
        {"negative", {-1.0, -2.0, -0.5, -7.0}},
        {"unsorted", {5.0, 1.0, 3.0, 2.0, 4.0}},
        {"duplicates", {2.0, 2.0, 2.0, 1.0, 1.0}},
    };
    return all;
}

void draw(QWidget& widget) {
    QElapsedTimer clock;
    clock.start();
    widget.resize(420, 300);
    widget.show();
    QApplication::processEvents();
    QVERIFY(!widget.grab().isNull());
    QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
}

void drawPlot(const std::function<void(CurvePlot&)>& fill) {
    CurvePlot plot;
    fill(plot);
    draw(plot);
    const Range x = plot.xRange(), y = plot.yRange();
    QVERIFY(std::isfinite(x.first) && std::isfinite(x.second) && x.second > x.first);
    QVERIFY(std::isfinite(y.first) && std::isfinite(y.second) && y.second > y.first);
    QVERIFY(!plot.summary().isEmpty());
    plot.zoom(3.0);
    plot.pan(0.3, 0.3);
    plot.reset();
}

}  // namespace
Q_DECLARE_METATYPE(std::vector<double>)

class TestPlotHostile : public QObject {
    Q_OBJECT

  private slots:
    void everyChart_data();
    void everyChart();
};

void TestPlotHostile::everyChart_data() {
    QTest::addColumn<QString>("chart");
    QTest::addColumn<Values>("values");
    for (const char* chart :
         {"slopes", "reach", "kernels", "kernels log", "phases", "wavelengths", "decay", "lengths", "lengths linear",
          "bias", "raster", "wheel", "tokens", "color bar", "step bar", "table"}) {
        for (const auto& [name, values] : inputs())
            QTest::addRow("%s, %s", chart, name) << QString::fromLatin1(chart) << values;
    }
}

void TestPlotHostile::everyChart() {
    QFETCH(QString, chart);
    QFETCH(Values, values);
    if (chart == "slopes") {
        drawPlot([&](CurvePlot& plot) { showSlopes(plot, {values, values, static_cast<int>(values.size())}); });
    } else if (chart == "reach") {
        drawPlot([&](CurvePlot& plot) { showReach(plot, values, 64, 0); });
    } else if (chart.startsWith("kernels")) {
        const bool logarithmic = chart.endsWith("log");
        drawPlot([&](CurvePlot& plot) {
            showKernels(plot, {{"a", values, 0}, {"b", values, -1}}, "factor", 1, logarithmic);
        });
    } else if (chart == "phases") {
        drawPlot([&](CurvePlot& plot) { showPhases(plot, {values, 64, 512, 0}); });
    } else if (chart == "wavelengths") {
        drawPlot([&](CurvePlot& plot) { showWavelengths(plot, {values, 64, 512, 0}, values, "yarn"); });
    } else if (chart == "decay") {
        drawPlot([&](CurvePlot& plot) { showDecay(plot, {{"a", values, 0, false}, {"b", values, 1, true}}, 64); });
    } else if (chart.startsWith("lengths")) {
        ExtrapolationData data;
        LengthCurve curve;
        curve.id = curve.name = "rope";
        double length = 64;
        for (const double value : values) {
            curve.points.push_back({length, value, value, value, 3});
            data.lengths.push_back(length);
            length *= 2;
        }
        data.curves = {curve};
        data.metric = "perplexity";
        data.logarithmic = !chart.endsWith("linear");
        drawPlot([&](CurvePlot& plot) { showExtrapolation(plot, data); });
    } else if (chart == "bias") {
        const auto n = static_cast<std::int64_t>(values.size());
        Values square;
        for (std::int64_t i = 0; i < n; ++i)
            square.insert(square.end(), values.begin(), values.end());
        MatrixData matrix = MatrixData::of(n, n, square);
        matrix.setCausal();
        HeatmapGrid grid;
        GridOptions options;
        options.look = MatrixLook::negative(-8.0);
        GridCell cell;
        cell.matrix = matrix;
        grid.setCells({cell, cell}, options);
        draw(grid);
    } else if (chart == "raster") {
        HeatmapView view;
        view.setLook(rasterLook());
        view.setMatrix(rasterOf(values, 40, false));
        draw(view);
        QVERIFY(view.range().second >= view.range().first);
    } else if (chart == "wheel") {
        PhaseWheel wheel;
        wheel.setAngles(values, values.empty() ? 0.0 : values.front());
        wheel.setSelected(0);
        draw(wheel);
    } else if (chart == "tokens") {
        TokenStrip strip;
        QStringList tokens;
        for (std::size_t i = 0; i < values.size(); ++i)
            tokens << QString::number(i);
        strip.setTokens(tokens);
        const ValueScale scale(ScaleKind::kLinear, values.empty() ? 0.0 : values.front(),
                               values.empty() ? 1.0 : values.back());
        strip.setWeights(values, "depth", scale);
        draw(strip);
    } else if (chart == "color bar") {
        for (const ScaleKind kind : {ScaleKind::kLinear, ScaleKind::kLog, ScaleKind::kRank}) {
            ColorBar bar(Qt::Vertical);
            ColorBarSpec spec;
            spec.scale = ValueScale(kind, values.empty() ? 0.0 : values.front(), values.empty() ? 0.0 : values.back());
            spec.marker = values.empty() ? std::nullopt : std::optional(values.front());
            bar.setSpec(spec);
            draw(bar);
        }
    } else if (chart == "step bar") {
        StepBar bar;
        std::vector<qint64> snapshots;
        for (const double value : values)
            snapshots.push_back(std::isfinite(value) && std::abs(value) < 1e9 ? static_cast<qint64>(value) : -1);
        bar.setSteps(values.empty() ? 0 : 5, 3, snapshots);
        bar.setTokensPerStep(values.empty() ? 0.0 : values.front());
        bar.next();
        bar.previous();
        draw(bar);
        QVERIFY(bar.step() >= 0);
    } else if (chart == "table") {
        ArmTable table({"seed", "value", QString()});
        std::vector<ArmTableRow> rows;
        for (const double value : values) {
            ArmTableRow row;
            row.name = "s";
            row.cells = {QString::number(value)};
            if (std::isfinite(value)) row.bar = value;
            rows.push_back(row);
        }
        const std::size_t count = rows.size();
        table.setRows(std::move(rows));
        draw(table);
        QCOMPARE(table.rows().size(), count);
    } else {
        QFAIL("no such chart");
    }
}

QTEST_MAIN(TestPlotHostile)
#include "tst_plot_hostile.moc"
