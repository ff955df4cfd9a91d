#include "widgets/docks/run_inspector.h"

#include <unistd.h>

#include <QDateTime>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSysInfo>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/file_lock.h"
#include "core/experiment/config_io.h"
#include "widgets/commands.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"

namespace sextant {

namespace {

QString whole(std::int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

QString shortHash(const std::string& hash) {
    return hash.empty() ? QStringLiteral("–") : QString::fromStdString(hash.substr(0, 12));
}

// Resident memory of the process that holds a run's lock, in MiB; nothing when it is gone or of another host.
std::optional<double> residentMemory(const RunDirectory& directory) {
    const auto owner = FileLock::owner(directory.lock_file());
    if (!owner || owner->host != QSysInfo::machineHostName().toStdString()) return std::nullopt;
    QFile file(QStringLiteral("/proc/%1/statm").arg(owner->process));
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QList<QByteArray> fields = file.readAll().split(' ');
    static const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    bool good = false;
    const double pages = fields.value(1).toDouble(&good);
    return good && pages > 0 ? std::optional(pages * page / (1 << 20)) : std::nullopt;
}

}  // namespace

QStringList planDifferences(const RunSnapshot& from, const RunSnapshot& to, int* equal) {
    QStringList lines;
    int same = 0;
    const auto compare = [&](const QString& section, const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
        const auto left = a.flatten();
        const auto right = b.flatten();
        const auto text = [](const nlohmann::ordered_json& flat, const std::string& key) {
            return flat.contains(key) ? QString::fromStdString(flat.at(key).dump()).remove('"') : QStringLiteral("–");
        };
        QStringList keys;
        for (const auto& [key, value] : left.items())
            keys << QString::fromStdString(key);
        for (const auto& [key, value] : right.items()) {
            if (!left.contains(key)) keys << QString::fromStdString(key);
        }
        for (const QString& key : keys) {
            const QString was = text(left, key.toStdString());
            const QString now = text(right, key.toStdString());
            if (was == now) {
                ++same;
                continue;
            }
            lines << QStringLiteral("%1%2: %3 → %4").arg(section, QString(key).replace('/', '.'), was, now);
        }
    };
    compare("encoding", to_json(from.plan->encoding), to_json(to.plan->encoding));
    compare("model", to_json(from.plan->model), to_json(to.plan->model));
    compare("training", to_json(from.plan->training), to_json(to.plan->training));
    compare("data", to_json(from.plan->data), to_json(to.plan->data));
    if (equal != nullptr) *equal = same;
    return lines;
}

RunInspector::RunInspector(Session& session, Commands& commands, QWidget* parent) : QWidget(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    run_ = new Section(tr("Run"));
    state_ = run_->addLine(tr("State"));
    progress_ = run_->addLine(tr("Progress"));
    loss_ = run_->addLine(tr("Val loss"));
    left_ = run_->addLine(tr("Left"));
    speed_ = run_->addLine(tr("Speed"));
    memory_ = run_->addLine(tr("Memory"));
    last_ = run_->addLine(tr("Last point"));
    buttons_ = new QWidget;
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(0, scaled(4), 0, 0);
    row->setSpacing(scaled(6));
    pause_ = new QPushButton(tr("Pause"));
    pause_->setObjectName("inspectorPause");
    connect(pause_, &QPushButton::clicked, commands.action("run.pause"), &QAction::trigger);
    checkpoint_ = new QPushButton(tr("Checkpoint"));
    connect(checkpoint_, &QPushButton::clicked, commands.action("run.checkpoint"), &QAction::trigger);
    stop_ = new QPushButton(tr("Stop"));
    connect(stop_, &QPushButton::clicked, commands.action("run.stop"), &QAction::trigger);
    for (QPushButton* button : {pause_, checkpoint_, stop_})
        row->addWidget(button);
    row->addStretch(1);
    run_->add(buttons_);
    problem_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kErr);
    problem_->setWordWrap(true);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    run_->add(problem_);
    column->addWidget(run_);

    differences_ = new Section(tr("What differs from the baseline"));
    differenceText_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    differenceText_->setWordWrap(true);
    differenceText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    differences_->add(differenceText_);
    equal_ = new QuietLabel;
    equal_->setWordWrap(true);
    differences_->add(equal_);
    column->addWidget(differences_);

