#pragma once
// A framed block: title bar of 28 (bold title, note, chips and icon buttons at the right) over one content widget.

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace sextant {

class Chip;

class Card : public QFrame {
    Q_OBJECT

  public:
    explicit Card(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    // Unit, n, band type: what stands beside the title in text2. Elided, never wrapped.
    void setNote(const QString& note);
    // Right end of the title bar, left to right.
    void addTitleWidget(QWidget* widget);
    // A badge at the right; an empty text hides it.
    void setBadge(const QString& text);
    void setContent(QWidget* content);
    // Under the content over a hairline: read-out lines, notes.
    void setFoot(QWidget* foot);
    [[nodiscard]] QWidget* content() const { return content_; }
    [[nodiscard]] QString title() const;

  private:
    QVBoxLayout* column_ = nullptr;
    QHBoxLayout* bar_ = nullptr;
    QLabel* title_ = nullptr;
    QLabel* note_ = nullptr;
    Chip* badge_ = nullptr;
    QWidget* content_ = nullptr;
};

}  // namespace sextant
