// A real trained model read from both of its file forms: its text, its loss, and its attention against an independent
// forward pass written out here in plain loops.
#include <QFileInfo>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/engine/attention_probe.h"
#include "core/engine/cached_decoder.h"
#include "core/engine/perplexity.h"
#include "core/engine/reference_path.h"

using namespace sextant;

namespace {

const std::string kFolder = std::string(SEXTANT_SHARED_DIR) + "/models/stories260K";

// The sample of ../shared/models/README.md: its indented block.
std::string sample() {
    std::ifstream in(std::string(SEXTANT_SHARED_DIR) + "/models/README.md");
    std::string line, text;
    while (std::getline(in, line)) {
        if (line.rfind("    ", 0) != 0) continue;
        if (!text.empty()) text += '\n';
        text += line.substr(4);
    }
    return text;
}

LanguageModel load(const std::string& form) {
    return load_language_model({form == "bin" ? kFolder + "/stories260K.bin" : kFolder, kFolder + "/tok512.bin", false})
        .value();
}

// Attention weights [layer][head][query][key] of the model in double, by loops over the definition.
std::vector<double> independent_attention(const LanguageModel& model, const std::vector<std::int32_t>& tokens,
                                          bool interleaved) {
    const ModelConfig& c = model.config;
    const auto weight = [&](const std::string& name) {
        return model.parameters.data() + model.layout->find(name)->offset;
    };
    const std::int64_t n = static_cast<std::int64_t>(tokens.size());
    const std::int64_t d = c.d_model;
    const std::int64_t width = d / c.n_head;
    const auto product = [](const float* w, const std::vector<double>& x, std::int64_t rows) {
        std::vector<double> y(static_cast<std::size_t>(rows));
        for (std::size_t r = 0; r < y.size(); ++r)
            for (std::size_t i = 0; i < x.size(); ++i)
                y[r] += static_cast<double>(w[r * x.size() + i]) * x[i];
        return y;
    };
    const auto normed = [&](const std::vector<double>& x, const float* w) {
        double mean = 0.0;
        for (const double value : x)
            mean += value * value / static_cast<double>(x.size());
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            y[i] = x[i] / std::sqrt(mean + 1e-5) * static_cast<double>(w[i]);
        return y;
    };
    const auto turned = [&](std::vector<double> x, std::int64_t position) {
        for (std::size_t head = 0; head < x.size(); head += static_cast<std::size_t>(width)) {
            for (std::int64_t i = 0; i < width / 2; ++i) {
                const double angle = static_cast<double>(position) *
                                     std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(width));
                const std::size_t a = head + static_cast<std::size_t>(interleaved ? 2 * i : i);
                const std::size_t b = interleaved ? a + 1 : a + static_cast<std::size_t>(width / 2);
                const double first = x[a];
                x[a] = first * std::cos(angle) - x[b] * std::sin(angle);
                x[b] = first * std::sin(angle) + x[b] * std::cos(angle);
            }
        }
        return x;
    };
    std::vector<std::vector<double>> x;
    for (const std::int32_t token : tokens) {
        const float* row = weight("model.embed_tokens.weight") + token * d;
        x.emplace_back(row, row + d);
    }
    std::vector<double> all;
    for (std::int64_t l = 0; l < c.n_layer; ++l) {
        const std::string p = "model.layers." + std::to_string(l);
        std::vector<std::vector<double>> q, k, v;
        for (std::int64_t t = 0; t < n; ++t) {
            const auto y = normed(x[static_cast<std::size_t>(t)], weight(p + ".input_layernorm.weight"));
            q.push_back(turned(product(weight(p + ".self_attn.q_proj.weight"), y, d), t));
            k.push_back(turned(product(weight(p + ".self_attn.k_proj.weight"), y, c.n_kv_head * width), t));
            v.push_back(product(weight(p + ".self_attn.v_proj.weight"), y, c.n_kv_head * width));
        }
        std::vector<std::vector<double>> mixed(x.size(), std::vector<double>(static_cast<std::size_t>(d)));
        for (std::int64_t h = 0; h < c.n_head; ++h) {
            const std::int64_t group = h / (c.n_head / c.n_kv_head);
            for (std::size_t t = 0; t < x.size(); ++t) {
                std::vector<double> row(x.size(), 0.0);
                double sum = 0.0;
                for (std::size_t s = 0; s <= t; ++s) {
                    double score = 0.0;
                    for (std::int64_t i = 0; i < width; ++i)
                        score += q[t][static_cast<std::size_t>(h * width + i)] *
                                 k[s][static_cast<std::size_t>(group * width + i)];
                    row[s] = std::exp(score / std::sqrt(static_cast<double>(width)));
                    sum += row[s];
                }
                for (std::size_t s = 0; s <= t; ++s) {
                    row[s] /= sum;
                    for (std::int64_t i = 0; i < width; ++i)
                        mixed[t][static_cast<std::size_t>(h * width + i)] +=
                            row[s] * v[s][static_cast<std::size_t>(group * width + i)];
                }
                all.insert(all.end(), row.begin(), row.end());
            }
        }
        for (std::size_t t = 0; t < x.size(); ++t) {
            const auto out = product(weight(p + ".self_attn.o_proj.weight"), mixed[t], d);
            for (std::size_t i = 0; i < x[t].size(); ++i)
                x[t][i] += out[i];
            const auto y = normed(x[t], weight(p + ".post_attention_layernorm.weight"));
            auto gate = product(weight(p + ".mlp.gate_proj.weight"), y, c.d_ff);
            const auto up = product(weight(p + ".mlp.up_proj.weight"), y, c.d_ff);
            for (std::size_t i = 0; i < gate.size(); ++i)
                gate[i] = gate[i] / (1.0 + std::exp(-gate[i])) * up[i];
            const auto down = product(weight(p + ".mlp.down_proj.weight"), gate, d);
            for (std::size_t i = 0; i < x[t].size(); ++i)
                x[t][i] += down[i];
        }
    }
    return all;
}

}  // namespace

