// Places and machines that are less kind than a local disk: a read-only folder, a file system without hard links and
// locks, a wall clock that jumps, memory that runs out. The answers are those of CONTRIBUTING.md, "When the machine is
// unkind".

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/run/run_directory.h"

using namespace end_to_end;

class TestStorageLimits : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void aReadOnlyProjectIsShownAndNotTrained();
    void withoutHardLinksAndLocksOneWriterWins();
    void aJumpingClockChangesNoResult();
    void aWorkerKilledForMemoryIsReportedAsSuch();

  private:
    QStringList arguments(const QString& project) const {
        return {"run", experiment_, "--project", project, "--progress", "none"};
    }
    // The command with hostile_system.so in front of the system.
    std::unique_ptr<QProcess> start_with(const char* what, const QStringList& words) const {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_PRELOAD", QCoreApplication::applicationDirPath() + "/hostile_system.so");
        environment.insert("ASAN_OPTIONS", "verify_asan_link_order=0");
        environment.insert(what, "1");
        process->setProcessEnvironment(environment);
        process->start(program(), words);
        if (!process->waitForStarted()) qFatal("cannot start %s", qPrintable(program()));
        return process;
    }
    QTemporaryDir folder_;
    QString experiment_;
    std::string expected_;
};

void TestStorageLimits::initTestCase() {
    experiment_ = write_json(folder_.filePath("e.json"), tiny_experiment());
    const Finished straight = call(arguments(folder_.filePath("reference")));
    QVERIFY2(straight.code == 0, straight.err.constData());
    expected_ = identity_of(folder_.filePath("reference"));
}

