#pragma once
// What the window knows about a project at one moment: immutable, shared between threads without locks. The follower
// makes them, models and pages only read. Everything derived (progress, time left) is computed here, in one place.

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/results/imported_runs.h"
#include "core/run/run_directory.h"
#include "core/run/run_state.h"

namespace sextant {

// What a row shows: the fold's phase, and "interrupted" where the log says running but its writer is gone.
enum class RunStatus { kQueued, kRunning, kPaused, kInterrupted, kCompleted, kCancelled, kDiverged, kFailed };

struct RunSnapshot {
    std::shared_ptr<const RunPlan> plan;
    RunDirectory directory;
    std::shared_ptr<const RunState> state;
    bool writerAlive = false;  // a live (or not certainly dead) process holds the run's lock
    QStringList problems;
    bool external = false;  // of another folder, shown beside the project: compared, never steered, moved or trained
    std::shared_ptr<const ImportedCurves> imported = nullptr;  // logged by another program: every scalar, by tag

    [[nodiscard]] QString arm() const { return QString::fromStdString(plan->arm); }
    [[nodiscard]] QString folder() const { return QString::fromStdString(plan->folder); }
    [[nodiscard]] std::int64_t seed() const { return plan->seed; }
    [[nodiscard]] RunStatus status() const;
    [[nodiscard]] bool live() const;                             // running or paused, with its writer
    [[nodiscard]] bool finished() const;                         // nothing more will come
    [[nodiscard]] double progress() const;                       // 0..1
    [[nodiscard]] double tokensPerSecond() const;                // median of the last steps; 0 when unknown
    [[nodiscard]] std::optional<double> secondsLeft() const;     // while running
    [[nodiscard]] std::optional<double> validationLoss() const;  // the last one
    [[nodiscard]] std::optional<double> evaluation(const std::string& metric, std::int64_t length,
                                                   const std::string& mode) const;
    [[nodiscard]] std::int64_t totalSteps() const { return plan->training.steps; }
    [[nodiscard]] std::int64_t totalTokens() const;
};

struct ProjectSnapshot {
    QString path;
    std::uint64_t generation = 0;
    QString name;                   // of the experiment
    QString baseline;               // arm name; empty when the experiment file cannot be read
    QStringList arms;               // baseline first, in the experiment's order, then arms only the plan knows
    std::vector<RunSnapshot> runs;  // plan order
    QStringList problems;           // of the project as a whole
    int artifacts = 0;
    std::int64_t artifactStamp = 0;  // changes when an artifact is written
    bool imported = false;           // a folder of another program's logs: there is nothing to train or to edit

    [[nodiscard]] std::vector<const RunSnapshot*> runsOf(const QString& arm) const;
    [[nodiscard]] const RunSnapshot* find(const QString& folder) const;
    [[nodiscard]] int slotOf(const QString& arm) const;  // series slot: a variant keeps it for life
    [[nodiscard]] bool anyLive() const;                  // of its own runs
};
using ProjectSnapshotPtr = std::shared_ptr<const ProjectSnapshot>;

}  // namespace sextant

Q_DECLARE_METATYPE(sextant::ProjectSnapshotPtr)
