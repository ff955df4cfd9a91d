#include "widgets/forms/panel.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/forms/quiet_label.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {

Panel::Panel(Ground ground, Edge edge, QWidget* parent) : QWidget(parent), ground_(ground), edge_(edge) {}

void Panel::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    QPainter painter(this);
    painter.fillRect(rect(), ground_ == Ground::kWindow  ? look.window
                             : ground_ == Ground::kPanel ? look.panel
                                                         : look.plot);
    painter.setPen(look.line);
    switch (edge_) {
        case Edge::kNone:
            break;
        case Edge::kLeft:
            painter.drawLine(rect().topLeft(), rect().bottomLeft());
            break;
        case Edge::kRight:
            painter.drawLine(rect().topRight(), rect().bottomRight());
            break;
        case Edge::kTop:
            painter.drawLine(rect().topLeft(), rect().topRight());
            break;
        case Edge::kBottom:
            painter.drawLine(rect().bottomLeft(), rect().bottomRight());
            break;
    }
}

DockTitle::DockTitle(const QString& title, QWidget* parent) : Panel(Ground::kPanel, Edge::kBottom, parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(scaled(12), scaled(5), scaled(8), scaled(5));
    row->setSpacing(scaled(6));
    title_ = new QuietLabel(title, TextRole::kTitle, QuietLabel::Ink::kText);
    note_ = new QuietLabel({}, TextRole::kNote);
    row->addWidget(title_);
    row->addWidget(note_, 1);
    setMinimumHeight(scaled(28));
}

void DockTitle::setTitle(const QString& title) {
    title_->setText(title);
}

void DockTitle::setNote(const QString& note) {
    note_->setText(note);
}

void DockTitle::addWidget(QWidget* widget) {
    static_cast<QHBoxLayout*>(layout())->addWidget(widget);
}

Section::Section(const QString& title, QWidget* parent) : Panel(Ground::kPanel, Edge::kTop, parent) {
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(scaled(12), scaled(10), scaled(12), scaled(10));
    column_->setSpacing(scaled(6));
    title_ = new QuietLabel(title, TextRole::kTitle, QuietLabel::Ink::kText);
    column_->addWidget(title_);
}

void Section::add(QWidget* widget) {
    column_->addWidget(widget, 0, qobject_cast<QPushButton*>(widget) != nullptr ? Qt::AlignLeft : Qt::Alignment());
}

QuietLabel* Section::addLine(const QString& name, const QString& value) {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(scaled(8));
    auto* label = new QuietLabel(name, TextRole::kNote);
    label->setFixedWidth(scaled(84));
    auto* text = new QuietLabel(value, TextRole::kValue, QuietLabel::Ink::kText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(label, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    column_->addWidget(line);
    return text;
}

void Section::setTitle(const QString& title) {
    title_->setText(title);
}

}  // namespace sextant
