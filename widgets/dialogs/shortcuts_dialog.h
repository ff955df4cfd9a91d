#pragma once
// The list of shortcuts, made from the command table.

#include <QDialog>

namespace sextant {

class ShortcutsDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ShortcutsDialog(QWidget* parent = nullptr);
};

}  // namespace sextant
