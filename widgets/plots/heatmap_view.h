#pragma once
// One matrix large: integer cells with hard edges, hover crosshair, a locked cell that arrow keys move, token labels
// once cells are big enough, zoom to single cells, A, B and A-B of two matrices. Painted on an image of the visible
// cells only, cached until the view changes; larger matrices go through block-reduced levels.

#include <QImage>
#include <QStringList>
#include <QWidget>
#include <map>
#include <optional>

#include "widgets/plots/matrix_painter.h"

namespace sextant {

class MatrixTableModel;

enum class MatrixSide { kA, kB, kDifference };
enum class RangeMode { kFixed, kThis, kBoth, kPercentile, kGiven };

class HeatmapView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    explicit HeatmapView(QWidget* parent = nullptr);

    void setMatrix(const MatrixData& matrix);
    // Two of the same shape; A stays alone when B is empty.
    void setMatrices(const MatrixData& a, const MatrixData& b);
    [[nodiscard]] const MatrixData& shown() const;
    [[nodiscard]] MatrixSide side() const { return side_; }
    void setSide(MatrixSide side);
    [[nodiscard]] bool hasSecond() const { return !b_.empty(); }

    // Map, scale, mask and names. `look.range` is used in mode kFixed and kGiven.
    void setLook(const MatrixLook& look);
    [[nodiscard]] const MatrixLook& look() const { return look_; }
    void setRangeMode(RangeMode mode, double tail = 0.01);
    [[nodiscard]] RangeMode rangeMode() const { return mode_; }
    void setRangeLocked(bool locked);
    [[nodiscard]] Range range() const { return effective_.range; }
    [[nodiscard]] MatrixStatistics numbers() const { return numbers_; }
    [[nodiscard]] Outside outside() const { return outside_; }

    void setTokens(const QStringList& queries, const QStringList& keys);
    void setAxisNames(const QString& rows, const QString& columns);
    void setBarShown(bool shown);
    // Cells need not be square: rasters of few rows fill the room.
    void setSquareCells(bool square);
    void setEmptyText(const QString& text);

    [[nodiscard]] std::optional<QPoint> locked() const { return locked_; }  // x: column (key), y: row (query)
    void lockCell(std::optional<QPoint> cell);
    void zoom(double factor, std::optional<QPointF> around = {});
    void fit();
    [[nodiscard]] double cellSize() const { return cell_; }  // device-independent px
    void centreOn(QPoint cell);
    [[nodiscard]] QString spoken(QPoint cell) const;
    [[nodiscard]] MatrixTableModel* table();

    void paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const override;
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    void cellHovered(int row, int column, double value);  // -1, -1, NaN when the pointer leaves
    void cellLocked(int row, int column, double value);   // -1, -1, NaN when unlocked
    void sideChanged(sextant::MatrixSide side);
    void viewChanged(const QRectF& cells);  // visible part, in cells: for linked views

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void newData();
    void refreshRange();
    void placeView();
    void clampOrigin();
    [[nodiscard]] QRectF room() const;    // where the matrix may stand
    [[nodiscard]] QRectF target() const;  // where its visible part stands
    [[nodiscard]] QRect visibleCells() const;
    [[nodiscard]] std::optional<QPoint> cellAt(QPointF point) const;
    [[nodiscard]] QRectF cellRect(QPoint cell) const;
    [[nodiscard]] double fittingCell() const;
    [[nodiscard]] bool tokensShown() const { return tokenLabels_; }
    [[nodiscard]] bool haveTokens() const { return !queries_.isEmpty() && !keys_.isEmpty(); }
    [[nodiscard]] double cellHeight() const { return cell_ * aspect_; }
    [[nodiscard]] int gutter() const;
    void paintLabels(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintFrames(QPainter& painter, const QRectF& rect, double width) const;
    [[nodiscard]] ColorBarSpec barSpec() const;

    MatrixData a_, b_, difference_;
    MatrixSide side_ = MatrixSide::kA;
    MatrixLook look_, effective_;
    RangeMode mode_ = RangeMode::kThis;
    double tail_ = 0.01;
    MatrixStatistics numbers_;
    std::optional<double> numbersTail_;  // they are of what is shown, with this tail
    Outside outside_;
    QStringList queries_, keys_;
    QString rowName_, columnName_, emptyText_;
    bool bar_ = true;
    double cell_ = 1.0;    // px a cell, across
    double aspect_ = 1.0;  // height of a cell over its width
    bool square_ = true;
    bool tokenLabels_ = false;
    QPointF origin_;  // first visible cell, fractional cells
    bool fitted_ = true;
    std::optional<QPoint> hover_, locked_;
    std::map<std::int64_t, MatrixData> levels_;  // block-reduced copies of what is shown
    QImage image_;
    QRect imageCells_;
    std::int64_t imageBlock_ = 0;
    bool imageStale_ = true;
    std::optional<QPointF> panFrom_;
    QPointF panOrigin_;
    MatrixTableModel* table_ = nullptr;
};

}  // namespace sextant
