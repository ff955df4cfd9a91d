// A window that was opened later stops what an earlier one queued. With real windows in processes of their own.

#include <signal.h>
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

std::int64_t step_of(const QString& project) {
    const auto runs = sextant::list_runs({project.toStdString()});
    return runs && !runs->empty() ? runs->front().state.step : 0;
}

}  // namespace

class TestWindowAndWorker : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
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
    second->write("stop\n");
    QTRY_VERIFY_WITH_TIMEOUT(!process_exists(orchestrator), 120'000);
    int stopped = 0, queued = 0;
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& run : *runs) {
        stopped += run.state.phase == sextant::RunPhase::kCancelled ? 1 : 0;
        queued += run.state.phase == sextant::RunPhase::kQueued ? 1 : 0;
    }
    QVERIFY(stopped >= 1 && queued >= 1);
    QCOMPARE(stopped + queued, 17);
    second->write("quit\n");
    QCOMPARE(wait(*second).code, 0);
}

QTEST_GUILESS_MAIN(TestWindowAndWorker)
#include "test_window_and_worker.moc"
