// The reference path: what the model means. Golden attention, causality, gradients and decoding with a cache.
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/engine/attention_probe.h"
#include "core/engine/cached_decoder.h"
#include "core/engine/reference_path.h"
#include "tests/support/small_model.h"

using namespace sextant;
using namespace sextant::test;

namespace {

std::vector<double> flat(const Json& value) {
    std::vector<double> out;
    if (value.is_array()) {
        for (const Json& element : value) {
            const auto part = flat(element);
            out.insert(out.end(), part.begin(), part.end());
        }
    } else {
        out.push_back(value.is_null() ? -INFINITY : value.get<double>());
    }
    return out;
}

ReferenceOptions exact_options(bool exact = true) {
    ReferenceOptions options;
    options.double_precision = exact;
    return options;
}

bool near(const std::vector<double>& found, const std::vector<double>& wanted, double rtol, double atol) {
    if (found.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isinf(wanted[i]) || std::isinf(found[i])) {
            if (found[i] != wanted[i]) return false;
        } else if (!(std::abs(found[i] - wanted[i]) <= atol + rtol * std::abs(wanted[i]))) {
            return false;
        }
    }
    return true;
}

LanguageModel language_model(const std::string& id) {
    SmallModel small(id);
    LanguageModel model;
    model.config = small.config;
    model.encoding_config = {id, {}};
    model.encoding = std::move(small.encoding);
    model.layout = std::make_unique<ParameterLayout>(small.layout);
    model.parameters = std::move(small.values);
    return model;
}

}  // namespace

