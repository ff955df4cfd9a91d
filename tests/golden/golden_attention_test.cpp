// attention_small: scores, probabilities and outputs of a tiny attention, computed here from the core's tables.

#include <QtTest>
#include <cmath>
#include <limits>

#include "core/encoding/learned_values.h"
#include "core/encoding/registry.h"
#include "core/encoding/rotation.h"
#include "tests/golden/golden_cases.h"

using namespace sextant;
using nlohmann::json;

namespace {

using Cube = std::vector<std::vector<std::vector<double>>>;

struct Attention {
    Cube logits, probabilities, output;
};

Attention attend(const PositionEncoding& encoding, const json& inputs, bool symmetric, std::int64_t queries) {
    const auto q = inputs.at("q").get<Cube>();
    const auto k = inputs.at("k").get<Cube>();
    const auto v = inputs.at("v").get<Cube>();
    const auto keys = static_cast<std::int64_t>(k[0].size());
    const std::int64_t first = keys - queries;
    std::vector<std::string> notes;
    const auto learned = typical_learned_values(encoding, notes);
    const auto rotary = encoding.rotary(keys);
    const auto bias = encoding.bias({queries, keys, first, symmetric}, *learned);
    Attention result;
    for (std::size_t h = 0; h < q.size(); ++h) {
        result.logits.emplace_back();
        result.probabilities.emplace_back();
        result.output.emplace_back();
        for (std::int64_t i = first; i < keys; ++i) {
            std::vector<double> row;
            double largest = -std::numeric_limits<double>::infinity();
            for (std::int64_t j = 0; j < keys; ++j) {
                auto a = q[h][static_cast<std::size_t>(i)];
                auto b = k[h][static_cast<std::size_t>(j)];
                if (rotary) {
                    rotate(*rotary, Side::kQuery, i, a);
                    rotate(*rotary, Side::kKey, j, b);
                }
                double logit = 0.0;
                for (std::size_t c = 0; c < a.size(); ++c)
                    logit += a[c] * b[c];
                logit *= encoding.score_scale() / std::sqrt(static_cast<double>(a.size()));
                if (bias) {
                    const std::int64_t width = bias->values.shape[1];
                    logit +=
                        bias->values
                            .values[h * static_cast<std::size_t>(width) + static_cast<std::size_t>(std::llabs(i - j))];
                }
                if (j > i && !symmetric) logit = -std::numeric_limits<double>::infinity();
                row.push_back(logit);
                largest = std::max(largest, logit);
            }
            double sum = 0.0;
            std::vector<double> weights;
            for (const double logit : row)
                sum += weights.emplace_back(std::exp(logit - largest));
            std::vector<double> mixed(v[h][0].size(), 0.0);
            for (std::size_t j = 0; j < weights.size(); ++j) {
                weights[j] /= sum;
                for (std::size_t c = 0; c < mixed.size(); ++c)
                    mixed[c] += weights[j] * v[h][j][c];
            }
            result.logits.back().push_back(row);
            result.probabilities.back().push_back(weights);
            result.output.back().push_back(mixed);
        }
    }
    return result;
}

json written(const Cube& cube) {
    json all = json::array();
    for (const auto& head : cube) {
        json rows = json::array();
        for (const auto& row : head) {
            json values = json::array();
            for (const double value : row)
                values.push_back(std::isinf(value) ? json("-inf") : json(value));
            rows.push_back(values);
        }
        all.push_back(rows);
    }
    return all;
}

}  // namespace

class GoldenAttentionTest : public QObject {
    Q_OBJECT

  private slots:
    void attention_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<bool>("symmetric");
        QTest::addColumn<int>("queries");
        const auto row = [](const char* key, const char* id, const char* parameters, bool symmetric, int queries) {
            QTest::newRow(key) << QString(key) << QString(id) << QString(parameters) << symmetric << queries;
        };
        row("nope_causal", "none", "{}", false, 5);
        row("alibi_causal", "alibi", "{}", false, 5);
        row("alibi_symmetric", "alibi", "{}", true, 5);
        row("alibi_causal_decode_last_query", "alibi", "{}", false, 1);
        row("rope_half_split_causal", "rope", R"({"layout": "half-split"})", false, 5);
        row("rope_interleaved_causal", "rope", R"({"layout": "interleaved"})", false, 5);
        row("kerple_log_causal", "kerple-log", R"({"r1": 1, "r2": 0.5})", false, 5);
    }
    void attention() {
        QFETCH(QString, key);
        QFETCH(QString, id);
        QFETCH(QString, parameters);
        QFETCH(bool, symmetric);
        QFETCH(int, queries);
        const json document = golden::read_golden("attention_small");
        EncodingConfig config{id.toStdString(), {}};
        const json given = json::parse(parameters.toStdString());
        for (const auto& [name, value] : given.items())
            config.parameters[name] = *parameter_from_json(value, "");
        EncodingSite site;
        site.n_head = document.at("inputs").at("heads");
        site.head_dim = document.at("inputs").at("head_dim");
        const auto encoding = make_encoding(config, site);
        QVERIFY(encoding.ok());
        const Attention found = attend(**encoding, document.at("inputs"), symmetric, queries);
        const json& expected = document.at("expected").at(key.toStdString());
        for (const auto& [name, cube] :
             {std::pair{"logits_with_bias", &found.logits}, std::pair{"probabilities", &found.probabilities},
              std::pair{"output", &found.output}}) {
            golden::Case golden;
            golden.expected = expected.at(name);
            golden.relative = document.at("rtol");
            golden.absolute = document.at("atol");
            const std::string problem = golden::difference(golden, written(*cube));
            QVERIFY2(problem.empty(), (std::string(name) + problem).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(GoldenAttentionTest)
#include "golden_attention_test.moc"
