#include <sched.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/base/hash.h"
#include "core/run/run_directory.h"

using namespace end_to_end;
using nlohmann::json;

class TestRunCommand : public QObject {
    Q_OBJECT

  private slots:
    void presetsArePrintedAndRun();
    void twoFoldersGiveTheSameBytesAndRepeatingChangesNothing();
    void addingSeedsArmsAndEvaluationsRetrainsNothing();
    void tasksRunAloneAsAnArrayJobDoes();
    void aDivergedArmDoesNotStopTheOthers();
    void threadsAreResolvedIntoThePlan();
    void theProjectIsNamedAfterTheExperiment();
    void oneJsonDocument();
    void aTrashedRunIsNotTrainedAgain();
    void waitingRunsStartAsTheQueueSays();

  private:
    static Finished run(const QString& experiment, const QString& project, const QStringList& more = {}) {
        return call(QStringList{"run", experiment, "--project", project, "--progress", "none"} + more);
    }
    static QMap<QString, QByteArray> files(const QString& folder);
    QTemporaryDir folder_;
};

// Path and hash of every file that a repetition must not touch.
QMap<QString, QByteArray> TestRunCommand::files(const QString& folder) {
    QMap<QString, QByteArray> all;
    QDirIterator entries(folder, QDir::Files, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        if (path.endsWith("worker.log")) continue;
        all[path] = QByteArray::fromStdString(*sextant::sha256_file(path.toStdString())) +
                    QByteArray::number(entries.fileInfo().lastModified().toMSecsSinceEpoch());
    }
    return all;
}

