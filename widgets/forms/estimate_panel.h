#pragma once
// What an experiment will cost and whether it is fair, beside the editor: parameters and memory of each arm, tokens,
// disk, the checks of equality, and a paragraph on the chosen arm's encoding.

#include <QWidget>

namespace sextant {

class ExperimentModel;
class QuietLabel;

class EstimatePanel : public QWidget {
    Q_OBJECT

  public:
    explicit EstimatePanel(ExperimentModel& experiment, QWidget* parent = nullptr);
    void setArm(int arm);

  Q_SIGNALS:
    void positionRequested();

  private:
    void refresh();
    [[nodiscard]] QString memoryText();

    ExperimentModel& experiment_;
    int arm_ = 0;
    bool tooLarge_ = false;
    QuietLabel* runs_;
    QuietLabel* parameters_;
    QuietLabel* parameterNote_;
    QuietLabel* memory_;
    QuietLabel* disk_;
    QuietLabel* tokens_;
    QuietLabel* equalParameters_;
    QuietLabel* equalTokens_;
    QuietLabel* onlyEncoding_;
    QuietLabel* about_;
    QuietLabel* formula_;
    class Section* aboutSection_;
};

}  // namespace sextant
