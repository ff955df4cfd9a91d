#include "core/run/run_event.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/text.h"

namespace sextant {
namespace {

// Each event type lists its members once, in describe(); writing and reading are two visitors over the list.
class Writer {
  public:
    explicit Writer(OrderedJson& json) : json_(json) {}
    void operator()(const char* key, const std::int64_t& value) { json_[key] = value; }
    void operator()(const char* key, const int& value) { json_[key] = value; }
    void operator()(const char* key, const std::string& value) { json_[key] = value; }
    void operator()(const char* key, const double& value) { json_[key] = OrderedJson(json_number(value)); }
    void operator()(const char* key, const std::vector<double>& values) {
        if (values.empty()) return;
        OrderedJson list = OrderedJson::array();
        for (const double value : values)
            list.push_back(OrderedJson(json_number(value)));
        json_[key] = std::move(list);
    }

  private:
    OrderedJson& json_;
};

// A double, or the strings dump_json() writes for what JSON has no number for.
bool to_double(const Json& json, double& value) {
    if (json.is_number()) {
        value = json.get<double>();
        return true;
    }
    if (!json.is_string()) return false;
    const auto& text = json.get_ref<const std::string&>();
    if (text == "nan")
        value = std::numeric_limits<double>::quiet_NaN();
    else if (text == "inf")
        value = std::numeric_limits<double>::infinity();
    else if (text == "-inf")
        value = -std::numeric_limits<double>::infinity();
    else
        return false;
    return true;
}

bool to_integer(const Json& json, std::int64_t& value) {
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX)) return false;
        value = static_cast<std::int64_t>(number);
        return true;
    }
    if (!json.is_number_integer()) return false;
    value = json.get<std::int64_t>();
    return true;
}

// Absent keys leave the default: an older writer did not know them.
class Reader {
  public:
    explicit Reader(const Json& json) : json_(json) {}
    void operator()(const char* key, std::int64_t& value) {
        if (const Json* found = find(key); found != nullptr && !to_integer(*found, value)) wrong(key);
    }
    void operator()(const char* key, int& value) {
        std::int64_t wide = value;
        (*this)(key, wide);
        if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
            wrong(key);
        } else {
            value = static_cast<int>(wide);
        }
    }
    void operator()(const char* key, std::string& value) {
        const Json* found = find(key);
        if (found == nullptr) return;
        if (found->is_string())
            value = found->get<std::string>();
        else
            wrong(key);
    }
    void operator()(const char* key, double& value) {
        if (const Json* found = find(key); found != nullptr && !to_double(*found, value)) wrong(key);
    }
    void operator()(const char* key, std::vector<double>& values) {
        const Json* found = find(key);
        if (found == nullptr) return;
        if (!found->is_array()) return wrong(key);
        values.clear();
        values.reserve(found->size());
        for (const Json& element : *found) {
            double value = 0.0;
            if (!to_double(element, value)) return wrong(key);
            values.push_back(value);
        }
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    void wrong(const char* key) {
        if (problem_.empty()) problem_ = fmt::format("\"{}\" has a value of the wrong kind", key);
    }
    const Json& json_;
    std::string problem_;
};

