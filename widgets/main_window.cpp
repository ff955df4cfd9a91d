#include "widgets/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QThread>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include "widgets/commands.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/step_bar.h"
#include "widgets/dialogs/closing_dialog.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/docks/queue_strip.h"
#include "widgets/docks/run_inspector.h"
#include "widgets/docks/runs_dock.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/pages/curves_page.h"
#include "widgets/pages/editor_page.h"
#include "widgets/pages/page.h"
#include "widgets/pages/start_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/sample_project.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme_controller.h"

namespace sextant {

namespace {
constexpr int kLayoutVersion = 2;  // a saved state of another version is left alone
constexpr int kViewVersion = 1;
constexpr const char* kWorkspaces[] = {"train", "inspect", "compare", "paper"};
}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent), session_(session), commands_(new Commands(this)) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setMinimumSize(scaled(1024), scaled(640));
    resize(scaled(1600), scaled(1000));
    setWindowIcon(applicationIcon());
    commands_->fillMenuBar(menuBar());
    auto* find = new QToolButton;
    find->setText(tr("Find a command  Ctrl+K"));
    find->setAutoRaise(true);
    find->setAccessibleName(tr("Find a command"));
    connect(find, &QToolButton::clicked, commands_->action("edit.palette"), &QAction::trigger);
    menuBar()->setCornerWidget(find);

    start_ = new StartPage(session_.preferences());
    editor_ = new EditorPage(session_.experiment());
    workspace_ = new Workspace(session_);
    front_ = new QStackedWidget;
    front_->addWidget(start_);
    front_->addWidget(editor_);
    front_->addWidget(workspace_);
    setCentralWidget(front_);
    makeToolBar();
    makeDocks();
    queue_ = new QueueStrip(session_);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(queue_, 1);
    palette_ = new CommandPalette(*commands_, this);

    connectCommands();
    connectSession();
    defaultLayout_ = saveState(kLayoutVersion);
    restoreGeometry(session_.preferences().geometry());
    for (std::size_t i = 0; i < layouts_.size(); ++i)
        layouts_[i] = session_.preferences().layout(kWorkspaces[i], kLayoutVersion);
    restoreLayout(layouts_[0]);
    if (auto* curves = dynamic_cast<CurvesPage*>(workspace_->page("curves")))
        curves->setViewState(session_.preferences().view("curves", kViewVersion));
    session_.history().settle();
    showStart();
    refreshCommands();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeToolBar() {
    tools_ = new QToolBar(tr("Tools"));
    tools_->setObjectName("tools");
    tools_->setMovable(false);
    tools_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools_->setIconSize(QSize(scaled(16), scaled(16)));
    tools_->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* edit = new QToolButton;
    edit->setIcon(lineIcon("edit"));
    edit->setText(tr("Experiment"));
    edit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    edit->setAutoRaise(true);
    edit->setToolTip(tr("Edit baseline, variants and seeds"));
    connect(edit, &QToolButton::clicked, commands_->action("file.edit"), &QAction::trigger);
    tools_->addWidget(edit);
    const auto add = [this](const char* id, const QString& text) {
        tools_->addAction(commands_->action(id));
        auto* button = qobject_cast<QToolButton*>(tools_->widgetForAction(commands_->action(id)));
        commands_->action(id)->setIconText(text);
        button->setObjectName(QStringLiteral("tool.") + id);
    };
    add("run.duplicate", tr("Duplicate"));
    tools_->addSeparator();
    add("run.start", tr("Start"));
    add("run.pause", tr("Pause"));
    add("run.stop", tr("Stop"));
    tools_->addSeparator();
    modes_ = new Segments({tr("Train"), tr("Inspect"), tr("Compare"), tr("Paper")});
    modes_->setAccessibleName(tr("Workspace"));
    connect(modes_, &Segments::currentChanged, this, [this](int index) {
        static const char* const pages[] = {"curves", "position", "compare", "report"};
        workspace_->showPage(QString::fromLatin1(pages[index]));
    });
    tools_->addWidget(modes_);
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools_->addWidget(stretch);
    machine_ = new QuietLabel({}, TextRole::kNote);
    machine_->setContentsMargins(0, 0, scaled(8), 0);
    tools_->addWidget(machine_);
    addToolBar(Qt::TopToolBarArea, tools_);

    stepTools_ = new QToolBar(tr("Step"));
    stepTools_->setObjectName("step");
    stepTools_->setMovable(false);
    stepTools_->setContextMenuPolicy(Qt::PreventContextMenu);
    steps_ = new StepBar;
    stepTools_->layout()->setContentsMargins(0, 0, 0, 0);
    steps_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    stepTools_->addWidget(steps_);
    addToolBar(Qt::BottomToolBarArea, stepTools_);
}

