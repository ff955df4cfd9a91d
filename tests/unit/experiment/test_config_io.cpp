#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"

using namespace sextant;

class TestConfigIo : public QObject {
    Q_OBJECT

  private slots:
    void presetsAreValidAndSurviveJson();
    void seedPresetsAreThePublishedSetting();
    void badValuesNameTheirPlace_data();
    void badValuesNameTheirPlace();
    void everyProblemIsReported();
    void manyProblemsBecomeOneShortLine();
    void brokenJsonNamesLineAndColumn();
    void newerSchemaIsRefused();
    void overridesReachTheArm();
    void assignmentsAreJsonElseText();
    void malformedAssignmentsAreUsageErrors();
    void pathsFollowTheirFileOrTheCurrentFolder();
    void awkwardNamesAreAllowed();
};

static Json quick_json() {
    return Json(to_json(find_preset("quick")->experiment));
}

void TestConfigIo::presetsAreValidAndSurviveJson() {
    QVERIFY(presets().size() >= 10);
    for (const Preset& preset : presets()) {
        const Json document = Json(to_json(preset.experiment));
        for (const ConfigProblem& problem : validate_experiment(document))
            QVERIFY2(problem.warning, (preset.name + problem.pointer + ": " + problem.message).c_str());
        const auto again = experiment_from_json(document, "/");
        QVERIFY(again.ok());
        QVERIFY2(again->experiment == preset.experiment, preset.name.c_str());
    }
    QCOMPARE(find_preset("qick").error().exit_status(), 2);
    QVERIFY(find_preset("qick").error().message.find("\"quick\"") != std::string::npos);
}

void TestConfigIo::seedPresetsAreThePublishedSetting() {
    const Experiment seed = find_preset("seed-alibi")->experiment;
    QCOMPARE(seed.seeds, std::vector<std::int64_t>{42});
    QCOMPARE(seed.training.steps, std::int64_t{12});
    QCOMPARE(seed.training.threads, std::int64_t{2});
    QCOMPARE(seed.data.train_tokens, std::int64_t{120000});
    QCOMPARE(seed.data.test_tokens, std::int64_t{8000});
    QCOMPARE(seed.evaluation.lengths, std::vector<std::int64_t>{64});
    QCOMPARE(seed.baseline.name, std::string("llama_modern"));
    const Experiment claim = find_preset("paper-claim")->experiment;
    const auto tokens_per_batch = [&](const ArmConfig& arm) {
        return claim.model_of(arm).context_length * claim.training_of(arm).batch_size;
    };
    QCOMPARE(tokens_per_batch(claim.baseline), tokens_per_batch(claim.variants[0]));
    QCOMPARE(claim.model_of(claim.variants[0]).context_length, std::int64_t{128});
    QCOMPARE(claim.model_of(claim.baseline).context_length, std::int64_t{256});
}

void TestConfigIo::badValuesNameTheirPlace_data() {
    QTest::addColumn<QString>("assignment");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* assignment, const char* pointer, const char* words) {
        QTest::newRow(assignment) << assignment << pointer << words;
    };
    row("/model/d_model=66", "/model/d_model", "4 heads");
    row("/model/d_model=-64", "/model/d_model", "from 1 to 16384");
    row("/model/d_model=1e300", "/model/d_model", "from 1 to 16384");
    row("/model/d_model=99999999999999999999", "/model/d_model", "whole number");
    row("/model/n_kv_head=3", "/model/n_kv_head", "does not divide");
    row("/model/d_model=60", "/baseline/encoding/parameters/rotary_fraction", "head_dim");
    row("/model/dropout=1", "/model/dropout", "below 1");
    row("/model/d_mode=64", "/model/d_mode", "did you mean \"d_model\"");
    row("/trainig={}", "/trainig", "did you mean \"training\"");
    row("/training/optimizer/learning_rate=nan", "/training/optimizer/learning_rate", "\"nan\"");
    row("/training/optimizer/learning_rate=-1", "/training/optimizer/learning_rate", "above 0");
    row("/training/optimizer/betas=[0.9]", "/training/optimizer/betas", "two numbers");
    row("/training/optimizer/betas=[0.9,1]", "/training/optimizer/betas/1", "below 1");
    row("/training/optimizer/kind=adamv", "/training/optimizer/kind", "did you mean \"adamw\"");
    row("/training/steps=0", "/training/steps", "from 1");
    row("/training/steps=2.5", "/training/steps", "whole number");
    row("/training/schedule/warmup_steps=500", "/training/schedule/warmup_steps", "400 steps");
    row("/training/device=gpu", "/training/device", "cuda");
    row("/seeds=[]", "/seeds", "at least one");
    row("/seeds=[1,1]", "/seeds/1", "repeats seed 1");
    row("/seeds=[-1]", "/seeds/0", "from 0");
    row("/seeds=[9223372036854775808]", "/seeds/0", "9223372036854775807");
    row("/seeds=[\"1\"]", "/seeds/0", "text");
    row("/name=", "/name", "empty");
    row("/name=..", "/name", "..");
    row("/name=a/b", "/name", "\"/\"");
    row("/baseline/name=\"a\\u0007\"", "/baseline/name", "control");
    row("/baseline/name=\"a\\u0085\"", "/baseline/name", "control");
    row("/variants/0/name=llama_modern", "/variants/0/name", "repeats");
    row("/variants/0/encoding/id=alibii", "/variants/0/encoding/id", "alibi");
    row("/variants/0/encoding/parameters={\"slops\":\"naive\"}", "/variants/0/encoding/parameters/slops", "slopes");
    row("/variants/0/model={\"n_head\":3}", "/variants/0/model/d_model", "3 heads");
    row("/variants/0/training={\"step\":3}", "/variants/0/training/step", "steps");
    row("/evaluation/lengths=[]", "/evaluation/lengths", "list");
    row("/evaluation/lengths=[64,64]", "/evaluation/lengths/1", "repeats");
    row("/evaluation/lengths=[64,100]", "/evaluation/tokens", "100");
    row("/evaluation/modes=[\"slidng\"]", "/evaluation/modes/0", "sliding");
    row("/evaluation/stride=65", "/evaluation/stride", "shortest length");
    row("/evaluation/primary/length=32", "/evaluation/primary/length", "lengths");
    row("/evaluation/primary/contrast=a - b", "/evaluation/primary/contrast", "alibi - llama_modern");
    row("/data/test_tokens=33280", "/evaluation/tokens", "32768 + 512 + 1 = 33281");
    row("/data/train_tokens=64", "/data/train_tokens", "65");
    row("/data/train_tokens=20000000", "/data/train_tokens", "10000000");
    row("/data/corpus={\"kind\":\"wikitext\"}", "/data/corpus/directory", "missing");
    row("/data/corpus=[]", "/data/corpus", "object");
    row("/data/tokenizer/vocab_size=200", "/data/tokenizer/vocab_size", "257");
    row("/schema_version=0", "/schema_version", "from 1");
}

