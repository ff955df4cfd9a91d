// Following a project from its own thread: what the worker writes is seen within 250 ms, whoever writes it.

#include <sys/mount.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStorageInfo>
#include <QTest>

#include "core/base/file_lock.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/engine/run_follower.h"
#include "widgets/models/length_results.h"
#include "widgets/models/session.h"

using namespace sextant;

class TestWindowFollower : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aFinishedProjectIsRead();
    void aPointIsSeenWithinAQuarterSecond();
    void snapshotsComeAtMostTwentyTimesASecond();
    void aWriterThatIsGoneIsInterrupted();
    void anEmptyFolderIsNoError();
    void aReplacedLogIsFoldedAnew();
    void lengthsAreGatheredBySeed();
    void aFullDiskIsSaidAndSoIsRoom();
};

void TestWindowFollower::aFinishedProjectIsRead() {
    const test::RecordedProject project({"rope", "alibi"}, {0, 1});
    for (std::size_t run = 0; run < project.plans().size(); ++run) {
        project.train(run, 100, [](std::int64_t step) { return 6.0 - 0.02 * static_cast<double>(step); });
        project.finish(run, 3.0 + 0.1 * static_cast<double>(run), 3.5);
    }
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    const ProjectSnapshotPtr snapshot = follower.latest();
    QCOMPARE(snapshot->arms, (QStringList{"rope", "alibi"}));
    QCOMPARE(snapshot->baseline, QStringLiteral("rope"));
    QCOMPARE(snapshot->runs.size(), std::size_t{4});
    const RunSnapshot& first = snapshot->runs.front();
    QCOMPARE(first.status(), RunStatus::kCompleted);
    QCOMPARE(first.state->steps.size(), std::size_t{100});
    QCOMPARE(first.state->steps.back().loss, 4.0);
    QCOMPARE(first.validationLoss().value(), 4.1);
    QCOMPARE(first.evaluation("loss", 64, "sliding").value(), 3.0);
    QCOMPARE(first.progress(), 1.0);
    QCOMPARE(snapshot->slotOf("alibi"), 1);
}

void TestWindowFollower::aPointIsSeenWithinAQuarterSecond() {
    const test::RecordedProject project({"rope"}, {0});
    project.train(0, 10, [](std::int64_t) { return 5.0; });
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    EventLogWriter log = project.writer(0);
    qint64 worst = 0;
    for (std::int64_t step = 11; step <= 20; ++step) {
        QElapsedTimer clock;
        clock.start();
        test::RecordedProject::record(log, step, StepEvent{4.0, 1e-3, 0.5, 1000.0});
        QTRY_VERIFY_WITH_TIMEOUT(follower.latest()->runs[0].state->step == step, 5000);
        worst = std::max(worst, clock.elapsed());
    }
    qInfo("slowest of ten points: %lld ms (limit 250, judged at ten times)", static_cast<long long>(worst));
    QVERIFY(worst < 2500);
}

void TestWindowFollower::snapshotsComeAtMostTwentyTimesASecond() {
    const test::RecordedProject project({"rope"}, {0}, 100000);
    project.train(0, 1, [](std::int64_t) { return 5.0; });
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    QSignalSpy spy(&follower, &RunFollower::changed);
    EventLogWriter log = project.writer(0);
    QElapsedTimer clock;
    clock.start();
    std::int64_t step = 1;
    while (clock.elapsed() < 1000) {
        test::RecordedProject::record(log, ++step, StepEvent{4.0, 1e-3, 0.5, 1000.0});
        QTest::qWait(2);
    }
    const qint64 elapsed = clock.elapsed();
    QVERIFY(spy.count() >= 1);
    QVERIFY2(spy.count() <= 20 * (elapsed + 100) / 1000 + 1, qPrintable(QString::number(spy.count())));
    QTRY_COMPARE(follower.latest()->runs[0].state->step, step);  // none is lost
}

void TestWindowFollower::aWriterThatIsGoneIsInterrupted() {
    const test::RecordedProject project({"rope"}, {0});
    project.train(0, 10, [](std::int64_t) { return 5.0; });
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    QCOMPARE(follower.latest()->runs[0].status(), RunStatus::kInterrupted);
    {
        auto lock = FileLock::acquire(project.directory(0).lock_file());
        QVERIFY(lock.ok());
        follower.rescan();
        QTRY_COMPARE(follower.latest()->runs[0].status(), RunStatus::kRunning);
    }
    follower.rescan();
    QTRY_COMPARE(follower.latest()->runs[0].status(), RunStatus::kInterrupted);
}

