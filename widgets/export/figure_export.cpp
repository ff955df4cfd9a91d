#include "widgets/export/figure_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QMarginsF>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "core/base/atomic_file.h"
#include "core/base/build_info.h"
#include "core/base/text.h"
#include "widgets/plots/qcp.h"

namespace sextant {
namespace {

constexpr double kLargestInches = 100.0;

QString escapedXml(const QString& text) {
    QString result;
    for (const QChar c : text.toHtmlEscaped()) {
        // XML 1.0 forbids most control characters.
        const bool allowed = c >= QLatin1Char(' ') || c == QLatin1Char('\n') || c == QLatin1Char('\t');
        result += allowed && c != QChar(0xFFFE) && c != QChar(0xFFFF) ? c : QChar(0xFFFD);
    }
    return result;
}

QString provenanceText(const FigureOptions& options) {
    QStringList parts;
    for (const auto& [key, value] : options.provenance)
        parts.append(QStringLiteral("%1: %2").arg(key, value));
    return parts.join(QStringLiteral("; "));
}

QByteArray xmpOf(const FigureOptions& options) {
    const QString text =
        QStringLiteral(
            "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\n"
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
            "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">"
            "<xmp:CreatorTool>Sextant</xmp:CreatorTool>"
            "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>"
            "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">%2</rdf:li></rdf:Alt></dc:description>"
            "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end='w'?>\n")
            .arg(escapedXml(options.title), escapedXml(provenanceText(options)));
    return text.toUtf8();
}

// Replaces what follows `key` inside the delimiters by `value`, cut or padded to the old length, so that the table of
// offsets at the end of the file stays right.
void patchInPlace(QByteArray& pdf, const QByteArray& key, char open, char close, const QByteArray& value) {
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + key.size())) {
        const qsizetype from = pdf.indexOf(open, at + key.size());
        if (from < 0 || from > at + key.size() + 4) continue;
        const qsizetype to = pdf.indexOf(close, from);
        if (to < 0) return;
        for (qsizetype i = from + 1; i < to; ++i)
            pdf[i] = i - from - 1 < value.size() ? value[i - from - 1] : ' ';
    }
}

Status checkSize(const FigureOptions& options) {
    if (!(options.width > 0.1) || !(options.height > 0.1) || options.width > kLargestInches ||
        options.height > kLargestInches)
        return usage_error("figure size " + format_exact(options.width) + " x " + format_exact(options.height) +
                           " in is outside 0.1 to 100 in; give another --width");
    if (!(options.textPoints >= 4.0) || options.textPoints > 24.0)
        return usage_error("figure text of " + format_exact(options.textPoints) + " pt is outside 4 to 24 pt");
    return {};
}

QSizeF unitsOf(const FigureOptions& options) {
    return QSizeF(options.width, options.height) * kFigureUnitsPerInch;
}

void prepare(QCPPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.setModes(QCPPainter::PainterModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching));
}

void paintInto(QPaintDevice& device, const FigureSource& source, const FigureOptions& options, double scale) {
    QCPPainter painter(&device);
    prepare(painter);
    painter.scale(scale, scale);
    source.paintFigure(painter, unitsOf(options), PlotStyle::forFigure(options.theme, options.textPoints));
}

}  // namespace

const std::vector<VenuePreset>& venuePresets() {
    static const std::vector<VenuePreset> kPresets{
        {QStringLiteral("neurips"), QStringLiteral("NeurIPS, full width"), 5.5},
        {QStringLiteral("iclr"), QStringLiteral("ICLR, full width"), 5.5},
        {QStringLiteral("icml-column"), QStringLiteral("ICML, one column"), 3.25},
        {QStringLiteral("icml"), QStringLiteral("ICML, two columns"), 6.75},
        {QStringLiteral("acl-column"), QStringLiteral("ACL, one column"), 3.03},
        {QStringLiteral("acl"), QStringLiteral("ACL, two columns"), 6.3},
    };
    return kPresets;
}

