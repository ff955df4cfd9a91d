#include "core/encoding/table_writer.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

constexpr std::size_t kPiece = 1U << 16U;

class Buffer {
  public:
    explicit Buffer(const TextSink& sink) : sink_(sink) { text_.reserve(kPiece + 64); }
    ~Buffer() {
        if (!text_.empty()) sink_(text_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void add(std::string_view piece) {
        text_ += piece;
        if (text_.size() >= kPiece) {
            sink_(text_);
            text_.clear();
        }
    }
    void number(double value, bool quoted) {
        if (!std::isfinite(value)) {
            if (quoted) add("\"");
            add(format_exact(value));
            if (quoted) add("\"");
            return;
        }
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value);
        add({digits, static_cast<std::size_t>(end.ptr - digits)});
    }

  private:
    const TextSink& sink_;
    std::string text_;
};

void nested(const NamedTable& table, std::size_t axis, std::size_t& next, Buffer& out) {
    out.add("[");
    for (std::int64_t i = 0; i < table.shape[axis]; ++i) {
        if (i > 0) out.add(axis + 1 == table.shape.size() ? "," : ",\n");
        if (axis + 1 == table.shape.size()) {
            out.number(table.values[next++], true);
        } else {
            nested(table, axis + 1, next, out);
        }
    }
    out.add("]");
}

OrderedJson error_json(const PrecisionReport& report) {
    return {{"unit", report.unit}, {"max", report.maximum}, {"by_position", report.by_position}};
}

}  // namespace

void write_table_json(const NamedTable& table, const TextSink& sink) {
    Buffer out(sink);
    OrderedJson head;
    head["encoding"] = table.encoding;
    head["what"] = table.what;
    head["shape"] = table.shape;
    head["axes"] = table.axes;
    OrderedJson parameters = OrderedJson::object();
    for (const auto& [name, value] : table.parameters)
        parameters[name] = to_json(value);
    head["parameters"] = std::move(parameters);
    head["formula"] = table.formula;
    if (!table.positions.empty()) head["positions"] = table.positions;
    if (table.attention_factor) head["attention_factor"] = *table.attention_factor;
    if (table.precision_used != Precision::kFp64) head["precision"] = precision_name(table.precision_used);
    if (table.precision) {
        head["distinct_positions"] = table.precision->distinct_positions;
        head["error"] = error_json(*table.precision);
    }
    if (!table.convention.empty()) {
        OrderedJson convention = OrderedJson::object();
        for (const auto& [key, text] : table.convention)
            convention[key] = text;
        head["convention"] = std::move(convention);
    }
    if (!table.notes.empty()) head["notes"] = table.notes;
    std::string text = dump_json(head, -1);
    text.pop_back();  // the closing brace: values follow
    out.add(text);
    out.add(",\n\"values\":");
    std::size_t next = 0;
    nested(table, 0, next, out);
    out.add("}\n");
}

void write_table_csv(const NamedTable& table, const TextSink& sink) {
    Buffer out(sink);
    for (const std::string& axis : table.axes)
        out.add(axis + ",");
    out.add("value\n");
    std::vector<std::int64_t> index(table.shape.size(), 0);
    for (const double value : table.values) {
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            const bool named = axis == 0 && !table.positions.empty();
            out.add(std::to_string(named ? table.positions[static_cast<std::size_t>(index[axis])] : index[axis]));
            out.add(",");
        }
        out.number(value, false);
        out.add("\n");
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < table.shape[axis]) break;
            index[axis] = 0;
        }
    }
}

}  // namespace sextant
