#include <QtTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/base/crc32c.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"

using namespace sextant;

class TestRunLog : public QObject {
    Q_OBJECT

  private slots:
    void checksumIsCastagnoli();
    void recordsReadBackWithNumbersAndSegments();
    void notANumberSurvives();
    void tornTailWaitsAndIsCutOffByTheNextWriter();
    void damagedRecordsAreSkippedAndNamed();
    void zerosWithoutEndAreRefusedAndKept();
    void unknownTypesAreIgnored();
    void aReplacedFileResetsTheReader();
    void controlIsNumberedAndReadOnce();
    void malformedControlLinesAreSkipped();

  private:
    std::string file(const char* name) { return folder_.path().toStdString() + "/" + name; }
    QTemporaryDir folder_;
};

static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

static void append_raw(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

static std::string record(const std::string& json) {
    char sum[16];
    std::snprintf(sum, sizeof sum, "%08x ", crc32c(json));
    return sum + json + "\n";
}

void TestRunLog::checksumIsCastagnoli() {
    QCOMPARE(crc32c("123456789"), 0xE3069283U);            // the check value of the CRC catalogue
    QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720, B.4
}

void TestRunLog::recordsReadBackWithNumbersAndSegments() {
    const std::string path = file("events.log");
    {
        auto writer = EventLogWriter::open(path);
        QVERIFY(writer.ok());
        QCOMPARE(writer->segment(), std::int64_t{0});
        QVERIFY(
            writer->append(0, 0, RunStarted{0, 139584, "cpu", "reference", 2, 1, "h", "c", 1.5, "b", "s", "{}"}).ok());
        QVERIFY(writer->append(1, 512, StepEvent{6.25, 1e-3, 0.1 + 0.2, 1000.0}).ok());
    }
    {
        auto writer = EventLogWriter::open(path);
        QCOMPARE(writer->segment(), std::int64_t{1});
        QVERIFY(writer->append(1, 512, ResumedEvent{1, "repeat"}).ok());
    }
    const std::string text = content(path);
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), 3);
    const std::string first = text.substr(0, text.find('\n'));
    char sum[16];
    std::snprintf(sum, sizeof sum, "%08x", crc32c(first.substr(9)));
    QCOMPARE(first.substr(0, 8), std::string(sum));
    EventLogReader reader(path);
    const auto batch = reader.poll();
    QVERIFY(batch.ok());
    QVERIFY(batch->problems.empty());
    QCOMPARE(batch->events.size(), std::size_t{3});
    for (std::int64_t i = 0; i < 3; ++i)
        QCOMPARE(batch->events[static_cast<std::size_t>(i)].seq, i);
    QCOMPARE(std::get<RunStarted>(batch->events[0].body).parameters, std::int64_t{139584});
    const auto step = std::get<StepEvent>(batch->events[1].body);
    QVERIFY(step.gradient_norm == 0.1 + 0.2);  // exact, not rounded
    QCOMPARE(batch->events[2].segment, std::int64_t{1});
    QCOMPARE(std::get<ResumedEvent>(batch->events[2].body).from_step, std::int64_t{1});
    QVERIFY(batch->events[0].time > 1'600'000'000'000'000'000);
    QVERIFY(reader.poll()->events.empty());
}

void TestRunLog::notANumberSurvives() {
    const std::string path = file("nan.log");
    auto writer = EventLogWriter::open(path);
    const double infinity = std::numeric_limits<double>::infinity();
    QVERIFY(writer->append(1, 1, StepEvent{std::nan(""), 0.0, infinity, -infinity}).ok());
    EvaluationEvent evaluation;
    evaluation.metric = "position_loss";
    evaluation.value = std::nan("");
    evaluation.values = {1.5, std::nan(""), infinity};
    QVERIFY(writer->append(1, 1, evaluation).ok());
    QVERIFY(content(path).find("\"loss\":\"nan\"") != std::string::npos);
    EventLogReader reader(path);
    const auto batch = reader.poll();
    const auto step = std::get<StepEvent>(batch->events.at(0).body);
    QVERIFY(std::isnan(step.loss));
    QVERIFY(step.gradient_norm == infinity && step.tokens_per_s == -infinity);
    const auto read = std::get<EvaluationEvent>(batch->events.at(1).body);
    QVERIFY(read.values.size() == 3 && std::isnan(read.values[1]) && read.values[2] == infinity);
}

void TestRunLog::tornTailWaitsAndIsCutOffByTheNextWriter() {
    const std::string path = file("torn.log");
    QVERIFY(EventLogWriter::open(path)->append(1, 1, ValidationEvent{2.0}).ok());
    const std::string whole = content(path);
    const std::string next = record(R"({"v":1,"seq":1,"segment":0,"type":"validation","step":2,"loss":1.0})");
    append_raw(path, next.substr(0, 30));
    EventLogReader reader(path);
    QCOMPARE(reader.poll()->events.size(), std::size_t{1});
    append_raw(path, next.substr(30));
    const auto rest = reader.poll();
    QCOMPARE(rest->events.size(), std::size_t{1});
    QVERIFY(rest->problems.empty());
    append_raw(path, "0123abcd {\"v\":1,\"ty");
    auto writer = EventLogWriter::open(path);
    QVERIFY(writer.ok());
    QCOMPARE(content(path), whole + next);
    QVERIFY(writer->append(3, 3, PausedEvent{}).ok());
    EventLogReader again(path);
    const auto all = again.poll();
    QCOMPARE(all->events.size(), std::size_t{3});
    QCOMPARE(all->events[2].seq, std::int64_t{2});
    QVERIFY(all->problems.empty());
}

