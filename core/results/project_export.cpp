#include "core/results/project_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/escape.h"
#include "core/results/tensorboard_events.h"
#include "core/tensor_file/npy.h"

namespace sextant {
namespace {

// UTC, nanoseconds kept: 2026-11-30T12:00:00.123456789Z
std::string iso_time(std::int64_t nanoseconds) {
    if (nanoseconds <= 0) return {};
    const std::time_t seconds = nanoseconds / 1'000'000'000;
    std::tm parts{};
    if (::gmtime_r(&seconds, &parts) == nullptr) return {};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, nanoseconds % 1'000'000'000);
}

double wall_seconds(std::int64_t nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-9;
}

std::string known(double value) {
    return value == 0.0 ? std::string() : format_exact(value);
}

void csv_files(const ReportModel& report, std::vector<ExportedFile>& files) {
    std::string runs = "run,arm,seed,status,seconds,tokens_per_s,peak_rss_mb,idle_rss_mb\r\n";
    std::string steps = "run,arm,seed,step,tokens,time_utc,elapsed_s,loss,learning_rate,gradient_norm,tokens_per_s\r\n";
    std::string validations = "run,arm,seed,step,tokens,elapsed_s,loss\r\n";
    std::string evaluations =
        "run,arm,seed,metric,split,length,mode,stride,targets,value,tokens_per_s,peak_rss_mb,reason\r\n";
    std::string positions = "run,arm,seed,length,mode,stride,targets,position,loss\r\n";
    for (const ReportRun& run : report.runs) {
        const std::string head = fmt::format("{},{},{}", csv_text(run.folder), csv_text(run.arm), run.seed);
        runs += fmt::format("{},{},{},{},{},{}\r\n", head, csv_text(run.status), known(run.seconds),
                            known(run.tokens_per_s), known(run.peak_rss_mb), known(run.idle_rss_mb));
        for (const StepPoint& p : run.steps) {
            steps += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", head, p.step, p.tokens, iso_time(p.time),
                                 format_exact(p.elapsed), format_exact(p.loss), format_exact(p.learning_rate),
                                 format_exact(p.gradient_norm), format_exact(p.tokens_per_s));
        }
        for (const ValidationPoint& p : run.validations) {
            validations += fmt::format("{},{},{},{},{}\r\n", head, p.step, p.tokens, format_exact(p.elapsed),
                                       format_exact(p.loss));
        }
        for (const EvaluationEvent& e : run.evaluations) {
            evaluations +=
                fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", head, csv_text(e.metric), csv_text(e.split),
                            e.length, csv_text(e.mode), e.stride, e.targets, format_exact(e.value),
                            known(e.tokens_per_s), known(e.peak_rss_mb), csv_text(e.reason));
            for (std::size_t i = 0; i < e.values.size(); ++i) {
                positions += fmt::format("{},{},{},{},{},{},{}\r\n", head, e.length, csv_text(e.mode), e.stride,
                                         e.targets, i, format_exact(e.values[i]));
            }
        }
    }
    files.push_back({"runs.csv", std::move(runs)});
    files.push_back({"steps.csv", std::move(steps)});
    files.push_back({"validations.csv", std::move(validations)});
    files.push_back({"evaluations.csv", std::move(evaluations)});
    files.push_back({"position-loss.csv", std::move(positions)});
    files.push_back({"comparison.csv", comparison_csv(report.comparison)});
}

