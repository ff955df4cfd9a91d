// Curve plots with ordinary and with hostile data, by mouse and keyboard. What is drawn is read from the plot's own
// pixels and from the table behind it.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <random>

#include "widgets/plots/curve_canvas.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/curve_table_model.h"

using namespace sextant;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

CurveSeries line(const QString& id, Values x, Values y, int slot = 0) {
    CurveSeries series;
    series.id = series.name = id;
    series.slot = slot;
    series.x = sharedValues(std::move(x));
    series.y = sharedValues(std::move(y));
    return series;
}

Values counted(int count) {
    Values x;
    for (int i = 0; i < count; ++i)
        x.push_back(i);
    return x;
}

int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb p = image.pixel(x, y);
            if (std::abs(qRed(p) - color.red()) < 12 && std::abs(qGreen(p) - color.green()) < 12 &&
                std::abs(qBlue(p) - color.blue()) < 12)
                ++count;
        }
    return count;
}

QImage picture(CurvePlot& plot) {
    plot.resize(520, 320);
    plot.show();
    plot.replotNow();
    QApplication::processEvents();
    return plot.grab().toImage();
}

QWidget* surface(CurvePlot& plot) {
    return plot.findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

}  // namespace
Q_DECLARE_METATYPE(std::vector<double>)

class TestPlotCurves : public QObject {
    Q_OBJECT

  private slots:
    void hostileData_data();
    void hostileData();
    void aSpikeSurvivesDecimation();
    void badgeAppearsOnlyWhenReduced();
    void infinityDoesNotFreezeTheRange();
    void hiddenOnALogAxisAreCounted();
    void nanStripIsPainted();
    void unsortedIsSorted();
    void appendExtendsTheView();
    void appendKeepsAZoomedView();
    void readingsGiveTheDifference();
    void wheelBoxPanAndReset();
    void clickMovesTheCursor();
    void keys();
    void tableIsExact();
    void labelsArePushedApart();
    void everyColumnHasAtMostTwoPoints();
    void emptyTextIsSpoken();
};

void TestPlotCurves::hostileData_data() {
    QTest::addColumn<Values>("x");
    QTest::addColumn<Values>("y");
    QTest::newRow("empty") << Values{} << Values{};
    QTest::newRow("one point") << Values{3} << Values{5};
    QTest::newRow("one NaN") << Values{3} << Values{kNan};
    QTest::newRow("constant") << counted(50) << Values(50, 2.5);
    QTest::newRow("all zero") << counted(50) << Values(50, 0.0);
    QTest::newRow("all NaN") << counted(50) << Values(50, kNan);
    QTest::newRow("all infinite") << counted(3) << Values{kInfinity, -kInfinity, kInfinity};
    QTest::newRow("infinity inside") << counted(5) << Values{1, kInfinity, 2, -kInfinity, 3};
    QTest::newRow("1e308") << counted(4) << Values{1e308, -1e308, 1.7e308, 0};
    QTest::newRow("denormals") << counted(4) << Values{5e-324, 1e-320, 0, 3e-315};
    QTest::newRow("negative") << counted(4) << Values{-1, -2, -0.5, -7};
    QTest::newRow("mixed signs") << counted(4) << Values{-1, 2, -0.5, 7};
    QTest::newRow("unsorted") << Values{5, 1, 3, 2, 4} << Values{5, 1, 3, 2, 4};
    QTest::newRow("duplicates") << Values{1, 1, 1, 2, 2} << Values{5, 1, 3, 2, 4};
    QTest::newRow("all at one x") << Values{7, 7, 7} << Values{1, 2, 3};
    QTest::newRow("NaN x") << Values{1, kNan, 3} << Values{1, 2, 3};
    QTest::newRow("infinite x") << Values{1, kInfinity, -kInfinity} << Values{1, 2, 3};
    QTest::newRow("lengths differ") << Values{1, 2, 3, 4} << Values{1, 2};
    QTest::newRow("x near 1e308") << Values{-1e308, 0, 1e308} << Values{1, 2, 3};
    QTest::newRow("huge offset") << Values{1e15, 1e15 + 1, 1e15 + 2} << Values{1e15, 1e15 + 1, 1e15 + 2};
}

