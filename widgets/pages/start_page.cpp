#include "widgets/pages/start_page.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QThread>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>
#include <vector>

#include "core/base/build_info.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/docks/queue_strip.h"
#include "widgets/engine/worker_process.h"
#include "widgets/forms/action_button.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/preferences.h"
#include "widgets/models/recent_summary.h"
#include "widgets/models/run_snapshot.h"
#include "widgets/pages/sample_gallery.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

namespace sextant {

namespace {

// "12.5 of 15.6 GiB free" from /proc/meminfo; empty where there is none.
QString memoryText() {
    QFile file(QStringLiteral("/proc/meminfo"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    double total = 0, available = 0;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray& line : lines) {
        const QList<QByteArray> parts = line.simplified().split(' ');
        if (parts.size() < 2) continue;
        if (parts[0] == "MemTotal:") total = parts[1].toDouble() / (1024 * 1024);
        if (parts[0] == "MemAvailable:") available = parts[1].toDouble() / (1024 * 1024);
    }
    return StartPage::tr("%1 of %2 GiB free")
        .arg(QLocale().toString(available, 'f', 1), QLocale().toString(total, 'f', 1));
}

QString shortPath(const QString& path) {
    const QString home = QDir::homePath();
    return path.startsWith(home + "/") ? "~" + path.mid(home.size()) : path;
}

QString whenText(const QDateTime& time) {
    const QDateTime local = time.toLocalTime();
    const qint64 days = local.date().daysTo(QDate::currentDate());
    if (days == 0) return StartPage::tr("today %1").arg(QLocale().toString(local.time(), "HH:mm"));
    if (days == 1) return StartPage::tr("yesterday");
    return QLocale().toString(local.date(), "d MMM");
}

// The last run's validation loss as a line without axes: which project is which is seen before it is read.
class Sparkline : public QWidget {
  public:
    Sparkline() { setFixedSize(scaled(88), scaled(28)); }
    void setCurve(std::vector<double> values, int slot) {
        values_ = std::move(values);
        slot_ = slot;
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        if (values_.size() < 2) return;
        const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
        const double span = std::max(*high - *low, 1e-12);
        QPolygonF line;
        for (std::size_t i = 0; i < values_.size(); ++i)
            line << QPointF(1 + static_cast<double>(i) / static_cast<double>(values_.size() - 1) * (width() - 2),
                            2 + (*high - values_[i]) / span * (height() - 4));
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme().series(slot_).color, 1.5));
        painter.drawPolyline(line);
    }

  private:
    std::vector<double> values_;
    int slot_ = 0;
};

}  // namespace

StartPage::StartPage(Preferences& preferences, QWidget* parent) : QWidget(parent), preferences_(preferences) {
    setObjectName("start");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    left_ = makeActions();
    row->addWidget(left_);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(scaled(36), scaled(28), scaled(36), scaled(24));
    column->setSpacing(scaled(8));
    message_ = new InlineBar;
    message_->setClosable(true);
    message_->hide();
    connect(message_, &InlineBar::closed, message_, &QWidget::hide);
    column->addWidget(message_);
    column->addWidget(makeSample());
    column->addSpacing(scaled(12));
    column->addWidget(makeRecent());
    column->addStretch(1);
    if (!preferences_.hintHidden("sample-copy")) {
        auto* hint = new InlineBar;
        hint->setClosable(true);
        hint->show(BarKind::kInfo, tr("The sample opens in a temporary copy."),
                   tr("Change anything, nothing is lost."));
        connect(hint, &InlineBar::closed, this, [this, hint] {
            hint->hide();
            preferences_.hideHint("sample-copy");
        });
        column->addWidget(hint);
    }
    scroll->setWidget(right);
    row->addWidget(scroll, 1);
}

