#pragma once
// A report as a list of blocks in the language of the window: written once, drawn as PDF and HTML and said as Markdown.
// Plain text only; each writer escapes. It is for a reader who has never seen Sextant.

#include <vector>

#include "widgets/report/report_figures.h"

namespace sextant {

struct ReportTable {
    QString caption;
    QStringList header;
    std::vector<QStringList> rows;
    std::vector<bool> right;   // numbers: aligned right
    std::vector<bool> strong;  // a row each; empty: none
    bool rowHeader = true;     // the first column names the row
};

struct ReportBlock {
    enum class Kind { kHeading, kParagraph, kLead, kNote, kList, kTable, kFigure };
    Kind kind = Kind::kParagraph;
    QString text;
    QStringList items;
    ReportTable table;
    ReportFigure figure;
};

struct ReportDocument {
    QString title, subtitle, language;  // BCP 47: "en", "zh-CN"
    std::vector<ReportBlock> blocks;
    std::vector<std::pair<QString, QString>> provenance;  // for the metadata of files
};

// `attention`: maps of each arm that has some, in the arms' order. `attentionProblem`: why there are none.
[[nodiscard]] ReportDocument makeReport(const ReportModel& report,
                                        const std::vector<std::shared_ptr<const AttentionMapsOf>>& attention,
                                        const QString& attentionProblem = {});

struct ReportFile {
    QString name;  // relative; "index.html", "assets/loss.svg"
    QByteArray bytes;
};
// A folder that opens from disk: no script, no request outside it.
[[nodiscard]] Result<std::vector<ReportFile>> reportHtml(const ReportDocument& document);
// One file with its pictures inside.
[[nodiscard]] Result<QByteArray> reportHtmlFile(const ReportDocument& document);
// For the page of the window; pictures are looked up by the names "figure:0", "figure:1", ...
[[nodiscard]] QString reportPreview(const ReportDocument& document, int pictureWidth);
// A4, with page numbers; vector figures, fonts embedded.
[[nodiscard]] Result<QByteArray> reportPdf(const ReportDocument& document);
[[nodiscard]] QString reportMarkdown(const ReportDocument& document);

}  // namespace sextant