class TestReferenceModel : public QObject {
    Q_OBJECT
  private slots:
    void goldenAttention_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("layout");
        QTest::newRow("nope") << "nope_causal"
                              << "none"
                              << "";
        QTest::newRow("alibi") << "alibi_causal"
                               << "alibi"
                               << "";
        QTest::newRow("alibi symmetric") << "alibi_symmetric"
                                         << "alibi"
                                         << "";
        QTest::newRow("alibi decode") << "alibi_causal_decode_last_query"
                                      << "alibi"
                                      << "";
        QTest::newRow("rope half-split") << "rope_half_split_causal"
                                         << "rope"
                                         << "half-split";
        QTest::newRow("rope interleaved") << "rope_interleaved_causal"
                                          << "rope"
                                          << "interleaved";
    }
    void goldenAttention() {
        QFETCH(QString, name);
        QFETCH(QString, id);
        QFETCH(QString, layout);
        const Json golden =
            read_json_file(std::string(SEXTANT_SHARED_DIR) + "/reference/golden/attention_small.json").value();
        const Json& inputs = golden["inputs"];
        const Json& wanted = golden["expected"][name.toStdString()];
        AttentionCase input;
        input.heads = inputs["heads"];
        input.keys = inputs["len"];
        input.head_dim = inputs["head_dim"];
        input.query = flat(inputs["q"]);
        input.key = flat(inputs["k"]);
        input.value = flat(inputs["v"]);
        input.queries = input.keys;
        input.symmetric = name == "alibi_symmetric";
        if (name == "alibi_causal_decode_last_query") {
            input.first_query = input.keys - 1;
            input.queries = 1;
            std::vector<double> last;
            for (std::int64_t h = 0; h < input.heads; ++h)
                for (std::int64_t d = 0; d < input.head_dim; ++d)
                    last.push_back(
                        input.query[static_cast<std::size_t>((h * input.keys + input.keys - 1) * input.head_dim + d)]);
            input.query = last;
        }
        ParameterValues parameters;
        if (!layout.isEmpty()) parameters["layout"] = layout.toStdString();
        const EncodingSite site{input.heads * input.head_dim, 1, input.heads, input.head_dim, input.keys, 0.02};
        const auto encoding = make_encoding({id.toStdString(), parameters}, site).value();
        const AttentionValues found = attention_values(*encoding, input);
        const double rtol = golden["rtol"];
        const double atol = golden["atol"];
        QVERIFY(near(found.logits, flat(wanted["logits_with_bias"]), rtol, atol));
        QVERIFY(near(found.weights, flat(wanted["probabilities"]), rtol, atol));
        QVERIFY(near(found.output, flat(wanted["output"]), rtol, atol));
    }

    void everyEncodingIsCausal() {
        for (const std::string& id : all_encodings()) {
            SmallModel model(id);
            const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                  model.gradients.values(), exact_options());
            auto tokens = some_tokens(20, 40);
            const auto before = path->logits_double(tokens, 1, 20);
            tokens[12] = (tokens[12] + 1) % 40;
            const auto after = path->logits_double(tokens, 1, 20);
            bool later = false;
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (i < 12 * 40) {
                    QVERIFY2(before[i] == after[i], id.c_str());
                } else {
                    later = later || before[i] != after[i];
                }
            }
            QVERIFY2(later, id.c_str());
        }
    }

    // Directional derivative by central differences against g . d, all parameters at once, in double.
    void gradientsMatchFiniteDifferences() {
        for (const std::string& id : all_encodings()) {
            SmallModel model(id);
            const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                  model.gradients.values(), exact_options());
            const auto tokens = some_tokens(2 * 16, 40, 1);
            const auto targets = some_tokens(2 * 16, 40, 2);
            (void)path->loss_and_gradients(tokens, targets, 2, 16, 0);
            const auto gradients = path->gradients_double();
            for (const ParameterRole role :
                 {ParameterRole::kEmbedding, ParameterRole::kHidden, ParameterRole::kNorm, ParameterRole::kPosition}) {
                std::vector<double> direction(gradients.size(), 0.0);
                Random random(7);
                bool any = false;
                for (const ParameterInfo& parameter : model.layout.parameters) {
                    if (parameter.role != role) continue;
                    any = true;
                    for (std::int64_t i = 0; i < parameter.count; ++i)
                        direction[static_cast<std::size_t>(parameter.offset + i)] = random.normal();
                }
                if (!any) continue;
                double expected = 0.0;
                for (std::size_t i = 0; i < direction.size(); ++i)
                    expected += gradients[i] * direction[i];
                const auto loss_at = [&](double step) {
                    const auto values = path->parameters_double();
                    for (std::size_t i = 0; i < direction.size(); ++i)
                        values[i] = static_cast<double>(model.values.data()[i]) + step * direction[i];
                    const std::vector<double> logits = path->logits_double(tokens, 2, 16);
                    double sum = 0.0;
                    for (std::size_t row = 0; row < targets.size(); ++row) {
                        double total = 0.0;
                        for (std::size_t v = 0; v < 40; ++v)
                            total += std::exp(logits[row * 40 + v]);
                        sum += std::log(total) - logits[row * 40 + static_cast<std::size_t>(targets[row])];
                    }
                    return sum / static_cast<double>(targets.size());
                };
                const double step = 1e-5;
                const double found = (loss_at(step) - loss_at(-step)) / (2.0 * step);
                (void)loss_at(0.0);
                const double error = std::abs(found - expected) / std::max(std::abs(expected), 1e-6);
                QVERIFY2(error < 2e-6, (id + " role " + std::to_string(static_cast<int>(role)) + " error " +
                                        std::to_string(error * 1e6) + "e-6")
                                           .c_str());
            }
        }
    }

    void cacheDecodesAsTheFullPass() {
        for (const std::string& id : all_encodings()) {
            LanguageModel model = language_model(id);
            FlatBuffer gradients(model.layout->buffer_size);
            const auto tokens = some_tokens(20, 40, 5);
            for (const bool exact : {false, true}) {
                const auto path =
                    make_reference_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                        gradients.values(), exact_options(exact));
                const auto full = path->logits_double(tokens, 1, 20);
                CachedDecoder decoder(model, 20,
                                      exact ? CachedDecoder::Precision::kFloat64 : CachedDecoder::Precision::kFloat32);
                std::vector<double> cached = decoder.feed(std::span(tokens).first(6));
                for (std::size_t t = 6; t < 20; ++t) {
                    const auto next = decoder.feed(std::span(tokens).subspan(t, 1));
                    cached.insert(cached.end(), next.begin(), next.end());
                }
                double worst = 0.0;
                for (std::size_t i = 0; i < full.size(); ++i)
                    worst = std::max(worst, std::abs(full[i] - cached[i]));
                QVERIFY2(worst <= (exact ? 1e-9 : 1e-4), (id + " " + std::to_string(worst)).c_str());
            }
        }
    }

    void longPassesInChunksEqualShortOnes() {
        ModelConfig config = small_config();
        config.context_length = 600;
        SmallModel model("alibi", config);
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), exact_options());
        const auto tokens = some_tokens(600, 40);
        const auto whole = path->logits_double(tokens, 1, 600);  // three chunks of queries
        const auto part = path->logits_double(std::span(tokens).first(200), 1, 200);
        for (std::size_t i = 0; i < part.size(); ++i)
            QVERIFY(std::abs(whole[i] - part[i]) < 1e-12);
    }

    void dropoutRepeatsForItsStepAndSeed() {
        ModelConfig config = small_config();
        config.dropout = 0.2;
        SmallModel model("rope", config);
        const auto tokens = some_tokens(24, 40, 1);
        const auto targets = some_tokens(24, 40, 2);
        const auto loss = [&](std::uint64_t seed, std::int64_t step) {
            ReferenceOptions options;
            options.seed = seed;
            const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                  model.gradients.values(), options);
            return path->loss_and_gradients(tokens, targets, 1, 24, step);
        };
        QCOMPARE(loss(1, 0), loss(1, 0));
        QVERIFY(loss(1, 0) != loss(1, 1));
        QVERIFY(loss(1, 0) != loss(2, 0));
    }

    void untargetedTokensAreNotScored() {
        SmallModel model("rope");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto tokens = some_tokens(16, 40, 1);
        auto targets = some_tokens(16, 40, 2);
        std::vector<float> all(16), some(16);
        path->token_losses(tokens, targets, 1, 16, all);
        for (std::size_t i = 0; i < 10; ++i)
            targets[i] = -1;
        path->token_losses(tokens, targets, 1, 16, some);
        double mean = 0.0;
        for (std::size_t i = 0; i < 16; ++i) {
            QCOMPARE(some[i], i < 10 ? 0.0F : all[i]);
            mean += some[i] / 6.0;
        }
        QVERIFY(std::abs(path->loss_and_gradients(tokens, targets, 1, 16, 0) - mean) < 1e-5);
    }

    void aWindowHidesWhatIsFurtherBack() {
        ModelConfig config = small_config();
        config.attention_window = 4;
        config.n_layer = 1;
        SmallModel model("none", config);
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), exact_options());
        auto tokens = some_tokens(20, 40);
        const auto before = path->logits_double(tokens, 1, 20);
        tokens[5] = (tokens[5] + 1) % 40;
        const auto after = path->logits_double(tokens, 1, 20);
        for (std::size_t t = 0; t < 20; ++t) {
            bool changed = false;
            for (std::size_t v = 0; v < 40; ++v)
                changed = changed || before[t * 40 + v] != after[t * 40 + v];
            QCOMPARE(changed, t >= 5 && t < 9);
        }
    }

    void anAttentionSinkWithAWideWindowChangesNothing() {
        for (const std::string& id : {std::string("rope"), std::string("alibi"), std::string("sinusoidal")}) {
            SmallModel model(id);
            const auto logits = [&](AttentionSink sink) {
                ReferenceOptions options = exact_options();
                options.attention_sink = sink;
                return make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                           model.gradients.values(), options)
                    ->logits_double(some_tokens(20, 40), 1, 20);
            };
            const auto plain = logits({});
            const auto wide = logits({24, 2});
            const auto narrow = logits({6, 2});
            double worst = 0.0;
            double change = 0.0;
            for (std::size_t i = 0; i < plain.size(); ++i) {
                worst = std::max(worst, std::abs(plain[i] - wide[i]));
                if (i < 8 * 40) worst = std::max(worst, std::abs(plain[i] - narrow[i]));
                change = std::max(change, std::abs(plain[i] - narrow[i]));
            }
            QVERIFY2(worst < 1e-12, id.c_str());
            QVERIFY2(change > 1e-6, id.c_str());
        }
    }

    void probedTermsAddUpAndRowsSumToOne() {
        for (const std::string& id : {std::string("rope"), std::string("alibi")}) {
            LanguageModel model = language_model(id);
            AttentionRequest request;
            request.tokens = some_tokens(18, 40);
            const auto term = [&](AttentionTerm which) {
                request.term = which;
                return probe_attention(model, request).value().values;
            };
            const auto weights = term(AttentionTerm::kWeights);
            const auto scores = term(AttentionTerm::kScores);
            const auto content = term(AttentionTerm::kContent);
            const auto bias = term(AttentionTerm::kBias);
            QCOMPARE(weights.size(), std::size_t{2 * 4 * 18 * 18});
            for (std::size_t row = 0; row < weights.size(); row += 18) {
                double sum = 0.0;
                for (std::size_t k = row; k < row + 18; ++k) {
                    sum += static_cast<double>(weights[k]);
                    const bool hidden = k - row > (row / 18) % 18;
                    QCOMPARE(std::isinf(scores[k]), hidden);
                    if (hidden) QCOMPARE(weights[k], 0.0F);
                    if (!hidden) QVERIFY(std::abs(content[k] + bias[k] - scores[k]) < 1e-5F);
                }
                QVERIFY(std::abs(sum - 1.0) < 1e-5);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestReferenceModel)
#include "test_reference_model.moc"
