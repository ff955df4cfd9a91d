#pragma once
// The editor's rows: sections, fields with one column an arm, and a row for each problem right below the field it
// concerns. Follows an ExperimentModel; editing a cell edits the document.

#include <QAbstractTableModel>
#include <vector>

#include "widgets/models/experiment_model.h"

namespace sextant {

class ExperimentTable : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum class RowKind { kSection, kField, kProblem };
    enum Role {
        kRowKindRole = Qt::UserRole,
        kChangedRole,  // bool
        kInvalidRole,  // bool: an error points here
        kPointerRole,  // JSON pointer of the cell or problem
        kWarningRole,  // bool, problem rows
        kChoicesRole,  // QStringList; empty for free text
        kNoteRole,     // quiet text after the value: "head_dim 16"
        kAppliesRole
    };

    explicit ExperimentTable(ExperimentModel& experiment, QObject* parent = nullptr);

    [[nodiscard]] RowKind kind(int row) const { return rows_[static_cast<std::size_t>(row)].kind; }
    [[nodiscard]] const ExperimentField* field(int row) const;
    [[nodiscard]] int rowOf(const QString& section, const QString& path) const;  // -1 when absent
    // The next row after `row` that an error stands in, wrapping; -1 without errors.
    [[nodiscard]] int nextProblem(int row) const;
    void setFilterText(const QString& text);
    // Shows only fields in which arms differ.
    void setOnlyDifferences(bool only);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    struct Row {
        RowKind kind = RowKind::kField;
        ExperimentField field;  // section rows: only `section`
        FieldProblem problem;
        friend bool operator==(const Row& a, const Row& b) {
            return a.kind == b.kind && a.field.section == b.field.section && a.field.path == b.field.path &&
                   a.problem.pointer == b.problem.pointer && a.problem.message == b.problem.message;
        }
    };
    [[nodiscard]] std::vector<Row> build() const;
    [[nodiscard]] bool concerns(const FieldProblem& problem, const ExperimentField& field) const;
    [[nodiscard]] bool differs(const ExperimentField& field) const;
    [[nodiscard]] QString sectionNote(const QString& section) const;
    [[nodiscard]] QString note(const ExperimentField& field, int arm) const;
    void refresh();

    ExperimentModel& experiment_;
    std::vector<Row> rows_;
    int columns_ = 0;
    QString filter_;
    bool onlyDifferences_ = false;
};

}  // namespace sextant
