#include "app/cli/run_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/results/artifact.h"
#include "core/results/comparison.h"
#include "core/results/dataset_info.h"
#include "core/results/sweep_record.h"

namespace sextant::cli {

Result<WrittenResults> write_results(const PreparedRun& prepared, const Context& context) {
    SEXTANT_TRY(runs, list_runs(prepared.project));
    SEXTANT_TRY(data, read_dataset_info(prepared.project));
    SEXTANT_TRY(report, write_artifacts(prepared.project, prepared.experiment, data, context.arguments));
    WrittenResults results;
    ComparisonInput input = comparison_input(prepared.experiment, runs);
    SEXTANT_TRY(sweep, read_sweep(prepared.project));
    if (sweep) input.sweep = dump_json(to_json(*sweep), -1);
    results.table = comparison_table(compare_arms(input));
    if (!results.table.empty() && results.table.back() != '\n') results.table += '\n';
    results.written = std::move(report.written);
    results.unchanged = std::move(report.unchanged);
    results.missing = std::move(report.missing);
    return results;
}

std::optional<Error> overall_error(const std::vector<RunOutcome>& outcomes, bool stopped) {
    std::vector<const RunOutcome*> failed;
    for (const RunOutcome& outcome : outcomes) {
        if (!outcome.ok) failed.push_back(&outcome);
    }
    if (failed.empty()) return std::nullopt;
    if (stopped) {
        Error error;
        error.code = ErrorCode::kCancelled;
        error.message = fmt::format("stopped; {} of {} runs are unfinished, and the same command continues them",
                                    failed.size(), outcomes.size());
        return error;
    }
    // A divergence is a result; anything else went wrong and is told first.
    const auto worst = std::find_if(failed.begin(), failed.end(),
                                    [](const RunOutcome* outcome) { return outcome->code != ErrorCode::kDiverged; });
    const RunOutcome& told = worst != failed.end() ? **worst : *failed.front();
    Error error;
    error.code = told.code;
    error.message = told.message;
    if (failed.size() > 1) error.message += fmt::format(" (and {} more runs are unfinished)", failed.size() - 1);
    for (const RunOutcome* outcome : failed)
        error.context.push_back(outcome->message);
    return error;
}

}  // namespace sextant::cli
