// What one does in the Train workspace, with the mouse and with keys, on recorded logs: the run list, the curves, logs
// of other programs beside a project, undo, workspaces. Values are asserted from what the test wrote.

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>
#include <cmath>

#include "core/base/file_lock.h"
#include "core/results/tensorboard_events.h"
#include "core/run/queue_order.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/commands.h"
#include "widgets/controls/segments.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/docks/run_inspector.h"
#include "widgets/docks/runs_dock.h"
#include "widgets/forms/arm_table.h"
#include "widgets/main_window.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/curves_page.h"
#include "widgets/pages/start_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

class TestWindowActions : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void filterByKeyboard();
    void sortByMouse();
    void hideKeepTrashAndUndo();
    void tagsAndNotesAreUndone();
    void duplicateOpensTheEditor();
    void pauseResumeAndCheckpointByKeys();
    void stopAsksFirst();
    void aFailureNamesItsReason();
    void aVariantShowsItsSeeds();
    void queueKeepsItsOrder();
    void quantitiesByKeyboard();
    void axesByMouse();
    void seedsBandAndSmoothing();
    void hoverIsTheReadOut();
    void zoomMovesAllPlotsAndIsUndone();
    void pinsMarkAStep();
    void outliersLeaveTheRangeOnly();
    void divergedRunsAreMarked();
    void tensorboardBesideAProject();
    void csvAloneAndByDrop();
    void anotherProjectBesideThis();
    void importedRunsCannotBeTrashed();
    void workspacesKeepTheirDocks();
    void layoutsOfAnotherVersionAreLeftAlone();
    void everythingFitsAtSmallSizes_data();
    void everythingFitsAtSmallSizes();

  private:
    void open(const test::RecordedProject& project);
    CurvesPage* curves() const { return static_cast<CurvesPage*>(window_->workspace()->page("curves")); }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* found = window_->findChild<Widget*>(QString::fromLatin1(name));
        if (found == nullptr) qFatal("no widget named %s", name);
        return found;
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window_.get(), key,
                        modifiers);
    }
    void choose(QComboBox* box, const QString& text) {
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && box->currentText() != text; ++i)
            QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->currentText(), text);
    }
    void click(Segments* segments, int index) {
        const auto buttons = segments->findChildren<QAbstractButton*>();
        QTest::mouseClick(buttons[index], Qt::LeftButton);
    }
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<ThemeController> themes_;
};

namespace {

double lossOf(std::int64_t step, bool variant, std::size_t seed) {
    return 6.0 - 0.02 * static_cast<double>(step) + (variant ? 0.2 : 0.0) + 0.01 * static_cast<double>(seed);
}

test::RecordedProject recorded(const std::vector<std::int64_t>& seeds, bool finish = true) {
    test::RecordedProject project({"rope", "alibi"}, seeds);
    for (std::size_t run = 0; run < project.plans().size(); ++run) {
        const bool variant = run >= seeds.size();
        const std::size_t seed = run % seeds.size();
        project.train(run, 100, [&](std::int64_t step) { return lossOf(step, variant, seed); });
        if (finish) project.finish(run, 3.0, 3.5);
    }
    return project;
}

void write(const QString& file, const std::string& bytes) {
    QDir().mkpath(QFileInfo(file).path());
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file));
    out.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

QString settingsFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/sextant/sextant.conf";
}

}  // namespace

void TestWindowActions::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    themes_ = std::make_unique<ThemeController>(*qApp);
    themes_->setChoice(ThemeChoice::kLight);
}

void TestWindowActions::init() {
    QFile::remove(settingsFile());
    session_ = std::make_unique<Session>();
    window_ = std::make_unique<MainWindow>(*session_);
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->activateWindow();
}

void TestWindowActions::cleanup() {
    window_.reset();
    session_.reset();
}

void TestWindowActions::open(const test::RecordedProject& project) {
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr && session_->snapshot()->runs.size() == project.plans().size());
    QTRY_VERIFY(!curves()->mainPlot()->series().empty());
}

void TestWindowActions::filterByKeyboard() {
    const test::RecordedProject project = recorded({0, 1, 2});
    open(project);
    QTreeView* tree = window_->runs()->tree();
    QTRY_COMPARE(tree->model()->rowCount(), 2);
    key(Qt::Key_F, Qt::ControlModifier);
    auto* search = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(search != nullptr);
    QTest::keyClicks(search, "pe:alibi seed<2");
    QTRY_COMPARE(tree->model()->rowCount(), 1);
    QCOMPARE(tree->model()->rowCount(tree->model()->index(0, 0)), 2);
    search->selectAll();
    QTest::keyClick(search, Qt::Key_Delete);
    QTRY_COMPARE(tree->model()->rowCount(), 2);
}

