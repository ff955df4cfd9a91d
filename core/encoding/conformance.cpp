#include "core/encoding/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text.h"

namespace sextant {
namespace {

// Masks are written as minus infinity, as the lowest finite number, or as -10000.
bool masked(double value) {
    return value <= -9999.0;
}

class Comparison {
  public:
    Comparison(const NamedTable& table, const std::vector<double>& found, const Tolerance& tolerance)
        : shape_(table.shape),
          expected_(table.values),
          found_(found),
          tolerance_(tolerance),
          is_bias_(shape_.size() == 3) {}

    [[nodiscard]] bool same(double want, double have) const {
        if (std::isinf(want) || (is_bias_ && masked(want))) return masked(have);
        return std::abs(have - want) <= tolerance_.absolute + tolerance_.relative * std::abs(want);
    }
    // Entries that take part: not masked in the reference.
    [[nodiscard]] bool counts(std::size_t i) const { return std::isfinite(expected_[i]); }

    [[nodiscard]] bool equal() const { return equal_to(expected_); }
    [[nodiscard]] bool equal_to(const std::vector<double>& expected) const {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!same(expected[i], found_[i])) return false;
        }
        return true;
    }
    // found = expected + constant of its row, over the entries that are not masked. An implementation that leaves the
    // mask to other code has numbers where ours is masked: those do not count.
    [[nodiscard]] bool row_constant(const std::vector<double>& expected, double factor = 1.0) const {
        const auto width = static_cast<std::size_t>(shape_.back());
        for (std::size_t row = 0; row < expected.size(); row += width) {
            double offset = std::nan("");
            for (std::size_t i = row; i < row + width; ++i) {
                if (!std::isfinite(expected[i])) continue;
                if (!std::isfinite(found_[i])) return false;
                const double gap = found_[i] - factor * expected[i];
                if (std::isnan(offset)) offset = gap;
                const double scale = std::max(std::abs(found_[i]), std::abs(expected[i]));
                if (std::abs(gap - offset) > tolerance_.absolute + tolerance_.relative * scale) return false;
            }
        }
        return true;
    }
    // The factor between rows freed of their constants (bias), or between the values themselves.
    [[nodiscard]] std::optional<double> factor(const std::vector<double>& expected) const {
        const auto width = is_bias_ ? static_cast<std::size_t>(shape_.back()) : expected.size();
        double product = 0.0;
        double square = 0.0;
        for (std::size_t row = 0; row < expected.size(); row += width) {
            double want0 = 0.0;
            double have0 = 0.0;
            bool first = is_bias_;
            for (std::size_t i = row; i < row + width; ++i) {
                if (!std::isfinite(expected[i]) || !std::isfinite(found_[i])) continue;
                if (first) {
                    want0 = expected[i];
                    have0 = found_[i];
                    first = false;
                }
                product += (found_[i] - have0) * (expected[i] - want0);
                square += (expected[i] - want0) * (expected[i] - want0);
            }
        }
        if (square == 0.0 || product == 0.0) return std::nullopt;
        const double ratio = product / square;
        if (std::abs(ratio - 1.0) < tolerance_.relative) return std::nullopt;
        if (is_bias_) return row_constant(expected, ratio) ? std::optional(ratio) : std::nullopt;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!same(ratio * expected[i], found_[i])) return std::nullopt;
        }
        return ratio;
    }
    // found[k] = expected[order[k]] for blocks along the first axis (heads), each used once.
    [[nodiscard]] std::optional<std::vector<std::size_t>> head_order() const {
        const auto heads = static_cast<std::size_t>(shape_.front());
        const std::size_t block = expected_.size() / heads;
        std::vector<std::size_t> order;
        std::vector<bool> used(heads, false);
        for (std::size_t h = 0; h < heads; ++h) {
            bool matched = false;
            for (std::size_t other = 0; other < heads && !matched; ++other) {
                if (used[other]) continue;
                matched = true;
                for (std::size_t i = 0; i < block && matched; ++i)
                    matched = same(expected_[other * block + i], found_[h * block + i]);
                if (matched) {
                    used[other] = true;
                    order.push_back(other);
                }
            }
            if (!matched) return std::nullopt;
        }
        return order;
    }
    // found row = expected row in another order of channels, the same for all rows.
    [[nodiscard]] bool channels_in_order(const std::vector<std::size_t>& order) const {
        const std::size_t width = order.size();
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            if (!same(expected_[i / width * width + order[i % width]], found_[i])) return false;
        }
        return true;
    }
    void describe_difference(Conformance& result) const {
        bool first = true;
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            if (same(expected_[i], found_[i])) continue;
            ++result.differing;
            if (counts(i) && std::isfinite(found_[i])) {
                result.largest_difference = std::max(result.largest_difference, std::abs(found_[i] - expected_[i]));
            }
            if (!first) continue;
            first = false;
            result.expected = expected_[i];
            result.found = found_[i];
            std::size_t rest = i;
            result.index.assign(shape_.size(), 0);
            for (std::size_t axis = shape_.size(); axis-- > 0;) {
                result.index[axis] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(shape_[axis]));
                rest /= static_cast<std::size_t>(shape_[axis]);
            }
        }
    }

  private:
    std::vector<std::int64_t> shape_;
    const std::vector<double>& expected_;
    const std::vector<double>& found_;
    Tolerance tolerance_;
    bool is_bias_;
};

