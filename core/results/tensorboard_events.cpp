#include "core/results/tensorboard_events.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/base/crc32c.h"
#include "core/base/text.h"

namespace sextant {
namespace {

// --- protocol buffer wire format: field << 3 | type, type 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes
// ---

void put_varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80U);
        value >>= 7U;
    }
    out += static_cast<char>(value);
}
void put_key(std::string& out, unsigned field, unsigned type) {
    put_varint(out, std::uint64_t{field} << 3U | type);
}
void put_double(std::string& out, unsigned field, double value) {
    put_key(out, field, 1);
    char bytes[8];
    std::memcpy(bytes, &value, 8);
    out.append(bytes, 8);
}
void put_float(std::string& out, unsigned field, float value) {
    put_key(out, field, 5);
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    out.append(bytes, 4);
}
void put_integer(std::string& out, unsigned field, std::int64_t value) {
    put_key(out, field, 0);
    put_varint(out, static_cast<std::uint64_t>(value));
}
void put_bytes(std::string& out, unsigned field, std::string_view value) {
    put_key(out, field, 2);
    put_varint(out, value.size());
    out += value;
}

template <typename T>
T load(std::string_view bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

struct Field {
    unsigned number = 0;
    unsigned type = 0;
    std::uint64_t varint = 0;
    std::string_view bytes;  // types 1, 2 and 5
};

// Walks the fields of one message; stops at anything malformed.
class Message {
  public:
    explicit Message(std::string_view bytes) : rest_(bytes) {}
    std::optional<Field> next() {
        if (rest_.empty()) return std::nullopt;
        const auto key = varint();
        if (!key || *key >> 3U == 0 || *key >> 3U > 0x1FFFFFFF) return broken();
        Field field;
        field.number = static_cast<unsigned>(*key >> 3U);
        field.type = static_cast<unsigned>(*key & 7U);
        std::uint64_t size = 0;
        switch (field.type) {
            case 0: {
                const auto value = varint();
                if (!value) return broken();
                field.varint = *value;
                return field;
            }
            case 1:
                size = 8;
                break;
            case 5:
                size = 4;
                break;
            case 2: {
                const auto length = varint();
                if (!length) return broken();
                size = *length;
                break;
            }
            default:
                return broken();
        }
        if (size > rest_.size()) return broken();
        field.bytes = rest_.substr(0, static_cast<std::size_t>(size));
        rest_.remove_prefix(static_cast<std::size_t>(size));
        return field;
    }
    [[nodiscard]] bool whole() const { return !broken_; }

  private:
    std::optional<Field> broken() {
        broken_ = true;
        rest_ = {};
        return std::nullopt;
    }
    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if ((byte & 0x80U) == 0) return value;
        }
        return std::nullopt;
    }
    std::string_view rest_;
    bool broken_ = false;
};

// A scalar TensorProto: float_val (5), double_val (6) or tensor_content (4) of DT_FLOAT (1) or DT_DOUBLE (2).
std::optional<double> scalar_of_tensor(std::string_view bytes) {
    Message message(bytes);
    std::uint64_t type = 0;
    std::string_view content;
    std::optional<double> value;
    while (const auto field = message.next()) {
        if (field->number == 1 && field->type == 0) type = field->varint;
        if (field->number == 4 && field->type == 2) content = field->bytes;
        if (field->number == 5 && field->bytes.size() == 4) value = load<float>(field->bytes);
        if (field->number == 6 && field->bytes.size() == 8) value = load<double>(field->bytes);
    }
    if (!value && type == 1 && content.size() == 4) value = load<float>(content);
    if (!value && type == 2 && content.size() == 8) value = load<double>(content);
    return value;
}

