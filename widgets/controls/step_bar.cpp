#include "widgets/controls/step_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "widgets/controls/icon_button.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/step_groove.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

namespace sextant {
namespace {

constexpr int kPlayInterval = 200;  // ms a snapshot

}  // namespace

StepBar::StepBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(scaled(40));
    setAccessibleName(tr("Step bar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(scaled(12), 0, scaled(12), 0);
    row->setSpacing(scaled(6));
    auto* title = new QLabel(tr("Step"), this);
    title->setFont(textFont(TextRole::kTitle));
    row->addWidget(title);
    row->addSpacing(scaled(4));
    const auto button = [&](const char* iconName, const QString& name, const QString& key, auto slot) {
        auto* made = new IconButton(QLatin1String(iconName), name, this, key);
        connect(made, &QToolButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    button("first", tr("First step"), tr("Home"), &StepBar::first);
    button("previous", tr("Previous snapshot"), QStringLiteral(","), &StepBar::previous);
    play_ = button("play", tr("Play the snapshots"), {}, [this] { setPlaying(!playing()); });
    button("next", tr("Next snapshot"), QStringLiteral("."), &StepBar::next);
    button("last", tr("Last step"), tr("End"), &StepBar::last);
    groove_ = new StepGroove(this);
    row->addWidget(groove_, 3);
    numbers_ = new QLabel(this);
    numbers_->setFont(textFont(TextRole::kValue));
    row->addWidget(numbers_);
    note_ = new QLabel(this);
    note_->setFont(textFont(TextRole::kNote));
    row->addWidget(note_);
    row->addStretch(1);
    follow_ = new QCheckBox(tr("Follow live"), this);
    follow_->setToolTip(tr("Stay at the newest step (L)"));
    row->addWidget(follow_);
    timer_ = new QTimer(this);
    timer_->setInterval(kPlayInterval);
    connect(timer_, &QTimer::timeout, this, [this] {
        const auto all = stops();
        if (all.empty() || step() >= all.back()) {
            setPlaying(false);
        } else {
            next();
        }
    });
    connect(groove_, &QAbstractSlider::valueChanged, this, [this](int value) {
        showNumbers();
        if (value < groove_->recorded() && follow_->isChecked()) follow_->setChecked(false);
        emit stepChanged(value);
    });
    connect(follow_, &QCheckBox::toggled, this, [this](bool on) {
        if (on) groove_->setValue(static_cast<int>(groove_->recorded()));
        emit followLiveChanged(on);
    });
    showNumbers();
}

void StepBar::setSteps(qint64 total, qint64 recorded, std::vector<qint64> snapshots) {
    const bool follow = follow_->isChecked();
    groove_->setSteps(total, recorded, std::move(snapshots));
    if (follow) groove_->setValue(static_cast<int>(groove_->recorded()));
    setEnabled(total > 0);
    showNumbers();
}

void StepBar::setTokensPerStep(double tokens) {
    tokensPerStep_ = tokens;
    showNumbers();
}

void StepBar::setNote(const QString& note) {
    note_->setText(note);
}

qint64 StepBar::step() const {
    return groove_->value();
}

void StepBar::setStep(qint64 step) {
    groove_->setValue(static_cast<int>(std::clamp<qint64>(step, 0, groove_->recorded())));
}

bool StepBar::followsLive() const {
    return follow_->isChecked();
}

void StepBar::setFollowLive(bool follow) {
    follow_->setChecked(follow);
}

bool StepBar::playing() const {
    return timer_->isActive();
}

void StepBar::setPlaying(bool playing) {
    if (playing) {
        const auto all = stops();
        if (!all.empty() && step() >= all.back()) first();
        timer_->start();
    } else {
        timer_->stop();
    }
    play_->setIconName(playing ? QStringLiteral("pause") : QStringLiteral("play"));
    play_->setAccessibleName(playing ? tr("Stop playing") : tr("Play the snapshots"));
}

std::vector<qint64> StepBar::stops() const {
    std::vector<qint64> all;
    for (const qint64 snapshot : groove_->snapshots())
        if (snapshot <= groove_->recorded()) all.push_back(snapshot);
    if (all.empty() || all.back() != groove_->recorded()) all.push_back(groove_->recorded());
    return all;
}

void StepBar::first() {
    setStep(0);
}

void StepBar::previous() {
    const auto all = stops();
    const auto at = std::lower_bound(all.begin(), all.end(), step());
    setStep(at == all.begin() ? 0 : *(at - 1));
}

void StepBar::next() {
    const auto all = stops();
    const auto at = std::upper_bound(all.begin(), all.end(), step());
    setStep(at == all.end() ? groove_->recorded() : *at);
}

void StepBar::last() {
    setStep(groove_->recorded());
}

void StepBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Comma:
            previous();
            return;
        case Qt::Key_Period:
            next();
            return;
        case Qt::Key_L:
            follow_->toggle();
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void StepBar::showNumbers() {
    QString text = groove_->total() > 0
                       ? QStringLiteral("%1 / %2").arg(groupedNumber(step()), groupedNumber(groove_->total()))
                       : tr("no steps");
    if (tokensPerStep_ > 0 && groove_->total() > 0)
        text += tr("  tokens %1").arg(compactNumber(static_cast<double>(step()) * tokensPerStep_));
    numbers_->setText(text);
    groove_->setAccessibleDescription(text);
}

void StepBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.setPen(theme().line);
    painter.drawLine(0, 0, width(), 0);
}

}  // namespace sextant
