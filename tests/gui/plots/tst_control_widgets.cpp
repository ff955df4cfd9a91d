// The small controls by mouse and keyboard; every focusable one has a name to speak.
#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "widgets/controls/card.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/icon_button.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/step_bar.h"
#include "widgets/controls/step_groove.h"
#include "widgets/controls/token_strip.h"

using namespace sextant;

class TestControlWidgets : public QObject {
    Q_OBJECT

  private slots:
    void segmentsChooseOne();
    void stepBarGoesFromSnapshotToSnapshot();
    void stepBarFollowsLive();
    void tokensAreByteExact_data();
    void tokensAreByteExact();
    void tokenStripLocksAndCompares();
    void inlineBarSpeaksAndActs();
    void wheelChoosesPairs();
    void numbersForPeople_data();
    void numbersForPeople();
    void everyFocusableWidgetIsNamed();
};

void TestControlWidgets::segmentsChooseOne() {
    Segments segments({QStringLiteral("linear"), QStringLiteral("log"), QStringLiteral("symlog")});
    segments.show();
    QSignalSpy spy(&segments, &Segments::currentChanged);
    QCOMPARE(segments.currentIndex(), 0);
    segments.setCurrentIndex(2);
    QCOMPARE(spy.count(), 0);
    QCOMPARE(segments.currentText(), QStringLiteral("symlog"));
    const auto buttons = segments.findChildren<QAbstractButton*>();
    QCOMPARE(buttons.size(), 3);
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(segments.currentIndex(), 1);
    QTest::keyClick(buttons[1], Qt::Key_Right);
    QCOMPARE(segments.currentIndex(), 2);
    segments.setSegmentEnabled(0, false, QStringLiteral("Needs two runs."));
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QCOMPARE(segments.currentIndex(), 2);
}

void TestControlWidgets::stepBarGoesFromSnapshotToSnapshot() {
    StepBar bar;
    bar.resize(900, 40);
    bar.show();
    bar.setSteps(1500, 930, {0, 100, 200, 300, 400, 500, 600, 700, 800, 900});
    QSignalSpy spy(&bar, &StepBar::stepChanged);
    bar.last();
    QCOMPARE(bar.step(), 930);
    bar.previous();
    QCOMPARE(bar.step(), 900);
    QTest::keyClick(&bar, Qt::Key_Comma);
    QCOMPARE(bar.step(), 800);
    QTest::keyClick(&bar, Qt::Key_Period);
    bar.next();
    QCOMPARE(bar.step(), 930);
    bar.setStep(99999);  // not recorded yet
    QCOMPARE(bar.step(), 930);
    bar.first();
    QCOMPARE(bar.step(), 0);
    QVERIFY(spy.count() >= 6);
    auto* groove = bar.findChild<StepGroove*>();
    QVERIFY(groove != nullptr);
    QTest::mouseClick(groove, Qt::LeftButton, {}, QPoint(groove->width() / 2, groove->height() / 2));
    QVERIFY(std::abs(bar.step() - 750) < 20);
    QVERIFY(groove->accessibleDescription().contains(QStringLiteral("1,500")));
    bar.setSteps(0, 0, {});
    QVERIFY(!bar.isEnabled());
}

void TestControlWidgets::stepBarFollowsLive() {
    StepBar bar;
    bar.setSteps(1000, 10, {0});
    QSignalSpy spy(&bar, &StepBar::followLiveChanged);
    bar.setFollowLive(true);
    bar.setSteps(1000, 60, {0, 50});
    QCOMPARE(bar.step(), 60);
    bar.setStep(20);  // looking back stops following
    QVERIFY(!bar.followsLive());
    bar.setSteps(1000, 80, {0, 50});
    QCOMPARE(bar.step(), 20);
    QCOMPARE(spy.count(), 2);
    bar.setPlaying(true);
    QVERIFY(bar.playing());
    QTRY_COMPARE_WITH_TIMEOUT(bar.step(), 80, 3000);
    QTRY_VERIFY(!bar.playing());
}

void TestControlWidgets::tokensAreByteExact_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("space") << QByteArray(" the") << QStringLiteral("\u2423the");
    QTest::newRow("line end") << QByteArray("\n") << QStringLiteral("\u23CE");
    QTest::newRow("half a character") << QByteArray("\xE4\xBD") << QStringLiteral("<0xE4><0xBD>");
    QTest::newRow("Chinese") << QByteArray("\xE4\xBD\x8D") << QStringLiteral("位");
    QTest::newRow("emoji") << QByteArray("\xF0\x9F\x99\x82") << QStringLiteral("🙂");
    QTest::newRow("stray continuation") << QByteArray("a\x80") << QStringLiteral("a<0x80>");
    QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QStringLiteral("<0xC0><0xAF>");
    QTest::newRow("zero") << QByteArray("\0", 1) << QStringLiteral("<U+0000>");
    QTest::newRow("Hebrew is isolated") << QByteArray("\xD7\xA9") << QStringLiteral("\u2068ש\u2069");
    QTest::newRow("empty") << QByteArray() << QString();
}

