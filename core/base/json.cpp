#include "core/base/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/text.h"

namespace sextant {
namespace {

std::string place(std::string_view text, std::size_t offset) {
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i + 1 < offset && i < text.size(); ++i) {
        if (text[i] == '\n') {
            ++line;
            column = 1;
        } else {
            ++column;
        }
    }
    return fmt::format("line {}, column {}", line, column);
}

// Checks depth, count and duplicate keys without building anything; the parser below then cannot be surprised.
class LimitCheck final : public nlohmann::json_sax<Json> {
  public:
    explicit LimitCheck(const JsonLimits& limits) : limits_(limits) {}

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(std::int64_t) override { return count(); }
    bool number_unsigned(std::uint64_t) override { return count(); }
    bool number_float(double value, const std::string& digits) override {
        if (!std::isfinite(value)) return refuse("number " + digits.substr(0, 40) + " is out of range");
        return count();
    }
    bool string(std::string&) override { return count(); }
    bool binary(Json::binary_t&) override { return count(); }
    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return enter();
    }
    bool end_object() override {
        keys_.pop_back();
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool key(std::string& name) override {
        if (!keys_.back().insert(name).second) return refuse("key \"" + name.substr(0, 60) + "\" appears twice");
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& exception) override {
        position_ = position;
        std::string why = exception.what();
        if (const auto at = why.find(": "); at != std::string::npos) why = why.substr(at + 2);
        if (const auto at = why.find("; last read"); at != std::string::npos) why = why.substr(0, at);
        problem_ = why;
        return false;
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::size_t position() const { return position_; }

  private:
    bool refuse(std::string why) {
        problem_ = std::move(why);
        return false;
    }
    bool count() {
        if (++values_ > limits_.values) return refuse(fmt::format("more than {} values", limits_.values));
        return true;
    }
    bool enter() {
        if (++depth_ > limits_.depth) return refuse(fmt::format("nested deeper than {} levels", limits_.depth));
        return count();
    }

    const JsonLimits& limits_;
    std::vector<std::set<std::string, std::less<>>> keys_;
    std::string problem_;
    std::size_t position_ = 0;
    std::size_t values_ = 0;
    int depth_ = 0;
};

template <typename Document>
void stringify_non_finite(Document& document) {
    if (document.is_number_float()) {
        const double value = document.template get<double>();
        if (!std::isfinite(value)) document = format_exact(value);
    } else if (document.is_structured()) {
        for (auto& element : document)
            stringify_non_finite(element);
    }
}

template <typename Document>
std::string dump(Document document, int indent) {
    stringify_non_finite(document);
    return document.dump(indent, ' ', false, Document::error_handler_t::replace);
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& path, const JsonLimits& limits) {
    const auto failed = [&](std::string why) { return data_error("not valid JSON: " + std::move(why), path); };
    if (text.size() > limits.bytes) {
        return data_error(
            fmt::format("is {} bytes; JSON files of more than {} are not read", text.size(), limits.bytes), path);
    }
    if (const auto bad = invalid_utf8(text)) return failed(fmt::format("invalid UTF-8 at byte {}", *bad));
    // The parser takes a null byte for the end of the text and would ignore what follows.
    if (const auto null = text.find('\0'); null != std::string_view::npos) {
        return failed(fmt::format("a null byte at byte {}", null));
    }
    LimitCheck check(limits);
    if (!Json::sax_parse(text.begin(), text.end(), &check)) {
        if (check.position() == 0) return failed(check.problem());
        return failed(place(text, check.position()) + ": " + check.problem());
    }
    Json document = Json::parse(text.begin(), text.end(), nullptr, false);
    if (document.is_discarded()) return failed("cannot be parsed");
    return document;
}

Result<Json> read_json_file(const std::string& path, ErrorCode code, const JsonLimits& limits) {
    auto text = read_file(path, limits.bytes);
    if (!text) {
        Error error = std::move(text).error();
        error.code = code;
        return error;
    }
    auto document = parse_json(*text, path, limits);
    if (!document) {
        Error error = std::move(document).error();
        error.code = code;
        return error;
    }
    return document;
}

std::string dump_json(const Json& document, int indent) {
    return dump(document, indent);
}
std::string dump_json(const OrderedJson& document, int indent) {
    return dump(document, indent);
}
std::string canonical_json(const Json& document) {
    return dump(document, -1);
}

Json json_number(double value) {
    if (std::isfinite(value)) return value;
    return format_exact(value);
}

std::string json_pointer(std::string_view base, std::string_view key) {
    std::string pointer(base);
    pointer += '/';
    for (const char c : key) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
    return pointer;
}
std::string json_pointer(std::string_view base, std::size_t index) {
    return std::string(base) + "/" + std::to_string(index);
}

}  // namespace sextant
