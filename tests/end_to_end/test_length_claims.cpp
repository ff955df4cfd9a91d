// What the length experiments promise, through the command line: claims, identical arms, the paper's table, one
// training judged several ways, interrupted evaluation, task probes that can succeed, sliding windows that show what
// others hide.
#include <signal.h>

#include <QElapsedTimer>
#include <QtTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/run/event_log.h"
#include "core/run/run_directory.h"

using namespace end_to_end;
using nlohmann::json;

namespace {

constexpr int kPatience = 900'000;  // ms, for a machine that does much else

}  // namespace

class TestLengthClaims : public QObject {
    Q_OBJECT

  private slots:
    void sixPairsWithTwoVariantsNeedSevenAndEqualArmsAreIdentical();
    void oneSeedNeverClaims();
    void thePapersTableStandsBesideOursOnBothPaths();
    void oneTrainingIsJudgedWithEachScaling();
    void anInterruptedEvaluationContinuesAndRepeatsNothing();
    void aModelTrainedToCopyPassesTheProbe();
    void slidingWindowsShowWhereRopeFails();

  private:
    static json with_primary(json experiment) {
        experiment["evaluation"]["primary"] = {
            {"metric", "loss"}, {"length", 32}, {"mode", "non-overlapping"}, {"contrast", "alibi - rope"}};
        return experiment;
    }
    static Finished run(const QString& experiment, const QString& project, const QStringList& more = {}) {
        return call(QStringList{"run", experiment, "--project", project, "--progress", "none"} + more, {}, kPatience);
    }
    static json compared(const QString& project) {
        return json::parse(call({"compare", project, "--json"}).out.toStdString())["comparisons"][0];
    }
    QTemporaryDir folder_;
};

