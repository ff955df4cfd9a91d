// The bytes of the model files are assembled here from llama2.c's description; the tokenizer is judged on the real
// tok512.bin by values of the SentencePiece rule and by the text that the model's authors publish.
#include <QFile>
#include <QtTest>
#include <array>
#include <cstring>

#include "core/base/atomic_file.h"
#include "core/tensor_file/imported_model.h"
#include "core/tensor_file/llama2c.h"
#include "core/tensor_file/llama2c_tokenizer.h"

using namespace sextant;

namespace {
const std::string kModels = std::string(SEXTANT_SHARED_DIR) + "/models/stories260K/";
bool have_models() {
    return QFile::exists(QString::fromStdString(kModels + "stories260K.bin"));
}

// dim 4, hidden 3, 2 layers, 2 heads, 1 kv head, vocabulary 5, context 6; every number counts up from 0.
std::string counting_model(std::array<std::int32_t, 7> words = {4, 3, 2, 2, 1, 5, 6}) {
    std::string bytes(reinterpret_cast<const char*>(words.data()), 28);
    const std::size_t head = 2;
    const std::size_t total = 5 * 4 + 2 * 4 + 2 * 16 + 2 * head * 4 + 2 * head * 4 + 2 * 16 + 2 * 4 + 2 * 12 + 2 * 12 +
                              2 * 12 + 4 + 2 * 6 * 1 + (words[5] < 0 ? 20 : 0);
    for (std::size_t i = 0; i < total; ++i) {
        const auto value = static_cast<float>(i);
        bytes.append(reinterpret_cast<const char*>(&value), 4);
    }
    return bytes;
}
}  // namespace

