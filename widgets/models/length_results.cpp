#include "widgets/models/length_results.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sextant {

namespace {
constexpr double kHeld = 0.05;  // nats: the gap up to which a length counts as held
}

Aggregate ArmLengths::aggregated(const std::string& mode, BandKind band) const {
    const auto found = losses.find(mode);
    if (found == losses.end()) return {};
    std::map<std::int64_t, std::pair<std::vector<double>, std::vector<double>>> curves;  // seed -> x, y
    for (const auto& [length, bySeed] : found->second) {
        for (const auto& [seed, loss] : bySeed) {
            curves[seed].first.push_back(static_cast<double>(length));
            curves[seed].second.push_back(loss);
        }
    }
    std::vector<SeedCurve> seeds;
    for (const auto& [seed, curve] : curves)
        seeds.push_back({curve.first, curve.second});
    return aggregate(seeds, band);
}

Aggregate ArmLengths::changes(const std::string& mode, BandKind band) const {
    const auto found = losses.find(mode);
    if (found == losses.end() || trainingLength <= 0) return {};
    const auto trained = found->second.find(trainingLength);
    if (trained == found->second.end()) return {};
    std::map<std::int64_t, std::pair<std::vector<double>, std::vector<double>>> curves;  // seed -> x, y
    for (const auto& [length, bySeed] : found->second) {
        for (const auto& [seed, loss] : bySeed) {
            const auto base = trained->second.find(seed);
            if (base == trained->second.end()) continue;
            curves[seed].first.push_back(static_cast<double>(length) / static_cast<double>(trainingLength));
            curves[seed].second.push_back(loss - base->second);
        }
    }
    std::vector<SeedCurve> seeds;
    for (const auto& [seed, curve] : curves)
        seeds.push_back({curve.first, curve.second});
    return aggregate(seeds, band);
}

Aggregate ArmLengths::positions(BandKind band) const {
    std::vector<double> x(static_cast<std::size_t>(positionLength));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<double>(i);
    std::vector<SeedCurve> seeds;
    for (const auto& [seed, values] : byPosition)
        seeds.push_back({std::span(x).first(std::min(x.size(), values.size())),
                         std::span(values).first(std::min(x.size(), values.size()))});
    return aggregate(seeds, band);
}

double ArmLengths::gap(const std::string& mode, std::int64_t length) const {
    const auto found = losses.find(mode);
    if (found == losses.end()) return std::numeric_limits<double>::quiet_NaN();
    const auto here = found->second.find(length);
    const auto there = found->second.find(trainingLength);
    if (here == found->second.end() || there == found->second.end()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    int count = 0;
    for (const auto& [seed, loss] : here->second) {
        const auto base = there->second.find(seed);
        if (base == there->second.end()) continue;
        sum += loss - base->second;
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t ArmLengths::holdsTo(const std::string& mode) const {
    std::int64_t longest = 0;
    const auto found = losses.find(mode);
    if (found == losses.end()) return 0;
    for (const auto& [length, bySeed] : found->second) {
        const double difference = gap(mode, length);
        if (std::isfinite(difference) && difference <= kHeld) longest = std::max(longest, length);
    }
    return longest;
}

int ArmLengths::seeds(const std::string& mode) const {
    std::set<std::int64_t> all;
    if (const auto found = losses.find(mode); found != losses.end()) {
        for (const auto& [length, bySeed] : found->second) {
            for (const auto& [seed, loss] : bySeed)
                all.insert(seed);
        }
    }
    return static_cast<int>(all.size());
}

LengthResults lengthResults(const ProjectSnapshot& snapshot, const QString& baseline) {
    LengthResults results;
    std::set<std::int64_t> lengths;
    for (const QString& name : snapshot.arms) {
        ArmLengths arm;
        arm.arm = name;
        arm.slot = snapshot.slotOf(name);
        arm.baseline = name == baseline;
        for (const RunSnapshot* run : snapshot.runsOf(name)) {
            arm.trainingLength = run->plan->model.context_length;
            for (const EvaluationEvent& event : run->state->evaluations) {
                if (event.split != "test") continue;
                if (event.metric == "loss") {
                    if (!std::isfinite(event.value)) {
                        if (!event.reason.empty())
                            arm.reasons[event.mode][event.length] = QString::fromStdString(event.reason);
                        continue;
                    }
                    arm.losses[event.mode][event.length][run->seed()] = event.value;
                    lengths.insert(event.length);
                    results.targets = std::max(results.targets, event.targets);
                    if (event.mode == kSliding) results.stride = event.stride;
                } else if (event.metric == "position_loss" && event.length >= arm.positionLength &&
                           !event.values.empty()) {
                    if (event.length > arm.positionLength) arm.byPosition.clear();
                    arm.positionLength = event.length;
                    arm.byPosition[run->seed()] = event.values;
                }
            }
        }
        results.arms.push_back(std::move(arm));
    }
    results.lengths.assign(lengths.begin(), lengths.end());
    return results;
}

std::vector<PublishedLengths> publishedLengths(const std::string& mode) {
    std::vector<PublishedLengths> curves;
    QFile file(QStringLiteral(":/data/published_lengths.json"));
    if (!file.open(QIODevice::ReadOnly)) return curves;
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object().value("curves").toArray()) {
        const QJsonObject one = value.toObject();
        if (one.value("mode").toString().toStdString() != mode) continue;
        PublishedLengths curve;
        curve.encoding = one.value("encoding").toString();
        curve.source = one.value("source").toString();
        curve.trainingLength = one.value("training_length").toInteger();
        const QJsonArray lengths = one.value("lengths").toArray(), perplexity = one.value("perplexity").toArray();
        double base = std::numeric_limits<double>::quiet_NaN();
        for (qsizetype i = 0; i < lengths.size(); ++i) {
            if (lengths[i].toInteger() == curve.trainingLength) base = std::log(perplexity[i].toDouble());
        }
        for (qsizetype i = 0; i < lengths.size(); ++i) {
            curve.ratio.push_back(lengths[i].toDouble() / static_cast<double>(curve.trainingLength));
            curve.change.push_back(std::log(perplexity[i].toDouble()) - base);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

}  // namespace sextant
