#include "widgets/controls/inline_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "widgets/controls/icon_button.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

struct BarLook {
    QColor ink, ground;
    const char* icon;
};

BarLook lookOf(BarKind kind) {
    const Theme& t = theme();
    switch (kind) {
        case BarKind::kInfo:
            return {t.info, t.infoBg, "info"};
        case BarKind::kOk:
            return {t.ok, t.okBg, "check"};
        case BarKind::kWarning:
            return {t.warn, t.warnBg, "warning"};
        case BarKind::kError:
            return {t.err, t.errBg, "warning"};
    }
    return {t.info, t.infoBg, "info"};
}

}  // namespace

InlineBar::InlineBar(QWidget* parent) : QFrame(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(scaled(14), scaled(4), scaled(8), scaled(4));
    row->setSpacing(scaled(8));
    icon_ = new QLabel(this);
    label_ = new QLabel(this);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::RichText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    action_ = new QPushButton(this);
    action_->setProperty("compact", true);
    auto* close = new IconButton(QStringLiteral("close"), tr("Close this message"), this);
    close_ = close;
    close_->hide();
    row->addWidget(icon_);
    row->addWidget(label_, 1);
    row->addWidget(action_);
    row->addWidget(close_);
    setMinimumHeight(scaled(30));
    connect(action_, &QPushButton::clicked, this, &InlineBar::actionTriggered);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    hide();
}

void InlineBar::show(BarKind kind, const QString& fact, const QString& consequence, const QString& action) {
    kind_ = kind;
    label_->setText(QStringLiteral("<b>%1</b> %2").arg(fact.toHtmlEscaped(), consequence.toHtmlEscaped()));
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    spoken_ = consequence.isEmpty() ? fact : fact + QLatin1Char(' ') + consequence;
    setAccessibleName(spoken_);
    restyle();
    QFrame::show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void InlineBar::setClosable(bool closable) {
    close_->setVisible(closable);
}

void InlineBar::restyle() {
    const BarLook look = lookOf(kind_);
    icon_->setPixmap(iconPixmap(QLatin1String(look.icon), look.ink, scaled(16), devicePixelRatioF()));
    update();
}

void InlineBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && icon_ != nullptr) restyle();
    QFrame::changeEvent(event);
}

void InlineBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const BarLook look = lookOf(kind_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.ground);
    painter.drawRoundedRect(rect(), 3, 3);
    painter.setClipRect(0, 0, scaled(4), height());
    painter.setBrush(look.ink);
    painter.drawRoundedRect(rect(), 3, 3);
}

}  // namespace sextant
