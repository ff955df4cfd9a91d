#pragma once
// The strip at the foot: what trains, how far it is, when the last point came, what waits, the last thing that happened
// and the number of errors. Says "last point 3 s ago" when a live run goes quiet.

#include <QWidget>

class QTimer;

namespace sextant {

class QuietLabel;
class Session;
enum class RunStatus;

class StatusGlyph : public QWidget {
    Q_OBJECT

  public:
    explicit StatusGlyph(QWidget* parent = nullptr);
    void setStatus(RunStatus status, double progress);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    int status_;
    double progress_ = 0;
};

class QueueStrip : public QWidget {
    Q_OBJECT

  public:
    explicit QueueStrip(Session& session, QWidget* parent = nullptr);
    void note(const QString& text);  // the last thing that happened, with its time

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void refresh();

    Session& session_;
    StatusGlyph* glyph_;
    QuietLabel *title_, *running_, *numbers_, *waiting_, *last_, *errors_;
    QTimer* clock_;
    bool noted_ = false;
};

}  // namespace sextant
