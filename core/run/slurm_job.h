#pragma once
// Slurm as text: the batch script of an array job (one task a plan) and what squeue answers. No process is started
// here; the command line does that. A task that is preempted or runs out of time gets SIGTERM, writes a checkpoint and
// resumes when Slurm queues it again.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

struct SlurmRequest {
    std::string program;     // absolute path of sextant-cli
    std::string experiment;  // absolute path of the project's experiment.json
    std::string project;     // absolute path
    std::string name;        // of the experiment; shortened to plain characters for the job's name
    std::vector<std::int64_t> tasks;
    std::string partition, time;  // empty: the cluster's default
    std::int64_t cpus = 1, gpus = 0, max_parallel = 0;
};
[[nodiscard]] std::string slurm_script(const SlurmRequest& request);
// {0,1,2,5} and 2 -> "0-2,5%2"
[[nodiscard]] std::string slurm_array(const std::vector<std::int64_t>& tasks, std::int64_t max_parallel);
// Seconds, minutes or days as Slurm takes them: "30", "1:30:00", "2-00:00:00".
[[nodiscard]] bool valid_slurm_time(std::string_view text);
[[nodiscard]] bool valid_slurm_word(std::string_view text);  // partition names
[[nodiscard]] std::string shell_quoted(std::string_view text);

struct SlurmTask {
    std::int64_t job = 0;
    std::int64_t task = -1;
    std::string state, reason;  // RUNNING, PENDING, COMPLETED, ...
};
// Lines of squeue -a -h -r -t all -o '%i|%T|%r'; lines that are none are skipped.
[[nodiscard]] std::vector<SlurmTask> parse_squeue(std::string_view text);

}  // namespace sextant
