#pragma once
// The paired comparison of a project's arms, folded by core/results in the pool whenever a run was evaluated. Stale
// results are dropped by generation.

#include <QObject>
#include <memory>

#include "core/results/comparison.h"
#include "widgets/models/run_snapshot.h"

namespace sextant {

class Session;

class ComparisonModel : public QObject {
    Q_OBJECT

  public:
    explicit ComparisonModel(Session& session, QObject* parent = nullptr);
    // Null before the first result or without an experiment that can be read.
    [[nodiscard]] const std::shared_ptr<const Comparison>& comparison() const { return comparison_; }
    [[nodiscard]] QString problem() const { return problem_; }
    void update();

  Q_SIGNALS:
    void changed();

  private:
    Session& session_;
    std::shared_ptr<const Comparison> comparison_;
    QString problem_;
    std::vector<std::pair<QString, std::size_t>> seen_;  // what the last fold was made from
    QString seenBaseline_;
    std::uint64_t generation_ = 0;
};

}  // namespace sextant
