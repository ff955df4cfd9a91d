// evaluate_model(): the protocol of the evaluation applied to any model and text.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/model_requests.h"
#include "core/base/atomic_file.h"
#include "core/base/file_head.h"
#include "core/base/text.h"
#include "core/data/dataset.h"
#include "core/engine/device.h"
#include "core/engine/length_extrapolation.h"
#include "core/engine/path_choice.h"
#include "core/engine/task_accuracy.h"
#include "core/experiment/run_plan.h"

namespace sextant::cli {
namespace {

constexpr std::int64_t kTargets = 32768;

struct Text {
    std::string name;
    std::vector<std::int32_t> tokens;
};

Result<Text> text_of(const LanguageModel& model, const std::string& file) {
    if (!file.empty()) {
        if (!model.codec) return data_error("has no tokenizer beside it; name one with --tokenizer", model.path);
        SEXTANT_CHECK(refuse_binary(file));
        SEXTANT_TRY(bytes, read_file(file));
        if (const auto bad = invalid_utf8(bytes))
            return data_error(fmt::format("invalid UTF-8 at byte {}; convert the file to UTF-8", *bad), file);
        return Text{file, model.codec->encode(bytes)};
    }
    const std::string run = run_folder_of(model.path);
    if (run.empty())
        return usage_error("name a text with --text FILE; only a checkpoint inside a run has a test split of its own");
    SEXTANT_TRY(document, read_json_file(run + "/plan.json"));
    SEXTANT_TRY(plan, run_plan_from_json(document, run + "/plan.json"));
    SEXTANT_TRY(data, prepare_dataset(plan.data, run + "/../../data"));
    return Text{"test split of " + data.name, data.test};
}

Status check(const LanguageModel& model, const EvaluateArguments& arguments) {
    for (const std::int64_t length : arguments.lengths) {
        if (length < 1 || length > (std::int64_t{1} << 24))
            return usage_error(fmt::format("--lengths: {} is not between 1 and 16777216", length));
        if (const auto longest = model.encoding->maximum_length(); longest && length > *longest) {
            return config_error(fmt::format("--lengths: {} is beyond the {} table, which has {} positions", length,
                                            model.encoding->spec().id, *longest));
        }
    }
    for (const std::string& mode : arguments.modes) {
        if (mode != "non-overlapping" && mode != "sliding" && mode != "cold-start")
            return usage_error("--modes: \"" + mode.substr(0, 60) +
                               "\" is not one of non-overlapping, sliding, cold-start");
    }
    if (arguments.stride < 1) return usage_error(fmt::format("--stride {} is not at least 1", arguments.stride));
    if (arguments.window < 0 || arguments.sink < 0)
        return usage_error("--window and --sink are numbers of keys, at least 0");
    return {};
}

Result<std::int64_t> target_count(const EvaluateArguments& arguments, std::int64_t tokens, std::int64_t context) {
    std::int64_t unit = 1;
    for (const std::int64_t length : arguments.lengths) {
        unit = std::lcm(unit, length);
        if (unit > kTargets * 64) return config_error("--lengths have too large a common multiple");
    }
    const std::int64_t fit = (tokens - context - 1) / unit * unit;
    if (arguments.targets == 0) {
        const std::int64_t most = std::max(kTargets / unit, std::int64_t{1}) * unit;
        if (fit < unit) {
            return data_error(fmt::format("the text has {} tokens; {} context tokens and at least {} targets need {}",
                                          tokens, context, unit, context + unit + 1));
        }
        return std::min(fit, most);
    }
    if (arguments.targets < 1 || arguments.targets % unit != 0)
        return config_error(
            fmt::format("--targets {} is not divisible by every length (by {})", arguments.targets, unit));
    if (arguments.targets + context + 1 > tokens) {
        return data_error(fmt::format("the text has {} tokens; {} targets behind {} context tokens need {}", tokens,
                                      arguments.targets, context, arguments.targets + context + 1));
    }
    return arguments.targets;
}

OrderedJson row(const LengthResult& result, const LengthRequest& request, const EvaluateArguments& arguments) {
    OrderedJson entry = {{"length", request.length},
                         {"mode", request.mode},
                         {"stride", request.mode == "non-overlapping" || request.mode == "attention-sink"
                                        ? request.length
                                        : std::min(request.stride, request.length)},
                         {"targets", request.targets}};
    if (request.mode == "attention-sink") {
        entry["window"] = arguments.window;
        entry["sink"] = arguments.sink;
    }
    if (!result.reason.empty()) {
        entry["loss"] = nullptr;
        entry["perplexity"] = nullptr;
        entry["reason"] = result.reason;
        return entry;
    }
    entry["loss"] = result.loss;
    entry["perplexity"] = std::exp(result.loss);
    if (!std::isnan(result.loss_beyond)) entry["loss_beyond"] = result.loss_beyond;
    entry["short_context_share"] = result.short_context;
    entry["tokens_per_s"] = result.tokens_per_s;
    entry["peak_rss_mb"] = result.peak_rss_mb;
    if (request.targets < kTargets) entry["small_n"] = true;
    if (arguments.by_position && (request.mode == "non-overlapping" || request.mode == "attention-sink"))
        entry["by_position"] = result.by_position;
    return entry;
}

// Accuracy of a task probe at every length and distance that goes together.
Result<OrderedJson> evaluate_probe(LanguageModel& model, const EvaluateArguments& arguments, const PathRequest& request,
                                   const ScoreOptions& options) {
    if (!model.codec || model.codec->byte_pairs() == nullptr)
        return data_error("task probes need a byte-pair tokenizer beside the model", model.path);
    SEXTANT_TRY(chosen, choose_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                    model.gradients.values(), request));
    std::vector<std::int64_t> lengths = arguments.lengths;
    if (lengths.empty()) lengths.push_back(model.config.context_length);
    std::vector<std::int64_t> distances = arguments.distances;
    if (distances.empty()) distances = {8, 16, 32};
    OrderedJson rows = OrderedJson::array();
    for (const std::int64_t length : lengths) {
        for (const std::int64_t distance : distances) {
            TaskProbeRequest wanted;
            wanted.task = arguments.probe;
            wanted.length = length;
            wanted.distance = distance;
            wanted.answer_tokens = arguments.answer_tokens;
            wanted.count = arguments.probes;
            OrderedJson entry = {{"length", length}, {"distance", distance}};
            auto set = make_task_probes(*model.codec->byte_pairs(), wanted);
            if (!set.ok()) {
                if (!arguments.distances.empty() && lengths.size() * distances.size() == 1)
                    return std::move(set).error();
                entry["accuracy"] = nullptr;
                entry["reason"] = set.error().message;
                rows.push_back(std::move(entry));
                continue;
            }
            SEXTANT_TRY(found, task_accuracy(*chosen.path, *set, model.config.vocab_size, options));
            entry["accuracy"] = found.accuracy;
            entry["token_accuracy"] = found.token_accuracy;
            entry["loss"] = found.loss;
            entry["chance"] = found.chance;
            entry["probes"] = found.probes;
            rows.push_back(std::move(entry));
        }
    }
    return OrderedJson{{"model", model.path},
                       {"encoding", model.encoding->spec().id},
                       {"training_length", model.config.context_length},
                       {"probe", arguments.probe},
                       {"answer_tokens", arguments.answer_tokens},
                       {"results", std::move(rows)}};
}

}  // namespace

