// The numbers of a figure: CSV, TSV and PGFPlots.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "widgets/export/figure_export.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/matrix.h"

namespace sextant {
namespace {

constexpr std::size_t kPgfPoints = 2000;  // a series; TeX runs out of memory on long ones

QByteArray number(double value) {
    return QByteArray::fromStdString(format_exact(value));
}

// A field of a separated file, quoted where it has to be.
QByteArray field(const QString& text, char separator) {
    QByteArray bytes = text.toUtf8();
    if (separator == '\t') return bytes.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    if (!bytes.contains(separator) && !bytes.contains('"') && !bytes.contains('\n') && !bytes.contains('\r'))
        return bytes;
    return '"' + bytes.replace("\"", "\"\"") + '"';
}

QByteArray stamp(const FigureOptions& options) {
    QByteArray head;
    for (const auto& [key, value] : options.provenance) {
        QString line = QStringLiteral("# %1: %2").arg(key, value);
        head +=
            line.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\r'), QLatin1Char(' ')).toUtf8() +
            '\n';
    }
    return head;
}

QString latexEscaped(const QString& text) {
    QString result;
    for (const QChar c : text) {
        switch (c.unicode()) {
            case '\\':
                result += QLatin1String("\\textbackslash{}");
                break;
            case '~':
                result += QLatin1String("\\textasciitilde{}");
                break;
            case '^':
                result += QLatin1String("\\textasciicircum{}");
                break;
            case '_':
            case '%':
            case '&':
            case '#':
            case '$':
            case '{':
            case '}':
                result += QLatin1Char('\\') + QString(c);
                break;
            case 0x2212:
                result += QLatin1String("$-$");
                break;
            default:
                result += c < QLatin1Char(' ') ? QChar(' ') : c;
        }
    }
    return result;
}

QByteArray pgfDash(const QVector<qreal>& dash) {
    if (dash.isEmpty()) return "solid";
    QByteArray pattern = "dash pattern=";
    for (qsizetype i = 0; i < dash.size(); ++i)
        pattern += (i % 2 == 0 ? "on " : "off ") + QByteArray::number(dash[i] * 0.75) + "pt ";
    return pattern.trimmed();
}

const char* pgfMark(MarkerShape shape) {
    switch (shape) {
        case MarkerShape::kDisc:
            return "*";
        case MarkerShape::kSquare:
            return "square*";
        case MarkerShape::kTriangle:
            return "triangle*";
        case MarkerShape::kDiamondOpen:
            return "diamond";
        case MarkerShape::kDiamond:
            return "diamond*";
        case MarkerShape::kCross:
            return "x";
        case MarkerShape::kPlus:
            return "+";
        case MarkerShape::kRing:
            return "o";
    }
    return "*";
}

}  // namespace

QByteArray curvesCsv(const CurvePlot& plot, const FigureOptions& options, char separator) {
    const QByteArray comma(1, separator);
    QByteArray out = stamp(options);
    out += QByteArray("series,x,value,smoothed,low,high\n").replace(",", comma);
    for (const SeriesState& state : plot.states()) {
        if (!state.series().visible) continue;
        const QByteArray name =
            field(state.series().name.isEmpty() ? state.series().id : state.series().name, separator);
        const auto x = state.x();
        const auto y = state.y();
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
            out += name + comma + number(x[i]) + comma + number(y[i]) + comma;
            if (state.smoothed()) out += number(state.shown()[i]);
            out += comma;
            if (state.banded() && i < state.low().size()) out += number(state.low()[i]);
            out += comma;
            if (state.banded() && i < state.high().size()) out += number(state.high()[i]);
            out += '\n';
        }
    }
    return out;
}

QByteArray matrixCsv(const MatrixData& matrix, const FigureOptions& options, char separator) {
    QByteArray out = stamp(options);
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        for (std::int64_t column = 0; column < matrix.columns(); ++column) {
            if (column > 0) out += separator;
            out += matrix.masked(row, column) ? QByteArray("-inf") : number(matrix.at(row, column));
        }
        out += '\n';
    }
    return out;
}

