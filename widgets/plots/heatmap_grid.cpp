#include "widgets/plots/heatmap_grid.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/marks.h"
#include "widgets/plots/qcp.h"
#include "widgets/theme/focus_style.h"

namespace sextant {

HeatmapGrid::HeatmapGrid(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Matrix grid"));
    setMinimumSize(scaled(120), scaled(80));
}

QSize HeatmapGrid::sizeHint() const {
    return {scaled(640), scaled(360)};
}

MatrixStatistics HeatmapGrid::shared(const std::vector<GridCell>& cells, double tail) {
    MatrixStatistics all;
    bool first = true;
    for (const GridCell& cell : cells) {
        const MatrixStatistics one = statistics(cell.matrix, tail);
        all.masked += one.masked;
        all.notFinite += one.notFinite;
        if (one.shown == 0) continue;
        if (first) {
            const auto masked = all.masked;
            const auto bad = all.notFinite;
            all = one;
            all.masked = masked;
            all.notFinite = bad;
            first = false;
            continue;
        }
        all.mean = (all.mean * static_cast<double>(all.shown) + one.mean * static_cast<double>(one.shown)) /
                   static_cast<double>(all.shown + one.shown);
        all.shown += one.shown;
        all.smallest = std::min(all.smallest, one.smallest);
        all.largest = std::max(all.largest, one.largest);
        all.lowQuantile = std::min(all.lowQuantile, one.lowQuantile);
        all.highQuantile = std::max(all.highQuantile, one.highQuantile);
    }
    return all;
}

void HeatmapGrid::setCells(std::vector<GridCell> cells, const GridOptions& options) {
    cells_ = std::move(cells);
    options_ = options;
    numbers_ = shared(cells_, 0.0);
    outside_ = {};
    for (const GridCell& cell : cells_) {
        const Outside one = countOutside(cell.matrix, options_.look.range);
        outside_.below += one.below;
        outside_.above += one.above;
    }
    if (chosen_ >= static_cast<int>(cells_.size())) chosen_ = -1;
    thumbnails_.clear();
    setAccessibleDescription(tr("%n matrices on one scale", nullptr, static_cast<int>(cells_.size())));
    update();
}

void HeatmapGrid::setChosen(int index) {
    chosen_ = index >= 0 && index < static_cast<int>(cells_.size()) ? index : -1;
    update();
}

void HeatmapGrid::setMarker(std::optional<double> value) {
    marker_ = value;
    update();
}

void HeatmapGrid::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

HeatmapGrid::Layout HeatmapGrid::layOut(const QSizeF& size, const PlotStyle& style) const {
    Layout layout;
    const auto count = std::max(static_cast<int>(cells_.size()), 1);
    const double line = QFontMetricsF(style.font(TextRole::kAxis)).height();
    const bool titled = std::any_of(cells_.begin(), cells_.end(), [](const GridCell& c) { return !c.title.isEmpty(); });
    layout.title = titled ? line + style.px(2) : 0.0;
    const double foot = options_.axisNumbers ? line + style.px(2) : 0.0;
    const double pad = style.px(10);
    layout.left = pad + (options_.rowNames.isEmpty() ? 0.0 : style.px(16));
    layout.top = style.px(4) + (options_.columnNames.isEmpty() ? 0.0 : line);
    const double barRoom = options_.bar ? style.px(options_.barNotes.isEmpty() ? 76 : 156) : 0.0;
    layout.gapX = style.px(titled ? 16 : 2);
    layout.gapY = style.px(titled ? 8 : 2);
    const double width = size.width() - layout.left - pad - barRoom;
    const double height = size.height() - layout.top - style.px(6);
    const auto sideFor = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return std::min((width - layout.gapX * (columns - 1)) / columns,
                        (height - (layout.gapY + layout.title + foot) * rows + layout.gapY) / rows);
    };
    int best = options_.columns;
    if (best <= 0) {
        best = 1;
        for (int columns = 1; columns <= count; ++columns)
            if (sideFor(columns) > sideFor(best) + 0.5) best = columns;
    }
    layout.columns = best;
    layout.rows = (count + best - 1) / best;
    layout.side = std::max(std::floor(sideFor(best)), 4.0);
    // Whole pixels a cell where there is room for it.
    if (!cells_.empty() && !cells_.front().matrix.empty() && !style.figure()) {
        const double n = static_cast<double>(std::max(cells_.front().matrix.rows(), cells_.front().matrix.columns()));
        const double whole = std::floor(layout.side / n) * n;
        if (layout.side >= 2 * n && whole > layout.side * 0.8) layout.side = whole;
    }
    layout.gapY += foot;
    const double right = layout.left + layout.columns * layout.side + (layout.columns - 1) * layout.gapX;
    const double bottom = layout.top + layout.rows * (layout.side + layout.title) + (layout.rows - 1) * layout.gapY;
    layout.bar = QRectF(right + style.px(12), layout.top + layout.title, barRoom - style.px(14),
                        std::max(bottom - layout.top - layout.title, static_cast<double>(style.px(60))));
    return layout;
}