void TestLengthClaims::sixPairsWithTwoVariantsNeedSevenAndEqualArmsAreIdentical() {
    json experiment = with_primary(tiny_experiment());
    experiment["training"]["steps"] = 6;
    experiment["seeds"] = {1, 2, 3, 4, 5, 6};
    experiment["variants"].push_back({{"name", "rope again"}, {"encoding", {{"id", "rope"}}}});
    const QString project = folder_.filePath("six");
    const Finished finished = run(write_json(folder_.filePath("six.json"), experiment), project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    QVERIFY(finished.out.contains("6 pairs cannot reach p < 0.05, 7 are needed"));
    QVERIFY(finished.out.contains("same arm under two names"));
    QVERIFY(finished.err.contains("identical"));
    const json comparison = compared(project);
    QCOMPARE(comparison["pairs_needed"].get<int>(), 7);
    const json& alibi = comparison["variants"][0];
    QVERIFY(alibi["claim"].get<std::string>().starts_with("none: 6 pairs cannot reach p < 0.05, 7 are needed"));
    const json& again = comparison["variants"][1];
    QVERIFY(again["identical"].get<bool>());
    QCOMPARE(again["endpoint"]["n"].get<int>(), 6);
    QCOMPARE(again["endpoint"]["difference"].get<double>(), 0.0);
    QCOMPARE(again["endpoint"]["p"].get<double>(), 1.0);
    QCOMPARE(again["claim"].get<std::string>(), std::string("none: identical arms, an A/A comparison"));
    QCOMPARE(comparison["noise_floor"].get<double>(), 0.0);
    const QStringList artifacts = QDir(project + "/artifacts").entryList({"rope*"}, QDir::Files);
    QCOMPARE(artifacts.size(), 1);
    const Finished audit = call({"audit", project + "/artifacts/" + artifacts[0]});
    QVERIFY2(audit.code == 0, (audit.out + audit.err).constData());
    QVERIFY(audit.out.contains("A/A comparison"));
}

void TestLengthClaims::oneSeedNeverClaims() {
    const QString project = folder_.filePath("one");
    json experiment = with_primary(tiny_experiment());
    experiment["training"]["steps"] = 6;
    const Finished finished = run(write_json(folder_.filePath("one.json"), experiment), project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    for (const char* format : {"table", "csv", "latex", "markdown"}) {
        const QByteArray shown = call({"compare", project, "--format", format}).out.toLower();
        for (const char* word : {"winner", "better", "best", "wins", "textbf"})
            QVERIFY2(!shown.contains(word), shown.constData());
    }
    const json comparison = compared(project);
    const json& endpoint = comparison["variants"][0]["endpoint"];
    QCOMPARE(endpoint["claim"].get<std::string>(), std::string("none: 1 pair cannot reach p < 0.05, 6 are needed"));
    QCOMPARE(endpoint["p"].get<double>(), 1.0);
    QVERIFY(endpoint["interval"].is_null());
    QVERIFY(!read_json(project + "/artifacts/alibi.json")["evaluation_protocol"]["formal_comparison"].get<bool>());
}

void TestLengthClaims::thePapersTableStandsBesideOursOnBothPaths() {
    json experiment = tiny_experiment();
    experiment["model"]["context_length"] = 32;
    experiment["training"]["batch_size"] = 4;
    experiment["training"]["steps"] = 60;
    experiment["training"]["snapshot_every"] = 10;
    experiment["evaluation"]["lengths"] = {16, 32};
    experiment["baseline"] = {{"name", "sinusoidal"}, {"encoding", {{"id", "sinusoidal"}}}};
    experiment["variants"] = json::array({{{"name", "alibi"},
                                           {"encoding", {{"id", "alibi"}}},
                                           {"model", {{"context_length", 16}}},
                                           {"training", {{"batch_size", 8}}}}});
    const QString file = write_json(folder_.filePath("claim.json"), experiment);
    const QString project = folder_.filePath("claim");
    const Finished finished = run(file, project, {"--time-blocks", "6"});
    QVERIFY2(finished.code == 0, finished.err.constData());
    QCOMPARE(finished.out.count("-11.0 %"), 2);
    QVERIFY(finished.out.contains("fused path") && finished.out.contains("reference path"));
    const json record = read_json(project + "/paper-claim.json");
    QCOMPARE(record["published"], json({{"training_time_percent", -11.0}, {"memory_percent", -11.0}}));
    QCOMPARE(record["paths"].size(), std::size_t{2});
    for (const json& path : record["paths"]) {
        QCOMPARE(path["method"]["block_ms"].size(), std::size_t{6});
        QCOMPARE(path["baseline"]["block_ms"].size(), std::size_t{6});
        QCOMPARE(path["method"]["path"].get<std::string>(), path["path"].get<std::string>());
        QVERIFY(path["method"]["tokens_per_s"].get<double>() > 0.0);
        QVERIFY(path["time_a_step_interval_percent"].is_array());
        QVERIFY(path["memory_percent"].is_number());
        // Counted by hand for d = 32, d_ff = 32, one layer, 300 words: 16,768 weights in products; attention 12 d keys.
        const bool all_keys = path["path"] == "reference";
        const auto operations = [&](double length) {
            return 6.0 * (4 * 32 * 32 + 3 * 32 * 32 + 300 * 32) + 12.0 * 32 * (all_keys ? length : (length + 1) / 2);
        };
        const double expected = (operations(16) / operations(32) - 1.0) * 100.0;
        QVERIFY(std::abs(path["expected_time_percent"].get<double>() - expected) < 1e-9);
        QCOMPARE(path["expected_scores_percent"].get<double>(), -50.0);  // equal tokens a batch, half the length
    }
    const json& seed = record["steps_to_equal"][0];
    QCOMPARE(seed["method_curve"].size(), std::size_t{6});
    QCOMPARE(seed["method_curve"][5]["validation_loss"].get<double>(), seed["method_validation_loss"].get<double>());
    const json artifact = read_json(project + "/artifacts/alibi.json");
    QCOMPARE(artifact["paper_results"], json({{"training_time_percent", -11.0}, {"memory_percent", -11.0}}));
    QCOMPARE(artifact["timing"]["interleaved_blocks"]["paths"], record["paths"]);
    QVERIFY(artifact["setup"]["same_tokens_optimizer_and_budget"].get<bool>());  // as many tokens in all
    QFile kept(project + "/paper-claim.json");
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray before = kept.readAll();
    kept.close();
    const Finished again = run(file, project, {"--time-blocks", "6"});
    QCOMPARE(again.code, 0);
    QCOMPARE(again.out.count("-11.0 %"), 2);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), before);  // measured once
}

