#include "core/tensor_file/npy.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>
#include <cstring>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/base/file_head.h"
#include "core/base/text.h"

namespace sextant {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian and copied as they are");
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::int64_t kMostElements = std::int64_t{1} << 62;
constexpr std::size_t kMostHeader = std::size_t{1} << 20U;

std::string tuple_text(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
    if (shape.size() == 1) text += ",";
    return text + ")";
}

std::string file_bytes(std::string_view descr, const void* values, std::size_t count, std::size_t size,
                       const Shape& shape) {
    [[maybe_unused]] std::int64_t expected = 0;
    assert(checked_element_count(shape, expected) && static_cast<std::size_t>(expected) == count);
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, tuple_text(shape));
    const std::size_t prefix = kMagic.size() + 4;
    header.append(63 - (prefix + header.size()) % 64, ' ');  // data begins at a multiple of 64
    header += '\n';
    std::string bytes(kMagic);
    bytes += '\x01';
    bytes += '\x00';
    bytes += static_cast<char>(header.size() & 0xFFU);
    bytes += static_cast<char>(header.size() >> 8U);
    bytes += header;
    bytes.append(static_cast<const char*>(values), count * size);
    return bytes;
}

// The header is a Python literal {'descr': str, 'fortran_order': bool, 'shape': tuple}; nothing else is accepted.
class HeaderParser {
  public:
    explicit HeaderParser(std::string_view text) : text_(text) {}
    struct Header {
        std::string descr;
        bool fortran = false;
        Shape shape;
    };
    std::optional<Header> parse() {
        Header header;
        int seen = 0;
        if (!take('{')) return std::nullopt;
        while (!take('}')) {
            const auto key = quoted();
            if (!key || !take(':')) return std::nullopt;
            if (*key == "descr") {
                const auto value = quoted();
                if (!value) return std::nullopt;
                header.descr = *value;
                seen |= 1;
            } else if (*key == "fortran_order") {
                if (word("True")) {
                    header.fortran = true;
                } else if (!word("False")) {
                    return std::nullopt;
                }
                seen |= 2;
            } else if (*key == "shape") {
                if (!tuple(header.shape)) return std::nullopt;
                seen |= 4;
            } else {
                return std::nullopt;
            }
            if (!take(',')) {
                if (!take('}')) return std::nullopt;
                break;
            }
        }
        skip();
        return seen == 7 && at_ == text_.size() ? std::optional(header) : std::nullopt;
    }