void TestRunCommand::presetsArePrintedAndRun() {
    const Finished list = call({"presets", "--json"});
    QCOMPARE(list.code, 0);
    const json names = json::parse(list.out.toStdString());
    QVERIFY(names.size() >= 10);
    const Finished printed = call({"preset", "seed-rope"});
    QCOMPARE(printed.code, 0);
    const QString file = write_json(folder_.filePath("seed-rope.json"), json::parse(printed.out.toStdString()));
    const QString project = folder_.filePath("seed-rope");
    const Finished finished = run(file, project);
    QVERIFY2(finished.code == 0, finished.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    QCOMPARE(runs->size(), std::size_t{2});
    for (const auto& one : *runs) {
        QCOMPARE(one.state.started->parameters, std::int64_t{139584});
        QCOMPARE(one.state.steps.size(), std::size_t{12});
        QVERIFY(std::abs(one.state.steps.front().loss - std::log(512.0)) < 0.1);
        QVERIFY(one.state.steps.back().loss < one.state.steps.front().loss);
    }
    const json artifact = read_json(project + "/artifacts/rope.json");
    QVERIFY(artifact.is_object());
    QCOMPARE(artifact["baseline"]["lm_loss"].get<double>(), artifact["method"]["lm_loss"].get<double>());
    QCOMPARE(artifact["relative"]["lm_loss_percent"].get<double>(), 0.0);
    QVERIFY(finished.out.contains("rope.json"));
    const Finished audit = call({"audit", project + "/artifacts/rope.json"});
    QVERIFY2(audit.code == 0, (audit.out + audit.err).constData());
}

void TestRunCommand::twoFoldersGiveTheSameBytesAndRepeatingChangesNothing() {
    const QString experiment = write_json(folder_.filePath("twice.json"), tiny_experiment());
    const QString one = folder_.filePath("one");
    const QString two = folder_.filePath("two");
    QVERIFY(run(experiment, one).code == 0);
    QVERIFY(run(experiment, two).code == 0);
    QCOMPARE(identity_of(one), identity_of(two));
    const auto before = files(one);
    const Finished again = run(experiment, one);
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(files(one), before);
    QVERIFY(again.out.contains("alibi.json"));
}

void TestRunCommand::addingSeedsArmsAndEvaluationsRetrainsNothing() {
    json experiment = tiny_experiment();
    const QString file = write_json(folder_.filePath("grow.json"), experiment);
    const QString project = folder_.filePath("grow");
    QVERIFY(run(file, project).code == 0);
    const auto trained = [&] {
        QMap<QString, std::string> hashes;
        const auto listed = sextant::list_runs({project.toStdString()});
        for (const auto& one : *listed) {
            if (one.state.completed)
                hashes[QString::fromStdString(one.plan.folder)] = one.state.completed->model_sha256;
        }
        return hashes;
    };
    const auto first = trained();
    QCOMPARE(first.size(), 2);
    const auto started = (*sextant::list_runs({project.toStdString()}))[0].state.steps;
    QVERIFY2(run(file, project, {"--seeds", "7"}).code == 0, "a seed more");
    QCOMPARE(trained().size(), 4);
    QCOMPARE(read_json(project + "/experiment.json")["seeds"], json::array({42, 7}));
    experiment["seeds"] = {42, 7};
    experiment["variants"].push_back({{"name", "none"}, {"encoding", {{"id", "none"}}}});
    experiment["evaluation"]["lengths"] = {16, 32, 64};
    write_json(file, experiment);
    const Finished grown = run(file, project);
    QVERIFY2(grown.code == 0, grown.err.constData());
    const auto all = trained();
    QCOMPARE(all.size(), 6);
    for (auto it = first.begin(); it != first.end(); ++it)
        QCOMPARE(all[it.key()], it.value());
    const auto runs = *sextant::list_runs({project.toStdString()});
    QCOMPARE(runs[0].state.steps.size(), started.size());
    for (std::size_t i = 0; i < started.size(); ++i)
        QCOMPARE(runs[0].state.steps[i].time, started[i].time);  // not trained again
    const auto& values = runs[0].state.evaluations;
    QVERIFY(std::any_of(values.begin(), values.end(), [](const auto& value) { return value.length == 64; }));
    QVERIFY(runs[0].state.completed.has_value());
    QVERIFY(QFile::exists(project + "/artifacts/none.json"));
    // One arm only: the others are left as they are.
    const Finished one_arm = run(file, project, {"--arms", "nonee"});
    QCOMPARE(one_arm.code, 2);
    QVERIFY(one_arm.last_line().contains("\"none\""));
}

void TestRunCommand::tasksRunAloneAsAnArrayJobDoes() {
    const QString file = write_json(folder_.filePath("array.json"), tiny_experiment());
    const QString project = folder_.filePath("array");
    const QStringList words{"run", file, "--project", project, "--progress", "none", "--task"};
    const auto first = start(words + QStringList{"1"});  // both at once, into an empty folder
    const auto second = start(words + QStringList{"0"});
    const Finished one = wait(*first);
    const Finished two = wait(*second);
    QVERIFY2(one.code == 0, one.err.constData());
    QVERIFY2(two.code == 0, two.err.constData());
    const auto runs = *sextant::list_runs({project.toStdString()});
    QCOMPARE(runs.size(), std::size_t{2});
    QVERIFY(runs[0].state.completed && runs[1].state.completed);
    QCOMPARE(call(words + QStringList{"2"}).code, 2);
    const Finished collected = run(file, project);
    QVERIFY2(collected.code == 0, collected.err.constData());
    const QString usual = folder_.filePath("usual");
    QVERIFY(run(file, usual).code == 0);
    QCOMPARE(identity_of(project), identity_of(usual));
}

void TestRunCommand::aDivergedArmDoesNotStopTheOthers() {
    json experiment = tiny_experiment();
    experiment["variants"].push_back(json::parse(R"({"name": "wild", "encoding": {"id": "rope"},
                        "training": {"optimizer": {"kind": "sgd", "learning_rate": 100.0}, "gradient_clip": 0.0,
                                     "schedule": {"kind": "constant"}}})"));
    std::swap(experiment["variants"][0], experiment["variants"][1]);  // before an arm that goes well
    const QString file = write_json(folder_.filePath("wild.json"), experiment);
    const QString project = folder_.filePath("wild");
    const Finished finished = run(file, project);
    QCOMPARE(finished.code, 5);
    QVERIFY2(finished.last_line().contains("diverged"), finished.err.constData());
    const auto runs = sextant::list_runs({project.toStdString()});
    for (const auto& one : *runs) {
        if (one.plan.arm == "wild") {
            QVERIFY(one.state.phase == sextant::RunPhase::kDiverged);
            QCOMPARE(one.state.diverged->batch_sha256.size(), std::size_t{64});
        } else {
            QVERIFY(one.state.completed.has_value());
        }
    }
    QVERIFY(QFile::exists(project + "/artifacts/alibi.json"));
    QCOMPARE(run(file, project).code, 5);  // repeating trains nothing and says the same
}

void TestRunCommand::threadsAreResolvedIntoThePlan() {
    json experiment = tiny_experiment();
    experiment["training"]["threads"] = 0;
    experiment["training"]["steps"] = 3;
    const QString file = write_json(folder_.filePath("threads.json"), experiment);
    const auto threads = [&](const QString& name, const QStringList& more) {
        const QString project = folder_.filePath(name);
        if (run(file, project, more).code != 0) return std::vector<int>{};
        std::vector<int> each;
        const json document = read_json(project + "/plan.json");
        for (const json& plan : document["plans"])
            each.push_back(plan["training"]["threads"].get<int>());
        return each;
    };
    cpu_set_t set;
    QVERIFY(::sched_getaffinity(0, sizeof set, &set) == 0);
    const int cores = CPU_COUNT(&set);
    // Several runs: one thread each, side by side. One at a time: all cores for each.
    QCOMPARE(threads("together", {}), (std::vector<int>{1, 1}));
    QCOMPARE(threads("asked", {"--jobs", "2"}), (std::vector<int>{1, 1}));
    QCOMPARE(threads("alone", {"--jobs", "1"}), (std::vector<int>{cores, cores}));
    QCOMPARE(threads("given", {"--threads", "2"}), (std::vector<int>{2, 2}));
}

void TestRunCommand::theProjectIsNamedAfterTheExperiment() {
    json experiment = tiny_experiment();
    experiment["name"] = "=SUM(1) \\ <b> $(touch x)";
    experiment["training"]["steps"] = 2;
    experiment["variants"][0]["name"] = "-rf * \"quoted\" ; rm";
    const QString file = write_json(folder_.filePath("named.json"), experiment);
    const QString place = folder_.filePath("place");
    QVERIFY(QDir().mkpath(place));
    const Finished finished = call({"run", file, "--progress", "none"}, place);
    QVERIFY2(finished.code == 0, finished.err.constData());
    const QStringList entries = QDir(place).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden);
    QCOMPARE(entries, QStringList{"_SUM_1_____b____touch_x_"});
    QCOMPARE(QDir(place + "/" + entries[0] + "/artifacts").entryList(QDir::Files).size(), 1);
}

