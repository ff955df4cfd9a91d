#include "widgets/dialogs/preferences_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include "widgets/controls/segments.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/preferences.h"

namespace sextant {

PreferencesDialog::PreferencesDialog(Preferences& preferences, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Preferences"));
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(scaled(16));
    form->setVerticalSpacing(scaled(10));
    auto* theme = new Segments({tr("System"), tr("Light"), tr("Dark")});
    theme->setAccessibleName(tr("Theme"));
    theme->setCurrentIndex(static_cast<int>(preferences.theme()));
    connect(theme, &Segments::currentChanged, this,
            [&preferences](int index) { preferences.setTheme(static_cast<ThemeChoice>(index)); });
    form->addRow(tr("Theme"), theme);
    auto* language = new QComboBox;
    language->setAccessibleName(tr("Language"));
    language->addItem(tr("as the system"), QString());
    language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    language->setCurrentIndex(std::max(0, language->findData(preferences.language())));
    connect(language, &QComboBox::activated, this,
            [&preferences, language](int) { preferences.setLanguage(language->currentData().toString()); });
    form->addRow(tr("Language"), language);
    column->addLayout(form);
    column->addWidget(new QuietLabel(tr("A new language shows from the next start."), TextRole::kNote));
    auto* font = new QCheckBox(tr("Use the system's font (numbers stay in Noto Sans Mono)"));
    font->setChecked(preferences.systemFont());
    connect(font, &QCheckBox::toggled, this, [&preferences](bool on) { preferences.setSystemFont(on); });
    column->addWidget(font);
    auto* keys = new QCheckBox(tr("Single letters are shortcuts while a chart or list has the focus"));
    keys->setChecked(preferences.singleKeys());
    connect(keys, &QCheckBox::toggled, this, [&preferences](bool on) { preferences.setSingleKeys(on); });
    column->addWidget(keys);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

}  // namespace sextant
