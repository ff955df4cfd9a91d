#include "core/experiment/config_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

void add(ConfigProblems& problems, std::string pointer, std::string message, bool warning = false) {
    problems.push_back({std::move(pointer), std::move(message), warning});
}

std::string range_text(const RealRange& range) {
    switch (range.ends) {
        case RealRange::Ends::kOpenBelow:
            return fmt::format("above {} and at most {}", format_exact(range.minimum), format_exact(range.maximum));
        case RealRange::Ends::kOpenAbove:
            return fmt::format("at least {} and below {}", format_exact(range.minimum), format_exact(range.maximum));
        case RealRange::Ends::kClosed:
            break;
    }
    return fmt::format("{} to {}", format_exact(range.minimum), format_exact(range.maximum));
}

bool inside(double value, const RealRange& range) {
    if (!std::isfinite(value) || value < range.minimum || value > range.maximum) return false;
    if (range.ends == RealRange::Ends::kOpenBelow) return value > range.minimum;
    if (range.ends == RealRange::Ends::kOpenAbove) return value < range.maximum;
    return true;
}

}  // namespace

std::string describe_value(const Json& value) {
    if (value.is_string()) return "the text \"" + single_line(value.get_ref<const std::string&>(), 40) + "\"";
    if (value.is_number_float()) return format_exact(value.get<double>());
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    return value.dump();
}

bool read_integer(const Json& value, const std::string& pointer, const IntegerRange& range, std::int64_t& out,
                  ConfigProblems& problems) {
    const std::string wanted = fmt::format("a whole number from {} to {}", range.minimum, range.maximum);
    bool fits = false;
    std::int64_t number = 0;
    if (value.is_number_unsigned()) {
        const auto given = value.get<std::uint64_t>();
        fits = given <= static_cast<std::uint64_t>(INT64_MAX);
        if (fits) number = static_cast<std::int64_t>(given);
    } else if (value.is_number_integer()) {
        number = value.get<std::int64_t>();
        fits = true;
    } else if (value.is_number_float()) {  // 1e3 is a whole number too
        const double given = value.get<double>();
        fits = std::isfinite(given) && std::floor(given) == given && std::abs(given) < 9007199254740992.0;
        if (fits) number = static_cast<std::int64_t>(given);
    }
    if (!fits || number < range.minimum || number > range.maximum) {
        add(problems, pointer, fmt::format("must be {}, not {}", wanted, describe_value(value)));
        return false;
    }
    out = number;
    return true;
}

bool read_real(const Json& value, const std::string& pointer, const RealRange& range, double& out,
               ConfigProblems& problems) {
    if (!value.is_number() || !inside(value.get<double>(), range)) {
        add(problems, pointer, fmt::format("must be a number {}, not {}", range_text(range), describe_value(value)));
        return false;
    }
    out = value.get<double>();
    return true;
}

bool read_choice(const Json& value, const std::string& pointer, const std::vector<std::string>& choices,
                 std::string& out, ConfigProblems& problems) {
    if (value.is_string()) {
        const auto& given = value.get_ref<const std::string&>();
        if (std::find(choices.begin(), choices.end(), given) != choices.end()) {
            out = given;
            return true;
        }
    }
    std::string message = "must be one of " + join_limited(choices, 12) + ", not " + describe_value(value);
    if (value.is_string()) {
        const std::string near = nearest_name(value.get_ref<const std::string&>(), choices);
        if (!near.empty()) message += "; did you mean \"" + near + "\"?";
    }
    add(problems, pointer, std::move(message));
    return false;
}

ConfigReader::ConfigReader(const Json& object, std::string pointer, ConfigProblems& problems)
    : pointer_(std::move(pointer)), problems_(problems) {
    if (object.is_object()) {
        object_ = &object;
    } else {
        add(problems_, pointer_, "must be an object {...}, not " + describe_value(object));
    }
}

std::string ConfigReader::at(const std::string& key) const {
    return json_pointer(pointer_, key);
}

void ConfigReader::problem(const std::string& key, std::string message) {
    add(problems_, at(key), std::move(message));
}

void ConfigReader::warning(const std::string& key, std::string message) {
    add(problems_, at(key), std::move(message), true);
}

const Json* ConfigReader::child(const std::string& key) {
    known_.push_back(key);
    if (object_ == nullptr) return nullptr;
    const auto found = object_->find(key);
    return found == object_->end() ? nullptr : &*found;
}

const Json* ConfigReader::required(const std::string& key) {
    const Json* value = child(key);
    if (value == nullptr && object_ != nullptr) problem(key, "is missing");
    return value;
}

void ConfigReader::integer(const std::string& key, std::int64_t& out, const IntegerRange& range) {
    if (const Json* value = child(key)) read_integer(*value, at(key), range, out, problems_);
}

void ConfigReader::real(const std::string& key, double& out, const RealRange& range) {
    if (const Json* value = child(key)) read_real(*value, at(key), range, out, problems_);
}

void ConfigReader::boolean(const std::string& key, bool& out) {
    const Json* value = child(key);
    if (value == nullptr) return;
    if (value->is_boolean()) {
        out = value->get<bool>();
    } else {
        problem(key, "must be true or false, not " + describe_value(*value));
    }
}

void ConfigReader::text(const std::string& key, std::string& out) {
    const Json* value = child(key);
    if (value == nullptr) return;
    if (value->is_string()) {
        out = value->get<std::string>();
    } else {
        problem(key, "must be a text, not " + describe_value(*value));
    }
}

void ConfigReader::choice(const std::string& key, std::string& out, const std::vector<std::string>& choices) {
    if (const Json* value = child(key)) read_choice(*value, at(key), choices, out, problems_);
}

void ConfigReader::finish() {
    if (object_ == nullptr) return;
    for (const auto& [key, value] : object_->items()) {
        if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
        const std::string near = nearest_name(key, known_);
        std::string message = "unknown key \"" + single_line(key, 60) + "\"; ";
        message += near.empty() ? "the keys here are " + join_limited(known_, 12) : "did you mean \"" + near + "\"?";
        problem(key, std::move(message));
    }
}

}  // namespace sextant
