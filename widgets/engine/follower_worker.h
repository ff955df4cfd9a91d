#pragma once
// The part of RunFollower that lives in its thread: readers, folds and their timers. Runs that ended are looked at once
// a second, the others each tick; a stat comes before each read, so an idle project costs next to nothing.

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/run/event_log.h"
#include "widgets/models/run_snapshot.h"

namespace sextant {

class FollowerWorker : public QObject {
    Q_OBJECT

  public:
    FollowerWorker();

  public Q_SLOTS:
    void start(const QString& project);
    void rescan();
    // Other folders whose runs stand beside the project's: Sextant projects and logs of other programs.
    void compare(const QStringList& folders);

  Q_SIGNALS:
    void changed(const sextant::ProjectSnapshotPtr& snapshot);

  private:
    struct FileStamp {
        std::int64_t size = -1;
        std::int64_t modified = -1;
        std::uint64_t inode = 0;
        friend bool operator==(const FileStamp&, const FileStamp&) = default;
    };
    struct Followed {
        std::shared_ptr<const RunPlan> plan;
        RunDirectory directory;
        std::unique_ptr<EventLogReader> reader;
        RunState state;
        std::shared_ptr<const RunState> published;
        FileStamp stamp;
        bool writerAlive = false;
        bool dirty = true;
        QStringList problems;
    };

    // A folder beside the project: followed by a worker of its own in the same thread.
    struct Companion {
        std::unique_ptr<FollowerWorker> worker;
        ProjectSnapshotPtr latest;
        std::vector<RunSnapshot> runs;  // of `latest`, renamed
        std::map<std::string, std::pair<std::shared_ptr<const RunPlan>, std::shared_ptr<const RunPlan>>> plans;
    };

    static FileStamp stampOf(const std::string& path);
    void tick();
    bool readExperiment();
    bool readPlans();
    bool readArtifacts();
    bool poll(Followed& run);
    bool readImported();
    void takeCompanion(const QString& path, const ProjectSnapshotPtr& snapshot);
    void publish();

    QTimer timer_;
    QString path_;
    Project project_;
    FileStamp experimentStamp_, planStamp_, runsStamp_, trashStamp_;
    QString name_, baseline_;
    QStringList experimentArms_;
    QStringList problems_;
    std::map<std::string, Followed> runs_;  // by folder
    std::vector<std::string> order_;        // folders in plan order
    int artifacts_ = 0;
    std::int64_t artifactStamp_ = 0;
    std::uint64_t generation_ = 0;
    std::uint64_t ticks_ = 0;
    bool importing_ = false;  // path_ holds no project but another program's logs
    std::vector<ImportedFile> importedFiles_;
    std::vector<RunSnapshot> importedRuns_;
    std::map<QString, Companion> companions_;
    bool companionsChanged_ = false;
    bool first_ = true;
};

}  // namespace sextant
