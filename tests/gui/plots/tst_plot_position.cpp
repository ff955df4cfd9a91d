// The charts of the position and extrapolation pages: the numbers they carry are those of the papers.
#include <QApplication>
#include <QTest>
#include <cmath>
#include <numbers>

#include "widgets/plots/position_plots.h"

using namespace sextant;

namespace {

std::vector<double> ropeFrequencies(int dimension, double base) {
    std::vector<double> f;
    for (int i = 0; i < dimension / 2; ++i)
        f.push_back(std::pow(base, -2.0 * i / dimension));
    return f;
}

std::vector<double> slopesOf(int heads) {
    std::vector<double> m;
    for (int h = 1; h <= heads; ++h)
        m.push_back(std::exp2(-8.0 * h / heads));
    return m;
}

void draw(QWidget& widget) {
    widget.resize(420, 300);
    widget.show();
    QApplication::processEvents();
    QVERIFY(!widget.grab().isNull());
}

}  // namespace

class TestPlotPosition : public QObject {
    Q_OBJECT

  private slots:
    void slopeTexts();
    void pairsThatNeverTurn();
    void biasGridCarriesTheTable();
    void reachIsLn2OverSlope();
    void phasesAreTurns();
    void rasterIsCosine();
    void extrapolationLeavesGaps();
    void nothingToDrawSaysSo();
    void manyHeads_data();
    void manyHeads();
};

void TestPlotPosition::slopeTexts() {
    QCOMPARE(slopeText(0.125), QStringLiteral("1/8"));
    QCOMPARE(slopeText(1.0 / 256), QStringLiteral("1/256"));
    QCOMPARE(slopeText(1.0), QStringLiteral("1"));
    QVERIFY(!slopeText(std::exp2(-8.0 / 12)).contains(QLatin1Char('/')));
}

void TestPlotPosition::pairsThatNeverTurn() {
    // 64 channels, base 10000: wavelength 2 pi 10000^(2i/64) is above 64 from pair 9 on, so 23 of 32.
    QCOMPARE(neverTurning(ropeFrequencies(64, 10000), 64), 23);
    QCOMPARE(neverTurning({}, 64), 0);
    QCOMPARE(neverTurning({0.0}, 64), 1);
}

void TestPlotPosition::biasGridCarriesTheTable() {
    BiasData data;
    data.slopes = slopesOf(8);
    data.values = Array({8, 6, 6});
    for (std::int64_t h = 0; h < 8; ++h)
        for (std::int64_t q = 0; q < 6; ++q)
            for (std::int64_t k = 0; k < 6; ++k)
                data.values.values[static_cast<std::size_t>((h * 6 + q) * 6 + k)] =
                    k > q ? -std::numeric_limits<double>::infinity()
                          : -data.slopes[static_cast<std::size_t>(h)] * static_cast<double>(q - k);
    HeatmapGrid grid;
    showBias(grid, data);
    draw(grid);
    QCOMPARE(grid.cells().size(), std::size_t{8});
    QCOMPARE(grid.cells()[2].matrix.at(5, 1), -0.5);
    QVERIFY(grid.cells()[2].matrix.masked(1, 4));
    QVERIFY(std::abs(*grid.cells()[2].dashedDistance - std::numbers::ln2 * 8) < 1e-12);
    QCOMPARE(grid.options().look.range.second, 0.0);
    QCOMPARE(grid.options().look.range.first, -2.5);
    data.asFactor = true;
    showBias(grid, data);
    QCOMPARE(grid.cells()[0].matrix.at(4, 2), std::exp(-1.0));
    QCOMPARE(grid.options().look.map, QStringLiteral("depth"));
}

void TestPlotPosition::reachIsLn2OverSlope() {
    CurvePlot plot;
    showReach(plot, slopesOf(8), 64, 2);
    draw(plot);
    bool found = false;
    for (const CurveSeries& series : plot.series()) {
        if (series.id != QStringLiteral("head-3-end")) continue;
        found = true;
        QVERIFY(std::abs(series.x->front() - 5.545177444479562) < 1e-12);
    }
    QVERIFY(found);
}

