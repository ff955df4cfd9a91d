// Reference values: SciPy (tests/golden/make_statistics.py), brute force over all sign vectors and a grid of centres,
// and a textbook case for Holm. A simulation measures coverage and false claims of the whole procedure.
#include <QFile>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/results/comparison.h"
#include "core/results/statistics.h"

using namespace sextant;

namespace {

const Json& golden() {  // a reference: a loop over an element of a temporary would read what is gone
    static const Json document =
        read_json_file(std::string(SEXTANT_SOURCE_DIR) + "/tests/golden/statistics.json").value();
    return document;
}

// Straight from the definition, without symmetry or Gray code.
double brute_force_p(const std::vector<double>& d, double centre) {
    const std::size_t n = d.size();
    double observed = 0.0;
    double scale = 0.0;
    for (const double value : d) {
        observed += value - centre;
        scale += std::abs(value - centre);
    }
    int hits = 0;
    for (std::uint32_t signs = 0; signs < (1U << n); ++signs) {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            sum += ((signs >> i) & 1U) != 0U ? -(d[i] - centre) : d[i] - centre;
        if (std::abs(sum) >= std::abs(observed) - 1e-12 * scale) ++hits;
    }
    return hits / std::ldexp(1.0, static_cast<int>(n));
}

std::vector<double> draw(Random& random, std::size_t n, double mean, double spread) {
    std::vector<double> values(n);
    for (double& value : values)
        value = mean + spread * random.normal();
    return values;
}

}  // namespace

