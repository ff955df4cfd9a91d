#pragma once
// The editor's table: one column an arm under a header that shows each arm's line and number of changes; section and
// problem rows span all columns.

#include <QHeaderView>
#include <QTableView>

namespace sextant {

class ExperimentModel;
class ExperimentTable;

class ArmHeader : public QHeaderView {
    Q_OBJECT

  public:
    ArmHeader(ExperimentModel& experiment, QWidget* parent);
    void setCurrentArm(int arm);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

  private:
    ExperimentModel& experiment_;
    int arm_ = 0;
};

class ExperimentView : public QTableView {
    Q_OBJECT

  public:
    ExperimentView(ExperimentModel& experiment, ExperimentTable& table, QWidget* parent = nullptr);
    [[nodiscard]] ArmHeader* header() const { return header_; }
    void goToNextProblem();

  Q_SIGNALS:
    void armChosen(int arm);

  protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void layOut();
    ExperimentTable& table_;
    ArmHeader* header_;
    QString currentSection_, currentPath_;
    int currentColumn_ = 1;
};

}  // namespace sextant
