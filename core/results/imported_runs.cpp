#include "core/results/imported_runs.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <regex>

#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/results/tensorboard_events.h"

namespace sextant {

namespace {

namespace fs = std::filesystem;
constexpr int kDepth = 4;
constexpr std::size_t kFiles = 2000;
constexpr std::size_t kBytes = std::size_t{1} << 30U;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

bool is_table(const std::string& name) {
    const std::string low = lower(name);
    return low.ends_with(".csv") || low.ends_with(".tsv");
}

bool is_events(const std::string& name) {
    return name.find("tfevents") != std::string::npos;
}

std::optional<ImportedFile> described(const fs::path& path, const std::string& relative) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return ImportedFile{path.string(), relative, is_events(path.filename().string()), status.st_size,
                        static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

// Fields of one line; quotes may hold separators but no line breaks.
std::vector<std::string> fields_of(std::string_view line, char separator) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted) {
            if (c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
                fields.back() += '"';
                ++i;
            } else if (c == '"') {
                quoted = false;
            } else {
                fields.back() += c;
            }
        } else if (c == '"' && fields.back().empty()) {
            quoted = true;
        } else if (c == separator) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

std::optional<double> number_of(std::string text, bool decimal_comma) {
    if (decimal_comma) std::replace(text.begin(), text.end(), ',', '.');
    const std::string_view bare = trimmed(text);
    const std::string low = lower(bare);
    if (low == "nan") return kNan;
    if (low == "inf" || low == "infinity" || low == "+inf") return std::numeric_limits<double>::infinity();
    if (low == "-inf" || low == "-infinity") return -std::numeric_limits<double>::infinity();
    return parse_double(bare);
}

bool any_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* each) { return word == each; });
}

// Steps ascending; of repeated steps the order they were written in is kept.
void sort_points(ImportedRun& run) {
    for (auto& [tag, points] : run.curves)
        std::stable_sort(points.begin(), points.end(),
                         [](const ImportedPoint& a, const ImportedPoint& b) { return a.step < b.step; });
}

}  // namespace

std::vector<ImportedFile> find_imported_files(const std::string& path) {
    std::vector<ImportedFile> files;
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
        const fs::path file(path);
        const std::string name = file.filename().string();
        if (is_table(name) || is_events(name))
            if (auto found = described(file, name)) files.push_back(std::move(*found));
        return files;
    }
    fs::recursive_directory_iterator entries(path, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && entries != end && files.size() < kFiles;
         entries.increment(error)) {
        const std::string name = entries->path().filename().string();
        if (entries->is_directory(error)) {
            if (entries.depth() + 1 >= kDepth || name.starts_with('.')) entries.disable_recursion_pending();
            continue;
        }
        if (!is_table(name) && !is_events(name)) continue;
        if (auto found = described(entries->path(), entries->path().lexically_relative(path).string()))
            files.push_back(std::move(*found));
    }
    std::sort(files.begin(), files.end(),
              [](const ImportedFile& a, const ImportedFile& b) { return a.relative < b.relative; });
    return files;
}

std::pair<std::string, std::int64_t> split_run_name(const std::string& name) {
    static const std::regex ours("(.+)-s([0-9]{1,9})-[0-9a-f]{12}");
    static const std::regex other("(.+?)[-_. /]*(?:[-_. /]s|[sS]eed)[-_=]?([0-9]{1,9})");
    std::smatch match;
    if (name.size() < 400 && (std::regex_match(name, match, ours) || std::regex_match(name, match, other)))
        return {match[1].str(), parse_integer(match[2].str()).value_or(0)};
    return {name, 0};
}

std::string meaning_of_tag(std::string_view tag) {
    const std::string low = lower(tag);
    const auto has = [&](const char* word) { return low.find(word) != std::string::npos; };
    if (has("grad") && has("norm")) return "gradient_norm";
    if (has("learning_rate") || has("learning-rate") || low == "lr" || low.ends_with("/lr")) return "learning_rate";
    if (has("tokens_per_s") || has("tokens/s") || has("tok/s")) return "tokens_per_s";
    if (!has("loss") || has("smoothed")) return {};
    if (has("val") || has("dev/") || has("dev_")) return "validation";  // "eval" too
    if (has("test")) return {};
    return "training";
}

