#include "widgets/models/run_model.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "core/run/queue_order.h"
#include "widgets/models/run_notes.h"
#include "widgets/theme/fonts.h"

namespace sextant {

namespace {

constexpr quintptr kTop = 0;  // internalId of variants; seeds carry their variant's row + 1

QString lossText(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return QLocale().toString(value, 'f', 3);
}

}  // namespace

QString durationText(double seconds) {
    const auto whole = static_cast<qint64>(std::llround(std::max(0.0, seconds)));
    if (whole < 60) return QCoreApplication::translate("sextant::RunModel", "%1 s").arg(whole);
    if (whole < 3600)
        return QCoreApplication::translate("sextant::RunModel", "%1 m %2 s")
            .arg(whole / 60)
            .arg(whole % 60, 2, 10, QLatin1Char('0'));
    return QCoreApplication::translate("sextant::RunModel", "%1 h %2 m")
        .arg(whole / 3600)
        .arg(whole % 3600 / 60, 2, 10, QLatin1Char('0'));
}

QString statusText(RunStatus status) {
    const char* word = "";
    switch (status) {
        case RunStatus::kQueued:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "queued");
            break;
        case RunStatus::kRunning:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "training");
            break;
        case RunStatus::kPaused:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "paused");
            break;
        case RunStatus::kInterrupted:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "interrupted");
            break;
        case RunStatus::kCompleted:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "finished");
            break;
        case RunStatus::kCancelled:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "stopped");
            break;
        case RunStatus::kDiverged:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "diverged");
            break;
        case RunStatus::kFailed:
            word = QT_TRANSLATE_NOOP("sextant::RunModel", "failed");
            break;
    }
    return QCoreApplication::translate("sextant::RunModel", word);
}

RunModel::RunModel(QObject* parent) : QAbstractItemModel(parent) {}

std::vector<RunModel::Arm> RunModel::group(const ProjectSnapshot& snapshot) {
    std::vector<Arm> arms;
    for (const QString& name : snapshot.arms)
        arms.push_back({name, {}});
    for (std::size_t i = 0; i < snapshot.runs.size(); ++i) {
        const qsizetype arm = snapshot.arms.indexOf(snapshot.runs[i].arm());
        if (arm >= 0) arms[static_cast<std::size_t>(arm)].runs.push_back(static_cast<int>(i));
    }
    return arms;
}