void TestPlotCurves::hostileData() {
    QFETCH(Values, x);
    QFETCH(Values, y);
    for (const AxisKind kind : {AxisKind::kLinear, AxisKind::kLog, AxisKind::kLog2, AxisKind::kSymlog}) {
        for (const bool xLog : {false, true}) {
            if (xLog && kind == AxisKind::kLog2) continue;
            const double half = xLog ? 3.0 : 0.0;
            {
                CurvePlot plot;
                AxisOptions options;
                options.kind = kind;
                options.name = QStringLiteral("value");
                plot.setYAxis(options);
                AxisOptions other;
                other.kind = xLog ? AxisKind::kLog : AxisKind::kLinear;
                other.name = QStringLiteral("step");
                plot.setXAxis(other);
                CurveSeries series = line(QStringLiteral("a"), x, y);
                series.halfLife = half;
                series.low = series.y;
                series.high = series.y;
                series.markers = x.size() % 2 == 0;
                plot.setSeries({series, line(QStringLiteral("b"), y, x, 1)});
                plot.setCursor(2.0, QStringLiteral("step 2"));
                const QImage image = picture(plot);
                QVERIFY(!image.isNull());
                QVERIFY(plot.xRange().second > plot.xRange().first);
                QVERIFY(plot.yRange().second > plot.yRange().first);
                QVERIFY(!plot.summary().isEmpty());
                plot.zoom(3.0);
                plot.zoom(0.01);
                plot.pan(0.4, -0.3);
                plot.reset();
                (void)plot.readings(2.0);
                QAbstractItemModelTester tester(plot.table());
                QCOMPARE(plot.series().size(), std::size_t{2});
            }
        }
    }
}

void TestPlotCurves::aSpikeSurvivesDecimation() {
    Values y(200000, 1.0);
    y[123456] = 50.0;
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(200000), y)});
    const QImage image = picture(plot);
    const Range range = plot.yRange();
    QVERIFY(range.second > 50.0);
    // The only ink in the upper half of the plot is the spike.
    int tallest = image.height();
    const QColor color = theme().series(0).color;
    for (int row = 0; row < image.height() / 2; ++row)
        if (pixelsOf(image.copy(60, row, image.width() - 160, 1), color) > 0) tallest = std::min(tallest, row);
    QVERIFY2(tallest < image.height() / 6, qPrintable(QString::number(tallest)));
}

void TestPlotCurves::badgeAppearsOnlyWhenReduced() {
    CurvePlot plot;
    QSignalSpy spy(&plot, &CurvePlot::badgeChanged);
    plot.setSeries({line(QStringLiteral("a"), counted(100), counted(100))});
    picture(plot);
    QVERIFY(plot.badge().isEmpty());
    plot.setSeries({line(QStringLiteral("a"), counted(100000), counted(100000))});
    picture(plot);
    QVERIFY2(plot.badge().startsWith(QStringLiteral("decimated 1:")), qPrintable(plot.badge()));
    QCOMPARE(spy.count(), 1);
    plot.setXRange(10, 60);
    plot.replotNow();
    QVERIFY(plot.badge().isEmpty());
    QCOMPARE(spy.count(), 2);
}

void TestPlotCurves::infinityDoesNotFreezeTheRange() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(4), {1, kInfinity, 30, 2})});
    picture(plot);
    QVERIFY(plot.yRange().first <= 1.0 && plot.yRange().first > -1.0);
    QVERIFY(plot.yRange().second >= 30.0 && plot.yRange().second < 40.0);
}

void TestPlotCurves::hiddenOnALogAxisAreCounted() {
    CurvePlot plot;
    AxisOptions y;
    y.kind = AxisKind::kLog;
    plot.setYAxis(y);
    plot.setSeries({line(QStringLiteral("a"), counted(6), {1, -1, 0, 10, kNan, 3})});
    picture(plot);
    QCOMPARE(plot.hiddenCount(), 2);
    plot.setYAxis({});
    plot.replotNow();
    QCOMPARE(plot.hiddenCount(), 0);
}

void TestPlotCurves::nanStripIsPainted() {
    CurvePlot plot;
    Values y = counted(100);
    for (std::size_t i = 60; i < y.size(); ++i)
        y[i] = kNan;
    plot.setSeries({line(QStringLiteral("a"), counted(100), y)});
    const QImage with = picture(plot);
    QVERIFY(pixelsOf(with, theme().err) > 20);
    plot.setSeries({line(QStringLiteral("a"), counted(100), counted(100))});
    QCOMPARE(pixelsOf(picture(plot), theme().err), 0);
}

