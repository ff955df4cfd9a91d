#include "widgets/controls/card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "widgets/controls/chip.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

class ElidedLabel : public QLabel {
  public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
};

}  // namespace

Card::Card(const QString& title, QWidget* parent) : QFrame(parent) {
    setProperty("card", true);
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(1, 0, 1, 1);
    column_->setSpacing(0);
    auto* bar = new QWidget(this);
    bar->setFixedHeight(scaled(28));
    bar_ = new QHBoxLayout(bar);
    bar_->setContentsMargins(scaled(10), 0, scaled(6), 0);
    bar_->setSpacing(scaled(8));
    title_ = new QLabel(bar);
    title_->setFont(textFont(TextRole::kTitle));
    title_->setTextFormat(Qt::PlainText);
    note_ = new ElidedLabel(bar);
    note_->setFont(textFont(TextRole::kNote));
    note_->setTextFormat(Qt::PlainText);
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    badge_ = new Chip(QString(), bar);
    bar_->addWidget(title_);
    bar_->addWidget(note_, 1);
    bar_->addWidget(badge_);
    column_->addWidget(bar);
    QPalette quiet = note_->palette();
    quiet.setColor(QPalette::WindowText, theme().text2);
    note_->setPalette(quiet);
    setTitle(title);
}

void Card::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
}

QString Card::title() const {
    return title_->text();
}

void Card::setNote(const QString& note) {
    noteText_ = note;
    setAccessibleDescription(note);
    layOutNote();
}

void Card::layOutNote() {
    const QFontMetrics metrics(note_->font());
    const int room = note_->width() > 0 ? note_->width() : width();
    note_->setText(metrics.elidedText(noteText_, Qt::ElideRight, std::max(room, 1)));
    note_->setToolTip(note_->text() == noteText_ ? QString() : noteText_);
}

void Card::addTitleWidget(QWidget* widget) {
    bar_->addWidget(widget);
}

void Card::setBadge(const QString& text) {
    badge_->setText(text);
}

void Card::setContent(QWidget* content) {
    if (content_ == content) return;
    delete content_;
    content_ = content;
    column_->insertWidget(1, content, 1);
}

void Card::setFoot(QWidget* foot) {
    auto* rule = new QFrame(this);
    rule->setFixedHeight(1);
    rule->setAutoFillBackground(true);
    rule->setBackgroundRole(QPalette::Mid);
    column_->addWidget(rule);
    column_->addWidget(foot);
}

void Card::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && note_ != nullptr &&
        note_->palette().color(QPalette::WindowText) != theme().text2) {
        QPalette quiet = note_->palette();
        quiet.setColor(QPalette::WindowText, theme().text2);
        note_->setPalette(quiet);
    }
    QFrame::changeEvent(event);
}

void Card::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    layout()->activate();
    layOutNote();
}

}  // namespace sextant