// What was measured here first, then what the papers publish, so that the two stand beside each other and are never
// taken for one another.
std::string published_latex(const ReportModel& report) {
    std::string text =
        "% Measured here, and what the papers publish on other corpora, tokenizers and scales: compare directions, not "
        "numbers.\n% Needs booktabs, longtable and textcomp; XeLaTeX or LuaLaTeX for names outside Latin.\n";
    text +=
        "\\begin{tabular}{lllrrr}\n\\toprule\narm & encoding & mode & length & $n$ & perplexity here \\\\\n\\midrule\n";
    for (const LengthRow& row : report.comparison.lengths) {
        std::string encoding;
        for (const ReportArm& arm : report.arms)
            if (arm.name == row.arm) encoding = arm.encoding;
        text += fmt::format("{} & {} & {} & {} & {} & {} \\\\\n", latex_text(row.arm), latex_text(encoding),
                            latex_text(row.measure.mode), row.measure.length, row.n,
                            row.n == 0 ? std::string("--") : fmt::format("{:.2f}", std::exp(row.mean)));
    }
    text += "\\bottomrule\n\\end{tabular}\n\n";
    text +=
        "\\begin{longtable}{p{0.42\\linewidth}p{0.3\\linewidth}ll}\n\\toprule\nclaim & published & table & here "
        "\\\\\n\\midrule\n";
    for (const PaperClaim& claim : report.claims) {
        std::string figures;
        for (const PublishedFigure& figure : claim.published) {
            figures +=
                fmt::format("{}{} {}{}", figures.empty() ? "" : "; ", latex_text(figure.label),
                            format_exact(figure.value), figure.unit.empty() ? "" : " " + latex_text(figure.unit));
        }
        text +=
            fmt::format("{} & {} & {}, {} & {} \\\\\n", latex_text(claim.statement), figures.empty() ? "--" : figures,
                        latex_text(claim.reference), latex_text(claim.table), claim_status_text(claim.status));
    }
    return text + "\\bottomrule\n\\end{longtable}\n";
}

void tensorboard_files(const ReportModel& report, std::vector<ExportedFile>& files) {
    for (const ReportRun& run : report.runs) {
        const std::int64_t begin = run.steps.empty() ? 0 : run.steps.front().time;
        const std::int64_t end = run.steps.empty() ? 0 : run.steps.back().time;
        TensorboardWriter writer(wall_seconds(begin));
        std::map<std::string, HyperParameter> values{{"arm", run.arm}, {"seed", static_cast<double>(run.seed)}};
        for (const ReportArm& arm : report.arms) {
            if (arm.name != run.arm) continue;
            values["encoding"] = arm.encoding;
            values["encoding_parameters"] = arm.parameters;
            values["baseline"] = arm.baseline;
            values["parameters"] = static_cast<double>(arm.trained_parameters);
        }
        for (const ReportFact& fact : report.budget)
            values[fact.label] = fact.value.text();
        std::vector<std::string> tags{"train/loss"};
        if (!run.validations.empty()) tags.emplace_back("validation/loss");
        const auto tag_of = [](const EvaluationEvent& e) {
            return e.mode.empty() ? e.split + "/" + e.metric
                                  : fmt::format("{}/{}/{}/{}", e.split, e.metric, e.mode, e.length);
        };
        for (const EvaluationEvent& e : run.evaluations)
            if (!std::isnan(e.value)) tags.push_back(tag_of(e));
        writer.hyper_parameters(wall_seconds(begin), run.folder, values, tags);
        for (const StepPoint& p : run.steps) {
            writer.scalar(wall_seconds(p.time), p.step, "train/loss", p.loss);
            writer.scalar(wall_seconds(p.time), p.step, "train/learning_rate", p.learning_rate);
            writer.scalar(wall_seconds(p.time), p.step, "train/gradient_norm", p.gradient_norm);
            writer.scalar(wall_seconds(p.time), p.step, "train/tokens_per_s", p.tokens_per_s);
        }
        for (const ValidationPoint& p : run.validations) {
            const auto at = std::find_if(run.steps.begin(), run.steps.end(),
                                         [&](const StepPoint& point) { return point.step >= p.step; });
            writer.scalar(wall_seconds(at == run.steps.end() ? end : at->time), p.step, "validation/loss", p.loss);
        }
        const std::int64_t last = run.steps.empty() ? 0 : run.steps.back().step;
        for (const EvaluationEvent& e : run.evaluations)
            if (!std::isnan(e.value)) writer.scalar(wall_seconds(end), last, tag_of(e), e.value);
        writer.end_session(wall_seconds(end), run.status == "complete");
        const std::string name = fmt::format("events.out.tfevents.{:010}.sextant", begin / 1'000'000'000);
        files.push_back({file_name_text(run.folder) + "/" + name, writer.bytes()});
    }
}

void npy_files(const ReportModel& report, std::vector<ExportedFile>& files) {
    for (const ReportRun& run : report.runs) {
        const std::string folder = file_name_text(run.folder) + "/";
        std::vector<double> steps;
        for (const StepPoint& p : run.steps) {
            for (const double value : {static_cast<double>(p.step), static_cast<double>(p.tokens), p.elapsed, p.loss,
                                       p.learning_rate, p.gradient_norm, p.tokens_per_s})
                steps.push_back(value);
        }
        files.push_back({folder + "steps.npy",
                         npy_bytes(std::span<const double>(steps), {static_cast<std::int64_t>(run.steps.size()), 7})});
        std::vector<double> validations;
        for (const ValidationPoint& p : run.validations) {
            for (const double value : {static_cast<double>(p.step), static_cast<double>(p.tokens), p.elapsed, p.loss})
                validations.push_back(value);
        }
        files.push_back(
            {folder + "validations.npy",
             npy_bytes(std::span<const double>(validations), {static_cast<std::int64_t>(run.validations.size()), 4})});
        for (const EvaluationEvent& e : run.evaluations) {
            if (e.values.empty()) continue;
            files.push_back(
                {fmt::format("{}{}-{}-{}.npy", folder, file_name_text(e.metric), file_name_text(e.mode), e.length),
                 npy_bytes(std::span<const double>(e.values), {static_cast<std::int64_t>(e.values.size())})});
        }
    }
    const OrderedJson columns = {
        {"steps", {"step", "tokens", "elapsed_s", "loss", "learning_rate", "gradient_norm", "tokens_per_s"}},
        {"validations", {"step", "tokens", "elapsed_s", "loss"}}};
    files.push_back({"columns.json", dump_json(columns) + "\n"});
}

std::string numbered(const std::string& path, int number) {
    const std::filesystem::path whole(path);
    return (whole.parent_path() / (whole.stem().string() + fmt::format(" ({})", number) + whole.extension().string()))
        .string();
}

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

}  // namespace

