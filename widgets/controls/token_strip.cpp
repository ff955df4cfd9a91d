#include "widgets/controls/token_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringDecoder>
#include <algorithm>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/theme/focus_style.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

// Length of the valid UTF-8 character at `at`, or 0.
int characterLength(const QByteArray& bytes, int at) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const int length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || at + length > bytes.size()) return 0;
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(bytes.mid(at, length));
    return decoder.hasError() || text.contains(QChar(0xFFFD)) ? 0 : length;
}

}  // namespace

QString displayToken(const QByteArray& bytes) {
    QString text;
    bool rightToLeft = false;
    for (int at = 0; at < bytes.size();) {
        const int length = characterLength(bytes, at);
        if (length == 0) {
            text += QStringLiteral("<0x%1>")
                        .arg(static_cast<unsigned char>(bytes[at]), 2, 16, QLatin1Char('0'))
                        .toUpper()
                        .replace(QLatin1String("<0X"), QLatin1String("<0x"));
            ++at;
            continue;
        }
        const QString character = QString::fromUtf8(bytes.mid(at, length));
        at += length;
        const QChar first = character[0];
        if (first == QLatin1Char(' ')) {
            text += QChar(0x2423);
        } else if (first == QLatin1Char('\n')) {
            text += QChar(0x23CE);
        } else if (first == QLatin1Char('\t')) {
            text += QChar(0x21E5);
        } else if (first.category() == QChar::Other_Control || first.category() == QChar::Other_Format) {
            text += QStringLiteral("<U+%1>").arg(static_cast<int>(first.unicode()), 4, 16, QLatin1Char('0'));
        } else {
            rightToLeft = rightToLeft || first.direction() == QChar::DirR || first.direction() == QChar::DirAL;
            text += character;
        }
    }
    if (rightToLeft) text = QChar(0x2068) + text + QChar(0x2069);
    return text;
}

TokenStrip::TokenStrip(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Tokens"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TokenStrip::setTokens(const QStringList& tokens) {
    tokens_ = tokens;
    weights_.clear();
    query_ = key_ = hovered_ = -1;
    place(width(), &boxes_);
    updateGeometry();
    update();
}

void TokenStrip::setWeights(std::vector<double> weights, const QString& map, const ValueScale& scale) {
    weights_ = std::move(weights);
    map_ = map;
    scale_ = scale;
    update();
}

void TokenStrip::setQuery(int index) {
    query_ = index;
    update();
}

void TokenStrip::setKey(int index) {
    key_ = index;
    update();
}

void TokenStrip::setCausal(bool causal) {
    causal_ = causal;
    update();
}

int TokenStrip::place(int width, std::vector<QRect>* boxes) const {
    const QFontMetrics metrics(textFont(TextRole::kToken));
    const int pad = scaled(3);
    const int gap = scaled(3);
    const int rowHeight = metrics.height() + scaled(4);
    const int rowGap = scaled(5);
    int x = scaled(6);
    int y = scaled(5);
    if (boxes != nullptr) {
        boxes->clear();
        boxes->reserve(static_cast<std::size_t>(tokens_.size()));
    }
    for (const QString& token : tokens_) {
        const int w = std::max(metrics.horizontalAdvance(token), scaled(6)) + 2 * pad;
        if (x + w > width - scaled(6) && x > scaled(6)) {
            x = scaled(6);
            y += rowHeight + rowGap;
        }
        if (boxes != nullptr) boxes->push_back(QRect(x, y, w, rowHeight));
        x += w + gap;
    }
    return y + rowHeight + scaled(5);
}

QRect TokenStrip::boxOf(int index) const {
    return index >= 0 && static_cast<std::size_t>(index) < boxes_.size() ? boxes_[static_cast<std::size_t>(index)]
                                                                         : QRect();
}

QSize TokenStrip::sizeHint() const {
    return {scaled(480), heightForWidth(std::max(width(), scaled(480)))};
}

int TokenStrip::heightForWidth(int width) const {
    return place(width, nullptr);
}

void TokenStrip::resizeEvent(QResizeEvent*) {
    place(width(), &boxes_);
}

void TokenStrip::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Theme& t = theme();
    if (tokens_.isEmpty()) {
        painter.setPen(t.text2);
        painter.setFont(textFont(TextRole::kNote));
        painter.drawText(rect().adjusted(scaled(8), 0, 0, 0), Qt::AlignVCenter, tr("No text is shown."));
    }
    QFont plain = textFont(TextRole::kToken);
    QFont struck = plain;
    struck.setStrikeOut(true);
    const ColorMap& map = t.map(map_);
    for (int i = 0; i < tokens_.size(); ++i) {
        const QRect box = boxes_[static_cast<std::size_t>(i)];
        if (!box.intersects(event->rect())) continue;
        const bool future = causal_ && query_ >= 0 && i > query_;
        QColor ink = future ? t.text2 : t.text;
        if (!future && static_cast<std::size_t>(i) < weights_.size()) {
            const QRgb ground = map.at(scale_.position(weights_[static_cast<std::size_t>(i)]));
            painter.fillRect(box, QColor(ground));
            ink = isDarkGround(ground) ? QColor(Qt::white) : QColor(0x14202B);
        }
        painter.setFont(future ? struck : plain);
        painter.setPen(ink);
        painter.drawText(box, Qt::AlignCenter, tokens_[i]);
        if (i == query_ || i == key_ || i == hovered_) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(t.index, i == query_ ? 2.0 : 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(box).adjusted(-0.5, -0.5, 0.5, 0.5), 2, 2);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    }
    if (showsFocus(this)) drawFocusRing(painter, rect());
}

int TokenStrip::tokenAt(QPoint point) const {
    for (std::size_t i = 0; i < boxes_.size(); ++i)
        if (boxes_[i].contains(point)) return static_cast<int>(i);
    return -1;
}

void TokenStrip::speak(int index) {
    if (index < 0 || index >= tokens_.size()) return;
    QString text = tr("token %1: %2").arg(index).arg(tokens_[index]);
    if (static_cast<std::size_t>(index) < weights_.size())
        text += tr(", weight %1").arg(displayNumber(weights_[static_cast<std::size_t>(index)]));
    setAccessibleDescription(text);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
    const int index = tokenAt(event->position().toPoint());
    if (index == hovered_) return;
    hovered_ = index;
    speak(index);
    emit tokenHovered(index);
    update();
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    const int index = tokenAt(event->position().toPoint());
    if (index < 0 || event->button() != Qt::LeftButton) return;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        setKey(index);
        emit tokenCompared(index);
    } else {
        setQuery(index);
        emit tokenLocked(index);
    }
}

void TokenStrip::leaveEvent(QEvent*) {
    hovered_ = -1;
    emit tokenHovered(-1);
    update();
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(tokens_.size());
    if (count == 0) return QWidget::keyPressEvent(event);
    int index = query_;
    switch (event->key()) {
        case Qt::Key_Left:
            index = std::max(query_ - 1, 0);
            break;
        case Qt::Key_Right:
            index = std::min(query_ + 1, count - 1);
            break;
        case Qt::Key_Home:
            index = 0;
            break;
        case Qt::Key_End:
            index = count - 1;
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    setQuery(index);
    speak(index);
    emit tokenLocked(index);
}

}  // namespace sextant