void TestWindowActions::sortByMouse() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    QTreeView* tree = window_->runs()->tree();
    QTRY_COMPARE(tree->model()->rowCount(), 2);
    QCOMPARE(tree->model()->index(0, 0).data().toString(), QStringLiteral("rope"));
    // Seed 1 of an arm stands 0.01 above seed 0: by value it stays second; a baseline made worse goes down.
    QToolButton* sort = nullptr;
    for (QToolButton* button : window_->runs()->findChildren<QToolButton*>())
        if (button->isCheckable()) sort = button;
    QVERIFY(sort != nullptr);
    QTest::mouseClick(sort, Qt::LeftButton);
    double before = -1e9;
    for (int row = 0; row < 2; ++row) {
        const double value = tree->model()->index(row, 0).data(RunModel::kValueRole).toDouble();
        QVERIFY(value > before);
        before = value;
    }
}

void TestWindowActions::hideKeepTrashAndUndo() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    QTreeView* tree = window_->runs()->tree();
    QTRY_COMPARE(tree->model()->rowCount(), 2);
    const QModelIndex alibi = tree->model()->index(1, 0);
    tree->expandAll();
    // The box at the left of a row hides its run.
    const QModelIndex first = tree->model()->index(0, 0, alibi);
    const QString kept = first.data(RunModel::kFolderRole).toString();
    const QRect cell = tree->visualRect(first);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 7, cell.center().y()));
    QTRY_COMPARE(session_->selection().hidden(), QSet<QString>{kept});
    // What is drawn can be taken back, and done again.
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(session_->selection().hidden().isEmpty());
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(session_->selection().hidden(), QSet<QString>{kept});
    key(Qt::Key_Z, Qt::ControlModifier);
    // Kept: it stays when its whole arm goes to the trash.
    const auto clickRow = [tree](const QModelIndex& row) {
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(row).center());
    };
    clickRow(first);
    QCOMPARE(window_->runs()->chosenFolders(), QStringList{kept});
    window_->commands().action("run.keep")->trigger();
    QVERIFY(session_->notes().keep(kept));
    clickRow(tree->model()->index(1, 0));
    QTest::keyClick(tree, Qt::Key_Delete);
    QTRY_COMPARE(session_->snapshot()->runs.size(), std::size_t{3});
    QVERIFY(QFileInfo::exists(project.path() + "/runs/" + kept));
    QCOMPARE(session_->notes().trashed().size(), 1);
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(session_->snapshot()->runs.size(), std::size_t{4});
    QVERIFY(session_->notes().trashed().isEmpty());
    // The baseline is a role, and its change a step of its own.
    clickRow(tree->model()->index(1, 0));
    QTest::keyClick(tree, Qt::Key_B);
    QTRY_COMPARE(session_->baseline(), QStringLiteral("alibi"));
    QTRY_COMPARE(curves()->values()->rows()[1].cells[3], QStringLiteral("baseline"));
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(session_->baseline(), QStringLiteral("rope"));
}

void TestWindowActions::tagsAndNotesAreUndone() {
    const test::RecordedProject project = recorded({0});
    open(project);
    const QString folder = QString::fromStdString(project.plans()[1].folder);
    session_->selection().selectRun("alibi", folder);
    auto* inspector = window_->findChild<RunInspector*>();
    auto* tags = inspector->findChild<QLineEdit*>();
    auto* note = inspector->findChild<QPlainTextEdit*>();
    QTRY_VERIFY(tags->isVisible() && note->isVisible());
    tags->setFocus();
    QTest::keyClicks(tags, "recipe A, l64");
    QTest::keyClick(tags, Qt::Key_Return);
    QCOMPARE(session_->notes().tags(folder), (QStringList{"recipe A", "l64"}));
    note->setFocus();
    QTest::keyClicks(note, "restarted once");
    QTRY_COMPARE(session_->notes().note(folder), QStringLiteral("restarted once"));
    QTRY_COMPARE(window_->runs()->model()->indexOf("alibi", folder).data(RunModel::kTagsRole).toStringList().size(), 2);
    window_->commands().action("edit.undo")->trigger();
    QTRY_VERIFY(session_->notes().note(folder).isEmpty());
    window_->commands().action("edit.undo")->trigger();
    QTRY_VERIFY(session_->notes().tags(folder).isEmpty());
    window_->commands().action("edit.redo")->trigger();
    QTRY_COMPARE(session_->notes().tags(folder).size(), 2);
}

void TestWindowActions::duplicateOpensTheEditor() {
    const test::RecordedProject project = recorded({0});
    open(project);
    session_->selection().selectArm("alibi");
    const int before = session_->experiment().armCount();
    key(Qt::Key_D, Qt::ControlModifier);
    QTRY_COMPARE(session_->experiment().armCount(), before + 1);
    QCOMPARE(session_->experiment().value({"encoding", "/id", FieldKind::kText, FieldScope::kArm, {}, {}}, before),
             QStringLiteral("alibi"));
}

