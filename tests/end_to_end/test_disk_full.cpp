// A disk that is full before the first step, and one that fills during training. A small tmpfs is mounted for it, so
// these tests need root and skip without.

#include <sys/mount.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QStorageInfo>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/run/run_directory.h"

using namespace end_to_end;

class TestDiskFull : public QObject {
    Q_OBJECT

  private slots:
    void init();
    void cleanup();
    void beforeTheFirstStepItEndsWith6();
    void duringTrainingItPausesAndGoesOnWhenThereIsRoom();

  private:
    // Leaves `bytes` free.
    void fill(qint64 bytes);
    QTemporaryDir folder_;
    QString disk_;
};

void TestDiskFull::init() {
    disk_ = folder_.filePath("disk");
    QVERIFY(QDir().mkpath(disk_));
    if (::geteuid() != 0 ||
        ::mount("sextant-test", disk_.toLocal8Bit().constData(), "tmpfs", 0, "size=8m,mode=0700") != 0) {
        disk_.clear();
        QSKIP("only root may mount the small disk that this fills; run as root to check it");
    }
}

void TestDiskFull::cleanup() {
    if (!disk_.isEmpty()) ::umount2(disk_.toLocal8Bit().constData(), MNT_DETACH);
}

void TestDiskFull::fill(qint64 bytes) {
    QStorageInfo info(disk_);
    info.refresh();
    QFile ballast(disk_ + "/ballast");
    QVERIFY(ballast.open(QIODevice::WriteOnly | QIODevice::Append));
    const qint64 size = info.bytesAvailable() - bytes;
    if (size > 0) ballast.write(QByteArray(size, 'x'));
}

void TestDiskFull::beforeTheFirstStepItEndsWith6() {
    fill(0);
    const QString file = write_json(folder_.filePath("e.json"), tiny_experiment());
    const Finished finished = call({"run", file, "--project", disk_ + "/project", "--progress", "none"});
    QCOMPARE(finished.code, 6);
    QCOMPARE(finished.error_lines(), 1);
    QVERIFY2(finished.last_line().contains("No space left"), finished.err.constData());
    QVERIFY(!QFile::exists(disk_ + "/project"));
    QVERIFY(QFile::remove(disk_ + "/ballast"));
    const Finished after = call({"run", file, "--project", disk_ + "/project", "--progress", "none"});
    QVERIFY2(after.code == 0, after.err.constData());
}

void TestDiskFull::duringTrainingItPausesAndGoesOnWhenThereIsRoom() {
    auto experiment = tiny_experiment();
    experiment["training"]["steps"] = 8000;
    experiment["training"]["checkpoint_every"] = 400;
    experiment["training"]["evaluate_every"] = 0;
    const QString file = write_json(folder_.filePath("e.json"), experiment);
    const QStringList words{"run", file, "--project", disk_ + "/project", "--progress", "plain"};
    const auto process = start(words);
    const auto step = [&]() -> std::int64_t {
        const auto runs = sextant::list_runs({(disk_ + "/project").toStdString()});
        return runs && !runs->empty() ? runs->front().state.step : 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(step() >= 30, 60'000);
    fill(0);
    QByteArray told;
    QTRY_VERIFY_WITH_TIMEOUT((told += process->readAllStandardError()).contains("nearly full"), 60'000);
    QVERIFY(process->state() == QProcess::Running);
    // The last page of the log still takes some lines after the disk is full; then nothing moves.
    const auto moved = [&] {
        const std::int64_t held = step();
        QThread::msleep(1500);
        return step() - held;
    };
    QTRY_COMPARE_WITH_TIMEOUT(moved(), std::int64_t{0}, 30'000);
    QVERIFY(step() < 2000);
    QVERIFY(process->state() == QProcess::Running);
    QVERIFY(QFile::remove(disk_ + "/ballast"));
    const Finished finished = wait(*process);
    QVERIFY2(finished.code == 0, finished.err.constData());
    // The same bytes as on a disk with room.
    const QString roomy = folder_.filePath("roomy");
    QCOMPARE(call({"run", file, "--project", roomy, "--progress", "none"}).code, 0);
    QCOMPARE(identity_of(disk_ + "/project"), identity_of(roomy));
}

QTEST_GUILESS_MAIN(TestDiskFull)
#include "test_disk_full.moc"