int HeatmapGrid::usedHeight(QSize room) const {
    const PlotStyle style = PlotStyle::screen();
    const Layout layout = layOut(QSizeF(room), style);
    const double foot = options_.axisNumbers ? QFontMetricsF(style.font(TextRole::kAxis)).height() + style.px(2) : 0.0;
    return static_cast<int>(std::ceil(place(layout, layout.rows * layout.columns - 1).bottom() + foot + style.px(8)));
}

QRectF HeatmapGrid::place(const Layout& layout, int index) const {
    const int row = index / layout.columns;
    const int column = index % layout.columns;
    return {layout.left + column * (layout.side + layout.gapX),
            layout.top + layout.title + row * (layout.side + layout.title + layout.gapY), layout.side, layout.side};
}

ColorBarSpec HeatmapGrid::barSpec() const {
    ColorBarSpec spec;
    spec.map = options_.look.map;
    spec.scale = options_.look.valueScale();
    spec.label = options_.look.valueName;
    spec.clippedLow = outside_.below > 0 && options_.look.scale == ScaleKind::kLinear;
    spec.clippedHigh = outside_.above > 0;
    spec.locked = options_.look.rangeLocked;
    spec.masked = numbers_.masked > 0;
    spec.mapFrom = options_.look.mapFrom;
    spec.mapTo = options_.look.mapTo;
    spec.marker = marker_;
    return spec;
}

void HeatmapGrid::paint(QPainter& painter, const QSizeF& size, const PlotStyle& style, bool cached) const {
    const Theme& t = style.theme;
    painter.fillRect(QRectF(QPointF(), size), t.plot);
    if (cells_.empty()) {
        painter.setPen(t.text2);
        painter.setFont(style.font(TextRole::kBody));
        painter.drawText(QRectF(QPointF(), size).adjusted(style.px(12), style.px(10), -style.px(12), 0),
                         Qt::AlignLeft | Qt::TextWordWrap, emptyText_);
        return;
    }
    const Layout layout = layOut(size, style);
    const QFont plain = style.font(TextRole::kAxis);
    const QFont bold = style.font(TextRole::kAxisBold);
    const QFontMetricsF metrics(plain);
    const double line = metrics.height();
    // In small thumbnails the hatch would be noise: flat there.
    MatrixLook look = options_.look;
    const bool small = layout.side < style.px(60);
    look.hatched = look.hatched && !small;
    const int pitch = 6;
    if (cached && (thumbnailSide_ != layout.side || thumbnails_.size() != cells_.size())) {
        thumbnails_.assign(cells_.size(), QImage());
        thumbnailSide_ = layout.side;
    }
    for (int i = 0; i < static_cast<int>(cells_.size()); ++i) {
        const GridCell& cell = cells_[static_cast<std::size_t>(i)];
        const QRectF box = place(layout, i);
        look.dashedDistance = cell.dashedDistance;
        if (cached) {
            QImage& thumbnail = thumbnails_[static_cast<std::size_t>(i)];
            if (thumbnail.isNull()) {
                const double ratio = painter.device()->devicePixelRatioF();
                thumbnail = QImage((QSizeF(box.width() + 2, box.height() + 2) * ratio).toSize(), QImage::Format_RGB32);
                thumbnail.setDevicePixelRatio(ratio);
                thumbnail.fill(t.plot);
                QPainter inside(&thumbnail);
                paintMatrix(inside, QRectF(1, 1, box.width(), box.height()), cell.matrix, look, style, pitch);
            }
            painter.drawImage(box.topLeft() - QPointF(1, 1), thumbnail);
        } else {
            paintMatrix(painter, box, cell.matrix, look, style, pitch);
        }
        const bool on = i == chosen_;
        if (!cell.title.isEmpty()) {
            const QRectF title(box.left(), box.top() - layout.title, box.width(), line);
            painter.setFont(on ? bold : plain);
            painter.setPen(on ? t.text : t.text2);
            painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, cell.title);
            painter.setFont(plain);
            painter.setPen(t.text2);
            if (metrics.horizontalAdvance(cell.title) + metrics.horizontalAdvance(cell.note) + style.px(10) <
                box.width())
                painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, cell.note);
        }
        if (options_.axisNumbers && !cell.matrix.empty()) {
            const QRectF foot(box.left(), box.bottom() + style.px(1), box.width(), line);
            painter.setFont(plain);
            painter.setPen(t.text2);
            painter.drawText(foot, Qt::AlignLeft, QStringLiteral("0"));
            painter.drawText(foot, Qt::AlignRight, QString::number(cell.matrix.columns() - 1));
            if (i % layout.columns == 0) painter.drawText(foot, Qt::AlignHCenter, tr("key"));
        }
        if (on && !style.figure()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.index, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(box.adjusted(-1.5, -1.5, 1.5, 1.5));
        }
    }
    painter.setFont(plain);
    painter.setPen(t.text2);
    for (int c = 0; c < std::min<int>(static_cast<int>(options_.columnNames.size()), layout.columns); ++c)
        painter.drawText(QRectF(place(layout, c).left(), layout.top - line - style.px(1), layout.side, line),
                         Qt::AlignCenter, options_.columnNames[c]);
    for (int r = 0; r < std::min<int>(static_cast<int>(options_.rowNames.size()), layout.rows); ++r)
        painter.drawText(
            QRectF(0, place(layout, r * layout.columns).center().y() - line / 2, layout.left - style.px(4), line),
            Qt::AlignRight | Qt::AlignVCenter, options_.rowNames[r]);
    if (!options_.bar) return;
    const double barWidth = style.px(70);
    paintColorBar(painter, QRectF(layout.bar.left(), layout.bar.top(), barWidth, layout.bar.height()), Qt::Vertical,
                  barSpec(), style);
    double y = layout.bar.center().y() - line * 2.5;
    for (const QString& note : options_.barNotes) {
        const QRectF room(layout.bar.left() + barWidth - style.px(8), y, layout.bar.width() - barWidth + style.px(12),
                          line * 5);
        painter.setFont(plain);
        painter.setPen(t.text2);
        QRectF used;
        painter.drawText(room, Qt::AlignLeft | Qt::TextWordWrap, note, &used);
        y += used.height() + line * 0.4;
    }
}

void HeatmapGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint(painter, size(), PlotStyle::screen(), true);
    if (showsFocus(this)) drawFocusRing(painter, rect());
}

void HeatmapGrid::paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const {
    paint(painter, size, style, false);
}

void HeatmapGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    thumbnails_.clear();
}

void HeatmapGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) thumbnails_.clear();
    QWidget::changeEvent(event);
}

int HeatmapGrid::indexAt(QPointF point) const {
    const Layout layout = layOut(size(), PlotStyle::screen());
    for (int i = 0; i < static_cast<int>(cells_.size()); ++i)
        if (place(layout, i).adjusted(-1, -layout.title, 1, 1).contains(point)) return i;
    return -1;
}

void HeatmapGrid::choose(int index) {
    if (index < 0 || index >= static_cast<int>(cells_.size())) return;
    chosen_ = index;
    const GridCell& cell = cells_[static_cast<std::size_t>(index)];
    setAccessibleDescription(
        (cell.title.isEmpty() ? tr("layer %1, head %2").arg(cell.layer + 1).arg(cell.head + 1) : cell.title) +
        (cell.spoken.isEmpty() ? QString() : QStringLiteral(", ") + cell.spoken));
    update();
    emit chosenChanged(index);
}

void HeatmapGrid::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(indexAt(event->position()));
}

void HeatmapGrid::mouseMoveEvent(QMouseEvent* event) {
    const int index = indexAt(event->position());
    if (index >= 0) {
        const QRectF box = place(layOut(size(), PlotStyle::screen()), index);
        const MatrixData& matrix = cells_[static_cast<std::size_t>(index)].matrix;
        const QPointF share((event->position().x() - box.left()) / box.width(),
                            (event->position().y() - box.top()) / box.height());
        if (!matrix.empty() && share.x() >= 0 && share.y() >= 0 && share.x() < 1 && share.y() < 1) {
            const int row = static_cast<int>(share.y() * static_cast<double>(matrix.rows()));
            const int column = static_cast<int>(share.x() * static_cast<double>(matrix.columns()));
            emit cellHovered(index, row, column, matrix.at(row, column));
            const GridCell& cell = cells_[static_cast<std::size_t>(index)];
            setToolTip(cell.title.isEmpty() ? tr("layer %1, head %2").arg(cell.layer + 1).arg(cell.head + 1)
                                            : QString());
            return;
        }
    }
    emit cellHovered(-1, -1, -1, std::numeric_limits<double>::quiet_NaN());
}

void HeatmapGrid::leaveEvent(QEvent*) {
    emit cellHovered(-1, -1, -1, std::numeric_limits<double>::quiet_NaN());
}

void HeatmapGrid::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(cells_.size());
    if (count == 0) return QWidget::keyPressEvent(event);
    const int columns = layOut(size(), PlotStyle::screen()).columns;
    const int at = std::max(chosen_, 0);
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(std::max(at - 1, 0));
        case Qt::Key_Right:
            return choose(std::min(at + 1, count - 1));
        case Qt::Key_Up:
            return choose(at - columns >= 0 ? at - columns : at);
        case Qt::Key_Down:
            return choose(at + columns < count ? at + columns : at);
        case Qt::Key_Home:
            return choose(0);
        case Qt::Key_End:
            return choose(count - 1);
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace sextant
