#pragma once
// A figure, its numbers and its specification as files: everything is made in memory before the first byte is written,
// so a figure is there whole or not at all. The specification names the files, so that one command makes them again
// when new seeds arrive.

#include "widgets/export/figure_spec.h"
#include "widgets/report/report_document.h"

namespace sextant {

inline constexpr const char* kSpecSuffix = ".figure.json";

// pdf, svg, png, csv, tsv, tex
[[nodiscard]] const QStringList& figureFormats();
// npy, safetensors: of figures with a matrix alone.
[[nodiscard]] bool needsMatrix(const QString& format);
[[nodiscard]] Result<QByteArray> figureBytes(const ReportFigure& figure, const FigureOptions& options,
                                             const QString& format);

[[nodiscard]] FigureSpec specOf(const FigureRequest& request, const FigureOptions& options);
[[nodiscard]] Result<FigureRequest> requestOf(const FigureSpec& spec, const std::string& path = {});
// The options a specification asks for; commit, data and runs of the report are the provenance.
[[nodiscard]] FigureOptions optionsOf(const FigureSpec& spec, const ReportModel& report);

struct WrittenFiles {
    QStringList written, kept;
};
// kRefuse: a kUsage error that names the first file that exists, before anything is written.
[[nodiscard]] Result<WrittenFiles> writeFiles(const std::vector<ReportFile>& files, const QString& folder,
                                              OnExisting existing);

}  // namespace sextant
