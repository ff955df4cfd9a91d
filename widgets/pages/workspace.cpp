#include "widgets/pages/workspace.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/controls/inline_bar.h"
#include "widgets/forms/panel.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/curves_page.h"
#include "widgets/pages/extrapolation_page.h"
#include "widgets/pages/position_page.h"
#include "widgets/pages/report_page.h"
#include "widgets/theme/fonts.h"

namespace sextant {

QStringList Workspace::pageNames() {
    return {"curves", "attention", "position", "extrapolation", "compare", "report"};
}

Workspace::Workspace(Session& session, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    tabs_ = new QTabBar;
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Pages"));
    stack_ = new QStackedWidget;
    bar_ = new InlineBar;
    bar_->setClosable(true);
    bar_->hide();
    connect(bar_, &InlineBar::closed, bar_, &QWidget::hide);

    const auto add = [&](const QString& name, const QString& title, Page* page) {
        pages_.insert(name, page);
        page->setObjectName(name);
        stack_->addWidget(page);
        tabs_->addTab(title);
        connect(page, &Page::pageRequested, this, [this](const QString& wanted) { showPage(wanted); });
        connect(page, &Page::message, this, [this](const QString& fact, const QString& consequence) {
            bar_->show(BarKind::kInfo, fact, consequence);
        });
    };
    add("curves", tr("Curves"), new CurvesPage(session));
    auto* attention = new AttentionPage(session);
    add("attention", tr("Attention"), attention);
    add("position", tr("Position"), new PositionPage(session));
    auto* extrapolation = new ExtrapolationPage(session);
    add("extrapolation", tr("Extrapolation"), extrapolation);
    connect(extrapolation, &ExtrapolationPage::attentionRequested, this, [this, attention](qint64 tokens) {
        showPage("attention");
        if (tokens > 0) attention->showCorpus(0, tokens);
    });
    add("compare", tr("Compare"), new ComparePage(session));
    add("report", tr("Report"), new ReportPage(session));
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        stack_->setCurrentIndex(index);
        Q_EMIT pageChanged(currentName());
    });
    auto* head = new Panel(Panel::Ground::kWindow, Panel::Edge::kBottom);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(scaled(8), 0, scaled(8), 1);
    row->addWidget(tabs_);
    row->addStretch(1);
    column->addWidget(head);
    auto* barRow = new QVBoxLayout;
    barRow->setContentsMargins(scaled(8), 0, scaled(8), 0);
    barRow->addWidget(bar_);
    column->addLayout(barRow);
    column->addWidget(stack_, 1);
}

bool Workspace::showPage(const QString& name) {
    const qsizetype index = pageNames().indexOf(name);
    if (index < 0) return false;
    tabs_->setCurrentIndex(static_cast<int>(index));
    return true;
}

QString Workspace::currentName() const {
    return pageNames().value(tabs_->currentIndex());
}

Page* Workspace::current() const {
    return pages_.value(currentName());
}

}  // namespace sextant