// Evens, then odds: interleaved order read as half-split order.
std::vector<std::size_t> evens_then_odds(std::size_t width) {
    std::vector<std::size_t> order(width);
    for (std::size_t i = 0; i < width; ++i)
        order[i] = i < (width + 1) / 2 ? 2 * i : 2 * (i - (width + 1) / 2) + 1;
    return order;
}

std::vector<std::size_t> inverse(const std::vector<std::size_t>& order) {
    std::vector<std::size_t> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[order[i]] = i;
    return back;
}

std::optional<NamedTable> variant(const TableRequest& request, const char* parameter, const char* value) {
    TableRequest other = request;
    other.encoding.parameters[parameter] = std::string(value);
    auto table = make_table(other);
    if (!table) return std::nullopt;
    return std::move(*table);
}

std::string shape_words(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

// The values in the shape of the table, or a sentence.
Result<std::vector<double>> fitted(const NamedTable& table, const Array& found, const Tolerance& tolerance) {
    // Axes of one entry are left out by some and kept by others: a batch in front, the only head, the only row.
    const auto squeezed = [](std::vector<std::int64_t> sizes) {
        std::erase(sizes, 1);
        return sizes;
    };
    if (squeezed(found.shape) == squeezed(table.shape)) return found.values;
    std::vector<std::int64_t> shape = found.shape;
    while (shape.size() > table.shape.size() && shape.front() == 1)
        shape.erase(shape.begin());
    if (shape.size() == 1 && table.shape.size() == 2 && table.shape[0] == 1) shape.insert(shape.begin(), 1);
    if (shape.size() == table.shape.size() && shape.size() == 2 && shape[0] == table.shape[0] &&
        shape[1] == 2 * table.shape[1] && table.axes.back() == "pair") {
        const auto half = static_cast<std::size_t>(table.shape[1]);
        std::vector<double> joined;
        std::vector<double> repeated;
        for (std::size_t row = 0; row < found.values.size(); row += 2 * half) {
            for (std::size_t i = 0; i < half; ++i) {
                joined.push_back(found.values[row + i]);
                repeated.push_back(found.values[row + 2 * i]);
            }
        }
        return Comparison(table, repeated, tolerance).equal() ? repeated : joined;
    }
    return data_error(
        fmt::format("the shape is {}, but this table has {}; set --heads, --length, --positions and the "
                    "like to what the file holds",
                    shape_words(found.shape), shape_words(table.shape)));
}

Conformance verdict(Agreement agreement, std::string sentence) {
    Conformance result;
    result.agreement = agreement;
    result.sentence = std::move(sentence);
    return result;
}

std::optional<Conformance> as_known_slopes(const TableRequest& request, const NamedTable& table,
                                           const std::vector<double>& values, const Tolerance& tolerance) {
    if (!table.parameters.contains("slopes")) return std::nullopt;
    const bool naive_asked = to_text(table.parameters.at("slopes")) == "naive";
    const auto other = variant(request, "slopes", naive_asked ? "interleave" : "naive");
    if (!other) return std::nullopt;
    const Comparison compared(*other, values, tolerance);
    const bool constant = table.what == "bias" && compared.row_constant(other->values);
    if (!compared.equal() && !constant) return std::nullopt;
    if (naive_asked) {
        return verdict(Agreement::kDifferent,
                       "different: these are the interleaved slopes, not the naive ones asked for");
    }
    return verdict(
        Agreement::kNaiveSlopes,
        fmt::format("naive slopes: 2^(-{}k/n) for every n{}; the official rule interleaves two sets where the "
                    "number of heads is no power of two",
                    to_text(table.parameters.at("bias_max")), compared.equal() ? "" : ", and a constant a row beside"));
}

std::optional<Conformance> as_permuted(const TableRequest& request, const NamedTable& table,
                                       const std::vector<double>& values, const Tolerance& tolerance) {
    const Comparison compared(table, values, tolerance);
    if (table.axes.front() == "head" && table.shape.front() > 1 && table.shape.front() <= 1024) {
        if (const auto order = compared.head_order()) {
            return verdict(
                Agreement::kPermuted,
                fmt::format("permuted: the same heads in the order {}",
                            fmt::join(order->begin(), order->begin() + std::min<std::ptrdiff_t>(16, std::ssize(*order)),
                                      ", ")));
        }
    }
    if (table.axes.back() != "channel") return std::nullopt;
    const auto order = evens_then_odds(static_cast<std::size_t>(table.shape.back()));
    if (compared.channels_in_order(order) || compared.channels_in_order(inverse(order))) {
        return verdict(Agreement::kPermuted,
                       "permuted (layout): the same channels, evens and odds apart; the other layout's order of one "
                       "rotation");
    }
    if (!table.parameters.contains("layout")) return std::nullopt;
    const bool interleaved = to_text(table.parameters.at("layout")) == "interleaved";
    const auto other = variant(request, "layout", interleaved ? "half-split" : "interleaved");
    if (other && Comparison(*other, values, tolerance).equal()) {
        return verdict(
            Agreement::kPermuted,
            fmt::format("permuted (layout): this is the {} layout, {} was asked for; permute the rows of q "
                        "and k of each head to convert",
                        interleaved ? "half-split" : "interleaved", interleaved ? "interleaved" : "half-split"));
    }
    return std::nullopt;
}

}  // namespace

