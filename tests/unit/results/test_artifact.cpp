// The artifact of hand-made runs: keys against the published files, numbers against the fixture's arithmetic.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/results/artifact_audit.h"
#include "tests/unit/results/artifact_fixture.h"

using namespace sextant;
using namespace sextant_test;

namespace {
void collect(const Json& value, const std::string& at, std::set<std::string>& keys) {
    if (!value.is_object()) return;
    for (const auto& [name, child] : value.items()) {
        keys.insert(at + "/" + name);
        if (name != "architecture_stats" && name != "paper_results") collect(child, at + "/" + name, keys);
    }
}
Json plain(const OrderedJson& document) {
    return parse_json(dump_json(document)).value();
}
std::vector<std::string> failures(const Json& document) {
    std::vector<std::string> list;
    for (const AuditFinding& finding : audit_artifact(document).findings)
        if (finding.level == AuditLevel::kFailure) list.push_back(finding.pointer + " " + finding.sentence);
    return list;
}
}  // namespace

class TestArtifact : public QObject {
    Q_OBJECT
  private slots:
    void has_every_key_of_the_published_files() {
        const std::string folder = std::string(SEXTANT_SHARED_DIR) + "/published-metrics/";
        if (!QFile::exists(QString::fromStdString(folder))) QSKIP("the published files are not on this machine");
        std::set<std::string> ours;
        const auto document = artifact_of(finished(1));
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message.c_str());
        collect(plain(*document), "", ours);
        const std::set<std::string> listed(published_keys().begin(), published_keys().end());
        for (const char* name : {"alibi-public-seed42.json", "rope-public-seed42.json"}) {
            std::set<std::string> theirs;
            collect(read_json_file(folder + name).value(), "", theirs);
            for (const std::string& key : theirs)
                QVERIFY2(ours.count(key) == 1, key.c_str());
            QVERIFY(theirs == listed);  // what audit demands is exactly what they have
        }
        QCOMPARE((*document)["method"]["architecture_stats"],
                 OrderedJson({{"position_encoding", "linear-attention-bias"}, {"train_short_test_long", 1.0}}));
        QCOMPARE((*document)["paper_results"]["memory_percent"], OrderedJson(-11.0));
        QCOMPARE((*document)["manifest_ref"], OrderedJson("reproduction:alibi"));
        QCOMPARE((*document)["dataset"]["benchmark_suite"], OrderedJson("core"));
    }
    void numbers_follow_from_the_runs() {
        const auto document = artifact_of(finished(3));
        QVERIFY(document.ok());
        const auto value = [&](const char* pointer) {
            return document->at(OrderedJson::json_pointer(pointer)).get<double>();
        };
        QVERIFY(std::abs(value("/baseline/lm_loss") - 3.02) < 1e-12);
        QVERIFY(std::abs(value("/method/lm_loss") - 2.91) < 1e-12);
        QVERIFY(std::abs(value("/method/perplexity") - std::exp(2.91)) < 1e-9);
        QVERIFY(std::abs(value("/method/composite_loss") - (2.91 + 0.15 * 3.91)) < 1e-12);
        QVERIFY(std::abs(value("/method/primary") + (2.91 + 0.15 * 3.91)) < 1e-12);
        QVERIFY(std::abs(value("/relative/lm_loss_percent") - (2.91 - 3.02) / 3.02 * 100) < 1e-9);
        QVERIFY(std::abs(value("/baseline/initial_loss") - 6.243) < 1e-12);
        QVERIFY(std::abs(value("/extrapolation/rows/0/method/gap")) < 1e-12);
        QVERIFY(std::abs(value("/extrapolation/rows/2/method/gap") - 0.29) < 1e-12);
        QVERIFY(std::abs(value("/statistics/endpoint/difference") + 0.11) < 1e-12);
        QCOMPARE((*document)["statistics"]["claim"], OrderedJson("none: 3 pairs cannot reach p < 0.05, 6 are needed"));
        QCOMPARE((*document)["evaluation_protocol"]["formal_comparison"], OrderedJson(false));
        QCOMPARE((*document)["position_loss"][0]["method"].size(), std::size_t{64});
    }
    void what_was_not_measured_is_null_with_a_reason() {
        auto f = finished(1);
        for (ListedRun& run : f.runs) {
            for (EvaluationEvent& event : run.state.evaluations) {
                if (event.metric != "instruction_loss") continue;
                event.value = std::nan("");
                event.reason = "the experiment has no validation instructions";
            }
        }
        const auto document = artifact_of(f);
        QVERIFY(document.ok());
        for (const char* key : {"instruction_loss", "composite_loss", "primary", "post_training_loss",
                                "reward_bearing_group_rate", "muon_orthogonality_error"}) {
            QVERIFY((*document)["method"][key].is_null());
            QVERIFY2((*document)["reasons"].contains(std::string("/method/") + key), key);
        }
        QVERIFY(failures(plain(*document)).empty());
    }
    void only_the_three_blocks_vary() {
        const auto f = finished(2);
        auto again = f;
        for (ListedRun& run : again.runs) {
            run.state.completed->seconds *= 3;
            run.state.completed->peak_rss_mb += 50;
            run.state.completed->tokens_per_s /= 2;
            run.state.started->idle_rss_mb += 1;
            run.state.started->process = 77;
            run.state.started->host = "elsewhere";
            for (EvaluationEvent& event : run.state.evaluations) {
                event.tokens_per_s *= 2;
                event.peak_rss_mb += 5;
            }
        }
        auto a = plain(*artifact_of(f));
        auto b = plain(*artifact_of(again));
        QVERIFY(same_results(a, b));
        for (const char* key : {"timing", "memory", "provenance"}) {
            QVERIFY2(a[key] != b[key], key);
            a.erase(key);
            b.erase(key);
        }
        QCOMPARE(dump_json(a), dump_json(b));
        again.runs[0].state.evaluations[0].value += 1e-15 * 4;
        QVERIFY(!same_results(plain(*artifact_of(f)), plain(*artifact_of(again))));
    }
    void six_seeds_make_a_formal_comparison_that_audit_accepts() {
        const auto document = artifact_of(finished(6));
        QVERIFY(document.ok());
        QCOMPARE((*document)["evaluation_protocol"]["formal_comparison"], OrderedJson(true));
        QVERIFY((*document)["statistics"]["claim"].get<std::string>().starts_with("lower by 0.125"));
        const auto bad = failures(plain(*document));
        QVERIFY2(bad.empty(), bad.empty() ? "" : bad[0].c_str());
        auto dirty = finished(6);
        for (ListedRun& run : dirty.runs)
            run.state.started->commit = "0123456789ab-dirty";
        QCOMPARE((*artifact_of(dirty))["evaluation_protocol"]["formal_comparison"], OrderedJson(false));
    }
    void an_incomplete_seed_is_listed_and_not_used() {
        auto f = finished(3);
        f.runs[3].state.phase = RunPhase::kDiverged;  // alibi, seed 43
        f.runs[3].state.completed.reset();
        f.runs[3].state.evaluations.clear();
        const auto document = artifact_of(f);
        QVERIFY(document.ok());
        QCOMPARE((*document)["method"]["seeds"], OrderedJson({42, 44}));
        QCOMPARE((*document)["baseline"]["seeds"], OrderedJson({42, 44}));
        QVERIFY((*document)["per_seed"][1]["method"]["state"].get<std::string>().starts_with("diverged"));
        QVERIFY(failures(plain(*document)).empty());
        auto none = finished(1);
        none.runs[1].state.phase = RunPhase::kRunning;
        QCOMPARE(artifact_of(none).error().exit_status(), 4);
    }
    void runs_of_earlier_settings_are_left_out() {
        auto f = finished(2);
        const auto before = plain(*artifact_of(f));
        for (ListedRun& run : f.runs) {
            for (const ArmConfig& arm : f.experiment.arms()) {
                if (arm.name == run.plan.arm) {
                    run.plan.plan_sha256 = plan_hash(f.experiment, arm, run.plan.seed, run.plan.identity);
                }
            }
        }
        ListedRun stale = make_run(f.experiment, f.experiment.baseline, 42, 9.0);
        stale.plan.plan_sha256 = std::string(64, '0');
        f.runs.insert(f.runs.begin(), stale);
        f.runs.push_back(stale);
        QVERIFY(same_results(before, plain(*artifact_of(f))));
    }
    void scope_says_it_in_english_and_chinese() {
        const auto document = artifact_of(finished(1));
        const QString scope = QString::fromStdString((*document)["scope"].get<std::string>());
        QVERIFY(scope.startsWith("English: alibi"));
        QVERIFY(scope.contains(QString::fromUtf8("中文：")));
        QVERIFY(scope.contains("12 steps") && scope.contains("139,584") && scope.contains("2108.12409"));
    }
    void overrides_and_unequal_budgets_are_told() {
        auto f = finished(1);
        f.experiment.variants[0].training_overrides = R"({"steps":24})";
        const auto document = artifact_of(f);
        QCOMPARE((*document)["setup"]["same_tokens_optimizer_and_budget"], OrderedJson(false));
        QCOMPARE((*document)["method"]["overrides"]["training"]["steps"], OrderedJson(24));
        QCOMPARE((*document)["method"]["training_tokens"], OrderedJson(24 * 8 * 64));
        QVERIFY(failures(plain(*document)).empty());
        auto hidden = plain(*document);
        hidden["method"]["overrides"]["training"] = Json::object();
        QVERIFY(!failures(hidden).empty());
    }
    void dataset_info_round_trips() {
        QTemporaryDir folder;
        const Project project{folder.path().toStdString()};
        const auto f = finished(1);
        QVERIFY(!read_dataset_info(project).ok());
        QVERIFY(write_dataset_info(project, f.data).ok());
        const auto back = read_dataset_info(project);
        QVERIFY(back.ok());
        QCOMPARE(dump_json(to_json(*back)), dump_json(to_json(f.data)));
    }
    void base_parameter_counts_are_the_known_ones() {
        ModelConfig model;
        QCOMPARE(base_parameter_count(model), std::int64_t{139584});
        model.tie_embeddings = false;
        QCOMPARE(base_parameter_count(model), std::int64_t{172352});
        model = {};
        model.vocab_size = 32000;
        model.d_model = 4096;
        model.n_layer = 32;
        model.n_head = model.n_kv_head = 32;
        model.d_ff = 11008;
        model.tie_embeddings = false;
        QCOMPARE(base_parameter_count(model), std::int64_t{6738415616});
        QCOMPARE(default_d_ff(64), std::int64_t{192});
    }
};

QTEST_APPLESS_MAIN(TestArtifact)
#include "test_artifact.moc"
