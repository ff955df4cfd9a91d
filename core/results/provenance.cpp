#include "core/results/provenance.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/build_info.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

template <typename T>
void add_once(std::vector<T>& list, const T& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

std::string shell_word(const std::string& word) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./=,:@+%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::string cpu_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const auto colon = line.find(':');
        if (colon != std::string::npos) return std::string(trimmed(std::string_view(line).substr(colon + 1)));
    }
    return "not known";
}

Provenance collect_provenance(std::span<const ListedRun> runs, const DatasetInfo& data,
                              const std::vector<std::string>& arguments) {
    Provenance provenance;
    provenance.version = build_info().version;
    provenance.commit = build_info().commit;
    provenance.compiler = build_info().compiler;
    provenance.cpu = cpu_name();
    provenance.data = data.identity;
    std::vector<std::string> commits;
    for (const ListedRun& run : runs) {
        if (!run.state.started) continue;
        const RunStarted& started = *run.state.started;
        if (!started.commit.empty()) add_once(commits, started.commit);
        if (!started.libraries.empty()) provenance.libraries = started.libraries;
        add_once(provenance.hosts, started.host);
        add_once(provenance.devices, started.device);
        add_once(provenance.paths, started.path);
        add_once(provenance.threads, started.threads);
    }
    if (!commits.empty()) {
        provenance.commit.clear();
        for (const std::string& commit : commits)
            provenance.commit += (provenance.commit.empty() ? "" : ", ") + commit;
    }
    for (const std::string& argument : arguments)
        provenance.command_line += (provenance.command_line.empty() ? "" : " ") + shell_word(argument);
    return provenance;
}

std::string missing_provenance(const Provenance& provenance) {
    std::vector<std::string> missing;
    if (provenance.commit.empty() || provenance.commit == "unknown") {
        missing.emplace_back("the code's commit is not known");
    } else if (provenance.commit.find("dirty") != std::string::npos) {
        missing.emplace_back("the code had changes that no commit holds");
    } else if (provenance.commit.find(',') != std::string::npos) {
        missing.emplace_back("the runs come from different commits");
    }
    if (provenance.data.tokens_sha256.empty()) missing.emplace_back("the data's fingerprint is not known");
    if (provenance.data.tokenizer_sha256.empty()) missing.emplace_back("the tokenizer's fingerprint is not known");
    return join_limited(missing, 5);
}

OrderedJson to_json(const Provenance& provenance, const std::string& artifact_path) {
    OrderedJson libraries = nullptr;
    if (auto parsed = parse_json(provenance.libraries); parsed && parsed->is_object()) {
        libraries = OrderedJson::object();
        for (const auto& [name, version] : parsed->items())
            libraries[name] = OrderedJson::parse(dump_json(version, -1));
    }
    const auto text = [](const std::string& value) {
        return value.empty() ? OrderedJson(nullptr) : OrderedJson(value);
    };
    const OrderedJson fingerprint = provenance.data.tokens_sha256.empty()
                                        ? OrderedJson(nullptr)
                                        : OrderedJson("sha256:" + provenance.data.tokens_sha256);
    return {{"artifact_path", artifact_path},
            {"historical_migration", nullptr},
            {"original_code_commit", text(provenance.commit)},
            {"dataset_fingerprint", fingerprint},
            {"commit", text(provenance.commit)},
            {"version", provenance.version},
            {"compiler", provenance.compiler},
            {"dataset_sha256", text(provenance.data.corpus_sha256)},
            {"tokens_sha256", text(provenance.data.tokens_sha256)},
            {"tokenizer_sha256", text(provenance.data.tokenizer_sha256)},
            {"libraries", libraries},
            {"cpu", provenance.cpu},
            {"hosts", provenance.hosts},
            {"devices", provenance.devices},
            {"paths", provenance.paths},
            {"threads", provenance.threads},
            {"command_line", text(provenance.command_line)}};
}

}  // namespace sextant