void TestPlotPosition::phasesAreTurns() {
    CurvePlot plot;
    PhaseData data;
    data.inverseFrequencies = ropeFrequencies(64, 10000);
    showPhases(plot, data);
    draw(plot);
    const auto series = plot.series();
    QCOMPARE(series.size(), std::size_t{32});
    QVERIFY(std::abs(series[0].y->back() - 512 / (2 * std::numbers::pi)) < 1e-9);
    QVERIFY(series[8].style.in(Theme::light()).dash.isEmpty());  // 1.019 turns at 64
    QVERIFY(!series[9].style.in(Theme::light()).dash.isEmpty());
    CurvePlot waves;
    showWavelengths(waves, data, ropeFrequencies(64, 41829), QStringLiteral("with ntk, factor 4"));
    draw(waves);
}

void TestPlotPosition::rasterIsCosine() {
    const auto f = ropeFrequencies(8, 10000);
    const MatrixData raster = rasterOf(f, 20, false);
    QCOMPARE(raster.rows(), 4);
    QCOMPARE(raster.at(1, 7), std::cos(7 * f[1]));
    QCOMPARE(rasterOf(f, 20, true).at(3, 19), std::sin(19 * f[3]));
    const MatrixLook look = rasterLook();
    QVERIFY(std::abs((look.mapTo - look.mapFrom) - 1 / 1.28) < 1e-12);
}

void TestPlotPosition::extrapolationLeavesGaps() {
    ExtrapolationData data;
    data.lengths = {64, 128, 256, 512};
    data.metric = QStringLiteral("perplexity");
    data.curves.push_back(
        {QStringLiteral("rope"),
         QStringLiteral("rope"),
         0,
         true,
         {{64, 20.6, 20, 21, 6}, {128, 24.1, 23, 25, 6}, {256, 43.1, 40, 46, 6}, {512, 68.8, 60, 78, 6}},
         false});
    data.curves.push_back({QStringLiteral("learned"), QStringLiteral("learned"), 3, false, {{64, 23.9}}, false});
    CurvePlot plot;
    showExtrapolation(plot, data);
    draw(plot);
    const auto series = plot.series();
    QCOMPARE(series[1].y->size(), std::size_t{1});  // not extended to lengths it has no positions for
    QCOMPARE(series[0].n, 6);
    const auto readings = plot.readings(512);
    QVERIFY(std::abs(readings[0].shown - 68.8) < 1e-12);
    QCOMPARE(plot.xAxis().fixedTicks.size(), std::size_t{4});
}

void TestPlotPosition::nothingToDrawSaysSo() {
    CurvePlot plot;
    showExtrapolation(plot, {});
    draw(plot);
    QVERIFY(!plot.accessibleDescription().isEmpty());
    showPhases(plot, {});
    draw(plot);
    showKernels(plot, {}, QStringLiteral("factor"), -1);
    showSlopes(plot, {});
    showReach(plot, {}, 64, -1);
    showDecay(plot, {}, 64);
    showWavelengths(plot, {}, {}, {});
    draw(plot);
    HeatmapGrid grid;
    showBias(grid, {});
    draw(grid);
}

void TestPlotPosition::manyHeads_data() {
    QTest::addColumn<int>("heads");
    for (const int heads : {1, 4, 8, 12, 32, 64})
        QTest::addRow("%d", heads) << heads;
}

void TestPlotPosition::manyHeads() {
    QFETCH(int, heads);
    const auto slopes = slopesOf(heads);
    CurvePlot one, two, three;
    showSlopes(one, {slopes, slopes, heads});
    showReach(two, slopes, 64, 0);
    std::vector<KernelCurve> curves;
    for (const double slope : slopes) {
        KernelCurve curve;
        for (int d = 0; d < 64; ++d)
            curve.factor.push_back(std::exp(-slope * d));
        curve.name = QString::number(curves.size() + 1);
        curves.push_back(curve);
    }
    showKernels(three, curves, QStringLiteral("factor"), 0);
    draw(one);
    draw(two);
    draw(three);
    QCOMPARE(three.series().size(), static_cast<std::size_t>(heads));
}

QTEST_MAIN(TestPlotPosition)
#include "tst_plot_position.moc"
