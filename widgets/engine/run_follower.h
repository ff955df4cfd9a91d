#pragma once
// Follows a project folder from its own thread: whoever writes it (our worker, another window, a scheduler), the window
// sees the same events. Polls instead of watching, because network file systems do not notify. A new point is handed
// over within 250 ms and snapshots come at most 20 times a second.

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>

#include "widgets/models/run_snapshot.h"

namespace sextant {

class FollowerWorker;

class RunFollower : public QObject {
    Q_OBJECT

  public:
    explicit RunFollower(QObject* parent = nullptr);
    ~RunFollower() override;

    void follow(const QString& project);       // replaces what was followed; an empty path stops
    void rescan();                             // look again now (F5)
    void compare(const QStringList& folders);  // their runs beside the project's; replaces those named before
    [[nodiscard]] QString project() const { return project_; }
    [[nodiscard]] ProjectSnapshotPtr latest() const { return latest_; }

  Q_SIGNALS:
    // In the thread of this object.
    void changed(const sextant::ProjectSnapshotPtr& snapshot);

  private:
    QThread thread_;
    FollowerWorker* worker_ = nullptr;  // lives in thread_, deleted there
    QString project_;
    ProjectSnapshotPtr latest_;
};

}  // namespace sextant
