#include "widgets/theme/theme_controller.h"

#include <QApplication>
#include <QEvent>
#include <QFocusEvent>
#include <QStyleFactory>

#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"

namespace sextant {
namespace {

ThemeController* living = nullptr;
bool reducedMotion = false;
constexpr int kFade = 120;

Theme& applied() {
    static Theme value = Theme::light();
    return value;
}

}  // namespace

const Theme& theme() {
    return applied();
}

ThemeController* ThemeController::current() {
    return living;
}

int ThemeController::fadeMilliseconds() {
    return reducedMotion ? 0 : kFade;
}

void ThemeController::setReducedMotion(bool reduced) {
    reducedMotion = reduced;
}

ThemeController::ThemeController(QApplication& application)
    : application_(application), systemPalette_(QApplication::palette()) {
    living = this;
    QApplication::setStyle(new FocusStyle(QStyleFactory::create(QStringLiteral("Fusion"))));
    application_.installEventFilter(this);
    apply();
}

ThemeController::~ThemeController() {
    if (living == this) living = nullptr;
}

void ThemeController::setChoice(ThemeChoice choice) {
    if (choice_ == choice) return;
    choice_ = choice;
    apply();
}

void ThemeController::setContrast(Contrast contrast) {
    if (contrast_ == contrast) return;
    contrast_ = contrast;
    apply();
}

void ThemeController::setFontFamily(const QString& family) {
    setInterfaceFamily(family);
    apply();
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) noteFocusReason(static_cast<QFocusEvent*>(event)->reason());
    if (watched == &application_ && event->type() == QEvent::ApplicationPaletteChange && !applying_ &&
        choice_ == ThemeChoice::kSystem) {
        systemPalette_ = QApplication::palette();
        apply();
    }
    return QObject::eventFilter(watched, event);
}

void ThemeController::apply() {
    const bool systemDark =
        systemPalette_.color(QPalette::Window).lightness() < systemPalette_.color(QPalette::WindowText).lightness();
    const bool dark = choice_ == ThemeChoice::kDark || (choice_ == ThemeChoice::kSystem && systemDark);
    applied() = Theme::make(dark ? ThemeMode::kDark : ThemeMode::kLight, contrast_);
    applying_ = true;
    forgetIcons();
    QApplication::setFont(textFont(TextRole::kBody));
    QApplication::setPalette(paletteOf(applied()));
    application_.setStyleSheet(styleSheetOf(applied()));
    applying_ = false;
    emit themeChanged(applied());
}

QPalette paletteOf(const Theme& t) {
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::Base, t.field);
    palette.setColor(QPalette::AlternateBase, t.panel);
    palette.setColor(QPalette::Button, t.raised);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.err);
    palette.setColor(QPalette::PlaceholderText, t.text2);
    palette.setColor(QPalette::Highlight, t.select);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::Link, t.link);
    palette.setColor(QPalette::LinkVisited, t.link);
    palette.setColor(QPalette::ToolTipBase, t.raised);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Mid, t.line);
    palette.setColor(QPalette::Midlight, t.line);
    palette.setColor(QPalette::Dark, t.edge);
    palette.setColor(QPalette::Light, t.raised);
    palette.setColor(QPalette::Shadow, t.edge);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, t.text3);
    return palette;
}