    notes_ = new Section(tr("Tags and note"));
    tags_ = new QLineEdit;
    tags_->setPlaceholderText(tr("tags, separated by commas"));
    tags_->setAccessibleName(tr("Tags of the run"));
    notes_->add(tags_);
    note_ = new QPlainTextEdit;
    note_->setPlaceholderText(tr("note"));
    note_->setAccessibleName(tr("Note on the run"));
    note_->setFixedHeight(scaled(64));
    note_->setTabChangesFocus(true);
    notes_->add(note_);
    column->addWidget(notes_);
    connect(tags_, &QLineEdit::editingFinished, this, &RunInspector::saveNote);
    auto* pending = new QTimer(this);
    pending->setSingleShot(true);
    pending->setInterval(800);
    connect(note_, &QPlainTextEdit::textChanged, pending, qOverload<>(&QTimer::start));
    connect(pending, &QTimer::timeout, this, &RunInspector::saveNote);

    provenance_ = new Section(tr("Provenance"));
    plan_ = provenance_->addLine(tr("Plan"));
    commit_ = provenance_->addLine(tr("Commit"));
    data_ = provenance_->addLine(tr("Data"));
    started_ = provenance_->addLine(tr("Trained by"));
    column->addWidget(provenance_);
    column->addStretch(1);

    clock_ = new QTimer(this);
    clock_->setInterval(500);
    connect(clock_, &QTimer::timeout, this, [this] {
        if (isVisible()) refresh();
    });
    clock_->start();
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible()) refresh();
    });
    connect(&session_.selection(), &Selection::runChanged, this, &RunInspector::refresh);
    connect(&session_.selection(), &Selection::baselineChanged, this, &RunInspector::refresh);
    connect(&session_.notes(), &RunNotes::changed, this, [this] {
        notedFolder_.clear();
        refresh();
    });
    refresh();
}

void RunInspector::hideEvent(QHideEvent* event) {
    saveNote();
    QWidget::hideEvent(event);
}

void RunInspector::refresh() {
    const RunSnapshot* run = session_.selectedRun();
    const QString before = subject_;
    if (run != nullptr)
        showRun(*run);
    else
        showArm();
    showDifferences();
    showNotes();
    if (subject_ != before) Q_EMIT subjectChanged(subject_);
}

void RunInspector::showRun(const RunSnapshot& run) {
    const RunState& state = *run.state;
    subject_ = tr("%1 s%2").arg(run.arm()).arg(run.seed());
    state_->setText(statusText(run.status()));
    progress_->setText(tr("%1 / %2").arg(whole(state.step), whole(run.totalSteps())));
    const auto loss = run.validationLoss();
    loss_->setText(!loss                   ? QStringLiteral("–")
                   : std::isnan(*loss)     ? QStringLiteral("NaN")
                   : !std::isfinite(*loss) ? QStringLiteral("∞")
                                           : QLocale().toString(*loss, 'f', 4));
    const auto left = run.secondsLeft();
    left_->setText(left ? durationText(*left) : QStringLiteral("–"));
    const double speed = run.tokensPerSecond();
    speed_->setText(speed > 0 ? tr("%1 tokens/s").arg(QLocale().toString(speed, 'f', 0)) : QStringLiteral("–"));
    const std::optional<double> resident = run.live() ? residentMemory(run.directory) : std::nullopt;
    memory_->setText(resident ? tr("%1 MiB now").arg(QLocale().toString(*resident, 'f', 0))
                     : state.completed && state.completed->peak_rss_mb > 0
                         ? tr("%1 MiB peak").arg(QLocale().toString(state.completed->peak_rss_mb, 'f', 0))
                         : QStringLiteral("–"));
    if (state.last_time > 0) {
        const double age =
            static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3 - static_cast<double>(state.last_time) / 1e9;
        last_->setText(run.live() ? tr("%1 ago").arg(durationText(age))
                                  : QLocale().toString(QDateTime::fromMSecsSinceEpoch(state.last_time / 1'000'000),
                                                       QLocale::ShortFormat));
    } else {
        last_->setText(QStringLiteral("–"));
    }
    const bool live = run.live() && !run.external;
    buttons_->setVisible(!run.imported);
    pause_->setEnabled(live);
    checkpoint_->setEnabled(live);
    stop_->setEnabled(live);
    const bool paused = run.status() == RunStatus::kPaused;
    pause_->setText(paused ? tr("Resume") : tr("Pause"));
    QStringList problems = run.problems;
    for (const std::string& warning : state.warnings)
        problems << QString::fromStdString(warning);
    if (state.failed) problems.prepend(QString::fromStdString(state.failed->message));
    if (state.diverged)
        problems.prepend(tr("%1 was not finite at step %2; last checkpoint: %3.")
                             .arg(QString::fromStdString(state.diverged->quantity), whole(state.step),
                                  state.diverged->last_checkpoint.empty()
                                      ? tr("none")
                                      : QString::fromStdString(state.diverged->last_checkpoint)));
    problem_->setText(problems.join('\n'));
    problem_->setVisible(!problems.isEmpty());
    if (run.imported) {
        plan_->setText(tr("none: a log of another program"));
        commit_->setText(QStringLiteral("–"));
        data_->setText(tr("unknown to the logs"));
        started_->setText(QStringLiteral("–"));
        progress_->setText(tr("step %1").arg(whole(state.step)));
        state_->setText(tr("read from logs"));
        return;
    }
    plan_->setText(shortHash(run.plan->plan_sha256));
    commit_->setText(state.started ? QString::fromStdString(state.started->commit) : QStringLiteral("–"));
    data_->setText(QString::fromStdString(run.plan->data.corpus.kind) + " " +
                   shortHash(run.plan->identity.corpus_sha256));
    started_->setText(state.started ? tr("%1, %2, %n thread(s)", nullptr, static_cast<int>(state.started->threads))
                                          .arg(QString::fromStdString(state.started->host),
                                               QString::fromStdString(state.started->path))
                                    : QStringLiteral("–"));
}

