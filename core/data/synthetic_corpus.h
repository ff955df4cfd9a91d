#pragma once
// The built-in corpus "Sextant stories": English-like stories about people, places and things that are told of and
// referred to again, near and far, so that order and distance matter. Integer arithmetic only: the same bytes on every
// machine. Grammar and distance statistics: resources/help/corpus.md, held by a test.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// A second or later mention of a name, place, thing, number or secret word: the same text stands at both offsets.
struct StoryReference {
    std::size_t before = 0;  // byte offset of the mention before
    std::size_t here = 0;
    std::size_t size = 0;
};

struct Story {
    std::string text;
    std::vector<StoryReference> references;
};

// Story `index` of a split ("train", "validation", "test", ...). Each story has its own generator, so a shorter corpus
// is a prefix of a longer one and the splits are different stories.
[[nodiscard]] Story make_story(std::uint64_t corpus_seed, std::string_view split, std::int64_t index);

// One fact told and asked for again, at any distance: the needle of a probe and the material of instructions.
struct StoryFact {
    std::string statement;  // "The word for the door in Ashford was kamilo."
    std::string cue;        // "The word for the door in Ashford was"
    std::string answer;     // " kamilo"
};
[[nodiscard]] StoryFact make_story_fact(std::uint64_t corpus_seed, std::string_view stream, std::int64_t index);

struct StoryQuestion {
    std::string instruction;  // a question
    std::string input;        // the sentences that hold the answer, and others
    std::string answer;
    std::string wrong_answer;  // of the same form, with another person or place of the same input
};
[[nodiscard]] StoryQuestion make_story_question(std::uint64_t corpus_seed, std::string_view split, std::int64_t index);

}  // namespace sextant
