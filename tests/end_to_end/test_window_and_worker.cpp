// A worker outlives the window and the terminal that started it and is followed again; two windows, and the program
// itself beside them, on one project do not disturb each other. With real windows in processes of their own.

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QtTest>
#include <functional>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/run/run_directory.h"

using namespace end_to_end;

namespace {

// The last line "runs ..." that a window told.
class Told {
  public:
    explicit Told(QProcess& window) : window_(window) {}
    bool until(const std::function<bool(const QByteArray&)>& condition, int milliseconds = 120'000) {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < milliseconds) {
            text_ += window_.readAllStandardOutput();
            for (qsizetype end = text_.indexOf('\n'); end >= 0; end = text_.indexOf('\n')) {
                const QByteArray line = text_.left(end);
                text_.remove(0, end + 1);
                if (line.startsWith("runs")) last_ = line;
                if (condition(line)) return true;
            }
            window_.waitForReadyRead(50);
        }
        qWarning("the window's last word: %s", last_.constData());
        return false;
    }
    bool runs(const char* what) {
        return until([&](const QByteArray& line) { return line.startsWith("runs") && line.contains(what); });
    }

  private:
    QProcess& window_;
    QByteArray text_, last_;
};

// QProcess keeps what is written until its own events are handled; the tests wait for another process's meanwhile.
void say(QProcess& window, const char* word) {
    window.write(word);
    while (window.bytesToWrite() > 0 && window.waitForBytesWritten(10'000)) {
    }
}

std::int64_t step_of(const QString& project) {
    const auto runs = sextant::list_runs({project.toStdString()});
    return runs && !runs->empty() ? runs->front().state.step : 0;
}

}  // namespace

class TestWindowAndWorker : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void aWorkerOutlivesItsWindowAndTerminal();
    void twoWindowsDoNotDisturbEachOther();
    void stopFromAnotherWindowStopsWhatIsQueuedToo();

  private:
    QString make_project(const char* name) const {
        const QString project = folder_.filePath(name);
        if (!QDir().mkpath(project)) qFatal("cannot make %s", qPrintable(project));
        write_json(project + "/experiment.json", experiment_);
        return project;
    }
    QTemporaryDir folder_;
    nlohmann::json experiment_;
    std::string expected_;
};

void TestWindowAndWorker::initTestCase() {
    experiment_ = tiny_experiment();
    experiment_["training"]["steps"] = 6000;  // longer than any window takes to open
    experiment_["training"]["checkpoint_every"] = 1000;
    experiment_["training"]["evaluate_every"] = 0;
    experiment_["variants"] = nlohmann::json::array();  // one run: what is paused and resumed is certain
    const QString file = write_json(folder_.filePath("e.json"), experiment_);
    const QString reference = folder_.filePath("reference");
    const Finished straight = call({"run", file, "--project", reference, "--progress", "none"});
    QVERIFY2(straight.code == 0, straight.err.constData());
    expected_ = identity_of(reference);
}

