#include "core/tensor_file/safetensors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

constexpr std::uint64_t kHeaderLimit = 100'000'000;  // the format's own

struct TypeSize {
    std::string_view name;
    std::uint64_t bits;
};
constexpr std::array<TypeSize, 19> kTypes{{{"F64", 64},
                                           {"F32", 32},
                                           {"F16", 16},
                                           {"BF16", 16},
                                           {"I64", 64},
                                           {"I32", 32},
                                           {"I16", 16},
                                           {"I8", 8},
                                           {"U64", 64},
                                           {"U32", 32},
                                           {"U16", 16},
                                           {"U8", 8},
                                           {"BOOL", 8},
                                           {"F8_E5M2", 8},
                                           {"F8_E4M3", 8},
                                           {"F8_E8M0", 8},
                                           {"F6_E2M3", 6},
                                           {"F6_E3M2", 6},
                                           {"F4", 4}}};

Error bad_tensor(const std::string& path, const std::string& name, std::string message) {
    Error error = data_error(std::move(message), path);
    error.pointer = json_pointer("", single_line(name, 120));
    return error;
}

Result<TensorEntry> parse_entry(const std::string& name, const Json& value, const std::string& path) {
    if (!value.is_object()) return bad_tensor(path, name, "is not an object with dtype, shape and data_offsets");
    const auto dtype = value.find("dtype");
    const auto shape = value.find("shape");
    const auto offsets = value.find("data_offsets");
    if (dtype == value.end() || !dtype->is_string() || shape == value.end() || !shape->is_array() ||
        offsets == value.end() || !offsets->is_array() || offsets->size() != 2 || value.size() != 3) {
        return bad_tensor(path, name, "needs exactly dtype (text), shape (list) and data_offsets (two numbers)");
    }
    TensorEntry entry;
    entry.name = name;
    entry.dtype = dtype->get<std::string>();
    if (shape->size() > 32) return bad_tensor(path, name, "has more than 32 dimensions");
    for (const Json& dimension : *shape) {
        if (!dimension.is_number_unsigned() || dimension.get<std::uint64_t>() > std::uint64_t{1} << 62U) {
            return bad_tensor(path, name, "has a dimension that is not a whole number in range");
        }
        entry.shape.push_back(dimension.get<std::int64_t>());
    }
    for (const Json& offset : *offsets) {
        if (!offset.is_number_unsigned()) return bad_tensor(path, name, "has a data offset that is not a whole number");
    }
    entry.begin = (*offsets)[0].get<std::uint64_t>();
    entry.end = (*offsets)[1].get<std::uint64_t>();
    const auto* const type =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeSize& known) { return known.name == entry.dtype; });
    if (type == kTypes.end()) {
        return bad_tensor(path, name, fmt::format("has unknown dtype '{}'", single_line(entry.dtype, 40)));
    }
    std::int64_t count = 0;
    if (!checked_element_count(entry.shape, count) ||
        static_cast<std::uint64_t>(count) > (std::uint64_t{1} << 62U) / type->bits) {
        return bad_tensor(path, name, fmt::format("has shape {}, too large to exist", shape_text(entry.shape)));
    }
    const std::uint64_t bits = static_cast<std::uint64_t>(count) * type->bits;
    if (entry.end < entry.begin || bits % 8 != 0 || entry.end - entry.begin != bits / 8) {
        return bad_tensor(path, name,
                          fmt::format("has data_offsets [{}, {}], but shape {} of {} takes {} bytes", entry.begin,
                                      entry.end, shape_text(entry.shape), entry.dtype, bits / 8));
    }
    return entry;
}

Status read_exact(int descriptor, void* into, std::size_t size, std::uint64_t offset, const std::string& path) {
    char* next = static_cast<char*>(into);
    while (size > 0) {
        const ssize_t got = ::pread(descriptor, next, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno_error("read", path, errno);
        if (got == 0) return data_error("became shorter while it was read", path);
        next += got;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return {};
}

}  // namespace

std::int64_t TensorEntry::count() const {
    std::int64_t count = 0;
    return checked_element_count(shape, count) ? count : 0;
}

float bfloat16_to_float(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

float half_to_float(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 31U;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13U);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112U) << 23U | fraction << 13U);
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;  // subnormal or zero
    return sign != 0 ? -magnitude : magnitude;
}

