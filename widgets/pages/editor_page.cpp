#include "widgets/pages/editor_page.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/presets.h"
#include "widgets/controls/icon_button.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/arm_delegate.h"
#include "widgets/forms/estimate_panel.h"
#include "widgets/forms/experiment_view.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/experiment_model.h"
#include "widgets/models/experiment_table.h"
#include "widgets/theme/icons.h"

namespace sextant {

int pairsNeeded(int variants) {
    int pairs = 1;
    while (variants * 2.0 / std::ldexp(1.0, pairs) >= 0.05)
        ++pairs;
    return pairs;
}

EditorPage::EditorPage(ExperimentModel& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
    setObjectName("editor");
    table_ = new ExperimentTable(experiment_, this);
    view_ = new ExperimentView(experiment_, *table_, this);
    json_ = new QPlainTextEdit;
    json_->setFont(textFont(TextRole::kValue));
    json_->setAccessibleName(tr("Experiment as JSON"));
    json_->setLineWrapMode(QPlainTextEdit::NoWrap);
    middle_ = new QStackedWidget;
    middle_->addWidget(view_);
    middle_->addWidget(json_);
    message_ = new InlineBar;
    message_->setClosable(true);
    message_->hide();
    connect(message_, &InlineBar::closed, message_, &QWidget::hide);
    estimate_ = new EstimatePanel(experiment_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTop());
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(makeArms());
    auto* centre = new QVBoxLayout;
    centre->setSpacing(0);
    centre->addWidget(message_);
    centre->addWidget(middle_, 1);
    row->addLayout(centre, 1);
    row->addWidget(estimate_);
    column->addLayout(row, 1);
    column->addWidget(makeFoot());

    connect(&experiment_, &ExperimentModel::edited, this, &EditorPage::refresh);
    connect(view_, &ExperimentView::armChosen, this, &EditorPage::chooseArm);
    connect(estimate_, &EstimatePanel::positionRequested, this, [this] { Q_EMIT positionRequested(arm_); });
    refresh();
}

QWidget* EditorPage::makeTop() {
    auto* bar = new Panel(Panel::Ground::kWindow, Panel::Edge::kBottom);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(scaled(12), scaled(5), scaled(8), scaled(5));
    row->setSpacing(scaled(8));
    auto* back = new QPushButton(lineIcon("chevron-left"), tr("Back"));
    back->setFlat(true);
    connect(back, &QPushButton::clicked, this, &EditorPage::backRequested);
    row->addWidget(back);
    name_ = new QLineEdit;
    name_->setFont(textFont(TextRole::kExperiment));
    name_->setAccessibleName(tr("Name of the experiment"));
    name_->setMaxLength(120);
    name_->setFixedWidth(scaled(240));
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        if (name_->text() != experiment_.name()) experiment_.setName(name_->text());
    });
    row->addWidget(name_);
    presetLabel_ = new QuietLabel(tr("from preset"), TextRole::kNote);
    row->addWidget(presetLabel_);
    preset_ = new QComboBox;
    preset_->setAccessibleName(tr("Preset to begin from"));
    for (const Preset& preset : presets()) {
        preset_->addItem(QString::fromStdString(preset.name));
        preset_->setItemData(preset_->count() - 1, QString::fromStdString(preset.summary + " " + preset.duration),
                             Qt::ToolTipRole);
    }
    connect(preset_, &QComboBox::textActivated, this, &EditorPage::usePreset);
    row->addWidget(preset_);
    row->addStretch(1);
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("field"));
    filter->setAccessibleName(tr("Filter the fields"));
    filter->setClearButtonEnabled(true);
    filter->setFixedWidth(scaled(160));
    connect(filter, &QLineEdit::textChanged, table_, &ExperimentTable::setFilterText);
    row->addWidget(filter);
    auto* differences = new Segments({tr("All fields"), tr("What differs")});
    differences->setAccessibleName(tr("Which fields are shown"));
    connect(differences, &Segments::currentChanged, this,
            [this](int index) { table_->setOnlyDifferences(index == 1); });
    row->addWidget(differences);
    form_ = new Segments({tr("Form"), tr("JSON")});
    form_->setAccessibleName(tr("Form or JSON"));
    connect(form_, &Segments::currentChanged, this, [this](int index) { showJson(index == 1); });
    row->addWidget(form_);
    auto* undo = new QPushButton(tr("Undo"));
    undo->setFlat(true);
    undo->setEnabled(false);
    connect(undo, &QPushButton::clicked, experiment_.undoStack(), &QUndoStack::undo);
    connect(experiment_.undoStack(), &QUndoStack::canUndoChanged, undo, &QWidget::setEnabled);
    row->addWidget(undo);
    auto* redo = new QPushButton(tr("Redo"));
    redo->setFlat(true);
    redo->setEnabled(false);
    connect(redo, &QPushButton::clicked, experiment_.undoStack(), &QUndoStack::redo);
    connect(experiment_.undoStack(), &QUndoStack::canRedoChanged, redo, &QWidget::setEnabled);
    row->addWidget(redo);
    return bar;
}