// A variant's numbers are its seeds': their mean with the smallest and the largest.
void RunInspector::showArm() {
    const QString arm = session_.selection().arm();
    subject_ = arm;
    const ProjectSnapshotPtr now = session_.snapshot();
    const QLocale locale;
    int total = 0, done = 0, live = 0, failed = 0, imported = 0;
    double progress = 0, left = 0;
    std::vector<double> losses, speeds, memories;
    std::int64_t last = 0;
    QStringList commits, data, machines, plans, problems;
    const auto once = [](QStringList& list, const QString& text) {
        if (!text.isEmpty() && !list.contains(text)) list << text;
    };
    if (now) {
        for (const RunSnapshot* run : now->runsOf(arm)) {
            const RunState& state = *run->state;
            ++total;
            imported += run->imported ? 1 : 0;
            progress += run->progress();
            done += run->status() == RunStatus::kCompleted ? 1 : 0;
            live += run->live() && !run->external ? 1 : 0;
            failed += run->status() == RunStatus::kFailed || run->status() == RunStatus::kDiverged ? 1 : 0;
            if (const auto seconds = run->secondsLeft()) left = std::max(left, *seconds);
            if (const auto loss = run->validationLoss(); loss && std::isfinite(*loss)) losses.push_back(*loss);
            if (const double speed = run->tokensPerSecond(); speed > 0) speeds.push_back(speed);
            if (state.completed && state.completed->peak_rss_mb > 0) memories.push_back(state.completed->peak_rss_mb);
            last = std::max(last, state.last_time);
            if (state.started) {
                once(commits, QString::fromStdString(state.started->commit));
                once(machines, tr("%1, %2, %n thread(s)", nullptr, static_cast<int>(state.started->threads))
                                   .arg(QString::fromStdString(state.started->host),
                                        QString::fromStdString(state.started->path)));
            }
            if (!run->imported) {
                once(data, QString::fromStdString(run->plan->data.corpus.kind) + " " +
                               shortHash(run->plan->identity.corpus_sha256));
                once(plans, shortHash(run->plan->plan_sha256));
            }
            for (const QString& problem : run->problems)
                problems << tr("s%1: %2").arg(run->seed()).arg(problem);
            if (state.failed)
                problems << tr("s%1: %2").arg(run->seed()).arg(QString::fromStdString(state.failed->message));
            if (state.diverged)
                problems << tr("s%1: %2 was not finite at step %3")
                                .arg(run->seed())
                                .arg(QString::fromStdString(state.diverged->quantity), whole(state.step));
        }
    }
    const QString none = QStringLiteral("–");
    const auto spread = [&](std::vector<double>& values, int digits, const QString& unit) {
        if (values.empty()) return none;
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        double mean = 0;
        for (const double value : values)
            mean += value / static_cast<double>(values.size());
        QString text = locale.toString(mean, 'f', digits) + unit;
        if (values.size() > 1)
            text += "\n" + tr("%1 – %2").arg(locale.toString(*low, 'f', digits), locale.toString(*high, 'f', digits));
        return text;
    };
    state_->setText(total == 0 ? tr("not trained yet")
                    : imported == total
                        ? tr("%n read from logs", nullptr, total)
                        : tr("%1 of %2 finished").arg(done).arg(total) +
                              (failed > 0 ? ", " + tr("%n without a result", nullptr, failed) : QString()));
    progress_->setText(total > 0 ? tr("%1 %").arg(static_cast<int>(progress * 100 / total)) : none);
    loss_->setText(spread(losses, 3, {}));
    left_->setText(left > 0 ? durationText(left) : none);
    speed_->setText(spread(speeds, 0, " " + tr("tokens/s")));
    memory_->setText(spread(memories, 0, " " + tr("MiB peak")));
    last_->setText(last > 0 ? locale.toString(QDateTime::fromMSecsSinceEpoch(last / 1'000'000), QLocale::ShortFormat)
                            : none);
    const auto one = [&](const QStringList& list, const QString& several) {
        return list.isEmpty() ? none : list.size() == 1 ? list.front() : several;
    };
    plan_->setText(one(plans, tr("%n plan(s), one a seed", nullptr, static_cast<int>(plans.size()))));
    commit_->setText(one(commits, tr("%n different", nullptr, static_cast<int>(commits.size()))));
    data_->setText(imported > 0 && data.isEmpty()
                       ? tr("unknown to the logs")
                       : one(data, tr("%n different", nullptr, static_cast<int>(data.size()))));
    started_->setText(one(machines, machines.join('\n')));
    pause_->setEnabled(live > 0);
    checkpoint_->setEnabled(live > 0);
    stop_->setEnabled(live > 0);
    buttons_->setVisible(imported < total || total == 0);
    pause_->setText(tr("Pause"));
    problem_->setText(problems.join('\n'));
    problem_->setVisible(!problems.isEmpty());
}

