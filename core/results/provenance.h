#pragma once
// Where an artifact's numbers come from: code, data, libraries, machine, command. Everything here may differ between
// two runs of the same experiment, so it lives in the artifact's `provenance` block and nowhere else.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/results/dataset_info.h"
#include "core/run/run_directory.h"

namespace sextant {

struct Provenance {
    std::string version, commit, compiler;  // of the workers where they tell, else of this program
    std::string libraries;                  // JSON object text, as RunStarted has it
    std::string cpu;                        // of this machine
    std::vector<std::string> hosts;
    std::vector<std::string> devices, paths;
    std::vector<std::int64_t> threads;
    std::string command_line;
    DataIdentity data;
};

// `arguments`: the command line as given; empty when the window asked.
[[nodiscard]] Provenance collect_provenance(std::span<const ListedRun> runs, const DatasetInfo& data,
                                            const std::vector<std::string>& arguments);
// Empty when another person could get the same code and data; else what is missing, in words.
[[nodiscard]] std::string missing_provenance(const Provenance& provenance);
[[nodiscard]] nlohmann::ordered_json to_json(const Provenance& provenance, const std::string& artifact_path);
[[nodiscard]] std::string cpu_name();

}  // namespace sextant
