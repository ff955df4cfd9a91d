#include "widgets/models/position_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "core/encoding/precision.h"
#include "core/encoding/registry.h"
#include "core/tensor_file/safetensors.h"

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

nlohmann::json nested(const LearnedParameter& parameter, const std::vector<double>& values) {
    std::vector<nlohmann::json> level(values.begin(), values.end());
    for (std::size_t d = parameter.shape.size(); d-- > 1;) {
        const auto width = static_cast<std::size_t>(parameter.shape[d]);
        std::vector<nlohmann::json> next;
        for (std::size_t i = 0; width > 0 && i + width <= level.size(); i += width)
            next.emplace_back(nlohmann::json::array_t(level.begin() + static_cast<std::ptrdiff_t>(i),
                                                      level.begin() + static_cast<std::ptrdiff_t>(i + width)));
        level = std::move(next);
    }
    return nlohmann::json::array_t(std::move(level));
}

std::size_t countOf(const LearnedParameter& parameter) {
    std::size_t count = 1;
    for (const std::int64_t size : parameter.shape)
        count *= static_cast<std::size_t>(size);
    return count;
}

// What a learned encoding begins with: the middle of its initialiser, and noise of a fixed seed where that middle says
// nothing (rows of a table that are all zero have no similarity).
std::shared_ptr<const nlohmann::json> beginning(const PositionEncoding& encoding) {
    const auto parameters = encoding.learned_parameters();
    nlohmann::json all = nlohmann::json::object();
    for (const LearnedParameter& parameter : parameters) {
        const double centre =
            parameter.initializer == Initializer::kUniform ? (parameter.a + parameter.b) / 2 : parameter.a;
        std::vector<double> values(countOf(parameter), centre);
        if (parameter.initializer == Initializer::kNormal && encoding.spec().traits.additive) {
            std::mt19937_64 engine(0);
            std::normal_distribution<double> normal(parameter.a, parameter.b);
            std::generate(values.begin(), values.end(), [&] { return normal(engine); });
        }
        all[parameter.name] = nested(parameter, values);
    }
    if (parameters.size() == 1) all = nlohmann::json(all.begin().value());
    return std::make_shared<const nlohmann::json>(std::move(all));
}

QString sentence(const Error& error) {
    return QString::fromStdString(error.sentence());
}

// One request after another to make_table(); the first failure is kept.
class Tables {
  public:
    Tables(const PositionRequest& request, QString& problem) : request_(request), problem_(problem) {}
    std::optional<NamedTable> operator()(const std::string& what,
                                         const std::function<void(TableRequest&)>& change = {}) const {
        TableRequest wanted = tableRequest(request_, what);
        if (change) change(wanted);
        auto made = make_table(wanted);
        if (!made.ok()) {
            if (problem_.isEmpty()) problem_ = sentence(made.error());
            return std::nullopt;
        }
        return std::move(*made);
    }

  private:
    const PositionRequest& request_;
    QString& problem_;
};

void fillBias(PositionView& view, const Tables& table, const PositionRequest& request,
              const std::vector<std::string>& names) {
    const std::int64_t side = std::min(request.matrix, request.length);
    const auto whole = table("bias", [&](TableRequest& wanted) { wanted.length = side; });
    const auto last = table("bias", [&](TableRequest& wanted) { wanted.queries = 1; });
    if (!whole || !last) return;
    std::vector<double> slopes;
    if (std::find(names.begin(), names.end(), "slopes") != names.end()) {
        const auto rule = [&](const char* name) {
            const auto made = table("slopes", [&](TableRequest& wanted) {
                if (name != nullptr) wanted.encoding.parameters["slopes"] = std::string(name);
            });
            return made ? made->values : std::vector<double>();
        };
        slopes = rule(nullptr);
        if (view.parameters.contains("slopes")) {
            view.interleaved = rule("interleave");
            view.naive = rule("naive");
        }
    }
    if (std::find(names.begin(), names.end(), "buckets") != names.end()) {
        if (const auto made = table("buckets")) view.buckets = made->values;
    }
    const std::int64_t heads = whole->shape[0];
    for (std::int64_t head = 0; head < heads; ++head) {
        HeadBias one;
        const double* row = last->values.data() + head * request.length;
        for (std::int64_t distance = 0; distance < request.length; ++distance)
            one.byDistance.push_back(row[request.length - 1 - distance]);
        Matrix matrix(side, side, 0.0);
        for (std::int64_t query = 0; query < side; ++query) {
            for (std::int64_t key = 0; key < side; ++key) {
                const double value = whole->values[static_cast<std::size_t>((head * side + query) * side + key)];
                matrix(query, key) = value;
                if (std::isfinite(value)) view.lowestBias = std::min(view.lowestBias, value);
            }
        }
        one.halfDistance = halfOf(one.byDistance);
        if (static_cast<std::size_t>(head) < slopes.size()) {
            // The bias at distance 1 is the slope as it acts (distance_scale included).
            one.slope = one.byDistance.size() > 1 ? one.byDistance[0] - one.byDistance[1]
                                                  : slopes[static_cast<std::size_t>(head)];
            if (*one.slope > 0) one.halfDistance = std::numbers::ln2 / *one.slope;
        }
        view.heads.push_back(std::move(one));
        view.biases.push_back(std::move(matrix));
    }
}

