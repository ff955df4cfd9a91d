#pragma once
// Evaluation by length, gathered from the runs: for each arm and mode the loss of every seed at every length, and the
// loss by position at the longest length. What was not measured is absent with its reason, never zero.

#include <QString>
#include <map>
#include <vector>

#include "widgets/models/run_snapshot.h"
#include "widgets/plots/aggregate.h"

namespace sextant {

struct ArmLengths {
    QString arm;
    int slot = 0;
    bool baseline = false;
    std::int64_t trainingLength = 0;
    // mode -> length -> seed -> loss in nats
    std::map<std::string, std::map<std::int64_t, std::map<std::int64_t, double>>> losses;
    std::map<std::string, std::map<std::int64_t, QString>> reasons;
    // The loss by position at the longest length, non-overlapping: seed -> values.
    std::int64_t positionLength = 0;
    std::map<std::int64_t, std::vector<double>> byPosition;

    // Mean and band of the loss over seeds, by length.
    [[nodiscard]] Aggregate aggregated(const std::string& mode, BandKind band) const;
    // loss(length) - loss(training length), seed by seed, over length / training length.
    [[nodiscard]] Aggregate changes(const std::string& mode, BandKind band) const;
    [[nodiscard]] Aggregate positions(BandKind band) const;
    // Mean over seeds of loss(length) - loss(training length); NaN when either is missing.
    [[nodiscard]] double gap(const std::string& mode, std::int64_t length) const;
    // Longest length whose gap is at most 0.05 nats; 0 when none.
    [[nodiscard]] std::int64_t holdsTo(const std::string& mode) const;
    [[nodiscard]] int seeds(const std::string& mode) const;
};

struct LengthResults {
    std::vector<ArmLengths> arms;
    std::vector<std::int64_t> lengths;
    std::int64_t stride = 0;   // of sliding windows
    std::int64_t targets = 0;  // N
    [[nodiscard]] bool empty() const { return lengths.empty(); }
};
[[nodiscard]] LengthResults lengthResults(const ProjectSnapshot& snapshot, const QString& baseline);

// A published curve, as the change of the loss from the training length: other corpora and models, so nothing else of
// it can be compared.
struct PublishedLengths {
    QString encoding, source;
    std::int64_t trainingLength = 0;
    std::vector<double> ratio, change;
};
[[nodiscard]] std::vector<PublishedLengths> publishedLengths(const std::string& mode);

inline constexpr const char* kNonOverlapping = "non-overlapping";
inline constexpr const char* kSliding = "sliding";

}  // namespace sextant
