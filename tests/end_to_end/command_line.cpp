#include "command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <nlohmann/json.hpp>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/run/run_directory.h"

namespace end_to_end {

using nlohmann::json;

QString Finished::last_line() const {
    const QList<QByteArray> lines = err.trimmed().split('\n');
    return QString::fromUtf8(lines.back());
}

int Finished::error_lines() const {
    return err.trimmed().isEmpty() ? 0 : static_cast<int>(err.trimmed().count('\n')) + 1;
}

QString program() {
    return qEnvironmentVariable("SEXTANT_CLI", QCoreApplication::applicationDirPath() + "/../../bin/sextant-cli");
}

namespace {

std::unique_ptr<QProcess> start_program(const QString& name, const QStringList& arguments) {
    auto process = std::make_unique<QProcess>();
    process->setChildProcessModifier([] { (void)::setpgid(0, 0); });
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SEXTANT_CLI", program());  // the window starts it
    if (!environment.contains("QT_QPA_PLATFORM")) environment.insert("QT_QPA_PLATFORM", "offscreen");
    process->setProcessEnvironment(environment);
    process->start(name, arguments);
    if (!process->waitForStarted()) qFatal("cannot start %s", qPrintable(name));
    return process;
}

// Fields of /proc/<process>/stat from the state on; empty when there is no such process.
QList<QByteArray> stat_of(qint64 process) {
    QFile stat(QString("/proc/%1/stat").arg(process));
    if (!stat.open(QIODevice::ReadOnly)) return {};
    const QByteArray line = stat.readAll();
    return line.mid(line.lastIndexOf(')') + 2).split(' ');
}

}  // namespace

std::unique_ptr<QProcess> start(const QStringList& arguments) {
    return start_program(program(), arguments);
}

std::unique_ptr<QProcess> start_window(const QStringList& arguments) {
    return start_program(QCoreApplication::applicationDirPath() + "/window_driver", arguments);
}

bool process_exists(qint64 process) {
    const QList<QByteArray> fields = stat_of(process);
    return fields.size() > 1 && fields[0] != "Z";
}

qint64 orchestrator_of(QProcess& window, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    QByteArray told;
    while (timer.elapsed() < milliseconds) {
        told += window.readAllStandardOutput();
        const qsizetype at = told.indexOf("started ");
        const qsizetype end = at < 0 ? -1 : told.indexOf('\n', at);
        if (end > 0) return told.mid(at + 8, end - at - 8).toLongLong();
        if (window.state() == QProcess::NotRunning) return 0;
        window.waitForReadyRead(50);
    }
    return 0;
}

Finished wait(QProcess& process, int milliseconds) {
    Finished result;
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(milliseconds)) {
        process.kill();
        process.waitForFinished();
        result.code = -2;
    } else {
        result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 128 + process.exitCode();
    }
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

Finished call(const QStringList& arguments, const QString& folder, int milliseconds) {
    QProcess process;
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(program(), arguments);
    process.closeWriteChannel();
    return wait(process, milliseconds);
}

QList<qint64> workers_of(qint64 process) {
    QList<qint64> workers;
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
        bool number = false;
        const qint64 candidate = entry.toLongLong(&number);
        if (!number) continue;
        const QList<QByteArray> fields = stat_of(candidate);
        if (fields.size() > 1 && fields[1].toLongLong() == process) workers.append(candidate);
    }
    return workers;
}

json tiny_experiment() {
    return json::parse(R"({
      "schema_version": 1, "name": "tiny",
      "data": {"corpus": {"kind": "synthetic"}, "tokenizer": {"kind": "bpe", "vocab_size": 300},
               "train_tokens": 20000, "validation_tokens": 1000, "test_tokens": 2000,
               "instructions": {"kind": "synthetic", "train": 8, "validation": 4},
               "preferences": {"kind": "synthetic", "validation": 4}},
      "model": {"d_model": 32, "n_layer": 1, "n_head": 2, "d_ff": 32, "context_length": 16},
      "training": {"optimizer": {"kind": "adamw", "learning_rate": 0.003}, "batch_size": 4, "steps": 60, "threads": 1,
                   "evaluate_every": 20, "checkpoint_every": 5},
      "evaluation": {"lengths": [16, 32], "modes": ["non-overlapping", "sliding"], "stride": 16, "tokens": 1024},
      "baseline": {"name": "rope", "encoding": {"id": "rope"}},
      "variants": [{"name": "alibi", "encoding": {"id": "alibi"}}],
      "seeds": [42]})");
}

QString write_json(const QString& path, const json& document) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(QByteArray::fromStdString(document.dump(1)));
    return path;
}

json read_json(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return json();
    const QByteArray bytes = file.readAll();
    return json::parse(bytes.begin(), bytes.end(), nullptr, false);
}

std::string identity_of(const QString& project) {
    const auto runs = sextant::list_runs({project.toStdString()});
    if (!runs) return "unreadable: " + runs.error().sentence();
    std::string text;
    for (const sextant::ListedRun& run : *runs) {
        const sextant::RunState& state = run.state;
        text += run.plan.folder + " " + sextant::phase_name(state.phase) + "\n";
        for (const auto& point : state.steps) {
            text += std::to_string(point.step) + " " + sextant::format_exact(point.loss) + " " +
                    sextant::format_exact(point.gradient_norm) + "\n";
        }
        for (const auto& point : state.validations)
            text += "v " + std::to_string(point.step) + " " + sextant::format_exact(point.loss) + "\n";
        for (const auto& value : state.evaluations) {
            text += value.metric + " " + std::to_string(value.length) + " " + value.mode + " " +
                    sextant::format_exact(value.value) + "\n";
        }
        if (state.completed) text += state.completed->model_sha256 + " " + state.completed->optimizer_sha256 + "\n";
        if (!state.checkpoints.empty()) {
            for (const char* file : {"model.safetensors", "optimizer.safetensors"}) {
                const auto hash =
                    sextant::sha256_file(run.directory.path + "/" + state.checkpoints.back() + "/" + file);
                text += std::string(file) + " " + (hash ? *hash : "missing") + "\n";
            }
        }
    }
    const QDir artifacts(project + "/artifacts");
    for (const QString& name : artifacts.entryList({"*.json"}, QDir::Files, QDir::Name)) {
        json document = read_json(artifacts.filePath(name));
        if (document.is_object()) {
            for (const char* key : {"timing", "memory", "provenance"})
                document.erase(key);
        }
        text += name.toStdString() + " " + document.dump() + "\n";
    }
    return text;
}

}  // namespace end_to_end
