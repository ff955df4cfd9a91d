#include "widgets/models/curve_data_source.h"

#include <QSet>
#include <algorithm>
#include <cmath>

namespace sextant {

namespace {

template <typename Point>
double place(const Point& point, CurveAxis axis) {
    switch (axis) {
        case CurveAxis::kStep:
            return static_cast<double>(point.step);
        case CurveAxis::kTokens:
            return point.tokens < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(point.tokens);
        case CurveAxis::kTime:
            return point.elapsed;
    }
    return 0;
}

double place(const ImportedPoint& point, CurveAxis axis) {
    return axis == CurveAxis::kStep     ? static_cast<double>(point.step)
           : axis == CurveAxis::kTokens ? point.tokens
                                        : point.elapsed;
}

const std::vector<ImportedPoint>* pointsOf(const RunSnapshot& run, const std::string& tag) {
    if (!run.imported) return nullptr;
    const auto found = run.imported->find(tag);
    return found == run.imported->end() ? nullptr : &found->second;
}

double value(const StepPoint& point, CurveMetric metric) {
    switch (metric) {
        case CurveMetric::kGradientNorm:
            return point.gradient_norm;
        case CurveMetric::kLearningRate:
            return point.learning_rate;
        case CurveMetric::kTokensPerSecond:
            return point.tokens_per_s;
        default:
            return point.loss;
    }
}

}  // namespace

void CurveDataSource::keepOnly(const ProjectSnapshot& snapshot) {
    QSet<QString> folders;
    for (const RunSnapshot& run : snapshot.runs)
        folders.insert(run.folder());
    cache_.removeIf([&](const QHash<QString, Cached>::iterator& entry) { return !folders.contains(entry.key()); });
}

RunCurve CurveDataSource::curve(const RunSnapshot& run, const CurveQuantity& quantity, CurveAxis axis) {
    const CurveMetric metric = quantity.metric;
    Cached& cached = cache_[run.folder()];
    if (cached.state != run.state) {
        cached.state = run.state;
        cached.curves.clear();
    }
    const QString key =
        QString::number(static_cast<int>(metric) * 8 + static_cast<int>(axis)) + QString::fromStdString(quantity.tag);
    if (const auto found = cached.curves.constFind(key); found != cached.curves.constEnd()) return *found;
    std::vector<double> x, y;
    if (metric == CurveMetric::kTag) {
        if (const auto* points = pointsOf(run, quantity.tag)) {
            for (const ImportedPoint& point : *points) {
                x.push_back(place(point, axis));
                y.push_back(point.value);
            }
        }
    } else if (metric == CurveMetric::kValidation) {
        x.reserve(run.state->validations.size());
        y.reserve(run.state->validations.size());
        for (const ValidationPoint& point : run.state->validations) {
            x.push_back(place(point, axis));
            y.push_back(point.loss);
        }
    } else {
        x.reserve(run.state->steps.size());
        y.reserve(run.state->steps.size());
        for (const StepPoint& point : run.state->steps) {
            x.push_back(place(point, axis));
            y.push_back(value(point, metric));
        }
    }
    // A run that never says how many tokens it read, or when, has no place on that axis.
    if (axis != CurveAxis::kStep && std::none_of(x.begin(), x.end(), [](double at) { return std::isfinite(at); })) {
        x.clear();
        y.clear();
    }
    const RunCurve made{std::make_shared<const std::vector<double>>(std::move(x)),
                        std::make_shared<const std::vector<double>>(std::move(y))};
    cached.curves.insert(key, made);
    return made;
}

std::optional<double> CurveDataSource::valueAt(const RunSnapshot& run, const CurveQuantity& quantity,
                                               std::int64_t step) {
    const CurveMetric metric = quantity.metric;
    const auto upTo = [step](const auto& points) {
        return std::upper_bound(points.begin(), points.end(), step,
                                [](std::int64_t at, const auto& point) { return at < point.step; });
    };
    if (metric == CurveMetric::kTag) {
        const auto* points = pointsOf(run, quantity.tag);
        if (points == nullptr) return std::nullopt;
        const auto after = upTo(*points);
        if (after == points->begin()) return std::nullopt;
        return std::prev(after)->value;
    }
    if (metric == CurveMetric::kValidation) {
        const auto after = upTo(run.state->validations);
        if (after == run.state->validations.begin()) return std::nullopt;
        return std::prev(after)->loss;
    }
    const auto after = upTo(run.state->steps);
    if (after == run.state->steps.begin()) return std::nullopt;
    return value(*std::prev(after), metric);
}

double CurveDataSource::positionOf(const RunSnapshot& run, std::int64_t step, CurveAxis axis) {
    if (axis == CurveAxis::kStep) return static_cast<double>(step);
    const double each = static_cast<double>(run.plan->training.batch_size * run.plan->model.context_length);
    if (axis == CurveAxis::kTokens && each > 0) return static_cast<double>(step) * each;
    const auto& steps = run.state->steps;
    const auto after = std::upper_bound(steps.begin(), steps.end(), step,
                                        [](std::int64_t at, const StepPoint& point) { return at < point.step; });
    return after == steps.begin() ? 0.0 : place(*std::prev(after), axis);
}

std::int64_t CurveDataSource::stepAt(const RunSnapshot& run, double position, CurveAxis axis) {
    if (axis == CurveAxis::kStep) return static_cast<std::int64_t>(std::llround(position));
    if (axis == CurveAxis::kTokens) {
        const double each = static_cast<double>(run.plan->training.batch_size * run.plan->model.context_length);
        return each > 0 ? static_cast<std::int64_t>(std::llround(position / each)) : 0;
    }
    const auto& steps = run.state->steps;
    const auto after = std::upper_bound(steps.begin(), steps.end(), position,
                                        [](double at, const StepPoint& point) { return at < point.elapsed; });
    return after == steps.begin() ? 0 : std::prev(after)->step;
}

}  // namespace sextant
