#include "widgets/models/session.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QTimer>

#include "core/base/atomic_file.h"
#include "core/run/disk_space.h"
#include "core/run/project_control.h"

namespace sextant {

namespace {

// A worker without room waits at its step and cannot write that down; so the window looks for itself. `warned` is the
// project whose disk was said to be full.
void watchDisk(Session& session, QString& warned) {
    const ProjectSnapshotPtr now = session.snapshot();
    if (!session.isOpen() || !now || !now->anyLive()) return;
    std::int64_t parameters = 0;
    for (const RunSnapshot& run : now->runs) {
        if (run.live() && run.state->started) parameters += std::max<std::int64_t>(run.state->started->parameters, 0);
    }
    const QString project = session.project();
    const auto disk = disk_space(project.toStdString(), parameters);
    if (!disk || disk->full() == (warned == project)) return;
    warned = disk->full() ? project : QString();
    const QLocale locale;
    if (disk->full())
        Q_EMIT session.message(MessageKind::kWarning, Session::tr("The disk of %1 is nearly full.").arg(project),
                               Session::tr("%1 are free, about %2 are needed. Training waits at its step and goes on "
                                           "by itself when there is room.")
                                   .arg(locale.formattedDataSize(static_cast<qint64>(disk->free)),
                                        locale.formattedDataSize(static_cast<qint64>(disk->needed))));
    else
        Q_EMIT session.message(MessageKind::kInfo, Session::tr("There is room again on the disk of %1.").arg(project),
                               {});
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
    connect(&follower_, &RunFollower::changed, this, &Session::takeSnapshot);
    connect(&worker_, &WorkerProcess::started, this, &Session::trainingChanged);
    connect(&worker_, &WorkerProcess::refused, this, [this](const QString& sentence) {
        Q_EMIT message(MessageKind::kError, tr("Training did not start."), sentence);
        Q_EMIT trainingChanged();
    });
    connect(&worker_, &WorkerProcess::ended, this, [this](const QString& problem) {
        follower_.rescan();
        if (!problem.isEmpty()) Q_EMIT message(MessageKind::kError, tr("Training ended."), problem);
        Q_EMIT trainingChanged();
    });
    connect(&notes_, &RunNotes::failed, this,
            [this](const QString& sentence) { Q_EMIT message(MessageKind::kError, sentence, {}); });
    connect(&notes_, &RunNotes::changed, &follower_, &RunFollower::rescan);
    auto* watch = new QTimer(this);
    watch->setInterval(1000);
    connect(watch, &QTimer::timeout, this, [this, warned = QString()]() mutable { watchDisk(*this, warned); });
    watch->start();
}

Status Session::open(const QString& project) {
    const QFileInfo info(project);
    const QString path = info.fileName() == "experiment.json" ? info.absolutePath() : info.absoluteFilePath();
    if (!QFileInfo(path).isDir())
        return storage_error("there is no such folder; open a Sextant project folder", path.toStdString());
    const QDir folder(path);
    if (!folder.exists("experiment.json") && !folder.exists("plan.json") && !folder.exists("runs"))
        return data_error("this folder holds no experiment.json, plan.json or runs; open a Sextant project folder",
                          path.toStdString());
    project_ = QDir::cleanPath(path);
    selection_.reset();
    experiment_.setDirectory(project_);
    Status loaded;
    if (folder.exists("experiment.json")) loaded = experiment_.load(project_ + "/experiment.json");
    notes_.open(project_);
    follower_.follow(project_);
    Q_EMIT projectChanged();
    if (!loaded.ok())
        Q_EMIT message(MessageKind::kWarning, tr("The experiment file cannot be edited."),
                       QString::fromStdString(loaded.error().sentence()));
    if (!notes_.problem().isEmpty())
        Q_EMIT message(MessageKind::kWarning, tr("The notes cannot be read."), notes_.problem());
    return {};
}

void Session::close() {
    project_.clear();
    follower_.follow({});
    notes_.open({});
    selection_.reset();
    Q_EMIT projectChanged();
    Q_EMIT trainingChanged();
}

Status Session::create(const QString& project, ExperimentModel& experiment) {
    SEXTANT_CHECK(ensure_writable(Project{project.toStdString()}));
    SEXTANT_CHECK(experiment.save(project + "/experiment.json"));
    return open(project);
}

void Session::startTraining(const QStringList& extraArguments) {
    if (!isOpen()) return;
    worker_.start(project_, extraArguments);
}

int Session::control(ControlCommand command, const QStringList& folders) {
    const ProjectSnapshotPtr now = snapshot();
    if (!now) return 0;
    int told = 0;
    for (const RunSnapshot& run : now->runs) {
        if (!run.live() || (!folders.isEmpty() && !folders.contains(run.folder()))) continue;
        const Status sent = send_control(run.directory.control_file(), command);
        if (sent.ok())
            ++told;
        else
            Q_EMIT message(MessageKind::kError, tr("%1 s%2 could not be told.").arg(run.arm()).arg(run.seed()),
                           QString::fromStdString(sent.error().sentence()));
    }
    return told;
}

int Session::pauseOrResume(const QStringList& folders) {
    const ProjectSnapshotPtr now = snapshot();
    if (!now) return 0;
    bool allPaused = true;
    for (const RunSnapshot& run : now->runs) {
        if (!run.live() || (!folders.isEmpty() && !folders.contains(run.folder()))) continue;
        allPaused = allPaused && run.status() == RunStatus::kPaused;
    }
    return control(allPaused ? ControlCommand::kResume : ControlCommand::kPause, folders);
}

void Session::stopAll() {
    // The orchestrator stops its children and starts no more: by a signal when it is ours, else through the project's
    // control file (it was started by an earlier window or in a terminal). Workers without one are told each.
    if (worker_.project() == project_ && worker_.requestStop()) return;
    const Status sent = send_control(project_control_file(project_.toStdString()), ControlCommand::kStop);
    if (!sent.ok())
        Q_EMIT message(MessageKind::kError, tr("Training could not be told to stop."),
                       QString::fromStdString(sent.error().sentence()));
    control(ControlCommand::kStop);
}

bool Session::training() const {
    if (worker_.project() == project_ && (worker_.running() || worker_.starting())) return true;
    const ProjectSnapshotPtr now = snapshot();
    return now && now->anyLive();
}

QString Session::baseline() const {
    if (!selection_.baseline().isEmpty()) return selection_.baseline();
    const ProjectSnapshotPtr now = snapshot();
    return now ? now->baseline : QString();
}

const RunSnapshot* Session::selectedRun() const {
    const ProjectSnapshotPtr now = snapshot();
    return now && !selection_.run().isEmpty() ? now->find(selection_.run()) : nullptr;
}

QStringList Session::selectedFolders() const {
    if (!selection_.run().isEmpty()) return {selection_.run()};
    QStringList folders;
    const ProjectSnapshotPtr now = snapshot();
    if (!now || selection_.arm().isEmpty()) return folders;
    for (const RunSnapshot* run : now->runsOf(selection_.arm()))
        folders << run->folder();
    return folders;
}

void Session::takeSnapshot(const ProjectSnapshotPtr& snapshot) {
    if (selection_.arm().isEmpty() && !snapshot->arms.isEmpty()) {
        // The run that trains, else the first variant: something is always chosen.
        const RunSnapshot* first = nullptr;
        for (const RunSnapshot& run : snapshot->runs) {
            if (run.live() && first == nullptr) first = &run;
        }
        if (first != nullptr)
            selection_.selectRun(first->arm(), first->folder());
        else
            selection_.selectArm(snapshot->arms.size() > 1 ? snapshot->arms[1] : snapshot->arms[0]);
    }
    std::int64_t last = 0;
    for (const RunSnapshot& run : snapshot->runs)
        last = std::max(last, run.state->step);
    selection_.followTo(last);
    Q_EMIT snapshotChanged(snapshot);
    const bool now = training();
    if (now != wasTraining_) {
        wasTraining_ = now;
        Q_EMIT trainingChanged();
    }
}

}  // namespace sextant
