#include "widgets/controls/card.h"

#include <QAbstractItemModel>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/controls/chip.h"
#include "widgets/controls/icon_button.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

// Cuts its text to the room it has; the whole text is in the tooltip then.
class ElidedLabel : public QLabel {
  public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(theme().text2);
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shown);
        const QString tip = shown == text() ? QString() : text();
        if (toolTip() != tip) setToolTip(tip);
    }
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
    note_->setText(note);
    setAccessibleDescription(note);
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

void Card::setTableSource(std::function<QAbstractItemModel*()> source) {
    source_ = std::move(source);
    if (tableButton_ != nullptr) return;
    tableButton_ = new IconButton(QStringLiteral("table"), tr("Show the numbers as a table"), this);
    tableButton_->setCheckable(true);
    tableButton_->setIconSize(QSize(scaled(14), scaled(14)));
    connect(tableButton_, &QToolButton::toggled, this, &Card::showTable);
    bar_->addWidget(tableButton_);
}

void Card::showTable(bool shown) {
    if (!source_ || content_ == nullptr) return;
    if (shown && table_ == nullptr) {
        table_ = new QTableView(this);
        table_->setAccessibleName(tr("%1, numbers").arg(title()));
        table_->setFrameShape(QFrame::NoFrame);
        table_->setFont(textFont(TextRole::kValue));
        table_->setShowGrid(false);
        table_->verticalHeader()->setDefaultSectionSize(scaled(22));
        table_->setModel(source_());
        table_->horizontalHeader()->setDefaultSectionSize(scaled(88));
        column_->insertWidget(2, table_, 1);
    }
    if (table_ != nullptr) table_->setVisible(shown);
    content_->setVisible(!shown);
    tableButton_->setChecked(shown);
}

bool Card::tableShown() const {
    return table_ != nullptr && !table_->isHidden();
}

void Card::setFoot(QWidget* foot) {
    auto* rule = new QFrame(this);
    rule->setFixedHeight(1);
    rule->setAutoFillBackground(true);
    rule->setBackgroundRole(QPalette::Mid);
    column_->addWidget(rule);
    column_->addWidget(foot);
}

}  // namespace sextant