Result<OrderedJson> evaluate_model(LanguageModel& model, const EvaluateArguments& arguments,
                                   const RequestHooks& hooks) {
    SEXTANT_CHECK(check(model, arguments));
    SEXTANT_TRY(device, resolve_device(arguments.device));
    const PathRequest request{arguments.path, device, "float32", resolve_threads(arguments.threads), 0, {}};
    // Evaluation needs no gradients; the buffer is there because both paths ask for one.
    if (model.gradients.size() == 0) model.gradients = FlatBuffer(model.layout->buffer_size);
    if (!arguments.probe.empty()) {
        ScoreOptions options;
        options.cancelled = hooks.cancelled;
        options.progress = hooks.progress;
        return guarded([&] { return evaluate_probe(model, arguments, request, options); });
    }
    SEXTANT_TRY(text, text_of(model, arguments.text));
    const auto count = static_cast<std::int64_t>(text.tokens.size());
    if (count < 2) return data_error("has fewer than two tokens", arguments.text);
    const std::int64_t training_length = model.config.context_length;
    const auto evaluate = [&]() -> Result<OrderedJson> {
        SEXTANT_TRY(chosen, choose_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                        model.gradients.values(), request));
        ScoreOptions options;
        options.cancelled = hooks.cancelled;
        OrderedJson document = {{"model", model.path},
                                {"format", model.format},
                                {"encoding", model.encoding->spec().id},
                                {"step", model.step},
                                {"training_length", training_length},
                                {"text", text.name},
                                {"tokens", count},
                                {"path", chosen.path->name()},
                                {"threads", request.threads},
                                {"unit", "nats a token"}};
        double share = 1.0;
        double done = 0.0;
        options.progress = [&](double part) {
            if (hooks.progress) hooks.progress(done + part * share);
        };
        if (arguments.lengths.empty()) {
            SEXTANT_TRY(loss, stream_loss(*chosen.path, text.tokens, training_length, options));
            document["mode"] = "non-overlapping";
            document["length"] = training_length;
            document["targets"] = count - 1;
            document["loss"] = loss;
            document["perplexity"] = std::exp(loss);
            if (arguments.by_position) {
                std::vector<double> sums(static_cast<std::size_t>(training_length));
                std::vector<std::int64_t> counts(sums.size());
                SEXTANT_CHECK(score_windows(
                    *chosen.path, text.tokens, non_overlapping_windows(0, count - 1, training_length),
                    [&](std::int64_t position, double value) {
                        sums[static_cast<std::size_t>(position)] += value;
                        ++counts[static_cast<std::size_t>(position)];
                    },
                    options));
                for (std::size_t i = 0; i < sums.size(); ++i)
                    sums[i] = counts[i] > 0 ? sums[i] / static_cast<double>(counts[i]) : std::nan("");
                document["by_position"] = sums;
            }
            return document;
        }
        const std::int64_t context = *std::max_element(arguments.lengths.begin(), arguments.lengths.end());
        SEXTANT_TRY(targets, target_count(arguments, count, context));
        document["targets"] = targets;
        document["context"] = context;
        std::vector<std::string> modes = arguments.modes;
        ChosenPath sink_path;
        if (arguments.window > 0) {
            modes.emplace_back("attention-sink");
            PathRequest sink = request;
            sink.path = "reference";
            sink.attention_sink = {arguments.window, arguments.sink};
            SEXTANT_TRY(made, choose_path(model.config, *model.encoding, *model.layout, model.parameters.values(),
                                          model.gradients.values(), sink));
            sink_path = std::move(made);
        }
        OrderedJson rows = OrderedJson::array();
        share = 1.0 / static_cast<double>(modes.size() * arguments.lengths.size());
        std::string refused;
        for (const std::int64_t length : arguments.lengths) {
            for (const std::string& mode : modes) {
                const LengthRequest wanted{length, mode, arguments.stride, context, targets};
                ModelPath& path = mode == "attention-sink" ? *sink_path.path : *chosen.path;
                SEXTANT_TRY(result, evaluate_length(path, model.config, *model.encoding, text.tokens, wanted, options));
                if (!result.reason.empty()) refused = result.reason;
                rows.push_back(row(result, wanted, arguments));
                done += share;
            }
        }
        if (!refused.empty() && rows.size() == 1) return device_error(refused);
        for (const std::string& mode : modes) {
            double base = std::nan("");
            for (const OrderedJson& entry : rows) {
                if (entry["mode"] == mode && entry["length"] == training_length && entry["loss"].is_number())
                    base = entry["loss"].get<double>();
            }
            for (OrderedJson& entry : rows) {
                if (entry["mode"] == mode && entry["loss"].is_number() && !std::isnan(base))
                    entry["gap"] = entry["loss"].get<double>() - base;
            }
        }
        document["evaluations"] = std::move(rows);
        return document;
    };
    return guarded(evaluate);
}