void TestPlotCurves::unsortedIsSorted() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), {5, 1, kNan, 3}, {50, 10, 0, 30})});
    const SeriesState& state = plot.states().front();
    QVERIFY(Values(state.x().begin(), state.x().end()) == (Values{1, 3, 5}));
    QVERIFY(Values(state.y().begin(), state.y().end()) == (Values{10, 30, 50}));
    QVERIFY(state.wasUnsorted());
    QCOMPARE(state.droppedPoints(), std::size_t{1});
}

void TestPlotCurves::appendExtendsTheView() {
    CurvePlot plot;
    CurveSeries series = line(QStringLiteral("a"), counted(10), counted(10));
    series.halfLife = 4;
    plot.setSeries({series});
    picture(plot);
    plot.append(QStringLiteral("a"), Values{10, 11}, Values{100, kNan});
    plot.append(QStringLiteral("nobody"), Values{99}, Values{1});
    QTRY_VERIFY(plot.xRange().second >= 11.0);
    QVERIFY(plot.yRange().second >= 100.0);
    QCOMPARE(plot.pointCount(), 12);
    // The average after appending equals the one over all points at once.
    Values x = counted(12);
    Values y = counted(10);
    y.insert(y.end(), {100, kNan});
    const Values all = smooth(x, y, 4);
    const auto shown = plot.states().front().shown();
    for (std::size_t i = 0; i < 11; ++i)
        QCOMPARE(shown[i], all[i]);
    plot.append(QStringLiteral("a"), Values{5}, Values{7});  // a step from the past: sorted in
    QVERIFY(std::is_sorted(plot.states().front().x().begin(), plot.states().front().x().end()));
}

void TestPlotCurves::appendKeepsAZoomedView() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(100), counted(100))});
    picture(plot);
    plot.setXRange(20, 40);
    plot.replotNow();
    plot.append(QStringLiteral("a"), Values{500}, Values{500});
    plot.replotNow();
    QCOMPARE(plot.xRange().second, 40.0);
}

void TestPlotCurves::readingsGiveTheDifference() {
    CurveSeries base = line(QStringLiteral("rope"), {0, 100, 200}, {6, 4, 3.02});
    base.baseline = true;
    CurveSeries other = line(QStringLiteral("alibi"), {0, 100, 200}, {6, 4.5, 3.15}, 1);
    CurvePlot plot;
    plot.setSeries({other, base});
    const auto readings = plot.readings(190);
    QCOMPARE(readings.size(), std::size_t{2});
    QCOMPARE(readings[0].x, 200.0);
    QVERIFY(std::abs(readings[0].minusBaseline - 0.13) < 1e-12);
    QCOMPARE(readings[1].minusBaseline, 0.0);
}

void TestPlotCurves::wheelBoxPanAndReset() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(101), counted(101))});
    picture(plot);
    QSignalSpy spy(&plot, &CurvePlot::rangeChanged);
    QWidget* canvas = surface(plot);
    QVERIFY(canvas != nullptr);
    const Range before = plot.xRange();
    QWheelEvent wheel(QPointF(250, 150), canvas->mapToGlobal(QPointF(250, 150)), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas, &wheel);
    QVERIFY(plot.xRange().second - plot.xRange().first < before.second - before.first);
    QCOMPARE(spy.count(), 1);
    QTest::mouseDClick(canvas, Qt::LeftButton, {}, QPoint(250, 150));
    QCOMPARE(plot.xRange().second, before.second);
    // Box zoom.
    QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(150, 100));
    QTest::mouseMove(canvas, QPoint(300, 200));
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(300, 200));
    QVERIFY(plot.xRange().first > 5 && plot.xRange().second < 95);
    QVERIFY(plot.yRange().first > 5 && plot.yRange().second < 95);
    // Shift: x only, y follows the data in view.
    plot.reset();
    QTest::mousePress(canvas, Qt::LeftButton, Qt::ShiftModifier, QPoint(150, 100));
    QTest::mouseRelease(canvas, Qt::LeftButton, Qt::ShiftModifier, QPoint(300, 101));
    QVERIFY(plot.xRange().first > 5 && plot.xRange().second < 95);
    QVERIFY(plot.yRange().first > plot.xRange().first - 8);
    // Middle button pans.
    plot.reset();
    const double width = plot.xRange().second - plot.xRange().first;
    QTest::mousePress(canvas, Qt::MiddleButton, {}, QPoint(200, 150));
    QMouseEvent move(QEvent::MouseMove, QPointF(260, 150), canvas->mapToGlobal(QPointF(260, 150)), Qt::NoButton,
                     Qt::MiddleButton, {});
    QApplication::sendEvent(canvas, &move);
    QTest::mouseRelease(canvas, Qt::MiddleButton, {}, QPoint(260, 150));
    QVERIFY(plot.xRange().first < before.first);
    QVERIFY(std::abs((plot.xRange().second - plot.xRange().first) - width) < 1e-9);
}