QWidget* StartPage::makeActions() {
    auto* panel = new QWidget;
    panel->setFixedWidth(scaled(404));
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(scaled(32), scaled(36), scaled(32), scaled(20));
    column->setSpacing(scaled(8));

    auto* head = new QHBoxLayout;
    head->setSpacing(scaled(16));
    auto* picture = new QLabel;
    picture->setPixmap(applicationIcon().pixmap(scaled(62), scaled(62)));
    picture->setAccessibleName(tr("Sextant"));
    head->addWidget(picture);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(new QuietLabel(tr("Sextant"), TextRole::kProduct, QuietLabel::Ink::kText));
    names->addWidget(new QuietLabel(tr("See what a position encoding does."), TextRole::kBody));
    head->addLayout(names, 1);
    column->addLayout(head);
    column->addSpacing(scaled(20));

    auto* sample =
        new ActionButton("folder", tr("Open the sample project"), tr("RoPE, ALiBi, sinusoidal; every page is filled"));
    sample->setPrimary(true);
    sample->setObjectName("openSample");
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
    auto* first = new ActionButton("play", tr("Train a first run"), tr("RoPE against ALiBi, about a minute"));
    first->setObjectName("firstRun");
    connect(first, &QPushButton::clicked, this, &StartPage::firstRunRequested);
    auto* fresh = new ActionButton("plus", tr("New experiment"), tr("From a preset, field by field"), "Ctrl+N");
    fresh->setObjectName("newExperiment");
    connect(fresh, &QPushButton::clicked, this, &StartPage::newRequested);
    auto* open =
        new ActionButton("folder", tr("Open a project"), tr("Also one that another machine is writing"), "Ctrl+O");
    open->setObjectName("openProject");
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    column->addWidget(sample);
    column->addWidget(first);
    column->addSpacing(scaled(12));
    column->addWidget(fresh);
    column->addWidget(open);
    auto* logs = new ActionButton("import", tr("Open logs of other programs"),
                                  tr("TensorBoard event files, CSV tables"), "Ctrl+Shift+O");
    logs->setObjectName("openLogs");
    connect(logs, &QPushButton::clicked, this, &StartPage::importRequested);
    column->addWidget(logs);
    column->addWidget(new QuietLabel(tr("Or drop any of these on the window."), TextRole::kNote));
    column->addStretch(1);
    column->addWidget(makeMachine());
    return panel;
}

QWidget* StartPage::makeMachine() {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(scaled(6));
    grid->setColumnMinimumWidth(0, scaled(90));
    grid->setColumnStretch(1, 1);
    grid->addWidget(new QuietLabel(tr("This machine"), TextRole::kTitle, QuietLabel::Ink::kText), 0, 0, 1, 2);
    const QString program = WorkerProcess::findProgram();
    const auto line = [&](int row, const QString& name, const QString& value) {
        grid->addWidget(new QuietLabel(name, TextRole::kNote), row, 0);
        grid->addWidget(new QuietLabel(value, TextRole::kNote, QuietLabel::Ink::kText), row, 1);
    };
    line(1, tr("Training"),
         program.isEmpty() ? tr("sextant-cli not found; viewing only")
                           : tr("CPU, %n thread(s)", nullptr, QThread::idealThreadCount()));
    line(2, tr("Memory"), memoryText());
    line(3, tr("Network"), tr("not used"));
    grid->addWidget(new QuietLabel(QString::fromStdString(build_info().version), TextRole::kNote), 4, 1,
                    Qt::AlignRight);
    return box;
}

QWidget* StartPage::makeSample() {
    return new SampleGallery;
}

QWidget* StartPage::makeRecent() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(scaled(8));
    auto* head = new QHBoxLayout;
    head->addWidget(new QuietLabel(tr("Recent"), TextRole::kSection, QuietLabel::Ink::kText));
    head->addStretch(1);
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("filter"));
    filter_->setAccessibleName(tr("Filter recent projects"));
    filter_->setClearButtonEnabled(true);
    filter_->setFixedWidth(scaled(240));
    connect(filter_, &QLineEdit::textChanged, this, &StartPage::refreshRecent);
    head->addWidget(filter_);
    column->addLayout(head);
    auto* frame = new QFrame;
    frame->setProperty("card", true);
    recent_ = new QVBoxLayout(frame);
    recent_->setContentsMargins(0, 0, 0, 0);
    recent_->setSpacing(0);
    column->addWidget(frame);
    return box;
}

