#include <QtTest>
#include <cmath>
#include <vector>

#include "core/encoding/registry.h"
#include "core/experiment/parameter_layout.h"

using namespace sextant;

class TestParameterLayout : public QObject {
    Q_OBJECT

  private slots:
    void seedModelHas139584Parameters();
    void groupsAreContiguousAndAligned();
    void untiedHeadAddsOneMatrix();
    void learnedPositionsComeLastAndShiftNothing();
    void initialValuesFollowTheNameAndTheSeed();
};

static ParameterLayout layout_of(const ModelConfig& model, const char* id) {
    const auto encoding = make_encoding({id, {}}, model.encoding_site());
    if (!encoding) qFatal("%s", encoding.error().sentence().c_str());
    return parameter_layout(model, **encoding);
}

void TestParameterLayout::seedModelHas139584Parameters() {
    QCOMPARE(layout_of(ModelConfig{}, "rope").parameter_count(), std::int64_t{139584});
    QCOMPARE(layout_of(ModelConfig{}, "alibi").parameter_count(), std::int64_t{139584});
}

void TestParameterLayout::groupsAreContiguousAndAligned() {
    ModelConfig model;
    model.d_model = 20;  // not a multiple of 16: padding is needed between groups
    model.n_head = 5;
    model.n_kv_head = 1;
    model.d_ff = 7;
    model.vocab_size = 3;
    const ParameterLayout layout = layout_of(model, "none");
    const auto at = [&](const char* name) {
        const ParameterInfo* info = layout.find(std::string("model.layers.1.") + name);
        if (info == nullptr) qFatal("no parameter %s", name);
        return *info;
    };
    const auto q = at("self_attn.q_proj.weight");
    const auto k = at("self_attn.k_proj.weight");
    const auto v = at("self_attn.v_proj.weight");
    QCOMPARE(q.shape, (std::vector<std::int64_t>{20, 20}));
    QCOMPARE(k.shape, (std::vector<std::int64_t>{4, 20}));
    QCOMPARE(k.offset, q.offset + 400);
    QCOMPARE(v.offset, k.offset + 80);
    QCOMPARE(at("mlp.up_proj.weight").offset, at("mlp.gate_proj.weight").offset + 140);
    for (const char* name : {"input_layernorm.weight", "self_attn.q_proj.weight", "self_attn.o_proj.weight",
                             "post_attention_layernorm.weight", "mlp.gate_proj.weight", "mlp.down_proj.weight"})
        QCOMPARE(at(name).offset % 16, std::int64_t{0});
    std::int64_t end = 0;
    for (const ParameterInfo& parameter : layout.parameters) {
        QVERIFY2(parameter.offset >= end, parameter.name.c_str());
        end = parameter.offset + parameter.count;
    }
    QVERIFY(layout.buffer_size >= end);
    QCOMPARE(layout.buffer_size % 16, std::int64_t{0});
    QCOMPARE(layout.parameters.front().name, std::string("model.embed_tokens.weight"));
    QCOMPARE(layout.parameters.back().name, std::string("model.norm.weight"));
}

void TestParameterLayout::untiedHeadAddsOneMatrix() {
    ModelConfig model;
    model.tie_embeddings = false;
    const ParameterLayout layout = layout_of(model, "rope");
    QCOMPARE(layout.parameter_count(), std::int64_t{139584 + 512 * 64});
    QCOMPARE(layout.find("lm_head.weight")->role, ParameterRole::kEmbedding);
}

void TestParameterLayout::learnedPositionsComeLastAndShiftNothing() {
    const ParameterLayout fixed = layout_of(ModelConfig{}, "none");
    const ParameterLayout learned = layout_of(ModelConfig{}, "learned");
    QCOMPARE(learned.parameters.size(), fixed.parameters.size() + 1);
    QCOMPARE(learned.parameters.back().name, std::string("position.table"));
    QCOMPARE(learned.parameters.back().role, ParameterRole::kPosition);
    QCOMPARE(learned.parameter_count() - fixed.parameter_count(), std::int64_t{64 * 64});
    for (std::size_t i = 0; i < fixed.parameters.size(); ++i) {
        QCOMPARE(learned.parameters[i].name, fixed.parameters[i].name);
        QCOMPARE(learned.parameters[i].offset, fixed.parameters[i].offset);
    }
}

void TestParameterLayout::initialValuesFollowTheNameAndTheSeed() {
    const ParameterLayout layout = layout_of(ModelConfig{}, "rope");
    const auto values = [&](const std::string& name, std::uint64_t seed) {
        const ParameterInfo& info = *layout.find(name);
        std::vector<float> data(static_cast<std::size_t>(info.count));
        initialize_parameter(info, seed, data.data());
        return data;
    };
    const auto deviation = [](const std::vector<float>& data) {
        double sum = 0.0;
        for (const float value : data)
            sum += double{value} * double{value};
        return std::sqrt(sum / static_cast<double>(data.size()));
    };
    const auto embedding = values("model.embed_tokens.weight", 42);
    QVERIFY(std::abs(deviation(embedding) - 0.02) < 0.0004);  // 32768 draws: 5 standard errors
    const auto down = values("model.layers.0.mlp.down_proj.weight", 42);
    QVERIFY(std::abs(deviation(down) - 0.01) < 0.0004);  // 0.02 / sqrt(2 * 2)
    for (const float value : values("model.norm.weight", 42))
        QCOMPARE(value, 1.0F);
    QVERIFY(embedding == values("model.embed_tokens.weight", 42));
    QVERIFY(embedding != values("model.embed_tokens.weight", 43));
    QVERIFY(values("model.layers.0.mlp.gate_proj.weight", 42) != values("model.layers.0.mlp.up_proj.weight", 42));
}

QTEST_APPLESS_MAIN(TestParameterLayout)
#include "test_parameter_layout.moc"