QString styleSheetOf(const Theme& t) {
    // Only hairlines are given in px. Names in braces are tokens.
    QString sheet = QStringLiteral(R"(
QPushButton,QToolButton[framed="true"]{background:{raised};color:{text};border:1px solid {edge};border-radius:3px;padding:0.05em 0.8em;min-height:1.3em}
QToolButton[framed="true"]{padding:0.05em 0.4em}
QPushButton:hover,QToolButton[framed="true"]:hover{background:{hover}}
QPushButton:pressed,QPushButton:checked,QToolButton:pressed,QToolButton:checked{background:{select}}
QPushButton:disabled,QToolButton[framed="true"]:disabled{color:{text3};border-color:{line};background:transparent}
QPushButton[primary="true"]{background:{primary};color:{primaryText};border-color:{primary};font-weight:700}
QPushButton[primary="true"]:disabled{background:transparent;color:{text3};border-color:{line}}
QPushButton[quiet="true"],QToolButton{background:transparent;color:{text};border:1px solid transparent;border-radius:3px;padding:0.2em 0.35em}
QPushButton[quiet="true"]:hover,QToolButton:hover{background:{hover}}
QToolButton:disabled{color:{text3}}
QPushButton[compact="true"]{padding:0 0.7em;min-height:1.15em}
QLineEdit,QPlainTextEdit,QTextEdit,QSpinBox,QDoubleSpinBox{background:{field};color:{text};border:1px solid {edge};border-radius:3px;padding:0.02em 0.35em;min-height:1.3em;selection-background-color:{select};selection-color:{text}}
QLineEdit:focus,QPlainTextEdit:focus,QTextEdit:focus,QSpinBox:focus,QDoubleSpinBox:focus{border-color:{index}}
QLineEdit[invalid="true"]{color:{err};border-color:{err}}
QLineEdit:disabled,QSpinBox:disabled,QDoubleSpinBox:disabled{color:{text3};border-color:{line}}
QTabBar::tab{padding:0.4em 0.9em;border:none;border-bottom:0.22em solid transparent;background:transparent;color:{text2}}
QTabBar::tab:selected{font-weight:700;color:{text};border-bottom:0.22em solid {index}}
QTabBar::tab:hover{color:{text}}
QTabWidget::pane{border:none}
QFrame[card="true"]{background:{plot};border:1px solid {line};border-radius:3px}
QFrame[panel="true"]{background:{panel};border:none}
QHeaderView::section{background:{plot};color:{text2};border:none;border-bottom:1px solid {edge};padding:0.2em 0.4em}
QTreeView#runTree,QListView#armList{background:{panel};}
QTreeView#runTree QHeaderView::section{background:{panel}}
QTableView,QTreeView,QListView{background:{field};border:none;gridline-color:{grid};selection-background-color:{select};selection-color:{text};outline:none}
QToolTip{background:{raised};color:{text};border:1px solid {edge};padding:0.2em}
QMenuBar{background:{window};color:{text}}
QMenuBar::item{padding:0.25em 0.6em;background:transparent}
QMenuBar::item:selected{background:{select}}
QMenu{background:{raised};color:{text};border:1px solid {edge};padding:0.2em}
QMenu::item{padding:0.25em 1.6em 0.25em 1.6em}
QMenu::item:selected{background:{select}}
QMenu::item:disabled{color:{text3}}
QMenu::separator{height:1px;background:{line};margin:0.2em}
QMainWindow::separator{background:{line};width:1px;height:1px}
QSplitter::handle{background:transparent}
QToolBar{background:{window};border:none;border-bottom:1px solid {line};spacing:0.2em;padding:0.2em 0.5em}
QToolBar#step{background:{panel};border-bottom:none;border-top:1px solid {line};padding:0}
QStatusBar{background:{panel};color:{text2};border-top:1px solid {line}}
QStatusBar::item{border:none}
QScrollBar:vertical{background:transparent;width:0.8em;margin:0}
QScrollBar:horizontal{background:transparent;height:0.8em;margin:0}
QScrollBar::handle{background:{line};border-radius:3px;min-height:2em;min-width:2em;margin:0.12em}
QScrollBar::handle:hover{background:{edge}}
QScrollBar::add-line,QScrollBar::sub-line{width:0;height:0}
QScrollBar::add-page,QScrollBar::sub-page{background:transparent}
)");
    const std::pair<const char*, QColor> tokens[] = {{"{window}", t.window},
                                                     {"{panel}", t.panel},
                                                     {"{raised}", t.raised},
                                                     {"{plot}", t.plot},
                                                     {"{field}", t.field},
                                                     {"{select}", t.select},
                                                     {"{hover}", t.hover},
                                                     {"{text}", t.text},
                                                     {"{text2}", t.text2},
                                                     {"{text3}", t.text3},
                                                     {"{line}", t.line},
                                                     {"{edge}", t.edge},
                                                     {"{grid}", t.grid},
                                                     {"{index}", t.index},
                                                     {"{primary}", t.primary},
                                                     {"{err}", t.err},
                                                     {"{primaryText}", t.primaryText}};
    for (const auto& [token, color] : tokens)
        sheet.replace(QLatin1String(token), color.name());
    return sheet;
}

}  // namespace sextant