class TestStatistics : public QObject {
    Q_OBJECT
  private slots:
    void sign_flip_is_the_enumeration() {
        Random random(5);
        for (std::size_t n = 1; n <= 11; ++n) {
            const auto d = draw(random, n, 0.3, 1.0);
            const double expected = brute_force_p(d, 0.0);
            QVERIFY2(std::abs(sign_flip_test(d).p - expected) < 1e-15, qPrintable(QString::number(expected)));
            QVERIFY(std::abs(sign_flip_test(d, 0.25).p - brute_force_p(d, 0.25)) < 1e-15);
        }
        // All of one sign: 2 of 64. Known without a computer.
        QCOMPARE(sign_flip_test(std::vector<double>{1, 2, 3, 4, 5, 6}).p, 0.03125);
        QCOMPARE(sign_flip_test(std::vector<double>{-1, -1, -1, -1, -1, -1}).p, 0.03125);
        QCOMPARE(sign_flip_test(std::vector<double>{1, 1, -1, -1}).p, 1.0);
        QCOMPARE(sign_flip_test(std::vector<double>{0, 0, 0}).p, 1.0);
        QCOMPARE(sign_flip_test(std::vector<double>{0.1}).p, 1.0);
        QCOMPARE(sign_flip_test(std::vector<double>{0.1, 0.2, -0.3}).p, 1.0);  // sums to a rounding error
        QCOMPARE(sign_flip_test(std::vector<double>(6, 0.1)).smallest_p, 2.0 / 64.0);
    }
    void beyond_twenty_pairs_it_samples_and_says_so() {
        const std::vector<double> d(25, 1.0);
        const SignFlipTest test = sign_flip_test(d);
        QCOMPARE(test.samples, kSignFlipSamples);
        QVERIFY(test.p < 1e-4 && test.p > 0.0);
        Random random(3);
        const auto mixed = draw(random, 20, 0.3, 1.0);
        std::vector<double> more = mixed;
        more.push_back(0.0);  // a zero changes no sum: the sampled p estimates the exact one
        QVERIFY(std::abs(sign_flip_test(more).p - sign_flip_test(mixed).p) < 0.005);
    }
    void the_interval_holds_exactly_what_is_not_rejected() {
        Random random(11);
        for (const std::size_t n : {std::size_t{6}, std::size_t{7}, std::size_t{9}, std::size_t{10}}) {
            const auto d = draw(random, n, 0.0, 1.0);
            const auto interval = sign_flip_interval(d);
            QVERIFY(interval.has_value());
            const double step = 1e-6;
            QVERIFY(brute_force_p(d, interval->low + step) > 0.05);
            QVERIFY(brute_force_p(d, interval->low - step) <= 0.05);
            QVERIFY(brute_force_p(d, interval->high - step) > 0.05);
            QVERIFY(brute_force_p(d, interval->high + step) <= 0.05);
            for (int i = -300; i <= 300; ++i) {  // one piece: everything inside is kept, everything outside rejected
                const double centre = i / 100.0;
                const bool inside = centre > interval->low && centre < interval->high;
                QCOMPARE(brute_force_p(d, centre) > 0.05, inside);
            }
        }
        const auto six = sign_flip_interval(std::vector<double>{0.3, -0.1, 0.2, 0.4, 0.25, 0.05});
        QCOMPARE(six->low, -0.1);
        QCOMPARE(six->high, 0.4);
        QCOMPARE(six->level, 0.96875);
        QVERIFY(!sign_flip_interval(std::vector<double>{1, 2, 3, 4, 5}).has_value());
        const auto point = sign_flip_interval(std::vector<double>(8, 0.1));
        QCOMPARE(point->low, 0.1);
        QCOMPARE(point->high, 0.1);
    }
    void quantiles_are_scipys() {
        for (const Json& entry : golden()["t_quantile"]) {
            const double value = student_t_quantile(entry["p"].get<double>(), entry["df"].get<double>());
            const auto expected = entry["value"].get<double>();
            QVERIFY2(std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected)),
                     dump_json(entry, -1).c_str());
        }
        for (const Json& entry : golden()["normal_quantile"]) {
            const auto expected = entry["value"].get<double>();
            QVERIFY(std::abs(normal_quantile(entry["p"].get<double>()) - expected) < 1e-9);
        }
    }
    void t_interval_is_scipys() {
        for (const Json& entry : golden()["t_interval"]) {
            const auto interval = paired_t_interval(entry["data"].get<std::vector<double>>());
            QVERIFY(std::abs(interval->low - entry["low"].get<double>()) < 1e-10);
            QVERIFY(std::abs(interval->high - entry["high"].get<double>()) < 1e-10);
        }
        QVERIFY(!paired_t_interval(std::vector<double>{1.0}).has_value());
    }
    void bca_is_scipys_within_two_percent_of_its_width() {
        for (const Json& entry : golden()["bca"]) {
            const auto low = entry["low"].get<double>();
            const auto high = entry["high"].get<double>();
            const auto interval = bca_interval(entry["data"].get<std::vector<double>>());
            QVERIFY(interval.has_value());
            const double allowed = 0.02 * (high - low);
            QVERIFY2(std::abs(interval->low - low) < allowed && std::abs(interval->high - high) < allowed,
                     qPrintable(QString("%1: [%2, %3] against [%4, %5]")
                                    .arg(QString::fromStdString(entry["name"].get<std::string>()))
                                    .arg(interval->low)
                                    .arg(interval->high)
                                    .arg(low)
                                    .arg(high)));
        }
        const std::vector<double> eleven(11, 0.0);
        QVERIFY(!bca_interval(eleven).has_value());
        QCOMPARE(bca_interval(std::vector<double>(12, 0.5))->low, 0.5);
    }
    void holm_is_the_textbooks() {
        // Holm 1979 as in every text: p = .01 .04 .03 .005 -> .03 .06 .06 .02.
        const auto adjusted = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
        const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(std::abs(adjusted[i] - expected[i]) < 1e-15);
        QCOMPARE(holm_adjusted(std::vector<double>{0.6, 0.7}), (std::vector<double>{1.0, 1.0}));
    }
    void pairs_needed_are_those_of_the_enumeration() {
        const std::vector<std::pair<std::int64_t, std::int64_t>> table{{1, 6}, {2, 7}, {3, 7}, {4, 8}, {5, 8}, {8, 9}};
        for (const auto& [variants, pairs] : table)
            QCOMPARE(pairs_needed(variants), pairs);
    }
    void the_planner_finds_what_the_t_test_needs() {
        // sd = difference, 5 %, power 0.8, one family member: the textbook answer for a paired t test is 10 pairs.
        const auto pairs = pairs_for_difference(0.02, 0.02, 1);
        QVERIFY(pairs.has_value());
        QVERIFY2(*pairs >= 10 && *pairs <= 11, qPrintable(QString::number(*pairs)));
        QCOMPARE(*pairs_for_difference(0.1, 1e-6, 1), std::int64_t{6});
        QCOMPARE(*pairs_for_difference(0.1, 1e-6, 8), std::int64_t{9});
        QVERIFY(!pairs_for_difference(0.0, 0.1, 1).has_value());
        const auto many = pairs_for_difference(0.001, 0.05, 1);  // (1.96 + 0.84)^2 * 2500 = 19,622 in the normal limit
        QVERIFY(many.has_value() && std::abs(static_cast<double>(*many) - 19622) < 40);
    }
    void coverage_is_what_is_stated() {
        Random random(17);
        int covered = 0;
        const int trials = 3000;
        for (int i = 0; i < trials; ++i) {
            const auto interval = sign_flip_interval(draw(random, 7, 0.4, 1.0));
            covered += interval->low <= 0.4 && 0.4 <= interval->high ? 1 : 0;
        }
        // Level 1 - 2 * 3 / 128 = 95.3 %; three standard errors of the simulation are 1.2 %.
        QVERIFY2(std::abs(covered / static_cast<double>(trials) - (1.0 - 6.0 / 128.0)) < 0.012,
                 qPrintable(QString::number(covered)));
    }
    void the_whole_procedure_claims_falsely_at_most_in_one_of_twenty_data() {
        QTest::addColumn<int>("variants");
        QTest::addColumn<int>("pairs");
        QTest::addColumn<bool>("heavy");
        QTest::addColumn<bool>("at_margin");
        QTest::newRow("one variant, six pairs") << 1 << 6 << false << false;
        QTest::newRow("three variants, eight pairs") << 3 << 8 << false << false;
        QTest::newRow("ten variants, nine pairs") << 10 << 9 << false << false;
        QTest::newRow("three variants, fourteen pairs") << 3 << 14 << false << false;
        QTest::newRow("heavy tails") << 3 << 8 << true << false;
        QTest::newRow("exactly as much worse as the margin") << 1 << 8 << false << true;
    }
    void the_whole_procedure_claims_falsely_at_most_in_one_of_twenty() {
        // Variants that do not differ from the baseline, a shared seed effect: any claim is false. At the margin a
        // variant is worse by it, so that "lower" and "not worse" are false and "higher" is true.
        QFETCH(int, variants);
        QFETCH(int, pairs);
        QFETCH(bool, heavy);
        QFETCH(bool, at_margin);
        constexpr double kMargin = 0.05;
        Random random(23);
        const auto spread = [&] {
            const double value = 0.1 * random.normal();
            return heavy ? value / std::abs(random.normal()) : value;  // a ratio of normals: Cauchy
        };
        const int trials = pairs > 11 ? 1500 : 6000;  // from twelve pairs on each makes a bootstrap too
        int false_claims = 0;
        for (int trial = 0; trial < trials; ++trial) {
            ComparisonInput input;
            input.title = "null";
            input.primary = PrimaryEndpoint{"loss", 64, "non-overlapping", ""};
            if (at_margin) input.margin = kMargin;
            const Measure measure{"loss", 64, "non-overlapping", 64, 32768};
            input.baseline.name = "a";
            input.variants.resize(static_cast<std::size_t>(variants));
            for (std::int64_t seed = 0; seed < pairs; ++seed) {
                const double common = 3.0 + random.normal();
                input.baseline.seeds[seed].values[measure] = common + spread();
                for (ArmResult& arm : input.variants)
                    arm.seeds[seed].values[measure] = common + spread() + (at_margin ? kMargin : 0.0);
            }
            for (std::size_t v = 0; v < input.variants.size(); ++v)
                input.variants[v].name = std::string(1, static_cast<char>('b' + v));
            bool claimed = false;
            for (const VariantComparison& variant : compare_arms(input).variants) {
                const std::string& claim = variant.primary.claim;
                claimed = claimed || claim.starts_with("lower") || (!at_margin && claim.starts_with("higher")) ||
                          claim.find("not worse") != std::string::npos;
            }
            false_claims += claimed ? 1 : 0;
        }
        const double rate = false_claims / static_cast<double>(trials);
        if (qEnvironmentVariableIsSet("SEXTANT_SHOW")) qInfo() << rate;
        QVERIFY2(rate <= 0.05, qPrintable(QString::number(rate)));
        QVERIFY(false_claims > 0);  // a procedure that never claims would pass too
    }
};

QTEST_APPLESS_MAIN(TestStatistics)
#include "test_statistics.moc"
