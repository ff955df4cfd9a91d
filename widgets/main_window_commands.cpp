#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>
#include <QtConcurrent>

#include "core/base/build_info.h"
#include "widgets/commands.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/step_bar.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/dialogs/export_dialog.h"
#include "widgets/dialogs/preferences_dialog.h"
#include "widgets/dialogs/shortcuts_dialog.h"
#include "widgets/docks/queue_strip.h"
#include "widgets/docks/runs_dock.h"
#include "widgets/export/figure_export.h"
#include "widgets/main_window.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/pages/editor_page.h"
#include "widgets/pages/page.h"
#include "widgets/pages/start_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/sample_project.h"

namespace sextant {

void MainWindow::connectCommands() {
    const auto on = [this](const char* id, auto&& act) {
        connect(commands_->action(id), &QAction::triggered, this, std::forward<decltype(act)>(act));
    };
    on("file.new", [this] { newExperiment(); });
    on("file.open", [this] {
        const QString folder =
            QFileDialog::getExistingDirectory(this, tr("Open a project"), session_.preferences().projectFolder());
        if (!folder.isEmpty()) openProject(folder);
    });
    on("file.import", [this] {
        const QString folder = QFileDialog::getExistingDirectory(
            this, tr("Compare with a Sextant project, or with a folder of TensorBoard event files or CSV"),
            session_.preferences().projectFolder());
        if (!folder.isEmpty()) compareWith(folder);
    });
    on("file.importfile", [this] {
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Compare with a log file"), session_.preferences().projectFolder(),
                                         tr("Logs (*.csv *.tsv *tfevents*);;All files (*)"));
        if (!file.isEmpty()) compareWith(file);
    });
    on("file.sample", [this] { openSample(); });
    on("file.edit", [this] { editExperiment(); });
    on("file.save",
       [this] { saveExperiment(front_->currentWidget() == editor_ ? editor_->projectFolder() : session_.project()); });
    on("file.saveas", [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the project"),
                                                                 session_.preferences().projectFolder());
        if (!folder.isEmpty()) saveExperiment(folder);
    });
    on("file.rescan", [this] { session_.follower().rescan(); });
    on("file.close", [this] {
        session_.close();
        showStart();
    });
    on("file.quit", [this] { close(); });

    on("edit.undo", [this] {
        QUndoStack* stack =
            front_->currentWidget() == editor_ ? session_.experiment().undoStack() : session_.notes().undoStack();
        stack->undo();
    });
    on("edit.redo", [this] {
        QUndoStack* stack =
            front_->currentWidget() == editor_ ? session_.experiment().undoStack() : session_.notes().undoStack();
        stack->redo();
    });
    on("edit.copy", [this] {
        Page* page = workspace_->current();
        if (page == nullptr) return;
        if (auto* plot = dynamic_cast<CurvePlot*>(page->figure({}))) {
            const FigureOptions options = figureOptions();
            QApplication::clipboard()->setMimeData(figureMimeData(*plot, options, curvesCsv(*plot, options, '\t')));
            queue_->note(tr("copied as picture and table"));
        } else {
            copyText(page->tableText());
        }
    });
    on("edit.filter", [this] { runs_->focusFilter(); });
    on("edit.palette", [this] { palette_->open(); });
    on("edit.preferences", [this] {
        PreferencesDialog dialog(session_.preferences(), this);
        dialog.exec();
    });

    on("run.start", [this] { session_.startTraining(); });
    on("run.pause", [this] {
        // The toolbar steers everything that is live; a chosen live run alone when there is one.
        const RunSnapshot* run = session_.selectedRun();
        const QStringList folders = run != nullptr && run->live() ? QStringList{run->folder()} : QStringList();
        if (session_.pauseOrResume(folders) == 0) queue_->note(tr("no run is training"));
    });
    on("run.checkpoint", [this] {
        const int told = session_.control(ControlCommand::kCheckpoint);
        queue_->note(tr("%n run(s) asked for a checkpoint", nullptr, told));
    });
    on("run.stop", [this] { confirmStop(); });
    on("run.duplicate", [this] {
        ExperimentModel& experiment = session_.experiment();
        int arm = 0;
        for (int i = 0; i < experiment.armCount(); ++i) {
            if (experiment.armName(i) == session_.selection().arm()) arm = i;
        }
        editExperiment();
        experiment.duplicateArm(arm);
    });
    on("run.baseline", [this] { session_.selection().setBaseline(session_.selection().arm()); });
    on("run.visible", [this] { runs_->toggleVisible(); });
    on("run.keep", [this] {
        for (const QString& folder : runs_->chosenFolders())
            session_.notes().setKeep(folder, !session_.notes().keep(folder));
    });
    const auto move = [this](bool sooner) {
        QStringList order = runs_->model()->waiting();
        QStringList chosen;
        for (const QString& folder : runs_->chosenFolders())
            if (order.contains(folder)) chosen << folder;
        if (chosen.isEmpty()) {
            queue_->note(tr("only waiting runs have a place in the queue"));
            return;
        }
        // The chosen ones keep their order among themselves and stop at the end together.
        const auto count = order.size();
        for (qsizetype i = 0; i < count; ++i) {
            const qsizetype at = sooner ? i : count - 1 - i;
            const qsizetype to = sooner ? at - 1 : at + 1;
            if (to < 0 || to >= count || !chosen.contains(order[at]) || chosen.contains(order[to])) continue;
            order.swapItemsAt(at, to);
        }
        session_.notes().setQueue(order);
    };
    on("run.sooner", [move] { move(true); });
    on("run.later", [move] { move(false); });
    on("run.trash", [this] { trashRuns(); });

    for (const QString& name : Workspace::pageNames())
        on(("view." + name).toLatin1().constData(), [this, name] { showPage(name); });
    on("view.start", [this] { showStart(); });
    on("view.train", [this] { showPage("curves"); });
    on("view.inspect", [this] { showPage("position"); });
    on("view.comparing", [this] { showPage("compare"); });
    on("view.paper", [this] { showPage("report"); });
    on("view.live", [this] { session_.selection().setFollowLive(!session_.selection().followLive()); });
    on("view.previous", [this] { steps_->previous(); });
    on("view.next", [this] { steps_->next(); });
    Selection& selection = session_.selection();
    on("attention.layerdown", [&selection] { selection.setLayer(selection.layer() - 1); });
    on("attention.layerup", [&selection] { selection.setLayer(selection.layer() + 1); });
    on("attention.headdown", [&selection] { selection.setHead(selection.head() - 1); });
    on("attention.headup", [&selection] { selection.setHead(selection.head() + 1); });
    on("position.encoding", [this] { showPage("position"); });
    on("compare.seed", [this] {
        QList<std::int64_t> seeds = session_.experiment().seeds();
        std::int64_t next = 0;
        while (seeds.contains(next))
            ++next;
        seeds << next;
        editExperiment();
        session_.experiment().setSeeds(seeds);
    });
    // Commands that only the page in front can answer.
    on("position.tables", [this] { copyText(workspace_->page("position")->tableText()); });
    on("export.figure", [this] { saveFigure(); });
    on("export.data", [this] { saveData(); });
    on("export.report", [this] {
        showPage("report");
        workspace_->page("report")->runCommand("export.report");
    });
    for (const char* id : {"view.logy", "view.smoothing", "view.fit", "view.longer", "view.shorter", "view.outliers",
                           "view.pin", "attention.cycle", "attention.range", "compare.table"})
        on(id, [this, id] {
            Page* page = workspace_->current();
            if (page == nullptr || !page->runCommand(QString::fromLatin1(id)))
                queue_->note(tr("this page has no such view"));
        });

    QAction* runs = commands_->action("window.runs");
    QAction* inspector = commands_->action("window.inspector");
    runs->setChecked(true);
    inspector->setChecked(true);
    on("window.runs", [this](bool on) { runsDock_->setVisible(on && front_->currentWidget() == workspace_); });
    on("window.inspector",
       [this](bool on) { inspectorDock_->setVisible(on && front_->currentWidget() == workspace_); });
    on("window.reset", [this] {
        for (QByteArray& layout : layouts_)
            layout.clear();
        restoreLayout(defaultLayout_);
        commands_->action("window.runs")->setChecked(true);
        commands_->action("window.inspector")->setChecked(true);
        showFront(front_->currentWidget());
    });
    on("window.pane", [this] {
        QList<QWidget*> panes = {runs_->tree(), workspace_->current(), inspectors_->currentWidget(), steps_};
        QWidget* now = QApplication::focusWidget();
        qsizetype at = -1;
        for (qsizetype i = 0; i < panes.size(); ++i) {
            if (now != nullptr && (panes[i] == now || panes[i]->isAncestorOf(now))) at = i;
        }
        QWidget* next = panes[(at + 1) % panes.size()];
        next->setFocus(Qt::TabFocusReason);
        if (!next->hasFocus() && next->nextInFocusChain() != nullptr)
            next->nextInFocusChain()->setFocus(Qt::TabFocusReason);
    });
    on("window.full", [this](bool full) { full ? showFullScreen() : showNormal(); });

    on("help.shortcuts", [this] {
        ShortcutsDialog dialog(this);
        dialog.exec();
    });
    on("help.guide", [this] {
        QMessageBox box(
            QMessageBox::NoIcon, tr("Reading guide"),
            tr("Left are runs, in the middle their views, right the properties of what is chosen, below the "
               "step that all views share. A number is never shown without its unit and n; a band always "
               "says its type. Hatched cells were not computed. One seed never names a winner."),
            QMessageBox::Close, this);
        box.exec();
    });
    on("help.about", [this] {
        const BuildInfo& info = build_info();
        QMessageBox box(
            QMessageBox::NoIcon, tr("About Sextant"),
            tr("Sextant %1, commit %2, Qt %3.\nA desktop laboratory for position encodings.\nGPL-3.0-or-later.")
                .arg(QString::fromStdString(info.version), QString::fromStdString(info.commit),
                     QString::fromLatin1(qVersion())),
            QMessageBox::Close, this);
        box.exec();
    });
}

