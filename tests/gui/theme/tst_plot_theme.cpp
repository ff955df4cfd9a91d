// The look as numbers: contrast ratios of the design's section 10, colour maps whose lightness is monotone, icons that
// take a token's colour, one palette for all.
#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "widgets/theme/color_vision.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

double lightness(QRgb color) {  // CIE L*, D65
    const auto linear = [](int v) {
        const double c = v / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
    return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

}  // namespace

class TestPlotTheme : public QObject {
    Q_OBJECT

  private slots:
    void contrastMatchesTheDesign_data();
    void contrastMatchesTheDesign();
    void depthIsMonotoneInLightness();
    void tideIsCentredOnTheGround();
    void seriesStayDistinctPastEight();
    void orderedStartsStrong();
    void highContrast();
    void controllerAppliesAndSignals();
    void everyIconPaintsInItsColour();
    void hatchTileIsSeamless();
    void coloursStayApartAsMeasured();
    void differencesMatchThePaper();
};

void TestPlotTheme::contrastMatchesTheDesign_data() {
    QTest::addColumn<QColor>("ink");
    QTest::addColumn<QColor>("ground");
    QTest::addColumn<double>("expected");
    const Theme l = Theme::light();
    const Theme d = Theme::darkTheme();
    QTest::newRow("text on window, light") << l.text << l.window << 13.7;
    QTest::newRow("text on window, dark") << d.text << d.window << 14.9;
    QTest::newRow("text2 on plot, light") << l.text2 << l.plot << 7.7;
    QTest::newRow("text2 on plot, dark") << d.text2 << d.plot << 8.9;
    QTest::newRow("index on plot, light") << l.index << l.plot << 7.1;
    QTest::newRow("index on plot, dark") << d.index << d.plot << 9.3;
    QTest::newRow("err on its tint, light") << l.err << l.errBg << 5.5;
    QTest::newRow("err on its tint, dark") << d.err << d.errBg << 5.7;
    QTest::newRow("edge on field, light") << l.edge << l.field << 3.7;
    QTest::newRow("edge on field, dark") << d.edge << d.field << 4.2;
    const double light[] = {6.3, 5.2, 4.0, 7.5, 4.7, 3.3, 3.5, 11.1};
    const double dark[] = {5.8, 7.1, 10.8, 9.9, 14.4, 5.7, 12.0, 4.6};
    for (int slot = 0; slot < kSeriesCount; ++slot) {
        QTest::addRow("slot %d, light", slot) << l.series(slot).color << l.plot << light[slot];
        QTest::addRow("slot %d, dark", slot) << d.series(slot).color << d.plot << dark[slot];
    }
}

void TestPlotTheme::contrastMatchesTheDesign() {
    QFETCH(QColor, ink);
    QFETCH(QColor, ground);
    QFETCH(double, expected);
    const double measured = contrastRatio(ink, ground);
    QVERIFY2(std::abs(measured - expected) < 0.11, qPrintable(QString::number(measured)));
}

void TestPlotTheme::depthIsMonotoneInLightness() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        const auto& table = theme.depth.table();
        for (std::size_t i = 1; i < table.size(); ++i) {
            const double step = lightness(table[i]) - lightness(table[i - 1]);
            QVERIFY(theme.dark() ? step > -0.2 : step < 0.2);  // 8-bit rounding may repeat a step
        }
    }
    QVERIFY(std::abs(lightness(Theme::light().depth.at(0)) - 97) < 1);
    QVERIFY(std::abs(lightness(Theme::light().depth.at(1)) - 14) < 1);
    QVERIFY(std::abs(lightness(Theme::darkTheme().depth.at(0.2)) - 25) < 1);
    QVERIFY(std::abs(lightness(Theme::darkTheme().depth.at(1)) - 96) < 1);
}

void TestPlotTheme::tideIsCentredOnTheGround() {
    QCOMPARE(Theme::light().tide.at(0.5), QRgb(0xFFF3F4F4));
    QCOMPARE(Theme::darkTheme().tide.at(0.5), QRgb(0xFF1A2128));
    QCOMPARE(Theme::light().tide.at(-3.0), QRgb(0xFF0E4068));
    QCOMPARE(Theme::light().tide.at(2.0), QRgb(0xFF6E3B03));
    QCOMPARE(Theme::light().tide.at(std::nan("")), QRgb(0xFF0E4068));
}

void TestPlotTheme::seriesStayDistinctPastEight() {
    const Theme t = Theme::light();
    QCOMPARE(t.series(9).color, t.series(1).color);
    QVERIFY(t.series(9).dash != t.series(1).dash);
    QVERIFY(t.series(17).dash != t.series(9).dash);
    QCOMPARE(t.series(0).width, 2.0);
    QVERIFY(t.series(0).dash.isEmpty());
    // QPen counts dashes in pen widths: 7 px at width 1.5.
    QCOMPARE(t.series(1).pen().dashPattern().first() * 1.5, 7.0);
}