ImportedTable parse_curve_table(std::string_view text, const std::string& file_name) {
    ImportedTable table;
    const std::string stem = fs::path(file_name).stem().string();
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::size_t at = 0;
    std::size_t number = 0;
    const auto next_line = [&]() -> std::optional<std::string_view> {
        while (at < text.size()) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            std::string_view line = text.substr(at, end - at);
            at = end + 1;
            ++number;
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (!trimmed(line).empty() && !line.starts_with('#')) return line;
        }
        return std::nullopt;
    };
    const auto head = next_line();
    if (!head) {
        table.problems.push_back(file_name + " is empty");
        return table;
    }
    const char separator = head->find('\t') != std::string_view::npos  ? '\t'
                           : head->find(';') != std::string_view::npos ? ';'
                                                                       : ',';
    const std::vector<std::string> names = fields_of(*head, separator);
    int step = -1, tokens = -1, time = -1, series = -1, seed = -1;
    bool epoch = false;
    std::vector<bool> curve(names.size(), true);
    const auto take = [&](int& slot, std::size_t column) {
        curve[column] = false;
        if (slot < 0) slot = static_cast<int>(column);
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = lower(trimmed(names[i]));
        std::replace(name.begin(), name.end(), ' ', '_');
        if (any_of(name, {"step", "global_step", "_step", "iteration", "iter", "trainer/global_step"})) {
            take(step, i);
        } else if (any_of(name, {"tokens", "tokens_seen", "num_tokens"})) {
            take(tokens, i);
        } else if (any_of(name, {"elapsed", "elapsed_s", "relative_time", "_runtime"})) {
            take(time, i);
        } else if (any_of(name, {"wall_time", "timestamp", "_timestamp"})) {
            epoch = time < 0;
            take(time, i);
        } else if (any_of(name, {"arm", "series", "name", "variant"})) {
            series = static_cast<int>(i);  // before "run", which may hold a hash
            curve[i] = false;
        } else if (name == "run") {
            take(series, i);
        } else if (name == "seed") {
            take(seed, i);
        }
    }
    // A figure's own table calls its axis x; a table of epochs has nothing better.
    for (const char* fallback : {"x", "epoch", "position"}) {
        for (std::size_t i = 0; i < names.size() && step < 0; ++i)
            if (lower(trimmed(names[i])) == fallback) take(step, i);
    }
    if (step < 0) {
        table.problems.push_back(file_name + " has no column named step (or iteration, x, epoch)");
        return table;
    }
    const bool several = series >= 0 || seed >= 0;
    std::map<std::pair<std::string, std::int64_t>, std::size_t> known;
    std::map<std::size_t, double> first_time;
    std::size_t bad = 0, first_bad = 0;
    const bool decimal_comma = separator == ';';
    while (const auto line = next_line()) {
        const std::vector<std::string> fields = fields_of(*line, separator);
        const auto value = [&](int column) {
            const auto place = static_cast<std::size_t>(column);
            return column >= 0 && place < fields.size() ? number_of(fields[place], decimal_comma) : std::nullopt;
        };
        const auto where = value(step);
        if (!where || !(std::abs(*where) < 9e15)) {
            if (bad++ == 0) first_bad = number;
            continue;
        }
        std::pair<std::string, std::int64_t> key = split_run_name(stem);
        if (several) {
            if (series >= 0 && static_cast<std::size_t>(series) < fields.size())
                key = split_run_name(std::string(trimmed(fields[static_cast<std::size_t>(series)])));
            if (const auto given = value(seed); given && std::abs(*given) < 9e15)
                key.second = static_cast<std::int64_t>(*given);
        }
        const auto [found, fresh] = known.emplace(key, table.runs.size());
        if (fresh) {
            ImportedRun run;
            run.name = key.first;
            run.seed = key.second;
            run.place = file_name;
            table.runs.push_back(std::move(run));
        }
        ImportedRun& run = table.runs[found->second];
        ImportedPoint point;
        point.step = static_cast<std::int64_t>(std::llround(*where));
        point.tokens = value(tokens).value_or(kNan);
        if (const auto when = value(time)) {
            point.elapsed = epoch ? *when - first_time.emplace(found->second, *when).first->second : *when;
            if (epoch && std::isfinite(*when)) run.last_time = std::max(run.last_time, *when);
        }
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) {
            if (!curve[i]) continue;
            const auto read = number_of(fields[i], decimal_comma);
            if (!read) continue;  // words and empty cells
            point.value = *read;
            std::string tag(trimmed(names[i]));
            // "loss" of steps.csv and "loss" of validations.csv are two curves; "Value" is named by its file alone.
            if (lower(tag) == "value" && !several)
                tag = stem;
            else if (several)
                tag = stem + "/" + tag;
            run.curves[tag].push_back(point);
        }
    }
    if (bad > 0)
        table.problems.push_back(file_name + ": " + std::to_string(bad) +
                                 " line(s) without a step were left out, line " + std::to_string(first_bad) + " first");
    for (ImportedRun& run : table.runs)
        sort_points(run);
    return table;
}