Result<double> parseLength(const QString& text) {
    static const QRegularExpression kPattern(QStringLiteral("^\\s*([0-9]*\\.?[0-9]+)\\s*(in|mm|cm|pt)?\\s*$"));
    const QRegularExpressionMatch match = kPattern.match(text);
    bool ok = false;
    const double value = match.captured(1).toDouble(&ok);  // always the C locale
    if (!match.hasMatch() || !ok || !(value > 0.0))
        return usage_error("\"" + single_line(text.toStdString(), 60) +
                           "\" is no length; write 5.5in, 140mm, 14cm or 396pt");
    const QString unit = match.captured(2);
    if (unit == QLatin1String("mm")) return value / 25.4;
    if (unit == QLatin1String("cm")) return value / 2.54;
    if (unit == QLatin1String("pt")) return value / 72.0;
    return value;
}

Result<QByteArray> renderPdf(const FigureSource& source, const FigureOptions& options) {
    return writePdf(options, [&](QPdfWriter&, QCPPainter& painter) {
        source.paintFigure(painter, unitsOf(options), PlotStyle::forFigure(options.theme, options.textPoints));
    });
}

Result<QByteArray> writePdf(const FigureOptions& options, const std::function<void(QPdfWriter&, QCPPainter&)>& paint) {
    SEXTANT_CHECK(checkSize(options));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(static_cast<int>(kFigureUnitsPerInch));
        writer.setPageSize(
            QPageSize(QSizeF(options.width, options.height), QPageSize::Inch, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setTitle(options.title);
        writer.setCreator(QStringLiteral("Sextant"));
        writer.setDocumentXmpMetadata(xmpOf(options));
        QCPPainter painter(&writer);
        prepare(painter);
        paint(writer, painter);
    }
    QByteArray pdf = buffer.data();
    patchInPlace(pdf, "/CreationDate", '(', ')', "D:20000101000000Z00'00'");
    patchInPlace(pdf, "/ModDate", '(', ')', "D:20000101000000Z00'00'");
    return pdf;
}

Result<QByteArray> renderSvg(const FigureSource& source, const FigureOptions& options) {
    SEXTANT_CHECK(checkSize(options));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(72);
        generator.setSize(
            QSize(static_cast<int>(std::ceil(options.width * 72)), static_cast<int>(std::ceil(options.height * 72))));
        generator.setViewBox(QRectF(0, 0, options.width * 72, options.height * 72));
        generator.setTitle(escapedXml(options.title));  // written as it is
        paintInto(generator, source, options, 72.0 / kFigureUnitsPerInch);
    }
    // The generator rounds the size to whole units: write the exact one, and the provenance.
    QString svg = QString::fromUtf8(buffer.data());
    const QString w = QString::fromStdString(format_exact(std::round(options.width * 72e6) / 1e6));
    const QString h = QString::fromStdString(format_exact(std::round(options.height * 72e6) / 1e6));
    static const QRegularExpression kHead(
        QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\"\\s*viewBox=\"[^\"]*\""));
    svg.replace(kHead, QStringLiteral("<svg width=\"%1pt\" height=\"%2pt\" viewBox=\"0 0 %1 %2\"").arg(w, h));
    static const QRegularExpression kDescription(QStringLiteral("<desc>[^<]*</desc>"));
    const QString stamp = QStringLiteral("<desc>Sextant. %1</desc>").arg(escapedXml(provenanceText(options)));
    const QRegularExpressionMatch found = kDescription.match(svg);
    if (found.hasMatch()) {
        svg.replace(found.capturedStart(), found.capturedLength(), stamp);
    } else {
        const qsizetype end = svg.indexOf(QLatin1Char('>'), svg.indexOf(QLatin1String("<svg")));
        svg.insert(end + 1, QLatin1Char('\n') + stamp);
    }
    return svg.toUtf8();
}

