#pragma once
// Many matrices on one shared scale: layers x heads of attention, or the heads of a bias with their titles. One colour
// bar, the chosen one framed; thumbnails are cached images.

#include <QImage>
#include <QWidget>
#include <vector>

#include "widgets/plots/matrix_painter.h"

namespace sextant {

struct GridCell {
    MatrixData matrix;
    QString title;  // bold when chosen: "head 3"; empty in dense grids
    QString note;   // at the right of the title: "m = 1/8"
    std::optional<double> dashedDistance;
    int layer = 0, head = 0;  // what the cell stands for, whatever the order
    QString spoken;           // "mean distance 4.9 tokens": added to the spoken name
};

struct GridOptions {
    MatrixLook look;
    int columns = 0;           // 0: chosen to fill the room
    bool bar = true;           // colour bar at the right
    bool axisNumbers = false;  // 0 and L-1 under each cell
    QStringList rowNames;      // dense grids: layer numbers at the left
    QStringList columnNames;   // head numbers above
    QStringList barNotes;      // sentences beside the bar
};

class HeatmapGrid : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    explicit HeatmapGrid(QWidget* parent = nullptr);
    void setCells(std::vector<GridCell> cells, const GridOptions& options);
    [[nodiscard]] const std::vector<GridCell>& cells() const { return cells_; }
    [[nodiscard]] const GridOptions& options() const { return options_; }
    void setChosen(int index);
    [[nodiscard]] int chosen() const { return chosen_; }
    void setMarker(std::optional<double> value);  // of the locked cell, on the bar
    void setEmptyText(const QString& text);
    // Range over all cells, masked ones excluded: the shared scale.
    static MatrixStatistics shared(const std::vector<GridCell>& cells, double tail = 0.01);

    void paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const override;
    [[nodiscard]] QSize sizeHint() const override;
    // Height that the cells really take when the grid is as wide and at most as high as this.
    [[nodiscard]] int usedHeight(QSize room) const;

  signals:
    void chosenChanged(int index);
    void cellHovered(int index, int row, int column, double value);  // -1 when the pointer leaves

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Layout {
        int columns = 1, rows = 1;
        double side = 10.0, gapX = 0.0, gapY = 0.0, left = 0.0, top = 0.0, title = 0.0;
        QRectF bar;
    };
    [[nodiscard]] Layout layOut(const QSizeF& size, const PlotStyle& style) const;
    [[nodiscard]] QRectF place(const Layout& layout, int index) const;
    [[nodiscard]] int indexAt(QPointF point) const;
    void paint(QPainter& painter, const QSizeF& size, const PlotStyle& style, bool cached) const;
    [[nodiscard]] ColorBarSpec barSpec() const;
    void choose(int index);

    std::vector<GridCell> cells_;
    GridOptions options_;
    MatrixStatistics numbers_;
    Outside outside_;
    int chosen_ = -1;
    std::optional<double> marker_;
    QString emptyText_;
    mutable std::vector<QImage> thumbnails_;
    mutable double thumbnailSide_ = 0.0;
};

}  // namespace sextant
