#pragma once
// The first page: what one can do at the left, what the sample shows and recent projects at the right. No wizard and no
// dialog; each action goes straight on.

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace sextant {

class ActionButton;
class InlineBar;
class Preferences;

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(Preferences& preferences, QWidget* parent = nullptr);
    void refreshRecent();
    void showMessage(const QString& fact, const QString& consequence);

  Q_SIGNALS:
    void sampleRequested();
    void firstRunRequested();
    void newRequested();
    void openRequested();
    void importRequested();
    void projectRequested(const QString& path);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    QWidget* makeActions();
    QWidget* makeMachine();
    QWidget* makeSample();
    QWidget* makeRecent();
    QWidget* makeRow(const QString& path, const QString& when);

    Preferences& preferences_;
    QWidget* left_ = nullptr;
    InlineBar* message_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QVBoxLayout* recent_ = nullptr;
};

}  // namespace sextant