template <typename Visit, typename Event>
void describe(Visit& visit, Event& event) {
    using Type = std::remove_const_t<Event>;
    if constexpr (std::is_same_v<Type, RunStarted>) {
        visit("parameters", event.parameters);
        visit("device", event.device);
        visit("path", event.path);
        visit("threads", event.threads);
        visit("process", event.process);
        visit("host", event.host);
        visit("commit", event.commit);
        visit("idle_rss_mb", event.idle_rss_mb);
        visit("batch_order_sha256", event.batch_order_sha256);
        visit("shared_weights_sha256", event.shared_weights_sha256);
        visit("libraries", event.libraries);
    } else if constexpr (std::is_same_v<Type, StepEvent>) {
        visit("loss", event.loss);
        visit("learning_rate", event.learning_rate);
        visit("gradient_norm", event.gradient_norm);
        visit("tokens_per_s", event.tokens_per_s);
    } else if constexpr (std::is_same_v<Type, ValidationEvent>) {
        visit("loss", event.loss);
    } else if constexpr (std::is_same_v<Type, CheckpointEvent>) {
        visit("folder", event.folder);
    } else if constexpr (std::is_same_v<Type, SnapshotEvent>) {
        visit("file", event.file);
    } else if constexpr (std::is_same_v<Type, ResumedEvent>) {
        visit("from_step", event.from_step);
        visit("reason", event.reason);
    } else if constexpr (std::is_same_v<Type, ControlEvent>) {
        visit("control_seq", event.seq);  // "seq" is the record's own number
        visit("command", event.command);
    } else if constexpr (std::is_same_v<Type, EvaluationEvent>) {
        visit("metric", event.metric);
        visit("split", event.split);
        visit("length", event.length);
        visit("mode", event.mode);
        visit("stride", event.stride);
        visit("targets", event.targets);
        visit("context", event.context);
        visit("value", event.value);
        visit("values", event.values);
        visit("tokens_per_s", event.tokens_per_s);
        visit("peak_rss_mb", event.peak_rss_mb);
        visit("reason", event.reason);
    } else if constexpr (std::is_same_v<Type, WarningEvent>) {
        visit("message", event.message);
    } else if constexpr (std::is_same_v<Type, CompletedEvent>) {
        visit("final_loss", event.final_loss);
        visit("seconds", event.seconds);
        visit("peak_rss_mb", event.peak_rss_mb);
        visit("tokens_per_s", event.tokens_per_s);
        visit("model_sha256", event.model_sha256);
        visit("optimizer_sha256", event.optimizer_sha256);
        visit("muon_orthogonality_error", event.muon_orthogonality_error);
    } else if constexpr (std::is_same_v<Type, CancelledEvent>) {
        visit("reason", event.reason);
    } else if constexpr (std::is_same_v<Type, DivergedEvent>) {
        visit("quantity", event.quantity);
        visit("batch_sha256", event.batch_sha256);
        visit("last_checkpoint", event.last_checkpoint);
    } else if constexpr (std::is_same_v<Type, FailedEvent>) {
        visit("code", event.code);
        visit("message", event.message);
    } else {
        static_assert(std::is_same_v<Type, PausedEvent>);
    }
}

// In the order of RunEventBody's alternatives.
constexpr const char* kTypeNames[] = {"run_started", "step",      "validation", "checkpoint", "snapshot",
                                      "paused",      "resumed",   "control",    "evaluation", "warning",
                                      "completed",   "cancelled", "diverged",   "failed"};
static_assert(std::size(kTypeNames) == std::variant_size_v<RunEventBody>);

template <std::size_t Index = 0>
bool make_body(const std::string& type, RunEventBody& body) {
    if constexpr (Index < std::variant_size_v<RunEventBody>) {
        if (type != kTypeNames[Index]) return make_body<Index + 1>(type, body);
        body.emplace<Index>();
        return true;
    } else {
        return false;
    }
}

}  // namespace

OrderedJson to_json(const RunEvent& event) {
    OrderedJson json = {{"v", 1},
                        {"seq", event.seq},
                        {"segment", event.segment},
                        {"type", kTypeNames[event.body.index()]},
                        {"step", event.step},
                        {"tokens", event.tokens},
                        {"time", event.time}};
    Writer writer(json);
    writer("elapsed", event.elapsed);
    std::visit([&](const auto& body) { describe(writer, body); }, event.body);
    return json;
}

Result<ParsedEvent> event_from_json(const Json& record) {
    if (!record.is_object()) return data_error("an event must be a JSON object");
    ParsedEvent parsed;
    RunEvent& event = parsed.event;
    Reader reader(record);
    reader("seq", event.seq);
    reader("segment", event.segment);
    reader("step", event.step);
    reader("tokens", event.tokens);
    reader("time", event.time);
    reader("elapsed", event.elapsed);
    std::string type;
    reader("type", type);
    if (!reader.problem().empty()) return data_error("event: " + reader.problem());
    if (type.empty()) return data_error("event: \"type\" is missing");
    if (event.seq < 0 || event.segment < 0 || event.step < 0 || event.tokens < 0) {
        return data_error("event: negative counts");
    }
    parsed.known = make_body(type, event.body);
    if (parsed.known) {
        std::visit([&](auto& body) { describe(reader, body); }, event.body);
        if (!reader.problem().empty())
            return data_error("event \"" + single_line(type, 40) + "\": " + reader.problem());
        if (auto* started = std::get_if<RunStarted>(&event.body)) started->segment = event.segment;
    }
    return parsed;
}

}  // namespace sextant
