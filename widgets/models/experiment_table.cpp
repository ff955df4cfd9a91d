#include "widgets/models/experiment_table.h"

#include <QLocale>

namespace sextant {

ExperimentTable::ExperimentTable(ExperimentModel& experiment, QObject* parent)
    : QAbstractTableModel(parent), experiment_(experiment) {
    rows_ = build();
    columns_ = 1 + experiment_.armCount();
    connect(&experiment_, &ExperimentModel::edited, this, &ExperimentTable::refresh);
}

const ExperimentField* ExperimentTable::field(int row) const {
    if (row < 0 || row >= static_cast<int>(rows_.size()) || kind(row) != RowKind::kField) return nullptr;
    return &rows_[static_cast<std::size_t>(row)].field;
}

int ExperimentTable::rowOf(const QString& section, const QString& path) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (rows_[row].kind == RowKind::kField && rows_[row].field.section == section && rows_[row].field.path == path)
            return static_cast<int>(row);
    }
    return -1;
}

int ExperimentTable::nextProblem(int row) const {
    const int count = static_cast<int>(rows_.size());
    for (int offset = 1; offset <= count; ++offset) {
        const int at = (row + offset) % count;
        if (kind(at) == RowKind::kProblem && !rows_[static_cast<std::size_t>(at)].problem.warning) return at;
    }
    return -1;
}

void ExperimentTable::setFilterText(const QString& text) {
    filter_ = text.trimmed();
    refresh();
}

void ExperimentTable::setOnlyDifferences(bool only) {
    onlyDifferences_ = only;
    refresh();
}

bool ExperimentTable::concerns(const FieldProblem& problem, const ExperimentField& field) const {
    for (int arm = 0; arm < experiment_.armCount(); ++arm) {
        if (!experiment_.applies(field, arm)) continue;
        const QString here = experiment_.pointer(field, arm);
        if (problem.pointer == here || problem.pointer.startsWith(here + "/")) return true;
        // A baseline's inherited settings may be reported at the arm.
        if (field.scope == FieldScope::kArm && field.section != "encoding" && arm == 0 &&
            problem.pointer == "/baseline/" + field.section + field.path)
            return true;
    }
    return false;
}

bool ExperimentTable::differs(const ExperimentField& field) const {
    for (int arm = 1; arm < experiment_.armCount(); ++arm) {
        if (experiment_.changed(field, arm)) return true;
    }
    return false;
}

std::vector<ExperimentTable::Row> ExperimentTable::build() const {
    std::vector<const EncodingSpec*> used;
    for (int arm = 0; arm < experiment_.armCount(); ++arm) {
        if (const EncodingSpec* spec = experiment_.armEncoding(arm)) used.push_back(spec);
    }
    std::vector<ExperimentField> fields = encodingFields(used);
    fields.insert(fields.end(), experimentFields().begin(), experimentFields().end());

    std::vector<Row> rows;
    QList<FieldProblem> left = experiment_.problems();
    QString section;
    for (const ExperimentField& field : fields) {
        std::vector<Row> below;
        for (qsizetype i = 0; i < left.size();) {
            if (concerns(left[i], field)) {
                below.push_back({RowKind::kProblem, {}, left.takeAt(i)});
            } else {
                ++i;
            }
        }
        const bool wanted = (filter_.isEmpty() || field.label().contains(filter_, Qt::CaseInsensitive)) &&
                            (!onlyDifferences_ || differs(field));
        if (!wanted && below.empty()) continue;
        if (field.section != section) {
            section = field.section;
            Row title;
            title.kind = RowKind::kSection;
            title.field.section = section;
            rows.push_back(std::move(title));
        }
        rows.push_back({RowKind::kField, field, {}});
        rows.insert(rows.end(), below.begin(), below.end());
    }
    // Problems of no field (names, seeds, the primary endpoint) stand first: nothing is hidden.
    std::vector<Row> first;
    for (const FieldProblem& problem : left)
        first.push_back({RowKind::kProblem, {}, problem});
    rows.insert(rows.begin(), first.begin(), first.end());
    return rows;
}

void ExperimentTable::refresh() {
    std::vector<Row> next = build();
    const int columns = 1 + experiment_.armCount();
    if (next == rows_ && columns == columns_) {
        rows_ = std::move(next);
        if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, columns_ - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns_ - 1);
        return;
    }
    beginResetModel();
    rows_ = std::move(next);
    columns_ = columns;
    endResetModel();
}

int ExperimentTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ExperimentTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns_;
}