void TestControlWidgets::tokensAreByteExact() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(displayToken(bytes), shown);
}

void TestControlWidgets::tokenStripLocksAndCompares() {
    TokenStrip strip;
    strip.resize(400, 120);
    strip.setTokens({QStringLiteral("Once"), QStringLiteral("\u2423upon"), QStringLiteral("\u2423a")});
    strip.setWeights({0.1, 0.7, 0.2}, QStringLiteral("depth"), ValueScale(ScaleKind::kLinear, 0, 1));
    strip.show();
    QSignalSpy locked(&strip, &TokenStrip::tokenLocked);
    QSignalSpy compared(&strip, &TokenStrip::tokenCompared);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(20, 14));
    QCOMPARE(locked.count(), 1);
    QCOMPARE(strip.query(), 0);
    QTest::mouseClick(&strip, Qt::LeftButton, Qt::ShiftModifier, QPoint(20, 14));
    QCOMPARE(compared.count(), 1);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.query(), 1);
    QVERIFY(strip.accessibleDescription().contains(QStringLiteral("0.7")));
    QTest::keyClick(&strip, Qt::Key_End);
    QCOMPARE(strip.query(), 2);
    QVERIFY(strip.heightForWidth(60) > strip.heightForWidth(600));
    strip.setTokens({});
    QTest::keyClick(&strip, Qt::Key_Right);
    QVERIFY(!strip.grab().isNull());
}

void TestControlWidgets::inlineBarSpeaksAndActs() {
    InlineBar bar;
    QVERIFY(!bar.isVisible());
    bar.show(BarKind::kError, QStringLiteral("<b>46</b> is not the training length."),
             QStringLiteral("yarn stretches from 64."), QStringLiteral("Set to 64"));
    QVERIFY(bar.isVisible());
    QVERIFY(bar.accessibleName().startsWith(QStringLiteral("<b>46</b>")));  // as written, never as markup
    QSignalSpy spy(&bar, &InlineBar::actionTriggered);
    QTest::mouseClick(bar.findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(spy.count(), 1);
}

void TestControlWidgets::wheelChoosesPairs() {
    PhaseWheel wheel;
    wheel.resize(260, 260);
    wheel.setAngles({48.0, 4.8, 0.48, std::nan("")}, 48);
    wheel.show();
    QSignalSpy spy(&wheel, &PhaseWheel::pairSelected);
    QTest::keyClick(&wheel, Qt::Key_Down);
    QTest::keyClick(&wheel, Qt::Key_Down);
    QCOMPARE(wheel.selected(), 1);
    QVERIFY(wheel.accessibleDescription().contains(QStringLiteral("0.7639")));  // 4.8 / 2 pi turns
    for (int i = 0; i < 9; ++i)
        QTest::keyClick(&wheel, Qt::Key_Down);
    QCOMPARE(wheel.selected(), 3);
    QVERIFY(!wheel.grab().isNull());
    wheel.setAngles({}, 0);
    QCOMPARE(wheel.selected(), -1);
    QVERIFY(!wheel.grab().isNull());
}

void TestControlWidgets::numbersForPeople_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0");
    QTest::newRow("true minus") << -1.5 << QStringLiteral("\u22121.5");
    QTest::newRow("four digits") << 3.14159 << QStringLiteral("3.142");
    QTest::newRow("whole") << 512.0 << QStringLiteral("512");
    QTest::newRow("NaN") << std::nan("") << QStringLiteral("NaN");
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << QStringLiteral("\u2212inf");
    QTest::newRow("small") << 0.0529 << QStringLiteral("0.0529");
}

void TestControlWidgets::numbersForPeople() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(displayNumber(value), text);
    QCOMPARE(compactNumber(3.072e6), QStringLiteral("3.07 M"));
    QCOMPARE(compactNumber(17400), QStringLiteral("17.4 k"));
    QCOMPARE(groupedNumber(139584), QStringLiteral("139,584"));
}

void TestControlWidgets::everyFocusableWidgetIsNamed() {
    QWidget page;
    new Segments({QStringLiteral("a"), QStringLiteral("b")}, &page);
    new StepBar(&page);
    new TokenStrip(&page);
    new PhaseWheel(&page);
    new IconButton(QStringLiteral("pin"), QStringLiteral("Pin"), &page);
    auto* bar = new InlineBar(&page);
    bar->setClosable(true);
    bar->show(BarKind::kInfo, QStringLiteral("A fact."), {}, QStringLiteral("Mend"));
    for (const QWidget* widget : page.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                           widget->inherits("QLabel");
        QVERIFY2(named, widget->metaObject()->className());
    }
}

QTEST_MAIN(TestControlWidgets)
#include "tst_control_widgets.moc"
