// kill -9 at seeded random moments: the worker, the orchestrator, or both; the window that started them, or everything;
// at any time, while a checkpoint is being written, or after training while results are written. Then the same command
// again (or the window is opened and started again). Every trial must end with the bytes of an uninterrupted run.
// SEXTANT_KILLS=50 for the full harness (8 by default), SEXTANT_KILL_SEED for other moments.

#include <signal.h>

#include <QDirIterator>
#include <QElapsedTimer>
#include <QtTest>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/base/random.h"
#include "core/run/run_directory.h"

using namespace end_to_end;

class TestKillHarness : public QObject {
    Q_OBJECT

  private slots:
    void everyKillEndsWithTheSameBytes();
};

namespace {

enum class Moment { kAnyTime, kCheckpoint, kResults };
enum class Victim { kWorker, kOrchestrator, kBoth, kWindow, kEverything };

bool any_entry(const QString& folder, const QStringList& patterns) {
    QDirIterator entries(folder, patterns, QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden,
                         QDirIterator::Subdirectories);
    return entries.hasNext();
}

// Waits for the moment; false when the orchestrator was over before it came.
bool wait_for(QProcess& process, qint64 leader, Moment moment, const QString& project, qint64 milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (process.state() == QProcess::Running && process_exists(leader)) {
        if (moment == Moment::kAnyTime && timer.elapsed() >= milliseconds) return true;
        if (moment == Moment::kCheckpoint && timer.elapsed() >= milliseconds &&
            any_entry(project + "/runs", {"*.partial"}))
            return true;
        if (moment == Moment::kResults && any_entry(project + "/artifacts", {"*"})) return true;
        (void)process.readAllStandardOutput();
        process.waitForFinished(0);
        QThread::usleep(moment == Moment::kAnyTime ? 1000 : 100);
    }
    return false;
}

std::string steps_of(const QString& project) {
    const auto runs = sextant::list_runs({project.toStdString()});
    if (!runs) return "no plan yet";
    std::string text;
    for (const auto& run : *runs) {
        text += (text.empty() ? "" : ", ") + run.plan.arm + " " + sextant::phase_name(run.state.phase) + " " +
                std::to_string(run.state.step);
    }
    return text;
}

void kill_workers(qint64 leader) {
    for (const qint64 worker : workers_of(leader))
        (void)::kill(static_cast<pid_t>(worker), SIGKILL);
}

// What a window started goes on without it; true when it ended in time.
bool wait_for_end(qint64 process) {
    QElapsedTimer timer;
    timer.start();
    while (process_exists(process)) {
        if (timer.elapsed() > 240'000) return false;
        QThread::msleep(20);
    }
    return true;
}

}  // namespace

void TestKillHarness::everyKillEndsWithTheSameBytes() {
    const int trials =
        qEnvironmentVariableIntValue("SEXTANT_KILLS") > 0 ? qEnvironmentVariableIntValue("SEXTANT_KILLS") : 8;
    const auto seed = static_cast<std::uint64_t>(qEnvironmentVariableIntValue("SEXTANT_KILL_SEED"));
    QTemporaryDir folder;
    const QString experiment = write_json(folder.filePath("e.json"), tiny_experiment());
    const auto arguments = [&](const QString& project) {
        return QStringList{"run", experiment, "--project", project, "--progress", "none"};
    };
    QElapsedTimer timer;
    timer.start();
    const QString reference = folder.filePath("reference");
    const Finished straight = call(arguments(reference));
    QVERIFY2(straight.code == 0, straight.err.constData());
    const qint64 duration = timer.elapsed();
    const std::string expected = identity_of(reference);
    QVERIFY(expected.find("completed") != std::string::npos);

    std::printf("\nuninterrupted: %.1f s; %d kills, seed %llu\n", static_cast<double>(duration) / 1000.0, trials,
                static_cast<unsigned long long>(seed));
    std::printf("%5s  %-10s %-12s %9s  %-44s %s\n", "trial", "moment", "killed", "after ms", "state at the kill",
                "after the repeat");
    sextant::Random random(sextant::derive_seed(seed, "kill harness"));
    int same = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const bool window = trial % 4 == 3;
        auto moment = trial % 4 == 1 ? Moment::kCheckpoint : trial % 8 == 6 ? Moment::kResults : Moment::kAnyTime;
        if (window) moment = static_cast<Moment>(trial / 4 % 3);
        const auto victim =
            window ? (trial % 8 == 3 ? Victim::kWindow : Victim::kEverything) : static_cast<Victim>(random.below(3));
        const auto after = static_cast<qint64>(random.uniform() * static_cast<double>(duration) *
                                               (moment == Moment::kCheckpoint ? 0.5 : 1.0));
        const QString project = folder.filePath(QString("project-%1").arg(trial));
        if (window) {
            QVERIFY(QDir().mkpath(project));
            write_json(project + "/experiment.json", tiny_experiment());
        }
        const auto process = window ? start_window({project, "--once"}) : start(arguments(project));
        const qint64 leader = window ? orchestrator_of(*process) : process->processId();
        QVERIFY(leader > 0);
        const bool in_time = wait_for(*process, leader, moment, project, after);
        if (in_time) {
            if (window) process->kill();
            if (victim == Victim::kBoth) (void)::kill(static_cast<pid_t>(-leader), SIGKILL);
            if (victim == Victim::kOrchestrator) (void)::kill(static_cast<pid_t>(leader), SIGKILL);
            if (victim == Victim::kWorker) kill_workers(leader);
            if (victim == Victim::kEverything) {
                (void)::kill(static_cast<pid_t>(leader), SIGSTOP);  // it starts no other worker meanwhile
                kill_workers(leader);
                (void)::kill(static_cast<pid_t>(leader), SIGKILL);
            }
        }
        wait(*process);
        const std::string at_kill = steps_of(project);
        bool equal = true;
        if (window) {
            // Without the window the work goes on to its end; opened again it is all there.
            equal = wait_for_end(leader) && (victim == Victim::kEverything || identity_of(project) == expected);
        }
        Finished repeated;
        if (window) {
            const auto again = start_window({project, "--once"});
            repeated = wait(*again);
        } else {
            repeated = call(arguments(project));
        }
        equal = equal && repeated.code == 0 && identity_of(project) == expected;
        same += equal ? 1 : 0;
        const char* moments[] = {"any time", "checkpoint", "results"};
        const char* victims[] = {"worker", "orchestrator", "both", "window", "everything"};
        std::printf("%5d  %-10s %-12s %9lld  %-44s %s\n", trial, moments[static_cast<int>(moment)],
                    in_time ? victims[static_cast<int>(victim)] : "too late", static_cast<long long>(after),
                    at_kill.c_str(), equal ? "same bytes" : "DIFFERENT");
        std::fflush(stdout);
        if (!equal) {
            std::printf("exit %d: %s\n", repeated.code, repeated.err.constData());
            folder.setAutoRemove(false);
        } else {
            QDir(project).removeRecursively();
        }
    }
    std::printf("%d of %d identical\n\n", same, trials);
    QCOMPARE(same, trials);
}

int main(int argc, char** argv) {
    // Qt Test ends a function after five minutes; fifty kills take longer on a small machine.
    if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT")) qputenv("QTEST_FUNCTION_TIMEOUT", "14400000");
    QCoreApplication application(argc, argv);
    TestKillHarness test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_kill_harness.moc"
