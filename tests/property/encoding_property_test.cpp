// What must hold for every encoding of the catalog, whatever its parameters.

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/encoding/alibi_slopes.h"
#include "core/encoding/encoding_help.h"
#include "core/encoding/table_request.h"
#include "tests/property/encoding_fixture.h"

using namespace sextant;

namespace {

EncodingSite small_site() {
    EncodingSite site;
    site.head_dim = 12;
    site.n_head = 3;
    site.d_model = 36;
    site.context_length = 40;
    return site;
}

}  // namespace

class EncodingPropertyTest : public QObject {
    Q_OBJECT

  private slots:
    void relative_encodings_ignore_a_common_shift() {
        int checked = 0;
        for (const EncodingSpec& spec : encoding_catalog()) {
            if (!spec.traits.relative) continue;
            const auto encoding = make_encoding({spec.id, {}}, small_site());
            QVERIFY(encoding.ok());
            const LearnedValues learned = test::random_values(**encoding, 7);
            Random random(11);
            for (const std::int64_t shift : {1, 17, 1000}) {
                const auto q = test::random_vector(random, 12);
                const auto k = test::random_vector(random, 12);
                for (std::int64_t head = 0; head < 3; ++head) {
                    const double here = test::score(**encoding, learned, q, k, head, 9, 4);
                    const double there = test::score(**encoding, learned, q, k, head, 9 + shift, 4 + shift);
                    QVERIFY2(std::abs(here - there) < 1e-9, spec.id.c_str());
                    ++checked;
                }
            }
            // and it is not blind to the distance (none alone is)
            const auto q = test::random_vector(random, 12);
            const double near = test::score(**encoding, learned, q, q, 0, 30, 29);
            const double far = test::score(**encoding, learned, q, q, 0, 30, 3);
            QVERIFY2((std::abs(near - far) > 1e-6) == (spec.id != "none"), spec.id.c_str());
        }
        QVERIFY(checked > 50);
    }

    void rotations_keep_norms() {
        for (const char* layout : {"half-split", "interleaved"}) {
            for (const double fraction : {1.0, 0.5}) {
                const auto encoding = make_encoding(
                    {"rope", {{"layout", std::string(layout)}, {"rotary_fraction", fraction}}}, small_site());
                const RotaryTable table = *(*encoding)->rotary(40);
                Random random(3);
                for (const std::int64_t position : {0, 1, 77, 100000}) {
                    const auto before = test::random_vector(random, 12);
                    auto after = before;
                    rotate(table, Side::kQuery, position, after);
                    double difference = 0.0;
                    for (std::size_t c = 0; c < before.size(); ++c)
                        difference += after[c] * after[c] - before[c] * before[c];
                    QVERIFY(std::abs(difference) < 1e-12);
                    if (position != 0) QVERIFY(after != before);
                }
            }
        }
    }

    void the_two_layouts_are_one_permutation() {
        const EncodingSite site = small_site();
        const auto half = make_encoding({"rope", {{"layout", std::string("half-split")}}}, site);
        const auto woven = make_encoding({"rope", {{"layout", std::string("interleaved")}}}, site);
        Random random(5);
        auto vector = test::random_vector(random, 12);
        std::vector<double> permuted;
        for (std::size_t start : {0U, 1U}) {
            for (std::size_t c = start; c < 12; c += 2)
                permuted.push_back(vector[c]);
        }
        rotate(*(*woven)->rotary(40), Side::kQuery, 23, vector);
        rotate(*(*half)->rotary(40), Side::kQuery, 23, permuted);
        for (std::size_t c = 0; c < 12; ++c)
            QVERIFY(std::abs(permuted[c] - vector[c < 6 ? 2 * c : 2 * (c - 6) + 1]) < 1e-15);
    }

    void buckets_never_fall_with_distance() {
        for (const std::int64_t buckets : {2, 3, 8, 32, 33, 64, 200}) {
            for (const std::int64_t longest : {buckets + 1, 4 * buckets, 10000L}) {
                TableRequest request;
                request.encoding = {"t5", {{"num_buckets", buckets}, {"max_distance", longest}}};
                request.what = "buckets";
                request.length = 12000;
                const auto table = make_table(request);
                QVERIFY2(table.ok(), table.ok() ? "" : table.error().message.c_str());
                QVERIFY(std::is_sorted(table->values.begin(), table->values.end()));
                QCOMPARE(table->values.front(), 0.0);
                QCOMPARE(table->values.back(), static_cast<double>(buckets - 1));
            }
        }
    }

