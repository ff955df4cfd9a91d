#include "core/data/task_probe.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/data/synthetic_corpus.h"

namespace sextant {
namespace {

using Tokens = std::vector<std::int32_t>;

Error too_small(const char* what, std::int64_t given, std::int64_t least) {
    return config_error(fmt::format("{} is {}; this task needs at least {}", what, given, least));
}

// Draws single letters, which every byte-level tokenizer has as tokens of their own.
class Letters {
  public:
    Letters(const BytePairEncoder& tokenizer, std::int64_t alphabet, std::uint64_t seed)
        : random_(seed), alphabet_(static_cast<std::uint32_t>(alphabet)) {
        for (int i = 0; i < 26; ++i) {
            small_.push_back(tokenizer.encode(std::string(1, static_cast<char>('a' + i))).front());
            large_.push_back(tokenizer.encode(std::string(1, static_cast<char>('A' + i))).front());
        }
        newline_ = tokenizer.encode("\n").front();
    }
    std::int32_t any() { return small_[random_.below(alphabet_)]; }
    std::int32_t any_large() { return large_[random_.below(26)]; }
    [[nodiscard]] std::int32_t newline() const { return newline_; }

  private:
    Random random_;
    std::uint32_t alphabet_;
    Tokens small_, large_;
    std::int32_t newline_ = 0;
};

// Letters that return `distance` later, again and again.
Tokens copy_probe(const TaskProbeRequest& request, Letters& letters) {
    Tokens tokens;
    for (std::int64_t i = 0; i < request.length; ++i) {
        tokens.push_back(i < request.distance ? letters.any() : tokens[static_cast<std::size_t>(i - request.distance)]);
    }
    return tokens;
}

// A capital that stands nowhere else, an answer after it; at the end the capital again.
Tokens induction_probe(const TaskProbeRequest& request, Letters& letters) {
    const std::int64_t second = request.length - request.answer_tokens - 1;
    const std::int64_t first = second - request.distance;
    Tokens tokens;
    for (std::int64_t i = 0; i < request.length; ++i)
        tokens.push_back(letters.any());
    const std::int32_t key = letters.any_large();
    tokens[static_cast<std::size_t>(first)] = tokens[static_cast<std::size_t>(second)] = key;
    for (std::int64_t k = 1; k <= request.answer_tokens; ++k)
        tokens[static_cast<std::size_t>(second + k)] = tokens[static_cast<std::size_t>(first + k)];
    return tokens;
}

// Pairs of a two-capital key and a value of k letters; the key asked for stands once before.
Tokens recall_probe(const TaskProbeRequest& request, Letters& letters) {
    const std::int64_t pair = request.answer_tokens + 2;
    const auto another_key = [&](const Tokens& but) {
        for (;;) {
            Tokens key = {letters.any_large(), letters.any_large()};
            if (key != but) return key;
        }
    };
    const Tokens key = another_key({});
    Tokens value;
    for (std::int64_t k = 0; k < request.answer_tokens; ++k)
        value.push_back(letters.any());
    const auto add = [](Tokens& to, const Tokens& what) { to.insert(to.end(), what.begin(), what.end()); };
    const auto add_others = [&](Tokens& to, std::int64_t pairs) {
        for (std::int64_t p = 0; p < pairs; ++p) {
            add(to, another_key(key));
            for (std::int64_t k = 0; k < request.answer_tokens; ++k)
                to.push_back(letters.any());
        }
    };
    Tokens tail = key;
    add(tail, value);
    tail.insert(tail.end(), static_cast<std::size_t>(request.distance % pair), letters.newline());
    add_others(tail, request.distance / pair - 1);
    add(tail, key);
    add(tail, value);
    const std::int64_t head = request.length - static_cast<std::int64_t>(tail.size());
    Tokens tokens(static_cast<std::size_t>(head % pair), letters.newline());
    add_others(tokens, head / pair);
    add(tokens, tail);
    return tokens;
}

// A fact of the stories told once, other stories between, and its beginning again.
Result<Tokens> needle_probe(const BytePairEncoder& tokenizer, const TaskProbeRequest& request, std::int64_t index) {
    const std::string stream = fmt::format("needle {}", request.seed);
    Tokens answer;
    StoryFact fact;
    for (std::int64_t i = 0; i < 2000; ++i) {
        fact = make_story_fact(0, stream, index * 2000 + i);
        answer = tokenizer.encode(fact.answer);
        if (static_cast<std::int64_t>(answer.size()) == request.answer_tokens) break;
    }
    if (static_cast<std::int64_t>(answer.size()) != request.answer_tokens) {
        return config_error(
            fmt::format("no secret word has {} tokens under this tokenizer; try 3", request.answer_tokens));
    }
    const Tokens cue = tokenizer.encode(fact.cue);
    const Tokens lead_in = tokenizer.encode(" " + fact.cue);
    const Tokens stop = tokenizer.encode(".");
    const auto size = [](const Tokens& tokens) { return static_cast<std::int64_t>(tokens.size()); };
    const std::int64_t between = request.distance - request.answer_tokens - size(stop) - size(lead_in);
    const std::int64_t before = request.length - request.distance - request.answer_tokens - size(cue);
    if (between < 0) return too_small("distance", request.distance, request.distance - between);
    if (before < 0) return too_small("length", request.length, request.length - before);
    Tokens hay;
    for (std::int64_t i = 0; size(hay) < before + between; ++i) {
        const Tokens story = tokenizer.encode(make_story(0, fmt::format("{} {}", stream, index), i).text);
        hay.insert(hay.end(), story.begin(), story.end());
        hay.push_back(tokenizer.end_of_text());
    }
    Tokens tokens(hay.begin(), hay.begin() + before);
    const auto add = [&](const Tokens& what) { tokens.insert(tokens.end(), what.begin(), what.end()); };
    add(cue);
    add(answer);
    add(stop);
    tokens.insert(tokens.end(), hay.begin() + before, hay.begin() + before + between);
    add(lead_in);
    add(answer);
    return tokens;
}

Status check(const TaskProbeRequest& request) {
    constexpr std::int64_t kMost = 1 << 20;
    const auto range = [](const char* what, std::int64_t value, std::int64_t least, std::int64_t most) -> Status {
        if (value >= least && value <= most) return {};
        return config_error(fmt::format("{} is {}; {} to {} are possible", what, value, least, most));
    };
    SEXTANT_CHECK(range("length", request.length, 2, kMost));
    SEXTANT_CHECK(range("distance", request.distance, 1, kMost));
    SEXTANT_CHECK(range("answer tokens", request.answer_tokens, 1, 16));
    SEXTANT_CHECK(range("alphabet", request.alphabet, 2, 26));
    SEXTANT_CHECK(range("count", request.count, 1, 100'000));
    std::int64_t least_distance = request.answer_tokens;
    std::int64_t least_length = request.distance + request.answer_tokens;
    if (request.task == "copy") {
        least_distance = 1;
    } else if (request.task == "induction") {
        least_distance = request.answer_tokens + 1;
        least_length += 1;
    } else if (request.task == "recall") {
        least_distance = request.answer_tokens + 2;
        least_length += 2;
    } else if (request.task != "needle") {
        const std::string nearest = nearest_name(request.task, task_probe_names());
        return config_error(fmt::format("\"{}\" is no task probe ({}{})", single_line(request.task, 60),
                                        join_limited(task_probe_names()),
                                        nearest.empty() ? "" : "; did you mean " + nearest + "?"));
    }
    if (request.distance < least_distance) return too_small("distance", request.distance, least_distance);
    if (request.length < least_length) return too_small("length", request.length, least_length);
    return {};
}

}  // namespace

const std::vector<std::string>& task_probe_names() {
    static const std::vector<std::string> names = {"copy", "induction", "needle", "recall"};
    return names;
}

Result<TaskProbeSet> make_task_probes(const BytePairEncoder& tokenizer, const TaskProbeRequest& request) {
    SEXTANT_CHECK(check(request));
    TaskProbeSet set;
    set.request = request;
    const double options = static_cast<double>(request.task == "needle" ? tokenizer.vocab_size() : request.alphabet);
    set.chance = std::pow(options, -static_cast<double>(request.answer_tokens));
    for (std::int64_t index = 0; index < request.count; ++index) {
        Letters letters(tokenizer, request.alphabet,
                        derive_seed(request.seed, fmt::format("probe/{}/{}", request.task, index)));
        TaskProbe probe;
        if (request.task == "copy") {
            probe.tokens = copy_probe(request, letters);
        } else if (request.task == "induction") {
            probe.tokens = induction_probe(request, letters);
        } else if (request.task == "recall") {
            probe.tokens = recall_probe(request, letters);
        } else {
            SEXTANT_TRY(tokens, needle_probe(tokenizer, request, index));
            probe.tokens = std::move(tokens);
        }
        for (std::int64_t k = request.answer_tokens; k > 0; --k)
            probe.positions.push_back(request.length - k);
        set.probes.push_back(std::move(probe));
    }
    return set;
}

}  // namespace sextant
