#pragma once
// Language, theme, font and keys. Changes act at once; the language from the next start.

#include <QDialog>

namespace sextant {

class Preferences;

class PreferencesDialog : public QDialog {
    Q_OBJECT

  public:
    explicit PreferencesDialog(Preferences& preferences, QWidget* parent = nullptr);
};

}  // namespace sextant
