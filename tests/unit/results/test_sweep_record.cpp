// The choice of a sweep, and what an auditor finds in one that is not fair.
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/results/sweep_record.h"

using namespace sextant;

namespace {

// Two arms, three learning rates, two seeds; losses[arm][trial][seed], NaN: diverged.
SweepRecord record_of(const std::vector<std::vector<std::vector<double>>>& losses) {
    SweepRecord record;
    record.pointers = {"/training/optimizer/learning_rate"};
    record.seeds = {42, 43};
    const std::vector<std::string> rates{"0.001", "0.003", "0.01"};
    for (std::size_t a = 0; a < losses.size(); ++a) {
        SweepArm arm{"arm" + std::to_string(a), {}, {}};
        for (std::size_t t = 0; t < losses[a].size(); ++t) {
            SweepTrial trial{R"({"/training/optimizer/learning_rate":)" + rates[t] + "}", {}, {}};
            for (std::size_t s = 0; s < losses[a][t].size(); ++s) {
                const double loss = losses[a][t][s];
                SweepRun run{record.seeds[s], "folder", std::isnan(loss) ? "diverged" : "completed", {}};
                if (!std::isnan(loss)) run.validation_loss = loss;
                trial.runs.push_back(run);
            }
            arm.trials.push_back(trial);
        }
        record.arms.push_back(arm);
    }
    return record;
}

const double kNone = std::nan("");

}  // namespace

class TestSweepRecord : public QObject {
    Q_OBJECT
  private slots:
    void each_arm_gets_its_lowest_mean() {
        SweepRecord record = record_of({{{3.0, 3.2}, {2.9, 2.8}, {2.0, kNone}}, {{2.5, 2.5}, {2.6, 2.4}, {9, 9}}});
        QVERIFY(choose_trials(record).ok());
        QCOMPARE(*record.arms[0].chosen, std::size_t{1});  // 2.85; the diverged one cannot be chosen
        QVERIFY(std::abs(*record.arms[0].trials[0].validation_loss - 3.1) < 1e-12);
        QVERIFY(!record.arms[0].trials[2].validation_loss.has_value());
        QCOMPARE(*record.arms[1].chosen, std::size_t{0});  // equal means: the earlier
        QVERIFY(sweep_problems(record).empty());
    }
    void no_finite_trial_is_an_outcome() {
        SweepRecord record = record_of({{{3.0, 3.0}, {2.0, 2.0}}, {{kNone, 1.0}, {1.0, kNone}}});
        const Status status = choose_trials(record);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().exit_status(), 5);
        QVERIFY(status.error().message.find("arm1") != std::string::npos);
    }
    void the_record_survives_its_file() {
        SweepRecord record = record_of({{{3.0, 3.2}, {2.9, 2.8}}, {{2.5, kNone}, {2.6, 2.4}}});
        QVERIFY(choose_trials(record).ok());
        record.test_read = "2026-01-01T00:00:00Z";
        const auto again = sweep_from_json(parse_json(dump_json(to_json(record))).value());
        QVERIFY(again.ok());
        QVERIFY(again->arms == record.arms);
        QVERIFY(again->seeds == record.seeds && again->pointers == record.pointers);
        QCOMPARE(again->test_read, record.test_read);
        QVERIFY(record.same_question(*again));
        SweepRecord other = *again;
        other.arms[0].trials.pop_back();
        QVERIFY(!record.same_question(other));
        for (const char* bad : {"{}", "[]", R"({"pointers":[],"seeds":[],"arms":[{}]})",
                                R"({"pointers":[],"seeds":[],"arms":[{"arm":"a","trials":[],"chosen":0}]})"})
            QVERIFY2(!sweep_from_json(parse_json(bad).value()).ok(), bad);
    }
    void unequal_treatment_is_found() {
        SweepRecord fair = record_of({{{3.0, 3.2}, {2.9, 2.8}}, {{2.5, 2.7}, {2.6, 2.4}}});
        QVERIFY(choose_trials(fair).ok());
        const auto problems = [&](auto change) {
            SweepRecord bad = fair;
            change(bad);
            return sweep_problems(bad).size();
        };
        QCOMPARE(problems([](SweepRecord&) {}), std::size_t{0});
        QCOMPARE(problems([](SweepRecord& r) { r.arms[1].chosen = 0; }), std::size_t{1});
        QVERIFY(problems([](SweepRecord& r) { r.arms[1].trials.erase(r.arms[1].trials.begin()); }) > 0);
        QVERIFY(problems([](SweepRecord& r) { r.arms[1].trials[0].runs.pop_back(); }) > 0);
        QVERIFY(problems([](SweepRecord& r) { r.arms[0].trials[0].validation_loss = 1.0; }) > 0);
        QVERIFY(problems([](SweepRecord& r) { r.arms[0].trials[0].settings = "{}"; }) > 0);
    }
    void settings_become_overrides() {
        ArmConfig arm;
        arm.training_overrides = R"({"steps":5,"optimizer":{"kind":"sgd"}})";
        arm = with_settings(arm, R"({"/training/optimizer/learning_rate":0.5,"/model/initializer/std":0.1})");
        QCOMPARE(arm.training_overrides, std::string(R"({"optimizer":{"kind":"sgd","learning_rate":0.5},"steps":5})"));
        QCOMPARE(arm.model_overrides, std::string(R"({"initializer":{"std":0.1}})"));
    }
};

QTEST_APPLESS_MAIN(TestSweepRecord)
#include "test_sweep_record.moc"