void fillRotation(PositionView& view, const Tables& table, const PositionRequest& request,
                  const std::vector<std::string>& names) {
    const auto frequencies = table("inverse-frequencies");
    const auto cosines = table("cos");
    if (!frequencies || !cosines) return;
    view.inverseFrequencies = frequencies->values;
    view.attentionFactor = frequencies->attention_factor.value_or(1.0);
    const std::int64_t positions = cosines->shape[0], pairs = cosines->shape[1];
    view.cosines = Matrix(pairs, positions);
    for (std::int64_t position = 0; position < positions; ++position) {
        for (std::int64_t pair = 0; pair < pairs; ++pair)
            view.cosines(pair, position) = cosines->values[static_cast<std::size_t>(position * pairs + pair)];
    }
    if (std::find(names.begin(), names.end(), "decay") == names.end()) return;
    const std::int64_t longest = std::min(std::max(request.length, view.trainingLength * 4), kLongestTable);
    const auto decay = table("decay", [&](TableRequest& wanted) {
        // Distances beyond the length, without a longer input: dynamic scaling looks at the length.
        wanted.positions.resize(static_cast<std::size_t>(longest));
        for (std::int64_t distance = 0; distance < longest; ++distance)
            wanted.positions[static_cast<std::size_t>(distance)] = distance;
    });
    if (decay) view.decay = decay->values;
}

