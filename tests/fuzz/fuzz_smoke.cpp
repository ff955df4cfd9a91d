// Mutates valid files for a bounded time and feeds them to every parser. Needs no clang, so it runs in CI.
//   fuzz_smoke [--seconds 20] [--seed 1] [--target NAME] [--write-seeds DIR] [--crashes DIR] [FILE...]
// A crash or a hang prints the target and leaves the input in crash-<target>; FILE... replays inputs.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/random.h"
#include "core/base/text.h"
#include "fuzz_targets.h"

namespace {

using Clock = std::chrono::steady_clock;
using sextant::Random;
using sextant::fuzz::Target;

constexpr unsigned kHangSeconds = 10;
const Target* current_target = nullptr;
std::string_view current_input;

void say(const char* text) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void keep_input(int signal) {
    const char* name = current_target != nullptr ? current_target->name : "none";
    say(signal == SIGALRM ? "\nhang in target " : "\ncrash in target ");
    say(name);
    say(", the input is in crash-");
    say(name);
    say("\n");
    char path[128] = "crash-";
    std::strncat(path, name, sizeof path - 8);
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && ::write(file, current_input.data(), current_input.size()) >= 0) ::close(file);
    ::signal(signal, SIG_DFL);
    if (signal == SIGALRM) ::_exit(1);
    ::raise(signal);
}

// What breaks parsers: edges of number ranges, deep and long things, structure characters.
const std::vector<std::string>& dictionary() {
    static const std::vector<std::string> words = {"0",
                                                   "-1",
                                                   "1e308",
                                                   "1e-400",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "18446744073709551615",
                                                   "null",
                                                   "true",
                                                   "\"nan\"",
                                                   "[]",
                                                   "{}",
                                                   "[[[[[[[[",
                                                   "{\"a\":",
                                                   "\"",
                                                   "\\u0000",
                                                   "\\ud800",
                                                   "../",
                                                   "\xFF",
                                                   "\xF0\x9F\x98\x80",
                                                   "\n",
                                                   ",",
                                                   ":",
                                                   "}",
                                                   "]",
                                                   "-",
                                                   "1e999",
                                                   "4294967296"};
    return words;
}

void mutate(std::string& text, Random& random, const std::vector<std::string>& seeds) {
    const auto place = [&](std::size_t size) {
        return static_cast<std::size_t>(random.below64(std::max<std::uint64_t>(size, 1)));
    };
    for (std::uint32_t rounds = 1 + random.below(6); rounds > 0; --rounds) {
        const std::size_t at = place(text.size());
        switch (random.below(9)) {
            case 0:
                if (!text.empty()) text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
                break;
            case 2:
                text.insert(at, 1, static_cast<char>(random.below(256)));
                break;
            case 3:
                if (!text.empty()) text.erase(at, 1 + place(16));
                break;
            case 4:
                text.insert(at, dictionary()[place(dictionary().size())]);
                break;
            case 5: {  // a number becomes another
                const std::size_t digit = text.find_first_of("0123456789", at);
                if (digit == std::string::npos) break;
                const std::size_t end = text.find_first_not_of("0123456789.eE+-", digit);
                text.replace(digit, end == std::string::npos ? end : end - digit, dictionary()[place(7)]);
                break;
            }
            case 6: {  // four bytes as a little-endian edge value
                if (text.size() < 4) break;
                static const std::uint32_t edges[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x10000};
                std::memcpy(text.data() + place(text.size() - 3), &edges[random.below(6)], 4);
                break;
            }
            case 7: {  // a stretch of another file
                const std::string& other = seeds[place(seeds.size())];
                if (other.empty()) break;
                const std::size_t from = place(other.size());
                text.insert(at, other.substr(from, 1 + place(64)));
                break;
            }
            default:
                if (text.size() > 1 && text.size() < 20'000)
                    text.insert(at, text.substr(place(text.size()), 1 + place(200)));
                break;
        }
        if (text.size() > 200'000) text.resize(200'000);
    }
}

void feed(const Target& target, const std::string& input) {
    current_target = &target;
    current_input = input;
    ::alarm(kHangSeconds);
    target.run(input);
    ::alarm(0);
}

std::string read_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
    double seconds = 20.0;
    std::uint64_t seed = 1;
    std::string only;
    std::string seed_folder;
    std::vector<std::string> replays;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--seconds")
            seconds = sextant::parse_double(value).value_or(20.0);
        else if (word == "--seed")
            seed = static_cast<std::uint64_t>(sextant::parse_integer(value).value_or(1));
        else if (word == "--target")
            only = value;
        else if (word == "--write-seeds")
            seed_folder = value;
        else {
            replays.push_back(word);
            continue;
        }
        ++i;
    }
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM})
        ::signal(signal, keep_input);

    std::vector<const Target*> chosen;
    for (const Target& target : sextant::fuzz::targets()) {
        if (only.empty() || only == target.name) chosen.push_back(&target);
    }
    if (chosen.empty()) {
        std::fprintf(stderr, "there is no target \"%s\"\n", only.c_str());
        return 2;
    }
    std::printf("%-20s %12s %12s\n", "target", "executions", "per second");
    for (const Target* target : chosen) {
        const std::vector<std::string> seeds = target->seeds();
        if (seeds.empty()) {
            std::fprintf(stderr, "target %s has no seeds\n", target->name);
            return 1;
        }
        if (!seed_folder.empty()) {
            const std::string folder = seed_folder + "/" + target->name;
            (void)::mkdir(seed_folder.c_str(), 0755);
            (void)::mkdir(folder.c_str(), 0755);
            for (std::size_t i = 0; i < seeds.size(); ++i)
                std::ofstream(folder + "/seed-" + std::to_string(i), std::ios::binary) << seeds[i];
            continue;
        }
        for (const std::string& path : replays)
            feed(*target, read_whole(path));
        if (!replays.empty()) continue;
        for (const std::string& input : seeds)
            feed(*target, input);
        // Kept crashing inputs of earlier days, each named <target>-<what broke>.
        Random random(sextant::derive_seed(seed, target->name));
        const auto begin = Clock::now();
        const double share = seconds / static_cast<double>(chosen.size());
        std::int64_t executions = 0;
        double spent = 0.0;
        while (spent < share) {
            for (int i = 0; i < 50; ++i, ++executions) {
                std::string input = seeds[random.below64(seeds.size())];
                mutate(input, random, seeds);
                feed(*target, input);
            }
            spent = std::chrono::duration<double>(Clock::now() - begin).count();
        }
        std::printf("%-20s %12lld %12.0f\n", target->name, static_cast<long long>(executions),
                    static_cast<double>(executions) / spent);
        std::fflush(stdout);
    }
    return 0;
}