void MainWindow::makeDocks() {
    runs_ = new RunsDock(session_, *commands_);
    runsDock_ = new QDockWidget(tr("Runs"), this);
    runsDock_->setObjectName("runsDock");
    runsDock_->setTitleBarWidget(new QWidget);
    runsDock_->setWidget(runs_);
    runs_->setMinimumWidth(scaled(270));
    addDockWidget(Qt::LeftDockWidgetArea, runsDock_);

    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    inspectorTitle_ = new DockTitle(tr("Inspector"));
    column->addWidget(inspectorTitle_);
    inspectors_ = new QStackedWidget;
    column->addWidget(inspectors_, 1);
    const auto scrolled = [](QWidget* widget) {
        auto* scroll = new QScrollArea;
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidgetResizable(true);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFocusPolicy(Qt::NoFocus);
        // The ground of the sections goes on below the last of them.
        widget->setAutoFillBackground(true);
        widget->setBackgroundRole(QPalette::AlternateBase);
        scroll->setWidget(widget);
        return scroll;
    };
    inspector_ = new RunInspector(session_, *commands_);
    inspectors_->addWidget(scrolled(inspector_));
    for (const QString& name : Workspace::pageNames()) {
        Page* page = workspace_->page(name);
        if (QWidget* own = page->inspector()) {
            QScrollArea* scroll = scrolled(own);
            scroll->setObjectName("inspector." + name);
            inspectors_->addWidget(scroll);
        }
        connect(page, &Page::inspectorChanged, this, &MainWindow::refreshInspector);
    }
    inspectorDock_ = new QDockWidget(tr("Inspector"), this);
    inspectorDock_->setObjectName("inspectorDock");
    inspectorDock_->setTitleBarWidget(new QWidget);
    inspectorDock_->setWidget(box);
    box->setMinimumWidth(scaled(268));
    addDockWidget(Qt::RightDockWidgetArea, inspectorDock_);
    resizeDocks({runsDock_, inspectorDock_}, {scaled(284), scaled(268)}, Qt::Horizontal);
}

void MainWindow::connectSession() {
    connect(&session_, &Session::projectChanged, this, [this] {
        refreshTitle();
        refreshCommands();
    });
    connect(&session_, &Session::snapshotChanged, this, [this] {
        refreshSteps();
        refreshCommands();
    });
    connect(&session_, &Session::trainingChanged, this, &MainWindow::refreshCommands);
    connect(&session_, &Session::message, this,
            [this](MessageKind kind, const QString& fact, const QString& consequence) {
                showMessage(fact, consequence, kind == MessageKind::kError);
            });
    connect(&session_.selection(), &Selection::runChanged, this, [this] {
        refreshSteps();
        refreshCommands();
    });
    connect(&session_.selection(), &Selection::stepChanged, this, &MainWindow::refreshSteps);
    connect(steps_, &StepBar::stepChanged, this, [this](qint64 step) {
        if (!movingStep_) session_.selection().setStep(step);
    });
    connect(steps_, &StepBar::followLiveChanged, this,
            [this](bool follow) { session_.selection().setFollowLive(follow); });
    connect(workspace_, &Workspace::pageChanged, this, [this](const QString& name) {
        changeWorkspace(name == "curves" ? 0 : name == "compare" ? 2 : name == "report" ? 3 : 1);
        refreshInspector();
    });
    connect(inspector_, &RunInspector::subjectChanged, this, &MainWindow::refreshInspector);
    connect(start_, &StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(start_, &StartPage::firstRunRequested, this, &MainWindow::trainFirst);
    connect(start_, &StartPage::newRequested, this, [this] { newExperiment(); });
    connect(start_, &StartPage::openRequested, commands_->action("file.open"), &QAction::trigger);
    connect(start_, &StartPage::importRequested, commands_->action("file.import"), &QAction::trigger);
    connect(start_, &StartPage::projectRequested, this, &MainWindow::openProject);
    connect(editor_, &EditorPage::backRequested, this, [this] {
        if (session_.isOpen())
            showFront(workspace_);
        else
            showStart();
    });
    connect(editor_, &EditorPage::saveRequested, this, &MainWindow::saveExperiment);
    connect(editor_, &EditorPage::queueRequested, this, &MainWindow::queueExperiment);
    connect(&session_.preferences(), &Preferences::changed, this, &MainWindow::applyPreferences);
    if (ThemeController* controller = ThemeController::current())
        connect(controller, &ThemeController::themeChanged, this, [this] { commands_->refreshIcons(); });
    // Single letters only where a chart, a matrix or the run list has the focus.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        bool view = false;
        for (QWidget* widget = now; widget != nullptr && !view; widget = widget->parentWidget())
            view = widget == runs_->tree() || widget->property("viewKeys").toBool();
        commands_->setViewKeys(view && session_.preferences().singleKeys());
    });
}