void TestRunCommand::oneJsonDocument() {
    json experiment = tiny_experiment();
    experiment["training"]["steps"] = 2;
    const QString file = write_json(folder_.filePath("json.json"), experiment);
    const Finished finished = run(file, folder_.filePath("json"), {"--json"});
    QVERIFY2(finished.code == 0, finished.err.constData());
    const json summary = json::parse(finished.out.toStdString());
    QCOMPARE(summary["runs"].size(), std::size_t{2});
    QCOMPARE(summary["written"].size(), std::size_t{1});
    QCOMPARE(summary["runs"][0]["phase"].get<std::string>(), std::string("completed"));
}

// The window moves run folders to <project>/trash; the plan keeps them. Repeating the command leaves them there, taking
// one back trains nothing, and naming one trains it anew.
void TestRunCommand::aTrashedRunIsNotTrainedAgain() {
    json experiment = tiny_experiment();
    experiment["seeds"] = {0, 1};
    const QString file = write_json(folder_.filePath("trashed.json"), experiment);
    const QString project = folder_.filePath("trashed");
    QVERIFY(run(file, project).code == 0);
    const auto runs = sextant::list_runs({project.toStdString()});
    QCOMPARE(runs->size(), std::size_t{4});
    const sextant::RunPlan gone = runs->back().plan;
    const QString name = QString::fromStdString(gone.folder);
    QVERIFY(QDir().mkpath(project + "/trash"));
    QVERIFY(QDir().rename(project + "/runs/" + name, project + "/trash/" + name));
    const auto before = files(project + "/runs");
    const Finished again = run(file, project);
    QVERIFY2(again.code == 0, again.err.constData());
    QVERIFY2(again.err.contains("in the trash"), again.err.constData());
    QVERIFY(again.err.contains(QByteArray::fromStdString(gone.arm + " seed " + std::to_string(gone.seed))));
    QVERIFY(!QFileInfo::exists(project + "/runs/" + name));
    QCOMPARE(files(project + "/runs"), before);
    // Back again: complete as it was, nothing is trained.
    QVERIFY(QDir().rename(project + "/trash/" + name, project + "/runs/" + name));
    const auto whole = files(project + "/runs");
    const Finished back = run(file, project);
    QVERIFY2(back.code == 0 && !back.err.contains("in the trash"), back.err.constData());
    QCOMPARE(files(project + "/runs"), whole);
    QVERIFY(QDir().rename(project + "/runs/" + name, project + "/trash/" + name));
    const Finished anew = call({"run", file, "--project", project, "--task", QString::number(gone.number)});
    QVERIFY2(anew.code == 0, anew.err.constData());
    QVERIFY(QFileInfo::exists(project + "/runs/" + name + "/events.log"));
}

void TestRunCommand::waitingRunsStartAsTheQueueSays() {
    const QString file = write_json(folder_.filePath("queue.json"), tiny_experiment());
    const QString project = folder_.filePath("queue");
    QVERIFY(run(file, project, {"--seeds", "0,1", "--jobs", "1"}).code == 0);
    auto runs = sextant::list_runs({project.toStdString()});
    QCOMPARE(runs->size(), std::size_t{4});
    QVERIFY(QDir(project + "/runs").removeRecursively());
    json order = json::array();
    for (const std::size_t at : {3, 1})
        order.push_back((*runs)[at].plan.folder);
    write_json(project + "/queue.json", {{"schema_version", 1}, {"order", order}});
    QVERIFY(run(file, project, {"--seeds", "0,1", "--jobs", "1"}).code == 0);
    runs = sextant::list_runs({project.toStdString()});
    // The two that were named, in that order, then the others as planned: 3, 1, 0, 2.
    const auto ended = [&](std::size_t at) { return (*runs)[at].state.last_time; };
    QVERIFY(ended(3) < ended(1) && ended(1) < ended(0) && ended(0) < ended(2));
}

QTEST_GUILESS_MAIN(TestRunCommand)
#include "test_run_command.moc"