void TestWindowFollower::anEmptyFolderIsNoError() {
    QTemporaryDir folder;
    RunFollower follower;
    follower.follow(folder.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    QVERIFY(follower.latest()->runs.empty());
    follower.follow(folder.path() + "/does-not-exist");
    QTRY_VERIFY(follower.latest() != nullptr);
    QVERIFY(follower.latest()->runs.empty());
}

void TestWindowFollower::aReplacedLogIsFoldedAnew() {
    const test::RecordedProject project({"rope"}, {0});
    project.train(0, 50, [](std::int64_t) { return 5.0; });
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr);
    QCOMPARE(follower.latest()->runs[0].state->step, 50);
    QVERIFY(QFile::remove(QString::fromStdString(project.directory(0).event_log())));
    project.train(0, 7, [](std::int64_t) { return 2.0; });
    QTRY_COMPARE(follower.latest()->runs[0].state->step, 7);
    QCOMPARE(follower.latest()->runs[0].state->steps.size(), std::size_t{7});
    QCOMPARE(follower.latest()->runs[0].state->steps.front().loss, 2.0);
}

void TestWindowFollower::lengthsAreGatheredBySeed() {
    const test::RecordedProject project({"rope", "alibi"}, {0, 1});
    const double at64[] = {3.0, 3.2, 3.4, 3.6};
    for (std::size_t run = 0; run < 4; ++run) {
        project.train(run, 20, [](std::int64_t) { return 4.0; });
        project.finish(run, at64[run], at64[run] + (run < 2 ? 0.5 : 0.01));
    }
    RunFollower follower;
    follower.follow(project.path());
    QTRY_VERIFY(follower.latest() != nullptr && follower.latest()->runs.size() == 4);
    const LengthResults results = lengthResults(*follower.latest(), "rope");
    QCOMPARE(results.lengths, (std::vector<std::int64_t>{64, 128}));
    QCOMPARE(results.targets, 32768);
    QCOMPARE(results.stride, 16);
    const Aggregate rope = results.arms[0].aggregated("non-overlapping", BandKind::kMinMax);
    QVERIFY(std::abs(rope.mean[0] - 3.1) < 1e-12);
    QVERIFY(std::abs(rope.low[0] - 3.0) < 1e-12 && std::abs(rope.high[0] - 3.2) < 1e-12);
    QVERIFY(std::abs(results.arms[0].gap("sliding", 128) - 0.5) < 1e-12);
    QCOMPARE(results.arms[0].holdsTo("sliding"), 64);
    QCOMPARE(results.arms[1].holdsTo("sliding"), 128);
}

void TestWindowFollower::aFullDiskIsSaidAndSoIsRoom() {
    QTemporaryDir folder;
    const QByteArray disk = folder.path().toLocal8Bit();
    if (::geteuid() != 0 || ::mount("sextant-test", disk.constData(), "tmpfs", 0, "size=8m,mode=0700") != 0)
        QSKIP("only root may mount the small disk that this fills; run as root to check it");
    const auto unmount = qScopeGuard([&] { ::umount2(disk.constData(), MNT_DETACH); });
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", disk);
    const test::RecordedProject project({"rope"}, {0});
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    project.train(0, 10, [](std::int64_t) { return 5.0; });
    const auto lock = FileLock::acquire(project.directory(0).lock_file());
    QVERIFY(lock.ok());
    Session session;
    QStringList said;
    connect(&session, &Session::message, this,
            [&](MessageKind, const QString& fact, const QString& consequence) { said << fact + " " + consequence; });
    QVERIFY(session.open(project.path()).ok());
    QTRY_VERIFY(session.training());
    QTest::qWait(1500);
    QVERIFY2(said.isEmpty(), qPrintable(said.join('\n')));
    QFile ballast(folder.path() + "/ballast");
    QVERIFY(ballast.open(QIODevice::WriteOnly));
    QStorageInfo info(folder.path());
    // 139,584 parameters: 1 MiB and 12 bytes each make 2.6 MiB; half of that is too little.
    ballast.write(QByteArray(info.bytesAvailable() - (qint64{13} << 17), 'x'));
    ballast.flush();
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, 10'000);
    QVERIFY2(said[0].contains(project.path()) && said[0].contains("1.6") && said[0].contains("2.60 MiB"),
             qPrintable(said[0]));
    QVERIFY(ballast.remove());
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 2, 10'000);
    QVERIFY2(said[1].contains("room"), qPrintable(said[1]));
}

QTEST_GUILESS_MAIN(TestWindowFollower)
#include "tst_window_follower.moc"