void TestWindowActions::pauseResumeAndCheckpointByKeys() {
    const test::RecordedProject project = recorded({0}, false);
    auto lock = FileLock::acquire(project.directory(1).lock_file());
    QVERIFY(lock.ok());
    open(project);
    QTRY_VERIFY(session_->training());
    const QString control = QString::fromStdString(project.directory(1).control_file());
    const auto commands = [&] {
        QFile file(control);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(commands().contains("\"pause\""));
    window_->commands().action("run.checkpoint")->trigger();
    QTRY_VERIFY(commands().contains("\"checkpoint\""));
    // The worker obeys: the same key resumes.
    EventLogWriter log = project.writer(1);
    test::RecordedProject::record(log, 100, PausedEvent{});
    QTRY_COMPARE(session_->snapshot()->runs[1].status(), RunStatus::kPaused);
    QTRY_COMPARE(find<QToolButton>("tool.run.pause")->text(), QStringLiteral("Resume"));
    QTest::mouseClick(find<QToolButton>("tool.run.pause"), Qt::LeftButton);
    QTRY_VERIFY(commands().contains("\"resume\""));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(project.directory(0).control_file())));
}

void TestWindowActions::stopAsksFirst() {
    const test::RecordedProject project = recorded({0}, false);
    auto lock = FileLock::acquire(project.directory(1).lock_file());
    QVERIFY(lock.ok());
    open(project);
    QTRY_VERIFY(session_->training());
    const QString control = QString::fromStdString(project.directory(1).control_file());
    const auto answer = [&](bool stop, bool byKey) {
        bool asked = false;
        QTimer poll;
        poll.setInterval(20);
        connect(&poll, &QTimer::timeout, this, [stop, &poll, &asked] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (dialog == nullptr) return;
            poll.stop();
            asked = true;
            auto* button = dialog->findChild<QPushButton*>("confirmStop");
            QVERIFY(button != nullptr);
            if (stop)
                QTest::mouseClick(button, Qt::LeftButton);
            else
                QTest::keyClick(dialog, Qt::Key_Escape);
        });
        poll.start();
        window_->activateWindow();  // the closed question leaves no window active here
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        if (byKey)
            key(Qt::Key_Period, Qt::ControlModifier);
        else
            QTest::mouseClick(find<QToolButton>("tool.run.stop"), Qt::LeftButton);
        QVERIFY2(asked, byKey ? "Ctrl+. asks nothing" : "the button asks nothing");
    };
    answer(false, false);
    answer(false, true);
    QVERIFY(!QFileInfo::exists(control));
    answer(true, true);
    QTRY_VERIFY(QFileInfo::exists(control));
    QFile file(control);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"stop\""));
}

void TestWindowActions::aFailureNamesItsReason() {
    const test::RecordedProject project = recorded({0}, false);
    {
        EventLogWriter log = project.writer(1);
        test::RecordedProject::record(log, 100, FailedEvent{5, "the tokenizer has another vocabulary size"});
    }
    open(project);
    const QModelIndex at =
        window_->runs()->model()->indexOf("alibi", QString::fromStdString(project.plans()[1].folder));
    QVERIFY(at.data(RunModel::kDetailRole).toString().contains("vocabulary"));
    session_->selection().selectRun("alibi", QString::fromStdString(project.plans()[1].folder));
    bool said = false;
    for (const QLabel* label : window_->findChild<RunInspector*>()->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().contains("another vocabulary size"));
    QVERIFY(said);
}

// A variant has no state of its own: its numbers are its seeds', mean and range, and no dash stands for what is known.
void TestWindowActions::aVariantShowsItsSeeds() {
    const test::RecordedProject project = recorded({0, 1, 2});
    open(project);
    session_->selection().selectArm("alibi");
    QStringList texts;
    for (const QLabel* label : window_->findChild<RunInspector*>()->findChildren<QLabel*>())
        if (label->isVisible()) texts << label->text();
    const QString all = texts.join('\n');
    const QLocale locale;
    // The last validation: 6 - 2 + 0.2 + 0.1 = 4.3, 4.31, 4.32.
    QVERIFY2(all.contains(locale.toString(4.31, 'f', 3)), qPrintable(all));
    QVERIFY2(all.contains(locale.toString(4.30, 'f', 3) + " – " + locale.toString(4.32, 'f', 3)), qPrintable(all));
    QVERIFY2(all.contains(locale.toString(21000.0, 'f', 0)), qPrintable(all));
    QVERIFY2(all.contains("3 of 3 finished"), qPrintable(all));
    QVERIFY2(all.contains("encoding.id: rope"), qPrintable(all));
}

