#include "widgets/models/attention_model.h"

#include <QJsonArray>
#include <QtConcurrent>
#include <algorithm>
#include <limits>

#include "core/tensor_file/npy.h"

namespace sextant {

namespace {

struct Parsed {
    std::shared_ptr<const AttentionMapsOf> maps;
    QString problem;
    QString file;
};

std::vector<int> integers(const QJsonArray& array) {
    std::vector<int> values;
    for (const QJsonValue& value : array)
        values.push_back(value.toInt());
    return values;
}

float cell(const QJsonValue& value) {
    if (value.isString()) return -std::numeric_limits<float>::infinity();
    return static_cast<float>(value.toDouble());
}

// Runs in the pool: result of `attend` to matrices.
Parsed parse(const QJsonObject& result, const QString& model) {
    Parsed parsed;
    auto maps = std::make_shared<AttentionMapsOf>();
    maps->model = model;
    maps->term = result.value("what").toString();
    maps->layers = integers(result.value("layers").toArray());
    maps->heads = integers(result.value("heads").toArray());
    for (const QJsonValue& token : result.value("tokens").toArray())
        maps->tokens << token.toObject().value("text").toString();
    const QJsonArray shape = result.value("shape").toArray();
    maps->length = shape.at(3).toInteger();
    for (const QJsonValue& value : result.value("statistics").toArray()) {
        const QJsonObject one = value.toObject();
        maps->numbers.push_back({one.value("mean_distance").toDouble(), one.value("entropy").toDouble(),
                                 one.value("sink_share").toDouble()});
    }
    const auto each = static_cast<std::size_t>(maps->length * maps->length);
    const std::size_t count = maps->layers.size() * maps->heads.size();
    parsed.file = result.value("npy").toString();
    if (!parsed.file.isEmpty()) {
        auto array = read_npy(parsed.file.toStdString());
        if (!array.ok()) {
            parsed.problem = QString::fromStdString(array.error().sentence());
            return parsed;
        }
        const auto* floats = std::get_if<std::vector<float>>(&array->values);
        if (floats == nullptr || floats->size() != each * count) {
            parsed.problem =
                AttentionModel::tr("The forward-pass service wrote an array of another size than it said.");
            return parsed;
        }
        for (std::size_t i = 0; i < count; ++i)
            maps->values.push_back(std::make_shared<const std::vector<float>>(
                floats->begin() + static_cast<std::ptrdiff_t>(i * each),
                floats->begin() + static_cast<std::ptrdiff_t>((i + 1) * each)));
    } else {
        for (const QJsonValue& layer : result.value("values").toArray()) {
            for (const QJsonValue& head : layer.toArray()) {
                std::vector<float> values;
                values.reserve(each);
                for (const QJsonValue& row : head.toArray()) {
                    for (const QJsonValue& value : row.toArray())
                        values.push_back(cell(value));
                }
                if (values.size() != each) {
                    parsed.problem = AttentionModel::tr("The forward-pass service answered with a torn array.");
                    return parsed;
                }
                maps->values.push_back(std::make_shared<const std::vector<float>>(std::move(values)));
            }
        }
    }
    parsed.maps = std::move(maps);
    return parsed;
}

}  // namespace

int AttentionMapsOf::index(int layer, int head) const {
    const auto l = std::find(layers.begin(), layers.end(), layer);
    const auto h = std::find(heads.begin(), heads.end(), head);
    if (l == layers.end() || h == heads.end()) return -1;
    const auto at = (l - layers.begin()) * static_cast<std::ptrdiff_t>(heads.size()) + (h - heads.begin());
    return at < static_cast<std::ptrdiff_t>(values.size()) ? static_cast<int>(at) : -1;
}

MatrixData AttentionMapsOf::matrix(int layer, int head) const {
    const int at = index(layer, head);
    if (at < 0) return {};
    MatrixData data(length, length, values[static_cast<std::size_t>(at)]);
    data.setCausal();
    return data;
}

AttentionModel::AttentionModel(QObject* parent) : QObject(parent) {}

void AttentionModel::setModel(Side side, const QString& run) {
    if (at(side).run == run) return;
    at(side) = {};
    at(side).run = run;
    ++generation_;
    problem_.clear();
    Q_EMIT changed();
}

void AttentionModel::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    ++generation_;
    problem_.clear();
    for (One& one : sides_) {
        one.weights.reset();
        one.terms.clear();
        one.asked = false;
    }
    Q_EMIT changed();
}

void AttentionModel::load(Side side) {
    One& one = at(side);
    if (one.run.isEmpty() || text_.isEmpty() || one.asked) return;
    one.asked = true;
    ask(side, {{"what", "weights"}}, {});
}

void AttentionModel::loadTerm(Side side, int layer, int head, const QString& term) {
    One& one = at(side);
    const QString key = QStringLiteral("%1/%2/%3").arg(layer).arg(head).arg(term);
    if (one.run.isEmpty() || text_.isEmpty() || one.terms.count(key) != 0) return;
    one.terms[key] = nullptr;  // on its way
    ask(side, {{"what", term}, {"layer", QJsonArray{layer}}, {"head", QJsonArray{head}}}, key);
}

void AttentionModel::ask(Side side, QJsonObject params, const QString& key) {
    const QString run = at(side).run;
    params["model"] = run;
    params["text"] = text_;
    const std::uint64_t generation = generation_;
    ++asked_;
    client_.ask("attend", params, this, [this, side, key, run, generation](const EngineClient::Reply& reply) {
        if (!reply.ok) {
            take(side, key, nullptr, reply.problem, generation);
            return;
        }
        QtConcurrent::run(parse, reply.result, run).then(this, [this, side, key, generation](const Parsed& parsed) {
            if (!parsed.file.isEmpty())
                client_.ask("release", {{"path", parsed.file}}, this, [](const EngineClient::Reply&) {});
            take(side, key, parsed.maps, parsed.problem, generation);
        });
    });
    Q_EMIT changed();
}

void AttentionModel::take(Side side, const QString& key, const std::shared_ptr<const AttentionMapsOf>& maps,
                          const QString& problem, std::uint64_t generation) {
    --asked_;
    if (generation == generation_) {
        One& one = at(side);
        if (!problem.isEmpty()) problem_ = problem;
        if (key.isEmpty())
            one.weights = maps;
        else
            one.terms[key] = maps;
    }
    Q_EMIT changed();
}

std::shared_ptr<const AttentionMapsOf> AttentionModel::weights(Side side) const {
    return at(side).weights;
}

std::shared_ptr<const AttentionMapsOf> AttentionModel::term(Side side, int layer, int head, const QString& term) const {
    const auto found = at(side).terms.find(QStringLiteral("%1/%2/%3").arg(layer).arg(head).arg(term));
    return found != at(side).terms.end() ? found->second : nullptr;
}

}  // namespace sextant
