#pragma once
// A quiet tool button that is only an icon: it cannot be made without the name a screen reader speaks.

#include <QToolButton>

namespace sextant {

class IconButton : public QToolButton {
    Q_OBJECT

  public:
    // `name` is spoken and shown as the tooltip; `shortcut` (optional, "Ctrl+E") is added to the tooltip.
    IconButton(const QString& iconName, const QString& name, QWidget* parent = nullptr, const QString& shortcut = {});
    void setIconName(const QString& iconName);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QString iconName_;
};

}  // namespace sextant
