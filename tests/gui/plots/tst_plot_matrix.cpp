// Matrices: what statistics leave out, that reduction keeps the strongest cell, that pixels are the map's colours, and
// the view by mouse and keyboard.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/matrix_table_model.h"
#include "widgets/theme/fonts.h"

using namespace sextant;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatrixData causalRamp(std::int64_t n) {
    std::vector<double> values;
    for (std::int64_t q = 0; q < n; ++q)
        for (std::int64_t k = 0; k < n; ++k)
            values.push_back(k > q ? 99.0 : static_cast<double>(k) / static_cast<double>(n));
    MatrixData matrix = MatrixData::of(n, n, std::move(values));
    matrix.setCausal();
    return matrix;
}

}  // namespace

class TestPlotMatrix : public QObject {
    Q_OBJECT

  private slots:
    void statisticsLeaveMaskedOut();
    void reductionKeepsTheStrongest();
    void differenceIsExact();
    void scalePlacesValues();
    void pixelsAreTheMapsColours();
    void rangeModes();
    void keyboardMovesTheLock();
    void mouseHoversAndLocks();
    void zoomKeepsIntegerCells();
    void sideCycles();
    void hostileMatrices_data();
    void hostileMatrices();
    void gridSharesOneScale();
    void gridByKeyboard();
    void tableLeavesMaskedEmpty();
    void largeMatrixIsQuick();
};

void TestPlotMatrix::statisticsLeaveMaskedOut() {
    const MatrixStatistics s = statistics(causalRamp(10));
    QCOMPARE(s.masked, 45);
    QCOMPARE(s.shown, 55);
    QCOMPARE(s.largest, 0.9);  // never the 99 of the masked cells
    QCOMPARE(s.smallest, 0.0);
    const MatrixData holes = MatrixData::of(2, 2, {1.0, kNan, -kInfinity, kInfinity});
    const MatrixStatistics h = statistics(holes);
    QCOMPARE(h.shown, 1);
    QCOMPARE(h.masked, 1);
    QCOMPARE(h.notFinite, 2);
    const Outside outside = countOutside(causalRamp(10), {0.1, 0.75});
    QCOMPARE(outside.above, 3);   // 0.8 in rows 8 and 9, 0.9 in row 9
    QCOMPARE(outside.below, 10);  // 0.0 in every row
    MatrixData cached = MatrixData::of(1, 4, {0.1, 0.2, 0.3, 0.4});
    cached.setCausal(2);  // the last of a window of three
    QVERIFY(!cached.masked(0, 2));
    QVERIFY(cached.masked(0, 3));
}

void TestPlotMatrix::reductionKeepsTheStrongest() {
    std::vector<double> values(64 * 64, 0.001);
    values[33 * 64 + 17] = -0.9;
    const MatrixData small = reduced(MatrixData::of(64, 64, values), 8);
    QCOMPARE(small.rows(), 8);
    QVERIFY(std::abs(small.at(4, 2) + 0.9) < 1e-6);
    // A block is masked only where all of it is.
    const MatrixData causal = reduced(causalRamp(10), 4);
    QCOMPARE(causal.rows(), 3);
    QVERIFY(causal.masked(0, 1));
    QVERIFY(!causal.masked(0, 0));
    QVERIFY(!causal.masked(1, 1));
    values[0] = kNan;
    QVERIFY(std::isnan(reduced(MatrixData::of(64, 64, values), 8).at(0, 0)));
}

void TestPlotMatrix::differenceIsExact() {
    const MatrixData a = MatrixData::of(1, 3, {0.3, 0.5, -kInfinity});
    const MatrixData b = MatrixData::of(1, 3, {0.1, 0.75, 1.0});
    const MatrixData d = difference(a, b);
    QCOMPARE(d.at(0, 0), 0.3 - 0.1);
    QCOMPARE(d.at(0, 1), -0.25);
    QVERIFY(d.masked(0, 2));
    QVERIFY(difference(a, causalRamp(3)).empty());
}

