#pragma once
// The start page's large buttons: icon, bold verb, one quiet line saying what will happen, and the key.

#include <QPushButton>

namespace sextant {

class ActionButton : public QPushButton {
    Q_OBJECT

  public:
    ActionButton(const QString& iconName, const QString& title, const QString& note, const QString& key = {},
                 QWidget* parent = nullptr);
    void setPrimary(bool primary);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString iconName_, title_, note_, key_;
    bool primary_ = false;
};

}  // namespace sextant
