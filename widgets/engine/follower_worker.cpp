#include "widgets/engine/follower_worker.h"

#include <sys/stat.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/file_lock.h"
#include "core/base/json.h"

namespace sextant {

namespace {

constexpr int kTickMs = 60;               // at most 20 snapshots a second, a new point well within 250 ms
constexpr std::uint64_t kSlowTicks = 16;  // about once a second: finished runs, locks, artifacts

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

std::string nameIn(const nlohmann::json& document, const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A run of another program as the plots know runs: curves whose meaning the tag gives stand where ours stand, all of
// them stay reachable by tag.
RunSnapshot snapshotOf(ImportedRun&& run, const std::string& folder) {
    auto state = std::make_shared<RunState>();
    auto plan = std::make_shared<RunPlan>();
    plan->arm = run.name;
    plan->seed = run.seed;
    plan->folder = folder;
    plan->encoding.id.clear();
    plan->model.context_length = 0;  // tokens a step are unknown
    const auto tokens = [](const ImportedPoint& point) {
        return std::isfinite(point.tokens) ? static_cast<std::int64_t>(point.tokens) : std::int64_t{-1};
    };
    // The tag with the most points where several mean the same.
    std::map<std::string, const std::vector<ImportedPoint>*> by_meaning;
    for (const auto& [tag, points] : run.curves) {
        for (const ImportedPoint& point : points)
            state->step = std::max(state->step, point.step);
        const std::string meaning = meaning_of_tag(tag);
        if (meaning.empty()) continue;
        const std::vector<ImportedPoint>*& best = by_meaning[meaning];
        if (best == nullptr || points.size() > best->size()) best = &points;
    }
    if (const auto* loss = by_meaning["training"]) {
        for (const ImportedPoint& point : *loss) {
            StepPoint step;
            step.step = point.step;
            step.tokens = tokens(point);
            step.elapsed = point.elapsed;
            step.loss = point.value;
            step.learning_rate = step.gradient_norm = step.tokens_per_s = std::numeric_limits<double>::quiet_NaN();
            state->steps.push_back(step);
        }
        const auto fill = [&](const char* meaning, double StepPoint::*field) {
            const auto* points = by_meaning[meaning];
            if (points == nullptr) return;
            std::size_t at = 0;
            for (StepPoint& step : state->steps) {
                while (at < points->size() && (*points)[at].step < step.step)
                    ++at;
                if (at < points->size() && (*points)[at].step == step.step) step.*field = (*points)[at].value;
            }
        };
        fill("gradient_norm", &StepPoint::gradient_norm);
        fill("learning_rate", &StepPoint::learning_rate);
        fill("tokens_per_s", &StepPoint::tokens_per_s);
    }
    if (const auto* loss = by_meaning["validation"]) {
        for (const ImportedPoint& point : *loss)
            state->validations.push_back({point.step, tokens(point), point.elapsed, point.value});
    }
    state->phase = RunPhase::kCompleted;
    state->last_time = static_cast<std::int64_t>(run.last_time * 1e9);
    plan->training.steps = state->step;
    RunSnapshot snapshot;
    snapshot.plan = std::move(plan);
    snapshot.state = std::move(state);
    for (const std::string& problem : run.problems)
        snapshot.problems << text(problem);
    snapshot.imported = std::make_shared<const ImportedCurves>(std::move(run.curves));
    snapshot.external = true;
    return snapshot;
}

}  // namespace

FollowerWorker::FollowerWorker() : timer_(this) {
    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, &FollowerWorker::tick);
}

void FollowerWorker::start(const QString& project) {
    timer_.stop();
    path_ = project;
    project_ = {project.toStdString()};
    experimentStamp_ = planStamp_ = runsStamp_ = trashStamp_ = {};
    name_.clear();
    baseline_.clear();
    experimentArms_.clear();
    problems_.clear();
    runs_.clear();
    order_.clear();
    artifacts_ = 0;
    artifactStamp_ = 0;
    ticks_ = 0;
    first_ = true;
    importedFiles_.clear();
    importedRuns_.clear();
    companions_.clear();
    importing_ = !path_.isEmpty() && stampOf(project_.experiment_file()).size < 0 &&
                 stampOf(project_.plan_file()).size < 0 && stampOf(project_.path + "/runs").size < 0 &&
                 !find_imported_files(project_.path).empty();
    if (path_.isEmpty()) return;
    tick();
    timer_.start();
}

void FollowerWorker::rescan() {
    experimentStamp_ = planStamp_ = runsStamp_ = trashStamp_ = {};
    for (auto& [folder, run] : runs_)
        run.stamp = {};
    for (auto& [folder, companion] : companions_)
        companion.worker->rescan();
    ticks_ = 0;
    if (!path_.isEmpty()) tick();
}

void FollowerWorker::compare(const QStringList& folders) {
    for (auto at = companions_.begin(); at != companions_.end();)
        at = folders.contains(at->first) ? std::next(at) : companions_.erase(at);
    for (const QString& folder : folders) {
        if (companions_.count(folder) != 0 || path_.isEmpty()) continue;
        Companion& companion = companions_[folder];
        companion.worker = std::make_unique<FollowerWorker>();
        connect(companion.worker.get(), &FollowerWorker::changed, this,
                [this, folder](const ProjectSnapshotPtr& snapshot) { takeCompanion(folder, snapshot); });
        companion.worker->start(folder);
    }
    companionsChanged_ = true;
    if (!path_.isEmpty() && !first_) publish();
}

void FollowerWorker::takeCompanion(const QString& path, const ProjectSnapshotPtr& snapshot) {
    const auto found = companions_.find(path);
    if (found == companions_.end()) return;
    Companion& companion = found->second;
    companion.latest = snapshot;
    companion.runs.clear();
    // Two folders of one name would give two arms of one name.
    const QFileInfo info(path);
    bool unique = QFileInfo(path_).fileName() != info.fileName();
    for (const auto& other : companions_)
        unique = unique && (other.first == path || QFileInfo(other.first).fileName() != info.fileName());
    const std::string label =
        (unique ? info.fileName() : QFileInfo(info.path()).fileName() + "/" + info.fileName()).toStdString();
    for (const RunSnapshot& run : snapshot->runs) {
        auto& [source, renamed] = companion.plans[run.plan->folder];
        if (source != run.plan) {
            source = run.plan;
            auto plan = std::make_shared<RunPlan>(*run.plan);
            plan->arm = label + "/" + plan->arm;
            plan->folder = path.toStdString() + "/" + plan->folder;
            renamed = std::move(plan);
        }
        RunSnapshot shown = run;
        shown.plan = renamed;
        shown.external = true;
        companion.runs.push_back(std::move(shown));
    }
    companionsChanged_ = true;
}

bool FollowerWorker::readImported() {
    std::vector<ImportedFile> files = find_imported_files(path_.toStdString());
    if (files == importedFiles_ && !first_) return false;
    importedFiles_ = std::move(files);
    importedRuns_.clear();
    for (ImportedRun& run : read_imported_runs(importedFiles_)) {
        const std::string folder = run.place + "/" + run.name + "-s" + std::to_string(run.seed);
        importedRuns_.push_back(snapshotOf(std::move(run), folder));
        importedRuns_.back().external = false;
    }
    name_ = QFileInfo(path_).fileName();
    return true;
}

FollowerWorker::FileStamp FollowerWorker::stampOf(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {status.st_size, static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
            status.st_ino};
}

void FollowerWorker::tick() {
    const bool slow = ticks_++ % kSlowTicks == 0;
    QElapsedTimer clock;
    clock.start();
    bool dirty = first_;
    problems_.clear();
    if (importing_) {
        if (slow) dirty |= readImported();
    } else {
        dirty |= readExperiment();
        dirty |= readPlans();
        if (slow) dirty |= readArtifacts();
    }
    dirty |= companionsChanged_;
    for (auto& [folder, run] : runs_) {
        const bool ended = run.state.phase == RunPhase::kCompleted || run.state.phase == RunPhase::kDiverged ||
                           run.state.phase == RunPhase::kCancelled || run.state.phase == RunPhase::kFailed;
        if (ended && !slow && !run.dirty) continue;
        dirty |= poll(run);
        if (slow || run.dirty) {
            const auto owner = FileLock::owner(run.directory.lock_file());
            const bool alive = owner && owner->alive();
            if (alive != run.writerAlive) {
                run.writerAlive = alive;
                dirty = true;
            }
        }
    }
    if (dirty) publish();
    first_ = false;
    // Copies of long runs take time: never spend more than a third of this thread on them.
    timer_.setInterval(std::max(kTickMs, static_cast<int>(std::min<qint64>(clock.elapsed() * 2, 200))));
}

bool FollowerWorker::readExperiment() {
    const FileStamp stamp = stampOf(project_.experiment_file());
    if (stamp == experimentStamp_) return false;
    experimentStamp_ = stamp;
    name_ = QFileInfo(path_).fileName();
    baseline_.clear();
    experimentArms_.clear();
    if (stamp.size < 0) return true;
    // Names only: a file that does not validate still names its arms, and the editor shows its problems.
    const auto document = read_json_file(project_.experiment_file(), ErrorCode::kConfig);
    if (!document.ok() || !document->is_object()) return true;
    if (const std::string name = nameIn(*document, "name"); !name.empty()) name_ = text(name);
    if (const auto arm = document->find("baseline"); arm != document->end() && arm->is_object()) {
        baseline_ = text(nameIn(*arm, "name"));
        experimentArms_ << baseline_;
    }
    if (const auto arms = document->find("variants"); arms != document->end() && arms->is_array()) {
        for (const auto& arm : *arms) {
            if (arm.is_object()) experimentArms_ << text(nameIn(arm, "name"));
        }
    }
    return true;
}

bool FollowerWorker::readPlans() {
    const FileStamp plan = stampOf(project_.plan_file());
    const FileStamp folder = stampOf(project_.path + "/runs");
    const FileStamp trash = stampOf(project_.path + "/trash");
    if (plan == planStamp_ && folder == runsStamp_ && trash == trashStamp_) return false;
    planStamp_ = plan;
    runsStamp_ = folder;
    trashStamp_ = trash;

    std::vector<RunPlan> plans;
    if (plan.size >= 0) {
        auto read = read_plan(project_.path);
        if (read.ok())
            plans = std::move(read).value();
        else
            problems_ << text(read.error().sentence());
    }
    // Folders that the plan does not know: copied here, or the plan is damaged.
    const QStringList folders = QDir(path_ + "/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QString& name : folders) {
        const std::string key = name.toStdString();
        if (std::any_of(plans.begin(), plans.end(), [&](const RunPlan& known) { return known.folder == key; }))
            continue;
        const std::string file = project_.path + "/runs/" + key + "/plan.json";
        if (stampOf(file).size < 0) continue;
        const auto document = read_json_file(file);
        if (!document.ok()) continue;
        if (auto extra = run_plan_from_json(*document, file); extra.ok()) {
            RunPlan value = std::move(extra).value();
            value.folder = key;
            plans.push_back(std::move(value));
        }
    }
    std::map<std::string, Followed> next;
    order_.clear();
    for (RunPlan& value : plans) {
        const std::string key = value.folder;
        if (next.count(key) != 0) continue;
        // In the trash: still planned, but not shown until it is taken back or trained anew.
        if (stampOf(project_.path + "/trash/" + key).size >= 0 && stampOf(project_.path + "/runs/" + key).size < 0)
            continue;
        order_.push_back(key);
        if (auto known = runs_.find(key); known != runs_.end()) {
            known->second.plan = std::make_shared<const RunPlan>(std::move(value));
            next.emplace(key, std::move(known->second));
            continue;
        }
        Followed run;
        run.directory = project_.run(value);
        run.plan = std::make_shared<const RunPlan>(std::move(value));
        run.reader = std::make_unique<EventLogReader>(run.directory.event_log());
        run.published = std::make_shared<const RunState>();
        next.emplace(key, std::move(run));
    }
    runs_ = std::move(next);
    return true;
}

bool FollowerWorker::readArtifacts() {
    int count = 0;
    std::int64_t newest = 0;
    const QFileInfoList files = QDir(text(project_.artifact_directory())).entryInfoList({"*.json"}, QDir::Files);
    for (const QFileInfo& file : files) {
        ++count;
        newest = std::max<std::int64_t>(newest, file.lastModified().toMSecsSinceEpoch());
    }
    if (count == artifacts_ && newest == artifactStamp_) return false;
    artifacts_ = count;
    artifactStamp_ = newest;
    return true;
}

bool FollowerWorker::poll(Followed& run) {
    const FileStamp stamp = stampOf(run.directory.event_log());
    if (stamp == run.stamp) return false;
    run.stamp = stamp;
    auto batch = run.reader->poll();
    if (!batch.ok()) {
        const QString problem = text(batch.error().sentence());
        if (run.problems.contains(problem)) return false;
        run.problems << problem;
        return true;
    }
    if (batch->reset) run.state = {};
    for (const RunEvent& event : batch->events)
        apply(run.state, event);
    for (const std::string& problem : batch->problems)
        run.problems << text(problem);
    run.dirty = run.dirty || batch->reset || !batch->events.empty();
    return run.dirty || !batch->problems.empty();
}

void FollowerWorker::publish() {
    auto snapshot = std::make_shared<ProjectSnapshot>();
    snapshot->path = path_;
    snapshot->generation = ++generation_;
    snapshot->name = name_;
    snapshot->baseline = baseline_;
    snapshot->arms = experimentArms_;
    snapshot->problems = problems_;
    snapshot->artifacts = artifacts_;
    snapshot->artifactStamp = artifactStamp_;
    for (const std::string& folder : order_) {
        Followed& run = runs_.at(folder);
        if (run.dirty) {
            run.published = std::make_shared<const RunState>(run.state);
            run.dirty = false;
        }
        snapshot->runs.push_back({run.plan, run.directory, run.published, run.writerAlive, run.problems, false, {}});
        const QString arm = text(run.plan->arm);
        if (!snapshot->arms.contains(arm)) snapshot->arms << arm;
    }
    snapshot->imported = importing_;
    const auto add = [&](const std::vector<RunSnapshot>& runs) {
        for (const RunSnapshot& run : runs) {
            snapshot->runs.push_back(run);
            if (!snapshot->arms.contains(run.arm())) snapshot->arms << run.arm();
        }
    };
    add(importedRuns_);
    if (snapshot->baseline.isEmpty() && !snapshot->arms.isEmpty()) snapshot->baseline = snapshot->arms.front();
    for (const auto& [folder, companion] : companions_) {
        add(companion.runs);
        if (companion.latest) snapshot->problems << companion.latest->problems;
    }
    companionsChanged_ = false;
    Q_EMIT changed(snapshot);
}

}  // namespace sextant