void fillTable(PositionView& view, const Tables& table, const PositionRequest& request) {
    const auto made =
        table("additive", [&](TableRequest& wanted) { wanted.length = std::min(request.matrix, request.length); });
    if (!made) return;
    const std::int64_t rows = made->shape[0], width = made->shape[1];
    view.additive = Matrix(rows, width);
    view.additive.values() = made->values;
    view.similarity = Matrix(rows, rows);
    std::vector<double> norms(static_cast<std::size_t>(rows));
    const auto dot = [&](std::int64_t a, std::int64_t b) {
        const double* x = made->values.data() + a * width;
        const double* y = made->values.data() + b * width;
        double sum = 0;
        for (std::int64_t column = 0; column < width; ++column)
            sum += x[column] * y[column];
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

// The request with everything filled in that a table depends on; the encoding it speaks of.
Result<std::unique_ptr<PositionEncoding>> complete(PositionRequest& request) {
    request.matrix = std::clamp<std::int64_t>(request.matrix, 1, kMatrixLimit);
    request.length = std::clamp<std::int64_t>(request.length, 1, kLongestTable);
    const EncodingSpec* spec = find_encoding(request.encoding.id);
    if (spec != nullptr) {
        // A scaling refers to the length of training, not to the length that is drawn.
        for (const ParameterSpec& parameter : spec->parameters) {
            if (parameter.name == "original_length" && !request.encoding.parameters.contains(parameter.name))
                request.encoding.parameters[parameter.name] = static_cast<double>(request.site.context_length);
        }
    }
    auto made = encoding_of(tableRequest(request, {}));
    if (made.ok() && request.values == nullptr && !(*made)->learned_parameters().empty()) {
        request.values = beginning(**made);
        made = encoding_of(tableRequest(request, {}));
    }
    if (made.ok()) {
        if (const auto longest = (*made)->maximum_length()) {
            request.length = std::min(request.length, *longest);
            request.matrix = std::min(request.matrix, *longest);
        }
    }
    return made;
}

}  // namespace

int PositionView::neverTurn() const {
    return static_cast<int>(std::count_if(inverseFrequencies.begin(), inverseFrequencies.end(), [&](double frequency) {
        return frequency * static_cast<double>(trainingLength) < 2 * std::numbers::pi;
    }));
}

TableRequest tableRequest(const PositionRequest& request, const std::string& what) {
    TableRequest wanted;
    wanted.encoding = request.encoding;
    wanted.what = what;
    wanted.heads = request.site.n_head;
    wanted.head_dim = request.site.head_dim;
    wanted.d_model = request.site.d_model;
    wanted.length = request.length;
    wanted.values = request.values;
    return wanted;
}

PositionView positionView(const PositionRequest& given) {
    PositionView view;
    PositionRequest request = given;
    view.trainingLength = request.site.context_length;
    const bool trained = given.values != nullptr;
    const auto made = complete(request);
    if (!made.ok()) {
        view.problem = sentence(made.error());
        return view;
    }
    const PositionEncoding& encoding = **made;
    view.length = request.length;
    view.spec = encoding.spec();
    view.parameters = encoding.parameters();
    view.formula = QString::fromStdString(encoding.formula_with_numbers());
    view.untrained = !trained && !encoding.learned_parameters().empty();
    for (const std::string& warning : encoding.warnings())
        view.warnings << QString::fromStdString(warning);
    const std::vector<std::string> names = available_tables(encoding);
    const Tables table(request, view.problem);
    if (view.spec.traits.bias) fillBias(view, table, request, names);
    if (view.spec.traits.additive) fillTable(view, table, request);
    if (view.spec.traits.rotary) fillRotation(view, table, request, names);
    return view;
}

std::vector<KernelLine> allKernels(const EncodingSite& site, std::int64_t length) {
    std::vector<KernelLine> lines;
    for (const EncodingSpec& spec : encoding_catalog()) {
        PositionRequest request;
        request.encoding.id = spec.id;
        request.site = site;
        request.length = length;
        request.matrix = std::min<std::int64_t>(length, spec.traits.additive ? kMatrixLimit : 2);
        const PositionView view = positionView(request);
        if (!view.ok()) continue;
        KernelLine line;
        line.name = QString::fromStdString(spec.id);
        if (view.hasBias()) {
            // The middle head stands for the others.
            const std::vector<double>& bias = view.heads[view.heads.size() / 2].byDistance;
            for (const double value : bias)
                line.values.push_back(std::exp(value - bias[0]));
        } else if (view.hasRotation()) {
            const std::size_t count = std::min(view.decay.size(), static_cast<std::size_t>(length));
            for (std::size_t distance = 0; distance < count; ++distance)
                line.values.push_back(view.decay[distance] / view.decay[0]);
        } else if (view.hasTable()) {
            for (std::int64_t distance = 0; distance < view.similarity.rows(); ++distance)
                line.values.push_back(
                    view.similarity(view.similarity.rows() - 1, view.similarity.rows() - 1 - distance));
        } else if (!view.spec.traits.additive && !view.spec.traits.rotary) {
            line.values.assign(static_cast<std::size_t>(length), 1.0);
        }
        if (!line.values.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

PrecisionView precisionView(const PositionRequest& given) {
    constexpr std::int64_t kMostValues = std::int64_t{1} << 19;
    PrecisionView view;
    PositionRequest request = given;
    const auto made = complete(request);
    if (!made.ok()) {
        view.problem = sentence(made.error());
        return view;
    }
    const EncodingTraits& traits = (*made)->spec().traits;
    view.what = traits.bias ? "bias" : traits.rotary ? "angles" : traits.additive ? "additive" : "";
    if (view.what.isEmpty()) return view;
    if (traits.additive)
        request.length = std::max<std::int64_t>(2, std::min(request.length, kMostValues / request.site.d_model));
    if (traits.bias && !traits.distance_only) request.length = std::min(request.length, request.matrix);
    view.length = request.length;
    for (const Precision precision : {Precision::kFp32, Precision::kFp16, Precision::kBf16}) {
        TableRequest wanted = tableRequest(request, view.what.toStdString());
        wanted.precision = precision;
        if (traits.bias && traits.distance_only) wanted.queries = 1;
        auto table = make_table(wanted);
        if (!table.ok()) {
            if (view.lines.empty()) view.problem = sentence(table.error());
            continue;
        }
        if (!table->precision) continue;
        PrecisionLine line;
        line.precision = precision;
        line.report = std::move(*table->precision);
        double before = -1.0;
        std::int64_t count = 0;
        for (std::int64_t position = 0; position < request.length; ++position) {
            // Rounding keeps the order, so equal neighbours are the only equal ones.
            const double rounded = round_to(precision, static_cast<double>(position));
            if (rounded > before)
                ++count;
            else if (!line.firstLost)
                line.firstLost = position;
            before = std::max(before, rounded);
            line.distinct.push_back(count);
        }
        view.lines.push_back(std::move(line));
    }
    return view;
}

std::shared_ptr<const nlohmann::json> learnedValuesOf(const QString& checkpoint, const EncodingConfig& encoding,
                                                      const EncodingSite& site, int layer) {
    const auto made = make_encoding(encoding, site);
    if (!made.ok()) return nullptr;
    const auto parameters = (*made)->learned_parameters();
    if (parameters.empty()) return nullptr;
    const auto file = SafetensorsFile::open(checkpoint.toStdString() + "/model.safetensors");
    if (!file.ok()) return nullptr;
    const std::string prefix =
        (*made)->spec().traits.shared_by_layers ? "position." : "position.layers." + std::to_string(layer) + ".";
    nlohmann::json all = nlohmann::json::object();
    for (const LearnedParameter& parameter : parameters) {
        auto values = file->read_doubles(prefix + parameter.name);
        if (!values.ok() || values->size() != countOf(parameter)) return nullptr;
        all[parameter.name] = nested(parameter, *values);
    }
    if (parameters.size() == 1) all = nlohmann::json(all.begin().value());
    return std::make_shared<const nlohmann::json>(std::move(all));
}

}  // namespace sextant