class TestStoriesModel : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        if (!QFileInfo::exists(QString::fromStdString(kFolder + "/stories260K.bin")))
            QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    }
    void greedyTextIsThePublishedSample_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("llama2.c") << "bin";
        QTest::newRow("safetensors") << "folder";
    }
    void greedyTextIsThePublishedSample() {
        QFETCH(QString, form);
        LanguageModel model = load(form.toStdString());
        const std::string wanted = sample();
        GenerateRequest request;
        request.tokens = 256;
        const Generated made = generate(model, request).value();
        QVERIFY(wanted.size() >= 565);
        QCOMPARE(QString::fromStdString(made.text.substr(0, 565)), QString::fromStdString(wanted.substr(0, 565)));
    }
    void lossOnTheOpening_data() { greedyTextIsThePublishedSample_data(); }
    void lossOnTheOpening() {
        QFETCH(QString, form);
        LanguageModel model = load(form.toStdString());
        FlatBuffer gradients(model.layout->buffer_size);
        const auto path = make_reference_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                              gradients.values(), {});
        const std::string text = sample();
        const auto tokens = model.codec->encode(text.substr(0, text.find('\n')));  // its opening paragraph
        const double loss = stream_loss(*path, tokens, 512).value();
        QVERIFY2(std::abs(loss - 0.386) < 0.0015, std::to_string(loss).c_str());
    }
    void attentionEqualsAnIndependentPass_data() { greedyTextIsThePublishedSample_data(); }
    void attentionEqualsAnIndependentPass() {
        QFETCH(QString, form);
        LanguageModel model = load(form.toStdString());
        AttentionRequest request;
        request.tokens = model.codec->encode("Once upon a time, there was a little girl named Lily.");
        const AttentionMaps maps = probe_attention(model, request).value();
        const auto wanted = independent_attention(model, request.tokens, form == "bin");
        QCOMPARE(maps.values.size(), wanted.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<double>(maps.values[i]) - wanted[i]));
        QVERIFY2(worst < 1e-5, std::to_string(worst).c_str());
    }
};

QTEST_APPLESS_MAIN(TestStoriesModel)
#include "test_stories_model.moc"
