#pragma once
// The papers behind the encodings, by arXiv id: what an artifact's `paper` block says, and the figures those papers
// publish for what their artifacts call `paper_results`. Only published figures, never ours.

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sextant {

struct Paper {
    std::string arxiv_id, title, organization;
    std::vector<std::pair<std::string, std::variant<double, std::string>>> results;
    std::string title_zh;  // what it is about, for the Chinese half of `scope`
    [[nodiscard]] std::string url() const { return "https://arxiv.org/abs/" + arxiv_id; }
};
[[nodiscard]] const Paper* find_paper(const std::string& arxiv_id);

}  // namespace sextant
