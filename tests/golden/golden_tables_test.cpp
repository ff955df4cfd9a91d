// All golden tables, asked of the core in process.

#include <QtTest>
#include <cmath>
#include <numbers>
#include <set>

#include "core/encoding/registry.h"
#include "core/encoding/rope_scaling.h"
#include "core/encoding/table_request.h"
#include "core/encoding/table_writer.h"
#include "tests/golden/golden_cases.h"

using namespace sextant;

class GoldenTablesTest : public QObject {
    Q_OBJECT

  private slots:
    void tables_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < golden::cases().size(); ++i)
            QTest::newRow(golden::cases()[i].name.c_str()) << static_cast<int>(i);
    }
    void tables() {
        QFETCH(int, index);
        const golden::Case& golden = golden::cases()[static_cast<std::size_t>(index)];
        const auto request = table_request_from_json(golden.options);
        QVERIFY2(request.ok(), request.ok() ? "" : request.error().message.c_str());
        const auto table = make_table(*request);
        QVERIFY2(table.ok(), table.ok() ? "" : table.error().message.c_str());
        std::string text;
        write_table_json(*table, [&text](std::string_view piece) { text += piece; });
        const auto document = nlohmann::json::parse(text);
        const std::string problem = golden::difference(golden, document.at("values"));
        QVERIFY2(problem.empty(), problem.c_str());
        if (golden.attention_factor != 0.0) {
            QVERIFY(std::abs(document.at("attention_factor").get<double>() - golden.attention_factor) < 1e-12);
        }
    }

    // attention_small has the value of `none` (nope_causal), see golden_attention_test.
    void every_encoding_has_a_golden_value() {
        std::set<std::string> covered = {"none"};
        for (const golden::Case& golden : golden::cases())
            covered.insert(golden.options.at("encoding").get<std::string>());
        for (const EncodingSpec& spec : encoding_catalog())
            QVERIFY2(covered.contains(spec.id), (spec.id + " has no golden value").c_str());
    }

    void key_only_form_differs_by_a_constant_a_row() {
        const auto document = golden::read_golden("alibi_bias_small");
        const auto& expected = document.at("expected");
        const auto& key_only = expected.at("key_position_only_causal_equivalent");
        for (std::size_t h = 0; h < key_only.size(); ++h) {
            for (std::size_t q = 0; q < key_only[h].size(); ++q) {
                for (std::size_t k = 0; k <= q; ++k) {
                    const double gap = key_only[h][q][k].get<double>() - expected.at("causal")[h][q][k].get<double>();
                    QCOMPARE(gap, expected.at("key_only_minus_relative_is_row_constant")[h][q].get<double>());
                }
            }
        }
    }

    void rounding_matches_the_formats() {
        const auto document = golden::read_golden("extra_encodings");
        const auto& positions = document.at("inputs").at("rounding_positions");
        const auto& expected = document.at("expected");
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const double position = positions[i];
            QCOMPARE(round_to(Precision::kBf16, position), expected.at("positions_as_bfloat16")[i].get<double>());
            QCOMPARE(round_to(Precision::kFp16, position), expected.at("positions_as_float16")[i].get<double>());
            QCOMPARE(round_to(Precision::kBf16, 0.5 * position),
                     expected.at("alibi_key_bias_slope_half_as_bfloat16")[i].get<double>());
        }
    }

    void yarn_numbers_beside_the_frequencies() {
        const auto document = golden::read_golden("rope_scaling");
        for (const auto& [name, by_method] : document.at("expected").items()) {
            RopeScaling scaling;
            scaling.method = "yarn";
            scaling.factor = std::stod(name.substr(name.find("_factor") + 7));
            const double factor = rope_attention_factor(scaling);
            QVERIFY(std::abs(factor * factor - by_method.at("yarn").at("logit_multiplier").get<double>()) < 1e-12);
        }
    }

    void cosines_average_to_the_score_of_equal_vectors() {
        const auto document = golden::read_golden("rope_decay");
        for (const auto& [name, decay] : document.at("expected").items()) {
            const std::size_t base = name.find("_base");
            const auto frequencies =
                inverse_frequencies(std::stoi(name.substr(1, base - 1)), std::stod(name.substr(base + 5)));
            const auto& expected = decay.at("mean_cos_same_vector");
            for (std::size_t m = 0; m < expected.size(); ++m) {
                double mean = 0.0;
                for (const double frequency : frequencies)
                    mean += std::cos(static_cast<double>(m) * frequency) / static_cast<double>(frequencies.size());
                QVERIFY(std::abs(mean - expected[m].get<double>()) < 1e-12);
            }
        }
    }
};

QTEST_APPLESS_MAIN(GoldenTablesTest)
#include "golden_tables_test.moc"
