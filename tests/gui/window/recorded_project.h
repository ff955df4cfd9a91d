#pragma once
// A project written by the test as a worker would write it: experiment, plan and event logs, so that the window's tests
// need no training. Values are chosen by the test and asserted from there.

#include <QString>
#include <QTemporaryDir>
#include <functional>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/run/event_log.h"
#include "core/run/run_directory.h"

namespace sextant::test {

class RecordedProject {
  public:
    // Arms named after their encodings, the first is the baseline.
    RecordedProject(const std::vector<std::string>& encodings, const std::vector<std::int64_t>& seeds,
                    std::int64_t steps = 100);

    [[nodiscard]] QString path() const { return folder_.path(); }
    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    [[nodiscard]] const std::vector<RunPlan>& plans() const { return plans_; }
    [[nodiscard]] RunDirectory directory(std::size_t run) const;
    [[nodiscard]] EventLogWriter writer(std::size_t run) const;
    // run_started, steps 1..count with loss(step), a validation loss at every tenth step.
    void train(std::size_t run, std::int64_t count, const std::function<double(std::int64_t)>& loss) const;
    // Evaluations at 64 and 128 in both modes, then completed.
    void finish(std::size_t run, double lossAt64, double lossAt128) const;
    static void record(EventLogWriter& log, std::int64_t step, const RunEventBody& body);

  private:
    QTemporaryDir folder_;
    Experiment experiment_;
    std::vector<RunPlan> plans_;
};

}  // namespace sextant::test