QWidget* StartPage::makeRow(const QString& path, const QString& when) {
    auto* row = new QWidget;
    row->setFixedHeight(scaled(48));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(scaled(12), 0, scaled(12), 0);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addStretch(1);
    names->addWidget(new QuietLabel(QFileInfo(path).fileName(), TextRole::kTitle, QuietLabel::Ink::kText));
    names->addWidget(new QuietLabel(shortPath(path), TextRole::kToken));
    names->addStretch(1);
    line->addLayout(names, 1);
    const bool exists = QFileInfo::exists(path);
    auto* spark = new Sparkline;
    line->addWidget(spark);
    line->addSpacing(scaled(12));
    auto* glyph = new StatusGlyph;
    glyph->hide();
    line->addWidget(glyph);
    auto* state = new QuietLabel(exists ? QString() : tr("folder not found"), TextRole::kNote, QuietLabel::Ink::kText);
    line->addWidget(state, 1);
    if (exists) {
        QtConcurrent::run(summariseProject, path).then(row, [spark, glyph, state](const RecentSummary& summary) {
            spark->setCurve(summary.curve, summary.slot);
            state->setText(summary.text);
            glyph->setVisible(summary.status.has_value());
            if (summary.status) glyph->setStatus(*summary.status, summary.progress);
        });
    } else {
        glyph->setStatus(RunStatus::kFailed, 0);
        glyph->show();
    }
    auto* button = new QPushButton(exists ? tr("Open") : tr("Forget"));
    button->setAccessibleName(exists ? tr("Open %1").arg(path) : tr("Forget %1").arg(path));
    connect(button, &QPushButton::clicked, this, [this, path, exists] {
        if (exists) {
            Q_EMIT projectRequested(path);
        } else {
            preferences_.removeRecent(path);
            QMetaObject::invokeMethod(this, &StartPage::refreshRecent, Qt::QueuedConnection);
        }
    });
    line->addWidget(button);
    auto* date = new QuietLabel(when, TextRole::kNote);
    date->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    date->setMinimumWidth(scaled(90));
    line->addWidget(date);
    return row;
}

void StartPage::refreshRecent() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    const QString wanted = filter_->text().trimmed();
    const QList<RecentProject> projects = preferences_.recent();
    bool any = false;
    for (const RecentProject& project : projects) {
        if (!wanted.isEmpty() && !project.path.contains(wanted, Qt::CaseInsensitive)) continue;
        if (any) {
            auto* rule = new Panel(Panel::Ground::kPlot, Panel::Edge::kBottom);
            rule->setFixedHeight(1);
            recent_->addWidget(rule);
        }
        recent_->addWidget(makeRow(project.path, whenText(project.opened)));
        any = true;
    }
    if (any) return;
    auto* empty = new QWidget;
    empty->setFixedHeight(scaled(48));
    auto* line = new QHBoxLayout(empty);
    line->setContentsMargins(scaled(12), 0, scaled(12), 0);
    line->addWidget(new QuietLabel(projects.isEmpty() ? tr("No project was opened yet.")
                                                      : tr("No recent project has “%1” in its path.").arg(wanted),
                                   TextRole::kBody));
    line->addStretch(1);
    recent_->addWidget(empty);
}

void StartPage::showMessage(const QString& fact, const QString& consequence) {
    message_->show(BarKind::kError, fact, consequence);
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshRecent();
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    painter.fillRect(left_->geometry(), theme().panel);
    painter.setPen(theme().line);
    painter.drawLine(left_->geometry().topRight(), left_->geometry().bottomRight());
}

}  // namespace sextant
