// run --sweep from outside: equal trials, choice on validation, one reading of the test split, interruption.
#include <signal.h>

#include <QElapsedTimer>
#include <QtTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "command_line.h"
#include "core/run/event_log.h"
#include "core/run/run_directory.h"

using namespace end_to_end;
using nlohmann::json;

namespace {

const QString kRates = "/training/optimizer/learning_rate=3e-5,3e-3,1e-3";
constexpr int kPatience = 900'000;  // ms, for a machine that does much else

// Evaluation records of a run's log on a split, in the order they were written (a fold would hide a repetition).
std::vector<sextant::EvaluationEvent> evaluations(const sextant::ListedRun& run, const std::string& split) {
    std::vector<sextant::EvaluationEvent> found;
    sextant::EventLogReader reader(run.directory.event_log());
    for (;;) {
        const auto batch = reader.poll();
        if (!batch) break;
        for (const auto& event : batch->events) {
            const auto* value = std::get_if<sextant::EvaluationEvent>(&event.body);
            if (value != nullptr && value->split == split) found.push_back(*value);
        }
        if (!batch->more) break;
    }
    return found;
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void everyArmGetsTheSameTrialsAndTheLowestIsChosen();
    void theTestSplitIsReadOnceByTheChosen();
    void artifactAndCompareRecordAllTrials();
    void repeatingChangesNothingAndOtherValuesAreRefused();
    void anInterruptedSweepContinues();
    void whatWouldChangeTheBudgetIsRefused_data();
    void whatWouldChangeTheBudgetIsRefused();

  private:
    [[nodiscard]] QStringList words(const QString& project, const QString& values = kRates) const {
        return {"run", experiment_, "--project", project, "--progress", "none", "--sweep", values};
    }
    QTemporaryDir folder_;
    QString experiment_, project_;
    Finished first_;
};

void TestSweep::initTestCase() {
    json experiment = tiny_experiment();
    experiment["training"]["steps"] = 80;
    experiment["training"]["evaluate_every"] = 30;  // the last step is validated all the same
    experiment["seeds"] = {42};
    experiment["evaluation"]["primary"] = {
        {"metric", "loss"}, {"length", 16}, {"mode", "non-overlapping"}, {"contrast", "alibi - rope"}};
    experiment_ = write_json(folder_.filePath("e.json"), experiment);
    project_ = folder_.filePath("swept");
    first_ = call(words(project_), {}, kPatience);
    QVERIFY2(first_.code == 0, first_.err.constData());
}

void TestSweep::everyArmGetsTheSameTrialsAndTheLowestIsChosen() {
    const json record = read_json(project_ + "/sweep.json");
    const auto runs = *sextant::list_runs({project_.toStdString()});
    QCOMPARE(runs.size(), std::size_t{6});  // 2 arms x 3 values
    // From the logs alone: validation loss after the last step, by arm and learning rate.
    std::map<std::string, std::map<double, double>> means;
    for (const auto& run : runs) {
        QVERIFY(run.state.completed.has_value());
        QCOMPARE(run.state.validations.back().step, std::int64_t{80});
        means[run.plan.arm][run.plan.training.optimizer.learning_rate] = run.state.validations.back().loss;
    }
    QCOMPARE(means.size(), std::size_t{2});
    for (const json& arm : record["arms"]) {
        const auto& ours = means.at(arm["arm"].get<std::string>());
        QCOMPARE(ours.size(), std::size_t{3});
        double lowest = INFINITY;
        double rate = 0.0;
        for (const auto& [value, loss] : ours) {
            if (loss < lowest) {
                lowest = loss;
                rate = value;
            }
        }
        QCOMPARE(arm["trials"].size(), std::size_t{3});
        const json& chosen = arm["trials"][arm["chosen"].get<std::size_t>()];
        QCOMPARE(chosen["settings"]["/training/optimizer/learning_rate"].get<double>(), rate);
        QVERIFY(std::abs(chosen["validation_loss"].get<double>() - lowest) < 1e-12);
        for (const json& trial : arm["trials"])
            QCOMPARE(trial["runs"].size(), std::size_t{1});
    }
    const json kept = read_json(project_ + "/experiment.json");
    QCOMPARE(kept["baseline"]["training"]["optimizer"]["learning_rate"].get<double>(), 3e-3);
    QVERIFY(record["test_split_read"].is_string());
}

void TestSweep::theTestSplitIsReadOnceByTheChosen() {
    const json record = read_json(project_ + "/sweep.json");
    std::set<std::string> chosen;
    for (const json& arm : record["arms"])
        for (const json& run : arm["trials"][arm["chosen"].get<std::size_t>()]["runs"])
            chosen.insert(run["folder"].get<std::string>());
    QCOMPARE(chosen.size(), std::size_t{2});
    const auto runs = *sextant::list_runs({project_.toStdString()});
    for (const auto& run : runs) {
        const auto read = evaluations(run, "test");
        if (chosen.count(run.plan.folder) == 0) {
            QVERIFY2(read.empty(), run.plan.folder.c_str());
            continue;
        }
        std::set<std::string> seen;
        for (const auto& value : read) {
            const std::string key = value.metric + " " + std::to_string(value.length) + " " + value.mode;
            QVERIFY2(seen.insert(key).second, key.c_str());
        }
        QCOMPARE(seen.count("lm_loss 16 non-overlapping"), std::size_t{1});
        QCOMPARE(seen.count("loss 32 sliding"), std::size_t{1});
    }
}

void TestSweep::artifactAndCompareRecordAllTrials() {
    const QString file = project_ + "/artifacts/alibi.json";
    json artifact = read_json(file);
    QCOMPARE(artifact["sweep"]["arms"].size(), std::size_t{2});
    QCOMPARE(artifact["sweep"]["arms"][0]["trials"].size(), std::size_t{3});
    const Finished audit = call({"audit", file});
    QVERIFY2(audit.code == 0, (audit.out + audit.err).constData());
    QVERIFY(audit.out.contains("/sweep"));
    // A choice that is not the lowest, or a trial that one arm did not get, is found by a stranger.
    json other = artifact;
    other["sweep"]["arms"][1]["chosen"] = 0;
    const Finished wrong = call({"audit", write_json(folder_.filePath("wrong.json"), other)});
    QCOMPARE(wrong.code, 4);
    QVERIFY2(wrong.last_line().contains("lowest validation loss"), wrong.err.constData());
    other = artifact;
    other["sweep"]["arms"][1]["trials"].erase(2);
    QCOMPARE(call({"audit", write_json(folder_.filePath("unequal.json"), other)}).code, 4);
    const json compared = json::parse(call({"compare", project_, "--json"}).out.toStdString());
    QCOMPARE(compared["comparisons"][0]["sweep"]["arms"][1]["trials"].size(), std::size_t{3});
    const json from_file = json::parse(call({"compare", file, "--json"}).out.toStdString());
    QCOMPARE(from_file["comparisons"][0]["sweep"]["arms"][1]["trials"].size(), std::size_t{3});
    QVERIFY(first_.out.contains("sweep of rope, 3 trials on 1 seed,"));
    QVERIFY(first_.out.contains("chosen learning_rate=0.003"));
}

void TestSweep::repeatingChangesNothingAndOtherValuesAreRefused() {
    const auto bytes = [&](const QString& name) {
        QFile file(project_ + name);
        (void)file.open(QIODevice::ReadOnly);
        return file.readAll();
    };
    const QByteArray record = bytes("/sweep.json");
    const QByteArray artifact = bytes("/artifacts/alibi.json");
    const std::string before = identity_of(project_);
    const Finished again = call(words(project_), {}, kPatience);
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(bytes("/sweep.json"), record);
    QCOMPARE(bytes("/artifacts/alibi.json"), artifact);
    QCOMPARE(identity_of(project_), before);
    theTestSplitIsReadOnceByTheChosen();
    const Finished other = call(words(project_, "/training/optimizer/learning_rate=3e-3,1e-2"));
    QCOMPARE(other.code, 3);
    QVERIFY2(other.last_line().contains("read the test split"), other.err.constData());
    QCOMPARE(bytes("/sweep.json"), record);
}

void TestSweep::anInterruptedSweepContinues() {
    json experiment = read_json(experiment_);
    experiment["training"]["steps"] = 1500;  // long enough for a signal to arrive in the first trials
    experiment["training"]["checkpoint_every"] = 0;
    experiment["seeds"] = {42};
    const QString file = write_json(folder_.filePath("long.json"), experiment);
    const QString values = "/training/optimizer/learning_rate=1e-3,3e-3";
    const auto arguments = [&](const QString& project) {
        return QStringList{"run", file, "--project", project, "--progress", "none", "--sweep", values, "--jobs", "1"};
    };
    const QString whole = folder_.filePath("whole");
    const Finished straight = call(arguments(whole), {}, kPatience);
    QVERIFY2(straight.code == 0, straight.err.constData());
    const QString project = folder_.filePath("interrupted");
    const auto process = start(arguments(project));
    QElapsedTimer timer;
    timer.start();
    const auto second_trains = [&] {
        const auto runs = sextant::list_runs({project.toStdString()});
        return runs && runs->size() >= 2 && (*runs)[0].state.completed && (*runs)[1].state.step >= 20;
    };
    while (timer.elapsed() < 120'000 && !second_trains())
        QThread::msleep(5);
    (void)::kill(-static_cast<pid_t>(process->processId()), SIGINT);
    QCOMPARE(wait(*process).code, 130);
    QVERIFY(!QFile::exists(project + "/experiment.json"));  // nothing is chosen yet
    const auto stopped = *sextant::list_runs({project.toStdString()});
    const auto trained = stopped[0].state.steps;
    QVERIFY(stopped[1].state.phase == sextant::RunPhase::kCancelled);
    const Finished resumed = call(arguments(project), {}, kPatience);
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    const auto runs = *sextant::list_runs({project.toStdString()});
    QCOMPARE(runs[0].state.steps.size(), trained.size());
    for (std::size_t i = 0; i < trained.size(); ++i)
        QCOMPARE(runs[0].state.steps[i].time, trained[i].time);  // not trained again
    json a = read_json(whole + "/sweep.json");
    json b = read_json(project + "/sweep.json");
    a.erase("test_split_read");
    b.erase("test_split_read");
    QCOMPARE(b.dump(), a.dump());
    QCOMPARE(identity_of(project), identity_of(whole));
}

void TestSweep::whatWouldChangeTheBudgetIsRefused_data() {
    QTest::addColumn<QString>("values");
    QTest::addColumn<int>("code");
    QTest::newRow("steps") << "/training/steps=10,20" << 2;
    QTest::newRow("width") << "/model/d_model=32,64" << 2;
    QTest::newRow("data") << "/data/train_tokens=1000,2000" << 2;
    QTest::newRow("twice") << "/training/gradient_clip=1,1" << 2;
    QTest::newRow("empty") << "/training/gradient_clip=" << 2;
    QTest::newRow("no value") << "/training/gradient_clip" << 2;
    QTest::newRow("out of range") << "/training/optimizer/learning_rate=1e-3,-1" << 3;
    QTest::newRow("no such key") << "/training/optimizer/learning_rat=1e-3" << 3;
}

void TestSweep::whatWouldChangeTheBudgetIsRefused() {
    QFETCH(QString, values);
    QFETCH(int, code);
    const QString project = folder_.filePath("refused");
    const Finished finished = call(words(project, values));
    QCOMPARE(finished.code, code);
    QCOMPARE(finished.error_lines(), 1);
    QVERIFY(!QFile::exists(project));
}

QTEST_GUILESS_MAIN(TestSweep)
#include "test_sweep.moc"
