#include "widgets/models/position_view.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/encoding/registry.h"

namespace sextant {

namespace {

// Linear interpolation between the two distances around ln(1/2); exact for straight lines.
std::optional<double> halfOf(const std::vector<double>& bias) {
    if (bias.size() < 2) return std::nullopt;
    const double target = bias[0] - std::numbers::ln2;
    for (std::size_t distance = 1; distance < bias.size(); ++distance) {
        if (bias[distance] > target) continue;
        const double before = bias[distance - 1];
        const double drop = before - bias[distance];
        return static_cast<double>(distance - 1) + (drop > 0 ? (before - target) / drop : 0.0);
    }
    return std::nullopt;
}

std::optional<double> slopeOf(const std::vector<double>& bias) {
    if (bias.size() < 3) return std::nullopt;
    const double slope = bias[0] - bias[1];
    for (std::size_t distance = 2; distance < bias.size(); ++distance) {
        const double expected = bias[0] - slope * static_cast<double>(distance);
        if (std::abs(bias[distance] - expected) > 1e-9 * std::max(1.0, std::abs(expected))) return std::nullopt;
    }
    return slope;
}

void fillBias(PositionView& view, const PositionEncoding& encoding, const LearnedValues& learned,
              const PositionRequest& request) {
    BiasRange range;
    range.queries = range.keys = request.length;
    if (!encoding.spec().traits.distance_only) range.queries = range.keys = request.matrix;
    const auto table = encoding.bias(range, learned);
    if (!table) return;
    const auto heads = table->values.shape[0];
    const std::int64_t side = std::min(request.matrix, range.keys);
    for (std::int64_t head = 0; head < heads; ++head) {
        HeadBias one;
        Matrix matrix(side, side, -std::numeric_limits<double>::infinity());
        if (table->kind == BiasTable::Kind::kByDistance) {
            const std::int64_t distances = table->values.shape[1];
            const double* row = table->values.values.data() + head * distances;
            one.byDistance.assign(row, row + distances);
            for (std::int64_t query = 0; query < side; ++query) {
                for (std::int64_t key = 0; key <= query; ++key)
                    matrix(query, key) = row[query - key];
            }
        } else {
            const std::int64_t keys = table->values.shape[2];
            const double* first = table->values.values.data() + head * table->values.shape[1] * keys;
            for (std::int64_t query = 0; query < side; ++query) {
                for (std::int64_t key = 0; key <= query; ++key)
                    matrix(query, key) = first[query * keys + key];
            }
            // By distance as the last query sees it.
            for (std::int64_t distance = 0; distance < side; ++distance)
                one.byDistance.push_back(matrix(side - 1, side - 1 - distance));
        }
        one.halfDistance = halfOf(one.byDistance);
        one.slope = slopeOf(one.byDistance);
        if (one.slope && *one.slope > 0) one.halfDistance = std::numbers::ln2 / *one.slope;
        for (const double value : matrix.values()) {
            if (std::isfinite(value)) view.lowestBias = std::min(view.lowestBias, value);
        }
        view.heads.push_back(std::move(one));
        view.biases.push_back(std::move(matrix));
    }
}

void fillRotation(PositionView& view, const PositionEncoding& encoding, const PositionRequest& request) {
    const auto table = encoding.rotary(request.length);
    if (!table) return;
    view.inverseFrequencies = table->inverse_frequencies;
    view.attentionFactor = table->attention_factor;
    const auto pairs = static_cast<std::int64_t>(view.inverseFrequencies.size());
    view.cosines = Matrix(pairs, request.length);
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        for (std::int64_t position = 0; position < request.length; ++position)
            view.cosines(pair, position) =
                std::cos(static_cast<double>(position) * view.inverseFrequencies[static_cast<std::size_t>(pair)]) *
                view.attentionFactor;
    }
    view.decay = rotaryDecay(view.inverseFrequencies, request.length);
}

void fillTable(PositionView& view, const PositionEncoding& encoding, const LearnedValues& learned,
               const PositionRequest& request) {
    const std::int64_t rows = std::min(request.matrix, encoding.maximum_length().value_or(request.matrix));
    const auto table = encoding.additive(rows, learned);
    if (!table) return;
    view.additive = table->values;
    view.similarity = Matrix(rows, rows);
    std::vector<double> norms(static_cast<std::size_t>(rows));
    const std::int64_t width = view.additive.columns();
    const auto dot = [&](std::int64_t a, std::int64_t b) {
        double sum = 0;
        for (std::int64_t column = 0; column < width; ++column)
            sum += view.additive(a, column) * view.additive(b, column);
        return sum;
    };
    for (std::int64_t row = 0; row < rows; ++row)
        norms[static_cast<std::size_t>(row)] = std::sqrt(dot(row, row));
    for (std::int64_t a = 0; a < rows; ++a) {
        for (std::int64_t b = 0; b <= a; ++b) {
            const double scale = norms[static_cast<std::size_t>(a)] * norms[static_cast<std::size_t>(b)];
            view.similarity(a, b) = view.similarity(b, a) = scale > 0 ? dot(a, b) / scale : 0.0;
        }
    }
}

// Learned parameters before training: constants as they start; random ones have no table to show.
std::optional<LearnedValues> initialValues(const PositionEncoding& encoding) {
    LearnedValues values;
    for (const LearnedParameter& parameter : encoding.learned_parameters()) {
        std::int64_t count = 1;
        for (const std::int64_t size : parameter.shape)
            count *= size;
        if (parameter.initializer == Initializer::kNormal && parameter.b > 0 && !encoding.spec().traits.bias)
            return std::nullopt;
        const double centre =
            parameter.initializer == Initializer::kUniform ? (parameter.a + parameter.b) / 2 : parameter.a;
        values.emplace_back(static_cast<std::size_t>(count), centre);
    }
    return values;
}

}  // namespace

