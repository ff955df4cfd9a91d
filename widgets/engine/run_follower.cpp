#include "widgets/engine/run_follower.h"

#include "widgets/engine/follower_worker.h"

namespace sextant {

RunFollower::RunFollower(QObject* parent) : QObject(parent), worker_(new FollowerWorker) {
    qRegisterMetaType<ProjectSnapshotPtr>();
    thread_.setObjectName(QStringLiteral("follower"));
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    connect(worker_, &FollowerWorker::changed, this, [this](const ProjectSnapshotPtr& snapshot) {
        if (snapshot->path != project_) return;  // sent before the project was changed
        latest_ = snapshot;
        Q_EMIT changed(snapshot);
    });
    thread_.start(QThread::LowPriority);
}

RunFollower::~RunFollower() {
    thread_.quit();
    thread_.wait();
}

void RunFollower::follow(const QString& project) {
    project_ = project;
    latest_.reset();
    QMetaObject::invokeMethod(worker_, [worker = worker_, project] { worker->start(project); });
}

void RunFollower::compare(const QStringList& folders) {
    QMetaObject::invokeMethod(worker_, [worker = worker_, folders] { worker->compare(folders); });
}

void RunFollower::rescan() {
    QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->rescan(); });
}

}  // namespace sextant
