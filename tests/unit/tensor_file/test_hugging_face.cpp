// Config files as the public checkpoints of each architecture have them (shapes shrunk); what each must be read as is
// stated here from their documentation.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/tensor_file/hugging_face_config.h"
#include "core/tensor_file/safetensors.h"

using namespace sextant;

namespace {
ModelDescription described(const char* text) {
    return describe_config(parse_json(text).value());
}
bool mentions(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
}
const char* const kLlama = R"({"model_type":"llama","hidden_size":4,"intermediate_size":3,"num_hidden_layers":1,
    "num_attention_heads":2,"num_key_value_heads":1,"vocab_size":5,"max_position_embeddings":8,"rms_norm_eps":1e-5,
    "rope_theta":500000.0,"tie_word_embeddings":true})";
}  // namespace

class TestHuggingFace : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    // Writes a folder; tensors as {name, shape}, all values 0.5.
    std::string make(const char* config, const std::vector<std::vector<NamedShape>>& shards, bool index = false) {
        static int number = 0;
        const std::string path = folder_.filePath(QString("m%1").arg(number++)).toStdString();
        QDir().mkpath(QString::fromStdString(path));
        if (!write_file_atomically(path + "/config.json", config).ok()) qFatal("cannot write");
        const std::vector<float> values(4096, 0.5F);
        Json map = Json::object();
        for (std::size_t i = 0; i < shards.size(); ++i) {
            const std::string name =
                shards.size() == 1 ? "model.safetensors" : "part-" + std::to_string(i) + ".safetensors";
            std::vector<TensorView> views;
            for (const NamedShape& tensor : shards[i]) {
                std::int64_t count = 0;
                if (!checked_element_count(tensor.shape, count)) qFatal("shape");
                views.push_back({tensor.name, tensor.shape,
                                 std::span<const float>(values.data(), static_cast<std::size_t>(count))});
                map[tensor.name] = name;
            }
            if (!write_safetensors(path + "/" + name, views).ok()) qFatal("cannot write");
        }
        if (index &&
            !write_file_atomically(path + "/model.safetensors.index.json", dump_json(Json{{"weight_map", map}})).ok())
            qFatal("cannot write");
        return path;
    }
    static std::vector<NamedShape> llama_tensors() { return llama_tensor_shapes(described(kLlama).model); }

  private slots:
    void llama_scaling_is_read_with_its_factor() {
        const auto d =
            described(R"({"model_type":"llama","hidden_size":64,"intermediate_size":192,"num_hidden_layers":2,
            "num_attention_heads":4,"vocab_size":512,"max_position_embeddings":131072,"rope_theta":500000.0,
            "rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
            "original_max_position_embeddings":8192},"hidden_act":"silu"})");
        QVERIFY(d.known && d.runnable && d.problems.empty());
        QCOMPARE(d.model.n_kv_head, std::int64_t{4});  // not stated
        QVERIFY(!d.model.tie_embeddings);
        const auto& p = d.encoding.parameters;
        QCOMPARE(std::get<std::string>(p.at("scaling")), std::string("llama3"));
        QCOMPARE(std::get<double>(p.at("factor")), 8.0);
        QCOMPARE(std::get<double>(p.at("base")), 500000.0);
        QCOMPARE(std::get<std::int64_t>(p.at("original_length")), std::int64_t{8192});
        QCOMPARE(std::get<std::string>(p.at("layout")), std::string("half-split"));
    }
    void a_scaling_without_factor_is_a_problem_not_two() {
        const auto d =
            described(R"({"model_type":"llama","hidden_size":64,"intermediate_size":192,"num_hidden_layers":2,
            "num_attention_heads":4,"vocab_size":512,"rope_scaling":{"type":"linear"}})");
        QVERIFY(mentions(d.problems, "factor"));
    }
    void newer_rope_parameters_are_read() {
        const auto d = described(R"({"architectures":["LlamaForCausalLM"],"hidden_size":64,"intermediate_size":192,
            "num_hidden_layers":2,"num_attention_heads":4,"vocab_size":512,"max_position_embeddings":256,
            "rope_parameters":{"rope_type":"yarn","rope_theta":1000.0,"factor":4.0,"beta_fast":16.0}})");
        QVERIFY(d.known);
        const auto& p = d.encoding.parameters;
        QCOMPARE(std::get<double>(p.at("base")), 1000.0);
        QCOMPARE(std::get<double>(p.at("beta_fast")), 16.0);
        QCOMPARE(std::get<std::int64_t>(p.at("original_length")), std::int64_t{256});
    }
    void packing_and_encoding_of_each_architecture_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("packing");
        QTest::addColumn<QString>("encoding");
        QTest::addColumn<int>("kv");
        QTest::newRow("bloom")
            << R"({"model_type":"bloom","n_embed":64,"n_layer":2,"num_attention_heads":4,"vocab_size":512})"
            << "bloom"
            << "per head [H][3][d]"
            << "alibi" << 4;
        QTest::newRow("neox")
            << R"({"model_type":"gpt_neox","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":512,"max_position_embeddings":64,"rotary_pct":0.25,"rotary_emb_base":10000})"
            << "gpt-neox"
            << "per head [H][3][d]"
            << "rope" << 4;
        QTest::newRow("mpt")
            << R"({"model_type":"mpt","d_model":64,"n_layers":2,"n_heads":4,"vocab_size":512,"max_seq_len":64,"attn_config":{"alibi":true,"alibi_bias_max":8}})"
            << "mpt"
            << "concatenated [3][H*d]"
            << "alibi" << 4;
        QTest::newRow("mpt grouped")
            << R"({"model_type":"mpt","d_model":64,"n_layers":2,"n_heads":4,"vocab_size":512,"max_seq_len":64,"attn_config":{"alibi":false,"kv_n_heads":2}})"
            << "mpt"
            << "concatenated q [H*d] | k [KV*d] | v [KV*d]"
            << "learned" << 2;
        QTest::newRow("falcon")
            << R"({"model_type":"falcon","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":512,"alibi":true,"multi_query":false})"
            << "falcon"
            << "per head [H][3][d]"
            << "alibi" << 4;
        QTest::newRow("falcon 7B")
            << R"({"model_type":"falcon","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":512,"alibi":false,"multi_query":true})"
            << "falcon"
            << "concatenated q [H*d] | k [d] | v [d]"
            << "rope" << 1;
        QTest::newRow("gpt2")
            << R"({"model_type":"gpt2","n_embd":64,"n_layer":2,"n_head":4,"vocab_size":512,"n_positions":64})"
            << "gpt2"
            << "concatenated [3][H*d], weights transposed [in, out]"
            << "learned" << 4;
        QTest::newRow("baichuan")
            << R"({"model_type":"baichuan","hidden_size":5120,"num_hidden_layers":2,"num_attention_heads":40,"intermediate_size":64,"vocab_size":512,"model_max_length":64})"
            << "baichuan"
            << "concatenated [3][H*d]"
            << "alibi" << 40;
    }
    void packing_and_encoding_of_each_architecture() {
        QFETCH(QString, config);
        QFETCH(QString, name);
        QFETCH(QString, packing);
        QFETCH(QString, encoding);
        QFETCH(int, kv);
        const auto d = described(config.toUtf8().constData());
        QVERIFY2(d.problems.empty(), d.problems.empty() ? "" : d.problems[0].c_str());
        QCOMPARE(QString::fromStdString(d.architecture), name);
        QCOMPARE(QString::fromStdString(d.qkv_packing), packing);
        QCOMPARE(QString::fromStdString(d.encoding.id), encoding);
        QCOMPARE(d.model.n_kv_head, std::int64_t{kv});
        QVERIFY(!d.runnable && !d.why_not.empty());
    }
    void falcons_scaled_bias_is_said() {
        const auto d = described(
            R"({"model_type":"falcon","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":512,"alibi":true,"multi_query":false})");
        QVERIFY(mentions(d.warnings, "1/sqrt(head_dim)"));
    }
    void bad_heads_are_problems() {
        QVERIFY(mentions(
            described(
                R"({"model_type":"llama","hidden_size":64,"intermediate_size":3,"num_hidden_layers":1,"num_attention_heads":5,"vocab_size":5})")
                .problems,
            "5 heads do not divide"));
        QVERIFY(mentions(
            described(
                R"({"model_type":"llama","hidden_size":64,"intermediate_size":3,"num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":3,"vocab_size":5})")
                .problems,
            "3 kv heads"));
        QVERIFY(mentions(described(R"({"model_type":"llama","hidden_size":"64","num_hidden_layers":1e9})").problems,
                         "hidden_size"));
    }
    void an_unknown_architecture_is_no_problem() {
        const auto d = described(R"({"model_type":"mamba","hidden_size":64})");
        QVERIFY(!d.known && !d.runnable && d.problems.empty());
        QVERIFY(QString::fromStdString(d.why_not).contains("mamba"));
    }
    void a_whole_llama_is_imported_from_shards() {
        auto tensors = llama_tensors();
        std::vector<NamedShape> second(tensors.begin() + 5, tensors.end());
        tensors.resize(5);
        const auto model = import_hugging_face(make(kLlama, {tensors, second}, true));
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
        QCOMPARE(model->tensors.size(), std::size_t{11});
        QCOMPARE(model->tensors.front().name, std::string("model.embed_tokens.weight"));
        QCOMPARE(model->find("model.layers.0.self_attn.k_proj.weight")->shape, (Shape{2, 4}));
    }
    void missing_and_misshapen_tensors_are_named() {
        auto tensors = llama_tensors();
        tensors[2].shape = {2, 8};
        tensors.pop_back();
        const auto path = make(kLlama, {tensors});
        const auto d = describe_hugging_face(path);
        QVERIFY(d.ok());
        QVERIFY(mentions(d->problems, "model.norm.weight is missing"));
        QVERIFY(mentions(d->problems, "q_proj.weight has shape [2, 8]; the config needs [4, 4]"));
        QCOMPARE(import_hugging_face(path).error().exit_status(), 4);
    }
    void biases_make_it_not_ours() {
        auto tensors = llama_tensors();
        tensors.push_back({"model.layers.0.self_attn.q_proj.bias", {4}});
        const auto path = make(kLlama, {tensors});
        const auto d = describe_hugging_face(path);
        QVERIFY(d.ok() && d->problems.empty() && !d->runnable);
        QCOMPARE(import_hugging_face(path).error().exit_status(), 4);
    }
    void an_index_cannot_leave_its_folder() {
        const auto path = make(kLlama, {llama_tensors()});
        QVERIFY(
            write_file_atomically(path + "/model.safetensors.index.json", R"({"weight_map":{"a":"../x.safetensors"}})")
                .ok());
        QCOMPARE(describe_hugging_face(path).error().exit_status(), 4);
    }
    void folders_without_config_or_weights_say_so() {
        QCOMPARE(describe_hugging_face(folder_.path().toStdString()).error().exit_status(), 4);
        const auto d = describe_hugging_face(make(kLlama, {}));
        QVERIFY(d.ok() && mentions(d->problems, "safetensors"));
    }
};

QTEST_APPLESS_MAIN(TestHuggingFace)
#include "test_hugging_face.moc"