void TestStorageLimits::aReadOnlyProjectIsShownAndNotTrained() {
    const QString disk = folder_.filePath("disk");
    QVERIFY(QDir().mkpath(disk));
    const QByteArray path = disk.toLocal8Bit();
    if (::geteuid() != 0 || ::mount("sextant-test", path.constData(), "tmpfs", 0, "size=32m,mode=0700") != 0)
        QSKIP("only root may mount the disk that is made read-only; run as root to check it");
    const auto unmount = qScopeGuard([&] { ::umount2(path.constData(), MNT_DETACH); });
    const QString project = disk + "/project";
    // Stopped in the middle by its own experiment: one arm is missing, so there is something left to train.
    auto experiment = tiny_experiment();
    const QString all = write_json(folder_.filePath("all.json"), experiment);
    const Finished first = call({"run", all, "--project", project, "--arms", "rope", "--progress", "none"});
    QVERIFY2(first.code == 0 || first.code == 4, first.err.constData());
    QCOMPARE(::mount("sextant-test", path.constData(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);

    const Finished refused = call({"run", all, "--project", project, "--progress", "none"});
    QCOMPARE(refused.code, 6);
    QCOMPARE(refused.error_lines(), 1);
    QVERIFY2(refused.last_line().contains("Read-only") && refused.last_line().contains(project),
             refused.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    QVERIFY(runs.ok() && !runs->empty());
    const QString folder = QString::fromStdString(runs->front().directory.path);
    const Finished described = call({"describe", folder});
    QVERIFY2(described.code == 0, described.err.constData());

    const auto window = start_window({project});
    QByteArray told;
    QTRY_VERIFY_WITH_TIMEOUT(
        (window->waitForReadyRead(10), told += window->readAllStandardOutput()).contains("rope completed 60"), 60'000);
    window->write("quit\n");
    QCOMPARE(wait(*window).code, 0);
}

void TestStorageLimits::withoutHardLinksAndLocksOneWriterWins() {
    const QString project = folder_.filePath("network");
    const auto first = start_with("SEXTANT_TEST_NO_LOCKS", arguments(project));
    const auto second = start_with("SEXTANT_TEST_NO_LOCKS", arguments(project));
    const Finished one = wait(*first);
    const Finished two = wait(*second);
    QVERIFY2(one.code == 0, one.err.constData());
    QVERIFY2(two.code == 0, two.err.constData());
    QCOMPARE(identity_of(project), expected_);
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& run : *runs)
        QVERIFY(run.state.resumes.empty() && run.problems.empty());  // no run was written by both
}

void TestStorageLimits::aJumpingClockChangesNoResult() {
    const QString project = folder_.filePath("clock");
    const Finished finished = wait(*start_with("SEXTANT_TEST_CLOCK", arguments(project)));
    QVERIFY2(finished.code == 0, finished.err.constData());
    QCOMPARE(identity_of(project), expected_);
    bool back = false;
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& run : *runs) {
        for (std::size_t i = 1; i < run.state.steps.size(); ++i) {
            back = back || run.state.steps[i].time < run.state.steps[i - 1].time;
            QVERIFY(run.state.steps[i].elapsed >= run.state.steps[i - 1].elapsed);
            QVERIFY(run.state.steps[i].tokens_per_s > 0.0);
        }
        QVERIFY(run.state.completed->seconds > 0.0 && run.state.completed->seconds < 3600.0);
    }
    QVERIFY2(back, "the clock did not jump: the test tested nothing");
}

void TestStorageLimits::aWorkerKilledForMemoryIsReportedAsSuch() {
    // A control group with little memory: both generations of the kernel's interface.
    const QString name = QString("/sextant-test-%1").arg(::getpid());
    const bool old = QFile::exists("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    const QString group = (old ? QString("/sys/fs/cgroup/memory") : QString("/sys/fs/cgroup")) + name;
    const auto put = [](const QString& file, const QByteArray& text) {
        QFile out(file);
        return out.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && out.write(text) == text.size();
    };
    if (::geteuid() != 0 || !QDir().mkdir(group))
        QSKIP(
            "no memory control group can be made (not root, or none in this container), so no worker can run out of "
            "memory");
    const auto remove = qScopeGuard([&] { QDir().rmdir(group); });
    if (!put(group + (old ? "/memory.limit_in_bytes" : "/memory.max"), "200000000"))
        QSKIP("this control group takes no memory limit, so no worker can run out of memory");
    (void)put(group + (old ? "/memory.memsw.limit_in_bytes" : "/memory.swap.max"), old ? "200000000" : "0");

    auto experiment = tiny_experiment();
    experiment["data"]["train_tokens"] = 40000;
    experiment["model"]["d_model"] = 256;
    experiment["model"]["d_ff"] = 1024;
    experiment["model"]["n_layer"] = 8;
    experiment["model"]["context_length"] = 256;
    experiment["training"]["batch_size"] = 32;
    experiment["training"]["path"] = "reference";
    experiment["evaluation"] = {{"lengths", {256}}, {"modes", {"non-overlapping"}}, {"stride", 256}, {"tokens", 256}};
    experiment["variants"] = nlohmann::json::array();
    const QString file = write_json(folder_.filePath("large.json"), experiment);
    const QString project = folder_.filePath("memory");
    QProcess process;
    const QByteArray entry = (group + "/cgroup.procs").toLocal8Bit();
    process.setChildProcessModifier([entry] {
        const int descriptor = ::open(entry.constData(), O_WRONLY);
        if (descriptor < 0 || ::write(descriptor, "0", 1) != 1) ::_exit(99);
        ::close(descriptor);
    });
    process.start(program(), {"run", file, "--project", project, "--force", "--progress", "none"});
    QVERIFY(process.waitForStarted());
    const Finished finished = wait(process);
    QVERIFY2(finished.code == 7, (QByteArray::number(finished.code) + " " + finished.err).constData());
    QVERIFY2(finished.last_line().contains("memory ran out"), finished.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    QVERIFY(runs->front().state.phase == sextant::RunPhase::kFailed);
    QCOMPARE(runs->front().state.failed->code, 7);
    QVERIFY(runs->front().state.failed->message.find("memory ran out") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestStorageLimits)
#include "test_storage_limits.moc"
