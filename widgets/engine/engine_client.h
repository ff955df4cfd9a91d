#pragma once
// Asks a long-lived `sextant-cli serve` child for what needs a forward pass: newline-delimited JSON both ways, replies
// in any order. A child that dies is started again and what it owed is asked once more; a second death is an error.

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <functional>

namespace sextant {

class EngineClient : public QObject {
    Q_OBJECT

  public:
    struct Reply {
        bool ok = false;
        QJsonObject result;
        QString problem;  // a sentence when not ok
    };
    using Callback = std::function<void(const Reply&)>;

    explicit EngineClient(QObject* parent = nullptr);
    ~EngineClient() override;

    // Never blocks; the callback runs in this thread, unless `context` is gone by then. Returns the request's id.
    qint64 ask(const QString& method, const QJsonObject& params, QObject* context, Callback callback);
    void cancel(qint64 id);
    // Ends the child, which gives its memory and pipes back; what it owes is answered with a problem. The next request
    // starts another one.
    void rest();
    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] qint64 processId() const { return process_ != nullptr ? process_->processId() : 0; }

  Q_SIGNALS:
    void progress(qint64 id, double share);

  private:
    struct Pending {
        QByteArray line;
        QPointer<QObject> context;
        Callback callback;
        int attempts = 0;
    };
    void start();
    void read();
    void take(const QByteArray& line);
    void died();
    void send(Pending& pending);
    void failAll(const QString& problem);

    QProcess* process_ = nullptr;
    QByteArray buffer_;
    QHash<qint64, Pending> pending_;
    qint64 next_ = 0;
    bool ready_ = false;
};

}  // namespace sextant