void MainWindow::confirmStop() {
    QMessageBox question(QMessageBox::NoIcon, tr("Stop"),
                         tr("Training writes a checkpoint and stops. Start continues from there."),
                         QMessageBox::NoButton, this);
    QPushButton* stop = question.addButton(tr("Stop training"), QMessageBox::AcceptRole);
    stop->setObjectName("confirmStop");
    question.addButton(tr("Go on"), QMessageBox::RejectRole);
    question.exec();
    if (question.clickedButton() != stop) return;
    const RunSnapshot* run = session_.selectedRun();
    const ProjectSnapshotPtr now = session_.snapshot();
    int live = 0;
    if (now) {
        for (const RunSnapshot& each : now->runs)
            live += each.live() ? 1 : 0;
    }
    // One chosen run among several: only that one; else everything.
    if (run != nullptr && run->live() && live > 1)
        session_.control(ControlCommand::kStop, {run->folder()});
    else
        session_.stopAll();
    queue_->note(tr("asked to stop"));
}

void MainWindow::trashRuns() {
    const QStringList folders = runs_->chosenFolders();
    const ProjectSnapshotPtr now = session_.snapshot();
    QStringList idle;
    bool foreign = false;
    for (const QString& folder : folders) {
        const RunSnapshot* run = now ? now->find(folder) : nullptr;
        if (run == nullptr) continue;
        if (run->external || run->imported)
            foreign = true;
        else if (!run->live())
            idle << folder;
    }
    if (idle.isEmpty()) {
        queue_->note(folders.isEmpty() ? tr("no run is chosen")
                     : foreign         ? tr("runs of other folders are only shown here; they stay where they are")
                                       : tr("a training run cannot go to the trash"));
        return;
    }
    const QStringList kept = session_.notes().moveToTrash(idle);
    queue_->note(kept.isEmpty() ? tr("%n run(s) moved to the trash; Ctrl+Z brings them back", nullptr,
                                     static_cast<int>(idle.size()))
                                : tr("%n run(s) are marked “keep” and stayed", nullptr, static_cast<int>(kept.size())));
}

