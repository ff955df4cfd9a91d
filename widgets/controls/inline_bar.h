#pragma once
// A message that stands beside its cause: state tint, 4 px edge, icon, bold fact, plain consequence, one button that
// mends it. It pushes content and never covers.

#include <QFrame>

class QLabel;
class QPushButton;

namespace sextant {

enum class BarKind { kInfo, kOk, kWarning, kError };

class InlineBar : public QFrame {
    Q_OBJECT

  public:
    explicit InlineBar(QWidget* parent = nullptr);
    // Plain text; shows the bar.
    void show(BarKind kind, const QString& fact, const QString& consequence = {}, const QString& action = {});
    using QFrame::show;
    void setClosable(bool closable);
    [[nodiscard]] QString text() const { return spoken_; }

  signals:
    void actionTriggered();
    void closed();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void restyle();

    BarKind kind_ = BarKind::kInfo;
    QLabel* icon_ = nullptr;
    QLabel* label_ = nullptr;
    QPushButton* action_ = nullptr;
    QWidget* close_ = nullptr;
    QString spoken_;
};

}  // namespace sextant
