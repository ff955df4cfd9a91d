#pragma once
// A read-out table with one row an arm: line sample and name first, then numbers at the right in mono. Used wherever
// arms are compared; its text can be copied as tab-separated values.

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <optional>
#include <vector>

namespace sextant {

struct ArmTableRow {
    int slot = -1;  // -1: no line sample
    QString name;
    bool baseline = false;
    bool strong = false;  // sums
    std::vector<QString> cells;
    std::vector<bool> wrong;    // in `err`, per cell; may be shorter
    std::optional<double> bar;  // -1 to 1: drawn from the middle of the last column
};

class ArmTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role { kSlotRole = Qt::UserRole, kBaselineRole, kWrongRole, kTextRole, kStrongRole, kBarRole };
    ArmTableModel(QStringList headers, int textColumns, QObject* parent);
    void setHeaders(const QStringList& headers);
    void setRows(std::vector<ArmTableRow> rows);
    [[nodiscard]] const std::vector<ArmTableRow>& rows() const { return rows_; }
    [[nodiscard]] bool headerIsText(int column) const { return column >= columnCount() - textColumns_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QStringList headers_;
    int textColumns_;  // that many columns at the right are text, left aligned
    std::vector<ArmTableRow> rows_;
};

class ArmTable : public QTableView {
    Q_OBJECT

  public:
    // `textColumns`: that many of the last columns hold words instead of numbers.
    explicit ArmTable(const QStringList& headers, int textColumns = 0, QWidget* parent = nullptr);
    void setHeaders(const QStringList& headers);
    void setRows(std::vector<ArmTableRow> rows);
    [[nodiscard]] const std::vector<ArmTableRow>& rows() const { return model_->rows(); }
    [[nodiscard]] QString text() const;  // TSV with the headers
    // Rows that are always visible: the table asks for their height, up to `most`.
    void setVisibleRows(int most);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void rowChosen(int row);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

  private:
    void layOut();
    [[nodiscard]] int neededWidth(int column) const;
    [[nodiscard]] int heightOf(int rows) const;
    ArmTableModel* model_;
    int visibleRows_ = 0;
};

class ArmTableDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace sextant