FigureOptions MainWindow::figureOptions() const {
    FigureOptions options;
    options.title = session_.isOpen() ? QFileInfo(session_.project()).fileName() : QString();
    options.provenance = {{"commit", QString::fromStdString(build_info().commit)},
                          {"version", QString::fromStdString(build_info().version)}};
    if (const RunSnapshot* run = session_.selectedRun()) {
        options.provenance.emplace_back("plan", QString::fromStdString(run->plan->plan_sha256));
        options.provenance.emplace_back("corpus", QString::fromStdString(run->plan->identity.corpus_sha256));
    }
    return options;
}

void MainWindow::saveFigure() {
    Page* page = workspace_->current();
    FigureSource* source = page != nullptr ? page->figure({}) : nullptr;
    if (source == nullptr) {
        queue_->note(tr("this page has no figure"));
        return;
    }
    // As the page shows it; the widgets stay the page's.
    ReportFigure shown;
    shown.title = workspace_->currentName();
    shown.source = std::shared_ptr<const FigureSource>(std::shared_ptr<void>(), source);
    if (auto* plot = dynamic_cast<CurvePlot*>(source)) {
        shown.plots = {plot};
    } else if (auto* matrix = dynamic_cast<HeatmapView*>(source)) {
        shown.matrices = {{workspace_->currentName(), matrix->shown()}};
        shown.ratio = 0.55;
    } else if (auto* grid = dynamic_cast<HeatmapGrid*>(source)) {
        for (const GridCell& cell : grid->cells())
            shown.matrices.emplace_back(cell.title, cell.matrix);
        shown.ratio = 0.55;
    }
    ExportDialog dialog(shown, figureOptions(), session_.project() + "/exports", workspace_->currentName(), this);
    QtConcurrent::run([path = session_.project().toStdString()]() -> std::shared_ptr<const ReportModel> {
        auto report = read_report(Project{path});
        return report.ok() ? std::make_shared<const ReportModel>(std::move(report).value()) : nullptr;
    }).then(&dialog, [&dialog](const std::shared_ptr<const ReportModel>& report) {
        if (report) dialog.offer(*report);
    });
    if (dialog.exec() != QDialog::Accepted) return;
    queue_->note(dialog.written().isEmpty() ? tr("nothing was written; the files exist")
                                            : tr("saved %1").arg(QFileInfo(dialog.written().constFirst()).fileName()));
}

void MainWindow::saveData() {
    auto* plot = dynamic_cast<CurvePlot*>(workspace_->current()->figure({}));
    if (plot == nullptr) plot = dynamic_cast<CurvePlot*>(workspace_->page("curves")->figure({}));
    const QString folder = session_.project() + "/exports";
    QDir().mkpath(folder);
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save all points"), folder + "/" + workspace_->currentName() + ".csv", tr("CSV (*.csv)"));
    if (file.isEmpty() || plot == nullptr) return;
    const auto written = writeExport(curvesCsv(*plot, figureOptions()), file, OnExisting::kReplace);
    if (written.ok())
        queue_->note(tr("saved %1").arg(QFileInfo(*written).fileName()));
    else
        showMessage(tr("The data were not saved."), QString::fromStdString(written.error().sentence()), true);
}

void MainWindow::openSample() {
    const auto copy = copySampleProject();
    if (!copy.ok()) {
        const QString sentence = QString::fromStdString(copy.error().sentence());
        start_->showMessage(tr("The sample cannot be opened."), sentence);
        return;
    }
    openProject(*copy);
}

}  // namespace sextant
