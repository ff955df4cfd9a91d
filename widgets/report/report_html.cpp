// The report as HTML and Markdown. No script, no font and no address outside the folder: it opens from disk for ever.

#include "core/results/escape.h"
#include "widgets/report/report_document.h"
#include "widgets/report/report_text.h"

namespace sextant {

namespace {

QString safe(const QString& text) {
    return QString::fromStdString(html_text(text.toStdString()));
}

QString colour(const QColor& color) {
    return color.name();
}

QString style(const Theme& t) {
    return QStringLiteral(
               "html{background:%1;color:%2;font:16px/1.5 'Noto Sans','Noto Sans CJK SC','Noto Sans SC',system-ui,"
               "'PingFang SC','Microsoft YaHei',sans-serif}"
               "body{max-width:60rem;margin:0 auto;padding:2rem 1.25rem;overflow-wrap:break-word}"
               "h1{font-size:2rem;line-height:1.2;margin:0}h2{font-size:1.35rem;margin:2.5rem 0 .75rem;"
               "border-bottom:1px solid %3;padding-bottom:.25rem}"
               ".lead{font-weight:700;font-size:1.08rem}.note{color:%4;font-size:.92rem;border-left:.25rem solid %3;"
               "padding-left:.75rem}nav ul{columns:2;padding-left:1.2rem}a{color:%5}"
               ".wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0 1.75rem;font-size:.9rem;"
               "border-top:2px solid %2;border-bottom:2px solid %2}caption{text-align:left;color:%4;padding:0 0 .4rem;"
               "caption-side:top}th,td{padding:.3rem .7rem .3rem 0;vertical-align:top;text-align:left}"
               "thead th{border-bottom:1px solid %2}tbody th{font-weight:400}.n{text-align:right;"
               "font-variant-numeric:tabular-nums;white-space:nowrap}tr.strong>*{font-weight:700}"
               "figure{margin:1.5rem 0}figure img{width:100%;height:auto;background:%1}"
               "figcaption{color:%4;font-size:.92rem}footer{margin-top:3rem;color:%4;font-size:.85rem}"
               "@media print{@page{size:A4;margin:18mm}body{max-width:none;padding:0;font-size:10pt}nav{display:none}"
               "h2{break-after:avoid}figure,tr{break-inside:avoid}.wide{overflow:visible}table{font-size:8pt}a{"
               "color:inherit;"
               "text-decoration:none}.files{display:none}}")
        .arg(colour(t.plot), colour(t.text), colour(t.edge), colour(t.text2), colour(t.link));
}

QString tableHtml(const ReportTable& table, const QString& extra = {}) {
    QString html = QStringLiteral(
                       "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
                       "aria-label=\"%1\"><table%2>\n<caption>%1</caption>\n<thead><tr>")
                       .arg(safe(table.caption), extra);
    for (qsizetype i = 0; i < table.header.size(); ++i)
        html += QStringLiteral("<th scope=\"col\"%1>")
                    .arg(table.right[static_cast<std::size_t>(i)] ? QStringLiteral(" class=\"n\"") : QString()) +
                safe(table.header[i]) + QStringLiteral("</th>");
    html += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        html += r < table.strong.size() && table.strong[r] ? QStringLiteral("<tr class=\"strong\">")
                                                           : QStringLiteral("<tr>");
        for (qsizetype i = 0; i < table.rows[r].size(); ++i) {
            const bool head = i == 0 && table.rowHeader;
            const bool right =
                i < static_cast<qsizetype>(table.right.size()) && table.right[static_cast<std::size_t>(i)];
            html += head ? QStringLiteral("<th scope=\"row\"") : QStringLiteral("<td");
            if (right) html += QStringLiteral(" class=\"n\"");
            html +=
                QLatin1Char('>') + safe(table.rows[r][i]) + (head ? QStringLiteral("</th>") : QStringLiteral("</td>"));
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody></table></div>\n");
}

// `picture`: the address of a figure's image; `numbers`: of its CSV, or empty.
template <typename Picture, typename Numbers>
QString page(const ReportDocument& document, Picture picture, Numbers numbers) {
    QString html = QStringLiteral(
                       "<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"generator\" content=\"Sextant\">\n")
                       .arg(safe(document.language));
    QString stamp;
    for (const auto& [key, value] : document.provenance)
        stamp += (stamp.isEmpty() ? QString() : QStringLiteral("; ")) + key + QStringLiteral(": ") + value;
    html += QStringLiteral("<meta name=\"description\" content=\"") +
            safe(document.subtitle + QStringLiteral(". ") + stamp) +
            QStringLiteral("\">\n<link rel=\"icon\" href=\"data:,\">\n<title>") + safe(document.title) +
            QStringLiteral("</title>\n<style>") + style(Theme::light()) +
            QStringLiteral("</style>\n</head>\n<body>\n<header><h1>") + safe(document.title) +
            QStringLiteral("</h1>\n<p>") + safe(document.subtitle) + QStringLiteral("</p>\n<nav aria-label=\"") +
            safe(ReportTr::tr("Contents")) + QStringLiteral("\"><ul>");
    int section = 0;
    for (const ReportBlock& block : document.blocks)
        if (block.kind == ReportBlock::Kind::kHeading)
            html +=
                QStringLiteral("<li><a href=\"#s%1\">").arg(++section) + safe(block.text) + QStringLiteral("</a></li>");
    html += QStringLiteral("</ul></nav></header>\n<main>\n");
    section = 0;
    int figure = 0;
    for (const ReportBlock& block : document.blocks) {
        switch (block.kind) {
            case ReportBlock::Kind::kHeading:
                html += QStringLiteral("<h2 id=\"s%1\">").arg(++section) + safe(block.text) + QStringLiteral("</h2>\n");
                break;
            case ReportBlock::Kind::kLead:
                html += QStringLiteral("<p class=\"lead\">") + safe(block.text) + QStringLiteral("</p>\n");
                break;
            case ReportBlock::Kind::kNote:
                html += QStringLiteral("<p class=\"note\">") + safe(block.text) + QStringLiteral("</p>\n");
                break;
            case ReportBlock::Kind::kParagraph:
                html += QStringLiteral("<p>") + safe(block.text) + QStringLiteral("</p>\n");
                break;
            case ReportBlock::Kind::kList:
                html += QStringLiteral("<ul>");
                for (const QString& item : block.items)
                    html += QStringLiteral("<li>") + safe(item) + QStringLiteral("</li>");
                html += QStringLiteral("</ul>\n");
                break;
            case ReportBlock::Kind::kTable:
                html += tableHtml(block.table);
                break;
            case ReportBlock::Kind::kFigure: {
                const QString data = numbers(figure);
                html += QStringLiteral("<figure><img src=\"") + picture(figure) + QStringLiteral("\" alt=\"") +
                        safe(block.figure.alternative) + QStringLiteral("\"><figcaption><strong>") +
                        safe(block.figure.title) + QStringLiteral(".</strong> ") + safe(block.figure.caption);
                if (!data.isEmpty())
                    html += QStringLiteral(" <a class=\"files\" href=\"") + data + QStringLiteral("\">") +
                            safe(ReportTr::tr("Numbers of this figure (CSV)")) + QStringLiteral("</a>");
                html += QStringLiteral("</figcaption></figure>\n");
                ++figure;
                break;
            }
        }
    }
    html += QStringLiteral("</main>\n<footer><p>") +
            safe(ReportTr::tr("Made by Sextant from recorded runs. %1")).arg(safe(stamp)) +
            QStringLiteral("</p></footer>\n</body>\n</html>\n");
    return html;
}

FigureOptions figureOptions(const ReportDocument& document, const ReportFigure& figure) {
    FigureOptions options;
    options.width = 6.7;
    options.height = options.width * figure.ratio;
    options.title = figure.title;
    options.provenance = document.provenance;
    return options;
}

std::vector<const ReportFigure*> figuresOf(const ReportDocument& document) {
    std::vector<const ReportFigure*> figures;
    for (const ReportBlock& block : document.blocks)
        if (block.kind == ReportBlock::Kind::kFigure) figures.push_back(&block.figure);
    return figures;
}

QString markdown(const QString& text) {
    return QString::fromStdString(markdown_text(text.toStdString()));
}

}  // namespace

Result<std::vector<ReportFile>> reportHtml(const ReportDocument& document) {
    std::vector<ReportFile> files;
    const auto figures = figuresOf(document);
    const auto name = [&](int index) {
        return QStringLiteral("assets/figure-%1-%2").arg(index + 1).arg(figures[static_cast<std::size_t>(index)]->kind);
    };
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const FigureOptions options = figureOptions(document, *figures[i]);
        SEXTANT_TRY(svg, renderSvg(*figures[i]->source, options));
        files.push_back({name(static_cast<int>(i)) + QStringLiteral(".svg"), svg});
        files.push_back({name(static_cast<int>(i)) + QStringLiteral(".csv"), figures[i]->csv(options)});
    }
    files.push_back(
        {QStringLiteral("index.html"), page(
                                           document, [&](int index) { return name(index) + QStringLiteral(".svg"); },
                                           [&](int index) { return name(index) + QStringLiteral(".csv"); })
                                           .toUtf8()});
    return files;
}

Result<QByteArray> reportHtmlFile(const ReportDocument& document) {
    std::vector<QByteArray> pictures;
    for (const ReportFigure* figure : figuresOf(document)) {
        SEXTANT_TRY(svg, renderSvg(*figure->source, figureOptions(document, *figure)));
        pictures.push_back(svg);
    }
    return page(
               document,
               [&](int index) {
                   return QStringLiteral("data:image/svg+xml;base64,") +
                          QString::fromLatin1(pictures[static_cast<std::size_t>(index)].toBase64());
               },
               [](int) { return QString(); })
        .toUtf8();
}

QString reportPreview(const ReportDocument& document, int pictureWidth) {
    const Theme paper = Theme::light();
    QString html = QStringLiteral("<h1>") + safe(document.title) + QStringLiteral("</h1><p>") +
                   safe(document.subtitle) + QStringLiteral("</p>");
    int figure = 0;
    for (const ReportBlock& block : document.blocks) {
        switch (block.kind) {
            case ReportBlock::Kind::kHeading:
                html += QStringLiteral("<h2>") + safe(block.text) + QStringLiteral("</h2>");
                break;
            case ReportBlock::Kind::kLead:
                html += QStringLiteral("<p><b>") + safe(block.text) + QStringLiteral("</b></p>");
                break;
            case ReportBlock::Kind::kNote:
            case ReportBlock::Kind::kParagraph:
                html += QStringLiteral("<p>") + safe(block.text) + QStringLiteral("</p>");
                break;
            case ReportBlock::Kind::kList:
                html += QStringLiteral("<ul>");
                for (const QString& item : block.items)
                    html += QStringLiteral("<li>") + safe(item) + QStringLiteral("</li>");
                html += QStringLiteral("</ul>");
                break;
            case ReportBlock::Kind::kTable: {
                html += QStringLiteral("<p>") + safe(block.table.caption) +
                        QStringLiteral("</p><table cellpadding=\"4\" cellspacing=\"0\"><tr>");
                for (const QString& cell : block.table.header)
                    html += QStringLiteral("<th align=\"left\" bgcolor=\"%1\">").arg(colour(paper.panel)) + safe(cell) +
                            QStringLiteral("</th>");
                html += QStringLiteral("</tr>");
                for (const QStringList& row : block.table.rows) {
                    html += QStringLiteral("<tr>");
                    for (qsizetype i = 0; i < row.size(); ++i)
                        html += (block.table.right[static_cast<std::size_t>(i)] ? QStringLiteral("<td align=\"right\">")
                                                                                : QStringLiteral("<td>")) +
                                safe(row[i]) + QStringLiteral("</td>");
                    html += QStringLiteral("</tr>");
                }
                html += QStringLiteral("</table>");
                break;
            }
            case ReportBlock::Kind::kFigure:
                html += QStringLiteral("<p><img src=\"figure:%1\" width=\"%2\"></p><p><b>")
                            .arg(figure++)
                            .arg(pictureWidth) +
                        safe(block.figure.title) + QStringLiteral(".</b> ") + safe(block.figure.caption) +
                        QStringLiteral("</p>");
                break;
        }
    }
    return html;
}

QString reportMarkdown(const ReportDocument& document) {
    QString out = QStringLiteral("# ") + markdown(document.title) + QStringLiteral("\n\n") +
                  markdown(document.subtitle) + QStringLiteral("\n\n");
    for (const ReportBlock& block : document.blocks) {
        switch (block.kind) {
            case ReportBlock::Kind::kHeading:
                out += QStringLiteral("## ") + markdown(block.text) + QStringLiteral("\n\n");
                break;
            case ReportBlock::Kind::kLead:
                out += QStringLiteral("**") + markdown(block.text) + QStringLiteral("**\n\n");
                break;
            case ReportBlock::Kind::kNote:
                out += QStringLiteral("> ") + markdown(block.text) + QStringLiteral("\n\n");
                break;
            case ReportBlock::Kind::kParagraph:
                out += markdown(block.text) + QStringLiteral("\n\n");
                break;
            case ReportBlock::Kind::kList:
                for (const QString& item : block.items)
                    out += QStringLiteral("- ") + markdown(item) + QLatin1Char('\n');
                out += QLatin1Char('\n');
                break;
            case ReportBlock::Kind::kTable: {
                out += markdown(block.table.caption) + QStringLiteral("\n\n|");
                for (const QString& cell : block.table.header)
                    out += QLatin1Char(' ') + markdown(cell) + QStringLiteral(" |");
                out += QStringLiteral("\n|");
                for (qsizetype i = 0; i < block.table.header.size(); ++i)
                    out += block.table.right[static_cast<std::size_t>(i)] ? QStringLiteral("---:|")
                                                                          : QStringLiteral("---|");
                for (const QStringList& row : block.table.rows) {
                    out += QStringLiteral("\n|");
                    for (const QString& cell : row)
                        out += QLatin1Char(' ') + markdown(cell) + QStringLiteral(" |");
                }
                out += QStringLiteral("\n\n");
                break;
            }
            case ReportBlock::Kind::kFigure:
                out += QStringLiteral("**") + markdown(block.figure.title) + QStringLiteral(".** ") +
                       markdown(block.figure.caption) + QStringLiteral("\n\n");
                break;
        }
    }
    return out;
}

}  // namespace sextant
