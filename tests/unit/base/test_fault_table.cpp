// Each way of writing state x each way the disk can fail x each call that can be the one that fails. Afterwards, with
// the disk healthy again, the state read back must be the old or the new one, and writing must work. Prints the table.

#include <fcntl.h>

#include <QtTest>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/engine/checkpoint.h"
#include "core/experiment/presets.h"
#include "core/experiment/run_plan.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"
#include "tests/support/small_model.h"

using namespace sextant;

namespace {

enum class Fault {
    kOpen,
    kNoSpace,
    kShortThenNoSpace,
    kWriteError,
    kSync,
    kClose,
    kRename,
    kTruncate,
    kMakeFolder,
    kCrash,      // the process is gone at this call: it and all later ones have no effect
    kTornCrash,  // the same, but half of a write reached the disk
};

const std::vector<std::pair<Fault, const char*>> kFaults = {
    {Fault::kOpen, "open EACCES"},     {Fault::kNoSpace, "write ENOSPC"},    {Fault::kShortThenNoSpace, "short write"},
    {Fault::kWriteError, "write EIO"}, {Fault::kSync, "fsync EIO"},          {Fault::kClose, "close EIO"},
    {Fault::kRename, "rename EIO"},    {Fault::kTruncate, "truncate EIO"},   {Fault::kMakeFolder, "mkdir ENOSPC"},
    {Fault::kCrash, "crash"},          {Fault::kTornCrash, "crash in write"}};

// Fails the call number `index` among those the fault applies to.
class FaultyOperations : public FileOperations {
  public:
    FaultyOperations(Fault fault, int index) : fault_(fault), index_(index) {}
    [[nodiscard]] bool happened() const { return happened_; }

    int open(const char* path, int flags, unsigned mode) override {
        if (dead() || hit({Fault::kOpen, Fault::kCrash})) return failed(EACCES);
        return FileOperations::open(path, flags, mode);
    }
    ssize_t write(int descriptor, const void* data, std::size_t size) override {
        if (dead()) return failed(EIO);
        if (no_space_ || hit({Fault::kNoSpace})) {
            no_space_ = true;
            return failed(ENOSPC);
        }
        if (hit({Fault::kShortThenNoSpace})) {
            no_space_ = true;
            return FileOperations::write(descriptor, data, size / 2);
        }
        if (hit({Fault::kTornCrash})) {
            (void)FileOperations::write(descriptor, data, size / 2);
            return failed(EIO);
        }
        if (hit({Fault::kWriteError, Fault::kCrash})) return failed(EIO);
        return FileOperations::write(descriptor, data, size);
    }
    int fsync(int descriptor) override {
        if (dead() || hit({Fault::kSync, Fault::kCrash})) return failed(EIO);
        return FileOperations::fsync(descriptor);
    }
    int close(int descriptor) override {
        const int result = FileOperations::close(descriptor);
        if (dead() || hit({Fault::kClose, Fault::kCrash})) return failed(EIO);
        return result;
    }
    int rename(const char* from, const char* to) override {
        if (dead() || hit({Fault::kRename, Fault::kCrash})) return failed(EIO);
        return FileOperations::rename(from, to);
    }
    int unlink(const char* path) override {
        if (dead() || hit({Fault::kCrash})) return failed(EIO);
        return FileOperations::unlink(path);
    }
    int mkdir(const char* path, unsigned mode) override {
        if (dead() || hit({Fault::kMakeFolder, Fault::kCrash})) return failed(ENOSPC);
        return FileOperations::mkdir(path, mode);
    }
    int truncate(int descriptor, std::int64_t size) override {
        if (dead() || hit({Fault::kTruncate, Fault::kCrash})) return failed(EIO);
        return FileOperations::truncate(descriptor, size);
    }

