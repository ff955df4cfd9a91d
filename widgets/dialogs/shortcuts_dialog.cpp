#include "widgets/dialogs/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/commands.h"
#include "widgets/forms/quiet_label.h"

namespace sextant {

ShortcutsDialog::ShortcutsDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Shortcuts"));
    resize(scaled(560), scaled(560));
    auto* table = new QTableWidget(0, 3);
    table->setHorizontalHeaderLabels({tr("Menu"), tr("Command"), tr("Key")});
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setAccessibleName(tr("Shortcuts"));
    for (const CommandSpec& spec : commandTable()) {
        if (*spec.shortcut == '\0') continue;
        const int row = table->rowCount();
        table->insertRow(row);
        QString menu = Commands::menuTitle(spec.menu);
        QString text = Commands::title(spec);
        table->setItem(row, 0, new QTableWidgetItem(menu.remove('&')));
        table->setItem(row, 1, new QTableWidgetItem(text.remove('&').remove(QStringLiteral("..."))));
        auto* key =
            new QTableWidgetItem(QKeySequence(QString::fromLatin1(spec.shortcut)).toString(QKeySequence::NativeText));
        key->setFont(textFont(TextRole::kValue));
        table->setItem(row, 2, key);
    }
    auto* column = new QVBoxLayout(this);
    column->addWidget(table);
    column->addWidget(new QuietLabel(
        tr("Single letters act only while a chart, a matrix or the run list has the focus."), TextRole::kNote));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

}  // namespace sextant
