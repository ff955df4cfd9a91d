#pragma once
// Everything needed to make a figure again when new seeds arrive: what it shows of which project, and its form. Stored
// as JSON beside the figure; unknown keys are refused with their name.

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace sextant {

struct FigureSpec {
    std::string kind;     // "loss", "extrapolation", "attention", "alibi-bias", "rope-phase", "rope-decay", "slopes",
                          // "position-loss"
    std::string project;  // relative to the file that names it
    std::string venue;    // preset id, or empty for a free size
    double width = 5.5, height = 2.6;  // inches
    double text_points = 8.0;
    int dots_per_inch = 300;  // of PNG files
    std::string theme = "light";
    std::string title;
    std::string caption;               // draft, made again with the figure
    std::vector<std::string> outputs;  // names of the files beside the specification
    std::string data = "{}";           // JSON object: arms, metric, layer, head, ... as the kind needs them
};

[[nodiscard]] std::string figure_spec_to_json(const FigureSpec& spec);
[[nodiscard]] Result<FigureSpec> figure_spec_from_json(const std::string& text, const std::string& path = {});

}  // namespace sextant
