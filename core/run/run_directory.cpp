#include "core/run/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/atomic_file.h"
#include "core/base/file_lock.h"
#include "core/run/event_log.h"

namespace sextant {

bool worker_alive(const RunDirectory& directory) {
    const auto owner = FileLock::owner(directory.lock_file());
    return owner && owner->alive();
}

Result<std::vector<ListedRun>> list_runs(const Project& project) {
    SEXTANT_TRY(plans, read_plan(project.path));
    std::vector<ListedRun> runs;
    runs.reserve(plans.size());
    for (RunPlan& plan : plans) {
        ListedRun run;
        run.directory = project.run(plan);
        run.plan = std::move(plan);
        auto state = fold_log(run.directory.event_log());
        if (state) {
            run.state = std::move(*state);
            run.problems = run.state.problems;
        } else {
            run.problems.push_back(state.error().sentence());
        }
        const bool open_ended = run.state.phase == RunPhase::kRunning || run.state.phase == RunPhase::kPaused;
        if (open_ended && !worker_alive(run.directory)) {
            run.problems.push_back(
                "its worker ended without a word (killed, or the machine went down); the next start resumes it");
            run.interrupted = true;
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

Status ensure_writable(const Project& project) {
    SEXTANT_CHECK(make_directories(project.path));
    const std::string probe = fmt::format("{}/.writable-{}", project.path, ::getpid());
    const int descriptor = file_operations().open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0) return errno_error("write into the project folder", project.path, errno);
    // A full disk lets files be created but not filled.
    const std::string block(4096, '\0');
    Status status = write_all(descriptor, block.data(), block.size(), project.path);
    if (status.ok() && file_operations().fsync(descriptor) != 0 && errno != EINVAL) {
        status = errno_error("write into the project folder", project.path, errno);
    }
    (void)file_operations().close(descriptor);
    (void)file_operations().unlink(probe.c_str());
    return status;
}

}  // namespace sextant
