#include <QtTest>

#include "core/base/file_lock.h"
#include "core/experiment/presets.h"
#include "core/run/event_log.h"
#include "core/run/run_directory.h"
#include "core/run/run_state.h"

using namespace sextant;

class TestRunState : public QObject {
    Q_OBJECT

  private slots:
    void phasesFollowTheEvents();
    void aResumeDiscardsSupersededSteps();
    void theLastEvaluationWins();
    void elapsedAddsUpOverSegments();
    void projectsListTheirRuns();
    void oneUnreadableRunDoesNotHideTheOthers();
    void unwritableProjectsAreNamed();
};

static RunEvent make_event(std::int64_t segment, std::int64_t step, double elapsed, RunEventBody body) {
    RunEvent result;
    result.segment = segment;
    result.step = step;
    result.tokens = step * 512;
    result.elapsed = elapsed;
    result.body = std::move(body);
    return result;
}

void TestRunState::phasesFollowTheEvents() {
    RunState state;
    QVERIFY(state.phase == RunPhase::kQueued);
    apply(state, make_event(0, 0, 0, RunStarted{}));
    QVERIFY(state.phase == RunPhase::kRunning);
    apply(state, make_event(0, 1, 1, StepEvent{6.0, 0, 0, 0}));
    apply(state, make_event(0, 1, 1, ControlEvent{4, "pause"}));
    apply(state, make_event(0, 1, 1, PausedEvent{}));
    QVERIFY(state.phase == RunPhase::kPaused);
    QCOMPARE(state.last_control_seq, std::int64_t{4});
    apply(state, make_event(0, 1, 1, ResumedEvent{1, "resume"}));
    QVERIFY(state.phase == RunPhase::kRunning);
    QVERIFY(state.resumes.empty());
    apply(state, make_event(0, 2, 2, DivergedEvent{"loss", "hash", "checkpoints/step-00000001"}));
    QVERIFY(state.phase == RunPhase::kDiverged);
    QCOMPARE(state.diverged->quantity, std::string("loss"));
    apply(state, make_event(1, 1, 0, RunStarted{}));
    QVERIFY(state.phase == RunPhase::kRunning && !state.diverged);
    apply(state, make_event(1, 3, 1, CompletedEvent{}));
    QCOMPARE(std::string(phase_name(state.phase)), std::string("completed"));
    // Killed behind its last word, or in a further evaluation: what was trained stays trained.
    apply(state, make_event(1, 3, 1, FailedEvent{70, "killed"}));
    QVERIFY(state.phase == RunPhase::kCompleted && state.failed);
    apply(state, make_event(2, 3, 0, EvaluationEvent{}));
    QVERIFY(state.phase == RunPhase::kCompleted && !state.failed);
}

void TestRunState::aResumeDiscardsSupersededSteps() {
    RunState killed;
    RunState straight;
    for (std::int64_t step = 1; step <= 6; ++step)
        apply(straight, make_event(0, step, 1, StepEvent{10.0 - static_cast<double>(step), 0, 0, 0}));
    for (std::int64_t step = 1; step <= 5; ++step)
        apply(killed, make_event(0, step, 1, StepEvent{10.0 - static_cast<double>(step), 0, 0, 0}));
    apply(killed, make_event(0, 4, 1, ValidationEvent{3.0}));
    apply(killed, make_event(1, 3, 0, RunStarted{}));
    apply(killed, make_event(1, 3, 0, ResumedEvent{3, "killed"}));
    QCOMPARE(killed.steps.size(), std::size_t{3});
    QVERIFY(killed.validations.empty());
    QCOMPARE(killed.resumes, std::vector<std::int64_t>{3});
    for (std::int64_t step = 4; step <= 6; ++step)
        apply(killed, make_event(1, step, 1, StepEvent{10.0 - static_cast<double>(step), 0, 0, 0}));
    QCOMPARE(killed.steps.size(), straight.steps.size());
    for (std::size_t i = 0; i < straight.steps.size(); ++i) {
        QCOMPARE(killed.steps[i].step, straight.steps[i].step);
        QCOMPARE(killed.steps[i].loss, straight.steps[i].loss);
    }
}

void TestRunState::theLastEvaluationWins() {
    RunState state;
    EvaluationEvent evaluation;
    evaluation.metric = "loss";
    evaluation.length = 64;
    evaluation.mode = "sliding";
    evaluation.value = 3.0;
    apply(state, make_event(0, 9, 1, evaluation));
    evaluation.value = 2.0;
    apply(state, make_event(1, 9, 1, evaluation));
    evaluation.length = 128;
    apply(state, make_event(1, 9, 1, evaluation));
    QCOMPARE(state.evaluations.size(), std::size_t{2});
    QCOMPARE(state.evaluations[0].value, 2.0);
}

void TestRunState::elapsedAddsUpOverSegments() {
    RunState state;
    apply(state, make_event(0, 1, 5.0, StepEvent{}));
    apply(state, make_event(1, 1, 0.5, RunStarted{}));
    apply(state, make_event(1, 2, 2.0, StepEvent{}));
    QCOMPARE(state.elapsed, 7.0);
    QCOMPARE(state.steps.back().elapsed, 7.0);
}

void TestRunState::projectsListTheirRuns() {
    QTemporaryDir folder;
    const Project project{folder.path().toStdString()};
    Experiment experiment = find_preset("quick")->experiment;
    const auto plans = *make_plan(experiment, {}, project.path);
    QVERIFY(write_plan(project.path, plans).ok());
    QVERIFY(QDir().mkpath(QString::fromStdString(project.run(plans[1]).path)));
    {
        auto writer = EventLogWriter::open(project.run(plans[1]).event_log());
        QVERIFY(writer->append(0, 0, RunStarted{}).ok());
        QVERIFY(writer->append(3, 3, StepEvent{5.0, 0, 0, 0}).ok());
    }
    auto runs = list_runs(project);
    QVERIFY(runs.ok());
    QCOMPARE(runs->size(), std::size_t{2});
    QVERIFY((*runs)[0].state.phase == RunPhase::kQueued && !(*runs)[0].interrupted);
    QCOMPARE((*runs)[1].state.step, std::int64_t{3});
    QVERIFY((*runs)[1].interrupted);  // no lock, and the log ends in the middle
    const auto lock = FileLock::acquire(project.run(plans[1]).lock_file());
    QVERIFY(lock.ok());
    QVERIFY(!(*list_runs(project))[1].interrupted);
}

void TestRunState::oneUnreadableRunDoesNotHideTheOthers() {
    QTemporaryDir folder;
    const Project project{folder.path().toStdString()};
    const auto plans = *make_plan(find_preset("quick")->experiment, {}, project.path);
    QVERIFY(write_plan(project.path, plans).ok());
    QVERIFY(
        QDir().mkpath(QString::fromStdString(project.run(plans[0]).event_log())));  // a folder where the log should be
    const auto runs = list_runs(project);
    QVERIFY(runs.ok());
    QCOMPARE((*runs)[0].problems.size(), std::size_t{1});
    QVERIFY((*runs)[1].problems.empty());
}

void TestRunState::unwritableProjectsAreNamed() {
    QTemporaryDir folder;
    QVERIFY(ensure_writable({folder.path().toStdString() + "/new/project"}).ok());
    QVERIFY(QDir(folder.path() + "/new/project").isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden));
    const Status status = ensure_writable({"/proc/sextant"});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().exit_status(), 6);
    QVERIFY(status.error().sentence().find("/proc/sextant") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestRunState)
#include "test_run_state.moc"