void TestPlotMatrix::scalePlacesValues() {
    const ValueScale log(ScaleKind::kLog, 0.001, 1.0);
    QVERIFY(std::abs(log.position(0.01) - 1.0 / 3.0) < 1e-12);
    QCOMPARE(log.position(0.0), 0.0);
    QCOMPARE(log.position(kNan), 0.0);
    const ValueScale rank = ValueScale::byRank({5, 1, 1, 100, kNan});
    QCOMPARE(rank.position(100), 1.0);
    QVERIFY(std::abs(rank.position(1) - 0.5 / 3.0) < 1e-12);  // ties at their middle
    QVERIFY(std::abs(rank.position(5) - 2.0 / 3.0) < 1e-12);
    const ValueScale huge(ScaleKind::kLinear, -1e308, 1.7e308);
    QVERIFY(std::abs(huge.position(0.35e308) - 0.5) < 1e-9);
    QVERIFY(ValueScale(ScaleKind::kLinear, 2, 2).high() > 2.0);
    for (const double t : {0.0, 0.25, 1.0})
        QVERIFY(std::abs(log.position(log.valueAt(t)) - t) < 1e-12);
}

void TestPlotMatrix::pixelsAreTheMapsColours() {
    const MatrixData matrix = MatrixData::of(2, 2, {0.0, 0.4, -kInfinity, kNan});
    MatrixLook look;
    look.range = {0.0, 0.4};
    const Theme t = Theme::light();
    const QImage image = matrixImage(matrix, QRect(0, 0, 2, 2), MatrixColors(look, t));
    QCOMPARE(image.pixel(0, 0), t.depth.at(0.0));
    QCOMPARE(image.pixel(1, 0), t.depth.at(1.0));
    QCOMPARE(qAlpha(image.pixel(0, 1)), 0);    // masked: the hatch shows through
    QCOMPARE(image.pixel(1, 1), t.err.rgb());  // NaN is never a value
    MatrixLook negative = MatrixLook::negative(-8);
    const MatrixColors bias(negative, t);
    QCOMPARE(bias.at(0.0), t.tide.at(0.5));
    QCOMPARE(bias.at(-8.0), t.tide.at(0.0));
    QCOMPARE(bias.at(-80.0), t.tide.at(0.0));
}

void TestPlotMatrix::rangeModes() {
    HeatmapView view;
    view.resize(400, 400);
    MatrixLook look;
    look.range = {0.0, 0.25};
    view.setLook(look);
    view.setMatrices(causalRamp(20), causalRamp(20));
    QCOMPARE(view.range().second, 0.95);
    view.setRangeMode(RangeMode::kFixed);
    QCOMPARE(view.range().second, 0.25);
    QVERIFY(view.outside().above > 0);
    view.setRangeMode(RangeMode::kPercentile, 0.1);
    QVERIFY(view.range().second < 0.95);
    view.setRangeMode(RangeMode::kThis);
    look.map = QStringLiteral("tide");
    view.setLook(look);
    QCOMPARE(view.range().first, -view.range().second);  // diverging maps are centred on 0
    view.setRangeLocked(true);
    const Range locked = view.range();
    view.setMatrix(MatrixData::of(1, 1, {5000.0}));
    QCOMPARE(view.range().second, locked.second);
}

void TestPlotMatrix::keyboardMovesTheLock() {
    HeatmapView view;
    view.resize(500, 500);
    view.show();
    view.setMatrix(causalRamp(12));
    QSignalSpy spy(&view, &HeatmapView::cellLocked);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(view.locked().value_or(QPoint(-1, -1)), QPoint(0, 0));
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(spy.last().at(0).toInt(), 2);
    QCOMPARE(spy.last().at(1).toInt(), 1);
    QCOMPARE(spy.last().at(2).toDouble(), 1.0 / 12.0);
    QVERIFY2(view.accessibleDescription().contains(QStringLiteral("0.08333")),
             qPrintable(view.accessibleDescription()));
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(view.accessibleDescription().contains(QStringLiteral("masked")));  // key 1 at query 0
    QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(view.locked()->x(), 0);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!view.locked());
    QCOMPARE(spy.last().at(0).toInt(), -1);
}

