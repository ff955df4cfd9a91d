#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"
#include "core/experiment/run_plan.h"

using namespace sextant;

class TestRunPlan : public QObject {
    Q_OBJECT

  private slots:
    void numbersAreArmMajorAndNeverChange();
    void hashIgnoresWhatDoesNotDecideTheWeights();
    void hashSeesWhatDecidesTheWeights();
    void foldersAreSafeNames();
    void plansSurviveTheFile();
    void hostilePlansAreRefused();
    void identicalArmsAreAnnounced();
};

static const DataIdentity kIdentity{std::string(64, 'a'), std::string(64, 'b'), std::string(64, 'c')};

static Experiment quick() {
    return find_preset("quick")->experiment;
}

void TestRunPlan::numbersAreArmMajorAndNeverChange() {
    QTemporaryDir folder;
    const std::string project = folder.path().toStdString();
    Experiment experiment = quick();
    experiment.seeds = {7, 8};
    auto plans = *make_plan(experiment, kIdentity, project);
    QCOMPARE(plans.size(), std::size_t{4});
    QCOMPARE(plans[1].number, std::int64_t{1});
    QCOMPARE(plans[1].arm, std::string("llama_modern"));
    QCOMPARE(plans[1].seed, std::int64_t{8});
    QCOMPARE(plans[2].arm, std::string("alibi"));
    QVERIFY(write_plan(project, plans).ok());

    experiment.seeds = {9, 7, 8};
    const auto more = *make_plan(experiment, kIdentity, project);
    QCOMPARE(more.size(), std::size_t{6});
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(more[i].folder, plans[i].folder);
        QCOMPARE(more[i].number, plans[i].number);
    }
    QCOMPARE(more[4].seed, std::int64_t{9});
    QCOMPARE(more[4].number, std::int64_t{4});
    QCOMPARE(more[5].arm, std::string("alibi"));
}

void TestRunPlan::hashIgnoresWhatDoesNotDecideTheWeights() {
    const Experiment experiment = quick();
    const std::string hash = plan_hash(experiment, experiment.baseline, 42, kIdentity);
    QCOMPARE(hash.size(), std::size_t{64});
    Experiment other = experiment;
    other.name = "another";
    other.evaluation.lengths = {64};
    other.variants.clear();
    other.training.threads = 1;
    other.training.device = "cpu";
    other.training.path = "reference";
    other.training.log_every = 7;
    other.training.checkpoint_every = 3;
    other.data.corpus.kind = "text";
    other.data.corpus.train = "/elsewhere";
    QCOMPARE(plan_hash(other, other.baseline, 42, kIdentity), hash);
}

void TestRunPlan::hashSeesWhatDecidesTheWeights() {
    const Experiment experiment = quick();
    const std::string hash = plan_hash(experiment, experiment.baseline, 42, kIdentity);
    QVERIFY(plan_hash(experiment, experiment.variants[0], 42, kIdentity) != hash);
    QVERIFY(plan_hash(experiment, experiment.baseline, 43, kIdentity) != hash);
    DataIdentity identity = kIdentity;
    identity.tokens_sha256[0] = '0';
    QVERIFY(plan_hash(experiment, experiment.baseline, 42, identity) != hash);
    Experiment other = experiment;
    other.training.steps = 401;
    QVERIFY(plan_hash(other, other.baseline, 42, kIdentity) != hash);
    other = experiment;
    other.model.n_layer = 3;
    QVERIFY(plan_hash(other, other.baseline, 42, kIdentity) != hash);
    other = experiment;
    other.baseline.training_overrides = R"({"optimizer":{"learning_rate":0.002}})";
    QVERIFY(plan_hash(other, other.baseline, 42, kIdentity) != hash);
    other = experiment;
    other.baseline.encoding.parameters["base"] = 500.0;
    QVERIFY(plan_hash(other, other.baseline, 42, kIdentity) != hash);
}

void TestRunPlan::foldersAreSafeNames() {
    Experiment experiment = quick();
    experiment.baseline.name = "-a b\\c:*\"<é>" + std::string(300, 'x');
    const auto plans = *make_plan(experiment, kIdentity, "/nowhere");
    const std::string& name = plans[0].folder;
    QVERIFY(name.size() <= 40 + 2 + 2 + 13);
    QCOMPARE(name.substr(0, 9), std::string("_a_b_c___"));
    QVERIFY(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
            std::string::npos);
    QCOMPARE(plans[1].folder, "alibi-s42-" + plans[1].plan_sha256.substr(0, 12));
}

void TestRunPlan::plansSurviveTheFile() {
    QTemporaryDir folder;
    const std::string project = folder.path().toStdString();
    const Experiment experiment = find_preset("rope-scaling")->experiment;
    const auto plans = *make_plan(experiment, kIdentity, project);
    QVERIFY(write_plan(project, plans).ok());
    const auto again = read_plan(project);
    QVERIFY2(again.ok(), again ? "" : again.error().sentence().c_str());
    QCOMPARE(again->size(), plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
        QCOMPARE((*again)[i].folder, plans[i].folder);
        QVERIFY((*again)[i].model == plans[i].model);
        QVERIFY((*again)[i].training == plans[i].training);
        QVERIFY((*again)[i].data == plans[i].data);
        QVERIFY((*again)[i].encoding == plans[i].encoding);
        QVERIFY((*again)[i].evaluation_encoding == plans[i].evaluation_encoding);
        const auto alone = run_plan_from_json(Json(to_json(plans[i])), "plan.json");
        QVERIFY2(alone.ok(), alone ? "" : alone.error().sentence().c_str());
        QCOMPARE(alone->plan_sha256, plans[i].plan_sha256);
    }
}

void TestRunPlan::hostilePlansAreRefused() {
    const auto plans = *make_plan(quick(), kIdentity, "/nowhere");
    Json document = Json(to_json(plans[0]));
    for (const char* folder : {"../../etc", "..", "", "a/b", "/root"}) {
        Json bad = document;
        bad["folder"] = folder;
        const auto read = run_plan_from_json(bad, "plan.json");
        QVERIFY2(!read.ok(), folder);
        QCOMPARE(read.error().pointer, std::string("/folder"));
        QCOMPARE(read.error().exit_status(), 4);
    }
    document["schema_version"] = 2;
    const auto newer = run_plan_from_json(document, "plan.json");
    QCOMPARE(newer.error().exit_status(), 3);
    QVERIFY(newer.error().message.find("newer Sextant") != std::string::npos);
}

void TestRunPlan::identicalArmsAreAnnounced() {
    const auto pairs = identical_arms(find_preset("a-a")->experiment);
    QCOMPARE(pairs.size(), std::size_t{1});
    QCOMPARE(pairs[0].first, std::string("rope-a"));
    QCOMPARE(pairs[0].second, std::string("rope-b"));
    QVERIFY(identical_arms(quick()).empty());
}

QTEST_APPLESS_MAIN(TestRunPlan)
#include "test_run_plan.moc"
