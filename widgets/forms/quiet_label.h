#pragma once
// A label in one of the look's text roles and inks; follows the theme by painting with it, so no colour is stored.

#include <QLabel>

#include "widgets/theme/fonts.h"

namespace sextant {

class QuietLabel : public QLabel {
    Q_OBJECT

  public:
    enum class Ink { kText, kText2, kOk, kInfo, kWarn, kErr };
    explicit QuietLabel(const QString& text = {}, TextRole role = TextRole::kNote, Ink ink = Ink::kText2,
                        QWidget* parent = nullptr);
    void setInk(Ink ink);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void restyle();
    TextRole role_;
    Ink ink_;
    bool restyling_ = false;
};

}  // namespace sextant