void RunModel::setSnapshot(const ProjectSnapshotPtr& snapshot) {
    QStringList folders;
    std::vector<Arm> arms;
    if (snapshot) {
        arms = group(*snapshot);
        for (const RunSnapshot& run : snapshot->runs)
            folders << run.folder();
    }
    if (arms == arms_ && folders == folders_ && snapshot && snapshot_) {
        const ProjectSnapshotPtr before = std::exchange(snapshot_, snapshot);
        const QString shown = baseline_.isEmpty() ? snapshot->baseline : baseline_;
        for (std::size_t row = 0; row < arms_.size(); ++row) {
            bool armChanged = before->baseline != snapshot->baseline;
            int first = -1, last = -1;
            for (std::size_t child = 0; child < arms_[row].runs.size(); ++child) {
                const auto at = static_cast<std::size_t>(arms_[row].runs[child]);
                const RunSnapshot& was = before->runs[at];
                const RunSnapshot& now = snapshot->runs[at];
                if (was.state == now.state && was.writerAlive == now.writerAlive && was.problems == now.problems)
                    continue;
                if (first < 0) first = static_cast<int>(child);
                last = static_cast<int>(child);
                armChanged = true;
            }
            const QModelIndex parent = index(static_cast<int>(row), 0);
            if (first >= 0) Q_EMIT dataChanged(index(first, 0, parent), index(last, kColumnCount - 1, parent));
            if (armChanged) Q_EMIT dataChanged(parent, parent.siblingAtColumn(kColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    snapshot_ = snapshot;
    arms_ = std::move(arms);
    folders_ = std::move(folders);
    endResetModel();
}

void RunModel::refreshAll() {
    for (std::size_t row = 0; row < arms_.size(); ++row) {
        const QModelIndex parent = index(static_cast<int>(row), 0);
        Q_EMIT dataChanged(parent, parent.siblingAtColumn(kColumnCount - 1));
        if (!arms_[row].runs.empty())
            Q_EMIT dataChanged(index(0, 0, parent), index(rowCount(parent) - 1, kColumnCount - 1, parent));
    }
}

void RunModel::setNotes(RunNotes* notes) {
    notes_ = notes;
    if (notes_ != nullptr) connect(notes_, &RunNotes::changed, this, &RunModel::refreshAll);
    refreshAll();
}

void RunModel::setHidden(const QSet<QString>& folders) {
    if (folders == hidden_) return;
    hidden_ = folders;
    refreshAll();
}

void RunModel::setBaseline(const QString& arm) {
    if (arm == baseline_) return;
    baseline_ = arm;
    refreshAll();
}

const RunSnapshot* RunModel::run(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kTop) return nullptr;
    const Arm& arm = arms_[index.internalId() - 1];
    return &snapshot_->runs[static_cast<std::size_t>(arm.runs[static_cast<std::size_t>(index.row())])];
}

QModelIndex RunModel::indexOf(const QString& arm, const QString& folder) const {
    for (std::size_t row = 0; row < arms_.size(); ++row) {
        if (arms_[row].name != arm) continue;
        const QModelIndex parent = index(static_cast<int>(row), 0);
        if (folder.isEmpty()) return parent;
        for (int child = 0; child < rowCount(parent); ++child) {
            const QModelIndex at = index(child, 0, parent);
            if (run(at)->folder() == folder) return at;
        }
    }
    return {};
}

QModelIndex RunModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || column >= kColumnCount || row >= rowCount(parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, kTop);
    return createIndex(row, column, static_cast<quintptr>(parent.row()) + 1);
}

QModelIndex RunModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kTop) return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kTop);
}

int RunModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(arms_.size());
    if (parent.internalId() != kTop || parent.column() != 0) return 0;
    return static_cast<int>(arms_[static_cast<std::size_t>(parent.row())].runs.size());
}

int RunModel::columnCount(const QModelIndex&) const {
    return kColumnCount;
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (const RunSnapshot* found = run(index)) return runData(*found, index.column(), role);
    return armData(arms_[static_cast<std::size_t>(index.row())], index.column(), role);
}

