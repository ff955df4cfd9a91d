#pragma once
// A project's numbers as files for other programs: always complete, never decimated. The files are made in memory first
// and written one by one atomically, so a failed export leaves no half file.

#include <string>
#include <vector>

#include "core/results/report_model.h"

namespace sextant {

struct ExportedFile {
    std::string name;  // relative to the target folder; may hold one '/'
    std::string bytes;
};

// format: csv, latex, markdown, tensorboard, json or npy.
[[nodiscard]] Result<std::vector<ExportedFile>> make_export(const ReportModel& report, const std::string& format);

enum class ExistingFile { kRefuse, kOverwrite, kSkip, kRename };

struct WrittenExport {
    std::vector<std::string> written;
    std::vector<std::string> skipped;
};
// kRefuse: a kUsage error that names the first existing file, before anything is written. kRename: "name (2).csv".
[[nodiscard]] Result<WrittenExport> write_export(const std::vector<ExportedFile>& files, const std::string& directory,
                                                 ExistingFile existing);

}  // namespace sextant
