#pragma once
// What the workspace asks of a page: its inspector (none: the run inspector), a title for it, and what the shared
// commands do on it. Pages read the session and draw; they keep no state that belongs to the selection.

#include <QWidget>

namespace sextant {

class Page : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QWidget* inspector() { return nullptr; }
    [[nodiscard]] virtual QString inspectorNote() const { return {}; }
    // True when the page did something with it; ids of the command table.
    virtual bool runCommand(const QString& id);
    // What would be exported or copied; null when nothing can be.
    [[nodiscard]] virtual QString tableText() const { return {}; }

  Q_SIGNALS:
    void inspectorChanged();
    void pageRequested(const QString& page);
    void message(const QString& fact, const QString& consequence);
};

}  // namespace sextant
