#include "widgets/engine/worker_process.h"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "core/base/build_info.h"

namespace sextant {

namespace {

constexpr int kVersionTimeoutMs = 20000;

// Clock ticks since boot at which a process began; 0 when there is none. Tells a reused process id.
quint64 startOf(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    const QByteArray text = file.readAll();
    const qsizetype close = text.lastIndexOf(')');  // the name may hold blanks and brackets
    const QList<QByteArray> fields = text.mid(close + 2).split(' ');
    if (fields.size() < 20 || fields[0] == "Z") return 0;
    return fields[19].toULongLong();
}

}  // namespace

WorkerProcess::WorkerProcess(QObject* parent) : QObject(parent) {
    watch_.setInterval(300);
    connect(&watch_, &QTimer::timeout, this, &WorkerProcess::watch);
}

QString WorkerProcess::findProgram() {
    const QString given = qEnvironmentVariable("SEXTANT_CLI");
    if (!given.isEmpty()) return QFileInfo(given).isExecutable() ? given : QString();
    const QString beside = QCoreApplication::applicationDirPath() + "/sextant-cli";
    if (QFileInfo(beside).isExecutable()) return beside;
    return QStandardPaths::findExecutable(QStringLiteral("sextant-cli"));
}

QString WorkerProcess::logFile() const {
    return project_ + "/worker.log";
}

void WorkerProcess::start(const QString& project, const QStringList& extraArguments) {
    if (check_ != nullptr) return;
    if (running()) {
        Q_EMIT refused(tr("Training of this project is already under way."));
        return;
    }
    project_ = project;
    extra_ = extraArguments;
    const QString program = findProgram();
    if (program.isEmpty()) {
        fail(tr(
            "sextant-cli was not found beside the window, on PATH or in SEXTANT_CLI; install it or set SEXTANT_CLI."));
        return;
    }
    check_ = new QProcess(this);
    QTimer::singleShot(kVersionTimeoutMs, check_, &QProcess::kill);
    connect(check_, &QProcess::finished, this, [this, program] { checked(program, check_->readAllStandardOutput()); });
    connect(check_, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) checked(program, {});
    });
    check_->start(program, {QStringLiteral("--version"), QStringLiteral("--json")});
}

void WorkerProcess::checked(const QString& program, const QByteArray& output) {
    check_->deleteLater();
    check_ = nullptr;
    const QJsonObject version = QJsonDocument::fromJson(output).object();
    const QString theirs = version.value("commit").toString();
    const QString ours = QString::fromStdString(build_info().commit);
    if (theirs.isEmpty()) {
        fail(tr("%1 did not tell its version; reinstall it together with the window.").arg(program));
        return;
    }
    if (theirs != ours) {
        fail(tr("%1 was built from commit %2, the window from %3; install both from the same build.")
                 .arg(program, theirs, ours));
        return;
    }
    launch(program);
}

void WorkerProcess::launch(const QString& program) {
    QStringList arguments = {QStringLiteral("run"),        project_ + "/experiment.json",
                             QStringLiteral("--project"),  project_,
                             QStringLiteral("--progress"), QStringLiteral("none")};
    arguments += extra_;
    QProcess process;
    process.setProgram(program);
    process.setArguments(arguments);
    process.setWorkingDirectory(project_);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(logFile(), QIODevice::Truncate);
    qint64 id = 0;
    if (!process.startDetached(&id)) {
        fail(tr("%1 could not be started: %2.").arg(program, process.errorString()));
        return;
    }
    process_ = id;
    processStart_ = startOf(id);
    watch_.start();
    Q_EMIT started(id);
}

void WorkerProcess::watch() {
    const quint64 now = startOf(process_);
    if (now != 0 && (processStart_ == 0 || now == processStart_)) return;
    watch_.stop();
    process_ = 0;
    QString problem;
    QFile log(logFile());
    if (log.open(QIODevice::ReadOnly)) {
        if (log.size() > 8192) log.seek(log.size() - 8192);
        const QList<QByteArray> lines = log.readAll().trimmed().split('\n');
        const QString last = QString::fromUtf8(lines.last()).trimmed();
        if (last.startsWith("sextant-cli:")) problem = last.mid(12).trimmed();
    }
    Q_EMIT ended(problem);
}

bool WorkerProcess::requestStop() {
    if (process_ <= 0 || startOf(process_) != processStart_) return false;
    return ::kill(static_cast<pid_t>(process_), SIGTERM) == 0;
}

void WorkerProcess::fail(const QString& sentence) {
    // Callers connect after start() in tests and dialogs alike: always answer from the event loop.
    QMetaObject::invokeMethod(
        this, [this, sentence] { Q_EMIT refused(sentence); }, Qt::QueuedConnection);
}

}  // namespace sextant
