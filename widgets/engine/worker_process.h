#pragma once
// Starts training outside the window: `sextant-cli run` detached, so that it outlives the window, steered through the
// control files and watched through the run directories. A command line of another commit is refused, because the two
// must agree on every number.

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace sextant {

class WorkerProcess : public QObject {
    Q_OBJECT

  public:
    explicit WorkerProcess(QObject* parent = nullptr);

    // SEXTANT_CLI, then the window's own folder, then PATH; empty when there is none.
    [[nodiscard]] static QString findProgram();

    // Checks the program's commit, then starts the orchestrator. Answers with started() or refused().
    void start(const QString& project, const QStringList& extraArguments = {});
    [[nodiscard]] bool running() const { return process_ > 0; }
    [[nodiscard]] bool starting() const { return check_ != nullptr; }
    [[nodiscard]] qint64 processId() const { return process_; }
    [[nodiscard]] QString project() const { return project_; }
    // Asks the whole orchestrator to write checkpoints and end (SIGTERM). False when none of ours runs.
    bool requestStop();

  Q_SIGNALS:
    void started(qint64 process);
    void refused(const QString& sentence);
    // The orchestrator is gone; `problem` is its last line on stderr when that names an error, else empty.
    void ended(const QString& problem);

  private:
    void checked(const QString& program, const QByteArray& output);
    void launch(const QString& program);
    void watch();
    void fail(const QString& sentence);
    [[nodiscard]] QString logFile() const;

    QString project_;
    QStringList extra_;
    QProcess* check_ = nullptr;
    QTimer watch_;
    qint64 process_ = 0;
    quint64 processStart_ = 0;
};

}  // namespace sextant