void RunInspector::showDifferences() {
    const ProjectSnapshotPtr now = session_.snapshot();
    const QString baseline = session_.baseline();
    const QString arm = session_.selection().arm();
    if (!now || arm.isEmpty() || arm == baseline) {
        differences_->setVisible(now != nullptr && !arm.isEmpty());
        differenceText_->setText(tr("This is the baseline."));
        equal_->setText({});
        return;
    }
    const auto base = now->runsOf(baseline);
    const auto mine = now->runsOf(arm);
    differences_->setVisible(!base.empty() && !mine.empty());
    if (base.empty() || mine.empty()) return;
    if (base.front()->imported || mine.front()->imported) {
        differenceText_->setText(tr("Unknown: logs of other programs say nothing about the configuration."));
        equal_->setText({});
        return;
    }
    int equal = 0;
    const QStringList lines = planDifferences(*base.front(), *mine.front(), &equal);
    differenceText_->setText(lines.isEmpty() ? tr("Nothing: the same plan under two names.") : lines.join('\n'));
    QString note = tr("%n other field(s) are equal.", nullptr, equal);
    const auto& a = base.front()->state->started;
    const auto& b = mine.front()->state->started;
    if (a && b && !a->batch_order_sha256.empty() && base.front()->seed() == mine.front()->seed()) {
        if (a->batch_order_sha256 == b->batch_order_sha256) note += " " + tr("Same batches.");
        if (!a->shared_weights_sha256.empty() && a->shared_weights_sha256 == b->shared_weights_sha256)
            note += " " + tr("Same shared initial weights.");
    }
    equal_->setText(note);
}

void RunInspector::showNotes() {
    const QString folder = session_.selection().run();
    notes_->setVisible(!folder.isEmpty());
    if (folder == notedFolder_) return;
    saveNote();
    notedFolder_ = folder;
    const QSignalBlocker block(note_);
    tags_->setText(session_.notes().tags(folder).join(", "));
    if (note_->toPlainText() != session_.notes().note(folder)) note_->setPlainText(session_.notes().note(folder));
}

void RunInspector::saveNote() {
    if (notedFolder_.isEmpty() || !session_.isOpen()) return;
    const QString folder = notedFolder_;
    QStringList tags;
    for (const QString& tag : tags_->text().split(',', Qt::SkipEmptyParts)) {
        if (!tag.trimmed().isEmpty()) tags << tag.trimmed();
    }
    const QString text = note_->toPlainText();
    session_.notes().setTags(folder, tags);
    session_.notes().setNote(folder, text);
}

}  // namespace sextant