class TestLlama2c : public QObject {
    Q_OBJECT
  private slots:
    void sections_come_in_the_formats_order() {
        const auto model = parse_llama2c(counting_model(), "m.bin");
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
        QCOMPARE(model->description.model.n_kv_head, std::int64_t{1});
        QVERIFY(model->description.model.tie_embeddings);
        QCOMPARE(std::get<std::string>(model->description.encoding.parameters.at("layout")),
                 std::string("interleaved"));
        const auto first = [&](const char* name) { return model->find(name)->values.front(); };
        QCOMPARE(first("model.embed_tokens.weight"), 0.0F);
        QCOMPARE(first("model.layers.1.input_layernorm.weight"), 24.0F);   // 20 + 4
        QCOMPARE(first("model.layers.0.self_attn.q_proj.weight"), 28.0F);  // 20 + 8
        QCOMPARE(first("model.layers.1.self_attn.k_proj.weight"), 68.0F);  // 28 + 32, then one of 8
        QCOMPARE(first("model.layers.0.self_attn.v_proj.weight"), 76.0F);
        QCOMPARE(first("model.layers.0.self_attn.o_proj.weight"), 92.0F);
        QCOMPARE(first("model.layers.0.post_attention_layernorm.weight"), 124.0F);
        QCOMPARE(first("model.layers.0.mlp.gate_proj.weight"), 132.0F);
        QCOMPARE(first("model.layers.1.mlp.down_proj.weight"), 168.0F);  // w2: 156 + 12
        QCOMPARE(first("model.layers.0.mlp.up_proj.weight"), 180.0F);    // w3
        QCOMPARE(first("model.norm.weight"), 204.0F);
        QCOMPARE(model->find("model.layers.0.mlp.down_proj.weight")->shape, (Shape{4, 3}));
        QVERIFY(model->find("lm_head.weight") == nullptr);
    }
    void a_negative_vocabulary_means_an_untied_head() {
        const auto model = parse_llama2c(counting_model({4, 3, 2, 2, 1, -5, 6}), "m.bin");
        QVERIFY(model.ok());
        QVERIFY(!model->description.model.tie_embeddings);
        QCOMPARE(model->find("lm_head.weight")->values.front(), 220.0F);  // after norm 4 and two tables of 6
    }
    void hostile_models_are_refused() {
        const std::string good = counting_model();
        const std::array<std::string, 9> bad{std::string(),
                                             good.substr(0, 20),
                                             good.substr(0, good.size() - 4),
                                             good + "x",
                                             counting_model({0, 3, 2, 2, 1, 5, 6}),
                                             counting_model({4, 3, 2, 3, 1, 5, 6}),
                                             counting_model({4, 3, -2, 2, 1, 5, 6}),
                                             counting_model({4, 3, 2, 2, 1, 5, INT32_MAX}),
                                             counting_model({0x616B3432, 1, 2, 2, 1, 5, 6})};
        for (const std::string& bytes : bad) {
            const auto model = parse_llama2c(bytes, "m.bin");
            QVERIFY(!model.ok());
            QCOMPARE(model.error().exit_status(), 4);
        }
    }
    void both_forms_of_stories260K_hold_the_same_weights() {
        if (!have_models()) QSKIP("the shared models are not on this machine");
        const auto ours = import_model(kModels + "stories260K.bin");
        const auto theirs = import_model(kModels.substr(0, kModels.size() - 1));
        QVERIFY(ours.ok());
        QVERIFY2(theirs.ok(), theirs.ok() ? "" : theirs.error().message.c_str());
        QCOMPARE(ours->tensors.size(), std::size_t{1 + 5 * 9 + 1});
        QCOMPARE(theirs->tensors.size(), ours->tensors.size());
        const std::int64_t head = 8;
        for (const ImportedTensor& tensor : ours->tensors) {
            const ImportedTensor* other = theirs->find(tensor.name);
            QVERIFY2(other != nullptr, tensor.name.c_str());
            QCOMPARE(other->shape, tensor.shape);
            const bool rotated =
                tensor.name.find("q_proj") != std::string::npos || tensor.name.find("k_proj") != std::string::npos;
            if (!rotated) {
                QVERIFY2(other->values == tensor.values, tensor.name.c_str());
                continue;
            }
            // half-split row i of a head is interleaved row 2i (first half) or 2(i - d/2) + 1.
            for (std::int64_t row = 0; row < tensor.shape[0]; ++row) {
                const std::int64_t i = row % head;
                const std::int64_t source = row - i + (i < head / 2 ? 2 * i : 2 * (i - head / 2) + 1);
                QVERIFY(std::memcmp(other->values.data() + row * 64, tensor.values.data() + source * 64, 256) == 0);
            }
        }
    }
    void the_tokenizer_round_trips_and_starts_the_story() {
        if (!have_models()) QSKIP("the shared models are not on this machine");
        const auto tokenizer = Llama2cTokenizer::load(kModels + "tok512.bin");
        QVERIFY(tokenizer.ok());
        QCOMPARE(tokenizer->vocab_size(), std::int64_t{512});
        // llama2.c prints these ids for this prompt with tok512.bin: <s>, " Once upon a time" as one merged run.
        const auto pieces = tokenizer->encode_pieces("Once upon a time");
        QCOMPARE(pieces.front().id, Llama2cTokenizer::kBeginning);
        std::string joined;
        for (std::size_t i = 1; i < pieces.size(); ++i)
            joined += pieces[i].bytes;
        QCOMPARE(joined, std::string(" Once upon a time"));
        for (const std::string text :
             {"Once upon a time, there was a little girl named Lily.", "  two  spaces\n\ttab",
              "\xf0\x9f\x98\x80 caf\xc3\xa9 \xe4\xbd\x8d\xe7\xbd\xae", "\xff\xfe broken \x80", "x", ""}) {
            const auto ids = tokenizer->encode(text);
            QCOMPARE(QByteArray::fromStdString(tokenizer->decode(ids).value()), QByteArray::fromStdString(text));
            std::int64_t end = 0;
            for (const EncodedPiece& piece : tokenizer->encode_pieces(text)) {
                QCOMPARE(piece.begin, end);
                end = piece.end;
            }
            QCOMPARE(end, static_cast<std::int64_t>(text.size()));
        }
        QCOMPARE(tokenizer->encode("\xf0\x9f\x98\x80").size(), std::size_t{1 + 1 + 4});  // space piece, four bytes
        QVERIFY(!tokenizer->decode({512}).ok());
        QVERIFY(!tokenizer->decode({-1}).ok());
    }
    void merging_follows_llama2cs_slow_rule() {
        if (!have_models()) QSKIP("the shared models are not on this machine");
        // The rule as run.c states it: scan all pairs, merge the best-scoring, repeat; on the file's own entries.
        const std::string raw = read_file(kModels + "tok512.bin").value();
        std::vector<std::pair<float, std::string>> entries;
        for (std::size_t at = 4; at < raw.size();) {
            float score = 0;
            std::int32_t length = 0;
            std::memcpy(&score, raw.data() + at, 4);
            std::memcpy(&length, raw.data() + at + 4, 4);
            entries.emplace_back(score, raw.substr(at + 8, static_cast<std::size_t>(length)));
            at += 8 + static_cast<std::size_t>(length);
        }
        const auto id_of = [&](const std::string& piece) {
            for (std::size_t i = 0; i < entries.size(); ++i) {
                if (entries[i].second == piece) return static_cast<std::int32_t>(i);
            }
            return -1;
        };
        const std::string text =
            "Lily's mom said, \"Let's go to the park and play together happily!\" They saw bananas.";
        std::vector<std::int32_t> ids{id_of(" ")};
        for (const char c : text)
            ids.push_back(id_of(std::string(1, c)) >= 0 ? id_of(std::string(1, c)) : static_cast<unsigned char>(c) + 3);
        for (;;) {
            float best = -1e10F;
            std::size_t where = 0;
            std::int32_t merged = -1;
            for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
                const auto id = id_of(entries[static_cast<std::size_t>(ids[i])].second +
                                      entries[static_cast<std::size_t>(ids[i + 1])].second);
                if (id >= 0 && entries[static_cast<std::size_t>(id)].first > best) {
                    best = entries[static_cast<std::size_t>(id)].first;
                    where = i;
                    merged = id;
                }
            }
            if (merged < 0) break;
            ids[where] = merged;
            ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(where) + 1);
        }
        ids.insert(ids.begin(), 1);
        QCOMPARE(Llama2cTokenizer::load(kModels + "tok512.bin")->encode(text), ids);
    }
    void hostile_tokenizers_are_refused() {
        QVERIFY(!Llama2cTokenizer::parse("").ok());
        QVERIFY(!Llama2cTokenizer::parse(std::string(4, '\x7f')).ok());  // no tokens at all
        QVERIFY(!Llama2cTokenizer::parse(std::string("\x07\0\0\0\0\0\0\0\xff\xff\xff\x7f", 12)).ok());
        QVERIFY(!Llama2cTokenizer::parse(std::string("\x07\0\0\0\0\0\xc0\x7f\x01\0\0\0a", 13)).ok());  // NaN score
        QVERIFY(!Llama2cTokenizer::load("/dev/zero").ok());
    }
};

QTEST_APPLESS_MAIN(TestLlama2c)
#include "test_llama2c.moc"