QByteArray curvesPgf(const CurvePlot& plot, const FigureOptions& options) {
    QByteArray out =
        "% Made by Sextant. \\usepackage{pgfplots} \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{fillbetween}\n";
    for (const auto& [key, value] : options.provenance) {
        QString line = QStringLiteral("%% %1: %2").arg(key, value);
        out += line.replace(QLatin1Char('\n'), QLatin1Char(' '))
                   .replace(QLatin1Char('\r'), QLatin1Char(' '))
                   .mid(1)
                   .toUtf8() +
               '\n';
    }
    const auto log = [](const AxisOptions& axis) {
        return axis.kind == AxisKind::kLog || axis.kind == AxisKind::kLog2;
    };
    QByteArray colors;
    QByteArray plots;
    int number_of_plot = 0;
    for (const SeriesState& state : plot.states()) {
        const CurveSeries& series = state.series();
        if (!series.visible || state.y().empty()) continue;
        const SeriesStyle style = series.style ? series.style.in(options.theme) : options.theme.series(series.slot);
        const QByteArray color = "sextant" + QByteArray(1, static_cast<char>('A' + number_of_plot % 26)) +
                                 QByteArray(number_of_plot / 26, 'x');
        ++number_of_plot;
        colors += "\\definecolor{" + color + "}{HTML}{" + style.color.name().mid(1).toUpper().toLatin1() + "}\n";
        const auto x = state.x();
        const auto y = state.shown();
        const auto shows = [&](std::size_t i, double value) {
            return std::isfinite(x[i]) && std::isfinite(value) && (!log(plot.xAxis()) || x[i] > 0) &&
                   (!log(plot.yAxis()) || value > 0);
        };
        std::vector<std::size_t> kept(std::min(x.size(), y.size()));
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = i;
        if (kept.size() > kPgfPoints && series.role != SeriesRole::kPath) {
            const std::size_t buckets = kPgfPoints / 4;
            std::vector<double> edges(buckets + 1);
            for (std::size_t b = 0; b <= buckets; ++b)
                edges[b] = x.front() + (x.back() - x.front()) * static_cast<double>(b) / static_cast<double>(buckets);
            kept = decimate(state.shownPyramid(), x, y, edges).samples;
            plots += "% " + QByteArray::number(static_cast<qlonglong>(x.size())) +
                     " points, here each interval's first, last, smallest and largest; all are in the CSV file\n";
        }
        const auto coordinates = [&](std::span<const double> values) {
            QByteArray text = "coordinates {";
            for (const std::size_t i : kept) {
                if (i == Decimated::kBreak || i >= values.size() || !shows(i, values[i])) {
                    if (!text.endsWith("\n\n")) text += "\n\n";  // an empty line breaks the curve
                    continue;
                }
                text += '(' + number(x[i]) + ',' + number(values[i]) + ") ";
            }
            return text + "}";
        };
        if (state.banded()) {
            const QByteArray name = QByteArray::number(number_of_plot);
            plots += "\\addplot[draw=none, name path=low" + name + ", forget plot] " + coordinates(state.low()) + ";\n";
            plots +=
                "\\addplot[draw=none, name path=high" + name + ", forget plot] " + coordinates(state.high()) + ";\n";
            plots += "\\addplot[" + color + ", opacity=0.16, forget plot] fill between[of=low" + name + " and high" +
                     name + "];\n";
        }
        QByteArray look =
            color + ", " + pgfDash(style.dash) + ", line width=" + QByteArray::number(style.width * 0.75) + "pt";
        look += series.markers ? QByteArray(", mark=") + pgfMark(style.marker) + ", mark options={solid}, mark size=2pt"
                               : QByteArray(", mark=none");
        if (series.role == SeriesRole::kPoints) look += ", only marks";
        plots += "\\addplot[" + look + "] " + coordinates(y) + ";\n";
        if (series.labelled) plots += "\\addlegendentry{" + latexEscaped(series.name).toUtf8() + "}\n";
    }
    out += colors;
    out += "\\begin{tikzpicture}\n\\begin{axis}[width=" + number(options.width) +
           "in, height=" + number(options.height) + "in, unbounded coords=jump,\n  xlabel={" +
           latexEscaped(plot.xAxis().name).toUtf8() + "}, ylabel={" + latexEscaped(plot.yAxis().name).toUtf8() +
           "},\n  axis lines=left, grid=major, legend style={draw=none, font=\\footnotesize}, tick label "
           "style={font=\\footnotesize}";
    if (plot.xAxis().kind == AxisKind::kLog2) out += ", xmode=log, log basis x=2";
    if (plot.xAxis().kind == AxisKind::kLog) out += ", xmode=log";
    if (log(plot.yAxis())) out += ", ymode=log";
    out += "]\n" + plots + "\\end{axis}\n\\end{tikzpicture}\n";
    return out;
}