std::optional<double> RunModel::mean(const Arm& arm) const {
    double sum = 0;
    int count = 0;
    for (const int at : arm.runs) {
        const auto loss = snapshot_->runs[static_cast<std::size_t>(at)].validationLoss();
        if (!loss || !std::isfinite(*loss)) continue;
        sum += *loss;
        ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / count;
}

QVariant RunModel::armData(const Arm& arm, int column, int role) const {
    int done = 0, visible = 0;
    for (const int at : arm.runs) {
        const RunSnapshot& run = snapshot_->runs[static_cast<std::size_t>(at)];
        if (run.status() == RunStatus::kCompleted) ++done;
        if (!hidden_.contains(run.folder())) ++visible;
    }
    const int count = static_cast<int>(arm.runs.size());
    const bool isBaseline = arm.name == (baseline_.isEmpty() ? snapshot_->baseline : baseline_);
    const QString counts = done == count ? QString::number(count) : tr("%1 of %2").arg(done).arg(count);
    switch (role) {
        case Qt::DisplayRole:
            if (column == kName) return arm.name;
            if (const auto value = mean(arm)) return lossText(*value);
            return QStringLiteral("–");
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return isBaseline ? tr("%1, the baseline, %2 runs finished").arg(arm.name, counts)
                              : tr("%1, %2 runs finished").arg(arm.name, counts);
        case kArmRole:
            return arm.name;
        case kFolderRole:
            return QString();
        case kValueRole:
            if (const auto value = mean(arm)) return *value;
            return {};
        case kSlotRole:
            return snapshot_->slotOf(arm.name);
        case kBaselineRole:
            return isBaseline;
        case kCountRole:
            return counts;
        case kVisibleRole:
            return visible > 0 || count == 0;
        case kSearchRole:
            return arm.name;
        default:
            return {};
    }
}

QStringList RunModel::waiting() const {
    std::vector<std::string> folders;
    if (snapshot_) {
        for (const RunSnapshot& run : snapshot_->runs)
            if (!run.external && run.status() == RunStatus::kQueued) folders.push_back(run.plan->folder);
    }
    QStringList ordered;
    for (const std::size_t index :
         starting_order(folders, notes_ != nullptr ? notes_->queue() : std::vector<std::string>()))
        ordered << QString::fromStdString(folders[index]);
    return ordered;
}

QString RunModel::detail(const RunSnapshot& run) const {
    const RunState& state = *run.state;
    switch (run.status()) {
        case RunStatus::kQueued:
            if (!run.problems.isEmpty()) return run.problems.front();
            return tr("queued, no. %1").arg(waiting().indexOf(run.folder()) + 1);
        case RunStatus::kRunning:
            if (const auto left = run.secondsLeft())
                return tr("%1 %   %2").arg(static_cast<int>(run.progress() * 100)).arg(durationText(*left));
            return tr("%1 %").arg(static_cast<int>(run.progress() * 100));
        case RunStatus::kPaused:
            return tr("paused at %1").arg(QLocale().toString(static_cast<qlonglong>(state.step)));
        case RunStatus::kInterrupted:
            return tr("interrupted at %1").arg(QLocale().toString(static_cast<qlonglong>(state.step)));
        case RunStatus::kCompleted:
            return {};
        case RunStatus::kCancelled:
            return tr("stopped at %1").arg(QLocale().toString(static_cast<qlonglong>(state.step)));
        case RunStatus::kDiverged:
            return tr("diverged, step %1: %2")
                .arg(QLocale().toString(static_cast<qlonglong>(state.step)),
                     state.diverged ? QString::fromStdString(state.diverged->quantity) : tr("loss"));
        case RunStatus::kFailed:
            return state.failed ? tr("failed: %1").arg(QString::fromStdString(state.failed->message)) : tr("failed");
    }
    return {};
}

QVariant RunModel::runData(const RunSnapshot& run, int column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            if (column == kName) return tr("s%1").arg(run.seed());
            if (const auto value = run.validationLoss()) return lossText(*value);
            return QStringLiteral("–");
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole: {
            if (run.imported)
                return tr("%1, seed %2, read from a log, %n curve(s)", nullptr, static_cast<int>(run.imported->size()))
                    .arg(run.arm())
                    .arg(run.seed());
            const QString what = detail(run);
            return what.isEmpty() ? tr("%1, seed %2, finished").arg(run.arm()).arg(run.seed())
                                  : tr("%1, seed %2, %3").arg(run.arm()).arg(run.seed()).arg(what);
        }
        case Qt::CheckStateRole:
            if (column != kName) return {};
            return hidden_.contains(run.folder()) ? Qt::Unchecked : Qt::Checked;
        case kArmRole:
            return run.arm();
        case kFolderRole:
            return run.folder();
        case kStatusRole:
            return static_cast<int>(run.status());
        case kProgressRole:
            return run.progress();
        case kSecondsLeftRole:
            if (const auto left = run.secondsLeft()) return *left;
            return {};
        case kValueRole:
            if (const auto value = run.validationLoss()) return *value;
            return {};
        case kSlotRole:
            return snapshot_->slotOf(run.arm());
        case kBaselineRole:
            return false;
        case kDetailRole:
            return detail(run);
        case kTagsRole:
            return notes_ != nullptr ? notes_->tags(run.folder()) : QStringList();
        case kKeepRole:
            return notes_ != nullptr && notes_->keep(run.folder());
        case kVisibleRole:
            return !hidden_.contains(run.folder());
        case kSeedRole:
            return static_cast<qlonglong>(run.seed());
        case kSearchRole:
            return QStringLiteral("%1 s%2 %3").arg(run.arm()).arg(run.seed()).arg(statusText(run.status()));
        default:
            return {};
    }
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const RunSnapshot* found = run(index);
    if (role != Qt::CheckStateRole || found == nullptr) return false;
    const bool visible = value.toInt() == Qt::Checked;
    if (visible)
        hidden_.remove(found->folder());
    else
        hidden_.insert(found->folder());
    Q_EMIT dataChanged(index, index.siblingAtColumn(kColumnCount - 1));
    const QModelIndex above = index.parent();
    Q_EMIT dataChanged(above, above.siblingAtColumn(kColumnCount - 1));
    Q_EMIT visibilityToggled(found->folder(), visible);
    return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.internalId() != kTop) {
        flags |= Qt::ItemNeverHasChildren;
        if (index.column() == kName) flags |= Qt::ItemIsUserCheckable;
    }
    return flags;
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::FontRole) return textFont(TextRole::kNote);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section == kName ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole) return {};
    return section == kName ? tr("variant, seed") : tr("val loss");
}

