#include "widgets/models/recent_summary.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/results/imported_runs.h"
#include "core/run/run_directory.h"
#include "widgets/models/run_snapshot.h"

namespace sextant {

namespace {

constexpr std::size_t kMostRuns = 24;
constexpr qint64 kMostBytes = 32LL << 20;  // of one log: longer ones are only counted

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sextant::RecentSummary)
};

}  // namespace

RecentSummary summariseProject(const QString& path) {
    RecentSummary summary;
    const std::string folder = path.toStdString();
    const auto plans = read_plan(folder);
    if (!plans.ok() || plans->empty()) {
        const auto files = find_imported_files(folder);
        if (!QFileInfo::exists(path + "/experiment.json") && !files.empty())
            summary.text = Words::tr("logs of other programs, %n file(s)", nullptr, static_cast<int>(files.size()));
        else
            summary.text = Words::tr("not trained yet");
        return summary;
    }
    QStringList arms;
    int done = 0, queued = 0, live = 0, stopped = 0;
    QString trouble, training;
    std::int64_t newest = 0;
    std::size_t looked = 0;
    for (const RunPlan& plan : *plans) {
        const QString arm = QString::fromStdString(plan.arm);
        if (!arms.contains(arm)) arms << arm;
        const RunDirectory directory = Project{folder}.run(plan);
        const QFileInfo log(QString::fromStdString(directory.event_log()));
        if (!log.exists()) {
            ++queued;
            continue;
        }
        if (++looked > kMostRuns || log.size() > kMostBytes) continue;
        auto state = fold_log(directory.event_log());
        if (!state.ok()) continue;
        RunSnapshot run;
        run.plan = std::make_shared<const RunPlan>(plan);
        run.directory = directory;
        run.state = std::make_shared<const RunState>(std::move(state).value());
        run.writerAlive = worker_alive(directory);
        const QString name = Words::tr("%1 s%2").arg(arm).arg(plan.seed);
        const QString step = QLocale().toString(static_cast<qlonglong>(run.state->step));
        switch (run.status()) {
            case RunStatus::kCompleted:
                ++done;
                break;
            case RunStatus::kQueued:
                ++queued;
                break;
            case RunStatus::kRunning:
            case RunStatus::kPaused:
                ++live;
                training =
                    run.status() == RunStatus::kPaused
                        ? Words::tr("%1 is paused at step %2").arg(name, step)
                        : Words::tr("%1 is training, %2 %").arg(name).arg(static_cast<int>(run.progress() * 100));
                summary.status = run.status();
                summary.progress = run.progress();
                break;
            case RunStatus::kInterrupted:
            case RunStatus::kCancelled:
                ++stopped;
                break;
            case RunStatus::kDiverged:
                trouble = Words::tr("%1 diverged at step %2").arg(name, step);
                break;
            case RunStatus::kFailed:
                trouble = Words::tr("%1 failed").arg(name);
                break;
        }
        if (run.state->last_time > newest && run.state->validations.size() > 1) {
            newest = run.state->last_time;
            summary.slot = static_cast<int>(arms.size()) - 1;
            summary.curve.clear();
            for (const ValidationPoint& point : run.state->validations)
                if (std::isfinite(point.loss)) summary.curve.push_back(point.loss);
        }
    }
    QStringList parts;
    if (live > 0) {
        parts << training;
        if (live > 1) parts << Words::tr("%n more running", nullptr, live - 1);
    } else if (!trouble.isEmpty()) {
        parts << trouble;
        summary.status = RunStatus::kDiverged;
    }
    if (done > 0 && live == 0) parts << Words::tr("%n run(s) finished", nullptr, done);
    if (stopped > 0 && live == 0) {
        parts << Words::tr("%n stopped", nullptr, stopped);
        if (!summary.status) summary.status = RunStatus::kCancelled;
    }
    if (queued > 0) parts << Words::tr("%n queued", nullptr, queued);
    if (looked > kMostRuns) parts << Words::tr("%n run(s) in all", nullptr, static_cast<int>(plans->size()));
    summary.text = parts.join(QStringLiteral(", "));
    return summary;
}

}  // namespace sextant
