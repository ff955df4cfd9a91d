#pragma once
// Ctrl+K: every command of the table by name, narrowed while typing, run by Enter. Made from the same table as menus.

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace sextant {

class Commands;

class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    CommandPalette(Commands& commands, QWidget* parent = nullptr);
    void open() override;
    [[nodiscard]] QLineEdit* input() const { return input_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill(const QString& text);
    void runCurrent();

    Commands& commands_;
    QLineEdit* input_;
    QListWidget* list_;
};

}  // namespace sextant