  private:
    [[nodiscard]] bool dead() const { return happened_ && (fault_ == Fault::kCrash || fault_ == Fault::kTornCrash); }
    bool hit(std::initializer_list<Fault> faults) {
        for (const Fault fault : faults) {
            if (fault != fault_) continue;
            if (seen_++ != index_) return false;
            happened_ = true;
            return true;
        }
        return false;
    }
    static int failed(int reason) {
        errno = reason;
        return -1;
    }
    Fault fault_;
    int index_;
    int seen_ = 0;
    bool happened_ = false;
    bool no_space_ = false;
};

// One way of writing state. `prepare` makes the old state, `write` goes to the new one, `read` names what is there.
struct Operation {
    const char* name;
    std::function<void(const std::string&)> prepare;
    std::function<Status(const std::string&)> write;
    std::function<std::string(const std::string&)> read;  // "old", "new" or what it is instead
};

std::string text_at(const std::string& path) {
    const auto text = read_file(path);
    return text ? *text : "missing";
}

std::string events_at(const std::string& path) {
    EventLogReader reader(path);
    const auto batch = reader.poll();
    if (!batch) return batch.error().sentence();
    if (!batch->problems.empty()) return batch->problems.front();
    if (batch->events.size() == 1) return "old";
    return batch->events.size() == 2 ? "new" : std::to_string(batch->events.size()) + " events";
}

std::vector<RunPlan> plan_with(std::int64_t seeds) {
    Experiment experiment = find_preset("quick")->experiment;
    experiment.seeds.clear();
    for (std::int64_t seed = 0; seed < seeds; ++seed)
        experiment.seeds.push_back(seed);
    return *make_plan(experiment, {}, "/nowhere");
}

void must(const Status& status) {
    if (!status.ok()) qFatal("%s", status.error().sentence().c_str());
}

const std::string kOld = "old";
const std::string kNew(100'000, 'n');

Status save_step(const std::string& directory, std::int64_t step) {
    test::SmallModel model("rope");
    const EncodingConfig encoding{"rope", {}};
    Optimizer optimizer({}, {}, 10, 1.0, model.layout);
    model.values.data()[0] = static_cast<float>(step);
    CheckpointState state;
    state.step = step;
    return write_checkpoint(directory, {&model.config, &encoding, &model.layout, "", "arm"}, model.values.values(),
                            &optimizer, state, 2);
}

// The step of the newest whole checkpoint, judged by its weights too.
std::string newest_step(const std::string& directory) {
    test::SmallModel model("rope");
    Optimizer optimizer({}, {}, 10, 1.0, model.layout);
    const auto found = load_newest_checkpoint(directory, model.layout, model.values.values(), &optimizer);
    if (!found) return found.error().sentence();
    if (!*found || (*found)->folder.empty()) return "no checkpoint left";
    if (!(*found)->notes.empty()) return (*found)->notes.front();
    const std::int64_t step = (*found)->state.step;
    return model.values.data()[0] == static_cast<float>(step) ? std::to_string(step) : "weights of another step";
}

std::vector<Operation> operations() {
    return {
        {"write a checkpoint",
         [](const std::string& d) {
             must(save_step(d + "/c", 1));
             must(save_step(d + "/c", 2));
         },
         [](const std::string& d) { return save_step(d + "/c", 3); },  // and drops the first
         [](const std::string& d) {
             const std::string step = newest_step(d + "/c");
             return step == "2" ? "old" : step == "3" ? "new" : step;
         }},
        {"write it once more", [](const std::string& d) { must(save_step(d + "/c", 1)); },
         [](const std::string& d) { return save_step(d + "/c", 1); },
         [](const std::string& d) {
             const std::string step = newest_step(d + "/c");
             return step == "1" ? "new" : step;
         }},
        {"replace a document", [](const std::string& d) { must(write_file_atomically(d + "/f", kOld)); },
         [](const std::string& d) { return write_file_atomically(d + "/f", kNew); },
         [](const std::string& d) {
             const std::string text = text_at(d + "/f");
             return text == kOld ? "old" : text == kNew ? "new" : "other";
         }},
        {"create in a new folder", [](const std::string&) {},
         [](const std::string& d) -> Status {
             SEXTANT_CHECK(make_directories(d + "/a/b"));
             return write_file_atomically(d + "/a/b/f", kNew);
         },
         [](const std::string& d) {
             const std::string text = text_at(d + "/a/b/f");
             return text == "missing" ? "old" : text == kNew ? "new" : "other";
         }},
        {"rewrite the plan", [](const std::string& d) { must(write_plan(d, plan_with(2))); },
         [](const std::string& d) { return write_plan(d, plan_with(3)); },
         [](const std::string& d) -> std::string {
             const auto plan = read_plan(d);
             if (!plan) return plan.error().sentence();
             return plan->size() == 4 ? "old" : plan->size() == 6 ? "new" : "other";
         }},
        {"append an event",
         [](const std::string& d) {
             auto log = EventLogWriter::open(d + "/events.log");
             must(log->append(1, 1, StepEvent{1.0, 0, 0, 0}));
         },
         [](const std::string& d) -> Status {
             SEXTANT_TRY(log, EventLogWriter::open(d + "/events.log"));
             SEXTANT_CHECK(log.append(2, 2, StepEvent{2.0, 0, 0, 0}));
             return log.sync();
         },
         [](const std::string& d) { return events_at(d + "/events.log"); }},
        {"append behind a torn event",
         [](const std::string& d) {
             const std::string path = d + "/events.log";
             must(EventLogWriter::open(path)->append(1, 1, StepEvent{1.0, 0, 0, 0}));
             const std::string whole = text_at(path);
             must(write_file_atomically(path, whole + whole.substr(0, 40)));
         },
         [](const std::string& d) -> Status {
             SEXTANT_TRY(log, EventLogWriter::open(d + "/events.log"));
             return log.append(2, 2, StepEvent{2.0, 0, 0, 0});
         },
         [](const std::string& d) { return events_at(d + "/events.log"); }},
        {"append a command", [](const std::string& d) { must(send_control(d + "/c", ControlCommand::kPause)); },
         [](const std::string& d) { return send_control(d + "/c", ControlCommand::kStop); },
         [](const std::string& d) -> std::string {
             ControlReader reader(d + "/c", 0);
             const auto requests = reader.poll();
             if (requests.empty() || requests[0].command != ControlCommand::kPause) return "first command gone";
             return requests.size() == 1 ? "old" : requests.size() == 2 ? "new" : "other";
         }},
        {"take a lock", [](const std::string&) {},
         [](const std::string& d) -> Status {
             SEXTANT_TRY(lock, FileLock::acquire(d + "/lock"));
             return {};
         },
         [](const std::string& d) -> std::string {
             return FileLock::acquire(d + "/lock") ? "old" : "locked for ever";
         }},
    };
}

}  // namespace

class TestFaultTable : public QObject {
    Q_OBJECT

