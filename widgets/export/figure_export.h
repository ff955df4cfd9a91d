#pragma once
// Any plot as a figure: PDF (vector, TrueType, matrices lossless), SVG, PNG, and its numbers as CSV, TSV and PGFPlots.
// The page is exactly as large as asked, text is in points at final size, the theme is light whatever the screen shows,
// and the same input gives the same bytes. Files are written whole or not at all.

#include <QByteArray>
#include <QImage>
#include <QString>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "widgets/plots/plot_style.h"

class QMimeData;
class QPdfWriter;

namespace sextant {

class CurvePlot;
class MatrixData;

struct VenuePreset {
    QString id, name;
    double width;  // inches
};
// NeurIPS and ICLR 5.5, ICML 3.25 and 6.75, ACL 3.03 and 6.3.
[[nodiscard]] const std::vector<VenuePreset>& venuePresets();
// "5.5in", "140mm", "14 cm", "396pt" or a plain number of inches.
[[nodiscard]] Result<double> parseLength(const QString& text);

struct FigureOptions {
    double width = 5.5;   // inches
    double height = 2.6;  // inches
    double textPoints = 8.0;
    int dotsPerInch = 300;  // PNG
    Theme theme = Theme::light();
    QString title;
    // Key and value: config hash, commit, seeds, dataset hash, device. Goes into the metadata of every format.
    std::vector<std::pair<QString, QString>> provenance;
};

enum class OnExisting { kRefuse, kReplace, kSkip, kRename };

[[nodiscard]] Result<QByteArray> renderPdf(const FigureSource& source, const FigureOptions& options);
[[nodiscard]] Result<QByteArray> renderSvg(const FigureSource& source, const FigureOptions& options);
[[nodiscard]] Result<QByteArray> renderPng(const FigureSource& source, const FigureOptions& options);
// A PDF of pages as large as `options` say, its metadata and dates settled; 768 units an inch.
[[nodiscard]] Result<QByteArray> writePdf(const FigureOptions& options,
                                          const std::function<void(QPdfWriter&, QCPPainter&)>& paint);
// At any resolution, for previews.
[[nodiscard]] QImage renderImage(const FigureSource& source, const FigureOptions& options, double dotsPerInch);

// Writes by the suffix of `path`: .pdf, .svg or .png. Returns the path written (kRename may change it; kSkip returns an
// empty one).
[[nodiscard]] Result<QString> exportFigure(const FigureSource& source, const QString& path,
                                           const FigureOptions& options, OnExisting existing);
// Atomic; applies the same rule for existing files.
[[nodiscard]] Result<QString> writeExport(const QByteArray& bytes, const QString& path, OnExisting existing);

// Long form: series,x,value,smoothed,low,high. Every point, shortest exact numbers, C locale; "nan" and "inf" as words.
[[nodiscard]] QByteArray curvesCsv(const CurvePlot& plot, const FigureOptions& options, char separator = ',');
[[nodiscard]] QByteArray matrixCsv(const MatrixData& matrix, const FigureOptions& options, char separator = ',');
// A standalone axis environment with the data inside.
[[nodiscard]] QByteArray curvesPgf(const CurvePlot& plot, const FigureOptions& options);
// One or several matrices as `matrix plot*` with the numbers inside; cells are reduced to what TeX can hold, and a
// comment says so. Masked cells are left white.
[[nodiscard]] QByteArray matricesPgf(const std::vector<std::pair<QString, MatrixData>>& matrices,
                                     const FigureOptions& options);
// PNG, SVG and TSV at once, for the clipboard.
[[nodiscard]] QMimeData* figureMimeData(const FigureSource& source, const FigureOptions& options,
                                        const QByteArray& tsv);

}  // namespace sextant