void read_hyper_parameters(std::string_view plugin_data, TensorboardFile& file) {
    Message data(plugin_data);
    while (const auto field = data.next()) {
        if (field->number != 3 || field->type != 2) continue;  // session_start_info
        Message info(field->bytes);
        while (const auto entry = info.next()) {
            if (entry->number != 1 || entry->type != 2) continue;  // map<string, Value>
            Message pair(entry->bytes);
            std::string name;
            std::optional<HyperParameter> value;
            while (const auto part = pair.next()) {
                if (part->number == 1 && part->type == 2) name = std::string(part->bytes);
                if (part->number != 2 || part->type != 2) continue;
                Message content(part->bytes);
                while (const auto item = content.next()) {
                    if (item->number == 2 && item->type == 1) value = load<double>(item->bytes);
                    if (item->number == 3 && item->type == 2) value = std::string(item->bytes);
                    if (item->number == 4 && item->type == 0) value = item->varint != 0;
                }
            }
            if (value && !name.empty()) file.hyper_parameters[name] = *value;
        }
    }
}

bool read_summary(std::string_view summary, std::int64_t step, double wall_time, TensorboardFile& file) {
    Message values(summary);
    while (const auto entry = values.next()) {
        if (entry->number != 1 || entry->type != 2) continue;
        Message value(entry->bytes);
        std::string tag;
        std::optional<double> number;
        std::string_view metadata;
        while (const auto field = value.next()) {
            if (field->number == 1 && field->type == 2) tag = std::string(field->bytes);
            if (field->number == 2 && field->type == 5) number = load<float>(field->bytes);
            if (field->number == 8 && field->type == 2) number = scalar_of_tensor(field->bytes);
            if (field->number == 9 && field->type == 2) metadata = field->bytes;
        }
        if (!value.whole()) return false;
        if (tag == "_hparams_/session_start_info") {
            Message meta(metadata);
            while (const auto field = meta.next()) {
                if (field->number != 1 || field->type != 2) continue;
                Message plugin(field->bytes);
                while (const auto part = plugin.next())
                    if (part->number == 2 && part->type == 2) read_hyper_parameters(part->bytes, file);
            }
        } else if (number && !tag.empty() && !tag.starts_with("_hparams_/")) {
            file.scalars[tag].push_back({step, wall_time, *number});
        }
    }
    return values.whole();
}

bool read_event(std::string_view bytes, TensorboardFile& file, bool& versioned) {
    Message event(bytes);
    double wall_time = 0.0;
    std::int64_t step = 0;
    std::string_view summary;
    while (const auto field = event.next()) {
        if (field->number == 1 && field->type == 1) wall_time = load<double>(field->bytes);
        if (field->number == 2 && field->type == 0) step = static_cast<std::int64_t>(field->varint);
        if (field->number == 3 && field->type == 2) versioned = versioned || field->bytes.starts_with("brain.Event:");
        if (field->number == 5 && field->type == 2) summary = field->bytes;
    }
    if (!event.whole()) return false;
    return read_summary(summary, step, wall_time, file);
}

std::string hparams_event(double wall_time, const std::string& tag, const std::string& plugin_data) {
    std::string plugin;
    put_bytes(plugin, 1, "hparams");
    put_bytes(plugin, 2, plugin_data);
    std::string metadata;
    put_bytes(metadata, 1, plugin);
    std::string tensor;  // an empty DT_FLOAT scalar: the data is in the metadata
    put_integer(tensor, 1, 1);
    put_bytes(tensor, 2, "");
    std::string value;
    put_bytes(value, 1, tag);
    put_bytes(value, 9, metadata);
    put_bytes(value, 8, tensor);
    std::string summary;
    put_bytes(summary, 1, value);
    std::string event;
    put_double(event, 1, wall_time);
    put_bytes(event, 5, summary);
    return event;
}

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

TensorboardWriter::TensorboardWriter(double wall_time) {
    std::string event;
    put_double(event, 1, wall_time);
    put_bytes(event, 3, "brain.Event:2");
    record(event);
}

void TensorboardWriter::record(std::string_view event) {
    const auto append = [&](const auto& value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes_.append(raw, sizeof value);
    };
    const std::uint64_t length = event.size();
    char raw[8];
    std::memcpy(raw, &length, 8);
    append(length);
    append(masked_crc32c({raw, 8}));
    bytes_ += event;
    append(masked_crc32c(event));
}

