#pragma once
// Small matrices of all heads side by side on one scale: titles, a frame around the chosen head, hover and click. Used
// for biases on the Position page and for weights on the Attention page.

#include <QWidget>
#include <vector>

#include "widgets/plots/matrix_painter.h"

namespace sextant {

struct HeadPicture {
    MatrixData matrix;
    QString title;                         // "head 1"
    QString note;                          // "m = 1/2"
    std::optional<double> dashedDistance;  // weight halved
};

class HeadGrid : public QWidget {
    Q_OBJECT

  public:
    explicit HeadGrid(QWidget* parent = nullptr);
    // `columns` 0: as many as fit well. The look is shared: one scale for all.
    void setHeads(std::vector<HeadPicture> heads, const MatrixLook& look, int columns = 0);
    void setCurrent(int index);
    [[nodiscard]] int current() const { return current_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void headChosen(int index);
    void cellHovered(int index, int row, int column);  // -1s when the pointer leaves

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] int columns() const;
    [[nodiscard]] QRect cell(int index) const;     // with its titles
    [[nodiscard]] QRectF picture(int index) const; // the matrix alone
    [[nodiscard]] int indexAt(const QPointF& point) const;

    std::vector<HeadPicture> heads_;
    MatrixLook look_;
    int columns_ = 0;
    int current_ = 0;
};

}  // namespace sextant
