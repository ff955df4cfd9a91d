#include "widgets/plots/matrix_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/plots/clip.h"

namespace sextant {

ValueScale MatrixLook::valueScale() const {
    return scale == ScaleKind::kRank ? ValueScale::byRank(ranked) : ValueScale(scale, range.first, range.second);
}

MatrixLook MatrixLook::diverging(double magnitude, const QString& map) {
    MatrixLook look;
    look.map = map;
    const double m = magnitude > 0.0 && std::isfinite(magnitude) ? magnitude : 1.0;
    look.range = {-m, m};
    return look;
}

MatrixLook MatrixLook::negative(double low) {
    MatrixLook look;
    look.map = QStringLiteral("tide");
    look.range = {low < 0.0 && std::isfinite(low) ? low : -1.0, 0.0};
    look.mapFrom = 0.0;
    look.mapTo = 0.5;
    return look;
}

MatrixColors::MatrixColors(const MatrixLook& look, const Theme& theme) : scale_(look.valueScale()) {
    const ColorMap& map = theme.map(look.map);
    for (std::size_t i = 0; i < table_.size(); ++i)
        table_[i] = map.at(look.mapFrom + (look.mapTo - look.mapFrom) * static_cast<double>(i) / 255.0);
    notFinite_ = theme.err.rgb();
    linear_ = scale_.kind() == ScaleKind::kLinear && std::isfinite(scale_.high() - scale_.low());
    low_ = scale_.low();
    factor_ = linear_ ? 255.0 / (scale_.high() - scale_.low()) : 0.0;
    if (!std::isfinite(factor_)) linear_ = false;
}

QRgb MatrixColors::at(double value) const {
    if (std::isnan(value)) return notFinite_;
    const double t = linear_ ? (value - low_) * factor_ : scale_.position(value) * 255.0;
    return table_[static_cast<std::size_t>(std::clamp(t + 0.5, 0.0, 255.0))];
}

QImage matrixImage(const MatrixData& matrix, const QRect& cells, const MatrixColors& colors) {
    QImage image(std::max(cells.width(), 1), std::max(cells.height(), 1), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const int lastRow = std::min<int>(cells.bottom(), static_cast<int>(matrix.rows()) - 1);
    for (int row = std::max(cells.top(), 0); row <= lastRow; ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(row - cells.top()));
        const int end = std::min<int>(cells.right() + 1, static_cast<int>(matrix.visibleColumns(row)));
        matrix.visitRow(row, [&](const auto* values) {
            for (int column = std::max(cells.left(), 0); column < end; ++column) {
                const double value = static_cast<double>(values[column]);
                if (value == -std::numeric_limits<double>::infinity()) continue;
                out[column - cells.left()] = colors.at(value);
            }
        });
    }
    return image;
}

void paintHatch(QPainter& painter, const QRectF& target, const PlotStyle& style, bool hatched, int pitch) {
    const Theme& t = style.theme;
    painter.fillRect(target, t.hatchBg);
    if (!hatched) return;
    painter.save();
    if (style.figure()) {
        // Vector lines, so that a figure stays sharp at any size.
        painter.setPen(QPen(t.hatch, style.line(0.8)));
        const double step = style.px(pitch > 0 ? pitch : t.hatchPitch);
        const double span = target.height();
        const double start = std::floor((target.left() - span) / step) * step;
        for (double x = start; x < target.right(); x += step)
            if (const auto stroke = clippedLine(QLineF(x, target.bottom(), x + span, target.top()), target))
                painter.drawLine(*stroke);
    } else {
        painter.setBrushOrigin(0, 0);
        painter.fillRect(target, t.hatchBrush(painter.device()->devicePixelRatioF(), pitch));
    }
    painter.restore();
}

void paintDistance(QPainter& painter, const QRectF& target, const MatrixData& matrix, double distance,
                   const PlotStyle& style) {
    if (!std::isfinite(distance) || matrix.empty() || distance < 0.0) return;
    const double cw = target.width() / static_cast<double>(matrix.columns());
    const double ch = target.height() / static_cast<double>(matrix.rows());
    // Cells lie at query - key = distance; cell centres are at half cells.
    const double first = static_cast<double>(matrix.firstQuery());
    const double rows = static_cast<double>(matrix.rows());
    const auto keyAt = [&](double row) { return row + first - distance; };
    const double startRow = std::max(0.0, distance - first - 0.5);
    if (startRow >= rows || keyAt(rows) <= -0.5) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(target, Qt::IntersectClip);
    QPen pen(style.theme.text, style.line(1.2));
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    const QLineF whole(target.left() + (keyAt(startRow) + 0.5) * cw, target.top() + (startRow + 0.5) * ch,
                       target.left() + (keyAt(rows) + 0.5) * cw, target.top() + (rows + 0.5) * ch);
    if (const auto inside = clippedLine(whole, target)) painter.drawLine(*inside);
    painter.restore();
}

void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const MatrixLook& look,
                 const PlotStyle& style, int hatchPitch) {
    const Theme& t = style.theme;
    painter.save();
    paintHatch(painter, target, style, look.hatched, hatchPitch);
    if (!matrix.empty()) {
        const double ratio = style.figure() ? 300.0 / kFigureUnitsPerInch : painter.device()->devicePixelRatioF();
        const double across = std::max(target.width() * ratio, 1.0);
        std::int64_t block = 1;
        while (static_cast<double>(std::max(matrix.columns(), matrix.rows())) / static_cast<double>(block) >
                   across * 1.02 &&
               !style.figure())
            block *= 2;
        const MatrixData shown = reduced(matrix, block);
        QImage image =
            matrixImage(shown, QRect(0, 0, static_cast<int>(shown.columns()), static_cast<int>(shown.rows())),
                        MatrixColors(look, t));
        if (style.figure()) {
            // At least 300 dots an inch of whole cells: readers that smooth images cannot blur the edges.
            const int factor = std::clamp(static_cast<int>(std::ceil(across / image.width())), 1, 64);
            image = image.scaled(image.width() * factor, image.height() * factor, Qt::IgnoreAspectRatio,
                                 Qt::FastTransformation);
        }
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(target, image);
        const double cell = target.width() / static_cast<double>(matrix.columns());
        if (cell >= style.px(8) && block == 1) {
            QColor line = t.plot;
            line.setAlphaF(static_cast<float>(t.cellLineAlpha));
            painter.setPen(QPen(line, style.line(1)));
            for (std::int64_t c = 1; c < matrix.columns(); ++c) {
                const double x = target.left() + static_cast<double>(c) * cell;
                painter.drawLine(QPointF(x, target.top()), QPointF(x, target.bottom()));
            }
            const double height = target.height() / static_cast<double>(matrix.rows());
            for (std::int64_t r = 1; r < matrix.rows(); ++r) {
                const double y = target.top() + static_cast<double>(r) * height;
                painter.drawLine(QPointF(target.left(), y), QPointF(target.right(), y));
            }
        }
        if (look.dashedDistance) paintDistance(painter, target, matrix, *look.dashedDistance, style);
    }
    painter.setPen(QPen(t.axis, style.line(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(style.figure() ? target : target.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.restore();
}

}  // namespace sextant
