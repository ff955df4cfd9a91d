#pragma once
// Rows of the editor's list of arms: line sample, bold name, star for the baseline, what differs.

#include <QStyledItemDelegate>

namespace sextant {

class ExperimentModel;

class ArmDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    ArmDelegate(ExperimentModel& experiment, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    ExperimentModel& experiment_;
};

}  // namespace sextant
