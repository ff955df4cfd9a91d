#pragma once
// Runs the real sextant-cli as a user does, and reads back what it left on disk.

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace end_to_end {

struct Finished {
    int code = -1;  // exit status, or 128 + signal
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QString last_line() const;  // of stderr
    [[nodiscard]] int error_lines() const;
};

[[nodiscard]] QString program();  // SEXTANT_CLI, else the one of this build
Finished call(const QStringList& arguments, const QString& folder = {}, int milliseconds = 240'000);
// Started in a process group of its own, as a shell does, so that a group kill spares the test.
std::unique_ptr<QProcess> start(const QStringList& arguments);
Finished wait(QProcess& process, int milliseconds = 240'000);
// The window in a process of its own (window_driver.cpp says what it hears and tells), started as start() does.
std::unique_ptr<QProcess> start_window(const QStringList& arguments);
[[nodiscard]] bool process_exists(qint64 process);  // and is no zombie
// The process of the orchestrator that a window started, from its output; waits for it. 0 when it never came.
qint64 orchestrator_of(QProcess& window, int milliseconds = 60'000);
// Children of a process that are workers (--task).
QList<qint64> workers_of(qint64 process);

// A tiny experiment that trains in about a second: two arms, one seed, a checkpoint every few steps.
[[nodiscard]] nlohmann::json tiny_experiment();
QString write_json(const QString& path, const nlohmann::json& document);
[[nodiscard]] nlohmann::json read_json(const QString& path);

// What must be equal between two projects of the same experiment: the folds without time, the hashes of the last
// checkpoint's files, and the artifacts without timing, memory and provenance. As text, for comparison and messages.
[[nodiscard]] std::string identity_of(const QString& project);

}  // namespace end_to_end
