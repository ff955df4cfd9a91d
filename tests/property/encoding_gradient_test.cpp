// Gradients of every learned encoding against central differences, in double.

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "tests/property/encoding_fixture.h"

using namespace sextant;

namespace {

constexpr std::int64_t kLength = 23;

// The table that is differentiated, masked entries as 0, so that any weights may be put on it.
Array table_of(const PositionEncoding& encoding, const BiasRange& range, const LearnedValues& learned) {
    Array table;
    if (const auto additive = encoding.additive(range.keys, learned)) {
        table.shape = {additive->values.rows(), additive->values.columns()};
        table.values = additive->values.values();
    } else {
        table = encoding.bias(range, learned)->values;
    }
    for (double& value : table.values) {
        if (std::isinf(value)) value = 0.0;
    }
    return table;
}

double weighted(const Array& table, const Array& weights) {
    double sum = 0.0;
    for (std::size_t i = 0; i < table.values.size(); ++i)
        sum += table.values[i] * weights.values[i];
    return sum;
}

LearnedValues zeros_like(const LearnedValues& values) {
    LearnedValues zeros = values;
    for (auto& one : zeros)
        std::fill(one.begin(), one.end(), 0.0);
    return zeros;
}

}  // namespace

class EncodingGradientTest : public QObject {
    Q_OBJECT

  private slots:
    void gradients_match_finite_differences_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("first_query");
        for (const EncodingSpec& spec : encoding_catalog()) {
            if (!spec.traits.learned) continue;
            QTest::newRow(spec.id.c_str()) << QString::fromStdString(spec.id) << 0;
            if (spec.traits.bias) {
                QTest::newRow((spec.id + " decoding").c_str()) << QString::fromStdString(spec.id) << 9;
            }
        }
    }
    void gradients_match_finite_differences() {
        QFETCH(QString, id);
        QFETCH(int, first_query);
        EncodingSite site;
        site.n_head = 3;
        site.d_model = 12;
        site.head_dim = 4;
        site.context_length = kLength;
        EncodingConfig config{id.toStdString(), {}};
        // A threshold inside the range of queries, so that both sides of max(i, L) are met.
        for (const ParameterSpec& parameter : find_encoding(config.id)->parameters) {
            if (parameter.name == "length_threshold") config.parameters["length_threshold"] = 15.3;
        }
        const auto encoding = make_encoding(config, site);
        QVERIFY(encoding.ok());
        LearnedValues learned = test::random_values(**encoding, 21);
        const BiasRange range{kLength - first_query, kLength, first_query, false};
        Array weights = table_of(**encoding, range, learned);
        Random random(4);
        for (double& weight : weights.values)
            weight = random.normal();
        LearnedValues gradient = zeros_like(learned);
        (*encoding)->accumulate_gradient(range, learned, weights, gradient);
        double largest = 0.0;
        double worst = 0.0;
        for (std::size_t p = 0; p < learned.size(); ++p) {
            for (std::size_t i = 0; i < learned[p].size(); ++i) {
                const double step = 1e-6;
                const double value = learned[p][i];
                learned[p][i] = value + step;
                const double above = weighted(table_of(**encoding, range, learned), weights);
                learned[p][i] = value - step;
                const double below = weighted(table_of(**encoding, range, learned), weights);
                learned[p][i] = value;
                const double numeric = (above - below) / (2.0 * step);
                largest = std::max(largest, std::abs(numeric));
                worst = std::max(worst, std::abs(numeric - gradient[p][i]));
            }
        }
        QVERIFY(largest > 0.1);
        QVERIFY2(worst < 1e-6 * largest, qPrintable(QString::number(worst / largest)));
    }

    void rows_on_the_fly_equal_the_matrix() {
        int checked = 0;
        for (const EncodingSpec& spec : encoding_catalog()) {
            if (!spec.traits.bias || spec.traits.distance_only) continue;
            EncodingSite site;
            site.n_head = 2;
            const auto encoding = make_encoding({spec.id, {}}, site);
            const LearnedValues learned = test::random_values(**encoding, 5);
            const BiasRange range{kLength, kLength, 0, false};
            const auto whole = (*encoding)->bias(range, learned);
            const auto rows = (*encoding)->bias_rows(kLength, learned);
            QVERIFY(whole && rows);
            LearnedValues by_matrix = zeros_like(learned);
            LearnedValues by_rows = zeros_like(learned);
            Array weights(whole->values.shape);
            Random random(6);
            for (std::int64_t h = 0; h < 2; ++h) {
                for (std::int64_t q = 0; q < kLength; ++q) {
                    const std::int64_t first = q / 3;
                    std::vector<float> out(static_cast<std::size_t>(q + 1 - first));
                    std::vector<float> d(out.size());
                    rows->row(h, q, first, q + 1 - first, out.data());
                    for (std::size_t k = 0; k < out.size(); ++k) {
                        const auto at = static_cast<std::size_t>((h * kLength + q) * kLength + first) + k;
                        QVERIFY(std::abs(static_cast<double>(out[k]) - whole->values.values[at]) < 1e-5);
                        d[k] = static_cast<float>(random.normal());
                        weights.values[at] = static_cast<double>(d[k]);
                    }
                    rows->accumulate(h, q, first, q + 1 - first, d.data(), by_rows);
                }
            }
            (*encoding)->accumulate_gradient(range, learned, weights, by_matrix);
            for (std::size_t p = 0; p < learned.size(); ++p) {
                for (std::size_t i = 0; i < learned[p].size(); ++i) {
                    QVERIFY(std::abs(by_rows[p][i] - by_matrix[p][i]) <= 1e-9 * (1.0 + std::abs(by_matrix[p][i])));
                }
            }
            ++checked;
        }
        qInfo("%d encodings with rows on the fly", checked);
    }
};

QTEST_APPLESS_MAIN(EncodingGradientTest)
#include "encoding_gradient_test.moc"
