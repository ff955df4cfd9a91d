#pragma once
// Rows of the run tree. A variant: line sample, bold name, star when it is the baseline, count. A seed: visibility box,
// state glyph, "s0", then the one thing that matters. The value stands at the right in mono. States differ in form.

#include <QStyledItemDelegate>

namespace sextant {

enum class RunStatus;

// Tick, ring with an arc, dashed ring, two bars, triangle: told apart without colour.
void drawStatusGlyph(QPainter& painter, const QRectF& rect, RunStatus status, double progress);

class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

  private:
    void paintArm(QPainter& painter, QRect rect, const QModelIndex& index) const;
    void paintRun(QPainter& painter, QRect rect, const QModelIndex& index) const;
    [[nodiscard]] static QRect boxRect(const QRect& rect);
};

}  // namespace sextant