void TestWindowActions::queueKeepsItsOrder() {
    const test::RecordedProject project({"rope", "alibi"}, {0, 1});
    project.train(0, 10, [](std::int64_t) { return 5.0; });
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr && session_->snapshot()->runs.size() == 4);
    QStringList details;
    for (std::size_t run = 1; run < 4; ++run)
        details << window_->runs()
                       ->model()
                       ->indexOf(QString::fromStdString(project.plans()[run].arm),
                                 QString::fromStdString(project.plans()[run].folder))
                       .data(RunModel::kDetailRole)
                       .toString();
    QCOMPARE(details, (QStringList{"queued, no. 1", "queued, no. 2", "queued, no. 3"}));
    // The last one goes to the front by keys; the worker reads the same file.
    const QString last = QString::fromStdString(project.plans()[3].folder);
    QTreeView* tree = window_->runs()->tree();
    tree->setFocus();
    session_->selection().selectRun("alibi", last);
    QTRY_COMPARE(window_->runs()->chosenFolders(), QStringList{last});
    key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(window_->runs()->model()->waiting().front(), last);
    const auto order = read_queue_order({project.path().toStdString()});
    QCOMPARE(order.size(), std::size_t{3});
    QCOMPARE(order[0], project.plans()[3].folder);
    QCOMPARE(order[1], project.plans()[1].folder);
    key(Qt::Key_Z, Qt::ControlModifier);
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(window_->runs()->model()->waiting().back(), last);
}

void TestWindowActions::quantitiesByKeyboard() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    CurvePlot* plot = curves()->mainPlot();
    choose(find<QComboBox>("mainQuantity"), "training loss");
    QTRY_COMPARE(plot->series().front().x->size(), std::size_t{100});
    QVERIFY(std::abs(plot->series().front().y->at(49) - (lossOf(50, false, 0) + lossOf(50, false, 1)) / 2) < 1e-12);
    choose(find<QComboBox>("mainQuantity"), "both losses");
    QTRY_COMPARE(plot->series().size(), std::size_t{4});
    choose(find<QComboBox>("mainQuantity"), "learning rate");
    QTRY_COMPARE(plot->series().front().y->at(3), 1e-3);
    choose(find<QComboBox>("gradientQuantity"), "speed");
    QTRY_COMPARE(curves()->gradientPlot()->series().front().y->at(3), 20000.0);
    // Each is a step back.
    window_->commands().action("edit.undo")->trigger();
    QTRY_COMPARE(curves()->gradientPlot()->series().front().y->at(3), 0.5);
}

void TestWindowActions::axesByMouse() {
    const test::RecordedProject project = recorded({0});
    open(project);
    CurvePlot* plot = curves()->mainPlot();
    click(find<Segments>("xAxis"), 1);
    QTRY_COMPARE(plot->series().front().x->back(), 100.0 * 1024.0);  // what the log says
    click(find<Segments>("xAxis"), 2);
    QTRY_VERIFY(plot->series().front().x->back() < 1000.0);
    click(find<Segments>("xAxis"), 0);
    QTRY_COMPARE(plot->series().front().x->back(), 100.0);
    QCOMPARE(plot->yAxis().kind, AxisKind::kLog);
    click(find<Segments>("yAxis"), 2);
    QTRY_COMPARE(plot->yAxis().kind, AxisKind::kSymlog);
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_Y);
    QTRY_COMPARE(plot->yAxis().kind, AxisKind::kLog);
    QTest::keyClick(plot, Qt::Key_Y);
    QTRY_COMPARE(plot->yAxis().kind, AxisKind::kLinear);
}

void TestWindowActions::seedsBandAndSmoothing() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    CurvePlot* plot = curves()->mainPlot();
    choose(find<QComboBox>("seeds"), "each seed");
    QTRY_COMPARE(plot->series().size(), std::size_t{4});
    choose(find<QComboBox>("seeds"), "mean and band");
    choose(find<QComboBox>("band"), QStringLiteral("min – max"));
    QTRY_COMPARE(plot->series().size(), std::size_t{2});
    QVERIFY(std::abs(plot->series()[0].low->back() - 4.1) < 1e-12);
    QVERIFY(std::abs(plot->series()[0].high->back() - 4.11) < 1e-12);
    choose(find<QComboBox>("mainQuantity"), "training loss");
    QTRY_COMPARE(plot->series().front().halfLife, 10.0);
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(plot->series().front().halfLife, 20.0);
    QTest::keyClick(plot, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(plot, Qt::Key_Down, Qt::AltModifier);
    QTRY_COMPARE(plot->series().front().halfLife, 5.0);
    QTest::keyClick(plot, Qt::Key_S);
    QTRY_COMPARE(plot->series().front().halfLife, 0.0);
    QLineEdit* life = find<QLineEdit>("halfLife");
    QTest::keyClick(plot, Qt::Key_S);
    life->setFocus();
    life->selectAll();
    QTest::keyClicks(life, "33");
    QTest::keyClick(life, Qt::Key_Return);
    QTRY_COMPARE(plot->series().front().halfLife, 33.0);
}