const char* agreement_name(Agreement agreement) {
    switch (agreement) {
        case Agreement::kEqual:
            return "equal";
        case Agreement::kRowConstant:
            return "equal up to a constant a row";
        case Agreement::kPermuted:
            return "permuted";
        case Agreement::kScaled:
            return "scaled";
        case Agreement::kNaiveSlopes:
            return "naive slopes";
        case Agreement::kDifferent:
            break;
    }
    return "different";
}

Result<Conformance> check_conformance(const TableRequest& request, const Array& found, const Tolerance& tolerance) {
    SEXTANT_TRY(table, make_table(request));
    SEXTANT_TRY(values, fitted(table, found, tolerance));
    const Comparison compared(table, values, tolerance);
    if (compared.equal()) return verdict(Agreement::kEqual, "equal");
    if (table.what == "bias" && compared.row_constant(table.values)) {
        return verdict(
            Agreement::kRowConstant,
            "equal up to a constant a row: the same attention under the same mask in exact arithmetic; other "
            "rounding, other pictures");
    }
    if (auto slopes = as_known_slopes(request, table, values, tolerance)) return *slopes;
    if (auto permuted = as_permuted(request, table, values, tolerance)) return *permuted;
    if (const auto factor = compared.factor(table.values)) {
        Conformance result = verdict(Agreement::kScaled, fmt::format("scaled: every value times {}", *factor));
        const double root = std::sqrt(static_cast<double>(request.head_dim.value_or(64)));
        if (table.what == "bias" && std::abs(*factor * root - 1.0) < 1e-4) {
            result.sentence +=
                ", which is 1/sqrt(head_dim): the bias went through the scaling of the scores, as in "
                "Falcon";
        }
        result.factor = *factor;
        return result;
    }
    Conformance result = verdict(Agreement::kDifferent, "");
    compared.describe_difference(result);
    result.sentence = fmt::format(
        "different: first at {}, where it should be {} and is {}; {} of {} values differ, by "
        "at most {}",
        shape_words(result.index), format_exact(result.expected), format_exact(result.found), result.differing,
        table.values.size(), format_exact(result.largest_difference));
    return result;
}

}  // namespace sextant
