#include "widgets/report/report_attention.h"

#include "widgets/report/report_text.h"

namespace sextant {

ReportAttention::ReportAttention(QObject* parent) : QObject(parent) {
    connect(&model_, &AttentionModel::changed, this, &ReportAttention::look, Qt::QueuedConnection);
}

void ReportAttention::start(const ReportModel& report, const QString& arm) {
    waiting_.clear();
    maps_.clear();
    problem_.clear();
    for (const ReportArm& each : report.arms) {
        if (!arm.isEmpty() && fromCore(each.name) != arm) continue;
        const ReportRun* run = attentionRun(report, fromCore(each.name));
        if (run != nullptr) waiting_ << fromCore(run->directory);
    }
    model_.setText(fromCore(report.probe_text));
    busy_ = !waiting_.isEmpty() && !report.probe_text.empty();
    if (busy_) next();
}

void ReportAttention::next() {
    model_.setModel(AttentionModel::Side::kA, waiting_.takeFirst());
    model_.load(AttentionModel::Side::kA);
}

void ReportAttention::look() {
    if (!busy_ || model_.busy()) return;
    const auto maps = model_.weights(AttentionModel::Side::kA);
    if (!maps && model_.problem().isEmpty()) return;
    if (maps)
        maps_.push_back(maps);
    else if (problem_.isEmpty())
        problem_ = model_.problem();
    if (!waiting_.isEmpty()) {
        next();
        return;
    }
    busy_ = false;
    Q_EMIT finished();
}

}  // namespace sextant
