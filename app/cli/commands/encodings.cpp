// `encodings`: the catalog, and with a name the page of one encoding.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/encoding/encoding_help.h"
#include "core/encoding/registry.h"

namespace sextant::cli {
namespace {

const char* type_name(ParameterType type) {
    switch (type) {
        case ParameterType::kReal:
            return "real";
        case ParameterType::kInteger:
            return "integer";
        case ParameterType::kBoolean:
            return "boolean";
        case ParameterType::kChoice:
            break;
    }
    return "choice";
}

OrderedJson parameter_json(const ParameterSpec& spec) {
    OrderedJson entry;
    entry["name"] = spec.name;
    entry["type"] = type_name(spec.type);
    entry["default"] = spec.optional ? OrderedJson(nullptr) : OrderedJson(to_json(spec.default_value));
    entry["optional"] = spec.optional;
    if (spec.type == ParameterType::kChoice) {
        entry["choices"] = spec.choices;
    } else if (spec.type != ParameterType::kBoolean) {
        entry["minimum"] = spec.minimum;
        entry["minimum_open"] = spec.minimum_open;
        entry["maximum"] = spec.maximum;
    }
    entry["range"] = range_of(spec);
    entry["description"] = spec.description;
    return entry;
}

OrderedJson spec_json(const EncodingSpec& spec) {
    OrderedJson entry;
    entry["id"] = spec.id;
    entry["name"] = spec.name;
    entry["reference"] = spec.reference;
    entry["summary"] = spec.summary;
    entry["formula"] = spec.formula;
    entry["traits"] = {{"additive", spec.traits.additive},
                       {"rotary", spec.traits.rotary},
                       {"bias", spec.traits.bias},
                       {"relative", spec.traits.relative},
                       {"distance_only", spec.traits.distance_only},
                       {"learned", spec.traits.learned},
                       {"shared_by_layers", spec.traits.shared_by_layers},
                       {"causal_only", spec.traits.causal_only}};
    entry["parameters"] = OrderedJson::array();
    for (const ParameterSpec& parameter : spec.parameters)
        entry["parameters"].push_back(parameter_json(parameter));
    return entry;
}

OrderedJson page_json(const EncodingSpec& spec) {
    OrderedJson entry = spec_json(spec);
    entry["help"] = help_paragraph(spec.id);
    entry["implementations"] = OrderedJson::array();
    for (const Implementation& one : known_implementations()) {
        if (one.encoding != spec.id) continue;
        entry["implementations"].push_back({{"name", one.name},
                                            {"licence", one.licence},
                                            {"layout", one.layout},
                                            {"slope_rule", one.slope_rule},
                                            {"divergence", one.divergence}});
    }
    return entry;
}

Status run(const std::string& name, bool json) {
    if (!name.empty()) {
        const EncodingSpec* spec = find_encoding(name);
        if (spec == nullptr) return usage_error(unknown_encoding(name));
        print_text(json ? dump_json(page_json(*spec)) : encoding_page(*spec));
        return {};
    }
    OrderedJson all = OrderedJson::array();
    std::string lines;
    for (const EncodingSpec& spec : encoding_catalog()) {
        all.push_back(spec_json(spec));
        lines += fmt::format("{:<13} {:<55} arXiv {}\n", spec.id, spec.name, spec.reference);
        for (const ParameterSpec& parameter : spec.parameters) {
            lines +=
                fmt::format("{:<13}   {} = {} ({})\n", "", parameter.name, default_of(parameter), range_of(parameter));
        }
    }
    print_text(json ? dump_json(OrderedJson{{"encodings", std::move(all)}}) : lines);
    return {};
}

}  // namespace

void add_encodings(CLI::App& app, Context& context) {
    struct Options {
        std::string name;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("encodings", "List the position encodings, or show the page of one");
    command->add_option("NAME", options->name, "Show the page of this encoding");
    command->add_flag("--json", options->json, "As one JSON document");
    command->callback([options, &context] {
        if (const Status status = run(options->name, options->json); !status) context.fail(status.error());
    });
}

}  // namespace sextant::cli