  private:
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
            ++at_;
    }
    bool take(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view expected) {
        skip();
        if (text_.substr(at_, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }
    std::optional<std::string> quoted() {
        skip();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
        const auto end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string value(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return value;
    }
    bool tuple(Shape& shape) {
        if (!take('(')) return false;
        shape.clear();
        while (!take(')')) {
            skip();
            std::size_t end = at_;
            while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9')
                ++end;
            const auto value = parse_integer(text_.substr(at_, end - at_));
            if (!value || shape.size() >= 32) return false;
            shape.push_back(*value);
            at_ = end;
            if (!take(',')) {
                if (!take(')')) return false;
                break;
            }
        }
        return true;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

template <typename T>
std::vector<T> copy_values(std::string_view data) {
    std::vector<T> values(data.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), data.data(), values.size() * sizeof(T));
    return values;
}

}  // namespace

bool checked_element_count(const Shape& shape, std::int64_t& count) {
    count = 1;
    bool empty = false;
    for (const std::int64_t dimension : shape) {
        if (dimension < 0) return false;
        if (dimension == 0) {
            empty = true;
        } else if (count > kMostElements / dimension) {
            return false;
        } else {
            count *= dimension;
        }
    }
    if (empty) count = 0;
    return true;
}

std::string shape_text(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::size_t NpyArray::size() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
}

std::vector<double> NpyArray::to_doubles() const {
    return std::visit(
        [](const auto& list) {
            std::vector<double> doubles;
            doubles.reserve(list.size());
            for (const auto value : list)
                doubles.push_back(static_cast<double>(value));
            return doubles;
        },
        values);
}

std::string npy_bytes(std::span<const float> values, const Shape& shape) {
    return file_bytes("<f4", values.data(), values.size(), sizeof(float), shape);
}
std::string npy_bytes(std::span<const double> values, const Shape& shape) {
    return file_bytes("<f8", values.data(), values.size(), sizeof(double), shape);
}
std::string npy_bytes(std::span<const std::int32_t> values, const Shape& shape) {
    return file_bytes("<i4", values.data(), values.size(), sizeof(std::int32_t), shape);
}
std::string npy_bytes(std::span<const std::int64_t> values, const Shape& shape) {
    return file_bytes("<i8", values.data(), values.size(), sizeof(std::int64_t), shape);
}

Status write_npy(const std::string& path, std::span<const float> values, const Shape& shape) {
    return write_file_atomically(path, npy_bytes(values, shape));
}
Status write_npy(const std::string& path, std::span<const double> values, const Shape& shape) {
    return write_file_atomically(path, npy_bytes(values, shape));
}
Status write_npy(const std::string& path, std::span<const std::int32_t> values, const Shape& shape) {
    return write_file_atomically(path, npy_bytes(values, shape));
}
Status write_npy(const std::string& path, std::span<const std::int64_t> values, const Shape& shape) {
    return write_file_atomically(path, npy_bytes(values, shape));
}

namespace {

struct Layout {
    HeaderParser::Header header;
    std::size_t data_begin = 0;
};

// What a file's beginning says, judged against the size of the whole file.
Result<Layout> layout_of(std::string_view bytes, std::uint64_t file_size, const std::string& path) {
    if (!bytes.starts_with(kMagic)) return data_error("is not a .npy file: the first bytes are not \\x93NUMPY", path);
    if (bytes.size() < 10) return data_error("is cut off inside its header", path);
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    const std::size_t major = byte(6);
    if (major < 1 || major > 3) {
        return data_error(fmt::format("has .npy format {}; formats 1 to 3 are read", major), path);
    }
    std::size_t begin = 10;
    std::size_t length = byte(8) | byte(9) << 8U;
    if (major > 1) {
        if (bytes.size() < 12) return data_error("is cut off inside its header", path);
        length |= byte(10) << 16U | byte(11) << 24U;
        begin = 12;
    }
    if (length > bytes.size() - begin) return data_error("is cut off inside its header", path);
    auto header = HeaderParser(bytes.substr(begin, length)).parse();
    if (!header) {
        return data_error("has a header that is not {'descr', 'fortran_order', 'shape'} of a plain array", path);
    }
    if (header->fortran) return data_error("is in Fortran order; save it with numpy.ascontiguousarray first", path);
    const std::string& type = header->descr;
    const bool four = type == "<f4" || type == "<i4";
    if (!four && type != "<f8" && type != "<i8") {
        return data_error(fmt::format("has dtype '{}'; '<f4', '<f8', '<i4' and '<i8' are read", single_line(type, 40)),
                          path);
    }
    std::int64_t count = 0;
    const std::uint64_t data = file_size - begin - length;
    const std::size_t size = four ? 4 : 8;
    if (!checked_element_count(header->shape, count) || static_cast<std::uint64_t>(count) > kMostElements / size ||
        static_cast<std::uint64_t>(count) * size != data) {
        return data_error(fmt::format("has {} bytes of data, which shape {} of '{}' does not make", data,
                                      shape_text(header->shape), type),
                          path);
    }
    return Layout{std::move(*header), begin + length};
}

}  // namespace

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& path) {
    SEXTANT_TRY(layout, layout_of(bytes, bytes.size(), path));
    const std::string& type = layout.header.descr;
    const std::string_view data = bytes.substr(layout.data_begin);
    NpyArray array{layout.header.shape, {}};
    if (type == "<f4") array.values = copy_values<float>(data);
    if (type == "<f8") array.values = copy_values<double>(data);
    if (type == "<i4") array.values = copy_values<std::int32_t>(data);
    if (type == "<i8") array.values = copy_values<std::int64_t>(data);
    return array;
}

Result<NpyArray> read_npy(const std::string& path) {
    SEXTANT_TRY(head, read_head(path, kMostHeader));
    SEXTANT_CHECK(layout_of(head.bytes, head.file_size, path));
    SEXTANT_TRY(bytes, read_file(path));
    return parse_npy(bytes, path);
}

}  // namespace sextant
