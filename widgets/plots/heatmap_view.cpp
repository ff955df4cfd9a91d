#include "widgets/plots/heatmap_view.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/controls/marks.h"
#include "widgets/plots/matrix_table_model.h"
#include "widgets/plots/qcp.h"
#include "widgets/theme/focus_style.h"

namespace sextant {
namespace {

constexpr double kTokenCell = 11.0;  // px from which tokens are legible
constexpr int kTokenPixels = 64;     // room for token labels

}  // namespace

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent), rowName_(tr("query")), columnName_(tr("key")) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Matrix"));
    setMinimumSize(scaled(160), scaled(140));
}

QSize HeatmapView::sizeHint() const {
    return {scaled(560), scaled(520)};
}

const MatrixData& HeatmapView::shown() const {
    switch (side_) {
        case MatrixSide::kA:
            return a_;
        case MatrixSide::kB:
            return b_;
        case MatrixSide::kDifference:
            return difference_;
    }
    return a_;
}

void HeatmapView::setMatrix(const MatrixData& matrix) {
    setMatrices(matrix, {});
}

void HeatmapView::setMatrices(const MatrixData& a, const MatrixData& b) {
    const bool sameShape = a.rows() == shown().rows() && a.columns() == shown().columns();
    a_ = a;
    b_ = b.rows() == a.rows() && b.columns() == a.columns() ? b : MatrixData();
    difference_ = side_ == MatrixSide::kDifference ? difference(a_, b_) : MatrixData();
    if (b_.empty()) side_ = MatrixSide::kA;
    if (!sameShape) {
        fitted_ = true;
        hover_.reset();
        locked_.reset();
    }
    newData();
}

void HeatmapView::setSide(MatrixSide side) {
    if (b_.empty() || side == side_) return;
    side_ = side;
    if (side_ == MatrixSide::kDifference && difference_.empty()) difference_ = difference(a_, b_);
    newData();
    emit sideChanged(side_);
}

void HeatmapView::newData() {
    levels_.clear();
    imageStale_ = true;
    numbersTail_.reset();
    refreshRange();
    placeView();
    if (table_ != nullptr) table_->refresh();
    setAccessibleDescription(locked_ ? spoken(*locked_)
                                     : tr("%1 by %2 values from %3 to %4")
                                           .arg(shown().rows())
                                           .arg(shown().columns())
                                           .arg(displayNumber(numbers_.smallest), displayNumber(numbers_.largest)));
    update();
}

void HeatmapView::setLook(const MatrixLook& look) {
    if (look == look_) return;  // counting millions of cells again would change nothing
    look_ = look;
    refreshRange();
    update();
}

void HeatmapView::setRangeMode(RangeMode mode, double tail) {
    if (mode == mode_ && tail == tail_) return;
    mode_ = mode;
    tail_ = tail;
    refreshRange();
    update();
}

void HeatmapView::setRangeLocked(bool locked) {
    look_.rangeLocked = locked;
    if (locked) {
        look_.range = effective_.range;
        mode_ = RangeMode::kFixed;
    }
    refreshRange();
    update();
}