void TestConfigIo::badValuesNameTheirPlace() {
    QFETCH(QString, assignment);
    QFETCH(QString, pointer);
    QFETCH(QString, words);
    Json document = quick_json();
    QVERIFY(apply_assignment(document, assignment.toStdString()).ok());
    const auto problems = validate_experiment(document);
    QString all;
    bool found = false;
    for (const ConfigProblem& problem : problems) {
        const QString message = QString::fromStdString(problem.message);
        all += QString::fromStdString(problem.pointer) + ": " + message + "\n";
        found = found || (!problem.warning && problem.pointer == pointer.toStdString() && message.contains(words));
    }
    QVERIFY2(found, qPrintable(all));
    const auto loaded = experiment_from_json(document, "/");
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().exit_status(), 3);
}

void TestConfigIo::everyProblemIsReported() {
    Json document = quick_json();
    document["modell"] = 1;
    document["training"]["steps"] = -1;
    document["seeds"] = Json::array({-2, 3, 3});
    document["baseline"]["encoding"]["id"] = "ropee";
    std::vector<std::string> pointers;
    for (const ConfigProblem& problem : validate_experiment(document)) {
        if (!problem.warning) pointers.push_back(problem.pointer);
    }
    for (const char* expected : {"/modell", "/training/steps", "/seeds/0", "/seeds/2"})
        QVERIFY2(std::find(pointers.begin(), pointers.end(), expected) != pointers.end(), expected);
}

void TestConfigIo::manyProblemsBecomeOneShortLine() {
    Json document = quick_json();
    for (int i = 0; i < 40; ++i)
        document["key" + std::to_string(i)] = i;
    const auto loaded = experiment_from_json(document, "/", "e.json");
    const std::string line = loaded.error().sentence();
    QVERIFY(line.size() <= 500);
    QVERIFY(line.find('\n') == std::string::npos);
    QVERIFY(line.find("40 problems") != std::string::npos);
    QCOMPARE(loaded.error().context.size(), std::size_t{40});
}

static std::string written(const QTemporaryDir& folder, const char* name, const std::string& text) {
    const std::string path = folder.path().toStdString() + "/" + name;
    std::ofstream(path) << text;
    return path;
}

void TestConfigIo::brokenJsonNamesLineAndColumn() {
    QTemporaryDir folder;
    const auto loaded = load_experiment(written(folder, "e.json", "{\n  \"name\": \"a\",\n  \"seeds\": [1,]\n}\n"));
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().exit_status(), 3);
    QVERIFY2(loaded.error().message.find("line 3") != std::string::npos, loaded.error().message.c_str());
    QVERIFY(loaded.error().message.find("column") != std::string::npos);
    const auto missing = load_experiment(folder.path().toStdString() + "/none.json");
    QCOMPARE(missing.error().exit_status(), 3);
    QVERIFY(missing.error().sentence().find("no such file") != std::string::npos);
    const auto list = load_experiment(written(folder, "l.json", "[1]"));
    QCOMPARE(list.error().exit_status(), 3);
    QCOMPARE(load_experiment("/dev/zero").error().exit_status(), 4 - 1);
}

