// The catalog: ids, defaults, and one clear sentence for every bad parameter.

#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/encoding/registry.h"

using namespace sextant;

class RegistryTest : public QObject {
    Q_OBJECT

  private slots:
    void catalog_ids_are_unique_and_complete() {
        QStringList ids;
        for (const EncodingSpec& spec : encoding_catalog()) {
            QVERIFY2(!ids.contains(QString::fromStdString(spec.id)), spec.id.c_str());
            ids << QString::fromStdString(spec.id);
            QVERIFY(!spec.name.empty() && !spec.reference.empty() && !spec.summary.empty() && !spec.formula.empty());
            for (const ParameterSpec& parameter : spec.parameters)
                QVERIFY2(!parameter.description.empty(), parameter.name.c_str());
        }
        for (const char* id :
             {"none", "learned", "sinusoidal", "rope", "xpos", "alibi", "t5", "kerple-log", "kerple-power", "sandwich"})
            QVERIFY2(ids.contains(id), id);
    }

    void missing_parameters_get_their_defaults() {
        const auto encoding = make_encoding({"alibi", {}}, {});
        QVERIFY(encoding.ok());
        QCOMPARE(to_text((*encoding)->parameters().at("slopes")), std::string("interleave"));
        QCOMPARE(std::get<double>((*encoding)->parameters().at("bias_max")), 8.0);
    }

    void whole_numbers_are_taken_for_real_ones() {
        const auto encoding = make_encoding({"rope", {{"base", std::int64_t{500000}}}}, {});
        QVERIFY(encoding.ok());
        QCOMPARE(std::get<double>((*encoding)->parameters().at("base")), 500000.0);
    }

    void every_bad_parameter_gives_a_sentence_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* id, const char* parameter, const char* value, const QStringList& words) {
            QTest::newRow(qPrintable(QString("%1 %2=%3").arg(id, parameter, value)))
                << QString(id) << QString(parameter) << QString(value) << words;
        };
        row("rope", "base", "0", {"base", "is 0", "above 1"});
        row("rope", "base", "nan", {"base", "nan", "above 1"});
        row("rope", "factor", "0.5", {"factor", "0.5", "at least 1"});
        row("rope", "rotary_fraction", "0.2", {"rotary_fraction", "0.2", "even"});
        row("rope", "rotary_fraction", "0", {"rotary_fraction", "is 0", "above 0"});
        row("rope", "rotary_fraction", "1.5", {"rotary_fraction", "1.5", "at most 1"});
        row("rope", "layout", "spiral", {"layout", "spiral", "half-split", "interleaved"});
        row("rope", "scaling", "yam", {"scaling", "yam", "yarn"});
        row("rope", "original_length", "0", {"original_length", "is 0", "at least 1"});
        row("rope", "original_length", "2.5", {"original_length", "2.5", "whole number"});
        row("rope", "bose", "1", {"bose", "base"});
        row("rope", "high_freq_factor", "1", {"high_freq_factor", "low_freq_factor"});
        row("alibi", "slopes", "3", {"slopes", "is 3", "interleave"});
        row("alibi", "bias_max", "-1", {"bias_max", "-1", "above 0"});
        row("alibi", "symmetric", "yes", {"symmetric", "yes", "true or false"});
        row("alibi", "distance_scale", "inf", {"distance_scale", "inf"});
        row("none", "base", "1", {"none", "no parameters"});
        row("sinusoidal", "variant", "fourier", {"variant", "fourier", "fairseq"});
        row("t5", "num_buckets", "0", {"num_buckets", "is 0", "at least 2"});
        row("t5", "max_distance", "16", {"max_distance", "is 16", "above 16"});
        row("kerple-log", "r1", "0", {"r1", "is 0", "at least 0.01"});
        row("kerple-power", "r2", "2.5", {"r2", "2.5", "at most 2"});
        row("sandwich", "d_bar", "7", {"d_bar", "is 7", "even"});
        row("xpos", "gamma", "0", {"gamma", "is 0", "above 0"});
        row("alibl", "", "", {"alibl", "alibi"});
    }
    void every_bad_parameter_gives_a_sentence() {
        QFETCH(QString, id);
        QFETCH(QString, parameter);
        QFETCH(QString, value);
        QFETCH(QStringList, words);
        EncodingConfig config{id.toStdString(), {}};
        if (!parameter.isEmpty()) config.parameters[parameter.toStdString()] = parameter_from_text(value.toStdString());
        const auto problems = check_encoding(config, {});
        QVERIFY(!problems.empty());
        for (const QString& word : words) {
            QVERIFY2(QString::fromStdString(problems.front().message).contains(word), problems.front().message.c_str());
        }
        QCOMPARE(QString::fromStdString(problems.front().parameter), parameter);
        const auto encoding = make_encoding(config, {});
        QVERIFY(!encoding.ok());
        QVERIFY(encoding.error().code == ErrorCode::kConfig);
    }

    void an_odd_head_dim_cannot_turn() {
        EncodingSite site;
        site.head_dim = 15;
        QVERIFY(!check_encoding({"rope", {}}, site).empty());
    }

    void all_problems_are_reported() {
        QCOMPARE(check_encoding({"rope", {{"base", 0.0}, {"factor", 0.5}, {"x", true}}}, {}).size(), std::size_t{3});
    }

    void values_survive_json_and_text() {
        for (const ParameterValue& value : {ParameterValue{true}, ParameterValue{std::int64_t{7}}, ParameterValue{0.1},
                                            ParameterValue{std::string("naive")}}) {
            const auto back = parameter_from_json(to_json(value), "/x");
            QVERIFY(back.ok());
            QVERIFY(*back == value);
            QVERIFY(parameter_from_text(to_text(value)) == value);
        }
        QVERIFY(!parameter_from_json(nlohmann::json::array(), "/x").ok());
    }
};

QTEST_APPLESS_MAIN(RegistryTest)
#include "registry_test.moc"
