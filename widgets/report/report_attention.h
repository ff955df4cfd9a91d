#pragma once
// The attention of the probe text for every arm that keeps a checkpoint, one arm after the other, for reports and
// figures. Asked of the forward-pass service; what cannot be had is a sentence, never an empty picture.

#include <QObject>
#include <vector>

#include "widgets/models/attention_model.h"
#include "widgets/report/report_figures.h"

namespace sextant {

class ReportAttention : public QObject {
    Q_OBJECT

  public:
    explicit ReportAttention(QObject* parent = nullptr);
    // Empty `arm`: every arm. What was asked before is dropped.
    void start(const ReportModel& report, const QString& arm = {});
    [[nodiscard]] bool busy() const { return busy_; }
    // In the arms' order; arms without an answer are absent.
    [[nodiscard]] const std::vector<std::shared_ptr<const AttentionMapsOf>>& maps() const { return maps_; }
    [[nodiscard]] QString problem() const { return problem_; }

  Q_SIGNALS:
    void finished();

  private:
    void next();
    void look();

    AttentionModel model_;
    QStringList waiting_;  // run folders
    std::vector<std::shared_ptr<const AttentionMapsOf>> maps_;
    QString problem_;
    bool busy_ = false;
};

}  // namespace sextant
