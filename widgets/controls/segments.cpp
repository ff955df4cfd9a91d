#include "widgets/controls/segments.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

class SegmentButton : public QAbstractButton {
  public:
    SegmentButton(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setAccessibleName(text);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    [[nodiscard]] QSize sizeHint() const override {
        // The bold width is reserved, so that choosing does not move its neighbours.
        const QFontMetrics bold(textFont(TextRole::kTitle));
        return {bold.horizontalAdvance(text()) + scaled(18), scaled(24)};
    }

  protected:
    // Arrow keys belong to the whole row.
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
            event->ignore();
        } else {
            QAbstractButton::keyPressEvent(event);
        }
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme& t = theme();
        if (isChecked() || isDown()) {
            painter.fillRect(rect().adjusted(1, 1, -1, -1), t.select);
        } else if (underMouse() && isEnabled()) {
            painter.fillRect(rect().adjusted(1, 1, -1, -1), t.hover);
        }
        painter.setFont(textFont(isChecked() ? TextRole::kTitle : TextRole::kBody));
        painter.setPen(isEnabled() ? t.text : t.text3);
        painter.drawText(rect(), Qt::AlignCenter, text());
        if (showsFocus(this)) drawFocusRing(painter, rect());
    }
};

}  // namespace

Segments::Segments(const QStringList& labels, QWidget* parent) : QWidget(parent) {
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(1, 1, 1, 1);
    row_->setSpacing(1);
    group_ = new QButtonGroup(this);
    group_->setExclusive(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(group_, &QButtonGroup::idClicked, this, &Segments::currentChanged);
    setLabels(labels);
}

void Segments::setLabels(const QStringList& labels) {
    const auto old = group_->buttons();
    for (QAbstractButton* button : old) {
        group_->removeButton(button);
        delete button;
    }
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new SegmentButton(labels[i], this);
        group_->addButton(button, i);
        row_->addWidget(button);
    }
    setCurrentIndex(0);
    updateGeometry();
}

int Segments::currentIndex() const {
    return group_->checkedId();
}

QString Segments::currentText() const {
    return group_->checkedButton() != nullptr ? group_->checkedButton()->text() : QString();
}

void Segments::setCurrentIndex(int index) {
    if (QAbstractButton* button = group_->button(index)) button->setChecked(true);
}

void Segments::setSegmentEnabled(int index, bool enabled, const QString& reason) {
    if (QAbstractButton* button = group_->button(index)) {
        button->setEnabled(enabled);
        button->setToolTip(enabled ? QString() : reason);
    }
}

void Segments::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) return QWidget::keyPressEvent(event);
    for (int index = currentIndex() + step; index >= 0 && index < group_->buttons().size(); index += step) {
        QAbstractButton* button = group_->button(index);
        if (!button->isEnabled()) continue;
        button->setChecked(true);
        button->setFocus(Qt::TabFocusReason);
        emit currentChanged(index);
        return;
    }
}

void Segments::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.edge, 1));
    painter.setBrush(t.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(t.line);
    const auto buttons = group_->buttons();
    for (int i = 1; i < buttons.size(); ++i) {
        const int x = buttons[i]->x() - 1;
        painter.drawLine(x, 2, x, height() - 3);
    }
}

}  // namespace sextant
