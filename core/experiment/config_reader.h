#pragma once
// Reads one JSON object key by key, collecting every problem with its JSON pointer instead of stopping at the first.
// The keys asked for are the known ones: finish() reports the others, naming the nearest known key.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiment/config_io.h"

namespace sextant {

using ConfigProblems = std::vector<ConfigProblem>;

struct IntegerRange {
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
};
struct RealRange {
    double minimum = 0.0;
    double maximum = 0.0;
    enum class Ends { kClosed, kOpenBelow, kOpenAbove } ends = Ends::kClosed;
};

class ConfigReader {
  public:
    // `object` may be any JSON value: one that is not an object is a problem, and every later call finds nothing.
    ConfigReader(const nlohmann::json& object, std::string pointer, ConfigProblems& problems);

    // Each leaves `out` as it was when the key is absent or wrong; wrong values are problems.
    void integer(const std::string& key, std::int64_t& out, const IntegerRange& range);
    void real(const std::string& key, double& out, const RealRange& range);
    void boolean(const std::string& key, bool& out);
    void text(const std::string& key, std::string& out);
    void choice(const std::string& key, std::string& out, const std::vector<std::string>& choices);
    // The value behind a key, or nullptr; the key counts as known.
    const nlohmann::json* child(const std::string& key);
    // The same, but its absence is a problem.
    const nlohmann::json* required(const std::string& key);
    void finish();

    [[nodiscard]] std::string at(const std::string& key) const;
    void problem(const std::string& key, std::string message);
    void warning(const std::string& key, std::string message);

  private:
    const nlohmann::json* object_ = nullptr;
    std::string pointer_;
    ConfigProblems& problems_;
    std::vector<std::string> known_;
};

// Read one value that stands anywhere (an element of a list). False, with a problem added, when it does not fit.
bool read_integer(const nlohmann::json& value, const std::string& pointer, const IntegerRange& range, std::int64_t& out,
                  ConfigProblems& problems);
bool read_real(const nlohmann::json& value, const std::string& pointer, const RealRange& range, double& out,
               ConfigProblems& problems);
bool read_choice(const nlohmann::json& value, const std::string& pointer, const std::vector<std::string>& choices,
                 std::string& out, ConfigProblems& problems);
// "a number", "the text \"nan\"", ...: how a wrong value is named in a message.
[[nodiscard]] std::string describe_value(const nlohmann::json& value);

}  // namespace sextant
