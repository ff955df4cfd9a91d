#pragma once
// The text as tokens, shaded by a weight each in the shared map. Hover is a row, click locks it, Shift-click compares.
// Tokens are shown byte-exact by displayToken(): spaces and line ends as signs, partial bytes in angle brackets.

#include <QRect>
#include <QWidget>
#include <vector>

#include "widgets/controls/value_scale.h"

namespace sextant {

// The bytes of one token as people read them: U+2423 for a space, U+23CE for a line end, <0xE4> for bytes that are no
// whole character. Right-to-left text is isolated so that it does not reorder its neighbours.
[[nodiscard]] QString displayToken(const QByteArray& bytes);

class TokenStrip : public QWidget {
    Q_OBJECT

  public:
    explicit TokenStrip(QWidget* parent = nullptr);
    void setTokens(const QStringList& tokens);
    // One weight a token (empty: no shading), with the map and scale of the matrix.
    void setWeights(std::vector<double> weights, const QString& map, const ValueScale& scale);
    void setQuery(int index);  // 2 px index frame; later tokens are struck through; -1 none
    void setKey(int index);    // 1 px frame
    void setCausal(bool causal);
    [[nodiscard]] int query() const { return query_; }
    [[nodiscard]] QRect boxOf(int index) const;  // where a token stands; empty when there is none
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

  signals:
    void tokenHovered(int index);  // -1 when the pointer leaves
    void tokenLocked(int index);
    void tokenCompared(int index);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    int place(int width, std::vector<QRect>* boxes) const;  // returns the height
    [[nodiscard]] int tokenAt(QPoint point) const;
    void speak(int index);

    QStringList tokens_;
    std::vector<QRect> boxes_;
    std::vector<double> weights_;
    QString map_;
    ValueScale scale_;
    int query_ = -1, key_ = -1, hovered_ = -1;
    bool causal_ = true;
};

}  // namespace sextant
