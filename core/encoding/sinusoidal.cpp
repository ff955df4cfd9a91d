// Sines and cosines of the position. Three tables go by this name: the Transformer paper's (interleaved, exponent
// 2i/d), fairseq's (all sines first, exponent i/(d/2 - 1): other frequencies, not only another order), and the paper's
// frequencies in half-split order.

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/base/text.h"
#include "core/encoding/encoding_entry.h"

namespace sextant::encodings {
namespace {

class Sinusoidal final : public PositionEncoding {
  public:
    Sinusoidal(const EncodingSpec& spec, const EncodingSite& site, ParameterValues parameters)
        : PositionEncoding(spec, site, std::move(parameters)) {}

    [[nodiscard]] std::optional<AdditiveTable> additive(std::int64_t length, const LearnedValues&) const override {
        AdditiveTable table;
        std::vector<std::int64_t> positions(static_cast<std::size_t>(length));
        std::iota(positions.begin(), positions.end(), std::int64_t{0});
        table.values = raw(positions);
        const std::string& amplitude = choice("amplitude");
        if (amplitude == "embedding-rms") {
            // Each sine and cosine pair has mean square 1/2, so the raw table has root mean square sqrt(1/2).
            const double scale = site().embedding_std * std::sqrt(2.0);
            for (double& value : table.values.values())
                value *= scale;
        } else if (amplitude == "sqrt-d") {
            table.embedding_multiplier = std::sqrt(static_cast<double>(site().d_model));
        }
        return table;
    }
    [[nodiscard]] std::optional<Matrix> additive_unscaled(std::span<const std::int64_t> positions,
                                                          const LearnedValues&) const override {
        return raw(positions);
    }
    [[nodiscard]] std::string formula_with_numbers() const override {
        const std::string variant = choice("variant");
        const std::string base = format_exact(real("base"));
        const std::string angle = variant == "fairseq" ? fmt::format("p / {}^(i / {})", base, site().d_model / 2 - 1)
                                                       : fmt::format("p / {}^(2i / {})", base, site().d_model);
        const char* order = variant == "interleaved" ? "columns 2i, 2i+1" : "all sines, then all cosines";
        return fmt::format("sin({0}), cos({0}) in {1}; amplitude {2}", angle, order, choice("amplitude"));
    }
    [[nodiscard]] ParameterValues architecture_stats() const override {
        return {{"position_encoding", std::string("sinusoidal")},
                {"variant", choice("variant")},
                {"amplitude", choice("amplitude")}};
    }

  private:
    [[nodiscard]] Matrix raw(std::span<const std::int64_t> positions) const {
        const std::int64_t width = site().d_model;
        const double base = real("base");
        const std::string& variant = choice("variant");
        const std::int64_t half = width / 2;
        const auto rows = static_cast<std::int64_t>(positions.size());
        Matrix table(rows, width);
        for (std::int64_t p = 0; p < rows; ++p) {
            const auto position = static_cast<double>(positions[static_cast<std::size_t>(p)]);
            if (variant == "interleaved") {
                for (std::int64_t c = 0; c < width; ++c) {
                    const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
                    const double angle = position * std::pow(base, -exponent);
                    table(p, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
                }
                continue;
            }
            for (std::int64_t i = 0; i < half; ++i) {
                const double exponent = variant == "fairseq" ? static_cast<double>(i) / static_cast<double>(half - 1)
                                                             : static_cast<double>(2 * i) / static_cast<double>(width);
                const double angle = position * std::pow(base, -exponent);
                table(p, i) = std::sin(angle);
                table(p, half + i) = std::cos(angle);  // an odd width keeps a zero column at its end, as fairseq does
            }
        }
        return table;
    }
};

void check(const EncodingSite& site, const ParameterValues& parameters, std::vector<EncodingProblem>& problems) {
    const std::string& variant = choice_parameter(parameters, "variant");
    if (variant == "fairseq" && site.d_model < 4) {
        problems.push_back(
            {"variant", fmt::format("sinusoidal: variant fairseq divides by d_model/2 - 1, so d_model {} must be at "
                                    "least 4",
                                    site.d_model)});
    }
    if (variant == "half-split" && site.d_model % 2 != 0) {
        problems.push_back({"variant", fmt::format("sinusoidal: variant half-split needs an even d_model, not {}; "
                                                   "interleaved and fairseq allow odd ones",
                                                   site.d_model)});
    }
}

}  // namespace

EncodingEntry sinusoidal() {
    EncodingEntry entry;
    entry.spec.id = "sinusoidal";
    entry.spec.name = "Sinusoidal absolute positions";
    entry.spec.reference = "1706.03762";
    entry.spec.summary = "Sines and cosines of the position at geometric frequencies are added to the embedding.";
    entry.spec.formula = "PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos(p / base^(2i/d))";
    entry.spec.traits.additive = true;
    entry.spec.parameters = {
        choice_spec("variant", {"interleaved", "fairseq", "half-split"},
                    "Which of the three tables: the paper's, fairseq's (other frequencies), or the paper's in "
                    "half-split order."),
        above_spec("base", 10000.0, 1.0, 1e12, "Ratio of the fastest to the slowest frequency."),
        choice_spec("amplitude", {"embedding-rms", "sqrt-d", "raw"},
                    "How table and embedding meet: table scaled to the embedding's root mean square, embedding times "
                    "sqrt(d_model), or neither."),
    };
    entry.make = build_encoding<Sinusoidal>;
    entry.check = check;
    return entry;
}

}  // namespace sextant::encodings