void TensorboardWriter::hyper_parameters(double wall_time, const std::string& group,
                                         const std::map<std::string, HyperParameter>& values,
                                         const std::vector<std::string>& metric_tags) {
    std::string experiment;
    std::string start;
    for (const auto& [name, value] : values) {
        std::string content;
        int type = 1;
        if (const auto* flag = std::get_if<bool>(&value)) {
            put_integer(content, 4, *flag ? 1 : 0);
            type = 2;
        } else if (const auto* number = std::get_if<double>(&value)) {
            put_double(content, 2, *number);
            type = 3;
        } else {
            put_bytes(content, 3, std::get<std::string>(value));
        }
        std::string info;
        put_bytes(info, 1, name);
        put_integer(info, 4, type);
        put_bytes(experiment, 4, info);
        std::string pair;
        put_bytes(pair, 1, name);
        put_bytes(pair, 2, content);
        put_bytes(start, 1, pair);
    }
    for (const std::string& tag : metric_tags) {
        std::string name;
        put_bytes(name, 2, tag);
        std::string info;
        put_bytes(info, 1, name);
        put_bytes(experiment, 5, info);
    }
    put_bytes(start, 4, group);
    put_double(start, 5, wall_time);
    std::string data;
    put_bytes(data, 2, experiment);
    record(hparams_event(wall_time, "_hparams_/experiment", data));
    data.clear();
    put_bytes(data, 3, start);
    record(hparams_event(wall_time, "_hparams_/session_start_info", data));
}

void TensorboardWriter::scalar(double wall_time, std::int64_t step, const std::string& tag, double value) {
    std::string entry;
    put_bytes(entry, 1, tag);
    put_float(entry, 2, static_cast<float>(value));
    std::string summary;
    put_bytes(summary, 1, entry);
    std::string event;
    put_double(event, 1, wall_time);
    put_integer(event, 2, step);
    put_bytes(event, 5, summary);
    record(event);
}

void TensorboardWriter::end_session(double wall_time, bool success) {
    std::string info;
    put_integer(info, 1, success ? 1 : 2);
    put_double(info, 2, wall_time);
    std::string data;
    put_bytes(data, 4, info);
    record(hparams_event(wall_time, "_hparams_/session_end_info", data));
}

Result<TensorboardFile> parse_tensorboard(std::string_view bytes, const std::string& path) {
    TensorboardFile file;
    bool versioned = false;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::string_view rest = bytes.substr(at);
        if (rest.size() < 12) {
            file.problems.push_back(fmt::format("the last record, at byte {}, is cut off", at));
            break;
        }
        const auto length = load<std::uint64_t>(rest);
        if (load<std::uint32_t>(rest.substr(8)) != masked_crc32c(rest.substr(0, 8))) {
            file.problems.push_back(
                fmt::format("the record at byte {} has a wrong length checksum; the rest is not read", at));
            break;
        }
        if (length > rest.size() - 12 || rest.size() - 12 - length < 4) {
            file.problems.push_back(fmt::format("the last record, at byte {}, is cut off", at));
            break;
        }
        const std::string_view event = rest.substr(12, static_cast<std::size_t>(length));
        const bool sound =
            load<std::uint32_t>(rest.substr(12 + static_cast<std::size_t>(length))) == masked_crc32c(event);
        if (!sound || !read_event(event, file, versioned)) {
            file.problems.push_back(fmt::format("the record at byte {} is damaged and was skipped", at));
        }
        ++file.records;
        at += 16 + static_cast<std::size_t>(length);
        if (file.problems.size() > 100) break;
    }
    if (!versioned) return data_error("is not a TensorBoard event file", path);
    return file;
}

Result<TensorboardFile> read_tensorboard(const std::string& path) {
    SEXTANT_TRY(bytes, read_file(path));
    return parse_tensorboard(bytes, path);
}

}  // namespace sextant