void TestPlotMatrix::mouseHoversAndLocks() {
    HeatmapView view;
    view.resize(500, 500);
    view.show();
    view.setMatrix(causalRamp(4));
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QApplication::processEvents();
    QSignalSpy hovered(&view, &HeatmapView::cellHovered);
    QSignalSpy locked(&view, &HeatmapView::cellLocked);
    // Where a cell of the last row stands depends on the cell size that was chosen: move until one is named.
    QPoint place(-1, -1);
    for (int y = 5; y < 500 && place.x() < 0; y += 10) {
        for (int x = 5; x < 500 && place.x() < 0; x += 10) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, y), view.mapToGlobal(QPointF(x, y)), Qt::NoButton,
                             Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(&view, &move);
            if (!hovered.isEmpty() && hovered.last().at(0).toInt() == 3 && hovered.last().at(1).toInt() == 1) {
                place = QPoint(x, y);
            }
        }
    }
    QVERIFY(place.x() >= 0);
    QTest::mouseClick(&view, Qt::LeftButton, {}, place);
    QCOMPARE(locked.count(), 1);
    const int row = locked.first().at(0).toInt();
    const int column = locked.first().at(1).toInt();
    QCOMPARE(row, 3);
    QVERIFY(column >= 1 && column <= 2);
    QCOMPARE(locked.first().at(2).toDouble(), column / 4.0);
    QTest::mouseClick(&view, Qt::LeftButton, {}, place);
    QVERIFY(!view.locked());
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(4, 4));  // the gutter is no cell
    QVERIFY(!view.locked());
}

void TestPlotMatrix::zoomKeepsIntegerCells() {
    HeatmapView view;
    view.resize(400, 400);
    view.show();
    view.setMatrix(causalRamp(200));
    const double fitted = view.cellSize();
    QCOMPARE(fitted, std::floor(fitted));
    for (int i = 0; i < 12; ++i) {
        view.zoom(1.35);
        QCOMPARE(view.cellSize(), std::floor(view.cellSize()));
    }
    QVERIFY(view.cellSize() > fitted * 4);
    view.fit();
    QCOMPARE(view.cellSize(), fitted);
    view.setMatrix(causalRamp(3000));
    QVERIFY(view.cellSize() < 1.0 && view.cellSize() > 0.0);
    QVERIFY(view.cellSize() * 3000 <= 400.0);
    QVERIFY(!view.grab().isNull());
}

void TestPlotMatrix::sideCycles() {
    HeatmapView view;
    view.resize(300, 300);
    view.show();
    std::vector<double> other(16, 0.25);
    view.setMatrices(causalRamp(4), MatrixData::of(4, 4, other));
    QSignalSpy spy(&view, &HeatmapView::sideChanged);
    QTest::keyClick(&view, Qt::Key_D);
    QCOMPARE(view.side(), MatrixSide::kB);
    QTest::keyClick(&view, Qt::Key_D);
    QCOMPARE(view.side(), MatrixSide::kDifference);
    QCOMPARE(view.shown().at(3, 3), 0.75 - 0.25);
    QCOMPARE(view.range().first, -view.range().second);
    QTest::keyClick(&view, Qt::Key_D);
    QCOMPARE(view.side(), MatrixSide::kA);
    QCOMPARE(spy.count(), 3);
    view.setMatrix(causalRamp(4));
    QTest::keyClick(&view, Qt::Key_D);
    QCOMPARE(view.side(), MatrixSide::kA);
}

void TestPlotMatrix::hostileMatrices_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("value");
    QTest::newRow("empty") << 0 << 0 << 0.0;
    QTest::newRow("one cell") << 1 << 1 << 0.5;
    QTest::newRow("constant") << 8 << 8 << 0.5;
    QTest::newRow("all zero") << 8 << 8 << 0.0;
    QTest::newRow("all NaN") << 8 << 8 << kNan;
    QTest::newRow("all masked") << 8 << 8 << -kInfinity;
    QTest::newRow("all infinite") << 8 << 8 << kInfinity;
    QTest::newRow("1e308") << 8 << 8 << 1e308;
    QTest::newRow("denormal") << 8 << 8 << 5e-324;
    QTest::newRow("negative") << 8 << 8 << -3.0;
    QTest::newRow("one row") << 1 << 500 << 0.1;
    QTest::newRow("one column") << 500 << 1 << 0.1;
}