namespace {

// Length and header, the bytes that stand before the tensors; their data goes to the end of `pieces`.
Result<std::string> safetensors_start(std::span<const TensorView> tensors, const TensorMetadata& metadata,
                                      std::vector<std::string_view>& pieces) {
    OrderedJson header = OrderedJson::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t offset = 0;
    for (const TensorView& tensor : tensors) {
        std::int64_t count = 0;
        std::string_view dtype;
        const std::string_view data = std::visit(
            [&](const auto& values) {
                using Value = std::remove_cv_t<typename std::decay_t<decltype(values)>::element_type>;
                dtype = std::is_same_v<Value, float>          ? "F32"
                        : std::is_same_v<Value, double>       ? "F64"
                        : std::is_same_v<Value, std::int64_t> ? "I64"
                                                              : "I32";
                if (!checked_element_count(tensor.shape, count)) count = -1;
                if (count != static_cast<std::int64_t>(values.size())) count = -1;
                return std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes());
            },
            tensor.values);
        if (count < 0) {
            return internal_error(fmt::format("tensor {} does not have the number of values that shape {} needs",
                                              tensor.name, shape_text(tensor.shape)));
        }
        if (tensor.name == "__metadata__" || header.contains(tensor.name)) {
            return internal_error(fmt::format("tensor name {} is taken", tensor.name));
        }
        header[tensor.name] = {
            {"dtype", dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + data.size()}}};
        offset += data.size();
        pieces.push_back(data);
    }
    std::string text = dump_json(header, -1);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    text.append((8 - text.size() % 8) % 8, ' ');  // tensors begin at a multiple of 8 bytes
    const auto length = static_cast<std::uint64_t>(text.size());
    std::string start(8, '\0');
    std::memcpy(start.data(), &length, 8);
    return start + text;
}

}  // namespace

Status write_safetensors(const std::string& path, std::span<const TensorView> tensors, const TensorMetadata& metadata) {
    std::vector<std::string_view> pieces(1);
    SEXTANT_TRY(start, safetensors_start(tensors, metadata, pieces));
    pieces[0] = start;
    return write_file_atomically(path, pieces);
}

Result<std::string> safetensors_bytes(std::span<const TensorView> tensors, const TensorMetadata& metadata) {
    std::vector<std::string_view> pieces;
    SEXTANT_TRY(bytes, safetensors_start(tensors, metadata, pieces));
    for (const std::string_view piece : pieces)
        bytes += piece;
    return bytes;
}

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, std::uint64_t data_size,
                                                   const std::string& path) {
    if (json.empty() || json.front() != '{') {
        return data_error("is not a safetensors file: its header does not begin with '{'", path);
    }
    SEXTANT_TRY(document, parse_json(json, path, {static_cast<std::size_t>(kHeaderLimit), 8, 20'000'000}));
    if (!document.is_object()) return data_error("has a safetensors header that is not an object", path);
    SafetensorsHeader header;
    for (const auto& [name, value] : document.items()) {
        if (name == "__metadata__") {
            if (!value.is_object()) return bad_tensor(path, name, "is not an object of texts");
            for (const auto& [key, text] : value.items()) {
                if (!text.is_string()) return bad_tensor(path, name, "holds a value that is not text");
                header.metadata[key] = text.get<std::string>();
            }
            continue;
        }
        SEXTANT_TRY(entry, parse_entry(name, value, path));
        header.tensors.push_back(std::move(entry));
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t covered = 0;
    for (const TensorEntry& entry : header.tensors) {
        if (entry.begin != covered) {
            return bad_tensor(path, entry.name,
                              fmt::format("begins at byte {} of the data where {} is next: {}", entry.begin, covered,
                                          entry.begin > covered ? "a hole" : "an overlap"));
        }
        covered = entry.end;
    }
    if (covered != data_size) {
        return data_error(fmt::format("has {} bytes of data, but its tensors take {}{}", data_size, covered,
                                      data_size < covered ? "; the file is cut off" : ""),
                          path);
    }
    return header;
}

struct SafetensorsFile::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (descriptor >= 0) ::close(descriptor);
    }
    std::string path;
    int descriptor = -1;
    std::uint64_t data_begin = 0;
    SafetensorsHeader header;
    std::map<std::string, std::size_t, std::less<>> index;

    // Reads a tensor's raw bytes in blocks and hands each to `convert(bytes, first element, elements)`.
    template <typename Convert>
    Status read_blocks(const TensorEntry& entry, std::size_t element_size, const Convert& convert) const {
        std::vector<char> block(std::size_t{1} << 20U);
        const std::uint64_t total = entry.end - entry.begin;
        for (std::uint64_t done = 0; done < total;) {
            const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), total - done));
            SEXTANT_CHECK(read_exact(descriptor, block.data(), size, data_begin + entry.begin + done, path));
            convert(block.data(), static_cast<std::size_t>(done / element_size), size / element_size);
            done += size;
        }
        return {};
    }

    template <typename Target>
    Status read_real(const TensorEntry& entry, std::span<Target> values) const {
        const auto convert = [&](auto source, auto to_value) {
            using Source = decltype(source);
            return read_blocks(entry, sizeof(Source), [&](const char* bytes, std::size_t first, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) {
                    Source value{};
                    std::memcpy(&value, bytes + i * sizeof(Source), sizeof(Source));
                    values[first + i] = static_cast<Target>(to_value(value));
                }
            });
        };
        if (entry.dtype == "F32") return convert(float{}, [](float value) { return value; });
        if (entry.dtype == "F64") return convert(double{}, [](double value) { return value; });
        if (entry.dtype == "F16") return convert(std::uint16_t{}, half_to_float);
        if (entry.dtype == "BF16") return convert(std::uint16_t{}, bfloat16_to_float);
        return bad_tensor(path, entry.name,
                          fmt::format("has dtype {}; F32, F64, F16 and BF16 are read as numbers here", entry.dtype));
    }
};

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return data_error("no such file", path);
        return errno_error("read", path, errno);
    }
    if (!S_ISREG(info.st_mode)) return data_error("is not a regular file; folders and devices are not read", path);
    auto state = std::make_shared<State>();
    state->path = path;
    state->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (state->descriptor < 0) return errno_error("read", path, errno);
    if (::fstat(state->descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        return data_error("is not a regular file; folders and devices are not read", path);
    }
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size < 8) return data_error("is not a safetensors file: it is shorter than 8 bytes", path);
    std::uint64_t length = 0;
    SEXTANT_CHECK(read_exact(state->descriptor, &length, 8, 0, path));
    if (length > kHeaderLimit || length > size - 8) {
        return data_error(fmt::format("is not a safetensors file: its header would be {} bytes long{}", length,
                                      length > kHeaderLimit ? "" : ", more than the file has"),
                          path);
    }
    std::string text(static_cast<std::size_t>(length), '\0');
    SEXTANT_CHECK(read_exact(state->descriptor, text.data(), text.size(), 8, path));
    SEXTANT_TRY(header, parse_safetensors_header(text, size - 8 - length, path));
    state->header = std::move(header);
    state->data_begin = 8 + length;
    for (std::size_t i = 0; i < state->header.tensors.size(); ++i)
        state->index[state->header.tensors[i].name] = i;
    SafetensorsFile file;
    file.state_ = std::move(state);
    return file;
}