QWidget* EditorPage::makeArms() {
    auto* panel = new Panel(Panel::Ground::kPanel, Panel::Edge::kRight);
    panel->setFixedWidth(scaled(284));
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    arms_ = new QListWidget;
    arms_->setAccessibleName(tr("Arms"));
    arms_->setItemDelegate(new ArmDelegate(experiment_, arms_));
    arms_->setFrameShape(QFrame::NoFrame);
    arms_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(arms_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!refreshing_ && row >= 0) chooseArm(row);
    });
    connect(arms_, &QListWidget::itemActivated, this, &EditorPage::renameArm);
    column->addWidget(new DockTitle(tr("Arms")));
    arms_->setObjectName("armList");
    arms_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    column->addWidget(arms_);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8));
    auto* add = new QPushButton(lineIcon("plus"), tr("Add a variant"));
    add->setObjectName("addVariant");
    auto* menu = new QMenu(add);
    for (const EncodingSpec& spec : encoding_catalog()) {
        const QString id = QString::fromStdString(spec.id);
        QAction* action = menu->addAction(id);
        action->setToolTip(QString::fromStdString(spec.summary));
        connect(action, &QAction::triggered, this, [this, id] { chooseArm(experiment_.addVariant(id)); });
    }
    menu->setToolTipsVisible(true);
    add->setMenu(menu);
    buttons->addWidget(add);
    buttons->addStretch(1);
    auto* rename = new IconButton("edit", tr("Rename the arm"));
    connect(rename, &QToolButton::clicked, this, &EditorPage::renameArm);
    buttons->addWidget(rename);
    auto* duplicate = new IconButton("duplicate", tr("Duplicate the arm"));
    connect(duplicate, &QToolButton::clicked, this, [this] { chooseArm(experiment_.duplicateArm(arm_)); });
    buttons->addWidget(duplicate);
    auto* remove = new IconButton("trash", tr("Remove the variant"));
    connect(remove, &QToolButton::clicked, this, [this] {
        if (arm_ > 0) experiment_.removeArm(arm_);
    });
    buttons->addWidget(remove);
    column->addLayout(buttons);

    auto* seeds = new Section(tr("Seeds"));
    seeds_ = new QLineEdit;
    seeds_->setFont(textFont(TextRole::kValue));
    seeds_->setAccessibleName(tr("Seeds, separated by commas"));
    connect(seeds_, &QLineEdit::editingFinished, this, [this] {
        QList<std::int64_t> list;
        for (const QString& part : seeds_->text().split(',', Qt::SkipEmptyParts)) {
            bool good = false;
            const qlonglong seed = part.trimmed().toLongLong(&good);
            if (good) list << seed;
        }
        if (list != experiment_.seeds()) experiment_.setSeeds(list);
    });
    seeds->add(seeds_);
    seedNote_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    seedNote_->setWordWrap(true);
    seeds->add(seedNote_);
    moreSeeds_ = new QPushButton;
    connect(moreSeeds_, &QPushButton::clicked, this, [this] {
        QList<std::int64_t> list = experiment_.seeds();
        const int wanted = pairsNeeded(std::max(1, experiment_.armCount() - 1));
        for (std::int64_t next = 0; list.size() < wanted; ++next) {
            if (!list.contains(next)) list << next;
        }
        experiment_.setSeeds(list);
    });
    seeds->add(moreSeeds_);
    column->addWidget(seeds);

    auto* primary = new Section(tr("Primary endpoint"));
    auto* why = new QuietLabel(tr("Fixed before the run. Everything else is exploratory."), TextRole::kNote);
    why->setWordWrap(true);
    primary->add(why);
    contrast_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    contrast_->setWordWrap(true);
    endpoint_ = new QComboBox;
    endpoint_->setAccessibleName(tr("Variant of the primary contrast"));
    connect(endpoint_, &QComboBox::textActivated, this, [this](const QString& variant) {
        experiment_.setValueAt("/evaluation/primary/contrast", FieldKind::kText,
                               variant + " - " + experiment_.armName(0));
    });
    primary->add(endpoint_);
    primary->add(contrast_);
    column->addWidget(primary);

    auto* place = new Section(tr("Project folder"));
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Project folder"));
    folder_->setObjectName("projectFolder");
    connect(folder_, &QLineEdit::textEdited, this, [this] { folderChosen_ = true; });
    place->add(folder_);
    auto* browse = new QPushButton(tr("Choose..."));
    connect(browse, &QPushButton::clicked, this, &EditorPage::browse);
    place->add(browse);
    column->addWidget(place);
    column->addStretch(1);
    return panel;
}

