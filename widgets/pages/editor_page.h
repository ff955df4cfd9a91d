#pragma once
// The experiment editor: arms at the left, fields of every arm in the middle, what it will cost at the right, problems
// counted at the foot. Saving always works; queueing waits until no problem stands.

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace sextant {

class EstimatePanel;
class ExperimentModel;
class ExperimentTable;
class ExperimentView;
class InlineBar;
class QuietLabel;
class Segments;

class EditorPage : public QWidget {
    Q_OBJECT

  public:
    explicit EditorPage(ExperimentModel& experiment, QWidget* parent = nullptr);

    // A new experiment from a preset; `folder` is where its project would go.
    void beginNew(const QString& preset, const QString& parentFolder);
    // The experiment that the model already holds; saving goes to its project.
    void beginEdit(const QString& project);
    [[nodiscard]] QString projectFolder() const;
    [[nodiscard]] QPushButton* queueButton() const { return queue_; }
    [[nodiscard]] QPushButton* saveButton() const { return save_; }
    [[nodiscard]] ExperimentView* view() const { return view_; }
    void showMessage(const QString& fact, const QString& consequence);
    [[nodiscard]] int currentArm() const { return arm_; }

  Q_SIGNALS:
    void backRequested();
    void saveRequested(const QString& project);
    void queueRequested(const QString& project);
    void positionRequested(int arm);

  private:
    QWidget* makeTop();
    QWidget* makeArms();
    QWidget* makeFoot();
    void usePreset(const QString& name);
    void refresh();
    void refreshArms();
    void chooseArm(int arm);
    void renameArm();
    void browse();
    void showJson(bool json);
    QString freeFolder(const QString& name) const;

    ExperimentModel& experiment_;
    ExperimentTable* table_ = nullptr;
    ExperimentView* view_ = nullptr;
    QStackedWidget* middle_ = nullptr;
    QPlainTextEdit* json_ = nullptr;
    InlineBar* message_ = nullptr;
    EstimatePanel* estimate_ = nullptr;
    QLineEdit* name_ = nullptr;
    QComboBox* preset_ = nullptr;
    QuietLabel* presetLabel_ = nullptr;
    QListWidget* arms_ = nullptr;
    QPushButton* remove_ = nullptr;
    QLineEdit* seeds_ = nullptr;
    QuietLabel* seedNote_ = nullptr;
    QPushButton* moreSeeds_ = nullptr;
    QComboBox* endpoint_ = nullptr;
    QuietLabel* contrast_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QuietLabel* state_ = nullptr;
    QuietLabel* summary_ = nullptr;
    QPushButton* save_ = nullptr;
    QPushButton* queue_ = nullptr;
    QPushButton* next_ = nullptr;
    Segments* form_ = nullptr;
    QString parentFolder_;
    bool folderChosen_ = false;
    bool editing_ = false;  // an existing project
    bool refreshing_ = false;
    int arm_ = 0;
};

// Paired seeds needed so that the exact sign-flip test of `variants` contrasts (Holm) can reach p < 0.05.
[[nodiscard]] int pairsNeeded(int variants);

}  // namespace sextant
