#include "widgets/engine/engine_client.h"

#include <QJsonDocument>
#include <QPointer>
#include <QTimer>
#include <chrono>
#include <utility>

#include "widgets/engine/worker_process.h"

namespace sextant {
namespace {

constexpr std::chrono::milliseconds kPatience{2000};  // for a child that has been told to end

}  // namespace

EngineClient::EngineClient(QObject* parent) : QObject(parent) {}

EngineClient::~EngineClient() {
    if (process_ == nullptr) return;
    process_->disconnect(this);
    process_->closeWriteChannel();  // end of file ends it
    if (!process_->waitForFinished(300)) process_->kill();
    process_->waitForFinished(300);
}

qint64 EngineClient::ask(const QString& method, const QJsonObject& params, QObject* context, Callback callback) {
    const qint64 id = ++next_;
    Pending pending;
    pending.line =
        QJsonDocument(QJsonObject{{"id", id}, {"method", method}, {"params", params}}).toJson(QJsonDocument::Compact) +
        '\n';
    pending.context = context;
    pending.callback = std::move(callback);
    const auto at = pending_.insert(id, std::move(pending));
    if (process_ == nullptr)
        start();
    else if (ready_)
        send(*at);
    return id;
}

void EngineClient::cancel(qint64 id) {
    if (pending_.remove(id) == 0 || !ready_) return;
    process_->write(
        QJsonDocument(QJsonObject{{"id", ++next_}, {"method", "cancel"}, {"params", QJsonObject{{"id", id}}}})
            .toJson(QJsonDocument::Compact) +
        '\n');
}

void EngineClient::start() {
    const QString program = WorkerProcess::findProgram();
    if (program.isEmpty()) {
        QMetaObject::invokeMethod(
            this, [this] { failAll(tr("sextant-cli was not found; install it or set SEXTANT_CLI.")); },
            Qt::QueuedConnection);
        return;
    }
    ready_ = false;
    buffer_.clear();
    process_ = new QProcess(this);
    process_->setStandardErrorFile(QProcess::nullDevice());
    connect(process_, &QProcess::readyReadStandardOutput, this, &EngineClient::read);
    connect(process_, &QProcess::finished, this, &EngineClient::died);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) died();
    });
    process_->start(program, {QStringLiteral("serve")});
}

void EngineClient::send(Pending& pending) {
    ++pending.attempts;
    process_->write(pending.line);
}

void EngineClient::read() {
    buffer_ += process_->readAllStandardOutput();
    qsizetype end = 0;
    while ((end = buffer_.indexOf('\n')) >= 0) {
        const QByteArray line = buffer_.left(end);
        buffer_.remove(0, end + 1);
        take(line);
    }
}

void EngineClient::take(const QByteArray& line) {
    const QJsonObject reply = QJsonDocument::fromJson(line).object();
    if (reply.value("ready").toBool()) {
        ready_ = true;
        for (Pending& pending : pending_)
            send(pending);
        return;
    }
    const qint64 id = reply.value("id").toInteger();
    if (reply.contains("progress")) {
        Q_EMIT progress(id, reply.value("progress").toDouble());
        return;
    }
    const auto found = pending_.find(id);
    if (found == pending_.end()) return;
    const Pending pending = *found;
    pending_.erase(found);
    if (pending.context.isNull()) return;
    Reply answer;
    answer.ok = reply.value("ok").toBool();
    answer.result = reply.value("result").toObject();
    if (!answer.ok) answer.problem = reply.value("error").toObject().value("message").toString();
    pending.callback(answer);
}

void EngineClient::died() {
    if (process_ == nullptr) return;
    const bool wasReady = ready_;
    process_->deleteLater();
    process_ = nullptr;
    ready_ = false;
    // Asked twice and died twice: the request itself kills it. A child that never became ready counts as asked.
    QList<Pending> lost;
    for (auto it = pending_.begin(); it != pending_.end();) {
        if (!wasReady) ++it->attempts;
        if (it->attempts >= 2) {
            lost << *it;
            it = pending_.erase(it);
        } else {
            ++it;
        }
    }
    const QString problem = wasReady ? tr("The forward-pass service ended twice while answering.")
                                     : tr("The forward-pass service (sextant-cli serve) does not start.");
    for (const Pending& pending : lost) {
        if (!pending.context.isNull()) pending.callback({false, {}, problem});
    }
    if (!pending_.isEmpty() && process_ == nullptr) start();
}

void EngineClient::rest() {
    if (process_ != nullptr) {
        QProcess* ending = std::exchange(process_, nullptr);
        ready_ = false;
        ending->disconnect(this);
        connect(ending, &QProcess::finished, ending, &QObject::deleteLater);
        ending->closeWriteChannel();
        QTimer::singleShot(kPatience, ending, &QProcess::kill);
    }
    failAll(tr("The project was closed before the answer came."));
}

void EngineClient::failAll(const QString& problem) {
    const QHash<qint64, Pending> all = std::exchange(pending_, {});
    for (const Pending& pending : all) {
        if (!pending.context.isNull()) pending.callback({false, {}, problem});
    }
}

}  // namespace sextant