  private slots:
    void everyCellIsOldOrNew();
    void aFailureIsReportedInOneSentence();
};

void TestFaultTable::everyCellIsOldOrNew() {
    std::string table = "\n";
    char cell[64];
    std::snprintf(cell, sizeof cell, "%-27s", "");
    table += cell;
    for (const auto& [fault, name] : kFaults) {
        std::snprintf(cell, sizeof cell, " %-14s", name);
        table += cell;
    }
    table += "\n";
    int faults_tried = 0;
    std::vector<std::string> lost;
    for (const Operation& operation : operations()) {
        std::snprintf(cell, sizeof cell, "%-27s", operation.name);
        table += cell;
        for (const auto& [fault, name] : kFaults) {
            std::set<std::string> seen;
            for (int index = 0; index < 200; ++index) {
                QTemporaryDir folder;
                const std::string directory = folder.path().toStdString();
                operation.prepare(directory);
                FaultyOperations faulty(fault, index);
                set_file_operations(&faulty);
                const Status status = operation.write(directory);
                set_file_operations(nullptr);
                if (!faulty.happened()) {
                    QVERIFY2(status.ok(), operation.name);
                    QVERIFY2(index < 199, "an operation that never ends");
                    break;
                }
                ++faults_tried;
                std::string state = operation.read(directory);
                if (status.ok() && state == "old" && std::string(operation.name) != "take a lock") {
                    state = "claimed new, is old";
                }
                if (state != "old" && state != "new") {
                    lost.push_back(std::string(operation.name) + ", " + name + " at call " + std::to_string(index) +
                                   ": " + state);
                    state = "lost";
                }
                seen.insert(state);
                // With the disk healthy again the same step must go through.
                const Status again = operation.write(directory);
                QVERIFY2(again.ok(), (std::string(operation.name) + " after " + name + ": " +
                                      (again.ok() ? "" : again.error().sentence()))
                                         .c_str());
            }
            std::string text;
            for (const std::string& state : seen)
                text += (text.empty() ? "" : "/") + state;
            std::snprintf(cell, sizeof cell, " %-14s", text.empty() ? "-" : text.c_str());
            table += cell;
        }
        table += "\n";
    }
    std::printf("%s(\"-\": the operation makes no such call; %d faults injected)\n\n", table.c_str(), faults_tried);
    std::fflush(stdout);
    for (const std::string& one : lost)
        qWarning("%s", one.c_str());
    QVERIFY(lost.empty());
    QVERIFY(faults_tried > 100);
}

void TestFaultTable::aFailureIsReportedInOneSentence() {
    QTemporaryDir folder;
    FaultyOperations faulty(Fault::kNoSpace, 0);
    set_file_operations(&faulty);
    const Status status = write_file_atomically(folder.path().toStdString() + "/f", "x");
    set_file_operations(nullptr);
    QVERIFY(!status.ok());
    QCOMPARE(status.error().exit_status(), 6);
    QVERIFY(status.error().sentence().find("No space left on device") != std::string::npos);
    QVERIFY(QDir(folder.path()).isEmpty());  // no temporary file stays behind
}

QTEST_APPLESS_MAIN(TestFaultTable)
#include "test_fault_table.moc"
