// What the window must hold: 1,000 runs listed, the time from a worker's write to the painted point, the longest gap of
// the GUI thread while runs are live. One line each; `--small` is what the continuous check runs. Ten times a limit is
// a failure, so that a busy machine does not fail the check.
#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "core/base/file_lock.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/docks/runs_dock.h"
#include "widgets/main_window.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/pages/curves_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

bool failed = false;

void report(const char* what, double value, double limit) {
    std::printf("%-58s %9.1f ms   limit %6.0f ms%s\n", what, value, limit, value > limit ? "   OVER" : "");
    std::fflush(stdout);
    if (value > 10.0 * limit) failed = true;
}

double milliseconds(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

template <typename Ready>
bool wait(Ready ready, int limit = 60'000) {
    QElapsedTimer clock;
    clock.start();
    while (!ready()) {
        if (clock.elapsed() > limit) return false;
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    }
    return true;
}

double lossAt(std::int64_t step) {
    return 3.0 + 100.0 / static_cast<double>(step + 20);
}

// Time of the first paint of a widget after a moment.
class PaintWatch : public QObject {
  public:
    explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
    bool painted = false;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) painted = true;
        return QObject::eventFilter(watched, event);
    }
};

void listRuns(int seeds) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(seeds));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::string> arms = {"rope", "alibi", "sinusoidal", "none", "kerple-log",
                                           "fire", "t5",    "sandwich",   "xpos", "learned"};
    const test::RecordedProject project(arms, all);
    for (std::size_t run = 0; run < project.plans().size(); ++run) {
        EventLogWriter log = project.writer(run);
        RunStarted started;
        started.parameters = 139584;
        test::RecordedProject::record(log, 0, started);
        test::RecordedProject::record(log, 10, ValidationEvent{lossAt(10)});
    }
    char name[96];
    const std::size_t count = project.plans().size();
    Session session;
    MainWindow window(session);
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    QElapsedTimer clock;
    clock.start();
    if (!window.openProject(project.path())) std::abort();
    wait([&] { return session.snapshot() != nullptr && session.snapshot()->runs.size() == count; });
    std::snprintf(name, sizeof name, "%zu runs read from disk and listed", count);
    report(name, milliseconds(clock), 2000.0);
    // The list alone, from what is known to the painted tree.
    RunModel model;
    RunFilter filter;
    filter.setSourceModel(&model);
    QTreeView tree;
    tree.setModel(&filter);
    tree.setUniformRowHeights(true);
    tree.resize(300, 900);
    tree.show();
    QApplication::processEvents();
    clock.restart();
    model.setSnapshot(session.snapshot());
    tree.expandAll();
    (void)tree.grab();
    std::snprintf(name, sizeof name, "%zu runs listed", count);
    report(name, milliseconds(clock), 200.0);
    clock.restart();
    filter.setFilterText("pe:alibi seed<50");
    (void)tree.grab();
    std::snprintf(name, sizeof name, "%zu runs filtered", count);
    report(name, milliseconds(clock), 200.0);
}

void latency(int points) {
    const test::RecordedProject project({"rope", "alibi", "sinusoidal"}, {0, 1, 2}, 100000);
    for (std::size_t run = 0; run < project.plans().size(); ++run)
        project.train(run, run == 0 ? 500 : 2000, lossAt);
    auto lock = FileLock::acquire(project.directory(0).lock_file());
    Session session;
    MainWindow window(session);
    window.resize(1600, 1000);
    window.show();
    if (!window.openProject(project.path())) std::abort();
    auto* curves = static_cast<CurvesPage*>(window.workspace()->page("curves"));
    curves->setViewState({{"main", "training"}, {"seeds", 1}});
    CurvePlot* plot = curves->mainPlot();
    wait([&] {
        return session.snapshot() != nullptr && !plot->states().empty() && plot->states()[0].x().size() >= 500;
    });
    QWidget* surface = plot->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    PaintWatch watch(surface);
    EventLogWriter log = project.writer(0);
    std::vector<double> delays;
    std::int64_t step = 500;
    for (int i = 0; i < points; ++i) {
        // Not in step with any timer of the window.
        QElapsedTimer pause;
        pause.start();
        while (pause.elapsed() < 150 + 37 * (i % 7))
            QApplication::processEvents(QEventLoop::AllEvents, 5);
        QElapsedTimer clock;
        clock.start();
        test::RecordedProject::record(log, ++step, StepEvent{lossAt(step), 1e-3, 0.5, 20000.0});
        (void)log.sync().ok();
        const auto here = [&] {
            return !plot->states()[0].x().empty() && plot->states()[0].x().back() >= static_cast<double>(step);
        };
        wait([&] {
            if (!here()) watch.painted = false;
            return here() && watch.painted;
        });
        delays.push_back(milliseconds(clock));
    }
    std::sort(delays.begin(), delays.end());
    report("point on the screen after the worker wrote it, median", delays[delays.size() / 2], 250.0);
    report("point on the screen after the worker wrote it, slowest", delays.back(), 250.0);
}

void heartbeat(std::int64_t steps) {
    const test::RecordedProject project({"rope", "alibi", "sinusoidal"}, {0, 1, 2, 3}, steps * 2);
    for (std::size_t run = 0; run < project.plans().size(); ++run)
        project.train(run, steps, lossAt);
    auto lock = FileLock::acquire(project.directory(0).lock_file());
    Session session;
    MainWindow window(session);
    window.resize(1600, 1000);
    window.show();
    double worst = 0.0;
    QElapsedTimer beat;
    QTimer heart;
    heart.setInterval(5);
    QObject::connect(&heart, &QTimer::timeout, [&] {
        worst = std::max(worst, milliseconds(beat));
        beat.restart();
    });
    const auto gap = [&](const char* what, int duration, auto&& act) {
        worst = 0.0;
        beat.start();
        heart.start();
        act();
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < duration)
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
        worst = std::max(worst, milliseconds(beat));
        heart.stop();
        char name[96];
        std::snprintf(name, sizeof name, "heartbeat gap, %s", what);
        report(name, worst, 100.0);
    };
    gap("opening", 1500, [&] { (void)window.openProject(project.path()); });
    EventLogWriter log = project.writer(0);
    std::int64_t step = steps;
    QTimer writer;
    writer.setInterval(20);
    QObject::connect(&writer, &QTimer::timeout, [&] {
        ++step;
        test::RecordedProject::record(log, step, StepEvent{lossAt(step), 1e-3, 0.5, 20000.0});
    });
    writer.start();
    auto* curves = static_cast<CurvesPage*>(window.workspace()->page("curves"));
    gap("live, validation of all arms", 2000, [] {});
    gap("live, training loss of all arms", 2000, [&] { curves->setViewState({{"main", "training"}}); });
    gap("live, each seed", 2000, [&] { curves->setViewState({{"seeds", 1}}); });
    writer.stop();
}

}  // namespace

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !qEnvironmentVariableIsSet("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    ThemeController themes(application);
    const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    listRuns(small ? 10 : 100);
    latency(small ? 5 : 30);
    heartbeat(small ? 500 : 5000);
    return failed ? 1 : 0;
}
