#pragma once
// The pages of an open project under one tab bar: curves, attention, position, extrapolation, compare, report. The
// workspaces (Train, Inspect, Compare, Paper) are entry points to the same pages, so wrong mode costs nothing.

#include <QHash>
#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace sextant {

class InlineBar;
class Page;
class Session;

class Workspace : public QWidget {
    Q_OBJECT

  public:
    explicit Workspace(Session& session, QWidget* parent = nullptr);
    [[nodiscard]] static QStringList pageNames();  // "curves", "attention", ...
    bool showPage(const QString& name);
    [[nodiscard]] QString currentName() const;
    [[nodiscard]] Page* current() const;
    [[nodiscard]] Page* page(const QString& name) const { return pages_.value(name); }
    [[nodiscard]] InlineBar* bar() const { return bar_; }

  Q_SIGNALS:
    void pageChanged(const QString& name);

  private:
    QHash<QString, Page*> pages_;
    QTabBar* tabs_;
    QStackedWidget* stack_;
    InlineBar* bar_;
};

}  // namespace sextant
