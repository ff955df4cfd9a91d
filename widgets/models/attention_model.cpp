#include "widgets/models/attention_model.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QtConcurrent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor_file/npy.h"
#include "widgets/controls/token_strip.h"

namespace sextant {

namespace {

constexpr std::size_t kCacheBytes = std::size_t{96} << 20;
constexpr std::int64_t kThumbnail = 128;
constexpr std::int64_t kHistoryTokens = 256;  // statistics over training need no more

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

// All that can be known without a drawing, so that the GUI thread only paints.
void prepare(AttentionMapsOf& maps) {
    for (const auto& values : maps.values) {
        MatrixData matrix(maps.length, maps.length, values);
        matrix.setCausal();
        maps.ranges.push_back(statistics(matrix, 0.005));
        const std::int64_t block = (maps.length + kThumbnail - 1) / kThumbnail;
        maps.thumbnails.push_back(block > 1 ? reduced(matrix, block) : matrix);
    }
}

// Runs in the pool: result of `attend` to matrices.
Parsed parse(const QJsonObject& result, const QString& model, const QByteArray& text) {
    Parsed parsed;
    auto maps = std::make_shared<AttentionMapsOf>();
    maps->model = model;
    maps->term = result.value("what").toString();
    maps->encoding = result.value("encoding").toString();
    maps->layers = integers(result.value("layers").toArray());
    maps->heads = integers(result.value("heads").toArray());
    maps->layerCount = result.value("n_layer").toInt(static_cast<int>(maps->layers.size()));
    maps->headCount = result.value("n_head").toInt(static_cast<int>(maps->heads.size()));
    maps->step = result.value("step").toInteger(-1);
    // A token is the bytes of the text it covers; the one that begins a text covers none and keeps its name.
    for (const QJsonValue& value : result.value("tokens").toArray()) {
        const QJsonObject token = value.toObject();
        const qsizetype begin = token.value("begin").toInteger(), end = token.value("end").toInteger();
        maps->tokens << (end > begin && end <= text.size() ? displayToken(text.mid(begin, end - begin))
                                                           : displayToken(token.value("text").toString().toUtf8()));
    }
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
        auto* floats = std::get_if<std::vector<float>>(&array->values);
        if (floats == nullptr || floats->size() != each * count) {
            parsed.problem =
                AttentionModel::tr("The forward-pass service wrote an array of another size than it said.");
            return parsed;
        }
        // One head of a long text is as large as all else together: moved, not copied.
        if (count == 1) maps->values.push_back(std::make_shared<const std::vector<float>>(std::move(*floats)));
        for (std::size_t i = 0; count > 1 && i < count; ++i)
            maps->values.push_back(std::make_shared<const std::vector<float>>(
                floats->begin() + static_cast<std::ptrdiff_t>(i * each),
                floats->begin() + static_cast<std::ptrdiff_t>((i + 1) * each)));
    } else if (result.contains("values")) {
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
    prepare(*maps);
    parsed.maps = std::move(maps);
    return parsed;
}

}  // namespace

QString tokenizerBeside(const QString& model) {
    const QFileInfo info(model);
    const QDir folder = info.isDir() ? QDir(model) : info.dir();
    if (folder.exists("tokenizer.json")) return {};
    const QStringList found = folder.entryList({"tok*.bin", "tokenizer*.bin"}, QDir::Files, QDir::Name);
    return found.isEmpty() ? QString() : folder.filePath(found.first());
}

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

std::size_t AttentionMapsOf::bytes() const {
    return values.size() * static_cast<std::size_t>(length * length) * sizeof(float);
}

AttentionModel::AttentionModel(QObject* parent) : QObject(parent) {}

bool AttentionModel::longText() const {
    // A token is at least a byte; what is certainly short is asked for whole.
    if (limit_ > 0 && limit_ <= kAllHeads) return false;
    return text_.toUtf8().size() > 4 * kAllHeads;
}

QString AttentionModel::cacheKey(const AttentionSource& source, int layer, int head) const {
    QString key = source.model + '\n' + QString::number(limit_) + '\n' + text_;
    if (longText()) key += QStringLiteral("\n%1/%2").arg(layer).arg(head);
    return key;
}

void AttentionModel::remember(const QString& key, const Maps& maps) {
    if (!maps || maps->bytes() > kCacheBytes / 2) return;
    cache_.emplace_front(key, maps);
    cacheBytes_ += maps->bytes();
    while (cacheBytes_ > kCacheBytes && cache_.size() > 1) {
        cacheBytes_ -= cache_.back().second->bytes();
        cache_.pop_back();
    }
}

void AttentionModel::setModel(Side side, const AttentionSource& source) {
    if (at(side).source == source) return;
    at(side).source = source;
    at(side).terms.clear();
    at(side).askedKey.clear();
    if (source.model.isEmpty()) at(side).weights.reset();
    problem_.clear();
    Q_EMIT changed();
}

void AttentionModel::forget() {
    cache_.clear();
    cacheBytes_ = 0;
    wanted_.clear();
    statistics_.clear();
    probes_.clear();
    shift_.clear();
    ++shiftRun_;
    setModel(Side::kA, QString());
    setModel(Side::kB, QString());
}

void AttentionModel::setText(const QString& text, std::int64_t limit) {
    if (text == text_ && limit == limit_) return;
    text_ = text;
    limit_ = limit;
    problem_.clear();
    for (One& one : sides_) {
        one.weights.reset();
        one.terms.clear();
        one.askedKey.clear();
    }
    Q_EMIT changed();
}

void AttentionModel::load(Side side, int layer, int head) {
    One& one = at(side);
    if (one.source.model.isEmpty() || text_.isEmpty()) return;
    const QString key = cacheKey(one.source, layer, head);
    if (one.askedKey == key) return;
    one.askedKey = key;
    one.terms.clear();
    const auto found = std::find_if(cache_.begin(), cache_.end(), [&](const auto& each) { return each.first == key; });
    if (found != cache_.end()) {
        one.weights = found->second;
        std::rotate(cache_.begin(), found, found + 1);
        Q_EMIT changed();
        return;
    }
    // A long text keeps one matrix a side: the old one goes before the new one comes.
    if (longText()) one.weights.reset();
    QJsonObject params{{"what", "weights"}};
    if (longText()) {
        params["layer"] = QJsonArray{layer};
        params["head"] = QJsonArray{head};
    }
    ask(one.source, params, [this, side, key](const Maps& maps, const QString& problem) {
        remember(key, maps);
        take(side, {}, maps, problem, key);
    });
}

void AttentionModel::loadTerm(Side side, int layer, int head, const QString& term) {
    One& one = at(side);
    const QString key = QStringLiteral("%1/%2/%3").arg(layer).arg(head).arg(term);
    if (one.source.model.isEmpty() || text_.isEmpty() || one.terms.count(key) != 0) return;
    one.terms[key] = nullptr;  // on its way
    ask(one.source, {{"what", term}, {"layer", QJsonArray{layer}}, {"head", QJsonArray{head}}},
        [this, side, key, owner = one.askedKey](const Maps& maps, const QString& problem) {
            take(side, key, maps, problem, owner);
        });
}

void AttentionModel::ask(const AttentionSource& source, QJsonObject params, Done done) {
    params["model"] = source.model;
    if (!source.tokenizer.isEmpty()) params["tokenizer"] = source.tokenizer;
    params["text"] = text_;
    if (limit_ > 0 && !params.contains("tokens")) params["tokens"] = static_cast<qint64>(limit_);
    ++asked_;
    client_.ask("attend", params, this,
                [this, model = source.model, text = text_.toUtf8(), done](const EngineClient::Reply& reply) {
                    if (!reply.ok) {
                        --asked_;
                        done(nullptr, reply.problem);
                        return;
                    }
                    QtConcurrent::run(parse, reply.result, model, text).then(this, [this, done](const Parsed& parsed) {
                        --asked_;
                        if (!parsed.file.isEmpty())
                            client_.ask("release", {{"path", parsed.file}}, this, [](const EngineClient::Reply&) {});
                        done(parsed.maps, parsed.problem);
                    });
                });
    Q_EMIT changed();
}

void AttentionModel::take(Side side, const QString& key, const Maps& maps, const QString& problem,
                          const QString& owner) {
    One& one = at(side);
    if (one.askedKey == owner) {  // else the user went on
        problem_ = problem;
        if (key.isEmpty())
            one.weights = maps;
        else
            one.terms[key] = maps;
    }
    Q_EMIT changed();
    if (!historyAsked_ && asked_ == 0) nextHistory();
}

std::shared_ptr<const AttentionMapsOf> AttentionModel::weights(Side side) const {
    return at(side).weights;
}

std::shared_ptr<const AttentionMapsOf> AttentionModel::term(Side side, int layer, int head, const QString& term) const {
    const auto found = at(side).terms.find(QStringLiteral("%1/%2/%3").arg(layer).arg(head).arg(term));
    return found != at(side).terms.end() ? found->second : nullptr;
}

void AttentionModel::loadHistory(const std::vector<std::pair<std::int64_t, AttentionSource>>& steps) {
    wanted_ = steps;
    if (!historyAsked_) nextHistory();
    Q_EMIT historyChanged();
}

void AttentionModel::nextHistory() {
    if (text_.isEmpty()) return;
    for (const auto& [step, source] : wanted_) {
        const QString key = source.model + '\n' + text_;
        if (statistics_.count(key) != 0) continue;
        historyAsked_ = true;
        ask(source,
            {{"what", "weights"},
             {"statistics", true},
             {"tokens", std::min<qint64>(limit_ > 0 ? limit_ : kHistoryTokens, kHistoryTokens)}},
            [this, key](const Maps& maps, const QString&) {
                historyAsked_ = false;
                // A snapshot that cannot be read stays out of the curve.
                statistics_[key] =
                    maps ? std::pair(maps->headCount, maps->numbers) : std::pair(0, std::vector<HeadNumbers>());
                Q_EMIT historyChanged();
                nextHistory();
            });
        return;
    }
}

std::vector<AttentionModel::HistoryPoint> AttentionModel::history(int layer, int head) const {
    std::vector<HistoryPoint> points;
    for (const auto& [step, source] : wanted_) {
        const auto found = statistics_.find(source.model + '\n' + text_);
        if (found == statistics_.end()) continue;
        const auto& [heads, numbers] = found->second;
        const auto at = static_cast<std::size_t>(layer * heads + head);
        if (head < heads && at < numbers.size()) points.push_back({step, numbers[at]});
    }
    return points;
}

void AttentionModel::loadShift(const std::vector<std::int64_t>& offsets) {
    offsets_ = offsets;
    shift_.clear();
    unshifted_.reset();
    ++shiftRun_;
    nextShift();
}

// One offset after another against the weights at offset 0.
void AttentionModel::nextShift() {
    const AttentionSource source = at(Side::kA).source;
    if (source.model.isEmpty() || text_.isEmpty()) return;
    const std::int64_t offset = unshifted_ == nullptr             ? 0
                                : shift_.size() < offsets_.size() ? offsets_[shift_.size()]
                                                                  : -1;
    if (offset < 0) return;
    const std::uint64_t run = shiftRun_;
    ask(source,
        {{"what", "weights"},
         {"offset", static_cast<qint64>(offset)},
         {"tokens", std::min<qint64>(limit_ > 0 ? limit_ : kHistoryTokens, kHistoryTokens)}},
        [this, offset, run](const Maps& maps, const QString& problem) {
            if (run != shiftRun_) return;
            if (offset == 0) {
                if (!maps) {
                    problem_ = problem;
                    Q_EMIT probesChanged();
                    return;
                }
                unshifted_ = maps;
            } else {
                ShiftPoint point;
                point.offset = offset;
                point.problem = problem;
                for (std::size_t i = 0; maps && i < maps->values.size() && i < unshifted_->values.size(); ++i) {
                    double largest = 0.0;
                    const std::vector<float>& moved = *maps->values[i];
                    const std::vector<float>& still = *unshifted_->values[i];
                    for (std::size_t c = 0; c < std::min(moved.size(), still.size()); ++c)
                        largest =
                            std::max(largest, std::abs(static_cast<double>(moved[c]) - static_cast<double>(still[c])));
                    point.largest.push_back(largest);
                }
                shift_.push_back(std::move(point));
            }
            Q_EMIT probesChanged();
            nextShift();
        });
}

void AttentionModel::loadProbe(const QString& task, const std::vector<std::int64_t>& distances, std::int64_t length) {
    const AttentionSource source = at(Side::kA).source;
    if (source.model.isEmpty()) return;
    if (!(probesOf_ == source)) probes_.clear();
    probesOf_ = source;
    QJsonArray wanted;
    for (const std::int64_t distance : distances)
        wanted.append(static_cast<qint64>(distance));
    QJsonObject params{{"model", source.model},
                       {"probe", task},
                       {"distances", wanted},
                       {"lengths", QJsonArray{static_cast<qint64>(length)}},
                       {"probes", 100}};
    if (!source.tokenizer.isEmpty()) params["tokenizer"] = source.tokenizer;
    ++asked_;
    client_.ask("evaluate", params, this, [this, task, source](const EngineClient::Reply& reply) {
        --asked_;
        if (!(probesOf_ == source)) return;
        ProbeResult result;
        result.task = task;
        for (const QJsonValue& value : reply.result.value("results").toArray()) {
            const QJsonObject one = value.toObject();
            ProbePoint point;
            point.distance = one.value("distance").toInteger();
            if (one.value("accuracy").isDouble()) point.accuracy = one.value("accuracy").toDouble();
            point.chance = one.value("chance").toDouble();
            point.reason = one.value("reason").toString();
            result.points.push_back(std::move(point));
        }
        if (!reply.ok) result.points.push_back({0, std::nullopt, 0, reply.problem});
        probes_[task] = std::move(result);
        Q_EMIT probesChanged();
    });
    Q_EMIT probesChanged();
}

}  // namespace sextant
