#pragma once
// A framed block: title bar of 28 (bold title, note, chips and icon buttons at the right) over one content widget.

#include <QFrame>
#include <functional>

class QAbstractItemModel;
class QHBoxLayout;
class QLabel;
class QTableView;
class QVBoxLayout;

namespace sextant {

class Chip;
class IconButton;

class Card : public QFrame {
    Q_OBJECT

  public:
    explicit Card(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    // Unit, n, band type: what stands beside the title in text2. Elided, never wrapped.
    void setNote(const QString& note);
    // Right end of the title bar, left to right.
    void addTitleWidget(QWidget* widget);
    // A badge at the right; an empty text hides it.
    void setBadge(const QString& text);
    void setContent(QWidget* content);
    // Under the content over a hairline: read-out lines, notes.
    void setFoot(QWidget* foot);
    // The numbers behind the content: a button in the title bar puts a table in its place. Asked for when first shown.
    void setTableSource(std::function<QAbstractItemModel*()> source);
    void showTable(bool shown);
    [[nodiscard]] bool tableShown() const;
    [[nodiscard]] QTableView* tableView() const { return table_; }
    [[nodiscard]] QWidget* content() const { return content_; }
    [[nodiscard]] QString title() const;

  private:
    QVBoxLayout* column_ = nullptr;
    QHBoxLayout* bar_ = nullptr;
    QLabel* title_ = nullptr;
    QLabel* note_ = nullptr;
    Chip* badge_ = nullptr;
    QWidget* content_ = nullptr;
    std::function<QAbstractItemModel*()> source_;
    QTableView* table_ = nullptr;
    IconButton* tableButton_ = nullptr;
};

}  // namespace sextant
