// KERPLE: kernelised relative biases with two trained numbers a head and layer. They are clamped where they are used,
// as the reference code does, and again after each optimizer step.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"

namespace sextant::encodings {
namespace {

constexpr double kSmallest = 0.01;
constexpr double kLargestPower = 2.0;

// The common part: r1 and r2 a head; what they mean is the derived class's.
class Kerple : public PositionEncoding {
  public:
    using PositionEncoding::PositionEncoding;

    [[nodiscard]] std::optional<BiasTable> bias(const BiasRange& range, const LearnedValues& learned) const override {
        if (learned.empty()) return std::nullopt;
        const std::int64_t distances = distances_of(range);
        BiasTable table;
        table.values = Array({site().n_head, distances});
        double* out = table.values.values.data();
        for (std::size_t h = 0; h < static_cast<std::size_t>(site().n_head); ++h) {
            const double r1 = first(learned[0][h]);
            const double r2 = second(learned[1][h]);
            for (std::int64_t d = 0; d < distances; ++d)
                *out++ = -r1 * shape(r2, static_cast<double>(d));
        }
        return table;
    }
    void accumulate_gradient(const BiasRange&, const LearnedValues& learned, const Array& d_table,
                             LearnedValues& gradient) const override {
        const std::int64_t distances = d_table.shape[1];
        const double* d_bias = d_table.values.data();
        for (std::size_t h = 0; h < static_cast<std::size_t>(d_table.shape[0]); ++h) {
            const double r1 = first(learned[0][h]);
            const double r2 = second(learned[1][h]);
            for (std::int64_t d = 0; d < distances; ++d, ++d_bias) {
                gradient[0][h] -= *d_bias * shape(r2, static_cast<double>(d));
                gradient[1][h] -= *d_bias * r1 * shape_slope(r2, static_cast<double>(d));
            }
        }
    }

  protected:
    // bias = -r1 * shape(r2, distance); shape_slope is its derivative in r2.
    [[nodiscard]] virtual double shape(double r2, double distance) const = 0;
    [[nodiscard]] virtual double shape_slope(double r2, double distance) const = 0;
    [[nodiscard]] virtual double second(double r2) const { return std::max(r2, kSmallest); }

    [[nodiscard]] LearnedParameter parameter(const std::string& name, double up_to) const {
        LearnedParameter made;
        made.name = name;
        made.shape = {site().n_head};
        made.minimum = kSmallest;
        if (has(name)) {
            made.initializer = Initializer::kConstant;
            made.a = real(name);
        } else {
            made.initializer = Initializer::kUniform;
            made.b = up_to;
        }
        return made;
    }
    [[nodiscard]] std::string number(const std::string& name) const {
        return has(name) ? format_exact(real(name)) : name;
    }

  private:
    [[nodiscard]] static double first(double r1) { return std::max(r1, kSmallest); }
};

class KerpleLog final : public Kerple {
  public:
    KerpleLog(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : Kerple(spec, site, std::move(parameters)) {}
    [[nodiscard]] std::vector<LearnedParameter> learned_parameters() const override {
        return {parameter("r1", 2.0), parameter("r2", 1.0)};  // the reference's p and a
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        return fmt::format("bias = -{} ln(1 + {} (i - j)), both trained for each head, at least {}", number("r1"),
                           number("r2"), kSmallest);
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("kernel-bias-log")}};
    }

  protected:
    [[nodiscard]] double shape(double r2, double distance) const override { return std::log1p(r2 * distance); }
    [[nodiscard]] double shape_slope(double r2, double distance) const override {
        return distance / (1.0 + r2 * distance);
    }
};

class KerplePower final : public Kerple {
  public:
    KerplePower(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : Kerple(spec, site, std::move(parameters)) {}
    [[nodiscard]] std::vector<LearnedParameter> learned_parameters() const override {
        LearnedParameter exponent = parameter("r2", 2.0);  // the reference's p
        exponent.maximum = kLargestPower;
        return {parameter("r1", 1.0), exponent};  // r1 is the reference's a
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        return fmt::format("bias = -{} (i - j)^{}, both trained for each head, at least {}, exponent at most {}",
                           number("r1"), number("r2"), kSmallest, kLargestPower);
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("kernel-bias-power")}};
    }

  protected:
    [[nodiscard]] double shape(double r2, double distance) const override { return std::pow(distance, r2); }
    [[nodiscard]] double shape_slope(double r2, double distance) const override {
        return distance == 0.0 ? 0.0 : std::pow(distance, r2) * std::log(distance);
    }
    [[nodiscard]] double second(double r2) const override { return std::clamp(r2, kSmallest, kLargestPower); }
};

EncodingEntry common() {
    EncodingEntry entry;
    entry.spec.reference = "2205.09921";
    entry.spec.traits.bias = true;
    entry.spec.traits.relative = true;
    entry.spec.traits.distance_only = true;
    entry.spec.traits.learned = true;
    entry.spec.traits.shared_by_layers = false;
    return entry;
}

}  // namespace

EncodingEntry kerple_log() {
    EncodingEntry entry = common();
    entry.spec.id = "kerple-log";
    entry.spec.name = "KERPLE, logarithmic kernel";
    entry.spec.summary = "Each head learns a bias that falls with the logarithm of the distance.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d) - r1 ln(1 + r2 (i - j))";
    entry.spec.parameters = {
        optional_spec(real_spec("r1", 1.0, kSmallest, 1e6, "Initial strength of every head; U(0, 2) if absent.")),
        optional_spec(real_spec("r2", 1.0, kSmallest, 1e6, "Initial rate of every head; U(0, 1) if absent.")),
    };
    entry.make = build_encoding<KerpleLog>;
    return entry;
}

EncodingEntry kerple_power() {
    EncodingEntry entry = common();
    entry.spec.id = "kerple-power";
    entry.spec.name = "KERPLE, power kernel";
    entry.spec.summary = "Each head learns a bias that falls with a power of the distance; power 1 is ALiBi.";
    entry.spec.formula = "logit(i, j) = q_i . k_j / sqrt(d) - r1 (i - j)^r2";
    entry.spec.parameters = {
        optional_spec(real_spec("r1", 1.0, kSmallest, 1e6, "Initial strength of every head; U(0, 1) if absent.")),
        optional_spec(
            real_spec("r2", 1.0, kSmallest, kLargestPower, "Initial exponent of every head; U(0, 2) if absent.")),
    };
    entry.make = build_encoding<KerplePower>;
    return entry;
}

}  // namespace sextant::encodings
