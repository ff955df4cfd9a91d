#pragma once
// Is a table that other code computed the one it should be? Beyond equal and different this names the ways in which
// implementations are known to differ: a constant a row (the same after softmax under a causal mask), another order of
// heads or channels, a factor, the naive slope rule.

#include <optional>
#include <string>
#include <vector>

#include "core/encoding/table_request.h"

namespace sextant {

enum class Agreement { kEqual, kRowConstant, kPermuted, kScaled, kNaiveSlopes, kDifferent };

struct Conformance {
    Agreement agreement = Agreement::kDifferent;
    std::string sentence;             // for people: the verdict and what it means
    double factor = 1.0;              // kScaled
    std::vector<std::int64_t> index;  // kDifferent: the first difference
    double expected = 0.0;
    double found = 0.0;
    double largest_difference = 0.0;
    std::int64_t differing = 0;
};

struct Tolerance {
    double relative = 1e-6;
    double absolute = 1e-6;
};

[[nodiscard]] const char* agreement_name(Agreement agreement);
// `found` has the shape of the requested table; dimensions of size 1 are ignored, and a last dimension twice
// as wide is taken as the doubled form of angles (cat or repeat).
[[nodiscard]] Result<Conformance> check_conformance(const TableRequest& request, const Array& found,
                                                    const Tolerance& tolerance = {});

}  // namespace sextant
