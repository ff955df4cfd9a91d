// Artifacts on disk: one a variant, rewritten only when their results change.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/results/artifact.h"
#include "core/results/current_runs.h"

namespace sextant {

bool same_results(const Json& a, const Json& b) {
    const auto stripped = [](Json document) {
        if (document.is_object()) {
            for (const char* key : {"timing", "memory", "provenance"})
                document.erase(key);
        }
        return document;
    };
    return canonical_json(stripped(a)) == canonical_json(stripped(b));
}

namespace {

// The sweep belongs to an artifact only where both arms stand as it chose them; later settings are not its choice.
std::optional<SweepRecord> sweep_of(const Experiment& experiment, const ArmConfig& variant,
                                    const std::optional<SweepRecord>& sweep) {
    if (!sweep || !swept_as_chosen(*sweep, experiment, experiment.baseline) ||
        !swept_as_chosen(*sweep, experiment, variant)) {
        return std::nullopt;
    }
    return sweep;
}

// What `run` measured for the paper's claim on these two arms.
std::optional<OrderedJson> paper_claim_of(const Project& project, const Experiment& experiment,
                                          const ArmConfig& variant) {
    const std::string file = project.path + "/paper-claim.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::nullopt;
    const auto record = read_json_file(file);
    if (!record || !record->is_object() || record->value("method", Json()) != variant.name ||
        record->value("baseline", Json()) != experiment.baseline.name) {
        return std::nullopt;
    }
    return OrderedJson::parse(dump_json(*record, -1));
}

}  // namespace

Result<ArtifactReport> write_artifacts(const Project& project, const Experiment& experiment, const DatasetInfo& data,
                                       const std::vector<std::string>& arguments) {
    SEXTANT_TRY(all, list_runs(project));
    const std::vector<ListedRun> runs = current_runs(experiment, all);
    SEXTANT_TRY(sweep, read_sweep(project));
    ArtifactReport report;
    for (const ArmConfig& arm : experiment.arms()) {
        for (const std::int64_t seed : experiment.seeds) {
            const auto run = std::find_if(runs.begin(), runs.end(), [&](const ListedRun& listed) {
                return listed.plan.arm == arm.name && listed.plan.seed == seed;
            });
            if (run != runs.end() && run->state.phase == RunPhase::kCompleted) continue;
            report.missing.push_back(fmt::format("{} seed {} is {}", arm.name, seed,
                                                 run == runs.end() ? "not planned" : phase_name(run->state.phase)));
        }
    }
    for (const ArmConfig& variant : experiment.variants) {
        std::vector<ListedRun> mine;
        for (const ListedRun& run : runs)
            if (run.plan.arm == variant.name || run.plan.arm == experiment.baseline.name) mine.push_back(run);
        auto document = build_artifact(experiment, variant, runs, data, collect_provenance(mine, data, arguments),
                                       sweep_of(experiment, variant, sweep));
        if (!document) {
            if (document.error().code != ErrorCode::kData) return std::move(document).error();
            report.missing.push_back(document.error().message);
            continue;
        }
        if (const auto claim = paper_claim_of(project, experiment, variant))
            (*document)["timing"]["interleaved_blocks"] = *claim;
        const std::string path = project.artifact_directory() + "/" + artifact_file_name(variant.name);
        const std::string bytes = dump_json(*document) + "\n";
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) {
            const auto old = read_json_file(path);
            const auto fresh = parse_json(bytes);
            const auto claim = [](const Json& artifact) {
                const Json::json_pointer at("/timing/interleaved_blocks");
                return artifact.contains(at) ? artifact.at(at) : Json();
            };
            if (old && fresh && same_results(*old, *fresh) && claim(*old) == claim(*fresh)) {
                report.unchanged.push_back(path);
                continue;
            }
        }
        SEXTANT_CHECK(make_directories(project.artifact_directory()));
        SEXTANT_CHECK(write_file_atomically(path, bytes));
        report.written.push_back(path);
    }
    return report;
}

}  // namespace sextant