void TestRunLog::damagedRecordsAreSkippedAndNamed() {
    const std::string path = file("damaged.log");
    const std::string good = record(R"({"v":1,"seq":0,"segment":0,"type":"paused","step":1})");
    std::string flipped = good;
    flipped[20] ^= 1;
    append_raw(path, good + flipped + "nonsense\n\n" + std::string(3, '\0') + "\n" +
                         record(R"({"type":"step","step":-1})") + record(R"({"type":"step","loss":[]})") +
                         record("[1]") + record(R"({"type":"step","step":1e400})") + good);
    EventLogReader reader(path);
    const auto batch = reader.poll();
    QVERIFY(batch.ok());
    QCOMPARE(batch->events.size(), std::size_t{2});
    QCOMPARE(batch->problems.size(), std::size_t{8});
    QVERIFY2(batch->problems[0].find("line 2") != std::string::npos, batch->problems[0].c_str());
    QVERIFY(batch->problems[0].find("checksum") != std::string::npos);
}

void TestRunLog::zerosWithoutEndAreRefusedAndKept() {
    // 2 GB of zeros took seconds to skip, again at each look; and a writer behind them would never be read.
    const std::string path = file("zeros.log");
    const std::string good = record(R"({"v":1,"seq":0,"segment":0,"type":"paused","step":1})");
    append_raw(path, good);
    QVERIFY(QFile::resize(QString::fromStdString(path), qint64{2} << 30));
    EventLogReader reader(path);
    const auto first = reader.poll();
    QVERIFY(first.ok());
    QCOMPARE(first->events.size(), std::size_t{1});
    const auto second = reader.poll();
    QVERIFY(!second.ok());
    QCOMPARE(second.error().exit_status(), 4);
    QVERIFY(second.error().message.find("byte " + std::to_string(good.size())) != std::string::npos);
    QVERIFY(!EventLogWriter::open(path).ok());
    QCOMPARE(QFileInfo(QString::fromStdString(path)).size(), qint64{2} << 30);
}

void TestRunLog::unknownTypesAreIgnored() {
    const std::string path = file("future.log");
    append_raw(path, record(R"({"v":9,"seq":0,"type":"teleported","step":1,"to":{"x":[1]}})"));
    EventLogReader reader(path);
    const auto batch = reader.poll();
    QVERIFY(batch->events.empty() && batch->problems.empty());
}

void TestRunLog::aReplacedFileResetsTheReader() {
    const std::string path = file("replaced.log");
    const std::string good = record(R"({"v":1,"seq":0,"segment":0,"type":"paused","step":1})");
    append_raw(path, good + good);
    EventLogReader reader(path);
    QCOMPARE(reader.poll()->events.size(), std::size_t{2});
    std::ofstream(path, std::ios::trunc) << good;
    const auto batch = reader.poll();
    QVERIFY(batch->reset);
    QCOMPARE(batch->events.size(), std::size_t{1});
    QVERIFY(EventLogReader(file("absent.log")).poll()->events.empty());
}

void TestRunLog::controlIsNumberedAndReadOnce() {
    const std::string path = file("control.jsonl");
    QVERIFY(send_control(path, ControlCommand::kPause).ok());
    QVERIFY(send_control(path, ControlCommand::kStop).ok());
    QCOMPARE(content(path), std::string("{\"seq\":1,\"command\":\"pause\"}\n{\"seq\":2,\"command\":\"stop\"}\n"));
    ControlReader fresh(path, 0);
    const auto both = fresh.poll();
    QCOMPARE(both.size(), std::size_t{2});
    QVERIFY(both[1].command == ControlCommand::kStop);
    QVERIFY(fresh.poll().empty());
    ControlReader later(path, 1);
    QCOMPARE(later.poll().size(), std::size_t{1});
    QVERIFY(send_control(path, ControlCommand::kResume).ok());
    QCOMPARE(later.poll().at(0).seq, std::int64_t{3});
    QVERIFY(ControlReader(file("absent.jsonl"), 0).poll().empty());
}

void TestRunLog::malformedControlLinesAreSkipped() {
    const std::string path = file("hostile.jsonl");
    append_raw(path,
               "{\"seq\":5,\"command\":\"pause\"}\nrm -rf\n{\"seq\":\"6\",\"command\":\"stop\"}\n"
               "{\"seq\":7,\"command\":\"explode\"}\n{\"seq\":18446744073709551615,\"command\":\"stop\"}\n"
               "{\"seq\":9223372036854775807,\"command\":\"stop\"}\n" +  // nothing could be numbered after it
                   std::string(100000, '[') +
                   "\n{\"seq\":8,\"comm");
    ControlReader reader(path, 0);
    const auto requests = reader.poll();
    QCOMPARE(requests.size(), std::size_t{1});
    QCOMPARE(requests[0].seq, std::int64_t{5});
    QVERIFY(send_control(path, ControlCommand::kStop).ok());  // behind a torn line: on a line of its own
    const auto more = reader.poll();
    QCOMPARE(more.size(), std::size_t{1});
    QCOMPARE(more[0].seq, std::int64_t{6});
}

QTEST_APPLESS_MAIN(TestRunLog)
#include "test_run_log.moc"
