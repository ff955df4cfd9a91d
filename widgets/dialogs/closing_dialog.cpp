#include "widgets/dialogs/closing_dialog.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/forms/quiet_label.h"

namespace sextant {

ClosingDialog::ClosingDialog(const QString& project, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("A run is training"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(scaled(10));
    column->addWidget(
        new QuietLabel(tr("A run of %1 is training.").arg(project), TextRole::kExperiment, QuietLabel::Ink::kText));
    auto* text =
        new QuietLabel(tr("It can go on without the window; open the project again to watch it. Or it writes a "
                          "checkpoint and stops, and continues from there when you start it."),
                       TextRole::kBody);
    text->setWordWrap(true);
    text->setMinimumWidth(scaled(460));
    column->addWidget(text);
    auto* row = new QHBoxLayout;
    const auto add = [&](const QString& label, const char* name, ClosingAnswer answer) {
        auto* button = new QPushButton(label);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, [this, answer] {
            answer_ = answer;
            accept();
        });
        row->addWidget(button);
        return button;
    };
    QPushButton* keep = add(tr("Keep training in the background"), "keepTraining", ClosingAnswer::kKeepTraining);
    keep->setProperty("primary", true);
    keep->setDefault(true);
    add(tr("Checkpoint and stop"), "checkpointAndStop", ClosingAnswer::kStop);
    row->addStretch(1);
    add(tr("Cancel"), "cancelClosing", ClosingAnswer::kCancel);
    column->addLayout(row);
}

}  // namespace sextant