void HeatmapView::refreshRange() {
    const MatrixData& matrix = shown();
    // Millions of cells are counted once for each matrix, not at each change of its look.
    if (numbersTail_ != tail_) numbers_ = statistics(matrix, tail_);
    numbersTail_ = tail_;
    effective_ = look_;
    const bool centred = side_ == MatrixSide::kDifference;
    const Theme& t = theme();
    const bool diverging =
        centred || (t.map(look_.map).kind() == MapKind::kDiverging && look_.mapFrom == 0.0 && look_.mapTo == 1.0);
    if (centred && t.map(look_.map).kind() != MapKind::kDiverging) effective_.map = QStringLiteral("tide");
    if (centred) {
        effective_.mapFrom = 0.0;
        effective_.mapTo = 1.0;
        effective_.scale = ScaleKind::kLinear;
    }
    Range range = look_.range;
    if (mode_ == RangeMode::kThis || (centred && mode_ != RangeMode::kPercentile && mode_ != RangeMode::kGiven))
        range = {numbers_.smallest, numbers_.largest};
    if (mode_ == RangeMode::kPercentile) range = {numbers_.lowQuantile, numbers_.highQuantile};
    if (mode_ == RangeMode::kBoth && !centred) {
        const MatrixStatistics one = statistics(a_, 0.0);
        const MatrixStatistics two = b_.empty() ? one : statistics(b_, 0.0);
        range = {std::min(one.smallest, two.smallest), std::max(one.largest, two.largest)};
    }
    // Diverging maps are always centred on 0; weights start at 0, because zero looks like nothing.
    if (diverging && (mode_ != RangeMode::kFixed && mode_ != RangeMode::kGiven)) {
        const double m = std::max(std::abs(range.first), std::abs(range.second));
        range = {-m, m};
    } else if (!diverging && mode_ != RangeMode::kFixed && mode_ != RangeMode::kGiven && range.first > 0.0 &&
               effective_.scale == ScaleKind::kLinear) {
        range.first = 0.0;
    }
    if (look_.mapTo <= 0.5 && look_.mapFrom == 0.0 && mode_ == RangeMode::kThis) range.second = 0.0;
    if (effective_.scale == ScaleKind::kLog && !(range.first > 0.0)) range.first = std::max(range.second, 1e-12) * 1e-6;
    if (!(range.second > range.first)) range.second = range.first + std::max(std::abs(range.first) * 1e-6, 1e-12);
    effective_.range = range;
    effective_.ranked = effective_.scale == ScaleKind::kRank ? sample(matrix) : std::vector<double>();
    outside_ = countOutside(matrix, range);
    imageStale_ = true;
}

void HeatmapView::setTokens(const QStringList& queries, const QStringList& keys) {
    queries_ = queries;
    keys_ = keys;
    placeView();
    update();
}

void HeatmapView::setAxisNames(const QString& rows, const QString& columns) {
    rowName_ = rows;
    columnName_ = columns;
    update();
}

void HeatmapView::setBarShown(bool shown) {
    bar_ = shown;
    placeView();
    update();
}

void HeatmapView::setSquareCells(bool square) {
    square_ = square;
    placeView();
    update();
}

void HeatmapView::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

int HeatmapView::gutter() const {
    return tokensShown() ? scaled(kTokenPixels) : scaled(34);
}

QRectF HeatmapView::room() const {
    const QFontMetricsF metrics(textFont(TextRole::kAxis));
    const double top = tokensShown() ? scaled(kTokenPixels) : metrics.height() + scaled(4);
    const double bottom = metrics.height() + scaled(6);
    const double right = bar_ ? scaled(86) : scaled(10);
    return {static_cast<double>(gutter()), top, std::max(width() - gutter() - right, 20.0),
            std::max(height() - top - bottom, 20.0)};
}

double HeatmapView::fittingCell() const {
    const MatrixData& matrix = shown();
    if (matrix.empty()) return 1.0;
    const double ratio = devicePixelRatioF();
    const QRectF box = room();
    const double most = std::min(box.width() / static_cast<double>(matrix.columns()),
                                 box.height() / static_cast<double>(matrix.rows())) *
                        ratio;
    if (most >= 1.0) return std::floor(most) / ratio;
    // Below one device pixel blocks of cells are drawn, of 1 to 2 pixels: all of them, at the full size of the room.
    return most / ratio;
}