QWidget* EditorPage::makeFoot() {
    auto* bar = new Panel(Panel::Ground::kPanel, Panel::Edge::kTop);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(scaled(12), scaled(10), scaled(8), scaled(10));
    row->setSpacing(scaled(8));
    state_ = new QuietLabel({}, TextRole::kTitle, QuietLabel::Ink::kText);
    row->addWidget(state_);
    next_ = new QPushButton(tr("Next problem (F8)"));
    next_->setFlat(true);
    next_->setShortcut(QKeySequence(Qt::Key_F8));
    connect(next_, &QPushButton::clicked, view_, &ExperimentView::goToNextProblem);
    row->addWidget(next_);
    row->addStretch(1);
    summary_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    row->addWidget(summary_);
    save_ = new QPushButton(tr("Save"));
    save_->setObjectName("save");
    connect(save_, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(projectFolder()); });
    row->addWidget(save_);
    queue_ = new QPushButton;
    queue_->setObjectName("queue");
    queue_->setProperty("primary", true);
    connect(queue_, &QPushButton::clicked, this, [this] { Q_EMIT queueRequested(projectFolder()); });
    row->addWidget(queue_);
    return bar;
}

QString EditorPage::freeFolder(const QString& name) const {
    QString base = name;
    base.replace('/', '-');
    if (base.trimmed().isEmpty()) base = QStringLiteral("experiment");
    QString folder = parentFolder_ + "/" + base;
    for (int number = 2; QFileInfo::exists(folder + "/experiment.json"); ++number)
        folder = QStringLiteral("%1/%2-%3").arg(parentFolder_, base).arg(number);
    return folder;
}

void EditorPage::beginNew(const QString& preset, const QString& parentFolder) {
    editing_ = false;
    folderChosen_ = false;
    parentFolder_ = parentFolder;
    message_->hide();
    preset_->setCurrentText(preset);
    usePreset(preset);
    form_->setCurrentIndex(0);
    middle_->setCurrentWidget(view_);
}

void EditorPage::beginEdit(const QString& project) {
    editing_ = true;
    folderChosen_ = true;
    parentFolder_ = QFileInfo(project).absolutePath();
    folder_->setText(project);
    message_->hide();
    form_->setCurrentIndex(0);
    middle_->setCurrentWidget(view_);
    refresh();
}

void EditorPage::usePreset(const QString& name) {
    const auto preset = find_preset(name.toStdString());
    if (!preset.ok()) {
        showMessage(tr("No such preset."), QString::fromStdString(preset.error().sentence()));
        return;
    }
    experiment_.setDirectory(parentFolder_);
    experiment_.setExperiment(preset->experiment);
    if (!folderChosen_) folder_->setText(freeFolder(experiment_.name()));
    chooseArm(std::min(1, experiment_.armCount() - 1));
}

QString EditorPage::projectFolder() const {
    return QDir::cleanPath(folder_->text().trimmed());
}

void EditorPage::showMessage(const QString& fact, const QString& consequence) {
    message_->show(BarKind::kError, fact, consequence);
}

void EditorPage::browse() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the project"), parentFolder_);
    if (folder.isEmpty()) return;
    folderChosen_ = true;
    folder_->setText(folder);
}

void EditorPage::showJson(bool json) {
    if (json) {
        json_->setPlainText(experiment_.json());
        middle_->setCurrentWidget(json_);
        return;
    }
    const Status taken = experiment_.setJson(json_->toPlainText());
    if (!taken.ok()) {
        showMessage(tr("This is not an experiment yet."), QString::fromStdString(taken.error().sentence()));
        form_->setCurrentIndex(1);
        return;
    }
    message_->hide();
    middle_->setCurrentWidget(view_);
}

void EditorPage::chooseArm(int arm) {
    arm_ = std::clamp(arm, 0, experiment_.armCount() - 1);
    view_->header()->setCurrentArm(arm_);
    estimate_->setArm(arm_);
    if (arms_->currentRow() != arm_) {
        const bool before = std::exchange(refreshing_, true);
        arms_->setCurrentRow(arm_);
        refreshing_ = before;
    }
}