QByteArray matricesPgf(const std::vector<std::pair<QString, MatrixData>>& matrices, const FigureOptions& options) {
    constexpr std::int64_t kCells = 4096;  // in all; TeX's memory
    QByteArray out =
        "% Made by Sextant. \\usepackage{pgfplots} \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots}\n";
    out += stamp(options).replace("# ", "% ");
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::int64_t cells = 0;
    for (const auto& [name, matrix] : matrices) {
        const MatrixStatistics numbers = statistics(matrix);
        if (numbers.shown > 0) {
            low = std::min(low, numbers.smallest);
            high = std::max(high, numbers.largest);
        }
        cells += matrix.rows() * matrix.columns();
    }
    if (!(low < high)) high = low + 1.0;
    const auto block = static_cast<std::int64_t>(
        std::ceil(std::sqrt(static_cast<double>(std::max<std::int64_t>(cells, 1)) / static_cast<double>(kCells))));
    if (block > 1)
        out += "% each cell here is the one of largest magnitude of " +
               QByteArray::number(static_cast<qlonglong>(block)) + " x " +
               QByteArray::number(static_cast<qlonglong>(block)) + "; all are in the CSV file\n";
    const auto columns = static_cast<qsizetype>(std::ceil(std::sqrt(static_cast<double>(matrices.size()))));
    const double side = std::max(0.4, options.width / static_cast<double>(std::max<qsizetype>(columns, 1)) - 0.35);
    const ColorMap& map = low < 0 ? options.theme.tide : options.theme.depth;
    const double reach = std::max(std::abs(low), std::abs(high));
    out += "\\pgfplotsset{colormap={sextant}{";
    for (int i = 0; i <= 6; ++i) {
        const QRgb color = map.at(i / 6.0);
        out += "rgb255=(" + QByteArray::number(qRed(color)) + ',' + QByteArray::number(qGreen(color)) + ',' +
               QByteArray::number(qBlue(color)) + ") ";
    }
    out +=
        "}}\n\\begin{tikzpicture}\n\\begin{groupplot}[group style={group size=" + QByteArray::number(columns) + " by " +
        QByteArray::number((static_cast<qsizetype>(matrices.size()) + columns - 1) / std::max<qsizetype>(columns, 1)) +
        ", horizontal sep=0.3in, vertical sep=0.35in}, scale only axis, width=" + number(side) +
        "in, height=" + number(side) + "in, enlargelimits=false, axis on top, y dir=reverse, colormap name=sextant, " +
        "point meta min=" + number(low < 0 ? -reach : low) + ", point meta max=" + number(low < 0 ? reach : high) +
        ",\n  tick label style={font=\\footnotesize}, title style={font=\\footnotesize}]\n";
    for (const auto& [name, whole] : matrices) {
        const MatrixData matrix = block > 1 ? reduced(whole, block) : whole;
        out += "\\nextgroupplot[title={" + latexEscaped(name).toUtf8() +
               "}]\n\\addplot[matrix plot*, point meta=explicit, mesh/cols=" +
               QByteArray::number(static_cast<qlonglong>(matrix.columns())) + "] coordinates {\n";
        for (std::int64_t row = 0; row < matrix.rows(); ++row) {
            for (std::int64_t column = 0; column < matrix.columns(); ++column) {
                const double value = matrix.at(row, column);
                out += '(' + QByteArray::number(static_cast<qlonglong>(column * block)) + ',' +
                       QByteArray::number(static_cast<qlonglong>(row * block)) + ") [" +
                       (matrix.masked(row, column) || !std::isfinite(value) ? QByteArray("nan") : number(value)) + "] ";
            }
            out += '\n';
        }
        out += "};\n";
    }
    return out + "\\end{groupplot}\n\\end{tikzpicture}\n";
}

}  // namespace sextant
