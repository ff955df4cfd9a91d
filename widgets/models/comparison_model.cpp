#include "widgets/models/comparison_model.h"

#include <QCoreApplication>
#include <QtConcurrent>

#include "core/experiment/config_io.h"
#include "widgets/models/session.h"

namespace sextant {

namespace {

struct Folded {
    std::shared_ptr<const Comparison> comparison;
    QString problem;
};

Folded fold(const ProjectSnapshotPtr& snapshot, const QString& baseline) {
    const std::string file = Project{snapshot->path.toStdString()}.experiment_file();
    auto loaded = load_experiment(file);
    if (snapshot->imported)
        return {nullptr, QCoreApplication::translate("sextant::ComparisonModel",
                                                     "Logs of other programs hold no test results to pair; their "
                                                     "curves stand on the Curves page.")};
    if (!loaded.ok()) return {nullptr, QString::fromStdString(loaded.error().sentence())};
    Experiment experiment = std::move(loaded).value().experiment;
    // Another baseline is only another way to look: the declared endpoint stays what it was.
    const std::string wanted = baseline.toStdString();
    for (ArmConfig& variant : experiment.variants) {
        if (variant.name == wanted) std::swap(variant, experiment.baseline);
    }
    std::vector<ListedRun> runs;
    for (const RunSnapshot& run : snapshot->runs) {
        if (run.external) continue;
        ListedRun listed;
        listed.plan = *run.plan;
        listed.directory = run.directory;
        listed.state = *run.state;
        runs.push_back(std::move(listed));
    }
    return {std::make_shared<const Comparison>(compare_arms(comparison_input(experiment, runs))), {}};
}

}  // namespace

ComparisonModel::ComparisonModel(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session_, &Session::projectChanged, this, [this] {
        ++generation_;
        comparison_.reset();
        problem_.clear();
        seen_.clear();
        Q_EMIT changed();
    });
}

void ComparisonModel::update() {
    const ProjectSnapshotPtr snapshot = session_.snapshot();
    if (!snapshot) return;
    std::vector<std::pair<QString, std::size_t>> now;
    for (const RunSnapshot& run : snapshot->runs)
        now.emplace_back(run.folder(), run.state->evaluations.size() * 16 + static_cast<std::size_t>(run.state->phase));
    const QString baseline = session_.baseline();
    if (now == seen_ && baseline == seenBaseline_) return;
    seen_ = std::move(now);
    seenBaseline_ = baseline;
    const std::uint64_t generation = ++generation_;
    QtConcurrent::run(fold, snapshot, baseline).then(this, [this, generation](const Folded& folded) {
        if (generation != generation_) return;
        comparison_ = folded.comparison;
        problem_ = folded.problem;
        Q_EMIT changed();
    });
}

}  // namespace sextant
