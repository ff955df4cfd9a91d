#include "widgets/selection.h"

#include <algorithm>

namespace sextant {

void Selection::selectArm(const QString& arm) {
    if (arm == arm_ && run_.isEmpty()) return;
    arm_ = arm;
    run_.clear();
    Q_EMIT runChanged();
}

void Selection::selectRun(const QString& arm, const QString& folder) {
    if (arm == arm_ && folder == run_) return;
    arm_ = arm;
    run_ = folder;
    Q_EMIT runChanged();
}

void Selection::setCompared(const QString& folder) {
    if (folder == compared_) return;
    compared_ = folder;
    Q_EMIT runChanged();
}

void Selection::setBaseline(const QString& arm) {
    if (arm == baseline_) return;
    baseline_ = arm;
    Q_EMIT baselineChanged();
}

void Selection::setHidden(const QString& folder, bool hidden) {
    if (hidden == hidden_.contains(folder)) return;
    if (hidden)
        hidden_.insert(folder);
    else
        hidden_.remove(folder);
    Q_EMIT visibilityChanged();
}

void Selection::setHiddenSet(const QSet<QString>& folders) {
    if (folders == hidden_) return;
    hidden_ = folders;
    Q_EMIT visibilityChanged();
}

void Selection::setLayer(int layer) {
    layer = std::max(0, layer);
    if (layer == layer_) return;
    layer_ = layer;
    Q_EMIT headChanged();
}

void Selection::setHead(int head) {
    head = std::max(0, head);
    if (head == head_) return;
    head_ = head;
    Q_EMIT headChanged();
}

void Selection::setStep(std::int64_t step) {
    step = std::max<std::int64_t>(0, step);
    if (step == step_ && !followLive_) return;
    step_ = step;
    followLive_ = false;
    Q_EMIT stepChanged();
}

void Selection::setFollowLive(bool follow) {
    if (follow == followLive_) return;
    followLive_ = follow;
    Q_EMIT stepChanged();
}

void Selection::followTo(std::int64_t step) {
    if (!followLive_ || step == step_) return;
    step_ = step;
    Q_EMIT stepChanged();
}

void Selection::setCell(int query, int key) {
    if (query == query_ && key == key_) return;
    query_ = query;
    key_ = key;
    Q_EMIT cellChanged();
}

void Selection::setRange(const ColourRange& range) {
    if (range == range_) return;
    range_ = range;
    Q_EMIT rangeChanged();
}

void Selection::reset() {
    arm_.clear();
    run_.clear();
    compared_.clear();
    baseline_.clear();
    hidden_.clear();
    layer_ = head_ = 0;
    step_ = 0;
    followLive_ = true;
    query_ = key_ = -1;
    range_ = {};
    Q_EMIT runChanged();
    Q_EMIT baselineChanged();
    Q_EMIT visibilityChanged();
    Q_EMIT headChanged();
    Q_EMIT stepChanged();
    Q_EMIT cellChanged();
    Q_EMIT rangeChanged();
}

}  // namespace sextant
