#include "tests/gui/window/recorded_project.h"

#include <QDir>
#include <QFile>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/experiment/config_io.h"
#include "core/experiment/presets.h"

namespace sextant::test {

namespace {

void writeText(const QString& file, const std::string& text) {
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file));
    out.write(text.data(), static_cast<qint64>(text.size()));
}

}  // namespace

RecordedProject::RecordedProject(const std::vector<std::string>& encodings, const std::vector<std::int64_t>& seeds,
                                 std::int64_t steps) {
    const auto preset = find_preset("quick");
    if (!preset.ok()) qFatal("%s", preset.error().sentence().c_str());
    experiment_ = preset->experiment;
    experiment_.name = "recorded";
    experiment_.seeds = seeds;
    experiment_.training.steps = steps;
    experiment_.baseline = {};
    experiment_.baseline.name = encodings.front();
    experiment_.baseline.encoding.id = encodings.front();
    experiment_.variants.clear();
    for (std::size_t i = 1; i < encodings.size(); ++i) {
        ArmConfig arm;
        arm.name = encodings[i];
        arm.encoding.id = encodings[i];
        experiment_.variants.push_back(arm);
    }
    experiment_.evaluation.lengths = {64, 128};
    if (experiment_.evaluation.primary) experiment_.evaluation.primary->length = 64;
    if (experiment_.evaluation.primary)
        experiment_.evaluation.primary->contrast =
            encodings.size() > 1 ? encodings[1] + " - " + encodings[0] : std::string();
    const std::string project = folder_.path().toStdString();
    writeText(folder_.path() + "/experiment.json", dump_json(to_json(experiment_)));
    DataIdentity identity;
    identity.corpus_sha256 = std::string(64, 'c');
    identity.tokenizer_sha256 = std::string(64, 't');
    identity.tokens_sha256 = std::string(64, 'd');
    auto plans = make_plan(experiment_, identity, project);
    if (!plans.ok()) qFatal("%s", plans.error().sentence().c_str());
    plans_ = *plans;
    if (const Status written = write_plan(project, plans_); !written.ok())
        qFatal("%s", written.error().sentence().c_str());
    for (std::size_t run = 0; run < plans_.size(); ++run) {
        QDir().mkpath(QString::fromStdString(directory(run).path));
        writeText(QString::fromStdString(directory(run).plan_file()), dump_json(to_json(plans_[run])));
    }
}

RunDirectory RecordedProject::directory(std::size_t run) const {
    return Project{folder_.path().toStdString()}.run(plans_[run]);
}

EventLogWriter RecordedProject::writer(std::size_t run) const {
    auto log = EventLogWriter::open(directory(run).event_log());
    if (!log.ok()) qFatal("%s", log.error().sentence().c_str());
    return std::move(log).value();
}

void RecordedProject::record(EventLogWriter& log, std::int64_t step, const RunEventBody& body) {
    if (const Status written = log.append(step, step * 1024, body); !written.ok())
        qFatal("%s", written.error().sentence().c_str());
}

void RecordedProject::train(std::size_t run, std::int64_t count,
                            const std::function<double(std::int64_t)>& loss) const {
    EventLogWriter log = writer(run);
    RunStarted started;
    started.parameters = 139584;
    started.device = "cpu";
    started.path = "reference";
    started.host = "test";
    started.commit = "0000";
    started.batch_order_sha256 = std::string(64, 'b');
    record(log, 0, started);
    for (std::int64_t step = 1; step <= count; ++step) {
        record(log, step, StepEvent{loss(step), 1e-3, 0.5, 20000.0});
        if (step % 10 == 0) record(log, step, ValidationEvent{loss(step) + 0.1});
    }
}

void RecordedProject::finish(std::size_t run, double lossAt64, double lossAt128) const {
    EventLogWriter log = writer(run);
    const std::int64_t steps = experiment_.training.steps;
    for (const auto& [length, loss] : {std::pair<std::int64_t, double>{64, lossAt64}, {128, lossAt128}}) {
        for (const char* mode : {"non-overlapping", "sliding"}) {
            EvaluationEvent event;
            event.metric = "loss";
            event.length = length;
            event.mode = mode;
            event.stride = mode == std::string("sliding") ? 16 : length;
            event.targets = 32768;
            event.value = loss;
            record(log, steps, event);
        }
    }
    CompletedEvent done;
    done.final_loss = lossAt64;
    done.tokens_per_s = 21000;
    record(log, steps, done);
}

}  // namespace sextant::test
