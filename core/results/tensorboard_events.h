#pragma once
// TensorBoard event files: TFRecord framing with masked CRC-32C around hand-written protocol buffers (scalars and the
// HParams plugin's three records). Reading trusts nothing: lengths, checksums and nesting are checked, a torn end is
// told and what came before it is kept.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace sextant {

using HyperParameter = std::variant<bool, double, std::string>;

class TensorboardWriter {
  public:
    explicit TensorboardWriter(double wall_time);  // begins with the file_version record
    void hyper_parameters(double wall_time, const std::string& group,
                          const std::map<std::string, HyperParameter>& values,
                          const std::vector<std::string>& metric_tags);
    // Stored as a 32-bit float, which is what TensorBoard's scalar is.
    void scalar(double wall_time, std::int64_t step, const std::string& tag, double value);
    void end_session(double wall_time, bool success);
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    void record(std::string_view event);
    std::string bytes_;
};

struct TensorboardPoint {
    std::int64_t step = 0;
    double wall_time = 0.0;  // seconds since 1970
    double value = 0.0;
};
struct TensorboardFile {
    std::map<std::string, std::vector<TensorboardPoint>> scalars;  // by tag, in file order
    std::map<std::string, HyperParameter> hyper_parameters;
    std::size_t records = 0;
    std::vector<std::string> problems;  // damaged or torn records
};
// kData when the bytes are no event file at all.
[[nodiscard]] Result<TensorboardFile> parse_tensorboard(std::string_view bytes, const std::string& path = {});
[[nodiscard]] Result<TensorboardFile> read_tensorboard(const std::string& path);

[[nodiscard]] std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace sextant