void TestLengthClaims::oneTrainingIsJudgedWithEachScaling() {
    json experiment = tiny_experiment();
    const auto scaled = [](const char* name) {
        return json{{"name", name},
                    {"encoding", {{"id", "rope"}}},
                    {"evaluation_encoding",
                     {{"id", "rope"}, {"parameters", {{"scaling", name}, {"factor", 2.0}, {"original_length", 16}}}}}};
    };
    experiment["variants"] = json::array({scaled("linear"), scaled("ntk")});
    const QString project = folder_.filePath("scaling");
    const QString file = write_json(folder_.filePath("scaling.json"), experiment);
    const Finished finished = run(file, project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    const auto runs = *sextant::list_runs({project.toStdString()});
    QCOMPARE(runs.size(), std::size_t{3});
    const auto value = [](const sextant::ListedRun& run, std::int64_t length) {
        for (const auto& event : run.state.evaluations)
            if (event.metric == "loss" && event.length == length && event.mode == "non-overlapping") return event.value;
        return std::nan("");
    };
    for (std::size_t i = 1; i < 3; ++i) {
        QCOMPARE(runs[i].state.completed->model_sha256, runs[0].state.completed->model_sha256);
        QCOMPARE(runs[i].state.completed->optimizer_sha256, runs[0].state.completed->optimizer_sha256);
        QCOMPARE(runs[i].state.completed->final_loss, runs[0].state.completed->final_loss);
        QCOMPARE(runs[i].state.steps.size(), runs[0].state.steps.size());
        QCOMPARE(runs[i].state.validations.size(), runs[0].state.validations.size());
        QCOMPARE(runs[i].state.steps.back().loss, runs[0].state.steps.back().loss);
        QVERIFY(!runs[i].state.warnings.empty());
        QVERIFY(runs[i].state.warnings.front().find(runs[0].plan.folder) != std::string::npos);
        QVERIFY(value(runs[i], 32) != value(runs[0], 32));
    }
    // Trained for itself where its donor is not there: the same weights to the bit.
    const QString alone = folder_.filePath("alone");
    QVERIFY(run(file, alone, {"--arms", "ntk"}).code == 0);
    const auto trained_alone = *sextant::list_runs({alone.toStdString()});
    for (const auto& one : trained_alone) {
        if (one.plan.arm != "ntk") continue;
        QVERIFY(one.state.warnings.empty());
        QCOMPARE(one.state.completed->model_sha256, runs[0].state.completed->model_sha256);
        QCOMPARE(value(one, 32), value(runs[2], 32));
    }
}

void TestLengthClaims::anInterruptedEvaluationContinuesAndRepeatsNothing() {
    json experiment = tiny_experiment();
    experiment["variants"] = json::array();
    experiment["training"]["steps"] = 4;
    experiment["data"]["test_tokens"] = 9300;
    experiment["evaluation"] = {{"lengths", {16, 32, 64, 128, 256}},
                                {"modes", {"non-overlapping", "sliding", "cold-start"}},
                                {"stride", 1},
                                {"tokens", 8192}};
    const QString file = write_json(folder_.filePath("long.json"), experiment);
    const QString project = folder_.filePath("long");
    const auto process = start({"run", file, "--project", project, "--progress", "none"});
    const auto evaluated = [&] {
        std::map<std::string, std::vector<std::int64_t>> times;
        const auto runs = sextant::list_runs({project.toStdString()});
        if (!runs || runs->empty()) return times;
        sextant::EventLogReader reader((*runs)[0].directory.event_log());
        for (;;) {
            const auto batch = reader.poll();
            if (!batch) break;
            for (const auto& event : batch->events) {
                if (const auto* value = std::get_if<sextant::EvaluationEvent>(&event.body); value != nullptr) {
                    times[value->metric + " " + std::to_string(value->length) + " " + value->mode].push_back(
                        event.time);
                }
            }
            if (!batch->more) break;
        }
        return times;
    };
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 120'000 && evaluated().count("loss 32 sliding") == 0)
        QThread::msleep(5);
    (void)::kill(-static_cast<pid_t>(process->processId()), SIGINT);
    const Finished stopped = wait(*process);
    QCOMPARE(stopped.code, 130);
    const auto before = evaluated();
    QVERIFY(before.count("loss 32 sliding") == 1);
    QVERIFY(before.count("loss 256 cold-start") == 0);
    const Finished resumed = run(file, project);
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    const auto after = evaluated();
    for (const char* mode : {"non-overlapping", "sliding", "cold-start"}) {
        for (const int length : {16, 32, 64, 128, 256})
            QCOMPARE(after.count("loss " + std::to_string(length) + " " + mode), std::size_t{1});
    }
    for (const auto& [what, times] : after) {
        if (what.rfind("loss ", 0) == 0 || what.rfind("lm_loss", 0) == 0)
            QVERIFY2(times.size() == 1, (what + " was evaluated twice").c_str());
        if (what.rfind("loss ", 0) == 0 && before.count(what) == 1) QCOMPARE(times, before.at(what));
    }
}

void TestLengthClaims::aModelTrainedToCopyPassesTheProbe() {
    json experiment = tiny_experiment();
    experiment["data"] = json::parse(R"({"corpus": {"kind": "copy", "distance": 8, "alphabet": 8},
        "tokenizer": {"kind": "bpe", "vocab_size": 257}, "train_tokens": 100000, "validation_tokens": 1000,
        "test_tokens": 2000, "instructions": {"kind": "none"}, "preferences": {"kind": "none"}})");
    experiment["model"] = {{"d_model", 32}, {"n_layer", 2}, {"n_head", 2}, {"d_ff", 64}, {"context_length", 32}};
    experiment["training"] = json::parse(R"({"optimizer": {"kind": "adamw", "learning_rate": 0.005}, "batch_size": 32,
        "steps": 300, "threads": 1})");
    experiment["evaluation"] = {{"lengths", {32}}, {"modes", {"non-overlapping"}}, {"tokens", 1024}};
    experiment["variants"] = json::array();
    const QString project = folder_.filePath("copy");
    const Finished finished = run(write_json(folder_.filePath("copy.json"), experiment), project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    const auto runs = *sextant::list_runs({project.toStdString()});
    const QString folder = QString::fromStdString(runs[0].directory.path);
    const auto probe = [&](const char* distances) {
        const Finished probed = call({"evaluate", "--run", folder, "--probe", "copy", "--lengths", "32", "--distances",
                                      distances, "--probes", "200", "--json"});
        return json::parse(probed.out.toStdString())["results"];
    };
    const json rows = probe("8,16");
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0]["probes"].get<int>(), 200);
    QVERIFY2(rows[0]["accuracy"].get<double>() >= 0.95, rows.dump().c_str());
    QCOMPARE(rows[0]["chance"].get<double>(), 1.0 / 64.0);  // two of eight letters
    QVERIFY(rows[0]["loss"].is_number());
    QVERIFY2(rows[1]["accuracy"].get<double>() < 0.5, rows.dump().c_str());  // a distance it was not trained for
    QCOMPARE(probe("8,16"), rows);                                           // the same texts every time
}

