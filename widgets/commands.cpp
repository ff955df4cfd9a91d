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

// Menus in the order of the bar.
constexpr const char* kMenus[] = {
    QT_TRANSLATE_NOOP("sextant::Commands", "&File"),      QT_TRANSLATE_NOOP("sextant::Commands", "&Edit"),
    QT_TRANSLATE_NOOP("sextant::Commands", "&Run"),       QT_TRANSLATE_NOOP("sextant::Commands", "&View"),
    QT_TRANSLATE_NOOP("sextant::Commands", "&Attention"), QT_TRANSLATE_NOOP("sextant::Commands", "&Position"),
    QT_TRANSLATE_NOOP("sextant::Commands", "&Compare"),   QT_TRANSLATE_NOOP("sextant::Commands", "E&xport"),
    QT_TRANSLATE_NOOP("sextant::Commands", "&Window"),    QT_TRANSLATE_NOOP("sextant::Commands", "&Help")};

}  // namespace

const std::vector<CommandSpec>& commandTable() {
    static const std::vector<CommandSpec> table = {
        {"file.new", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&New experiment..."), "Ctrl+N", "plus", kW, false,
         false},
        {"file.open", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Open a project..."), "Ctrl+O", "folder", kW,
         false, false},
        {"file.import", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Compare with a folder..."), "Ctrl+Shift+O",
         "import", kW, false, false},
        {"file.importfile", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "Compare with a &log file..."), "", "", kW,
         false, false},
        {"file.sample", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "Open the &sample project"), "", "folder", kW,
         false, false},
        {"file.edit", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Edit the experiment"), "Ctrl+Shift+X", "", kW,
         false, false},
        {"file.save", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Save"), "Ctrl+S", "", kW, true, false},
        {"file.saveas", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "Save &as..."), "Ctrl+Shift+S", "", kW, false,
         false},
        {"file.rescan", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "Read the folder &again"), "F5", "", kW, true,
         false},
        {"file.close", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Close the project"), "Ctrl+W", "", kW, false,
         false},
        {"file.quit", "&File", QT_TRANSLATE_NOOP("sextant::Commands", "&Quit"), "Ctrl+Q", "", kW, true, false},

        {"edit.undo", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "&Undo"), "Ctrl+Z", "", kW, false, false},
        {"edit.redo", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "&Redo"), "Ctrl+Shift+Z", "", kW, false, false},
        {"edit.copy", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "&Copy the chart or table"), "Ctrl+Shift+C",
         "copy", kW, true, false},
        {"edit.filter", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "&Filter the runs"), "Ctrl+F", "search", kW,
         false, false},
        {"edit.palette", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "Find a &command..."), "Ctrl+K", "", kW, true,
         false},
        {"edit.preferences", "&Edit", QT_TRANSLATE_NOOP("sextant::Commands", "&Preferences..."), "Ctrl+,", "", kW,
         false, false},

        {"run.start", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "&Start"), "Ctrl+R", "play", kW, false, false},
        {"run.pause", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "&Pause or resume"), "Ctrl+Space", "pause", kW,
         false, false},
        {"run.checkpoint", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Write a &checkpoint"), "", "", kW, false,
         false},
        {"run.stop", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "S&top"), "Ctrl+.", "stop", kW, false, false},
        {"run.duplicate", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "&Duplicate as a variant"), "Ctrl+D", "copy",
         kW, true, false},
        {"run.baseline", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Use as the &baseline"), "B", "star", kV, false,
         false},
        {"run.visible", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Show or &hide in the charts"), "Space", "", kV,
         false, false},
        {"run.sooner", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Start s&ooner"), "Ctrl+Shift+Up", "", kW, false,
         false},
        {"run.later", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Start &later"), "Ctrl+Shift+Down", "", kW, false,
         false},
        {"run.keep", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "&Keep"), "", "", kW, true, false},
        {"run.trash", "&Run", QT_TRANSLATE_NOOP("sextant::Commands", "Move to the &trash"), "Del", "", kV, false,
         false},

        {"view.curves", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Curves"), "Ctrl+1", "", kW, false, false},
        {"view.attention", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Attention"), "Ctrl+2", "", kW, false,
         false},
        {"view.position", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Position"), "Ctrl+3", "", kW, false, false},
        {"view.extrapolation", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Extrapolation"), "Ctrl+4", "", kW,
         false, false},
        {"view.compare", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "C&ompare"), "Ctrl+5", "", kW, false, false},
        {"view.report", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Report"), "Ctrl+6", "", kW, false, false},
        {"view.start", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Start page"), "Ctrl+Home", "", kW, true,
         false},
        {"view.train", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Workspace: &Train"), "Ctrl+Shift+1", "", kW,
         true, false},
        {"view.inspect", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Workspace: &Inspect"), "Ctrl+Shift+2", "", kW,
         false, false},
        {"view.comparing", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Workspace: Com&pare"), "Ctrl+Shift+3", "",
         kW, false, false},
        {"view.paper", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Workspace: Pape&r"), "Ctrl+Shift+4", "", kW,
         false, false},
        {"view.live", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Follow live"), "L", "", kV, true, true},
        {"view.previous", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Previous stored step"), ",", "", kV, false,
         false},
        {"view.next", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Next stored step"), ".", "", kV, false, false},
        {"view.logy", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Logarithmic y"), "Y", "", kV, true, false},
        {"view.smoothing", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Smoothing on or off"), "S", "", kV, false,
         false},
        {"view.longer", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Longer half-life"), "Alt+Up", "", kV, false,
         false},
        {"view.shorter", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "Shorter half-life"), "Alt+Down", "", kV,
         false, false},
        {"view.outliers", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Outliers in or out of the range"), "O", "",
         kV, false, false},
        {"view.pin", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "P&in this step"), "P", "pin", kV, false, false},
        {"view.fit", "&View", QT_TRANSLATE_NOOP("sextant::Commands", "&Zoom to everything"), "0", "", kV, false, false},

        {"attention.layerdown", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "Previous layer"), "[", "", kV,
         false, false},
        {"attention.layerup", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "Next layer"), "]", "", kV, false,
         false},
        {"attention.headdown", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "Previous head"), ";", "", kV,
         false, false},
        {"attention.headup", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "Next head"), "'", "", kV, false,
         false},
        {"attention.cycle", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "A, B, A minus B"), "D", "", kV, true,
         false},
        {"attention.range", "&Attention", QT_TRANSLATE_NOOP("sextant::Commands", "Next range mode"), "R", "", kV, false,
         false},

        {"position.encoding", "&Position", QT_TRANSLATE_NOOP("sextant::Commands", "Encoding of the selected &arm"), "",
         "", kW, false, false},
        {"position.tables", "&Position", QT_TRANSLATE_NOOP("sextant::Commands", "Copy the &numbers of this view"), "",
         "copy", kW, false, false},

        {"compare.table", "&Compare", QT_TRANSLATE_NOOP("sextant::Commands", "Copy the table as &LaTeX"), "", "copy",
         kW, false, false},
        {"compare.seed", "&Compare", QT_TRANSLATE_NOOP("sextant::Commands", "Add a &seed"), "", "plus", kW, false,
         false},

        {"export.figure", "E&xport", QT_TRANSLATE_NOOP("sextant::Commands", "&Figure..."), "Ctrl+E", "download", kW,
         false, false},
        {"export.data", "E&xport", QT_TRANSLATE_NOOP("sextant::Commands", "&Data as CSV..."), "", "", kW, false, false},
        {"export.report", "E&xport", QT_TRANSLATE_NOOP("sextant::Commands", "&Report..."), "Ctrl+Shift+E", "", kW,
         false, false},

        {"window.runs", "&Window", QT_TRANSLATE_NOOP("sextant::Commands", "&Runs"), "F7", "", kW, false, true},
        {"window.inspector", "&Window", QT_TRANSLATE_NOOP("sextant::Commands", "&Inspector"), "F9", "", kW, false,
         true},
        {"window.reset", "&Window", QT_TRANSLATE_NOOP("sextant::Commands", "R&eset the layout"), "", "", kW, true,
         false},
        {"window.pane", "&Window", QT_TRANSLATE_NOOP("sextant::Commands", "&Next pane"), "F6", "", kW, false, false},
        {"window.full", "&Window", QT_TRANSLATE_NOOP("sextant::Commands", "&Full screen"), "F11", "", kW, false, true},

        {"help.guide", "&Help", QT_TRANSLATE_NOOP("sextant::Commands", "&Reading guide"), "F1", "", kW, false, false},
        {"help.shortcuts", "&Help", QT_TRANSLATE_NOOP("sextant::Commands", "&Shortcuts"), "Ctrl+?", "", kW, false,
         false},
        {"help.about", "&Help", QT_TRANSLATE_NOOP("sextant::Commands", "&About Sextant"), "", "", kW, true, false},
    };
    return table;
}

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