void HeatmapView::placeView() {
    if (fitted_) {
        // Token labels take room of their own: they are shown where cells stay large enough beside them.
        tokenLabels_ = haveTokens();
        cell_ = fittingCell();
        if (tokenLabels_ && cell_ < kTokenCell) {
            tokenLabels_ = false;
            cell_ = fittingCell();
        }
        aspect_ = 1.0;
        if (!square_ && !shown().empty()) {
            const double ratio = devicePixelRatioF();
            const auto whole = [&](double room, std::int64_t count) {
                return std::max(std::floor(room / static_cast<double>(count) * ratio), 1.0) / ratio;
            };
            if (room().width() >= static_cast<double>(shown().columns()) &&
                room().height() >= static_cast<double>(shown().rows())) {
                cell_ = whole(room().width(), shown().columns());
                aspect_ = whole(room().height(), shown().rows()) / cell_;
            }
        }
        origin_ = {0, 0};
    } else {
        tokenLabels_ = haveTokens() && cell_ >= kTokenCell;
    }
    clampOrigin();
    imageStale_ = true;
}

void HeatmapView::clampOrigin() {
    const MatrixData& matrix = shown();
    const QRectF box = room();
    const double spanX = static_cast<double>(matrix.columns()) - box.width() / cell_;
    const double spanY = static_cast<double>(matrix.rows()) - box.height() / cellHeight();
    origin_.setX(std::floor(std::clamp(origin_.x(), 0.0, std::max(std::ceil(spanX), 0.0))));
    origin_.setY(std::floor(std::clamp(origin_.y(), 0.0, std::max(std::ceil(spanY), 0.0))));
}

QRect HeatmapView::visibleCells() const {
    const MatrixData& matrix = shown();
    const QRectF box = room();
    const int left = static_cast<int>(origin_.x());
    const int top = static_cast<int>(origin_.y());
    const int columns =
        std::min(static_cast<int>(box.width() / cell_ + 1e-9), static_cast<int>(matrix.columns()) - left);
    const int rows =
        std::min(static_cast<int>(box.height() / cellHeight() + 1e-9), static_cast<int>(matrix.rows()) - top);
    return {left, top, std::max(columns, 0), std::max(rows, 0)};
}

QRectF HeatmapView::target() const {
    const QRect cells = visibleCells();
    const QRectF box = room();
    const double ratio = devicePixelRatioF();
    // On a device pixel, so that every cell is exactly as wide as the next.
    const auto snap = [&](double v) { return std::round(v * ratio) / ratio; };
    return {snap(box.left()), snap(box.top()), cells.width() * cell_, cells.height() * cellHeight()};
}

std::optional<QPoint> HeatmapView::cellAt(QPointF point) const {
    const QRectF box = target();
    if (!box.contains(point) || cell_ <= 0.0) return std::nullopt;
    const QRect cells = visibleCells();
    const QPoint cell(cells.left() + static_cast<int>((point.x() - box.left()) / cell_),
                      cells.top() + static_cast<int>((point.y() - box.top()) / cellHeight()));
    if (cell.x() >= shown().columns() || cell.y() >= shown().rows()) return std::nullopt;
    return cell;
}

QRectF HeatmapView::cellRect(QPoint cell) const {
    const QRectF box = target();
    const QRect cells = visibleCells();
    return {box.left() + (cell.x() - cells.left()) * cell_, box.top() + (cell.y() - cells.top()) * cellHeight(), cell_,
            cellHeight()};
}

void HeatmapView::lockCell(std::optional<QPoint> cell) {
    if (cell && (cell->x() < 0 || cell->y() < 0 || cell->x() >= shown().columns() || cell->y() >= shown().rows()))
        cell.reset();
    locked_ = cell;
    if (cell) {
        setAccessibleDescription(spoken(*cell));
        emit cellLocked(cell->y(), cell->x(), shown().at(cell->y(), cell->x()));
    } else {
        emit cellLocked(-1, -1, std::numeric_limits<double>::quiet_NaN());
    }
    update();
}

void HeatmapView::centreOn(QPoint cell) {
    const QRect cells = visibleCells();
    if (cells.contains(cell)) return;
    origin_ = QPointF(cell.x() - cells.width() / 2.0, cell.y() - cells.height() / 2.0);
    clampOrigin();
    imageStale_ = true;
    update();
}

