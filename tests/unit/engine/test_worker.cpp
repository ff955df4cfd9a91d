// The worker on a small run: what it writes, that repeating repeats nothing, and that a stopped run ends where an
// uninterrupted one does.
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/engine/checkpoint.h"
#include "core/engine/language_model.h"
#include "core/engine/worker.h"
#include "core/run/event_log.h"
#include "core/run/run_control.h"
#include "core/run/run_state.h"

using namespace sextant;

namespace {

Experiment small_experiment(std::int64_t steps) {
    Experiment experiment;
    experiment.name = "small";
    experiment.data.train_tokens = 20000;
    experiment.data.validation_tokens = 1000;
    experiment.data.test_tokens = 2000;
    experiment.data.instructions.train = 8;
    experiment.data.instructions.validation = 4;
    experiment.data.preferences.validation = 4;
    experiment.model.d_model = 32;
    experiment.model.n_layer = 1;
    experiment.model.n_head = 2;
    experiment.model.n_kv_head = 2;
    experiment.model.d_ff = 48;
    experiment.model.context_length = 16;
    experiment.training.steps = steps;
    experiment.training.batch_size = 2;
    experiment.training.threads = 1;
    experiment.training.evaluate_every = 10;
    experiment.evaluation.lengths = {16, 32};
    experiment.evaluation.modes = {"non-overlapping", "sliding"};
    experiment.evaluation.tokens = 256;
    experiment.evaluation.stride = 8;
    experiment.baseline = {"rope", {"rope", {}}, "{}", "{}", {}};
    return experiment;
}

// One worker's request with a plan made by hand; the data cache is shared by the tests of this program.
struct Bench {
    explicit Bench(std::int64_t steps, const std::string& shared_data) : experiment(small_experiment(steps)) {
        request.project.path = directory.path().toStdString();
        std::filesystem::create_directory_symlink(shared_data, request.project.data_directory());
        request.experiment = experiment;
        request.plan.arm = "rope";
        request.plan.seed = 42;
        request.plan.folder = "rope-s42-0123456789ab";
        request.plan.plan_sha256 = "0123456789ab" + std::string(52, '0');
        request.plan.encoding = experiment.baseline.encoding;
        request.plan.model = experiment.model;
        request.plan.training = experiment.training;
        request.plan.data = experiment.data;
    }
    [[nodiscard]] RunDirectory run() const { return request.project.run(request.plan); }
    [[nodiscard]] RunState state() const { return fold_log(run().event_log()).value(); }
    [[nodiscard]] std::string log() const {
        std::ifstream in(run().event_log(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    QTemporaryDir directory;
    Experiment experiment;
    WorkerRequest request;
};

bool done(const Status& status) {
    if (!status.ok()) qWarning("%s", status.error().sentence().c_str());
    return status.ok();
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace

class TestWorker : public QObject {
    Q_OBJECT
    QTemporaryDir data_;
    [[nodiscard]] std::string data() const { return data_.path().toStdString(); }

  private slots:
    void aRunIsCompleteAndRepeatingRepeatsNothing() {
        Bench bench(12, data());
        const Status first = run_worker(bench.request);
        QVERIFY2(first.ok(), first.ok() ? "" : first.error().sentence().c_str());
        const RunState state = bench.state();
        QVERIFY(state.phase == RunPhase::kCompleted);
        QCOMPARE(state.steps.size(), std::size_t{12});
        QVERIFY(std::abs(state.steps.front().loss - std::log(512.0)) < 0.1);
        QCOMPARE(state.completed->final_loss, state.steps.back().loss);
        QCOMPARE(state.validations.size(), std::size_t{2});  // at step 10 and at the end
        QVERIFY(state.started->idle_rss_mb > 1.0 && state.completed->peak_rss_mb >= state.started->idle_rss_mb);
        QCOMPARE(state.started->batch_order_sha256.size(), std::size_t{64});
        std::map<std::string, int> metrics;
        for (const EvaluationEvent& event : state.evaluations)
            ++metrics[event.metric];
        QCOMPARE(metrics["lm_loss"], 1);
        QCOMPARE(metrics["loss"], 4);
        QCOMPARE(metrics["loss_beyond"], 2);
        QCOMPARE(metrics["position_loss"], 2);
        QCOMPARE(metrics["instruction_loss"], 1);
        QCOMPARE(metrics["preference_accuracy"], 1);
        QCOMPARE(metrics["bits_per_byte"], 1);
        QCOMPARE(metrics["word_perplexity"], 1);

        const std::string checkpoint = bench.run().checkpoint_directory() + "/step-00000012";
        QVERIFY(verify_checkpoint(checkpoint).ok());
        QCOMPARE(verify_checkpoint(checkpoint)->files.at("model.safetensors"), state.completed->model_sha256);
        const auto model = load_language_model({checkpoint, "", false});
        QVERIFY(model.ok());
        QCOMPARE(model->encoding->spec().id, std::string("rope"));
        QCOMPARE(model->codec->vocab_size(), 512);

        const std::string before = bench.log();
        QVERIFY(done(run_worker(bench.request)));
        QCOMPARE(bench.log(), before);
    }

    void addedEvaluationsAreTheOnlyThingDone() {
        Bench bench(12, data());
        QVERIFY(done(run_worker(bench.request)));
        const std::string before = bench.log();
        bench.request.experiment.evaluation.modes.emplace_back("cold-start");
        QVERIFY(done(run_worker(bench.request)));
        const std::string after = bench.log();
        QCOMPARE(after.substr(0, before.size()), before);
        const std::string added = after.substr(before.size());
        QCOMPARE(count_of(added, "\"type\":\"step\""), std::size_t{0});
        QCOMPARE(count_of(added, "\"metric\":\"loss\""), std::size_t{2});
        QCOMPARE(count_of(added, "\"mode\":\"cold-start\""), count_of(added, "\"type\":\"evaluation\""));
        QVERIFY(bench.state().phase == RunPhase::kCompleted);
    }

    void aStoppedRunEndsAsAnUninterruptedOne() {
        Bench whole(150, data());
        QVERIFY(done(run_worker(whole.request)));
        Bench stopped(150, data());
        std::thread control([&] {
            for (int tick = 0; tick < 2000; ++tick) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                if (stopped.log().find("\"step\":20,") == std::string::npos) continue;
                (void)send_control(stopped.run().control_file(), ControlCommand::kStop).ok();
                return;
            }
        });
        const Status first = run_worker(stopped.request);
        control.join();
        QVERIFY(!first.ok());
        QCOMPARE(first.error().exit_status(), 130);
        const RunState state = stopped.state();
        QVERIFY(state.phase == RunPhase::kCancelled);
        QVERIFY(state.step >= 20 && state.step < 150);
        QVERIFY(verify_checkpoint(stopped.run().checkpoint_directory() + "/" + checkpoint_name(state.step)).ok());

        QVERIFY(done(run_worker(stopped.request)));
        const RunState a = whole.state();
        const RunState b = stopped.state();
        QCOMPARE(a.completed->model_sha256, b.completed->model_sha256);
        QCOMPARE(a.completed->optimizer_sha256, b.completed->optimizer_sha256);
        QCOMPARE(a.completed->final_loss, b.completed->final_loss);
        QCOMPARE(a.steps.size(), b.steps.size());
        for (std::size_t i = 0; i < a.steps.size(); ++i)
            QCOMPARE(a.steps[i].loss, b.steps[i].loss);
        QCOMPARE(b.resumes.size(), std::size_t{1});
    }

    void pauseWaitsForResume() {
        Bench bench(150, data());
        std::thread control([&] {
            const auto until = [&](const std::string& part) {
                for (int tick = 0; tick < 2000 && bench.log().find(part) == std::string::npos; ++tick)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
            };
            until("\"step\":20,");
            (void)send_control(bench.run().control_file(), ControlCommand::kPause).ok();
            until("\"type\":\"paused\"");
            const std::string paused = bench.log();
            std::this_thread::sleep_for(std::chrono::milliseconds(150));
            still_ = bench.log() == paused;
            (void)send_control(bench.run().control_file(), ControlCommand::kResume).ok();
        });
        const Status status = run_worker(bench.request);
        control.join();
        QVERIFY(status.ok());
        QVERIFY(still_);
        QCOMPARE(count_of(bench.log(), "\"type\":\"resumed\""), std::size_t{1});
        QCOMPARE(bench.state().last_control_seq, 2);
    }

    void divergenceIsAnOutcomeWithItsBatch() {
        Bench bench(12, data());
        bench.request.plan.training.optimizer.learning_rate = 1e30;
        const Status first = run_worker(bench.request);
        QVERIFY(!first.ok());
        QCOMPARE(first.error().exit_status(), 5);
        const RunState state = bench.state();
        QVERIFY(state.phase == RunPhase::kDiverged);
        QCOMPARE(state.diverged->batch_sha256.size(), std::size_t{64});
        // The record, the message and what a repetition says name the same step: the one after the last good one.
        QCOMPARE(state.step, state.steps.back().step + 1);
        const std::string named = "diverged at step " + std::to_string(state.step) + ":";
        QVERIFY2(first.error().message.find(named) != std::string::npos, first.error().message.c_str());
        QVERIFY(
            run_worker(bench.request).error().message.find("diverged at step " + std::to_string(state.step) + " (") !=
            std::string::npos);
        const std::string before = bench.log();
        QCOMPARE(run_worker(bench.request).error().exit_status(), 5);
        QCOMPARE(bench.log(), before);
        bench.request.restart = true;
        bench.request.plan.training.optimizer.learning_rate = 1e-3;
        QVERIFY(done(run_worker(bench.request)));
    }

    void otherThreadsAreRefusedAfterTheStart() {
        Bench bench(12, data());
        QVERIFY(done(run_worker(bench.request)));
        bench.request.experiment.evaluation.modes.emplace_back("cold-start");
        bench.request.plan.training.threads = 2;
        const Status status = run_worker(bench.request);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().exit_status(), 3);
        QVERIFY(status.error().message.find("--restart") != std::string::npos);
    }

    void anAbsentDeviceIsExitSeven() {
        Bench bench(12, data());
        bench.request.plan.training.device = "cuda";
        const Status status = run_worker(bench.request);
        if (status.ok()) QSKIP("this machine has a CUDA device");
        QCOMPARE(status.error().exit_status(), 7);
        QVERIFY(!std::filesystem::exists(bench.run().event_log()));
    }

  private:
    bool still_ = false;
};

QTEST_APPLESS_MAIN(TestWorker)
#include "test_worker.moc"
