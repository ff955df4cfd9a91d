#pragma once
// Small tasks whose answer stands earlier in the same sequence, at a distance that is chosen exactly: copy, induction,
// needle in the built-in stories, associative recall (in the manner of RULER, arXiv 2404.06654). Deterministic: the
// same sequences for every arm and machine.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/byte_pair_encoder.h"

namespace sextant {

struct TaskProbeRequest {
    std::string task = "copy";       // copy | induction | needle | recall
    std::int64_t length = 64;        // tokens of each sequence, answer included
    std::int64_t distance = 16;      // from each answer token back to the same token where it was told
    std::int64_t answer_tokens = 2;  // k
    std::int64_t alphabet = 8;       // letters that copy, induction and recall draw from, 2 to 26
    std::int64_t count = 200;        // sequences
    std::uint64_t seed = 0;
};

struct TaskProbe {
    std::vector<std::int32_t> tokens;     // the last k are the answer
    std::vector<std::int64_t> positions;  // of the answer tokens; token p is predicted from tokens before p
};

struct TaskProbeSet {
    TaskProbeRequest request;
    std::vector<TaskProbe> probes;
    double chance = 0.0;  // share a guess among the possible answers gets right: alphabet^-k; needle: vocabulary^-k
};

[[nodiscard]] const std::vector<std::string>& task_probe_names();
// The shortest distance and length a task needs under this tokenizer; kConfig errors name them when they are not met.
[[nodiscard]] Result<TaskProbeSet> make_task_probes(const BytePairEncoder& tokenizer, const TaskProbeRequest& request);

}  // namespace sextant