Result<std::vector<ExportedFile>> make_export(const ReportModel& report, const std::string& format) {
    std::vector<ExportedFile> files;
    if (format == "csv") {
        csv_files(report, files);
    } else if (format == "latex") {
        files.push_back({"comparison.tex", comparison_latex(report.comparison)});
        files.push_back({"published.tex", published_latex(report)});
    } else if (format == "markdown") {
        files.push_back({"comparison.md", comparison_markdown(report.comparison)});
    } else if (format == "tensorboard") {
        tensorboard_files(report, files);
    } else if (format == "json") {
        files.push_back({"report.json", dump_json(to_json(report)) + "\n"});
    } else if (format == "npy") {
        npy_files(report, files);
    } else {
        return usage_error(
            fmt::format("there is no export format '{}'; use csv, latex, markdown, tensorboard, json or npy", format));
    }
    return files;
}

Result<WrittenExport> write_export(const std::vector<ExportedFile>& files, const std::string& directory,
                                   ExistingFile existing) {
    WrittenExport result;
    const auto path_of = [&](const ExportedFile& file) {
        return (std::filesystem::path(directory) / file.name).string();
    };
    if (existing == ExistingFile::kRefuse) {
        for (const ExportedFile& file : files) {
            if (!exists(path_of(file))) continue;
            Error error =
                usage_error("exists already; nothing was written (--force overwrites, --skip keeps, --rename numbers)");
            error.path = path_of(file);
            return error;
        }
    }
    for (const ExportedFile& file : files) {
        std::string path = path_of(file);
        if (exists(path)) {
            if (existing == ExistingFile::kSkip) {
                result.skipped.push_back(path);
                continue;
            }
            for (int number = 2; existing == ExistingFile::kRename && exists(path); ++number)
                path = numbered(path_of(file), number);
        }
        SEXTANT_CHECK(make_directories(std::filesystem::path(path).parent_path().string()));
        SEXTANT_CHECK(write_file_atomically(path, file.bytes));
        result.written.push_back(path);
    }
    return result;
}

}  // namespace sextant
