#pragma once
// One open project: what is followed, what is trained, what is selected, its notes and its experiment. The window's
// pages read it and ask it to act; it shows nothing itself, so that tests drive it without a window.

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/run/run_control.h"
#include "widgets/engine/run_follower.h"
#include "widgets/engine/worker_process.h"
#include "widgets/models/experiment_model.h"
#include "widgets/models/preferences.h"
#include "widgets/models/run_notes.h"
#include "widgets/models/view_history.h"
#include "widgets/selection.h"

namespace sextant {

enum class MessageKind { kInfo, kWarning, kError };

class Session : public QObject {
    Q_OBJECT

  public:
    explicit Session(QObject* parent = nullptr);

    // A folder with an experiment, a plan or runs; anything else is refused with a sentence.
    [[nodiscard]] Status open(const QString& project);
    void close();
    // Shows the runs of another folder (a Sextant project, TensorBoard event files, CSV) beside the project's own.
    [[nodiscard]] Status compareWith(const QString& path);
    void stopComparing(const QString& path);
    // The compared folder a run or arm came from; empty for the project's own.
    [[nodiscard]] QString comparedFolderOf(const QString& arm) const;
    [[nodiscard]] bool imported() const { return imported_; }  // another program's logs: nothing to train or to edit
    // Writes <project>/experiment.json (folder made if missing) and opens it.
    [[nodiscard]] Status create(const QString& project, ExperimentModel& experiment);
    [[nodiscard]] bool isOpen() const { return !project_.isEmpty(); }
    [[nodiscard]] const QString& project() const { return project_; }

    void startTraining(const QStringList& extraArguments = {});
    // Sends to the runs given that are live; without any given, to every live run. Returns how many were told.
    int control(ControlCommand command, const QStringList& folders = {});
    // Resumes when all of them are paused, else pauses.
    int pauseOrResume(const QStringList& folders = {});
    // Checkpoints and ends everything, queued runs included where the orchestrator is ours.
    void stopAll();
    [[nodiscard]] bool training() const;  // a live run, or our orchestrator

    [[nodiscard]] ProjectSnapshotPtr snapshot() const { return follower_.latest(); }
    [[nodiscard]] QString baseline() const;
    [[nodiscard]] const RunSnapshot* selectedRun() const;
    [[nodiscard]] QStringList selectedFolders() const;  // the run, or all runs of the selected arm

    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] RunNotes& notes() { return notes_; }
    [[nodiscard]] ViewHistory& history() { return history_; }
    [[nodiscard]] ExperimentModel& experiment() { return experiment_; }
    [[nodiscard]] RunFollower& follower() { return follower_; }
    [[nodiscard]] WorkerProcess& worker() { return worker_; }
    [[nodiscard]] Preferences& preferences() { return preferences_; }

  Q_SIGNALS:
    void projectChanged();
    void snapshotChanged(const sextant::ProjectSnapshotPtr& snapshot);
    void trainingChanged();
    void message(sextant::MessageKind kind, const QString& fact, const QString& consequence);

  private:
    void takeSnapshot(const ProjectSnapshotPtr& snapshot);

    QString project_;
    Preferences preferences_;
    Selection selection_;
    RunNotes notes_;
    ViewHistory history_{*notes_.undoStack()};
    ExperimentModel experiment_;
    WorkerProcess worker_;
    RunFollower follower_;
    bool wasTraining_ = false;
    bool imported_ = false;
};

}  // namespace sextant