void TestWindowAndWorker::aWorkerOutlivesItsWindowAndTerminal() {
    const QString project = make_project("terminal");
    const QByteArray driver = (QCoreApplication::applicationDirPath() + "/window_driver").toLocal8Bit();
    const QByteArray argument = project.toLocal8Bit();
    int terminal = -1;
    const pid_t window = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    QVERIFY(window >= 0);
    if (window == 0) {
        ::execl(driver.constData(), driver.constData(), argument.constData(), "--once", nullptr);
        ::_exit(127);
    }
    // What the window says must be taken, or the terminal fills up and it waits.
    const auto drained = [&] {
        char buffer[4096];
        fd_set set;
        FD_ZERO(&set);
        FD_SET(terminal, &set);
        timeval now{0, 0};
        while (::select(terminal + 1, &set, nullptr, nullptr, &now) > 0 &&
               ::read(terminal, buffer, sizeof buffer) > 0) {
        }
        return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(drained() && step_of(project) >= 20, 120'000);
    ::close(terminal);  // the terminal is gone: its processes get SIGHUP
    int status = 0;
    pid_t ended = 0;  // a second wait for the same child would find none
    QTRY_VERIFY_WITH_TIMEOUT(ended == window || (ended = ::waitpid(window, &status, WNOHANG)) == window, 60'000);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    const std::int64_t then = step_of(project);
    QTRY_VERIFY_WITH_TIMEOUT(step_of(project) > then + 20, 60'000);

    const auto again = start_window({project});
    Told told(*again);
    QVERIFY(told.runs("rope running"));
    QVERIFY(told.runs("rope completed"));
    QTRY_COMPARE_WITH_TIMEOUT(identity_of(project), expected_, 120'000);  // artifacts come last
    say(*again, "quit\n");
    QCOMPARE(wait(*again).code, 0);
}

void TestWindowAndWorker::twoWindowsDoNotDisturbEachOther() {
    const QString project = make_project("two");
    const auto first = start_window({project});
    const auto second = start_window({project});
    Told one(*first), two(*second);
    // The program itself, twice: one is killed in the middle, one stays to the end.
    const QString sextant = QFileInfo(program()).path() + "/sextant";
    QProcess killed, stays;
    killed.start(sextant, {project});
    stays.start(sextant, {project});
    QVERIFY(killed.waitForStarted() && stays.waitForStarted());

    QVERIFY(one.runs("runs") && two.runs("runs"));  // before it has read the project a window starts nothing
    say(*first, "start\n");
    QVERIFY(two.runs("rope running"));
    say(*second, "start\n");  // what is trained already is waited for, not trained twice
    say(*second, "pause\n");
    QVERIFY(one.runs("rope paused"));
    const std::int64_t held = step_of(project);
    killed.kill();
    killed.waitForFinished();
    QThread::msleep(500);
    QCOMPARE(step_of(project), held);
    say(*first, "resume\n");
    QVERIFY(two.runs("rope running"));
    first->kill();
    QVERIFY(two.runs("rope completed"));
    QTRY_COMPARE_WITH_TIMEOUT(identity_of(project), expected_, 120'000);
    QCOMPARE(stays.state(), QProcess::Running);
    say(*second, "quit\n");
    QCOMPARE(wait(*second).code, 0);
    stays.terminate();
    stays.waitForFinished();
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& run : *runs)
        QVERIFY(run.state.resumes.empty());  // one worker did it all
}

void TestWindowAndWorker::stopFromAnotherWindowStopsWhatIsQueuedToo() {
    // The window that started it could stop the queue; one opened later stopped only what was running.
    const QString project = make_project("queue");
    auto experiment = experiment_;
    experiment["training"]["steps"] = 1'000'000;
    for (int seed = 1; seed <= 16; ++seed)
        experiment["seeds"].push_back(seed);
    write_json(project + "/experiment.json", experiment);
    const auto first = start_window({project, "--once"});
    const qint64 orchestrator = orchestrator_of(*first);
    QVERIFY(orchestrator > 0);
    QTRY_VERIFY_WITH_TIMEOUT(step_of(project) >= 20, 120'000);
    first->kill();
    wait(*first);
    const auto second = start_window({project});
    Told told(*second);
    QVERIFY(told.runs("rope running"));
    say(*second, "stop\n");
    QTRY_VERIFY_WITH_TIMEOUT(!process_exists(orchestrator), 120'000);
    int stopped = 0, queued = 0;
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& run : *runs) {
        stopped += run.state.phase == sextant::RunPhase::kCancelled ? 1 : 0;
        queued += run.state.phase == sextant::RunPhase::kQueued ? 1 : 0;
    }
    QVERIFY(stopped >= 1 && queued >= 1);
    QCOMPARE(stopped + queued, 17);
    say(*second, "quit\n");
    QCOMPARE(wait(*second).code, 0);
}

QTEST_GUILESS_MAIN(TestWindowAndWorker)
#include "test_window_and_worker.moc"
