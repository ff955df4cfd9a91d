#include "core/encoding/registry.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"

// The catalog in the order people see it: one line an encoding.
#define SEXTANT_ENCODINGS(ENCODING) \
    ENCODING(none)                  \
    ENCODING(learned)               \
    ENCODING(sinusoidal)            \
    ENCODING(rope)                  \
    ENCODING(xpos)                  \
    ENCODING(alibi)                 \
    ENCODING(t5)                    \
    ENCODING(kerple_log)            \
    ENCODING(kerple_power)          \
    ENCODING(sandwich)              \
    ENCODING(fire)                  \
    // end of the catalog

namespace sextant {

namespace encodings {
#define SEXTANT_DECLARE(id) EncodingEntry id();
SEXTANT_ENCODINGS(SEXTANT_DECLARE)
#undef SEXTANT_DECLARE
}  // namespace encodings

namespace {

const std::vector<EncodingEntry>& entries() {
#define SEXTANT_LIST(id) encodings::id(),
    static const std::vector<EncodingEntry> all = {SEXTANT_ENCODINGS(SEXTANT_LIST)};
#undef SEXTANT_LIST
    return all;
}

const EncodingEntry* find_entry(const std::string& id) {
    for (const EncodingEntry& entry : entries()) {
        if (entry.spec.id == id) return &entry;
    }
    return nullptr;
}

std::string range_text(const ParameterSpec& spec) {
    const char* kind = spec.type == ParameterType::kInteger ? "a whole number " : "a number ";
    return fmt::format("{}{} {} and at most {}", kind, spec.minimum_open ? "above" : "of at least",
                       format_exact(spec.minimum), format_exact(spec.maximum));
}

std::string allowed_text(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::kBoolean:
            return "true or false";
        case ParameterType::kChoice:
            return "one of " + join_limited(spec.choices, 12);
        default:
            return range_text(spec);
    }
}

// The value in the type of the spec, or nothing when it is of another type or out of range.
std::optional<ParameterValue> accepted(const ParameterSpec& spec, const ParameterValue& value) {
    const auto in_range = [&](double number) {
        return std::isfinite(number) && (spec.minimum_open ? number > spec.minimum : number >= spec.minimum) &&
               number <= spec.maximum;
    };
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    switch (spec.type) {
        case ParameterType::kBoolean:
            if (std::holds_alternative<bool>(value)) return value;
            break;
        case ParameterType::kChoice:
            if (const auto* word = std::get_if<std::string>(&value)) {
                for (const std::string& choice : spec.choices) {
                    if (choice == *word) return value;
                }
            }
            break;
        case ParameterType::kInteger:
            if (whole != nullptr && in_range(static_cast<double>(*whole))) return value;
            if (number != nullptr && in_range(*number) && *number == std::floor(*number)) {
                return ParameterValue{static_cast<std::int64_t>(*number)};
            }
            break;
        case ParameterType::kReal:
            if (whole != nullptr && in_range(static_cast<double>(*whole))) {
                return ParameterValue{static_cast<double>(*whole)};
            }
            if (number != nullptr && in_range(*number)) return value;
            break;
    }
    return std::nullopt;
}

const ParameterSpec* find_parameter(const EncodingSpec& spec, const std::string& name) {
    for (const ParameterSpec& parameter : spec.parameters) {
        if (parameter.name == name) return &parameter;
    }
    return nullptr;
}

std::string unknown_parameter(const EncodingSpec& spec, const std::string& name) {
    if (spec.parameters.empty()) return fmt::format("{} has no parameters, so not \"{}\" either", spec.id, name);
    std::vector<std::string> names;
    for (const ParameterSpec& parameter : spec.parameters)
        names.push_back(parameter.name);
    const std::string near = nearest_name(name, names);
    return fmt::format("{} has no parameter \"{}\"; {}", spec.id, single_line(name, 60),
                       near.empty() ? "it has " + join_limited(names, 12) : "did you mean \"" + near + "\"?");
}

// Fills `complete` with defaults and the given values in the types of the spec; problems one by one.
void complete_parameters(const EncodingSpec& spec, const ParameterValues& given, ParameterValues& complete,
                         std::vector<EncodingProblem>& problems) {
    for (const ParameterSpec& parameter : spec.parameters) {
        if (!parameter.optional) complete[parameter.name] = parameter.default_value;
    }
    for (const auto& [name, value] : given) {
        const ParameterSpec* parameter = find_parameter(spec, name);
        if (parameter == nullptr) {
            problems.push_back({name, unknown_parameter(spec, name)});
            continue;
        }
        if (auto typed = accepted(*parameter, value)) {
            complete[name] = std::move(*typed);
        } else {
            problems.push_back({name, fmt::format("{}: {} is {}; it must be {}", spec.id, name,
                                                  single_line(to_text(value), 60), allowed_text(*parameter))});
        }
    }
}

void check_site(const EncodingSite& site, std::vector<EncodingProblem>& problems) {
    const std::pair<const char*, std::int64_t> sizes[] = {{"heads", site.n_head},
                                                          {"head_dim", site.head_dim},
                                                          {"d_model", site.d_model},
                                                          {"length", site.context_length}};
    for (const auto& [name, size] : sizes) {
        if (size < 1) problems.push_back({name, fmt::format("{} is {}; it must be at least 1", name, size)});
    }
}

}  // namespace

const std::vector<EncodingSpec>& encoding_catalog() {
    static const std::vector<EncodingSpec> catalog = [] {
        std::vector<EncodingSpec> specs;
        for (const EncodingEntry& entry : entries())
            specs.push_back(entry.spec);
        return specs;
    }();
    return catalog;
}

const EncodingSpec* find_encoding(const std::string& id) {
    for (const EncodingSpec& spec : encoding_catalog()) {
        if (spec.id == id) return &spec;
    }
    return nullptr;
}

std::string unknown_encoding(const std::string& id) {
    std::vector<std::string> ids;
    for (const EncodingSpec& spec : encoding_catalog())
        ids.push_back(spec.id);
    const std::string near = nearest_name(id, ids);
    return fmt::format("there is no encoding \"{}\"; {}the catalog has {}", single_line(id, 60),
                       near.empty() ? "" : "did you mean \"" + near + "\"? ", join_limited(ids, 20));
}

std::vector<EncodingProblem> check_encoding(const EncodingConfig& config, const EncodingSite& site) {
    std::vector<EncodingProblem> problems;
    const EncodingEntry* entry = find_entry(config.id);
    if (entry == nullptr) {
        problems.push_back({"", unknown_encoding(config.id)});
        return problems;
    }
    ParameterValues complete;
    complete_parameters(entry->spec, config.parameters, complete, problems);
    check_site(site, problems);
    if (problems.empty() && entry->check != nullptr) entry->check(site, complete, problems);
    return problems;
}

Result<std::unique_ptr<PositionEncoding>> make_encoding(const EncodingConfig& config, const EncodingSite& site) {
    const auto problems = check_encoding(config, site);
    if (!problems.empty()) return config_error(problems.front().message);
    const EncodingEntry& entry = *find_entry(config.id);
    ParameterValues complete;
    std::vector<EncodingProblem> none;
    complete_parameters(entry.spec, config.parameters, complete, none);
    // The catalog's copy of the spec lives as long as the program.
    return entry.make(*find_encoding(config.id), site, std::move(complete));
}

void infer_sizes(const nlohmann::json& values, EncodingConfig& config, EncodingSite& site) {
    const EncodingEntry* entry = find_entry(config.id);
    if (entry != nullptr && entry->infer != nullptr) entry->infer(values, site, config.parameters);
}

}  // namespace sextant