void TestWindowActions::hoverIsTheReadOut() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    CurvePlot* plot = curves()->mainPlot();
    QWidget* surface = plot->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    QTRY_COMPARE(curves()->values()->rows().size(), std::size_t{2});
    const Range range = plot->xRange();
    // The middle of the plot is some step strictly inside; every variant is read there with its difference.
    const auto move = [&](const QPoint& at) {
        QMouseEvent event(QEvent::MouseMove, QPointF(at), surface->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton,
                          {});
        QApplication::sendEvent(surface, &event);
    };
    move(QPoint(surface->width() / 2, surface->height() / 2));
    QTRY_VERIFY(curves()->values()->rows()[0].cells[1] != QLocale().toString(4.105, 'f', 3));
    QCOMPARE(curves()->values()->rows()[1].cells[3], "+" + QLocale().toString(0.2, 'f', 3));
    const QString middle = curves()->values()->rows()[0].cells[1];
    bool good = false;
    const double value = QLocale().toDouble(middle, &good);
    QVERIFY(good);
    // Between the first (10) and the last (100) validation: 6 - 0.02 s + 0.1 + 0.005.
    const double step = (6.105 - value) / 0.02;
    QVERIFY2(step > range.first + 10 && step < range.second - 10, qPrintable(middle));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(surface, &leave);
    QTRY_COMPARE(curves()->values()->rows()[0].cells[1], QLocale().toString(4.105, 'f', 3));
    // A click makes the step stay, on the step bar too.
    QTest::mouseClick(surface, Qt::LeftButton, {}, QPoint(surface->width() / 2, surface->height() / 2));
    QTRY_VERIFY(session_->selection().step() > 20 && session_->selection().step() < 90);
    QTRY_COMPARE(curves()->values()->rows()[0].cells[1], middle);
}

void TestWindowActions::zoomMovesAllPlotsAndIsUndone() {
    const test::RecordedProject project = recorded({0});
    open(project);
    CurvePlot* plot = curves()->mainPlot();
    const Range before = plot->xRange();
    const QList<QWidget*> surfaces = {plot->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly)};
    QWidget* surface = surfaces.front();
    const int w = surface->width(), h = surface->height();
    QTest::mousePress(surface, Qt::LeftButton, {}, QPoint(w / 4, h / 4));
    QTest::mouseMove(surface, QPoint(w / 2, h / 2));
    QTest::mouseRelease(surface, Qt::LeftButton, {}, QPoint(w / 2, h / 2));
    const Range zoomed = plot->xRange();
    QVERIFY(zoomed.second - zoomed.first < 0.5 * (before.second - before.first));
    QTRY_COMPARE(curves()->trainPlot()->xRange().first, zoomed.first);
    QCOMPARE(curves()->gradientPlot()->xRange().second, zoomed.second);
    QTest::qWait(800);  // a later change is a step of its own
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_Plus);
    QVERIFY(plot->xRange().second - plot->xRange().first < zoomed.second - zoomed.first);
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(std::abs(plot->xRange().first - zoomed.first) < 1e-9);
    key(Qt::Key_Z, Qt::ControlModifier);
    plot->replotNow();
    QTRY_COMPARE(plot->xRange(), before);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(std::abs(plot->xRange().first - zoomed.first) < 1e-9);
    // Double click fits all three again.
    QTest::mouseDClick(surface, Qt::LeftButton, {}, QPoint(w / 2, h / 2));
    QTRY_COMPARE(plot->xRange(), before);
    QTRY_VERIFY(curves()->trainPlot()->viewState()[0].toBool());
    // Middle button pans.
    QTest::mousePress(surface, Qt::MiddleButton, {}, QPoint(w / 2, h / 2));
    QMouseEvent move(QEvent::MouseMove, QPointF(w / 2 + 60, h / 2), surface->mapToGlobal(QPointF(w / 2 + 60, h / 2)),
                     Qt::NoButton, Qt::MiddleButton, {});
    QApplication::sendEvent(surface, &move);
    QTest::mouseRelease(surface, Qt::MiddleButton, {}, QPoint(w / 2 + 60, h / 2));
    QVERIFY(plot->xRange().first < before.first);
    QTRY_COMPARE(curves()->trainPlot()->xRange().first, plot->xRange().first);
}

