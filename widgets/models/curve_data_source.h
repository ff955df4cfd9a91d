#pragma once
// Turns runs into the arrays the curve plots draw. Arrays of a run are made once for each of its states and shared, so
// that a live run costs only its own copy and finished ones nothing.

#include <QHash>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/models/run_snapshot.h"

namespace sextant {

enum class CurveMetric { kValidation, kTraining, kGradientNorm, kLearningRate, kTokensPerSecond };
enum class CurveAxis { kStep, kTokens, kTime };

struct RunCurve {
    std::shared_ptr<const std::vector<double>> x, y;
};

class CurveDataSource {
  public:
    // Drops what belongs to runs that are gone.
    void keepOnly(const ProjectSnapshot& snapshot);
    [[nodiscard]] RunCurve curve(const RunSnapshot& run, CurveMetric metric, CurveAxis axis);
    // The value of a metric at a step: the last one recorded up to it; nothing before the first.
    [[nodiscard]] static std::optional<double> valueAt(const RunSnapshot& run, CurveMetric metric, std::int64_t step);
    // Where a step stands on an axis, by the run's own records.
    [[nodiscard]] static double positionOf(const RunSnapshot& run, std::int64_t step, CurveAxis axis);
    [[nodiscard]] static std::int64_t stepAt(const RunSnapshot& run, double position, CurveAxis axis);

  private:
    struct Cached {
        std::shared_ptr<const RunState> state;
        QHash<int, RunCurve> curves;
    };
    QHash<QString, Cached> cache_;  // by folder
};

}  // namespace sextant