const std::string& SafetensorsFile::path() const {
    return state_->path;
}
const std::vector<TensorEntry>& SafetensorsFile::tensors() const {
    return state_->header.tensors;
}
const TensorMetadata& SafetensorsFile::metadata() const {
    return state_->header.metadata;
}
const TensorEntry* SafetensorsFile::find(std::string_view name) const {
    const auto at = state_->index.find(name);
    return at == state_->index.end() ? nullptr : &state_->header.tensors[at->second];
}

Status SafetensorsFile::read(const std::string& name, std::span<float> values) const {
    const TensorEntry* entry = find(name);
    if (entry == nullptr) return bad_tensor(path(), name, "is missing");
    if (entry->count() != static_cast<std::int64_t>(values.size())) {
        return bad_tensor(path(), name,
                          fmt::format("has shape {}, {} numbers; {} are needed", shape_text(entry->shape),
                                      entry->count(), values.size()));
    }
    return state_->read_real(*entry, values);
}

Result<std::vector<float>> SafetensorsFile::read_floats(const std::string& name) const {
    const TensorEntry* entry = find(name);
    if (entry == nullptr) return bad_tensor(path(), name, "is missing");
    std::vector<float> values(static_cast<std::size_t>(entry->count()));
    SEXTANT_CHECK(state_->read_real(*entry, std::span<float>(values)));
    return values;
}

Result<std::vector<double>> SafetensorsFile::read_doubles(const std::string& name) const {
    const TensorEntry* entry = find(name);
    if (entry == nullptr) return bad_tensor(path(), name, "is missing");
    std::vector<double> values(static_cast<std::size_t>(entry->count()));
    SEXTANT_CHECK(state_->read_real(*entry, std::span<double>(values)));
    return values;
}

Result<std::vector<std::int64_t>> SafetensorsFile::read_integers(const std::string& name) const {
    const TensorEntry* entry = find(name);
    if (entry == nullptr) return bad_tensor(path(), name, "is missing");
    std::vector<std::int64_t> values(static_cast<std::size_t>(entry->count()));
    const auto convert = [&](auto source) {
        using Source = decltype(source);
        return state_->read_blocks(*entry, sizeof(Source),
                                   [&](const char* bytes, std::size_t first, std::size_t count) {
                                       for (std::size_t i = 0; i < count; ++i) {
                                           Source value{};
                                           std::memcpy(&value, bytes + i * sizeof(Source), sizeof(Source));
                                           values[first + i] = static_cast<std::int64_t>(value);
                                       }
                                   });
    };
    Status status;
    if (entry->dtype == "I64") {
        status = convert(std::int64_t{});
    } else if (entry->dtype == "I32") {
        status = convert(std::int32_t{});
    } else if (entry->dtype == "U8" || entry->dtype == "BOOL") {
        status = convert(std::uint8_t{});
    } else {
        status = bad_tensor(path(), name, fmt::format("has dtype {}; whole numbers are needed", entry->dtype));
    }
    SEXTANT_CHECK(status);
    return values;
}

}  // namespace sextant