std::vector<ImportedRun> read_imported_runs(const std::vector<ImportedFile>& files) {
    std::vector<ImportedRun> runs;
    // Tables of one folder may speak of the same runs; event files of one folder are one run.
    std::map<std::string, std::size_t> known;
    const auto run_at = [&](const std::string& place, const std::string& name, std::int64_t seed) -> ImportedRun& {
        const auto [found, fresh] = known.emplace(place + "\n" + name + "\n" + std::to_string(seed), runs.size());
        if (fresh) {
            ImportedRun run;
            run.name = name;
            run.seed = seed;
            run.place = place;
            runs.push_back(std::move(run));
        }
        return runs[found->second];
    };
    for (const ImportedFile& file : files) {
        const std::string folder = fs::path(file.relative).parent_path().string();
        const auto text = read_file(file.path, kBytes);
        if (!text.ok()) {
            run_at(folder, file.relative, 0).problems.push_back(text.error().sentence());
            continue;
        }
        if (!file.events) {
            ImportedTable table = parse_curve_table(*text, fs::path(file.relative).filename().string());
            for (ImportedRun& part : table.runs) {
                if (part.curves.empty()) continue;
                ImportedRun& run = run_at(folder, part.name, part.seed);
                run.last_time = std::max(run.last_time, part.last_time);
                for (auto& [tag, points] : part.curves) {
                    auto& whole = run.curves[tag];
                    whole.insert(whole.end(), points.begin(), points.end());
                }
                if (&part == &table.runs.front())
                    run.problems.insert(run.problems.end(), table.problems.begin(), table.problems.end());
            }
            // Tables without curves (a list of runs, a summary) are no fault of the folder.
            continue;
        }
        const std::string label =
            folder.empty() ? fs::path(file.path).parent_path().filename().string() : fs::path(folder).string();
        const auto [name, seed] = split_run_name(label);
        ImportedRun& run = run_at(folder, name, seed);
        const auto events = parse_tensorboard(*text, file.path);
        if (!events.ok()) {
            run.problems.push_back(events.error().sentence());
            continue;
        }
        run.problems.insert(run.problems.end(), events->problems.begin(), events->problems.end());
        for (const auto& [tag, points] : events->scalars) {
            auto& curve = run.curves[tag];
            for (const TensorboardPoint& point : points) {
                curve.push_back({point.step, kNan, point.wall_time, point.value});
                if (std::isfinite(point.wall_time)) run.last_time = std::max(run.last_time, point.wall_time);
            }
        }
    }
    for (ImportedRun& run : runs) {
        sort_points(run);
        if (run.last_time <= 0) continue;
        // Event files hold absolute times; tables were made relative already.
        double first = std::numeric_limits<double>::infinity();
        for (const auto& [tag, points] : run.curves)
            for (const ImportedPoint& point : points)
                if (point.elapsed > 1e8) first = std::min(first, point.elapsed);
        if (!std::isfinite(first)) continue;
        for (auto& [tag, points] : run.curves)
            for (ImportedPoint& point : points)
                if (point.elapsed >= first) point.elapsed -= first;
    }
    return runs;
}

}  // namespace sextant