std::string evaluation_table(const OrderedJson& document) {
    if (document.contains("probe")) {
        std::string lines =
            fmt::format("{}: accuracy of {} answer tokens ({})\n{:>8}{:>10}{:>10}{:>10}{:>10}\n",
                        document["probe"].get<std::string>(), document["answer_tokens"].get<std::int64_t>(),
                        document["encoding"].get<std::string>(), "length", "distance", "accuracy", "loss", "chance");
        for (const OrderedJson& entry : document["results"]) {
            lines +=
                fmt::format("{:>8}{:>10}", entry["length"].get<std::int64_t>(), entry["distance"].get<std::int64_t>());
            lines += entry["accuracy"].is_number()
                         ? fmt::format("{:>10.3f}{:>10.3f}{:>10.4f}\n", entry["accuracy"].get<double>(),
                                       entry["loss"].get<double>(), entry["chance"].get<double>())
                         : "  no value: " + entry["reason"].get<std::string>() + "\n";
        }
        return lines;
    }
    std::string out = fmt::format("{} ({}), trained at length {}, on {} ({} tokens), nats a token\n",
                                  document["model"].get<std::string>(), document["encoding"].get<std::string>(),
                                  document["training_length"].get<std::int64_t>(), document["text"].get<std::string>(),
                                  document["tokens"].get<std::int64_t>());
    if (!document.contains("evaluations")) {
        return out + fmt::format("length {}, non-overlapping, N = {}: loss {:.4f}, perplexity {:.2f}\n",
                                 document["length"].get<std::int64_t>(), document["targets"].get<std::int64_t>(),
                                 document["loss"].get<double>(), document["perplexity"].get<double>());
    }
    out += fmt::format("N = {} targets behind {} tokens of context\n{:>8}  {:<16}{:>8}{:>10}{:>12}{:>10}{:>12}\n",
                       document["targets"].get<std::int64_t>(), document["context"].get<std::int64_t>(), "length",
                       "mode", "stride", "loss", "perplexity", "gap", "tokens/s");
    for (const OrderedJson& entry : document["evaluations"]) {
        out += fmt::format("{:>8}  {:<16}{:>8}", entry["length"].get<std::int64_t>(), entry["mode"].get<std::string>(),
                           entry["stride"].get<std::int64_t>());
        if (!entry["loss"].is_number()) {
            out += "  no value: " + entry["reason"].get<std::string>() + "\n";
            continue;
        }
        out += fmt::format("{:>10.4f}{:>12.2f}{:>10}{:>12.0f}\n", entry["loss"].get<double>(),
                           entry["perplexity"].get<double>(),
                           entry.contains("gap") ? fmt::format("{:+.4f}", entry["gap"].get<double>()) : "",
                           entry["tokens_per_s"].get<double>());
    }
    return out;
}

}  // namespace sextant::cli