void EditorPage::renameArm() {
    bool good = false;
    const QString name = QInputDialog::getText(this, tr("Rename the arm"), tr("Name"), QLineEdit::Normal,
                                               experiment_.armName(arm_), &good);
    if (good && !name.isEmpty() && name != experiment_.armName(arm_)) experiment_.renameArm(arm_, name);
}

void EditorPage::refreshArms() {
    refreshing_ = true;
    while (arms_->count() > experiment_.armCount())
        delete arms_->takeItem(arms_->count() - 1);
    while (arms_->count() < experiment_.armCount())
        arms_->addItem(QString());
    for (int arm = 0; arm < experiment_.armCount(); ++arm)
        arms_->item(arm)->setText(experiment_.armName(arm));
    arm_ = std::clamp(arm_, 0, experiment_.armCount() - 1);
    arms_->setCurrentRow(arm_);
    const QString contrast = experiment_.valueAt("/evaluation/primary/contrast");
    endpoint_->clear();
    for (int arm = 1; arm < experiment_.armCount(); ++arm)
        endpoint_->addItem(experiment_.armName(arm));
    const QString variant = contrast.section(" - ", 0, 0);
    endpoint_->setCurrentIndex(endpoint_->findText(variant));
    endpoint_->setPlaceholderText(tr("none declared"));
    refreshing_ = false;
    // As high as its rows; a long list scrolls and leaves the rest of the panel in sight.
    arms_->setFixedHeight(std::min(experiment_.armCount(), 6) * scaled(46) + scaled(2));
    arms_->viewport()->update();
}

void EditorPage::refresh() {
    refreshArms();
    const QLocale locale;
    if (!name_->hasFocus() || name_->text().isEmpty()) name_->setText(experiment_.name());
    presetLabel_->setVisible(!editing_);
    preset_->setVisible(!editing_);
    if (!folderChosen_ && !parentFolder_.isEmpty()) folder_->setText(freeFolder(experiment_.name()));
    folder_->setReadOnly(editing_);
    folder_->setToolTip(folder_->text());

    const QList<std::int64_t> seeds = experiment_.seeds();
    QStringList texts;
    for (const std::int64_t seed : seeds)
        texts << QString::number(seed);
    if (!seeds_->hasFocus()) seeds_->setText(texts.join(", "));
    const int variants = std::max(1, experiment_.armCount() - 1);
    const int needed = pairsNeeded(variants);
    const int pairs = static_cast<int>(seeds.size());
    const double smallest = std::min(1.0, 2.0 / std::ldexp(1.0, pairs));
    seedNote_->setText(pairs >= needed ? tr("%n pair(s) can reach p = %1; enough for a claim.", nullptr, pairs)
                                             .arg(locale.toString(smallest, 'g', 2))
                                       : tr("%n pair(s) can reach p = %1 at best; a claim needs %2.", nullptr, pairs)
                                             .arg(locale.toString(smallest, 'g', 2))
                                             .arg(needed));
    moreSeeds_->setText(tr("Use %n seeds", nullptr, needed));
    moreSeeds_->setVisible(pairs < needed);
    const QString contrast = experiment_.valueAt("/evaluation/primary/contrast");
    contrast_->setText(contrast.isEmpty() ? tr("No endpoint is declared: no result can carry a claim.")
                                          : tr("%1 at %2, %3: %4")
                                                .arg(experiment_.valueAt("/evaluation/primary/metric"),
                                                     experiment_.valueAt("/evaluation/primary/length"),
                                                     experiment_.valueAt("/evaluation/primary/mode"), contrast));

    const int errors = experiment_.errorCount();
    const int runs = static_cast<int>(experiment_.runCount());
    state_->setInk(errors > 0 ? QuietLabel::Ink::kErr : QuietLabel::Ink::kOk);
    state_->setText(errors > 0 ? tr("%n problem(s)", nullptr, errors) : tr("No problems"));
    summary_->setText(tr("%n run(s)", nullptr, runs) + ", " +
                      tr("%n variant(s) against the baseline", nullptr, experiment_.armCount() - 1));
    queue_->setText(tr("Queue %n run(s)", nullptr, runs));
    next_->setEnabled(errors > 0);
    queue_->setEnabled(errors == 0);
    queue_->setToolTip(errors == 0 ? QString() : tr("Mend the problems first; saving works as it is."));
    if (middle_->currentWidget() == json_ && !json_->hasFocus()) json_->setPlainText(experiment_.json());
}

}  // namespace sextant
