#include "widgets/dialogs/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/commands.h"
#include "widgets/theme/fonts.h"

namespace sextant {

CommandPalette::CommandPalette(Commands& commands, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), commands_(commands) {
    setAccessibleName(tr("Find a command"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    input_ = new QLineEdit;
    input_->setPlaceholderText(tr("Find a command"));
    input_->setAccessibleName(tr("Find a command"));
    input_->installEventFilter(this);
    list_ = new QListWidget;
    list_->setAccessibleName(tr("Commands"));
    list_->setFocusPolicy(Qt::NoFocus);
    column->addWidget(input_);
    column->addWidget(list_);
    connect(input_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(input_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open() {
    input_->clear();
    fill({});
    resize(scaled(520), scaled(380));
    if (QWidget* window = parentWidget()) {
        const QPoint top = window->mapToGlobal(QPoint((window->width() - width()) / 2, scaled(60)));
        move(top);
    }
    show();
    input_->setFocus();
}

void CommandPalette::fill(const QString& text) {
    list_->clear();
    const QStringList words = text.simplified().split(' ', Qt::SkipEmptyParts);
    for (const CommandSpec& spec : commandTable()) {
        QAction* action = commands_.action(spec.id);
        QString name = Commands::menuTitle(spec.menu) + " › " + Commands::title(spec);
        name.remove('&').remove(QStringLiteral("..."));
        bool found = action->isEnabled();
        for (const QString& word : words)
            found = found && name.contains(word, Qt::CaseInsensitive);
        if (!found) continue;
        const QString key = QKeySequence(QString::fromLatin1(spec.shortcut)).toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(key.isEmpty() ? name : name + "   " + key, list_);
        item->setData(Qt::UserRole, QString::fromLatin1(spec.id));
        item->setIcon(action->icon());
    }
    list_->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return;
    QAction* action = commands_.action(item->data(Qt::UserRole).toString().toLatin1().constData());
    hide();
    QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == input_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int row = list_->currentRow();
        if (key->key() == Qt::Key_Down) {
            list_->setCurrentRow(std::min(row + 1, list_->count() - 1));
            return true;
        }
        if (key->key() == Qt::Key_Up) {
            list_->setCurrentRow(std::max(row - 1, 0));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace sextant
