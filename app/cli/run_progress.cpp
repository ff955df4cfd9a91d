#include "app/cli/run_progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant::cli {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kJsonInterval = std::chrono::milliseconds(500);

struct Totals {
    std::int64_t done = 0, all = 0, finished = 0;
    double rate = 0.0;  // tokens/s of the runs that train now
    double remaining_tokens = 0.0;
    [[nodiscard]] double share() const { return all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 1.0; }
    // Negative when it cannot be told yet.
    [[nodiscard]] double seconds_left() const { return rate > 0.0 ? remaining_tokens / rate : -1.0; }
};

bool is_final(RunPhase phase) {
    return phase == RunPhase::kCompleted || phase == RunPhase::kDiverged || phase == RunPhase::kFailed ||
           phase == RunPhase::kCancelled;
}

Totals totals_of(const std::vector<RunProgress>& runs) {
    Totals totals;
    for (const RunProgress& run : runs) {
        const bool over = is_final(run.phase) && !run.active;
        totals.all += run.steps;
        totals.done += over ? run.steps : std::min(run.step, run.steps);
        totals.finished += over ? 1 : 0;
        if (over) continue;
        totals.remaining_tokens +=
            static_cast<double>((run.steps - std::min(run.step, run.steps)) * run.tokens_per_step);
        if (run.active && run.phase == RunPhase::kRunning && !run.evaluating) totals.rate += run.tokens_per_s;
    }
    return totals;
}

std::string describe(const RunProgress& run) {
    std::string text = fmt::format("{} seed {}", single_line(run.arm, 24), run.seed);
    if (run.evaluating) return text + ": evaluating";
    text += fmt::format(": step {}/{}", run.step, run.steps);
    if (run.phase == RunPhase::kPaused) return text + ", paused";
    if (run.step > 0)
        text += fmt::format(", loss {}",
                            std::isfinite(run.loss) ? fmt::format("{:.3f}", run.loss) : format_exact(run.loss));
    return text;
}

std::string plain_line(const RunProgress& run) {
    const std::string name = fmt::format("{} seed {}", single_line(run.arm, 60), run.seed);
    switch (run.phase) {
        case RunPhase::kQueued:
            return {};
        case RunPhase::kRunning:
            return run.evaluating ? fmt::format("{}: trained {} steps, evaluating", name, run.step)
                                  : fmt::format("{}: training, step {} of {}", name, run.step, run.steps);
        case RunPhase::kCompleted:
            return fmt::format("{}: completed", name);
        default:
            return fmt::format("{}: {} at step {}", name, phase_name(run.phase), run.step);
    }
}

std::size_t terminal_width() {
    struct winsize size {};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
    return 80;
}

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(std::clamp(seconds, 0.0, 1e12)));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string rate_text(double value) {
    if (!std::isfinite(value)) return "?";
    if (value >= 1e6) return fmt::format("{:.1f}M", value / 1e6);
    if (value >= 1e3) return fmt::format("{:.1f}k", value / 1e3);
    return fmt::format("{:.0f}", value);
}

ProgressReporter::Mode ProgressReporter::mode_of(const std::string& word, bool quiet) {
    if (word == "plain") return Mode::kPlain;
    if (word == "json") return Mode::kJson;
    if (word == "none" || quiet) return Mode::kNone;
    return ::isatty(STDERR_FILENO) != 0 ? Mode::kBar : Mode::kPlain;
}

void ProgressReporter::update(const std::vector<RunProgress>& runs) {
    const auto now = std::chrono::steady_clock::now();
    if (mode_ == Mode::kNone) return;
    if (mode_ == Mode::kBar) {
        if (now - last_ < kBarInterval) return;
        last_ = now;
        draw(runs);
        return;
    }
    if (mode_ == Mode::kJson) {
        if (now - last_ < kJsonInterval) return;
        last_ = now;
        const Totals totals = totals_of(runs);
        OrderedJson json = {
            {"progress", totals.share()},
            {"tokens_per_s", totals.rate},
            {"seconds_left", totals.seconds_left() >= 0 ? OrderedJson(totals.seconds_left()) : OrderedJson()}};
        json["runs"] = OrderedJson::array();
        for (const RunProgress& run : runs) {
            json["runs"].push_back({{"number", run.number},
                                    {"arm", run.arm},
                                    {"seed", run.seed},
                                    {"phase", run.evaluating ? "evaluating" : phase_name(run.phase)},
                                    {"step", run.step},
                                    {"steps", run.steps},
                                    {"loss", OrderedJson(json_number(run.loss))},
                                    {"tokens_per_s", OrderedJson(json_number(run.tokens_per_s))}});
        }
        std::fprintf(stderr, "%s\n", dump_json(json, -1).c_str());
        return;
    }
    phases_.resize(runs.size(), RunPhase::kQueued);
    evaluating_.resize(runs.size(), false);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (phases_[i] == runs[i].phase && evaluating_[i] == runs[i].evaluating) continue;
        phases_[i] = runs[i].phase;
        evaluating_[i] = runs[i].evaluating;
        const std::string text = plain_line(runs[i]);
        if (!text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
    }
}

void ProgressReporter::draw(const std::vector<RunProgress>& runs) {
    const Totals totals = totals_of(runs);
    const std::size_t width = terminal_width();
    constexpr std::size_t kCells = 24;
    const auto filled = static_cast<std::size_t>(std::lround(totals.share() * static_cast<double>(kCells)));
    std::string text = "[" + std::string(filled, '#') + std::string(kCells - filled, '-') + "]";
    text += fmt::format(" {:3.0f} %  {}/{} runs", 100.0 * totals.share(), totals.finished, runs.size());
    if (totals.rate > 0.0) text += fmt::format("  {} tokens/s", rate_text(totals.rate));
    if (totals.seconds_left() >= 0.0) text += fmt::format("  {} left", duration_text(totals.seconds_left()));
    for (const RunProgress& run : runs) {
        if (run.active) text += "  " + describe(run);
    }
    clear();
    std::fprintf(stderr, "%s", single_line(text, width - 1).c_str());
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressReporter::clear() {
    if (!drawn_) return;
    std::fprintf(stderr, "\r\033[K");
    drawn_ = false;
}

void ProgressReporter::line(const std::string& text) {
    if (mode_ == Mode::kNone || mode_ == Mode::kJson) return;
    clear();
    std::fprintf(stderr, "%s\n", single_line(text, 500).c_str());
}

void ProgressReporter::finish() {
    clear();
    std::fflush(stderr);
}

}  // namespace sextant::cli
