#pragma once
// Runs that other programs logged: folders of TensorBoard event files and CSV tables, read whole and trusting nothing.
// A folder with event files is one run; a table is one run, or one for each name and seed in its columns.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace sextant {

struct ImportedPoint {
    std::int64_t step = 0;
    double tokens = std::numeric_limits<double>::quiet_NaN();   // where the log has them
    double elapsed = std::numeric_limits<double>::quiet_NaN();  // seconds since the run's first record
    double value = 0.0;
};
using ImportedCurves = std::map<std::string, std::vector<ImportedPoint>>;  // by tag, steps ascending

struct ImportedRun {
    std::string name;  // of the variant: what is left of the run's name without its seed
    std::int64_t seed = 0;
    std::string place;  // folder or file it was read from, relative; unique with name and seed
    ImportedCurves curves;
    double last_time = 0.0;  // seconds since 1970; 0 when the log has no times
    std::vector<std::string> problems;
};

struct ImportedFile {
    std::string path;      // absolute
    std::string relative;  // to the folder that was opened
    bool events = false;   // else a table
    std::int64_t size = 0, modified = 0;
    friend bool operator==(const ImportedFile&, const ImportedFile&) = default;
};

// Event files and tables under a folder (four levels deep, at most 2,000 files), or the one file given; sorted. Empty
// when there are none.
[[nodiscard]] std::vector<ImportedFile> find_imported_files(const std::string& path);
// Damaged files are named in the problems of their run; what can be read of them is kept.
[[nodiscard]] std::vector<ImportedRun> read_imported_runs(const std::vector<ImportedFile>& files);

struct ImportedTable {
    std::vector<ImportedRun> runs;
    std::vector<std::string> problems;
};
// Comma, semicolon (then with decimal commas) or tab, quoted fields, "#" comments. One column holds the step; columns
// named run, arm, series or name, and seed, tell several runs apart; every other column of numbers is a curve.
[[nodiscard]] ImportedTable parse_curve_table(std::string_view text, const std::string& file_name);

// What a tag means here, by its words: "training", "validation", "gradient_norm", "learning_rate", "tokens_per_s" or
// empty.
[[nodiscard]] std::string meaning_of_tag(std::string_view tag);
// "alibi-s3", "alibi/seed=3", "alibi-s3-0123456789ab": the variant and its seed; a name without a seed has seed 0.
[[nodiscard]] std::pair<std::string, std::int64_t> split_run_name(const std::string& name);

}  // namespace sextant