// A workspace is the docks as the user left them there; the docks themselves are the same objects.
void MainWindow::changeWorkspace(int next) {
    modes_->setCurrentIndex(next);
    if (next == workspaceIndex_) return;
    if (front_->currentWidget() == workspace_)
        layouts_[static_cast<std::size_t>(workspaceIndex_)] = saveState(kLayoutVersion);
    workspaceIndex_ = next;
    restoreLayout(layouts_[static_cast<std::size_t>(next)]);
}

void MainWindow::restoreLayout(const QByteArray& layout) {
    if (layout.isEmpty() || !restoreState(layout, kLayoutVersion)) return;
    commands_->action("window.runs")->setChecked(!runsDock_->isHidden());
    commands_->action("window.inspector")->setChecked(!inspectorDock_->isHidden());
}

void MainWindow::applyPreferences() {
    ThemeController* controller = ThemeController::current();
    if (controller == nullptr) return;
    controller->setChoice(session_.preferences().theme());
    controller->setFontFamily(session_.preferences().systemFont() ? QApplication::font().defaultFamily() : QString());
}

void MainWindow::showFront(QWidget* widget) {
    const bool inside = widget == workspace_;
    // Bars and docks change the room of the page in the middle: the heavy one is laid out once, when they stand.
    if (!inside) front_->setCurrentWidget(widget);
    tools_->setVisible(inside);
    stepTools_->setVisible(inside);
    queue_->setVisible(inside);
    statusBar()->setVisible(inside);
    runsDock_->setVisible(inside && commands_->action("window.runs")->isChecked());
    inspectorDock_->setVisible(inside && commands_->action("window.inspector")->isChecked());
    if (inside) {
        front_->setCurrentWidget(widget);
        refreshInspector();
    }
    refreshCommands();
}

bool MainWindow::openProject(const QString& path) {
    const Status opened = session_.open(path);
    if (!opened.ok()) {
        const QString sentence = QString::fromStdString(opened.error().sentence());
        if (session_.isOpen()) {
            showFront(workspace_);
            showMessage(tr("The project cannot be opened."), sentence, true);
        } else {
            showStart();
            start_->showMessage(tr("The project cannot be opened."), sentence);
        }
        return false;
    }
    // The sample's copy is temporary: nothing to come back to.
    if (!isSampleCopy(session_.project())) session_.preferences().addRecent(session_.project());
    workspace_->bar()->hide();
    showFront(workspace_);
    return true;
}

bool MainWindow::compareWith(const QString& path) {
    if (!session_.isOpen()) return openProject(path);
    const Status added = session_.compareWith(path);
    if (front_->currentWidget() != workspace_) showFront(workspace_);
    if (!added.ok()) {
        showMessage(tr("This folder cannot be compared."), QString::fromStdString(added.error().sentence()), true);
        return false;
    }
    workspace_->showPage("curves");
    queue_->note(tr("comparing with %1; Ctrl+Z takes it away").arg(QFileInfo(path).fileName()));
    return true;
}