void TestPlotCurves::clickMovesTheCursor() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(101), Values(101, 5.0))});
    picture(plot);
    QSignalSpy moved(&plot, &CurvePlot::cursorMoved);
    QSignalSpy clicked(&plot, &CurvePlot::seriesClicked);
    connect(&plot, &CurvePlot::cursorMoved, &plot, [&](double x) { plot.setCursor(x, QStringLiteral("step")); });
    QTest::mouseClick(surface(plot), Qt::LeftButton, {}, QPoint(250, 160));
    QCOMPARE(moved.count(), 1);
    const double x = moved.first().first().toDouble();
    QVERIFY(x > 20 && x < 80);
    QVERIFY(plot.cursorX().has_value());
    QApplication::processEvents();
    QVERIFY(pixelsOf(plot.grab().toImage(), theme().index) > 50);
}

void TestPlotCurves::keys() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(101), counted(101))});
    picture(plot);
    QSignalSpy log(&plot, &CurvePlot::logToggled);
    QSignalSpy smoothing(&plot, &CurvePlot::smoothingToggled);
    QSignalSpy cursor(&plot, &CurvePlot::cursorMoved);
    const double full = plot.xRange().second;
    QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(plot.xRange().second < full);
    QTest::keyClick(&plot, Qt::Key_0);
    QCOMPARE(plot.xRange().second, full);
    QTest::keyClick(&plot, Qt::Key_Y);
    QTest::keyClick(&plot, Qt::Key_S);
    QCOMPARE(log.count(), 1);
    QCOMPARE(smoothing.count(), 1);
    plot.setCursor(50.0);
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(cursor.count(), 1);
    QCOMPARE(cursor.first().first().toDouble(), 49.0);
}

void TestPlotCurves::tableIsExact() {
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), {0, 1}, {0.1, 1.0 / 3.0}), line(QStringLiteral("b"), {2}, {-1e-300}, 1)});
    CurveTableModel* table = plot.table();
    QCOMPARE(table->rowCount(), 3);
    QCOMPARE(table->data(table->index(1, CurveTableModel::kValue), Qt::UserRole).toDouble(), 1.0 / 3.0);
    QCOMPARE(table->data(table->index(2, CurveTableModel::kSeries)).toString(), QStringLiteral("b"));
    QCOMPARE(table->data(table->index(2, CurveTableModel::kValue), Qt::UserRole).toDouble(), -1e-300);
}

void TestPlotCurves::labelsArePushedApart() {
    std::vector<double> centres{50, 51, 52, 200};
    pushApart(centres, 13, 0, 300);
    QCOMPARE(centres[1] - centres[0], 13.0);
    QCOMPARE(centres[2] - centres[1], 13.0);
    QCOMPARE(centres[3], 200.0);
    QCOMPARE(centres[1], 51.0);  // the middle one stays: least movement
    std::vector<double> low{295, 299, 300};
    pushApart(low, 13, 0, 300);
    QVERIFY(low[2] <= 300.0 && low[1] <= 287.0 + 1e-9 && low[0] <= 274.0 + 1e-9);
    std::vector<double> none;
    pushApart(none, 13, 0, 300);
    QVERIFY(none.empty());
}

void TestPlotCurves::everyColumnHasAtMostTwoPoints() {
    std::mt19937 engine(4);
    std::normal_distribution<double> normal;
    Values y;
    for (int i = 0; i < 300000; ++i)
        y.push_back(normal(engine));
    CurvePlot plot;
    plot.setSeries({line(QStringLiteral("a"), counted(300000), y)});
    picture(plot);
    // 1:N of the badge against the width: not more than two points a pixel column are drawn.
    const double drawn = 300000.0 / plot.badge().mid(QStringLiteral("decimated 1:").size()).toDouble();
    QVERIFY2(drawn <= 2.0 * 520 + 10, qPrintable(plot.badge()));
}

void TestPlotCurves::emptyTextIsSpoken() {
    CurvePlot plot;
    plot.setEmptyText(QStringLiteral("No run is visible."));
    picture(plot);
    QCOMPARE(plot.accessibleDescription(), QStringLiteral("No run is visible."));
    QVERIFY(!plot.accessibleName().isEmpty());
}

QTEST_MAIN(TestPlotCurves)
#include "tst_plot_curves.moc"
