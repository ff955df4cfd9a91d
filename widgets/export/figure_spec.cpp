#include "widgets/export/figure_spec.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/text.h"

namespace sextant {

std::string figure_spec_to_json(const FigureSpec& spec) {
    OrderedJson document;
    document["schema_version"] = 1;
    document["kind"] = spec.kind;
    document["project"] = spec.project;
    document["venue"] = spec.venue;
    document["width_in"] = spec.width;
    document["height_in"] = spec.height;
    document["text_pt"] = spec.text_points;
    document["dpi"] = spec.dots_per_inch;
    document["theme"] = spec.theme;
    document["title"] = spec.title;
    document["caption"] = spec.caption;
    document["outputs"] = spec.outputs;
    document["data"] = OrderedJson::parse(spec.data, nullptr, false);
    if (document["data"].is_discarded()) document["data"] = OrderedJson::object();
    return dump_json(document) + "\n";
}

Result<FigureSpec> figure_spec_from_json(const std::string& text, const std::string& path) {
    SEXTANT_TRY(document, parse_json(text, path));
    const auto wrong = [&](std::string message, const std::string& key) {
        Error error = config_error(std::move(message), json_pointer("", key));
        error.path = path;
        return error;
    };
    if (!document.is_object()) return wrong("a figure specification is a JSON object", "");
    const std::vector<std::string> known{"schema_version", "kind",  "project", "venue", "width_in", "height_in",
                                         "text_pt",        "theme", "title",   "data",  "dpi",      "caption",
                                         "outputs"};
    for (const auto& [key, value] : document.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string near = nearest_name(key, known);
        return wrong(
            "unknown key \"" + single_line(key, 60) + "\"" + (near.empty() ? "" : "; did you mean \"" + near + "\"?"),
            key);
    }
    const auto version = document.find("schema_version");
    if (version == document.end() || !version->is_number_integer() || *version != 1)
        return wrong("this version of Sextant reads figure specifications of schema_version 1", "schema_version");
    FigureSpec spec;
    const auto words = [&](const char* key, std::string& into) -> Status {
        const auto found = document.find(key);
        if (found == document.end()) return {};
        if (!found->is_string()) return wrong("must be a text", key);
        into = found->get<std::string>();
        return {};
    };
    const auto number = [&](const char* key, double& into, double low, double high) -> Status {
        const auto found = document.find(key);
        if (found == document.end()) return {};
        if (!found->is_number() || !(found->get<double>() >= low) || found->get<double>() > high)
            return wrong("must be a number from " + format_exact(low) + " to " + format_exact(high), key);
        into = found->get<double>();
        return {};
    };
    SEXTANT_CHECK(words("kind", spec.kind));
    SEXTANT_CHECK(words("project", spec.project));
    SEXTANT_CHECK(words("venue", spec.venue));
    SEXTANT_CHECK(words("theme", spec.theme));
    SEXTANT_CHECK(words("title", spec.title));
    SEXTANT_CHECK(words("caption", spec.caption));
    double dots = spec.dots_per_inch;
    SEXTANT_CHECK(number("dpi", dots, 30.0, 2400.0));
    spec.dots_per_inch = static_cast<int>(dots);
    if (const auto outputs = document.find("outputs"); outputs != document.end()) {
        if (!outputs->is_array()) return wrong("must be a list of file names", "outputs");
        for (const auto& output : *outputs) {
            // A specification that came from elsewhere must not write outside its own folder.
            if (!output.is_string() || output.get<std::string>().empty() ||
                output.get<std::string>().find('/') != std::string::npos)
                return wrong("must be a list of file names without folders", "outputs");
            spec.outputs.push_back(output.get<std::string>());
        }
    }
    SEXTANT_CHECK(number("width_in", spec.width, 0.2, 100.0));
    SEXTANT_CHECK(number("height_in", spec.height, 0.2, 100.0));
    SEXTANT_CHECK(number("text_pt", spec.text_points, 4.0, 24.0));
    if (spec.kind.empty()) return wrong("the kind of figure is missing", "kind");
    if (spec.theme != "light" && spec.theme != "dark") return wrong("must be \"light\" or \"dark\"", "theme");
    if (const auto data = document.find("data"); data != document.end()) {
        if (!data->is_object()) return wrong("must be an object", "data");
        spec.data = dump_json(*data, -1);
    }
    return spec;
}

}  // namespace sextant