void MainWindow::showStart() {
    if (start_->isVisible()) start_->refreshRecent();  // else its showing does
    showFront(start_);
    refreshTitle();
}

void MainWindow::newExperiment(const QString& preset) {
    editor_->beginNew(preset, session_.preferences().projectFolder());
    showFront(editor_);
}

void MainWindow::editExperiment() {
    if (!session_.isOpen()) {
        newExperiment();
        return;
    }
    editor_->beginEdit(session_.project());
    showFront(editor_);
}

bool MainWindow::showPage(const QString& name) {
    if (name == "start") {
        showStart();
        return true;
    }
    if (name == "editor") {
        editExperiment();
        return true;
    }
    if (!workspace_->showPage(name)) return false;
    showFront(workspace_);
    return true;
}

void MainWindow::saveExperiment(const QString& project) {
    const Status saved = session_.create(project, session_.experiment());
    if (!saved.ok()) {
        editor_->showMessage(tr("The experiment was not saved."), QString::fromStdString(saved.error().sentence()));
        return;
    }
    session_.preferences().addRecent(session_.project());
    editor_->beginEdit(session_.project());
    queue_->note(tr("experiment saved"));
}

void MainWindow::queueExperiment(const QString& project) {
    const Status saved = session_.create(project, session_.experiment());
    if (!saved.ok()) {
        editor_->showMessage(tr("The experiment was not saved."), QString::fromStdString(saved.error().sentence()));
        return;
    }
    session_.preferences().addRecent(session_.project());
    workspace_->showPage("curves");
    showFront(workspace_);
    session_.startTraining();
}

void MainWindow::trainFirst() {
    newExperiment("quick");
    queueExperiment(editor_->projectFolder());
}

void MainWindow::refreshTitle() {
    const ProjectSnapshotPtr now = session_.snapshot();
    const QString name = !session_.isOpen() ? QString() : QFileInfo(session_.project()).fileName();
    setWindowTitle(name.isEmpty() ? tr("Sextant") : tr("%1 – Sextant").arg(name));
    machine_->setText(name.isEmpty() ? QString()
                                     : name + "   " + tr("CPU, %n thread(s)", nullptr, QThread::idealThreadCount()));
}

void MainWindow::refreshSteps() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    qint64 total = 0, recorded = 0;
    std::vector<qint64> snapshots;
    double tokens = 0;
    qint64 every = 0;
    const QStringList folders = session_.selectedFolders();
    for (const RunSnapshot& run : now->runs) {
        if (!folders.isEmpty() && !folders.contains(run.folder())) continue;
        if (run.external && folders.isEmpty()) continue;
        total = std::max<qint64>(total, run.totalSteps());
        recorded = std::max<qint64>(recorded, run.state->step);
        tokens = static_cast<double>(run.plan->training.batch_size * run.plan->model.context_length);
        every = run.plan->training.snapshot_every;
        if (snapshots.empty()) {
            for (const auto& [step, file] : run.state->snapshots)
                snapshots.push_back(step);
        }
    }
    movingStep_ = true;
    steps_->setSteps(total, recorded, std::move(snapshots));
    steps_->setTokensPerStep(tokens);
    steps_->setNote(every > 0 ? tr("snapshot every %1").arg(every) : QString());
    steps_->setFollowLive(session_.selection().followLive());
    steps_->setStep(
        std::min<qint64>(session_.selection().followLive() ? recorded : session_.selection().step(), recorded));
    movingStep_ = false;
}

void MainWindow::refreshInspector() {
    QWidget* own = inspectors_->findChild<QScrollArea*>("inspector." + workspace_->currentName());
    inspectors_->setCurrentWidget(own != nullptr ? own : inspectors_->widget(0));
    const Page* page = workspace_->current();
    inspectorTitle_->setNote(own != nullptr && page != nullptr ? page->inspectorNote() : inspector_->subject());
}