QImage renderImage(const FigureSource& source, const FigureOptions& options, double dotsPerInch) {
    const QSize size(std::max(1, static_cast<int>(std::lround(options.width * dotsPerInch))),
                     std::max(1, static_cast<int>(std::lround(options.height * dotsPerInch))));
    QImage image(size, QImage::Format_RGB32);
    image.fill(options.theme.plot);
    image.setDotsPerMeterX(static_cast<int>(std::lround(dotsPerInch / 0.0254)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(dotsPerInch / 0.0254)));
    paintInto(image, source, options, dotsPerInch / kFigureUnitsPerInch);
    return image;
}

Result<QByteArray> renderPng(const FigureSource& source, const FigureOptions& options) {
    SEXTANT_CHECK(checkSize(options));
    if (options.dotsPerInch < 30 || options.dotsPerInch > 2400)
        return usage_error("a resolution of " + std::to_string(options.dotsPerInch) +
                           " dots an inch is outside 30 to 2400");
    const double pixels = options.width * options.height * options.dotsPerInch * options.dotsPerInch;
    if (pixels > 4e8)
        return usage_error("the picture would have more than 400 million pixels; choose a smaller size or resolution");
    QImage image = renderImage(source, options, options.dotsPerInch);
    image.setText(QStringLiteral("Software"), QStringLiteral("Sextant"));
    image.setText(QStringLiteral("Title"), options.title);
    image.setText(QStringLiteral("Description"), provenanceText(options));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return internal_error("the picture could not be encoded as PNG");
    return buffer.data();
}

Result<QString> writeExport(const QByteArray& bytes, const QString& path, OnExisting existing) {
    QString target = path;
    const QFileInfo info(path);
    if (info.exists()) {
        if (info.isDir()) return storage_error("is a folder; give a file name", path.toStdString());
        switch (existing) {
            case OnExisting::kRefuse:
                return storage_error("exists already; use --force to replace it or give another name",
                                     path.toStdString());
            case OnExisting::kSkip:
                return QString();
            case OnExisting::kRename:
                for (int n = 2; QFileInfo::exists(target); ++n)
                    target = QStringLiteral("%1/%2-%3%4")
                                 .arg(info.path(), info.completeBaseName())
                                 .arg(n)
                                 .arg(info.suffix().isEmpty() ? QString() : QLatin1Char('.') + info.suffix());
                break;
            case OnExisting::kReplace:
                break;
        }
    }
    SEXTANT_CHECK(make_directories(QFileInfo(target).absolutePath().toStdString()));
    SEXTANT_CHECK(write_file_atomically(target.toStdString(),
                                        std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return target;
}

Result<QString> exportFigure(const FigureSource& source, const QString& path, const FigureOptions& options,
                             OnExisting existing) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    Result<QByteArray> bytes = suffix == QLatin1String("pdf")   ? renderPdf(source, options)
                               : suffix == QLatin1String("svg") ? renderSvg(source, options)
                               : suffix == QLatin1String("png")
                                   ? renderPng(source, options)
                                   : Result<QByteArray>(usage_error("a figure file ends in .pdf, .svg or .png, not \"" +
                                                                    single_line(suffix.toStdString(), 40) + "\""));
    if (!bytes.ok()) return std::move(bytes).error();
    return writeExport(*bytes, path, existing);
}

QMimeData* figureMimeData(const FigureSource& source, const FigureOptions& options, const QByteArray& tsv) {
    auto* data = new QMimeData;
    data->setImageData(renderImage(source, options, options.dotsPerInch));
    if (const auto svg = renderSvg(source, options); svg.ok()) data->setData(QStringLiteral("image/svg+xml"), *svg);
    if (!tsv.isEmpty()) {
        data->setData(QStringLiteral("text/tab-separated-values"), tsv);
        data->setText(QString::fromUtf8(tsv));
    }
    return data;
}

}  // namespace sextant
