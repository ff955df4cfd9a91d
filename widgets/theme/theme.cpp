#include "widgets/theme/theme.h"

#include <QImage>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

struct SlotColors {
    QRgb light, dark, lightInk, darkInk;
};
constexpr std::array<SlotColors, kSeriesCount> kSlotColors{{
    {0xFF0F5FB4, 0xFF4C90EC, 0xFF0F5FB4, 0xFF4C90EC},  // blue, the baseline
    {0xFFC2410C, 0xFFF0823A, 0xFFC2410C, 0xFFF0823A},  // vermilion
    {0xFF2B8F68, 0xFF5ADBAE, 0xFF287E5F, 0xFF5ADBAE},  // green
    {0xFF9A1B7B, 0xFFECA6E4, 0xFF9A1B7B, 0xFFECA6E4},  // purple
    {0xFF6C757E, 0xFFDDE3E9, 0xFF6C757E, 0xFFDDE3E9},  // grey
    {0xFF4692D2, 0xFF3B98B8, 0xFF3A76A8, 0xFF3B98B8},  // sky
    {0xFF9A8A00, 0xFFEFCC55, 0xFF7F7509, 0xFFEFCC55},  // olive
    {0xFF5A3206, 0xFFB0700F, 0xFF5A3206, 0xFFB3761A},  // brown
}};
constexpr std::array<MarkerShape, kSeriesCount> kMarkers{
    MarkerShape::kDisc,    MarkerShape::kSquare, MarkerShape::kTriangle, MarkerShape::kDiamondOpen,
    MarkerShape::kDiamond, MarkerShape::kCross,  MarkerShape::kPlus,     MarkerShape::kRing};

const std::array<QVector<qreal>, kSeriesCount>& dashes() {
    static const std::array<QVector<qreal>, kSeriesCount> kDashes{
        {{}, {7, 3}, {2, 2.5}, {9, 3, 2, 3}, {4, 2}, {1, 3}, {12, 4}, {6, 2, 2, 2, 2, 2}}};
    return kDashes;
}

void setLightTokens(Theme& t) {
    t.window = QColor(0xE7EAED);
    t.panel = QColor(0xF4F6F7);
    t.raised = t.plot = t.field = QColor(0xFFFFFF);
    t.sunken = QColor(0xDCE1E5);
    t.select = QColor(0xD5DEE6);
    t.hover = QColor(0xE4EAEE);
    t.text = QColor(0x14202B);
    t.text2 = QColor(0x475462);
    t.text3 = QColor(0x7C8893);
    t.line = QColor(0xCBD2D8);
    t.edge = QColor(0x7A8793);
    t.axis = QColor(0x5A6774);
    t.grid = QColor(0xE6EAED);
    t.index = QColor(0x7A5000);
    t.indexFill = QColor(0xF3E7CF);
    t.primary = QColor(0x1B2C3B);
    t.primaryText = QColor(0xFFFFFF);
    t.link = t.info = QColor(0x1F5C8A);
    t.ok = QColor(0x0A6B4B);
    t.okBg = QColor(0xDCEFE6);
    t.infoBg = QColor(0xDCE9F3);
    t.warn = QColor(0x8A5A00);
    t.warnBg = QColor(0xF6EACD);
    t.err = QColor(0xA82A1C);
    t.errBg = QColor(0xF9DFDA);
    t.hatch = QColor(0x7F8B96);
    t.hatchBg = QColor(0xEEF1F3);
    t.orderedLow = QColor(0x5E9BB4);
    t.bandAlpha = 0.16;
    t.cellLineAlpha = 0.35;
}

void setDarkTokens(Theme& t) {
    t.window = QColor(0x12181E);
    t.panel = QColor(0x192129);
    t.raised = QColor(0x222C36);
    t.plot = t.field = QColor(0x0E1318);
    t.sunken = QColor(0x0B0F14);
    t.select = QColor(0x2B3946);
    t.hover = QColor(0x232E38);
    t.text = QColor(0xE6EBEF);
    t.text2 = QColor(0xA9B5C0);
    t.text3 = QColor(0x6E7B87);
    t.line = QColor(0x2D3843);
    t.edge = QColor(0x6B7986);
    t.axis = QColor(0x8794A0);
    t.grid = QColor(0x1D262E);
    t.index = t.warn = QColor(0xE3AE4A);
    t.indexFill = t.warnBg = QColor(0x3A2F18);
    t.primary = QColor(0xDCE3E9);
    t.primaryText = QColor(0x10161C);
    t.link = t.info = QColor(0x7DB9E8);
    t.ok = QColor(0x57C79B);
    t.okBg = QColor(0x15332A);
    t.infoBg = QColor(0x182F42);
    t.err = QColor(0xF4846F);
    t.errBg = QColor(0x43211C);
    t.hatch = QColor(0x5D6A77);
    t.hatchBg = QColor(0x161D24);
    t.orderedLow = QColor(0x3B7A95);
    t.bandAlpha = 0.24;
    t.cellLineAlpha = 0.25;
}