void MainWindow::refreshCommands() {
    const bool open = session_.isOpen();
    const bool inside = front_->currentWidget() == workspace_;
    const ProjectSnapshotPtr now = session_.snapshot();
    const bool live = now && now->anyLive();
    const bool ours = session_.worker().project() == session_.project() &&
                      (session_.worker().running() || session_.worker().starting());
    bool unfinished = !now || now->runs.empty();
    bool allPaused = live;
    if (now) {
        for (const RunSnapshot& run : now->runs) {
            if (run.external || run.imported) continue;
            unfinished = unfinished || (!run.finished() && !run.live());
            if (run.live() && run.status() != RunStatus::kPaused) allPaused = false;
        }
    }
    const bool own = open && !session_.imported();
    commands_->action("run.start")->setEnabled(own && !ours && unfinished);
    commands_->action("file.edit")->setEnabled(!session_.imported());
    commands_->action("run.pause")->setEnabled(open && live);
    commands_->action("run.checkpoint")->setEnabled(open && live);
    commands_->action("run.stop")->setEnabled(open && (live || ours));
    commands_->action("run.duplicate")->setEnabled(own);
    for (const char* id : {"run.baseline", "run.visible", "run.keep", "run.trash", "file.close", "file.rescan",
                           "export.data", "export.figure", "export.report"})
        commands_->action(id)->setEnabled(open);
    for (const QString& name : Workspace::pageNames())
        commands_->action(("view." + name).toLatin1().constData())->setEnabled(open);
    commands_->action("file.save")->setEnabled(open || front_->currentWidget() == editor_);
    commands_->action("file.saveas")->setEnabled(front_->currentWidget() == editor_);
    for (const char* id : {"view.train", "view.inspect", "view.comparing", "view.paper", "edit.copy", "edit.filter"})
        commands_->action(id)->setEnabled(inside);
    if (auto* button = tools_->findChild<QToolButton*>("tool.run.pause")) {
        commands_->action("run.pause")->setIconText(allPaused ? tr("Resume") : tr("Pause"));
        button->setIcon(lineIcon(allPaused ? "play" : "pause"));
    }
}

void MainWindow::showMessage(const QString& fact, const QString& consequence, bool error) {
    if (front_->currentWidget() == editor_)
        editor_->showMessage(fact, consequence);
    else
        workspace_->bar()->show(error ? BarKind::kError : BarKind::kWarning, fact, consequence);
    queue_->note(fact);
}

void MainWindow::copyText(const QString& text) {
    if (text.isEmpty()) {
        queue_->note(tr("nothing to copy on this page"));
        return;
    }
    QApplication::clipboard()->setText(text);
    queue_->note(tr("copied"));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (session_.isOpen() && session_.training()) {
        ClosingDialog question(QFileInfo(session_.project()).fileName(), this);
        question.exec();
        if (question.answer() == ClosingAnswer::kCancel) {
            event->ignore();
            return;
        }
        if (question.answer() == ClosingAnswer::kStop) session_.stopAll();
    }
    if (front_->currentWidget() == workspace_)
        layouts_[static_cast<std::size_t>(workspaceIndex_)] = saveState(kLayoutVersion);
    session_.preferences().setGeometry(saveGeometry());
    for (std::size_t i = 0; i < layouts_.size(); ++i)
        session_.preferences().setLayout(kWorkspaces[i], layouts_[i], kLayoutVersion);
    if (auto* curves = dynamic_cast<CurvesPage*>(workspace_->page("curves"))) {
        // Zoom and pins belong to the data that was open, not to the way of looking.
        QVariantMap view = curves->viewState();
        for (const char* key : {"pins", "main_view", "upper_view", "lower_view"})
            view.remove(QString::fromLatin1(key));
        session_.preferences().setView("curves", view, kViewVersion);
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        event->acceptProposedAction();
        // Logs of other programs join what is open; a project takes its place.
        const QString path = url.toLocalFile();
        const QDir folder(path);
        const bool project = folder.exists("experiment.json") || folder.exists("plan.json") || folder.exists("runs") ||
                             QFileInfo(path).fileName() == "experiment.json";
        if (session_.isOpen() && !project)
            compareWith(path);
        else
            openProject(path);
        return;
    }
}

}  // namespace sextant
