#include "widgets/docks/runs_dock.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/commands.h"
#include "widgets/controls/icon_button.h"
#include "widgets/docks/run_delegate.h"
#include "widgets/forms/panel.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/theme/fonts.h"

namespace sextant {

RunsDock::RunsDock(Session& session, Commands& commands, QWidget* parent)
    : QWidget(parent), session_(session), commands_(commands) {
    setObjectName("runs");
    model_ = new RunModel(this);
    model_->setNotes(&session.notes());
    filter_ = new RunFilter(this);
    filter_->setSourceModel(model_);
    title_ = new DockTitle(tr("Runs"));
    auto* sort = new IconButton("columns", tr("Sort by value or by name"));
    sort->setCheckable(true);
    connect(sort, &QToolButton::toggled, filter_, &RunFilter::setSortByValue);
    title_->addWidget(sort);
    auto* add = new IconButton("plus", tr("Edit the experiment"));
    connect(add, &QToolButton::clicked, commands_.action("file.edit"), &QAction::trigger);
    title_->addWidget(add);
    search_ = new QLineEdit;
    search_->setPlaceholderText(tr("filter, e.g. pe:alibi seed<3"));
    search_->setAccessibleName(tr("Filter the runs"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setFilterText(text);
        tree_->expandAll();
        takeSnapshot();
    });
    tree_ = new QTreeView;
    tree_->setModel(filter_);
    tree_->setItemDelegate(new RunDelegate(tree_));
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setIndentation(scaled(18));
    tree_->setUniformRowHeights(true);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree_->setAllColumnsShowFocus(true);
    tree_->setMouseTracking(true);
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    tree_->setObjectName("runTree");
    tree_->setAccessibleName(tr("Runs"));
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(RunModel::kName, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(RunModel::kValue, QHeaderView::Fixed);
    tree_->header()->resizeSection(RunModel::kValue, scaled(64));
    tree_->viewport()->setBackgroundRole(QPalette::AlternateBase);
    connect(tree_, &QWidget::customContextMenuRequested, this, &RunsDock::showMenu);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(title_);
    auto* searchRow = new QVBoxLayout;
    searchRow->setContentsMargins(scaled(10), scaled(8), scaled(10), scaled(6));
    searchRow->addWidget(search_);
    column->addLayout(searchRow);
    column->addWidget(tree_, 1);

    connect(&session_, &Session::snapshotChanged, this, &RunsDock::takeSnapshot);
    connect(&session_, &Session::projectChanged, this, [this] {
        search_->clear();
        model_->setSnapshot({});
    });
    connect(&session_.selection(), &Selection::runChanged, this, &RunsDock::selectionToTree);
    connect(&session_.selection(), &Selection::baselineChanged, this,
            [this] { model_->setBaseline(session_.selection().baseline()); });
    connect(&session_.selection(), &Selection::visibilityChanged, this,
            [this] { model_->setHidden(session_.selection().hidden()); });
    connect(model_, &RunModel::visibilityToggled, this,
            [this](const QString& folder, bool visible) { session_.selection().setHidden(folder, !visible); });
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsDock::treeToSelection);
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        tree_->expandAll();
        selectionToTree();
    });
}

void RunsDock::takeSnapshot() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    model_->setSnapshot(now);
    const auto total = static_cast<int>(now->runs.size());
    const int shown = filter_->shownRuns();
    title_->setNote(shown == total ? QString::number(total) : tr("%1 of %2").arg(shown).arg(total));
}

void RunsDock::selectionToTree() {
    if (moving_) return;
    moving_ = true;
    const QModelIndex source = model_->indexOf(session_.selection().arm(), session_.selection().run());
    const QModelIndex at = filter_->mapFromSource(source);
    if (at.isValid())
        tree_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    moving_ = false;
}

void RunsDock::treeToSelection() {
    if (moving_) return;
    const QModelIndex at = tree_->currentIndex();
    if (!at.isValid()) return;
    moving_ = true;
    const QString folder = at.data(RunModel::kFolderRole).toString();
    const QString arm = at.data(RunModel::kArmRole).toString();
    if (folder.isEmpty())
        session_.selection().selectArm(arm);
    else
        session_.selection().selectRun(arm, folder);
    moving_ = false;
}

QStringList RunsDock::chosenFolders() const {
    QStringList folders;
    for (const QModelIndex& at : tree_->selectionModel()->selectedRows()) {
        const QString folder = at.data(RunModel::kFolderRole).toString();
        if (!folder.isEmpty()) {
            if (!folders.contains(folder)) folders << folder;
            continue;
        }
        for (int row = 0; row < filter_->rowCount(at); ++row) {
            const QString child = filter_->index(row, 0, at).data(RunModel::kFolderRole).toString();
            if (!folders.contains(child)) folders << child;
        }
    }
    return folders;
}

void RunsDock::toggleVisible() {
    const QStringList folders = chosenFolders();
    bool anyVisible = false;
    for (const QString& folder : folders)
        anyVisible = anyVisible || !session_.selection().hidden().contains(folder);
    for (const QString& folder : folders)
        session_.selection().setHidden(folder, anyVisible);
}

void RunsDock::focusFilter() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void RunsDock::showMenu(const QPoint& at) {
    QMenu menu(this);
    for (const char* id : {"run.start", "run.pause", "run.checkpoint", "run.stop", "run.duplicate", "run.baseline",
                           "run.visible", "run.sooner", "run.later", "run.keep", "run.trash"})
        menu.addAction(commands_.action(id));
    const QModelIndex row = tree_->indexAt(at);
    const QString folder = session_.comparedFolderOf(row.data(RunModel::kArmRole).toString());
    if (!folder.isEmpty()) {
        menu.addSeparator();
        QAction* stop = menu.addAction(tr("Stop comparing with %1").arg(QFileInfo(folder).fileName()));
        connect(stop, &QAction::triggered, this, [this, folder] { session_.stopComparing(folder); });
    }
    menu.exec(tree_->viewport()->mapToGlobal(at));
}

}  // namespace sextant
