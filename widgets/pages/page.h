#pragma once
// What the workspace asks of a page: its inspector (none: the run inspector), a title for it, and what the shared
// commands do on it. Pages read the session and draw; they keep no state that belongs to the selection.

#include <QWidget>

namespace sextant {

class FigureSource;

class Page : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QWidget* inspector() { return nullptr; }
    [[nodiscard]] virtual QString inspectorNote() const { return {}; }
    // True when the page did something with it; ids of the command table.
    virtual bool runCommand(const QString& id);
    // The numbers of the page as tab-separated text, for the clipboard; empty when there are none.
    [[nodiscard]] virtual QString tableText() const { return {}; }
    // A chart of the page by the kind names of `--export figure`; empty: the main one. Null when it has none such.
    [[nodiscard]] virtual FigureSource* figure(const QString& kind);

  Q_SIGNALS:
    void inspectorChanged();
    void pageRequested(const QString& page);
    void message(const QString& fact, const QString& consequence);
};

}  // namespace sextant