void setMaps(Theme& t) {
    const std::vector<QRgb> depthLight{0xFFF6F8F9, 0xFFC3DAE2, 0xFF7FB2C6, 0xFF3F7F9C, 0xFF17506F, 0xFF07263D};
    const std::vector<QRgb> depthDark{0xFF141B22, 0xFF1C3E52, 0xFF2E6A85, 0xFF5C9CB1, 0xFFAECBCB, 0xFFFBF3DC};
    const std::vector<QRgb> tideLight{0xFF0E4068, 0xFF3A7BA3, 0xFF93BDD3, 0xFFF3F4F4,
                                      0xFFDDB87F, 0xFFAD7024, 0xFF6E3B03};
    const std::vector<QRgb> tideDark{0xFF7CC0E6, 0xFF4389B3, 0xFF235069, 0xFF1A2128,
                                     0xFF6A4A1C, 0xFFB57D31, 0xFFE3AC60};
    // Nunez, Anderton and Renslow 2018 (cividis); Crameri 2018 (vik): the published ten-step samples.
    const std::vector<QRgb> cividis{0xFF00224E, 0xFF123570, 0xFF3B496C, 0xFF575D6D, 0xFF707173,
                                    0xFF8A8678, 0xFFA59C74, 0xFFC3B369, 0xFFE1CC55, 0xFFFEE838};
    const std::vector<QRgb> vik{0xFF001261, 0xFF033E7D, 0xFF1E6F9D, 0xFF71A8C4, 0xFFC9DDE7,
                                0xFFEACEBD, 0xFFD39774, 0xFFBE6533, 0xFF8B2706, 0xFF590008};
    t.depth = ColorMap(QStringLiteral("depth"), MapKind::kSequential, t.dark() ? depthDark : depthLight);
    t.tide = ColorMap(QStringLiteral("tide"), MapKind::kDiverging, t.dark() ? tideDark : tideLight);
    t.cividis = ColorMap(QStringLiteral("cividis"), MapKind::kSequential, cividis);
    t.vik = ColorMap(QStringLiteral("vik"), MapKind::kDiverging, vik);
}

// A seamless tile of one 45 degree line, at the resolution of the screen it is drawn on.
QBrush diagonalBrush(const QColor& ground, const QColor& stroke, int pitch, qreal width, qreal ratio) {
    const int side = std::max(2, static_cast<int>(std::lround(pitch * ratio)));
    QImage tile(side, side, QImage::Format_ARGB32_Premultiplied);
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(stroke, width * ratio));
    for (int offset = -1; offset <= 1; ++offset)
        painter.drawLine(QPointF(-1 + offset * side, side + 1), QPointF(side + 1 + offset * side, -1));
    painter.end();
    tile.setDevicePixelRatio(static_cast<qreal>(side) / pitch);
    return QBrush(tile);
}

}  // namespace

QPen SeriesStyle::pen() const {
    return pen(width);
}

QPen SeriesStyle::pen(qreal penWidth) const {
    QPen result(color, penWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dash.isEmpty()) {
        QVector<qreal> pattern = dash;
        for (qreal& value : pattern)
            value /= 1.5;
        result.setDashPattern(pattern);
    }
    return result;
}

Theme Theme::make(ThemeMode mode, Contrast contrast) {
    Theme t;
    t.mode = mode;
    t.contrast = contrast;
    if (t.dark()) {
        setDarkTokens(t);
    } else {
        setLightTokens(t);
    }
    setMaps(t);
    for (std::size_t i = 0; i < kSeriesCount; ++i) {
        SeriesStyle& style = t.slots_[i];
        style.color = QColor(t.dark() ? kSlotColors[i].dark : kSlotColors[i].light);
        style.ink = QColor(t.dark() ? kSlotColors[i].darkInk : kSlotColors[i].lightInk);
        style.dash = dashes()[i];
        style.width = i == 0 ? 2.0 : 1.5;
        style.marker = kMarkers[i];
    }
    if (contrast == Contrast::kHigh) {
        t.text2 = t.line = t.edge = t.text;
        t.hatchPitch = 6;
        for (SeriesStyle& style : t.slots_)
            style.width += 0.5;
    }
    return t;
}

SeriesStyle Theme::series(int slot) const {
    const int safe = std::max(slot, 0);
    SeriesStyle style = slots_[static_cast<std::size_t>(safe % kSeriesCount)];
    const int round = safe / kSeriesCount;
    if (round > 0) {
        style.dash = dashes()[static_cast<std::size_t>((safe + round) % kSeriesCount)];
        style.width = std::min(style.width, slots_[1].width);
    }
    return style;
}

QColor Theme::band(int slot) const {
    QColor color = series(slot).color;
    color.setAlphaF(static_cast<float>(bandAlpha));
    return color;
}

QColor Theme::ordered(int index, int count) const {
    const double strength = count > 1 ? 1.0 - std::clamp(index, 0, count - 1) / static_cast<double>(count - 1) : 1.0;
    const double t = 0.4 + 0.6 * strength;
    if (t >= 0.6) return QColor(depth.at(t));
    const ColorMap low(QString(), MapKind::kSequential, std::vector<QRgb>{orderedLow.rgb(), depth.at(0.6)});
    return QColor(low.at((t - 0.4) / 0.2));
}

const ColorMap& Theme::map(const QString& name) const {
    for (const ColorMap* candidate : {&depth, &tide, &cividis, &vik})
        if (candidate->name() == name) return *candidate;
    return depth;
}

QStringList Theme::mapNames(MapKind kind) const {
    QStringList names;
    for (const ColorMap* candidate : {&depth, &tide, &cividis, &vik})
        if (candidate->kind() == kind) names.append(candidate->name());
    return names;
}

QBrush Theme::hatchBrush(qreal devicePixelRatio, int pitch) const {
    return diagonalBrush(hatchBg, hatch, pitch > 0 ? pitch : hatchPitch, 1.0, devicePixelRatio);
}

QBrush Theme::gapBrush(qreal devicePixelRatio) const {
    return diagonalBrush(Qt::transparent, err, 9, 1.2, devicePixelRatio);
}

}  // namespace sextant