void TestConfigIo::newerSchemaIsRefused() {
    Json document = quick_json();
    document["schema_version"] = 2;
    document["a_key_of_the_future"] = true;
    const auto loaded = experiment_from_json(document, "/");
    QCOMPARE(loaded.error().exit_status(), 3);
    QCOMPARE(loaded.error().pointer, std::string("/schema_version"));
    QVERIFY(loaded.error().message.find("newer Sextant") != std::string::npos);
}

void TestConfigIo::overridesReachTheArm() {
    Json document = quick_json();
    document["variants"][0]["training"] = {{"optimizer", {{"learning_rate", 0.5}}}};
    document["variants"][0]["model"] = {{"n_layer", 3}};
    const Experiment experiment = experiment_from_json(document, "/")->experiment;
    const TrainingConfig variant = experiment.training_of(experiment.variants[0]);
    QCOMPARE(variant.optimizer.learning_rate, 0.5);
    QCOMPARE(variant.optimizer.beta2, experiment.training.optimizer.beta2);
    QCOMPARE(variant.steps, experiment.training.steps);
    QCOMPARE(experiment.model_of(experiment.variants[0]).n_layer, std::int64_t{3});
    QCOMPARE(experiment.model_of(experiment.baseline).n_layer, std::int64_t{2});
    QCOMPARE(experiment.model_of(experiment.variants[0]).vocab_size, std::int64_t{512});
}

void TestConfigIo::assignmentsAreJsonElseText() {
    Json document = quick_json();
    QVERIFY(apply_assignment(document, "/training/steps=200").ok());
    QCOMPARE(document["training"]["steps"].get<int>(), 200);
    QVERIFY(apply_assignment(document, "/training/device=cpu").ok());
    QCOMPARE(document["training"]["device"].get<std::string>(), std::string("cpu"));
    QVERIFY(apply_assignment(document, "/name=\"200\"").ok());
    QCOMPARE(document["name"].get<std::string>(), std::string("200"));
    QVERIFY(apply_assignment(document, "/variants/1={\"name\":\"b\",\"encoding\":{\"id\":\"none\"}}").ok());
    QVERIFY(apply_assignment(document, "/variants/-={\"name\":\"c\",\"encoding\":{\"id\":\"none\"}}").ok());
    QCOMPARE(document["variants"].size(), std::size_t{3});
    QVERIFY(apply_assignment(document, "/evaluation/margin=0.05").ok());
    QVERIFY(apply_assignment(document, "/variants/0/model/n_layer=1").ok());
    const auto loaded = experiment_from_json(document, "/");
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().sentence().c_str());
    QCOMPARE(loaded->experiment.variants.size(), std::size_t{3});
}

void TestConfigIo::malformedAssignmentsAreUsageErrors() {
    Json document = quick_json();
    const Json before = document;
    for (const char* assignment : {"", "training/steps=2", "/training/steps", "=1", "/=1", "/a~2b=1", "/name/x=1",
                                   "/variants/7=1", "/variants/x=1"}) {
        const Status status = apply_assignment(document, assignment);
        QVERIFY2(!status.ok(), assignment);
        QCOMPARE(status.error().exit_status(), 2);
    }
    QVERIFY(document == before);
}

void TestConfigIo::pathsFollowTheirFileOrTheCurrentFolder() {
    QTemporaryDir folder;
    Json document = quick_json();
    document["data"]["corpus"] = {{"kind", "wikitext"}, {"directory", "corpus"}};
    const std::string path = written(folder, "e.json", document.dump());
    QCOMPARE(load_experiment(path)->experiment.data.corpus.directory, folder.path().toStdString() + "/corpus");
    const std::string here = std::filesystem::current_path().string();
    QCOMPARE(load_experiment(path, {"/data/corpus/directory=../x"})->experiment.data.corpus.directory,
             std::filesystem::path(here + "/../x").lexically_normal().string());
    QCOMPARE(load_experiment(path, {R"(/data/corpus={"kind":"wikitext","directory":"w"})"})
                 ->experiment.data.corpus.directory,
             here + "/w");
    QCOMPARE(load_experiment(path, {"/data/corpus/directory=/abs"})->experiment.data.corpus.directory,
             std::string("/abs"));
}

void TestConfigIo::awkwardNamesAreAllowed() {
    Json document = quick_json();
    document["name"] = "=1+1 \\ \"quoted\" <b> é 漢 | & %";
    document["variants"][0]["name"] = "-rf *";
    document["evaluation"]["primary"] = nullptr;
    const auto loaded = experiment_from_json(document, "/");
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().sentence().c_str());
}

QTEST_APPLESS_MAIN(TestConfigIo)
#include "test_config_io.moc"
