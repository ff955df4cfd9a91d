#pragma once
// Hugging Face's safetensors: an 8-byte header length, a JSON header, raw little-endian tensors. Files of strangers are
// checked whole before a value is read: header size, duplicate keys, overflowing shapes, and that the tensors cover the
// data exactly, with no hole and no overlap. Values are read by offset, never mapped, so a file cut short while it is
// open is an error and not a signal.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/tensor_file/npy.h"

namespace sextant {

// A tensor to write: F32, F64, I64 or I32 by its span's type. The memory must live until write_safetensors() returns.
struct TensorView {
    std::string name;
    Shape shape;
    std::variant<std::span<const float>, std::span<const double>, std::span<const std::int64_t>,
                 std::span<const std::int32_t>>
        values;
};

using TensorMetadata = std::map<std::string, std::string>;

// Atomic. Tensors are stored in the given order; the same input gives the same bytes. kInternal when a shape does not
// fit its values or a name occurs twice.
[[nodiscard]] Status write_safetensors(const std::string& path, std::span<const TensorView> tensors,
                                       const TensorMetadata& metadata = {});

// The same file in memory.
[[nodiscard]] Result<std::string> safetensors_bytes(std::span<const TensorView> tensors,
                                                    const TensorMetadata& metadata = {});

struct TensorEntry {
    std::string name;
    std::string dtype;  // F32, BF16, ... as the file says
    Shape shape;
    std::uint64_t begin = 0;  // bytes from the start of the data
    std::uint64_t end = 0;
    [[nodiscard]] std::int64_t count() const;
};

struct SafetensorsHeader {
    std::vector<TensorEntry> tensors;  // in the order of their data
    TensorMetadata metadata;
};
// `json`: the header's bytes; `data_size`: bytes that follow it. Every check that needs no data.
[[nodiscard]] Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, std::uint64_t data_size,
                                                                 const std::string& path = {});

class SafetensorsFile {
  public:
    [[nodiscard]] static Result<SafetensorsFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const std::vector<TensorEntry>& tensors() const;
    [[nodiscard]] const TensorMetadata& metadata() const;
    [[nodiscard]] const TensorEntry* find(std::string_view name) const;

    // F32, F64, F16 and BF16 become float; anything else is a kData error that names the dtype.
    [[nodiscard]] Status read(const std::string& name, std::span<float> values) const;  // size must be the count
    [[nodiscard]] Result<std::vector<float>> read_floats(const std::string& name) const;
    [[nodiscard]] Result<std::vector<double>> read_doubles(const std::string& name) const;
    [[nodiscard]] Result<std::vector<std::int64_t>> read_integers(const std::string& name) const;  // I64, I32, U8, BOOL

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

[[nodiscard]] float half_to_float(std::uint16_t bits);      // IEEE binary16
[[nodiscard]] float bfloat16_to_float(std::uint16_t bits);  // upper half of binary32

}  // namespace sextant
