#include "widgets/docks/queue_strip.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QTime>
#include <QTimer>

#include "widgets/docks/run_delegate.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/theme/theme.h"

namespace sextant {

StatusGlyph::StatusGlyph(QWidget* parent) : QWidget(parent), status_(static_cast<int>(RunStatus::kQueued)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StatusGlyph::setStatus(RunStatus status, double progress) {
    status_ = static_cast<int>(status);
    progress_ = progress;
    update();
}

QSize StatusGlyph::sizeHint() const {
    return {scaled(14), scaled(14)};
}

void StatusGlyph::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawStatusGlyph(painter, QRectF(rect()).adjusted(1, 1, -1, -1), static_cast<RunStatus>(status_), progress_);
}

QueueStrip::QueueStrip(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(scaled(12), scaled(4), scaled(12), scaled(4));
    row->setSpacing(scaled(10));
    title_ = new QuietLabel(tr("Queue"), TextRole::kTitle, QuietLabel::Ink::kText);
    glyph_ = new StatusGlyph;
    running_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    numbers_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    waiting_ = new QuietLabel({}, TextRole::kNote);
    last_ = new QuietLabel({}, TextRole::kNote);
    errors_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    row->addWidget(title_);
    row->addWidget(glyph_);
    row->addWidget(running_);
    row->addWidget(numbers_);
    row->addWidget(waiting_);
    row->addStretch(1);
    row->addWidget(last_);
    row->addWidget(errors_);
    setFixedHeight(scaled(30));
    clock_ = new QTimer(this);
    clock_->setInterval(500);
    connect(clock_, &QTimer::timeout, this, [this] {
        if (isVisible() && session_.training()) refresh();
    });
    clock_->start();
    connect(&session_, &Session::snapshotChanged, this, &QueueStrip::refresh);
    connect(&session_, &Session::projectChanged, this, [this] {
        noted_ = false;
        refresh();
    });
    connect(&session_, &Session::trainingChanged, this, &QueueStrip::refresh);
    refresh();
}

void QueueStrip::note(const QString& text) {
    noted_ = true;
    last_->setText(QTime::currentTime().toString("HH:mm:ss") + "  " + text);
}

void QueueStrip::refresh() {
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* shown = nullptr;
    const RunSnapshot* newest = nullptr;
    int live = 0, queued = 0, errors = 0;
    if (now) {
        for (const RunSnapshot& run : now->runs) {
            const RunStatus status = run.status();
            if (run.live()) {
                ++live;
                if (shown == nullptr || status == RunStatus::kRunning) shown = &run;
            }
            queued += status == RunStatus::kQueued ? 1 : 0;
            errors +=
                status == RunStatus::kFailed || status == RunStatus::kDiverged || status == RunStatus::kInterrupted ? 1
                                                                                                                    : 0;
            if (run.state->last_time > 0 && (newest == nullptr || run.state->last_time > newest->state->last_time))
                newest = &run;
        }
    }
    const bool ours = session_.worker().project() == session_.project() &&
                      (session_.worker().running() || session_.worker().starting());
    glyph_->setVisible(shown != nullptr || queued > 0);
    if (shown != nullptr) {
        glyph_->setStatus(shown->status(), shown->progress());
        running_->setText(tr("%1 s%2").arg(shown->arm()).arg(shown->seed()) +
                          (live > 1 ? "  " + tr("and %n more", nullptr, live - 1) : QString()));
        const double age = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3 -
                           static_cast<double>(shown->state->last_time) / 1e9;
        QString numbers = tr("%1 %").arg(static_cast<int>(shown->progress() * 100));
        if (const double speed = shown->tokensPerSecond(); speed > 0)
            numbers += "   " + tr("%1 tokens/s").arg(QLocale().toString(speed, 'f', 0));
        if (shown->status() == RunStatus::kPaused) numbers += "   " + tr("paused");
        if (shown->status() == RunStatus::kRunning && age > 1.5)
            numbers += "   " + tr("last point %1 ago").arg(durationText(age));
        numbers_->setText(numbers);
    } else if (ours) {
        running_->setText(tr("preparing the data"));
        numbers_->setText({});
    } else {
        running_->setText(queued > 0 ? tr("not started") : tr("empty"));
        numbers_->setText({});
        if (queued > 0) glyph_->setStatus(RunStatus::kQueued, 0);
    }
    waiting_->setText(queued > 0 ? tr("%n run(s) waiting", nullptr, queued) : QString());
    errors_->setText(tr("%n error(s)", nullptr, errors));
    errors_->setInk(errors > 0 ? QuietLabel::Ink::kErr : QuietLabel::Ink::kText2);
    if (!noted_ && live == 0 && newest != nullptr) {
        last_->setText(tr("last run: %1 s%2, %3")
                           .arg(newest->arm())
                           .arg(newest->seed())
                           .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(newest->state->last_time / 1'000'000),
                                                   QLocale::ShortFormat)));
    } else if (!noted_) {
        last_->clear();
    }
}

void QueueStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.setPen(theme().line);
    painter.drawLine(rect().topLeft(), rect().topRight());
}

}  // namespace sextant