void TestWindowActions::pinsMarkAStep() {
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    session_->selection().setStep(40);
    CurvePlot* plot = curves()->mainPlot();
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_P);
    QTRY_COMPARE(curves()->pins(), std::vector<std::int64_t>{40});
    session_->selection().setStep(90);
    // Mean of the seeds at the pinned validation: 6 - 0.8 + 0.1 + 0.005.
    QTRY_COMPARE(curves()->values()->rows()[0].cells[6], QLocale().toString(5.305, 'f', 3));
    QTest::mouseClick(find<QToolButton>("pin"), Qt::LeftButton);
    QTRY_COMPARE(curves()->pins(), (std::vector<std::int64_t>{40, 90}));
    QTest::mouseClick(find<QToolButton>("pin"), Qt::LeftButton);  // again: taken away
    QTRY_COMPARE(curves()->pins(), std::vector<std::int64_t>{40});
    QTest::qWait(800);
    key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(curves()->pins() != std::vector<std::int64_t>{40} || curves()->pins().empty());
}

void TestWindowActions::outliersLeaveTheRangeOnly() {
    test::RecordedProject project({"rope"}, {0}, 1000);
    project.train(0, 1000,
                  [](std::int64_t step) { return step == 500 ? 900.0 : 5.0 - 0.001 * static_cast<double>(step); });
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr && !session_->snapshot()->runs.empty());
    choose(find<QComboBox>("mainQuantity"), "training loss");
    CurvePlot* plot = curves()->mainPlot();
    QTRY_COMPARE(plot->series().front().x->size(), std::size_t{1000});
    plot->replotNow();
    QVERIFY(plot->yRange().second > 890);
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_O);
    QTRY_VERIFY(!find<QPushButton>("outliers")->isChecked());
    plot->replotNow();
    QVERIFY2(plot->yRange().second < 10, qPrintable(QString::number(plot->yRange().second)));
    QCOMPARE(plot->series().front().y->at(499), 900.0);  // the point itself stays
    QTest::mouseClick(find<QPushButton>("outliers"), Qt::LeftButton);
    plot->replotNow();
    QTRY_VERIFY(plot->yRange().second > 890);
}

void TestWindowActions::divergedRunsAreMarked() {
    const test::RecordedProject project({"rope", "alibi"}, {0});
    project.train(0, 100, [](std::int64_t step) { return lossOf(step, false, 0); });
    project.finish(0, 3.0, 3.5);
    project.train(1, 60, [](std::int64_t step) {
        return step < 50 ? lossOf(step, true, 0) : std::numeric_limits<double>::quiet_NaN();
    });
    {
        EventLogWriter log = project.writer(1);
        DivergedEvent event;
        event.quantity = "loss";
        test::RecordedProject::record(log, 60, event);
    }
    open(project);
    const QModelIndex at =
        window_->runs()->model()->indexOf("alibi", QString::fromStdString(project.plans()[1].folder));
    QTRY_VERIFY(at.data(RunModel::kDetailRole).toString().contains("diverged"));
    QTRY_COMPARE(curves()->values()->rows().size(), std::size_t{2});
    session_->selection().setStep(60);
    QTRY_COMPARE(curves()->values()->rows()[1].cells[1], QStringLiteral("NaN"));
    QVERIFY(curves()->values()->rows()[1].wrong[1]);
}

