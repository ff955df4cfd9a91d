#pragma once
// The page of one encoding: its paragraph of resources/help/encodings.md (built into the program), the table of its
// parameters from the catalog, and what is known of other people's code for it. Markdown, for terminal and window
// alike.

#include <string>
#include <vector>

#include "core/encoding/position_encoding.h"

namespace sextant {

// The text below "## id", without the heading; empty for an unknown id.
[[nodiscard]] std::string help_paragraph(const std::string& id);
[[nodiscard]] std::string encoding_page(const EncodingSpec& spec);

// One entry of resources/implementations.json.
struct Implementation {
    std::string name, encoding, licence, layout, slope_rule, divergence;
};
[[nodiscard]] const std::vector<Implementation>& known_implementations();
// "true or false", "one of a, b", "above 0, at most 8": the range as people read it.
[[nodiscard]] std::string range_of(const ParameterSpec& spec);
[[nodiscard]] std::string default_of(const ParameterSpec& spec);

}  // namespace sextant