void TestLengthClaims::slidingWindowsShowWhereRopeFails() {
    json experiment = tiny_experiment();
    experiment["data"] =
        json::parse(R"({"corpus": {"kind": "synthetic"}, "tokenizer": {"kind": "bpe", "vocab_size": 300},
        "train_tokens": 60000, "validation_tokens": 1000, "test_tokens": 4200, "instructions": {"kind": "none"},
        "preferences": {"kind": "none"}})");
    experiment["model"] = {{"d_model", 32}, {"n_layer", 2}, {"n_head", 2}, {"d_ff", 64}, {"context_length", 16}};
    experiment["training"] = json::parse(R"({"optimizer": {"kind": "adamw", "learning_rate": 0.005}, "batch_size": 32,
        "steps": 400, "threads": 1})");
    experiment["evaluation"] = {
        {"lengths", {16, 32}}, {"modes", {"non-overlapping", "sliding"}}, {"stride", 1}, {"tokens", 4096}};
    const QString project = folder_.filePath("two");
    const Finished finished = run(write_json(folder_.filePath("two.json"), experiment), project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    QVERIFY(finished.out.contains("non-overlapping, N = 4,096") && finished.out.contains("sliding, N = 4,096"));
    const json comparison = compared(project);
    const auto loss = [&](const char* arm, const char* mode, int length) {
        for (const json& row : comparison["lengths"])
            if (row["arm"] == arm && row["mode"] == mode && row["length"] == length) return row["loss"].get<double>();
        return std::nan("");
    };
    // Every target at 2L sees positions beyond L in a sliding window, in a non-overlapping one half of them do not.
    QVERIFY(loss("rope", "sliding", 32) > loss("rope", "non-overlapping", 32) + 0.05);
    QVERIFY(loss("rope", "sliding", 16) < loss("rope", "non-overlapping", 16));
}

QTEST_GUILESS_MAIN(TestLengthClaims)
#include "test_length_claims.moc"
