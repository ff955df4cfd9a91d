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

Result<ArtifactReport> write_artifacts(const Project& project, const Experiment& experiment, const DatasetInfo& data,
                                       const std::vector<std::string>& arguments) {
    SEXTANT_TRY(all, list_runs(project));
    const std::vector<ListedRun> runs = current_runs(experiment, all);
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
        auto document = build_artifact(experiment, variant, runs, data, collect_provenance(mine, data, arguments));
        if (!document) {
            if (document.error().code != ErrorCode::kData) return std::move(document).error();
            report.missing.push_back(document.error().message);
            continue;
        }
        const std::string path = project.artifact_directory() + "/" + artifact_file_name(variant.name);
        const std::string bytes = dump_json(*document) + "\n";
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) {
            const auto old = read_json_file(path);
            const auto fresh = parse_json(bytes);
            if (old && fresh && same_results(*old, *fresh)) {
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
