#pragma once
// The inspector of the Curves page: the chosen run's state and numbers, the three buttons that steer it, what differs
// from the baseline, tags and note, and where its numbers come from.

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTimer;

namespace sextant {

class Commands;
class QuietLabel;
class Section;
class Session;
struct RunSnapshot;

class RunInspector : public QWidget {
    Q_OBJECT

  public:
    RunInspector(Session& session, Commands& commands, QWidget* parent = nullptr);
    [[nodiscard]] QString subject() const { return subject_; }

  Q_SIGNALS:
    void subjectChanged(const QString& subject);

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    void refresh();
    void showRun(const RunSnapshot& run);
    void showArm();
    void showDifferences();
    void showNotes();
    void saveNote();

    Session& session_;
    QString subject_;
    Section* run_;
    QuietLabel *state_, *progress_, *loss_, *left_, *speed_, *memory_, *last_;
    QWidget* buttons_;
    QPushButton *pause_, *checkpoint_, *stop_;
    QuietLabel* problem_;
    Section* differences_;
    QuietLabel* differenceText_;
    QuietLabel* equal_;
    Section* notes_;
    QLineEdit* tags_;
    QPlainTextEdit* note_;
    Section* provenance_;
    QuietLabel *plan_, *commit_, *data_, *started_;
    QString notedFolder_;
    QTimer* clock_;
};

// "only what differs": one line a field, "encoding.id: rope -> alibi"; `equal` counts the fields that do not.
[[nodiscard]] QStringList planDifferences(const RunSnapshot& from, const RunSnapshot& to, int* equal);

}  // namespace sextant
