// slurm submit, status, collect and cancel against scheduler programs that are shell scripts in a folder put first in
// PATH: they note how they were called and answer as Slurm does. The tasks are then run by hand, as Slurm would.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {
const char* const kExperiment = R"({"schema_version": 1, "name": "cluster",
    "data": {"corpus": {"kind": "synthetic"}, "tokenizer": {"kind": "bpe", "vocab_size": 300}, "train_tokens": 6000,
             "validation_tokens": 600, "test_tokens": 900, "instructions": {"kind": "synthetic", "train": 8, "validation": 4},
             "preferences": {"kind": "synthetic", "validation": 4}, "narrative": null},
    "model": {"d_model": 16, "n_layer": 1, "n_head": 2, "n_kv_head": 2, "d_ff": 32, "context_length": 16},
    "training": {"batch_size": 2, "steps": 3, "threads": 1},
    "evaluation": {"lengths": [16], "modes": ["non-overlapping"], "stride": 8, "tokens": 512},
    "baseline": {"name": "rope", "encoding": {"id": "rope"}},
    "variants": [{"name": "alibi", "encoding": {"id": "alibi"}}], "seeds": [1]})";
}  // namespace

class TestSlurmCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString project_, bin_;

    void script(const QString& name, const QByteArray& text) {
        QFile file(bin_ + "/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    struct Outcome {
        int status = -1;
        QByteArray out, err;
    };
    Outcome run(const QStringList& arguments, bool scheduler = true) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", scheduler ? bin_ + ":" + environment.value("PATH") : bin_ + "/none");
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder_.path());
        process.start(qEnvironmentVariable("SEXTANT_CLI"), arguments);
        if (!process.waitForFinished(120000)) return {};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

  private slots:
    void initTestCase() {
        if (!QFile::exists(qEnvironmentVariable("SEXTANT_CLI")))
            QFAIL("sextant-cli is not built: build it or set SEXTANT_CLI");
        bin_ = folder_.filePath("bin");
        project_ = folder_.filePath("a project's folder");
        QVERIFY(QDir().mkpath(bin_));
        QFile file(folder_.filePath("e.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kExperiment);
        script("sbatch", "printf '%s\\n' \"$@\" > '" + bin_.toUtf8() + "/sbatch.args'; cp \"$2\" '" + bin_.toUtf8() +
                             "/submitted.sh'; echo '77;cluster'\n");
        script("squeue", "printf '77_0|RUNNING|None\\n77_1|PENDING|Resources\\n'\n");
        script("scancel", "printf '%s\\n' \"$@\" > '" + bin_.toUtf8() + "/scancel.args'\n");
    }
    void submit_writes_a_script_and_one_array_job() {
        const Outcome outcome = run({"slurm", "submit", "e.json", "--project", project_, "--cpus", "1", "--partition",
                                     "long", "--time", "1:00:00", "--max-parallel", "2", "--json"});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        const QJsonObject answer = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(answer["job"].toInt(), 77);
        QCOMPARE(answer["tasks"].toArray().size(), 2);
        QFile submitted(bin_ + "/submitted.sh");
        QVERIFY(submitted.open(QIODevice::ReadOnly));
        const QByteArray text = submitted.readAll();
        QVERIFY(text.contains("#SBATCH --array=0-1%2\n") && text.contains("--partition=long\n"));
        QCOMPARE(QProcess::execute("/bin/bash", {"-n", bin_ + "/submitted.sh"}), 0);
    }
    void without_slurm_it_says_so() {
        const Outcome outcome = run({"slurm", "status", "--project", project_}, false);
        QCOMPARE(outcome.status, 2);
        QVERIFY(outcome.err.contains("squeue is not in PATH"));
        QCOMPARE(outcome.err.count('\n'), 1);
    }
    void status_joins_both_views() {
        const Outcome outcome = run({"slurm", "status", "--project", project_, "--json"});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        const QJsonArray runs = QJsonDocument::fromJson(outcome.out).object()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].toObject()["scheduler"].toString(), QString("RUNNING"));
        QCOMPARE(runs[1].toObject()["reason"].toString(), QString("Resources"));
        QCOMPARE(runs[1].toObject()["run"].toString(), QString("queued"));
    }
    void what_waits_or_runs_is_not_submitted_again() {
        const Outcome outcome = run({"slurm", "submit", "e.json", "--project", project_, "--json"});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        QVERIFY(QJsonDocument::fromJson(outcome.out).object()["job"].isNull());
    }
    void collect_names_what_is_missing_then_builds_it() {
        Outcome outcome = run({"slurm", "collect", "--project", project_});
        QCOMPARE(outcome.status, 4);
        QVERIFY(outcome.out.contains("missing: alibi seed 1"));
        for (const char* task : {"0", "1"}) {  // the script's own line, as Slurm runs it
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("SLURM_ARRAY_TASK_ID", task);
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(project_);
            process.start("/bin/bash", {bin_ + "/submitted.sh"});
            QVERIFY(process.waitForFinished(120000));
            QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        }
        outcome = run({"slurm", "collect", "--project", project_, "--json"});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        const QJsonObject answer = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(answer["written"].toArray().size(), 1);
        QCOMPARE(answer["missing"].toArray().size(), 0);
        outcome = run({"audit", answer["written"].toArray()[0].toString()});
        QVERIFY2(outcome.status == 0, outcome.out.constData());
        outcome = run({"slurm", "collect", "--project", project_, "--json"});
        QCOMPARE(QJsonDocument::fromJson(outcome.out).object()["unchanged"].toArray().size(), 1);
    }
    void cancel_names_the_job() {
        const Outcome outcome = run({"slurm", "cancel", "--project", project_});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
        QFile file(bin_ + "/scancel.args");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("77\n"));
    }
    void a_failing_scheduler_is_one_line() {
        script("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1\n");
        const Outcome outcome = run({"slurm", "status", "--project", project_});
        QCOMPARE(outcome.status, 6);
        QVERIFY(outcome.err.contains("Unable to contact slurm controller"));
        QCOMPARE(outcome.err.count('\n'), 1);
    }
    void bad_options_are_refused() {
        QCOMPARE(run({"slurm", "submit", "e.json", "--project", project_, "--time", "1h"}).status, 2);
        QCOMPARE(run({"slurm", "submit", "e.json", "--project", project_, "--partition", "a b"}).status, 2);
        QCOMPARE(run({"slurm"}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestSlurmCommand)
#include "test_slurm_command.moc"
