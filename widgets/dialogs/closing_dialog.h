#pragma once
// The one question when the window closes while a run trains: keep training, checkpoint and stop, or cancel.

#include <QDialog>

namespace sextant {

enum class ClosingAnswer { kKeepTraining, kStop, kCancel };

class ClosingDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ClosingDialog(const QString& project, QWidget* parent = nullptr);
    [[nodiscard]] ClosingAnswer answer() const { return answer_; }

  private:
    ClosingAnswer answer_ = ClosingAnswer::kCancel;
};

}  // namespace sextant