void TestWindowActions::tensorboardBesideAProject() {
    QTemporaryDir logs;
    for (int seed = 0; seed < 2; ++seed) {
        TensorboardWriter writer(1.7e9);
        for (int step = 1; step <= 40; ++step) {
            writer.scalar(1.7e9 + step, step, "train/loss", 8.0 - 0.125 * step + seed);
            if (step % 10 == 0) writer.scalar(1.7e9 + step, step, "val/loss", 7.0 - 0.125 * step + seed);
            writer.scalar(1.7e9 + step, step, "custom/entropy", 0.25 * step);
        }
        write(QStringLiteral("%1/kerple-s%2/events.out.tfevents.17.x").arg(logs.path()).arg(seed), writer.bytes());
    }
    const test::RecordedProject project = recorded({0, 1});
    open(project);
    QVERIFY(window_->compareWith(logs.path()));
    const QString name = QFileInfo(logs.path()).fileName() + "/kerple";
    QTRY_COMPARE(session_->snapshot()->arms.size(), 3);
    QCOMPARE(session_->snapshot()->arms[2], name);
    CurvePlot* plot = curves()->mainPlot();
    QTRY_COMPARE(plot->series().size(), std::size_t{3});
    const CurveSeries& other = plot->series()[2];
    QCOMPARE(other.name, name);
    QCOMPARE(other.n, 2);
    QCOMPARE(other.x->back(), 40.0);
    QCOMPARE(other.y->back(), 7.0 - 5.0 + 0.5);  // exact in 32 bits
    session_->selection().setStep(40);
    QTRY_COMPARE(curves()->values()->rows().size(), std::size_t{3});
    // 2.5 against 6 - 0.8 + 0.1 + seeds.
    QTRY_COMPARE(curves()->values()->rows()[2].cells[1], QLocale().toString(2.5, 'f', 3));
    QVERIFY(curves()->values()->rows()[2].cells[3].startsWith(QStringLiteral("−")));
    // Every scalar can be drawn, named by its tag.
    choose(find<QComboBox>("mainQuantity"), "custom/entropy");
    QTRY_COMPARE(plot->series().size(), std::size_t{1});
    QCOMPARE(plot->series()[0].y->back(), 10.0);
    // Its own time, none of its own tokens: left out there, not placed at zero.
    choose(find<QComboBox>("mainQuantity"), "training loss");
    click(find<Segments>("xAxis"), 2);
    QTRY_COMPARE(plot->series().size(), std::size_t{3});
    QTRY_COMPARE(plot->series()[2].x->back(), 39.0);
    click(find<Segments>("xAxis"), 1);
    QTRY_COMPARE(plot->series().size(), std::size_t{2});
    // Stored with the project, undone by one key.
    QFile notes(project.path() + "/notes.json");
    QVERIFY(notes.open(QIODevice::ReadOnly));
    QVERIFY(notes.readAll().contains(logs.path().toUtf8()));
    session_->stopComparing(logs.path());
    QTRY_COMPARE(session_->snapshot()->arms.size(), 2);
    window_->commands().action("edit.undo")->trigger();
    QTRY_COMPARE(session_->snapshot()->arms.size(), 3);
    // A point appended by the other program is followed.
    TensorboardWriter writer(1.7e9);
    for (int step = 1; step <= 44; ++step)
        writer.scalar(1.7e9 + step, step, "train/loss", 1.0);
    write(logs.path() + "/kerple-s0/events.out.tfevents.17.x", writer.bytes());
    QTRY_COMPARE_WITH_TIMEOUT(session_->snapshot()->runsOf(name)[0]->state->step, 44, 5000);
    // Every page survives runs without a plan.
    session_->selection().selectArm(name);
    for (const QString& page : Workspace::pageNames()) {
        QVERIFY(window_->showPage(page));
        QTest::qWait(60);
    }
}

void TestWindowActions::csvAloneAndByDrop() {
    QTemporaryDir logs;
    write(logs.path() + "/base.csv", "step,val_loss,loss\n10,5,5.5\n20,4,4.5\n");
    write(logs.path() + "/new.csv", "step;val_loss;loss\n10;6,5;6\n20;3,5;3\n");
    QVERIFY(window_->compareWith(logs.path()));  // nothing is open: it is opened
    QTRY_VERIFY(session_->snapshot() != nullptr && session_->snapshot()->runs.size() == 2);
    QVERIFY(session_->imported());
    QVERIFY(!window_->commands().action("run.start")->isEnabled());
    QTRY_COMPARE(curves()->mainPlot()->series().size(), std::size_t{2});
    QCOMPARE(curves()->mainPlot()->series()[1].y->back(), 3.5);
    QCOMPARE(session_->baseline(), QStringLiteral("base"));
    QTRY_COMPARE(curves()->values()->rows().size(), std::size_t{2});
    QVERIFY(window_->showPage("compare"));
    QTest::qWait(100);
    // Dropped on the window while a project is open, it joins.
    const test::RecordedProject project = recorded({0});
    window_->showPage("curves");
    open(project);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(logs.path() + "/new.csv")});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &drop);
    QTRY_COMPARE(session_->snapshot()->arms.size(), 3);
    QTRY_COMPARE(curves()->mainPlot()->series().size(), std::size_t{3});
    // What cannot be read is refused with a sentence.
    QTemporaryDir empty;
    QVERIFY(!window_->compareWith(empty.path()));
    QCOMPARE(session_->snapshot()->arms.size(), 3);
}

void TestWindowActions::anotherProjectBesideThis() {
    const test::RecordedProject project = recorded({0, 1});
    const test::RecordedProject other = recorded({0, 1}, false);
    auto lock = FileLock::acquire(other.directory(0).lock_file());  // being written by someone
    QVERIFY(lock.ok());
    open(project);
    QVERIFY(window_->compareWith(other.path()));
    QTRY_COMPARE(session_->snapshot()->runs.size(), std::size_t{8});
    const QString name = QFileInfo(other.path()).fileName() + "/rope";
    QTRY_COMPARE(session_->snapshot()->runsOf(name).size(), std::size_t{2});
    QVERIFY(session_->snapshot()->runsOf(name)[0]->live());
    QVERIFY(!session_->training());  // not ours to steer
    QCOMPARE(session_->control(ControlCommand::kPause), 0);
    QTRY_COMPARE(curves()->mainPlot()->series().size(), std::size_t{4});
    // Live points of the other project arrive.
    EventLogWriter log = other.writer(0);
    test::RecordedProject::record(log, 101, ValidationEvent{1.25});
    QTRY_COMPARE(session_->snapshot()->runsOf(name)[0]->validationLoss().value_or(0), 1.25);
    // The comparison's numbers stay those of the project itself.
    QVERIFY(window_->showPage("compare"));
    auto* page = static_cast<ComparePage*>(window_->workspace()->page("compare"));
    QTRY_VERIFY(page->model().comparison() != nullptr);
    QCOMPARE(page->allArms()->rows().size(), std::size_t{2});
}

