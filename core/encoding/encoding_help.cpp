#include "core/encoding/encoding_help.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace sextant {

namespace embedded {
const char* encodings_markdown();
const char* implementations_json();
}  // namespace embedded

std::string help_paragraph(const std::string& id) {
    const std::string text = embedded::encodings_markdown();
    const std::string heading = "\n## " + id + "\n";
    const auto begin = text.find(heading);
    if (begin == std::string::npos) return {};
    const auto body = begin + heading.size();
    const auto end = text.find("\n## ", body);
    return std::string(trimmed(text.substr(body, end == std::string::npos ? end : end - body)));
}

std::string range_of(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::kBoolean:
            return "true or false";
        case ParameterType::kChoice:
            return join_limited(spec.choices, 12);
        default:
            return fmt::format("{} {}, at most {}", spec.minimum_open ? "above" : "at least",
                               format_exact(spec.minimum), format_exact(spec.maximum));
    }
}

std::string default_of(const ParameterSpec& spec) {
    return spec.optional ? "derived" : to_text(spec.default_value);
}

std::string encoding_page(const EncodingSpec& spec) {
    std::string page = fmt::format("# {} ({})\n\n{}\n", spec.name, spec.id, help_paragraph(spec.id));
    if (!spec.parameters.empty()) {
        page += "\n## Parameters\n\n| name | default | range | meaning |\n|---|---|---|---|\n";
        for (const ParameterSpec& parameter : spec.parameters) {
            page += fmt::format("| {} | {} | {} | {} |\n", parameter.name, default_of(parameter), range_of(parameter),
                                parameter.description);
        }
    }
    std::string lines;
    for (const Implementation& one : known_implementations()) {
        if (one.encoding != spec.id) continue;
        lines += fmt::format("- {}", one.name);
        for (const std::string* fact : {&one.licence, &one.layout, &one.slope_rule}) {
            if (!fact->empty()) lines += "; " + *fact;
        }
        lines += one.divergence.empty() ? "\n" : ". " + one.divergence + "\n";
    }
    if (!lines.empty()) page += "\n## Other implementations\n\n" + lines;
    return page;
}

const std::vector<Implementation>& known_implementations() {
    static const std::vector<Implementation> all = [] {
        std::vector<Implementation> read;
        const auto document = nlohmann::json::parse(embedded::implementations_json());
        for (const auto& entry : document.at("implementations")) {
            const auto text = [&entry](const char* key) { return entry.value(key, std::string()); };
            read.push_back({text("name"), text("encoding"), text("licence"), text("layout"), text("slope_rule"),
                            text("divergence")});
        }
        return read;
    }();
    return all;
}

}  // namespace sextant