QString HeatmapView::spoken(QPoint cell) const {
    const auto label = [](const QStringList& tokens, int index) {
        return index < tokens.size() ? QStringLiteral(" %1").arg(tokens[index]) : QString();
    };
    const QString where = tr("%1 %2%3, %4 %5%6")
                              .arg(rowName_)
                              .arg(cell.y())
                              .arg(label(queries_, cell.y()), columnName_)
                              .arg(cell.x())
                              .arg(label(keys_, cell.x()));
    if (shown().masked(cell.y(), cell.x())) return tr("%1: masked").arg(where);
    return QStringLiteral("%1: %2").arg(where, displayNumber(shown().at(cell.y(), cell.x()), 6));
}

MatrixTableModel* HeatmapView::table() {
    if (table_ == nullptr) table_ = new MatrixTableModel([this]() -> const MatrixData& { return shown(); }, this);
    return table_;
}

ColorBarSpec HeatmapView::barSpec() const {
    ColorBarSpec spec;
    spec.map = effective_.map;
    spec.scale = effective_.valueScale();
    spec.label = look_.valueName;
    spec.clippedLow = outside_.below > 0 && effective_.scale == ScaleKind::kLinear;
    spec.clippedHigh = outside_.above > 0;
    spec.locked = look_.rangeLocked;
    spec.masked = numbers_.masked > 0;
    spec.mapFrom = effective_.mapFrom;
    spec.mapTo = effective_.mapTo;
    if (locked_ && !shown().masked(locked_->y(), locked_->x())) spec.marker = shown().at(locked_->y(), locked_->x());
    return spec;
}

void HeatmapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        imageStale_ = true;
        update();
    }
    QWidget::changeEvent(event);
}

void HeatmapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeView();
}

void HeatmapView::paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const {
    painter.fillRect(QRectF(QPointF(), size), style.theme.plot);
    const MatrixData& matrix = shown();
    if (matrix.empty()) return;
    const QFont small = style.font(TextRole::kAxis);
    const QFontMetricsF metrics(small);
    const double line = metrics.height();
    const double left =
        std::max(metrics.horizontalAdvance(QString::number(matrix.rows() - 1)), metrics.horizontalAdvance(rowName_)) +
        style.px(8);
    const double right = bar_ ? style.px(74) : style.px(6);
    const double cell = std::min((size.width() - left - right) / static_cast<double>(matrix.columns()),
                                 (size.height() - 2.4 * line) / static_cast<double>(matrix.rows()));
    if (!(cell > 0.0)) return;
    const double across = square_ ? cell : (size.width() - left - right) / static_cast<double>(matrix.columns());
    const double down = square_ ? cell : (size.height() - 2.4 * line) / static_cast<double>(matrix.rows());
    const QRectF box(left, line * 1.2, across * static_cast<double>(matrix.columns()),
                     down * static_cast<double>(matrix.rows()));
    paintMatrix(painter, box, matrix, effective_, style);
    painter.setFont(small);
    painter.setPen(style.theme.text2);
    painter.drawText(QRectF(0, box.top(), left - style.px(4), line), Qt::AlignRight, QStringLiteral("0"));
    painter.drawText(QRectF(0, box.bottom() - line, left - style.px(4), line), Qt::AlignRight,
                     QString::number(matrix.rows() - 1));
    painter.drawText(QRectF(0, box.center().y() - line / 2, left - style.px(4), line), Qt::AlignRight, rowName_);
    painter.drawText(QRectF(box.left(), box.bottom() + style.px(2), box.width(), line), Qt::AlignLeft,
                     QStringLiteral("0"));
    painter.drawText(QRectF(box.left(), box.bottom() + style.px(2), box.width(), line), Qt::AlignHCenter, columnName_);
    painter.drawText(QRectF(box.left(), box.bottom() + style.px(2), box.width(), line), Qt::AlignRight,
                     QString::number(matrix.columns() - 1));
    if (bar_)
        paintColorBar(painter, QRectF(box.right() + style.px(10), box.top(), right - style.px(10), box.height()),
                      Qt::Vertical, barSpec(), style);
}

}  // namespace sextant