QString ExperimentTable::sectionNote(const QString& section) const {
    const QLocale locale;
    if (section == "model") {
        const auto first = experiment_.parameterCount(0);
        if (!first) return {};
        bool same = true;
        for (int arm = 1; arm < experiment_.armCount(); ++arm)
            same = same && experiment_.parameterCount(arm) == first;
        const QString count = locale.toString(static_cast<qlonglong>(*first));
        return same ? tr("%1 parameters in every arm").arg(count) : tr("%1 parameters in the baseline").arg(count);
    }
    if (section == "training") {
        const ExperimentField steps{"training", "/steps", FieldKind::kInteger, FieldScope::kArm, {}, {}};
        const ExperimentField batch{"training", "/batch_size", FieldKind::kInteger, FieldScope::kArm, {}, {}};
        const ExperimentField length{"model", "/context_length", FieldKind::kInteger, FieldScope::kArm, {}, {}};
        const auto tokens = [&](int arm) {
            return experiment_.value(steps, arm).toLongLong() * experiment_.value(batch, arm).toLongLong() *
                   experiment_.value(length, arm).toLongLong();
        };
        bool same = true;
        for (int arm = 1; arm < experiment_.armCount(); ++arm)
            same = same && tokens(arm) == tokens(0);
        const QString count = locale.toString(tokens(0));
        return same ? tr("%1 tokens in every arm").arg(count) : tr("%1 tokens in the baseline").arg(count);
    }
    if (section == "evaluation") return tr("the same for every arm");
    return {};
}

QString ExperimentTable::note(const ExperimentField& field, int arm) const {
    if (field.section == "model" && field.path == "/n_head" && arm == 0) {
        if (const auto model = experiment_.modelOf(arm)) return tr("head_dim %1").arg(model->head_dim());
    }
    return {};
}

QVariant ExperimentTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == kRowKindRole) return static_cast<int>(row.kind);
    if (row.kind == RowKind::kProblem) {
        if (role == kPointerRole) return row.problem.pointer;
        if (role == kWarningRole) return row.problem.warning;
        if (index.column() == 0 && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole))
            return row.problem.pointer.isEmpty() ? row.problem.message
                                                 : row.problem.pointer + ": " + row.problem.message;
        return {};
    }
    if (row.kind == RowKind::kSection) {
        if (index.column() != 0) return {};
        if (role == Qt::DisplayRole) return sectionTitle(row.field.section);
        if (role == kNoteRole) return sectionNote(row.field.section);
        return {};
    }
    const ExperimentField& field = row.field;
    if (index.column() == 0) {
        if (role == Qt::DisplayRole) return field.label();
        if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) return field.description;
        return {};
    }
    const int arm = index.column() - 1;
    const bool applies = experiment_.applies(field, arm);
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return applies ? experiment_.value(field, arm) : QString();
        case Qt::ToolTipRole:
            return field.description;
        case Qt::AccessibleTextRole:
            return applies
                       ? tr("%1 of %2: %3").arg(field.label(), experiment_.armName(arm), experiment_.value(field, arm))
                       : QString();
        case kChangedRole:
            return experiment_.changed(field, arm);
        case kAppliesRole:
            return applies;
        case kPointerRole:
            return experiment_.pointer(field, arm);
        case kInvalidRole: {
            const QString here = experiment_.pointer(field, arm);
            for (const FieldProblem& problem : experiment_.problems()) {
                if (!problem.warning && (problem.pointer == here || problem.pointer.startsWith(here + "/")))
                    return true;
            }
            return false;
        }
        case kChoicesRole:
            if (field.kind == FieldKind::kBoolean) return QStringList{"true", "false"};
            return field.choices;
        case kNoteRole:
            return note(field, arm);
        default:
            return {};
    }
}

bool ExperimentTable::setData(const QModelIndex& index, const QVariant& value, int role) {
    const ExperimentField* found = field(index.row());
    if (role != Qt::EditRole || found == nullptr || index.column() == 0) return false;
    const ExperimentField copy = *found;  // the edit rebuilds the rows
    experiment_.setValue(copy, index.column() - 1, value.toString());
    return true;
}

Qt::ItemFlags ExperimentTable::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const ExperimentField* found = field(index.row());
    if (found == nullptr || index.column() == 0) return Qt::ItemIsEnabled;
    if (!experiment_.applies(*found, index.column() - 1)) return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
}

QVariant ExperimentTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == 0 ? tr("field") : experiment_.armName(section - 1);
}

}  // namespace sextant
