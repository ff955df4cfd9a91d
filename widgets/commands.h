#pragma once
// Every command of the window in one table: the menus, the palette and the shortcut list are made from it, so a command
// cannot be in one and missing in another. Single letters act only where a chart, matrix or run list has the focus.

#include <QAction>
#include <QHash>
#include <QObject>
#include <QString>
#include <vector>

class QMenuBar;
class QWidget;

namespace sextant {

enum class CommandScope { kWindow, kView };  // kView: only while a view has the focus

struct CommandSpec {
    const char* id;
    const char* menu;  // English key, translated when shown; empty: in the palette only
    const char* text;
    const char* shortcut;  // portable text, or empty
    const char* icon;      // name in the theme, or empty
    CommandScope scope;
    bool separatorBefore;
    bool checkable;
};

[[nodiscard]] const std::vector<CommandSpec>& commandTable();

class Commands : public QObject {
    Q_OBJECT

  public:
    explicit Commands(QWidget* window);

    [[nodiscard]] QAction* action(const char* id) const;  // never null for an id of the table
    void fillMenuBar(QMenuBar* bar) const;
    // Kept off while a text field has the focus, or when the user switched single letters off.
    void setViewKeys(bool enabled);
    void retranslate();
    void refreshIcons();  // after a change of theme
    [[nodiscard]] static QString menuTitle(const char* menu);
    [[nodiscard]] static QString title(const CommandSpec& spec);

  private:
    QHash<QString, QAction*> actions_;
};

}  // namespace sextant
