#pragma once
// A sentence as its English pattern and what stands in it, so that the window can say the same in another language:
// the pattern is the key of the translation, "%1" to "%9" are the places.

#include <string>
#include <vector>

namespace sextant {

struct Sentence {
    std::string pattern;
    std::vector<std::string> arguments;

    [[nodiscard]] bool empty() const { return pattern.empty(); }
    [[nodiscard]] std::string text() const {  // in English
        std::string out;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            const std::size_t place =
                pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9'
                    ? static_cast<std::size_t>(pattern[i + 1] - '0')
                    : 0;
            if (place == 0 || place > arguments.size()) {
                out += pattern[i];
            } else {
                out += arguments[place - 1];
                ++i;
            }
        }
        return out;
    }
};

}  // namespace sextant
