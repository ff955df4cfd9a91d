#pragma once
// Turns runs into the arrays the curve plots draw. Arrays of a run are made once for each of its states and shared, so
// that a live run costs only its own copy and finished ones nothing.

#include <QHash>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "widgets/models/run_snapshot.h"

namespace sextant {

enum class CurveMetric { kValidation, kTraining, kGradientNorm, kLearningRate, kTokensPerSecond, kTag };
enum class CurveAxis { kStep, kTokens, kTime };

// What is drawn: one of our own quantities, or a scalar of another program by its tag.
struct CurveQuantity {
    CurveMetric metric = CurveMetric::kValidation;
    std::string tag;
    CurveQuantity(CurveMetric known) : metric(known) {}  // NOLINT(google-explicit-constructor)
    explicit CurveQuantity(std::string name) : metric(CurveMetric::kTag), tag(std::move(name)) {}
    friend bool operator==(const CurveQuantity&, const CurveQuantity&) = default;
};

struct RunCurve {
    std::shared_ptr<const std::vector<double>> x, y;
};

class CurveDataSource {
  public:
    // Drops what belongs to runs that are gone.
    void keepOnly(const ProjectSnapshot& snapshot);
    [[nodiscard]] RunCurve curve(const RunSnapshot& run, const CurveQuantity& quantity, CurveAxis axis);
    // The value of a metric at a step: the last one recorded up to it; nothing before the first.
    [[nodiscard]] static std::optional<double> valueAt(const RunSnapshot& run, const CurveQuantity& quantity,
                                                       std::int64_t step);
    // Where a step stands on an axis, by the run's own records.
    [[nodiscard]] static double positionOf(const RunSnapshot& run, std::int64_t step, CurveAxis axis);
    [[nodiscard]] static std::int64_t stepAt(const RunSnapshot& run, double position, CurveAxis axis);

  private:
    struct Cached {
        std::shared_ptr<const RunState> state;
        QHash<QString, RunCurve> curves;
    };
    QHash<QString, Cached> cache_;  // by folder
};

}  // namespace sextant