    void slopes_are_positive_and_at_most_one() {
        for (std::int64_t heads = 1; heads <= 128; ++heads) {
            for (const double slope : interleaved_slopes(heads))
                QVERIFY(slope > 0.0 && slope <= 1.0);
            for (const double slope : naive_slopes(heads))
                QVERIFY(slope > 0.0 && slope <= 1.0);
        }
    }

    // A single token attends to itself with weight 1 whatever is added; here the score itself is that of `none`, for
    // the encodings that do nothing at distance 0 by definition.
    void at_length_one_the_score_is_that_of_none() {
        const auto none = make_encoding({"none", {}}, small_site());
        Random random(2);
        const auto q = test::random_vector(random, 12);
        const auto k = test::random_vector(random, 12);
        const double plain = test::score(**none, {}, q, k, 0, 0, 0);
        for (const char* id : {"rope", "xpos", "alibi", "kerple-log", "kerple-power", "sandwich"}) {
            const auto encoding = make_encoding({id, {}}, small_site());
            const LearnedValues learned = test::random_values(**encoding, 13);
            QVERIFY2(std::abs(test::score(**encoding, learned, q, k, 2, 0, 0) - plain) < 1e-13, id);
        }
    }

    void biases_are_masked_after_the_query_and_inside_the_window_only() {
        for (const EncodingSpec& spec : encoding_catalog()) {
            if (!spec.traits.bias || spec.traits.learned) continue;
            TableRequest request;
            request.encoding.id = spec.id;
            request.what = "bias";
            request.heads = 3;
            request.length = 9;
            request.queries = 4;
            request.window = 3;
            const auto table = make_table(request);
            QVERIFY(table.ok());
            std::size_t i = 0;
            for (int h = 0; h < 3; ++h) {
                for (int q = 5; q < 9; ++q) {
                    for (int k = 0; k < 9; ++k)
                        QCOMPARE(std::isinf(table->values[i++]), k > q || q - k >= 3);
                }
            }
        }
    }

    void every_encoding_has_a_help_page_with_formula_and_reference() {
        for (const EncodingSpec& spec : encoding_catalog()) {
            const std::string paragraph = help_paragraph(spec.id);
            QVERIFY2(paragraph.size() > 200, spec.id.c_str());
            QVERIFY2(paragraph.find("Formula: ") != std::string::npos, spec.id.c_str());
            QVERIFY2(paragraph.find(spec.reference) != std::string::npos, spec.id.c_str());
            const auto encoding = make_encoding({spec.id, {}}, small_site());
            QVERIFY(!formula_with_numbers(**encoding).empty());
            QVERIFY2((*encoding)->architecture_stats().contains("position_encoding"), spec.id.c_str());
        }
    }

    void bf16_leaves_few_positions() {
        for (const auto& [length, distinct] :
             {std::pair{1024L, 513L}, std::pair{4096L, 769L}, std::pair{8192L, 897L}}) {
            TableRequest request;
            request.encoding.id = "alibi";
            request.what = "bias";
            request.heads = 2;
            request.length = length;
            request.queries = 1;
            request.precision = Precision::kBf16;
            const auto table = make_table(request);
            QVERIFY(table.ok() && table->precision);
            QCOMPARE(table->precision->distinct_positions, std::int64_t{distinct});
            // Head 0 has slope 1/16: half a step of 4 tokens below 1024, and so on.
            QVERIFY(table->precision->maximum > 0.05);
            QCOMPARE(table->precision->by_position[200], 0.0);
        }
    }

    void fp32_phases_are_off_by_what_was_measured() {
        TableRequest request;
        request.encoding.id = "rope";
        request.what = "angles";
        request.head_dim = 64;
        request.positions = {4095};
        request.precision = Precision::kFp32;
        const auto table = make_table(request);
        QVERIFY(table.ok() && table->precision);
        QVERIFY(table->precision->maximum < 5e-4);
        QVERIFY(table->precision->maximum > 1e-5);
        request.precision = Precision::kBf16;
        QVERIFY(make_table(request)->precision->maximum > 1.0);
    }
};

QTEST_APPLESS_MAIN(EncodingPropertyTest)
#include "encoding_property_test.moc"
