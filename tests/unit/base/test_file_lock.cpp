#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <ctime>
#include <fstream>

#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"

using namespace sextant;

class TestFileLock : public QObject {
    Q_OBJECT

  private slots:
    void oneHolderAtATime();
    void aDeadHolderIsStale();
    void aReusedProcessNumberIsStale();
    void anotherHostIsNeverTakenOver();
    void aBrokenLockFileIsTakenOver();
    void anUnwritableFolderIsNamed();
    void onlyOneOfManyProcessesWins();

  private:
    std::string file(const char* name) { return folder_.path().toStdString() + "/" + name; }
    QTemporaryDir folder_;
};

static std::string this_host() {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

static void write_lock(const std::string& path, const std::string& host, long long process, long long start) {
    std::ofstream(path) << "{\"host\":\"" << host << "\",\"process\":" << process << ",\"process_start\":" << start
                        << "}\n";
}

void TestFileLock::oneHolderAtATime() {
    const std::string path = file("one");
    auto lock = FileLock::acquire(path);
    QVERIFY(lock.ok());
    const auto second = FileLock::acquire(path);
    QVERIFY(!second.ok());
    QCOMPARE(second.error().exit_status(), 6);
    QVERIFY(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
    QCOMPARE(FileLock::owner(path)->process, static_cast<std::int64_t>(::getpid()));
    lock->release();
    QVERIFY(!FileLock::owner(path));
    QVERIFY(FileLock::acquire(path).ok());
    QVERIFY(QDir(folder_.path()).isEmpty());
}

void TestFileLock::aDeadHolderIsStale() {
    const std::string path = file("dead");
    const pid_t child = ::fork();
    if (child == 0) {
        auto lock = FileLock::acquire(path);
        ::_exit(lock.ok() ? 0 : 1);  // without releasing it, as after kill -9
    }
    // Before anybody has waited for it the process is a zombie, which holds nothing either.
    siginfo_t info{};
    QCOMPARE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    QCOMPARE(info.si_status, 0);
    QCOMPARE(FileLock::owner(path)->process, static_cast<std::int64_t>(child));
    QVERIFY(!FileLock::owner(path)->alive());
    int status = 0;
    ::waitpid(child, &status, 0);
    QVERIFY(!FileLock::owner(path)->alive());
    QVERIFY(FileLock::acquire(path).ok());
}

void TestFileLock::aReusedProcessNumberIsStale() {
    const std::string path = file("reused");
    write_lock(path, this_host(), ::getpid(), 1);  // this process did not start one tick after boot
    QVERIFY(!FileLock::owner(path)->alive());
    QVERIFY(FileLock::acquire(path).ok());
}

void TestFileLock::anotherHostIsNeverTakenOver() {
    const std::string path = file("remote");
    write_lock(path, "another-host.example", 1, 1);
    const auto lock = FileLock::acquire(path);
    QVERIFY(!lock.ok());
    QVERIFY(lock.error().sentence().find("another-host.example") != std::string::npos);
    QVERIFY(QFile::exists(QString::fromStdString(path)));
}

void TestFileLock::aBrokenLockFileIsTakenOver() {
    for (const char* bytes : {"", "{", "[1]", "{\"host\":1}", "{\"process\":\"x\"}", "{\"process\":1e300}"}) {
        const std::string path = file("broken");
        std::ofstream(path) << bytes;
        // A lock just created may not have its owner in it yet; an old one without is broken.
        const timespec old[2] = {{std::time(nullptr) - 60, 0}, {std::time(nullptr) - 60, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), old, 0), 0);
        QVERIFY2(FileLock::acquire(path).ok(), bytes);
    }
}

void TestFileLock::anUnwritableFolderIsNamed() {
    const auto lock = FileLock::acquire("/proc/sextant-lock");
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().exit_status(), 6);
    QVERIFY(lock.error().sentence().find("/proc/sextant-lock") != std::string::npos);
}

void TestFileLock::onlyOneOfManyProcessesWins() {
    // Each of eight processes takes a stale lock two hundred times in all; whoever holds it must be alone.
    const std::string path = file("contested");
    const std::string counter = file("counter");
    write_lock(path, this_host(), ::getpid(), 1);
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (int done = 0; done < 25;) {
                auto lock = FileLock::acquire(path);
                if (!lock) {
                    ::usleep(500);
                    continue;
                }
                int value = 0;
                std::ifstream(counter) >> value;
                std::ofstream(counter) << value + 1;
                ++done;
            }
            ::_exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(status, 0);
    }
    int value = 0;
    std::ifstream(counter) >> value;
    QCOMPARE(value, 200);
}

QTEST_APPLESS_MAIN(TestFileLock)
#include "test_file_lock.moc"
