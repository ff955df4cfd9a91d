#include "widgets/commands.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include "widgets/theme/icons.h"

namespace sextant {

namespace {

constexpr const char* kContext = "sextant::Commands";
constexpr CommandScope kW = CommandScope::kWindow;
constexpr CommandScope kV = CommandScope::kView;

#define T(text) QT_TRANSLATE_NOOP("sextant::Commands", text)

// Menus in the order of the bar.
constexpr const char* kMenus[] = {T("&File"),    T("&Edit"),   T("&Run"),    T("&View"),   T("&Attention"),
                                  T("&Position"), T("&Compare"), T("E&xport"), T("&Window"), T("&Help")};

}  // namespace

const std::vector<CommandSpec>& commandTable() {
    static const std::vector<CommandSpec> table = {
        {"file.new", "&File", T("&New experiment..."), "Ctrl+N", "plus", kW, false, false},
        {"file.open", "&File", T("&Open a project..."), "Ctrl+O", "folder", kW, false, false},
        {"file.sample", "&File", T("Open the &sample project"), "", "folder", kW, false, false},
        {"file.edit", "&File", T("&Edit the experiment"), "Ctrl+Shift+X", "", kW, false, false},
        {"file.save", "&File", T("&Save"), "Ctrl+S", "", kW, true, false},
        {"file.saveas", "&File", T("Save &as..."), "Ctrl+Shift+S", "", kW, false, false},
        {"file.rescan", "&File", T("Read the folder &again"), "F5", "", kW, true, false},
        {"file.close", "&File", T("&Close the project"), "Ctrl+W", "", kW, false, false},
        {"file.quit", "&File", T("&Quit"), "Ctrl+Q", "", kW, true, false},

        {"edit.undo", "&Edit", T("&Undo"), "Ctrl+Z", "", kW, false, false},
        {"edit.redo", "&Edit", T("&Redo"), "Ctrl+Shift+Z", "", kW, false, false},
        {"edit.copy", "&Edit", T("&Copy the chart or table"), "Ctrl+Shift+C", "copy", kW, true, false},
        {"edit.filter", "&Edit", T("&Filter the runs"), "Ctrl+F", "search", kW, false, false},
        {"edit.palette", "&Edit", T("Find a &command..."), "Ctrl+K", "", kW, true, false},
        {"edit.preferences", "&Edit", T("&Preferences..."), "Ctrl+,", "", kW, false, false},

        {"run.start", "&Run", T("&Start"), "Ctrl+R", "play", kW, false, false},
        {"run.pause", "&Run", T("&Pause or resume"), "Ctrl+Space", "pause", kW, false, false},
        {"run.checkpoint", "&Run", T("Write a &checkpoint"), "", "", kW, false, false},
        {"run.stop", "&Run", T("S&top"), "Ctrl+.", "stop", kW, false, false},
        {"run.duplicate", "&Run", T("&Duplicate as a variant"), "Ctrl+D", "copy", kW, true, false},
        {"run.baseline", "&Run", T("Use as the &baseline"), "B", "star", kV, false, false},
        {"run.visible", "&Run", T("Show or &hide in the charts"), "Space", "", kV, false, false},
        {"run.keep", "&Run", T("&Keep"), "", "", kW, true, false},
        {"run.trash", "&Run", T("Move to the &trash"), "Del", "", kV, false, false},

        {"view.curves", "&View", T("&Curves"), "Ctrl+1", "", kW, false, false},
        {"view.attention", "&View", T("&Attention"), "Ctrl+2", "", kW, false, false},
        {"view.position", "&View", T("&Position"), "Ctrl+3", "", kW, false, false},
        {"view.extrapolation", "&View", T("&Extrapolation"), "Ctrl+4", "", kW, false, false},
        {"view.compare", "&View", T("C&ompare"), "Ctrl+5", "", kW, false, false},
        {"view.report", "&View", T("&Report"), "Ctrl+6", "", kW, false, false},
        {"view.start", "&View", T("&Start page"), "Ctrl+Home", "", kW, true, false},
        {"view.train", "&View", T("Workspace: &Train"), "Ctrl+Shift+1", "", kW, true, false},
        {"view.inspect", "&View", T("Workspace: &Inspect"), "Ctrl+Shift+2", "", kW, false, false},
        {"view.comparing", "&View", T("Workspace: Com&pare"), "Ctrl+Shift+3", "", kW, false, false},
        {"view.paper", "&View", T("Workspace: Pape&r"), "Ctrl+Shift+4", "", kW, false, false},
        {"view.live", "&View", T("&Follow live"), "L", "", kV, true, true},
        {"view.previous", "&View", T("Previous stored step"), ",", "", kV, false, false},
        {"view.next", "&View", T("Next stored step"), ".", "", kV, false, false},
        {"view.logy", "&View", T("&Logarithmic y"), "Y", "", kV, true, false},
        {"view.smoothing", "&View", T("&Smoothing on or off"), "S", "", kV, false, false},
        {"view.fit", "&View", T("&Zoom to everything"), "0", "", kV, false, false},

        {"attention.layerdown", "&Attention", T("Previous layer"), "[", "", kV, false, false},
        {"attention.layerup", "&Attention", T("Next layer"), "]", "", kV, false, false},
        {"attention.headdown", "&Attention", T("Previous head"), ";", "", kV, false, false},
        {"attention.headup", "&Attention", T("Next head"), "'", "", kV, false, false},
        {"attention.cycle", "&Attention", T("A, B, A minus B"), "D", "", kV, true, false},
        {"attention.range", "&Attention", T("Next range mode"), "R", "", kV, false, false},

        {"position.encoding", "&Position", T("Encoding of the selected &arm"), "", "", kW, false, false},
        {"position.tables", "&Position", T("Copy the &numbers of this view"), "", "copy", kW, false, false},

        {"compare.table", "&Compare", T("Copy the table as &LaTeX"), "", "copy", kW, false, false},
        {"compare.seed", "&Compare", T("Add a &seed"), "", "plus", kW, false, false},

        {"export.figure", "E&xport", T("&Figure..."), "Ctrl+E", "download", kW, false, false},
        {"export.data", "E&xport", T("&Data as CSV..."), "", "", kW, false, false},
        {"export.report", "E&xport", T("&Report..."), "Ctrl+Shift+E", "", kW, false, false},

        {"window.runs", "&Window", T("&Runs"), "F7", "", kW, false, true},
        {"window.inspector", "&Window", T("&Inspector"), "F9", "", kW, false, true},
        {"window.reset", "&Window", T("R&eset the layout"), "", "", kW, true, false},
        {"window.pane", "&Window", T("&Next pane"), "F6", "", kW, false, false},
        {"window.full", "&Window", T("&Full screen"), "F11", "", kW, false, true},

        {"help.guide", "&Help", T("&Reading guide"), "F1", "", kW, false, false},
        {"help.shortcuts", "&Help", T("&Shortcuts"), "Ctrl+?", "", kW, false, false},
        {"help.about", "&Help", T("&About Sextant"), "", "", kW, true, false},
    };
    return table;
}

#undef T

QString Commands::menuTitle(const char* menu) {
    return QCoreApplication::translate(kContext, menu);
}

QString Commands::title(const CommandSpec& spec) {
    return QCoreApplication::translate(kContext, spec.text);
}

Commands::Commands(QWidget* window) : QObject(window) {
    for (const CommandSpec& spec : commandTable()) {
        auto* action = new QAction(this);
        action->setObjectName(QString::fromLatin1(spec.id));
        action->setCheckable(spec.checkable);
        if (*spec.shortcut != '\0')
            action->setShortcut(QKeySequence(QString::fromLatin1(spec.shortcut), QKeySequence::PortableText));
        action->setShortcutContext(Qt::WindowShortcut);
        actions_.insert(QString::fromLatin1(spec.id), action);
        window->addAction(action);
    }
    retranslate();
    refreshIcons();
    setViewKeys(false);
}

QAction* Commands::action(const char* id) const {
    QAction* found = actions_.value(QString::fromLatin1(id));
    Q_ASSERT_X(found != nullptr, "Commands::action", id);
    return found;
}

void Commands::fillMenuBar(QMenuBar* bar) const {
    for (const char* menu : kMenus) {
        QMenu* made = bar->addMenu(menuTitle(menu));
        made->setObjectName(QString::fromLatin1(menu));
        for (const CommandSpec& spec : commandTable()) {
            if (qstrcmp(spec.menu, menu) != 0) continue;
            if (spec.separatorBefore && !made->isEmpty()) made->addSeparator();
            made->addAction(action(spec.id));
        }
    }
}

void Commands::setViewKeys(bool enabled) {
    for (const CommandSpec& spec : commandTable()) {
        if (spec.scope != CommandScope::kView) continue;
        // The action stays usable from menu and palette; only its key goes.
        action(spec.id)->setShortcut(
            enabled ? QKeySequence(QString::fromLatin1(spec.shortcut), QKeySequence::PortableText) : QKeySequence());
    }
}

void Commands::retranslate() {
    for (const CommandSpec& spec : commandTable()) {
        QAction* made = action(spec.id);
        made->setText(title(spec));
        QString tip = title(spec).remove('&').remove(QStringLiteral("..."));
        if (*spec.shortcut != '\0')
            tip += QStringLiteral(" (%1)").arg(
                QKeySequence(QString::fromLatin1(spec.shortcut)).toString(QKeySequence::NativeText));
        made->setToolTip(tip);
    }
}

void Commands::refreshIcons() {
    for (const CommandSpec& spec : commandTable()) {
        if (*spec.icon != '\0') action(spec.id)->setIcon(lineIcon(QString::fromLatin1(spec.icon)));
    }
}

}  // namespace sextant
