#include "widgets/models/view_history.h"

#include <QUndoStack>

namespace sextant {

namespace {
constexpr qint64 kOneStepMs = 700;
}

class ViewEdit : public QUndoCommand {
  public:
    ViewEdit(ViewHistory& history, QString part, QVariant before, QVariant after, qint64 time)
        : history_(history),
          part_(std::move(part)),
          before_(std::move(before)),
          after_(std::move(after)),
          time_(time) {}
    [[nodiscard]] int id() const override { return 7001; }
    void undo() override { history_.put(part_, before_); }
    void redo() override {
        // The first time it is done already.
        if (std::exchange(fresh_, false)) return;
        history_.put(part_, after_);
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const ViewEdit*>(other);
        if (next->part_ != part_ || next->text() != text() || next->time_ - time_ > kOneStepMs) return false;
        after_ = next->after_;
        time_ = next->time_;
        return true;
    }

  private:
    ViewHistory& history_;
    QString part_;
    QVariant before_, after_;
    qint64 time_;
    bool fresh_ = true;
};

ViewHistory::ViewHistory(QUndoStack& stack, QObject* parent) : QObject(parent), stack_(stack) {
    clock_.start();
}

void ViewHistory::watch(const QString& part, std::function<QVariant()> read,
                        std::function<void(const QVariant&)> apply) {
    const QVariant now = read();
    parts_.insert(part, {std::move(read), std::move(apply), now});
}

void ViewHistory::changed(const QString& part, const QString& text) {
    const auto found = parts_.find(part);
    if (found == parts_.end() || applying_) return;
    const QVariant now = found->read();
    if (now == found->last) return;
    auto* edit = new ViewEdit(*this, part, found->last, now, clock_.elapsed());
    found->last = now;
    edit->setText(text);
    stack_.push(edit);
}

void ViewHistory::settle() {
    for (Part& part : parts_)
        part.last = part.read();
}

void ViewHistory::put(const QString& part, const QVariant& state) {
    const auto found = parts_.find(part);
    if (found == parts_.end()) return;
    applying_ = true;
    found->apply(state);
    found->last = state;
    applying_ = false;
}

}  // namespace sextant
