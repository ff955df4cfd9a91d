#include "core/run/slurm_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace sextant {
namespace {

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

}  // namespace

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

bool valid_slurm_word(std::string_view text) {
    return !text.empty() && text.size() <= 128 && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), [](char c) { return plain(c) || c == ','; });
}

bool valid_slurm_time(std::string_view text) {
    if (text == "UNLIMITED") return true;
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 6 &&
               std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    if (const auto dash = text.find('-'); dash != std::string_view::npos) {
        if (!digits(text.substr(0, dash))) return false;
        text = text.substr(dash + 1);
    }
    const auto parts = split(text, ':');
    return parts.size() <= 3 && std::all_of(parts.begin(), parts.end(), digits);
}

std::string slurm_array(const std::vector<std::int64_t>& tasks, std::int64_t max_parallel) {
    std::string text;
    for (std::size_t i = 0; i < tasks.size();) {
        std::size_t last = i;
        while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", tasks[i]);
        if (last > i) text += fmt::format("-{}", tasks[last]);
        i = last + 1;
    }
    if (max_parallel > 0) text += fmt::format("%{}", max_parallel);
    return text;
}

std::string slurm_script(const SlurmRequest& request) {
    std::string name = "sextant-";
    for (const char c : request.name.substr(0, 40))
        name += plain(c) ? c : '_';
    std::string text = "#!/bin/bash\n";
    const auto option = [&](const std::string& line) { text += "#SBATCH " + line + "\n"; };
    option("--job-name=" + name);
    option("--array=" + slurm_array(request.tasks, request.max_parallel));
    option("--ntasks=1");
    option(fmt::format("--cpus-per-task={}", request.cpus));
    if (!request.partition.empty()) option("--partition=" + request.partition);
    if (!request.time.empty()) option("--time=" + request.time);
    if (request.gpus > 0) option(fmt::format("--gres=gpu:{}", request.gpus));
    option("--output=slurm/%A_%a.out");
    option("--open-mode=append");
    option("--requeue");
    option("--signal=B:TERM@60");
    text += "# One task a plan; a requeued task continues from its last checkpoint.\n";
    text += fmt::format("exec {} run {} --project {} --task \"$SLURM_ARRAY_TASK_ID\" --threads {} --progress none\n",
                        shell_quoted(request.program), shell_quoted(request.experiment), shell_quoted(request.project),
                        request.cpus);
    return text;
}

std::vector<SlurmTask> parse_squeue(std::string_view text) {
    std::vector<SlurmTask> tasks;
    for (const std::string& line : split(text, '\n')) {
        const auto fields = split(line, '|');
        if (fields.size() < 2) continue;
        const auto id = split(trimmed(fields[0]), '_');
        SlurmTask task;
        const auto job = parse_integer(id[0]);
        if (!job) continue;
        task.job = *job;
        if (id.size() == 2) {
            const auto number = parse_integer(id[1]);
            if (!number) continue;
            task.task = *number;
        }
        task.state = std::string(trimmed(fields[1]));
        if (fields.size() > 2) task.reason = std::string(trimmed(fields[2]));
        tasks.push_back(std::move(task));
    }
    return tasks;
}

}  // namespace sextant
