#pragma once
// The step axis that all views share: first, previous, play, next, last; a groove with the recorded part, a tick for
// each snapshot and the index handle; the numbers in mono; follow live. Previous and next go from snapshot to snapshot.

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QTimer;

namespace sextant {

class IconButton;
class StepGroove;

class StepBar : public QWidget {
    Q_OBJECT

  public:
    explicit StepBar(QWidget* parent = nullptr);
    // `total` steps are planned, `recorded` are there; `snapshots` ascending.
    void setSteps(qint64 total, qint64 recorded, std::vector<qint64> snapshots);
    void setTokensPerStep(double tokens);  // 0: unknown, not shown
    void setNote(const QString& note);     // "snapshot every 100"
    [[nodiscard]] qint64 step() const;
    void setStep(qint64 step);  // clamped to what is recorded; emits stepChanged when it changes
    [[nodiscard]] bool followsLive() const;
    void setFollowLive(bool follow);
    [[nodiscard]] bool playing() const;
    void setPlaying(bool playing);

  public slots:
    void first();
    void previous();
    void next();
    void last();

  signals:
    void stepChanged(qint64 step);
    void followLiveChanged(bool follow);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void showNumbers();
    [[nodiscard]] std::vector<qint64> stops() const;

    StepGroove* groove_ = nullptr;
    IconButton* play_ = nullptr;
    QLabel* numbers_ = nullptr;
    QLabel* note_ = nullptr;
    QCheckBox* follow_ = nullptr;
    QTimer* timer_ = nullptr;
    double tokensPerStep_ = 0.0;
};

}  // namespace sextant
