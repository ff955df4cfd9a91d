// Sentences and tables from hand-made results whose right answers are known.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/comparison.h"

using namespace sextant;

namespace {

const Measure kEndpoint{"loss", 64, "non-overlapping", 64, 32768};

// Variant differs from the baseline by difference[i] at seed i.
ComparisonInput make(const std::vector<std::vector<double>>& differences) {
    ComparisonInput input;
    input.title = "test";
    input.baseline.name = "llama_modern";
    input.baseline.encoding = "rope";
    input.baseline.context_length = 64;
    input.primary = PrimaryEndpoint{"loss", 64, "non-overlapping", ""};
    for (std::size_t v = 0; v < differences.size(); ++v) {
        ArmResult arm;
        arm.name = "variant" + std::to_string(v);
        arm.configuration = std::to_string(v);
        arm.context_length = 64;
        for (std::size_t i = 0; i < differences[v].size(); ++i) {
            const auto seed = static_cast<std::int64_t>(i);
            const double base = 3.0 + 0.01 * static_cast<double>(i);
            input.baseline.seeds[seed].values[kEndpoint] = base;
            input.baseline.seeds[seed].complete = true;
            arm.seeds[seed].values[kEndpoint] = base + differences[v][i];
            arm.seeds[seed].complete = true;
        }
        input.variants.push_back(arm);
    }
    return input;
}
std::string claim_of(const ComparisonInput& input, std::size_t variant = 0) {
    return compare_arms(input).variants[variant].primary.claim;
}
const std::vector<double> kBetter{-0.1, -0.2, -0.15, -0.12, -0.11, -0.3};

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT
  private slots:
    void one_seed_never_claims() {
        const auto input = make({{-5.0}});
        QCOMPARE(claim_of(input), std::string("none: 1 pair cannot reach p < 0.05, 6 are needed"));
        for (const std::string& text :
             {comparison_table(compare_arms(input)), comparison_latex(compare_arms(input)),
              comparison_markdown(compare_arms(input)), comparison_csv(compare_arms(input))}) {
            const QString shown = QString::fromStdString(text).toLower();
            for (const char* word : {"winner", "better", "best", "wins", "textbf"})
                QVERIFY2(!shown.contains(word), qPrintable(shown));
        }
    }
    void six_pairs_with_two_variants_need_seven() {
        const std::string claim = claim_of(make({kBetter, kBetter}), 1);
        QVERIFY2(claim.starts_with("none: 6 pairs cannot reach p < 0.05, 7 are needed"), claim.c_str());
    }
    void six_pairs_of_one_sign_claim() {
        const Comparison comparison = compare_arms(make({kBetter}));
        const PairedResult& result = comparison.variants[0].primary;
        QVERIFY2(result.claim.starts_with("lower by 0.1633"), result.claim.c_str());
        QVERIFY(QString::fromStdString(result.claim).contains("over 6 seeds on this corpus and test text"));
        QCOMPARE(result.test.p, 0.03125);
        QCOMPARE(result.interval->low, *std::min_element(kBetter.begin(), kBetter.end()));
        std::vector<double> worse = kBetter;
        for (double& value : worse)
            value = -value;
        QVERIFY(claim_of(make({worse})).starts_with("higher by 0.1633"));
    }
    void mixed_signs_show_nothing() {
        QCOMPARE(claim_of(make({{0.1, -0.1, 0.2, -0.15, 0.05, 0.01}})),
                 std::string("no difference shown (not the same as equal)"));
    }
    void holm_is_used_for_the_claim() {
        // Seven pairs, two variants: one all of one sign (p = 2/128, adjusted 4/128), one with a single small opposite
        // difference (p = 4/128, adjusted 4/128 as the larger of the two steps).
        std::vector<double> clear(7, -0.1);
        for (std::size_t i = 0; i < 7; ++i)
            clear[i] -= 0.01 * static_cast<double>(i);
        std::vector<double> nearly = clear;
        nearly[0] = 0.001;
        const Comparison comparison = compare_arms(make({clear, nearly}));
        QCOMPARE(comparison.variants[0].primary.adjusted_p, 4.0 / 128.0);
        QCOMPARE(comparison.variants[1].primary.test.p, 4.0 / 128.0);
        QCOMPARE(comparison.variants[1].primary.adjusted_p, 4.0 / 128.0);
        QVERIFY(comparison.variants[0].primary.claim.starts_with("lower"));
        QVERIFY(QString::fromStdString(comparison.variants[0].primary.claim).contains("Holm"));
    }
    void absent_variants_still_count() {
        auto input = make({kBetter});
        input.family_size = 2;
        QVERIFY(claim_of(input).starts_with("none: 6 pairs cannot reach p < 0.05, 7 are needed"));
    }
    void a_margin_gives_not_worse() {
        auto input = make({{0.01, -0.01, 0.02, -0.02, 0.005, 0.003}});
        input.margin = 0.05;
        QVERIFY2(claim_of(input).starts_with("not worse by more than 0.05"), claim_of(input).c_str());
        input.margin = 0.015;  // two seeds are worse than that
        QCOMPARE(claim_of(input), std::string("no difference shown (not the same as equal)"));
    }
    void nothing_declared_claims_nothing() {
        auto input = make({kBetter});
        input.primary.reset();
        QVERIFY(claim_of(input).starts_with("none:"));
        input = make({kBetter});
        input.primary->length = 512;
        QVERIFY(claim_of(input).starts_with("none:"));
    }
    void identical_arms_are_announced() {
        auto input = make({{0, 0, 0, 0, 0, 0}});
        input.baseline.configuration = input.variants[0].configuration = "same";
        const Comparison comparison = compare_arms(input);
        QVERIFY(comparison.variants[0].identical);
        QCOMPARE(comparison.variants[0].primary.difference, 0.0);
        QCOMPARE(comparison.variants[0].primary.test.p, 1.0);
        QCOMPARE(*comparison.noise_floor, 0.0);
        QVERIFY(QString::fromStdString(comparison_table(comparison)).contains("same arm under two names"));
        QVERIFY(comparison.variants[0].primary.claim.starts_with("none: identical arms"));
    }
    void a_diverged_seed_is_named_and_not_imputed() {
        auto input = make({kBetter});
        input.variants[0].seeds[2].values.clear();
        input.variants[0].seeds[2].complete = false;
        input.variants[0].seeds[2].state = "diverged at step 7";
        const Comparison comparison = compare_arms(input);
        QCOMPARE(comparison.variants[0].primary.pairs(), std::size_t{5});
        const QString table = QString::fromStdString(comparison_table(comparison));
        QVERIFY2(table.contains("variant0 seed 2: diverged at step 7"), qPrintable(table));
    }
    void gaps_and_longest_length_are_per_seed_means() {
        auto input = make({{0.0, 0.0}});
        for (ArmResult* arm : {&input.baseline, &input.variants[0]}) {
            const double slope = arm == &input.baseline ? 1.0 : 0.02;
            for (auto& [seed, values] : arm->seeds) {
                const double at64 = values.values[kEndpoint];
                values.values[{"loss", 128, "non-overlapping", 128, 32768}] = at64 + slope;
                values.values[{"loss", 256, "non-overlapping", 256, 32768}] = at64 + 3 * slope;
                values.values[{"loss_beyond", 128, "non-overlapping", 128, 32768}] = 9.0;
            }
        }
        const Comparison comparison = compare_arms(input);
        QCOMPARE(comparison.longest_held.at({"llama_modern", "non-overlapping"}), std::int64_t{64});
        QCOMPARE(comparison.longest_held.at({"variant0", "non-overlapping"}), std::int64_t{128});
        const auto row = std::find_if(comparison.lengths.begin(), comparison.lengths.end(), [](const LengthRow& r) {
            return r.arm == "variant0" && r.measure.length == 256;
        });
        QVERIFY(std::abs(*row->gap - 0.06) < 1e-12);
        QVERIFY(QString::fromStdString(comparison_table(comparison)).contains("N = 32,768"));
    }
    void csv_and_json_hold_exact_numbers() {
        const Comparison comparison = compare_arms(make({kBetter}));
        const Json document = parse_json(dump_json(to_json(comparison))).value();
        QCOMPARE(document["variants"][0]["endpoint"]["difference"].get<double>(),
                 comparison.variants[0].primary.difference);
        const std::string csv = comparison_csv(comparison);
        const auto lines = split(csv, '\n');
        const auto fields = [](const std::string& line) { return split(line, ','); };
        const auto names = fields(lines[0]);
        const auto at = std::find(names.begin(), names.end(), "difference") - names.begin();
        QCOMPARE(*parse_double(fields(lines[1])[static_cast<std::size_t>(at)]),
                 comparison.variants[0].primary.difference);
        // Every line has as many separators as the header (no text field here holds a comma).
        for (std::size_t i = 1; i < lines.size(); ++i) {
            if (lines[i].empty() || lines[i].find('"') != std::string::npos) continue;
            QCOMPARE(fields(lines[i]).size(), names.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "test_comparison.moc"
