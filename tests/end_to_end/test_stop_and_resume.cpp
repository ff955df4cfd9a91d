#include <signal.h>

#include <QElapsedTimer>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/run/event_log.h"
#include "core/run/run_directory.h"

using namespace end_to_end;

class TestStopAndResume : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void interruptionEndsWith130AndResumesToTheSameBytes_data();
    void interruptionEndsWith130AndResumesToTheSameBytes();
    void pauseAndResumeOverStandardInput();
    void aMovedProjectGoesOn();
    void otherThreadsAreRefusedUnlessRestarted();
    void twoCommandsOnOneProjectDoNotDisturbEachOther();
    void aRunKilledAfterItsLastWordIsComplete();

  private:
    QStringList arguments(const QString& project) const {
        return {"run", experiment_, "--project", project, "--progress", "none"};
    }
    // Waits until the first run of the project has done at least `step` steps.
    static bool reached(const QString& project, std::int64_t step);
    QTemporaryDir folder_;
    QString experiment_;
    std::string expected_;
};

void TestStopAndResume::initTestCase() {
    auto experiment = tiny_experiment();
    experiment["training"]["steps"] = 4000;          // no run is over before a signal or a word has reached it
    experiment["training"]["checkpoint_every"] = 0;  // only the stop writes one
    experiment_ = write_json(folder_.filePath("e.json"), experiment);
    const Finished straight = call(arguments(folder_.filePath("reference")));
    QVERIFY2(straight.code == 0, straight.err.constData());
    expected_ = identity_of(folder_.filePath("reference"));
}

bool TestStopAndResume::reached(const QString& project, std::int64_t step) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 60'000) {
        const auto runs = sextant::list_runs({project.toStdString()});
        if (runs && !runs->empty() && runs->front().state.step >= step) return true;
        QThread::msleep(5);
    }
    return false;
}

void TestStopAndResume::interruptionEndsWith130AndResumesToTheSameBytes_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("group");
    QTest::newRow("Ctrl+C") << SIGINT << true;  // a terminal signals the whole group
    QTest::newRow("SIGTERM") << SIGTERM << false;
    QTest::newRow("stop") << 0 << false;
}

void TestStopAndResume::interruptionEndsWith130AndResumesToTheSameBytes() {
    QFETCH(int, signal);
    QFETCH(bool, group);
    const QString project = folder_.filePath(QString("stopped-%1").arg(signal));
    QStringList words = arguments(project);
    if (signal == 0) words += {"--control", "stdin"};
    const auto process = start(words);
    QVERIFY(reached(project, 20));
    if (signal == 0) {
        process->write("nonsense\nstop\n");
    } else {
        (void)::kill(static_cast<pid_t>(group ? -process->processId() : process->processId()), signal);
    }
    const Finished stopped = wait(*process);
    QCOMPARE(stopped.code, 130);
    QVERIFY2(stopped.last_line().startsWith("sextant-cli: "), stopped.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    QVERIFY((*runs)[0].state.phase == sextant::RunPhase::kCancelled);
    QCOMPARE((*runs)[0].state.checkpoints.size(), std::size_t{1});
    QVERIFY(!QFile::exists(project + "/artifacts/alibi.json"));
    const Finished resumed = call(arguments(project));
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    // The checkpoint of the stop is one more than the reference has; everything else is the same.
    QCOMPARE(identity_of(project), expected_);
}

void TestStopAndResume::pauseAndResumeOverStandardInput() {
    const QString project = folder_.filePath("paused");
    const auto process = start(arguments(project) + QStringList{"--control", "stdin"});
    QVERIFY(reached(project, 10));
    process->write("pause\n");
    const auto phase = [&] { return sextant::list_runs({project.toStdString()})->front().state; };
    QTRY_VERIFY_WITH_TIMEOUT(phase().phase == sextant::RunPhase::kPaused, 20'000);
    const std::int64_t held = phase().step;
    QThread::msleep(300);
    QCOMPARE(phase().step, held);
    process->write("resume\n");
    process->closeWriteChannel();  // the end of stdin is not a command
    const Finished finished = wait(*process);
    QVERIFY2(finished.code == 0, finished.err.constData());
    QCOMPARE(identity_of(project), expected_);
}

void TestStopAndResume::aMovedProjectGoesOn() {
    const QString project = folder_.filePath("before");
    const auto process = start(arguments(project));
    QVERIFY(reached(project, 20));
    (void)::kill(static_cast<pid_t>(-process->processId()), SIGKILL);
    wait(*process);
    QVERIFY(QDir().rename(project, folder_.filePath("after move")));
    const Finished resumed = call(arguments(folder_.filePath("after move")));
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    QCOMPARE(identity_of(folder_.filePath("after move")), expected_);
}

void TestStopAndResume::otherThreadsAreRefusedUnlessRestarted() {
    const QString project = folder_.filePath("threads");
    const auto process = start(arguments(project));
    QVERIFY(reached(project, 20));
    (void)::kill(static_cast<pid_t>(process->processId()), SIGINT);
    QCOMPARE(wait(*process).code, 130);
    const Finished refused = call(arguments(project) + QStringList{"--threads", "2"});
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.last_line().contains("threads 1"), refused.err.constData());
    const Finished restarted = call(arguments(project) + QStringList{"--threads", "2", "--restart"});
    QVERIFY2(restarted.code == 0, restarted.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    QCOMPARE((*runs)[0].state.started->threads, std::int64_t{2});
    QVERIFY((*runs)[0].state.resumes.empty());
}

void TestStopAndResume::twoCommandsOnOneProjectDoNotDisturbEachOther() {
    const QString project = folder_.filePath("shared");
    const auto first = start(arguments(project));
    QVERIFY(reached(project, 5));
    const auto second = start(arguments(project));
    const Finished one = wait(*first);
    const Finished two = wait(*second);
    QVERIFY2(one.code == 0, one.err.constData());
    QVERIFY2(two.code == 0, two.err.constData());
    QCOMPARE(identity_of(project), expected_);
}

void TestStopAndResume::aRunKilledAfterItsLastWordIsComplete() {
    // Found by the kill harness: a worker killed between its "completed" and its end was noted as failed behind that,
    // and every later command ended with 70 because there was nothing left to do and the run was not complete.
    const QString project = folder_.filePath("last-word");
    const Finished finished = call(arguments(project));
    QVERIFY2(finished.code == 0, finished.err.constData());
    const auto before = sextant::list_runs({project.toStdString()});
    auto log = sextant::EventLogWriter::open(before->front().directory.event_log());
    QVERIFY(log.ok());
    QVERIFY(
        log->append(before->front().state.step, before->front().state.tokens, sextant::FailedEvent{70, "killed"}).ok());
    QVERIFY(sextant::list_runs({project.toStdString()})->front().state.phase == sextant::RunPhase::kCompleted);
    const Finished again = call(arguments(project));
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(identity_of(project), expected_);
}

QTEST_GUILESS_MAIN(TestStopAndResume)
#include "test_stop_and_resume.moc"