void TestPlotTheme::orderedStartsStrong() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme()}) {
        QCOMPARE(t.ordered(0, 8).rgb(), t.depth.at(1.0));
        QCOMPARE(t.ordered(7, 8).rgb(), t.orderedLow.rgb());
        for (int head = 0; head < 8; ++head)
            QVERIFY(contrastRatio(t.ordered(head, 8), t.plot) > 2.95);
        QCOMPARE(t.ordered(0, 1).rgb(), t.depth.at(1.0));
    }
}

void TestPlotTheme::highContrast() {
    const Theme t = Theme::make(ThemeMode::kLight, Contrast::kHigh);
    QCOMPARE(t.text2, t.text);
    QCOMPARE(t.edge, t.text);
    QCOMPARE(t.hatchPitch, 6);
    QCOMPARE(t.series(1).width, 2.0);
}

void TestPlotTheme::controllerAppliesAndSignals() {
    ThemeController controller(*qApp);
    QSignalSpy spy(&controller, &ThemeController::themeChanged);
    QPushButton button(QStringLiteral("Queue"));
    controller.setChoice(ThemeChoice::kDark);
    QCOMPARE(spy.count(), 1);
    QVERIFY(theme().dark());
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::darkTheme().window);
    QCOMPARE(QApplication::palette().color(QPalette::Disabled, QPalette::Text), Theme::darkTheme().text3);
    QCOMPARE(QApplication::font().pointSizeF(), 9.5);
    controller.setContrast(Contrast::kHigh);
    QCOMPARE(theme().text2, theme().text);
    controller.setChoice(ThemeChoice::kLight);
    QVERIFY(!theme().dark());
    QCOMPARE(spy.count(), 3);
    QVERIFY(!qApp->styleSheet().contains(QLatin1Char('{') + QStringLiteral("text")));
    QCOMPARE(ThemeController::current(), &controller);
}

void TestPlotTheme::everyIconPaintsInItsColour() {
    const QStringList names = iconNames();
    QVERIFY(names.size() > 40);
    for (const QString& name : names) {
        const QImage image = iconPixmap(name, QColor(0, 200, 0), 16, 2.0).toImage();
        QVERIFY2(!image.isNull(), qPrintable(name));
        int painted = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QRgb pixel = image.pixel(x, y);
                if (qAlpha(pixel) < 200) continue;
                ++painted;
                QVERIFY2(qGreen(pixel) > 150 && qRed(pixel) < 40, qPrintable(name));
            }
        }
        QVERIFY2(painted >= 6, qPrintable(name));
    }
    QVERIFY(iconPixmap(QStringLiteral("no-such-icon"), Qt::black, 16, 1.0).isNull());
    QVERIFY(!applicationIcon().isNull());
}

void TestPlotTheme::hatchTileIsSeamless() {
    const QImage tile = Theme::light().hatchBrush(1.0).textureImage();
    QCOMPARE(tile.size(), QSize(8, 8));
    // A 45 degree line repeats: shifting by one pixel in x and in y gives the same tile.
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            QVERIFY(std::abs(qGray(tile.pixel(x, y)) - qGray(tile.pixel((x + 1) % 8, (y + 7) % 8))) <= 2);
}

void TestPlotTheme::coloursStayApartAsMeasured() {
    const std::vector<int> five{0, 1, 2, 3, 4};
    const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
    const struct {
        Theme theme;
        const std::vector<int>& used;
        Vision vision;
        double expected;
    } rows[] = {{Theme::light(), five, Vision::kNormal, 17.7},     {Theme::light(), five, Vision::kProtan, 12.0},
                {Theme::light(), five, Vision::kDeutan, 11.3},     {Theme::light(), all, Vision::kDeutan, 7.6},
                {Theme::darkTheme(), five, Vision::kNormal, 21.6}, {Theme::darkTheme(), five, Vision::kProtan, 12.3},
                {Theme::darkTheme(), five, Vision::kDeutan, 12.5}, {Theme::darkTheme(), all, Vision::kNormal, 14.1},
                {Theme::darkTheme(), all, Vision::kProtan, 10.2},  {Theme::darkTheme(), all, Vision::kDeutan, 9.1}};
    for (const auto& row : rows) {
        const double measured = smallestDifference(row.theme, row.used, row.vision);
        QVERIFY2(std::abs(measured - row.expected) < 0.4,
                 qPrintable(QStringLiteral("%1 instead of %2").arg(measured).arg(row.expected)));
    }
    QVERIFY(checkFigure(Theme::light(), all, 8.0).colourBlind);
    QVERIFY(!checkFigure(Theme::light(), all, 6.0).textLarge);
    QVERIFY(checkFigure(Theme::light(), all, 8.0).grey);  // dashes carry what grey print loses
    QVERIFY(!checkFigure(Theme::light(), {1, 1}, 8.0).grey);
}

void TestPlotTheme::differencesMatchThePaper() {
    QCOMPARE(colorDifference(Qt::black, Qt::black), 0.0);
    QVERIFY(std::abs(colorDifference(Qt::black, Qt::white) - 100.0) < 0.01);
    const QColor grey = simulated(QColor(200, 40, 90), Vision::kGrey);
    QVERIFY(grey.red() == grey.green() && grey.green() == grey.blue());
}

QTEST_MAIN(TestPlotTheme)
#include "tst_plot_theme.moc"