int PositionView::neverTurn() const {
    return static_cast<int>(std::count_if(inverseFrequencies.begin(), inverseFrequencies.end(), [&](double frequency) {
        return frequency * static_cast<double>(trainingLength) < 2 * std::numbers::pi;
    }));
}

std::vector<double> rotaryDecay(const std::vector<double>& inverseFrequencies, std::int64_t length) {
    std::vector<double> bound(static_cast<std::size_t>(length));
    for (std::int64_t distance = 0; distance < length; ++distance) {
        std::complex<double> sum = 0;
        double total = 0;
        for (const double frequency : inverseFrequencies) {
            sum += std::polar(1.0, static_cast<double>(distance) * frequency);
            total += std::abs(sum);
        }
        bound[static_cast<std::size_t>(distance)] =
            inverseFrequencies.empty() ? 0.0 : total / static_cast<double>(inverseFrequencies.size());
    }
    return bound;
}

PositionView positionView(const PositionRequest& request) {
    PositionView view;
    view.trainingLength = request.site.context_length;
    view.length = request.length;
    auto made = make_encoding(request.encoding, request.site);
    if (!made.ok()) {
        view.problem = QString::fromStdString(made.error().sentence());
        return view;
    }
    const PositionEncoding& encoding = **made;
    view.spec = encoding.spec();
    view.parameters = encoding.parameters();
    for (const std::string& warning : encoding.warnings())
        view.warnings << QString::fromStdString(warning);
    PositionRequest bounded = request;
    bounded.matrix = std::clamp<std::int64_t>(request.matrix, 1, kMatrixLimit);
    bounded.length = std::max<std::int64_t>(request.length, 1);
    const auto learned = initialValues(encoding);
    view.learnedTable = !learned.has_value();
    if (learned) {
        if (view.spec.traits.bias) fillBias(view, encoding, *learned, bounded);
        if (view.spec.traits.additive) fillTable(view, encoding, *learned, bounded);
    }
    if (view.spec.traits.rotary) fillRotation(view, encoding, bounded);
    return view;
}

std::vector<KernelLine> allKernels(const EncodingSite& site, std::int64_t length) {
    std::vector<KernelLine> lines;
    for (const EncodingSpec& spec : encoding_catalog()) {
        PositionRequest request;
        request.encoding.id = spec.id;
        request.site = site;
        request.length = length;
        request.matrix = std::min<std::int64_t>(length, kMatrixLimit);
        const PositionView view = positionView(request);
        if (!view.ok()) continue;
        KernelLine line;
        line.name = QString::fromStdString(spec.id);
        if (view.hasBias()) {
            // The middle head stands for the others.
            for (const double bias : view.heads[view.heads.size() / 2].byDistance)
                line.values.push_back(std::exp(bias - view.heads[view.heads.size() / 2].byDistance[0]));
        } else if (view.hasRotation()) {
            for (const double bound : view.decay)
                line.values.push_back(bound / view.decay[0]);
        } else if (view.hasTable()) {
            for (std::int64_t distance = 0; distance < view.similarity.rows(); ++distance)
                line.values.push_back(
                    view.similarity(view.similarity.rows() - 1, view.similarity.rows() - 1 - distance));
        } else if (!view.learnedTable) {
            line.values.assign(static_cast<std::size_t>(length), 1.0);
        }
        if (!line.values.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace sextant