void TestWindowActions::importedRunsCannotBeTrashed() {
    QTemporaryDir logs;
    write(logs.path() + "/base.csv", "step,val_loss\n10,5\n");
    const test::RecordedProject project = recorded({0});
    open(project);
    QVERIFY(window_->compareWith(logs.path()));
    QTRY_COMPARE(session_->snapshot()->arms.size(), 3);
    QTreeView* tree = window_->runs()->tree();
    QTRY_COMPARE(tree->model()->rowCount(), 3);
    tree->setFocus();
    tree->setCurrentIndex(tree->model()->index(2, 0));
    QTest::keyClick(tree, Qt::Key_Delete);
    QVERIFY(QFileInfo::exists(logs.path() + "/base.csv"));
    QVERIFY(session_->notes().trashed().isEmpty());
}

void TestWindowActions::workspacesKeepTheirDocks() {
    const test::RecordedProject project = recorded({0});
    open(project);
    auto* dock = find<QDockWidget>("inspectorDock");
    QVERIFY(dock->isVisible());
    click(find<Segments>("yAxis"), 2);
    key(Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);  // Compare
    QTRY_COMPARE(window_->workspace()->currentName(), QStringLiteral("compare"));
    window_->commands().action("window.inspector")->trigger();
    QTRY_VERIFY(!dock->isVisible());
    key(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);  // Train, as it was left
    QTRY_COMPARE(window_->workspace()->currentName(), QStringLiteral("curves"));
    key(Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!dock->isVisible());
    // Kept over a restart, for the same version.
    QVERIFY(window_->close());
    window_.reset();
    session_ = std::make_unique<Session>();
    window_ = std::make_unique<MainWindow>(*session_);
    window_->resize(1600, 1000);
    window_->show();
    open(project);
    QVERIFY(find<QDockWidget>("inspectorDock")->isVisible());
    QCOMPARE(curves()->mainPlot()->yAxis().kind, AxisKind::kSymlog);
    window_->showPage("compare");
    QTRY_VERIFY(!find<QDockWidget>("inspectorDock")->isVisible());
    window_->commands().action("window.reset")->trigger();
    QTRY_VERIFY(find<QDockWidget>("inspectorDock")->isVisible());
}

void TestWindowActions::layoutsOfAnotherVersionAreLeftAlone() {
    {
        QSettings settings(settingsFile(), QSettings::IniFormat);
        settings.setValue("layouts/version", 999);
        settings.setValue("layouts/train", QByteArray("not a layout"));
        settings.setValue("views/version", 999);
        settings.setValue("views/curves/y", 2);
    }
    Session session;
    MainWindow window(session);
    QCOMPARE(session.preferences().layout("train", 2), QByteArray());
    QCOMPARE(static_cast<CurvesPage*>(window.workspace()->page("curves"))->viewState().value("y").toInt(), 1);
}

void TestWindowActions::everythingFitsAtSmallSizes_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"start", "editor", "curves", "compare"})
        QTest::newRow(page) << QString::fromLatin1(page);
}

// No label, button or choice is narrower than its text at the smallest window the design knows.
void TestWindowActions::everythingFitsAtSmallSizes() {
    QFETCH(QString, page);
    const test::RecordedProject project = recorded({0, 1, 2});
    open(project);
    for (const QSize& size : {QSize(1280, 800), QSize(1600, 1000)}) {
        window_->resize(size);
        QVERIFY(window_->showPage(page));
        QTest::qWait(150);
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
            const bool judged = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<QComboBox*>(widget) != nullptr ||
                                qobject_cast<Segments*>(widget) != nullptr;
            if (!judged) continue;
            const int needed = std::min(widget->minimumSizeHint().width(), widget->sizeHint().width());
            QVERIFY2(widget->width() >= needed,
                     qPrintable(QStringLiteral("%1 '%2' is %3 wide, its text needs %4")
                                    .arg(widget->metaObject()->className(), widget->accessibleName())
                                    .arg(widget->width())
                                    .arg(needed)));
        }
    }
}

QTEST_MAIN(TestWindowActions)
#include "tst_window_actions.moc"