void TestPlotMatrix::hostileMatrices() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(double, value);
    const std::vector<double> values(static_cast<std::size_t>(rows * columns), value);
    const MatrixData matrix = MatrixData::of(rows, columns, values);
    for (const char* map : {"depth", "tide"}) {
        for (const ScaleKind scale : {ScaleKind::kLinear, ScaleKind::kLog, ScaleKind::kRank}) {
            HeatmapView view;
            view.resize(320, 260);
            MatrixLook look;
            look.map = QLatin1String(map);
            look.scale = scale;
            view.setLook(look);
            view.setEmptyText(QStringLiteral("No text."));
            view.setMatrix(matrix);
            view.show();
            QTest::keyClick(&view, Qt::Key_Return);
            QTest::keyClick(&view, Qt::Key_Plus);
            QVERIFY(!view.grab().isNull());
            QVERIFY(view.range().second >= view.range().first);
            QAbstractItemModelTester tester(view.table());
            HeatmapGrid grid;
            grid.resize(320, 200);
            GridOptions options;
            options.look = look;
            grid.setCells(
                {GridCell{matrix, {}, {}, {}, 0, 0, {}}, GridCell{matrix, QStringLiteral("head 2"), {}, 3.0, 0, 1, {}}},
                options);
            QVERIFY(!grid.grab().isNull());
        }
    }
}

void TestPlotMatrix::gridSharesOneScale() {
    const MatrixStatistics all =
        HeatmapGrid::shared({GridCell{MatrixData::of(1, 2, {0.1, 0.2}), {}, {}, {}, 0, 0, {}},
                             GridCell{MatrixData::of(1, 2, {-4.0, -kInfinity}), {}, {}, {}, 0, 1, {}}},
                            0.0);
    QCOMPARE(all.smallest, -4.0);
    QCOMPARE(all.largest, 0.2);
    QCOMPARE(all.masked, 1);
    QCOMPARE(all.shown, 3);
}

void TestPlotMatrix::gridByKeyboard() {
    HeatmapGrid grid;
    grid.resize(400, 200);
    GridOptions options;
    options.columns = 4;
    std::vector<GridCell> cells(8);
    for (int i = 0; i < 8; ++i) {
        cells[static_cast<std::size_t>(i)].matrix = causalRamp(16);
        cells[static_cast<std::size_t>(i)].layer = i / 4;
        cells[static_cast<std::size_t>(i)].head = i % 4;
        cells[static_cast<std::size_t>(i)].spoken = QStringLiteral("mean distance %1").arg(i);
    }
    grid.setCells(cells, options);
    grid.show();
    QSignalSpy spy(&grid, &HeatmapGrid::chosenChanged);
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Down);
    QCOMPARE(grid.chosen(), 5);
    QVERIFY(grid.accessibleDescription().contains(QStringLiteral("layer 2, head 2, mean distance 5")));
    QTest::keyClick(&grid, Qt::Key_Down);
    QCOMPARE(grid.chosen(), 5);
    QTest::keyClick(&grid, Qt::Key_End);
    QCOMPARE(grid.chosen(), 7);
    QVERIFY(spy.count() >= 3);
}

void TestPlotMatrix::tableLeavesMaskedEmpty() {
    HeatmapView view;
    view.setMatrix(causalRamp(3));
    MatrixTableModel* table = view.table();
    QCOMPARE(table->rowCount(), 3);
    QVERIFY(!table->data(table->index(0, 1), Qt::UserRole).isValid());
    QCOMPARE(table->data(table->index(2, 1), Qt::UserRole).toDouble(), 1.0 / 3.0);
}

void TestPlotMatrix::largeMatrixIsQuick() {
    constexpr std::int64_t kSize = 4096;
    auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(kSize * kSize), 0.25F);
    MatrixData matrix(kSize, kSize, std::shared_ptr<const std::vector<float>>(values));
    matrix.setCausal();
    HeatmapView view;
    view.resize(800, 800);
    QElapsedTimer timer;
    timer.start();
    view.setMatrix(matrix);
    QVERIFY(!view.grab().isNull());
    const qint64 first = timer.restart();
    view.zoom(4.0);
    QVERIFY(!view.grab().isNull());
    const qint64 zoomed = timer.elapsed();
    qInfo("4096 x 4096: first %lld ms, zoom %lld ms", first, zoomed);
    QVERIFY2(first < 3000, "ten times the limit of 300 ms");
}

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    TestPlotMatrix test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_plot_matrix.moc"