RunFilter::RunFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setDynamicSortFilter(true);
}

void RunFilter::setFilterText(const QString& text) {
    words_ = text.simplified().split(' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void RunFilter::setSortByValue(bool byValue) {
    byValue_ = byValue;
    if (byValue_)
        sort(RunModel::kName);
    else
        sort(-1);
}

int RunFilter::shownRuns() const {
    int count = 0;
    for (int row = 0; row < rowCount(); ++row)
        count += rowCount(index(row, 0));
    return count;
}

bool RunFilter::matches(const QModelIndex& index) const {
    const QString folder = index.data(RunModel::kFolderRole).toString();
    for (const QString& word : words_) {
        if (word.startsWith("pe:")) {
            const auto* model = static_cast<const RunModel*>(sourceModel());
            const RunSnapshot* run = model->run(index);
            if (run == nullptr || !QString::fromStdString(run->plan->encoding.id).startsWith(word.mid(3))) return false;
        } else if (word.startsWith("tag:")) {
            if (!index.data(RunModel::kTagsRole).toStringList().contains(word.mid(4))) return false;
        } else if (word.startsWith("is:")) {
            if (folder.isEmpty() || !index.data(RunModel::kSearchRole).toString().contains(word.mid(3))) return false;
        } else if (word.startsWith("seed") && word.size() > 4 && QStringLiteral("<>=").contains(word[4])) {
            bool number = false;
            const qlonglong wanted = word.mid(5).toLongLong(&number);
            if (!number) continue;  // still being typed
            if (folder.isEmpty()) return false;
            const qlonglong seed = index.data(RunModel::kSeedRole).toLongLong();
            if (word[4] == '<' ? seed >= wanted : word[4] == '>' ? seed <= wanted : seed != wanted) return false;
        } else if (!index.data(RunModel::kSearchRole).toString().contains(word, Qt::CaseInsensitive)) {
            return false;
        }
    }
    return true;
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return words_.isEmpty() || matches(sourceModel()->index(row, 0, parent));
}

bool RunFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto key = [](const QModelIndex& index) {
        const QVariant value = index.data(RunModel::kValueRole);
        const double number = value.isValid() ? value.toDouble() : std::numeric_limits<double>::infinity();
        return std::isnan(number) ? std::numeric_limits<double>::infinity() : number;
    };
    const double a = key(left), b = key(right);
    if (a != b) return a < b;
    return left.row() < right.row();
}

}  // namespace sextant
