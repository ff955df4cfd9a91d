// Speed and memory of this machine and build: a training step, attention alone, or an encoding's tables. The peak of
// matrix products is measured in the same process after the memory readings, because its matrices are large.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/commands/benchmark_pair.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/encoding/registry.h"
#include "core/engine/fused/aligned_buffer.h"
#include "core/engine/fused/isa.h"
#include "core/engine/fused/speed.h"
#include "core/engine/optimizer.h"
#include "core/engine/path_choice.h"
#include "core/engine/system/machine.h"

namespace sextant::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::string encoding = "rope", path = "auto", precision = "float32";
    std::int64_t batch = 16, length = 64, d_model = 64, layers = 2, heads = 4, kv_heads = 0, d_ff = 192, vocab = 512;
    std::int64_t head_dim = 32, window = 0, threads = 0, steps = 100;
    std::vector<std::int64_t> lengths;
    bool json = false;
};

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Starts VmHWM anew from the current value; without the right to do so it keeps the process's peak.
void restart_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

double rounded(double value, int digits = 3) {
    const double factor = std::pow(10.0, digits);
    return std::round(value * factor) / factor;
}

int thread_count(const Options& options) {
    return static_cast<int>(options.threads > 0 ? options.threads : read_machine().cores);
}

void add_memory(OrderedJson& document, double idle, double peak) {
    document["idle_rss_mb"] = rounded(idle, 1);
    document["peak_rss_mb"] = rounded(peak, 1);
    document["extra_rss_mb"] = rounded(std::max(0.0, peak - idle), 1);
}

void print(const Options& options, const OrderedJson& document) {
    if (options.json) {
        print_text(dump_json(document));
        return;
    }
    std::string text;
    for (const auto& [key, value] : document.items())
        text += fmt::format("{:<22} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    print_text(text);
}

Result<std::unique_ptr<PositionEncoding>> encoding_of(const Options& options, const ModelConfig& model) {
    return make_encoding({options.encoding, {}}, model.encoding_site());
}

// x[t + 1] = 5 x[t] + 17 + {0..3} (mod vocabulary): the stream of the peer script, best possible loss ln 4.
void fill_batch(Random& random, std::int64_t vocab, std::int64_t batch, std::int64_t length,
                std::vector<std::int32_t>& tokens, std::vector<std::int32_t>& targets) {
    std::size_t at = 0;
    for (std::int64_t b = 0; b < batch; ++b) {
        auto x = static_cast<std::int64_t>(random.below64(static_cast<std::uint64_t>(vocab)));
        for (std::int64_t t = 0; t < length; ++t, ++at) {
            tokens[at] = static_cast<std::int32_t>(x);
            x = (5 * x + 17 + random.below(4)) % vocab;
            targets[at] = static_cast<std::int32_t>(x);
        }
    }
}

Status benchmark_train(const Options& options) {
    const int threads = thread_count(options);
    SEXTANT_TRY(isa, fused::selected_isa());
    ModelConfig model;
    model.vocab_size = options.vocab;
    model.d_model = options.d_model;
    model.n_layer = options.layers;
    model.n_head = options.heads;
    model.n_kv_head = options.kv_heads > 0 ? options.kv_heads : options.heads;
    model.d_ff = options.d_ff;
    model.context_length = options.length;
    model.attention_window = options.window;
    if (model.d_model % model.n_head != 0)
        return usage_error(fmt::format("--d-model {} is no multiple of --heads {}", model.d_model, model.n_head));
    if (model.n_head % model.n_kv_head != 0)
        return usage_error(fmt::format("--heads {} is no multiple of --kv-heads {}", model.n_head, model.n_kv_head));
    SEXTANT_TRY(encoding, encoding_of(options, model));
    const ParameterLayout layout = parameter_layout(model, *encoding);

    fused::warm_up_products(threads);
    restart_peak();
    const double idle = resident_mb();
    fused::AlignedBuffer parameters(layout.buffer_size), gradients(layout.buffer_size);
    parameters.fill(0.0f);
    for (const ParameterInfo& info : layout.parameters)
        initialize_parameter(info, 1, parameters.data() + info.offset);
    const std::span<float> values(parameters.data(), static_cast<std::size_t>(layout.buffer_size));
    const std::span<float> slopes(gradients.data(), static_cast<std::size_t>(layout.buffer_size));
    PathRequest request;
    request.path = options.path;
    request.precision = options.precision;
    request.threads = threads;
    SEXTANT_TRY(chosen, choose_path(model, *encoding, layout, values, slopes, request));
    ModelPath& path = *chosen.path;
    OptimizerConfig adamw;
    ScheduleConfig schedule;
    schedule.kind = "constant";
    Optimizer optimizer(adamw, schedule, options.steps, 1.0, layout, threads);

    Random random(1);
    const auto count = static_cast<std::size_t>(options.batch * options.length);
    std::vector<std::int32_t> tokens(count), targets(count);
    std::vector<double> ms;
    double first = 0.0, last = 0.0;
    const std::int64_t warm_up = std::clamp<std::int64_t>(options.steps / 10, 1, 10);
    for (std::int64_t step = 0; step < options.steps + warm_up; ++step) {
        fill_batch(random, model.vocab_size, options.batch, options.length, tokens, targets);
        const auto start = Clock::now();
        last = path.loss_and_gradients(tokens, targets, options.batch, options.length, step);
        optimizer.apply(step, values, slopes);
        path.parameters_changed();
        if (step >= warm_up) ms.push_back(milliseconds_since(start));
        if (step == 0) first = last;
    }
    const double peak = peak_resident_mb();
    const double step_ms = median(ms), tokens_per_s = static_cast<double>(count) / step_ms * 1e3;
    const double peak_gflops = fused::measure_product_peak(threads);
    std::int64_t in_products = model.tie_embeddings ? model.vocab_size * model.d_model : 0;
    for (const ParameterInfo& info : layout.parameters)
        if (info.role == ParameterRole::kHidden || info.name == "lm_head.weight") in_products += info.count;

    OrderedJson document;
    document["benchmark"] = "train";
    document["encoding"] = options.encoding;
    document["path"] = path.name();
    if (!chosen.note.empty()) document["note"] = chosen.note;
    document["precision"] = options.precision;
    document["isa"] = fused::isa_name(isa);
    document["threads"] = threads;
    document["batch"] = options.batch;
    document["length"] = options.length;
    document["parameters"] = layout.parameter_count();
    document["steps"] = options.steps;
    document["tokens_per_s"] = rounded(tokens_per_s, 1);
    document["ms_per_step"] = rounded(step_ms);
    add_memory(document, idle, peak);
    document["gemm_peak_gflops"] = rounded(peak_gflops, 1);
    document["gemm_peak_share"] =
        rounded(6.0 * static_cast<double>(in_products) * tokens_per_s * 1e-9 / peak_gflops, 4);
    document["initial_loss"] = rounded(first, 5);
    document["final_loss"] = rounded(last, 5);
    print(options, document);
    return {};
}

Status benchmark_attention(const Options& options) {
    const int threads = thread_count(options);
    SEXTANT_TRY(isa, fused::selected_isa());
    ModelConfig model;
    model.n_head = model.n_kv_head = options.heads;
    model.d_model = options.d_model > 0 ? options.d_model : options.heads * options.head_dim;
    model.n_layer = 1;
    if (model.d_model % model.n_head != 0)
        return usage_error(fmt::format("--d-model {} is no multiple of --heads {}", model.d_model, model.n_head));
    const std::vector<std::int64_t> lengths =
        options.lengths.empty() ? std::vector<std::int64_t>{options.length} : options.lengths;
    fused::warm_up_products(threads);
    const double idle = resident_mb();
    OrderedJson results = OrderedJson::array();
    for (const std::int64_t length : lengths) {
        model.context_length = length;
        SEXTANT_TRY(encoding, encoding_of(options, model));
        restart_peak();
        const fused::AttentionSpeed speed = fused::measure_attention(*encoding, options.batch, length, options.window,
                                                                     threads, static_cast<int>(options.steps));
        OrderedJson result;
        result["length"] = length;
        result["forward_ms"] = rounded(speed.forward_ms);
        result["forward_backward_ms"] = rounded(speed.forward_backward_ms);
        result["ms_per_step"] = rounded(speed.forward_backward_ms);
        result["tokens_per_s"] =
            rounded(static_cast<double>(options.batch * length) / speed.forward_backward_ms * 1e3, 1);
        add_memory(result, idle, peak_resident_mb());
        results.push_back(result);
    }
    OrderedJson document;
    document["benchmark"] = "attention";
    document["encoding"] = options.encoding;
    document["path"] = "fused";
    document["isa"] = fused::isa_name(isa);
    document["threads"] = threads;
    document["heads"] = options.heads;
    document["head_dim"] = model.head_dim();
    document["batch"] = options.batch;
    document["steps"] = options.steps;
    document.update(results.back());  // the last length's numbers also stand at the top
    if (results.size() > 1) document["results"] = results;
    print(options, document);
    return {};
}

Status benchmark_tables(const Options& options) {
    ModelConfig model;
    model.n_head = model.n_kv_head = options.heads;
    model.d_model = options.d_model;
    model.n_layer = options.layers;
    model.context_length = options.length;
    if (model.d_model % model.n_head != 0)
        return usage_error(fmt::format("--d-model {} is no multiple of --heads {}", model.d_model, model.n_head));
    SEXTANT_TRY(encoding, encoding_of(options, model));
    LearnedValues learned;
    for (const LearnedParameter& parameter : encoding->learned_parameters()) {
        std::int64_t count = 1;
        for (const std::int64_t extent : parameter.shape)
            count *= extent;
        learned.emplace_back(static_cast<std::size_t>(count),
                             parameter.initializer == Initializer::kConstant ? parameter.a : 0.5);
    }
    // A bias that is no function of distance alone is a whole matrix; its size is what the reference path would hold.
    const double whole = 8.0 * static_cast<double>(options.heads * options.length * options.length);
    if (encoding->spec().traits.bias && !encoding->spec().traits.distance_only && whole > 2e9)
        return device_error(fmt::format("the {} table at length {} needs {:.1f} GB; use a smaller --length",
                                        options.encoding, options.length, whole * 1e-9));
    const double idle = resident_mb();
    restart_peak();
    std::vector<double> ms;
    std::int64_t numbers = 0;
    for (std::int64_t step = 0; step < options.steps; ++step) {
        const auto start = Clock::now();
        numbers = 0;
        if (const auto table = encoding->additive(options.length, learned))
            numbers += table->values.rows() * table->values.columns();
        if (const auto table = encoding->rotary(options.length))
            numbers += static_cast<std::int64_t>(table->inverse_frequencies.size());
        if (const auto table = encoding->bias({options.length, options.length, 0, false}, learned))
            numbers += table->values.size();
        ms.push_back(milliseconds_since(start));
    }
    OrderedJson document;
    document["benchmark"] = "tables";
    document["encoding"] = options.encoding;
    document["path"] = "tables";
    document["threads"] = 1;
    document["length"] = options.length;
    document["heads"] = options.heads;
    document["steps"] = options.steps;
    document["numbers"] = numbers;
    document["ms_per_step"] = rounded(median(ms), 6);
    document["tokens_per_s"] = rounded(static_cast<double>(options.length) / std::max(1e-6, median(ms)) * 1e3, 1);
    add_memory(document, idle, peak_resident_mb());
    print(options, document);
    return {};
}

}  // namespace

void add_benchmark(CLI::App& app, Context& context) {
    CLI::App* command = app.add_subcommand("benchmark", "Measure training, attention or tables on this machine");
    command->require_subcommand(1);
    const auto options = std::make_shared<Options>();
    const auto add = [&](const std::string& name, const std::string& description, Status (*run)(const Options&)) {
        CLI::App* sub = command->add_subcommand(name, description);
        sub->add_option("--encoding", options->encoding, "Encoding id, see 'sextant-cli encodings'");
        sub->add_option("--batch", options->batch, "Sequences a step")->check(CLI::Range(1, 1 << 20));
        sub->add_option("--length", options->length, "Tokens a sequence")->check(CLI::Range(1, 1 << 20));
        sub->add_option("--d-model", options->d_model, "Model width")->check(CLI::Range(1, 1 << 16));
        sub->add_option("--layers", options->layers, "Blocks")->check(CLI::Range(1, 1000));
        sub->add_option("--heads", options->heads, "Query heads")->check(CLI::Range(1, 1024));
        sub->add_option("--kv-heads", options->kv_heads, "Key-value heads (default: as many as query heads)")
            ->check(CLI::Range(1, 1024));
        sub->add_option("--d-ff", options->d_ff, "Width of the feed-forward layer")->check(CLI::Range(1, 1 << 18));
        sub->add_option("--vocab-size", options->vocab, "Vocabulary")->check(CLI::Range(2, 1 << 22));
        sub->add_option("--window", options->window, "Keys a query sees, 0 for all")->check(CLI::Range(0, 1 << 20));
        sub->add_option("--threads", options->threads, "Threads, 0 for all cores")->check(CLI::Range(0, 1024));
        sub->add_option("--path", options->path, "auto, fused or reference")
            ->check(CLI::IsMember({"auto", "fused", "reference"}));
        sub->add_option("--precision", options->precision, "Of the products: float32 or bfloat16")
            ->check(CLI::IsMember({"float32", "bfloat16"}));
        sub->add_option("--steps", options->steps, "Measured repetitions; the median counts")
            ->check(CLI::Range(1, 1'000'000));
        sub->add_flag("--json", options->json, "One JSON document on standard output");
        sub->callback([options, run, &context] {
            if (const Status status = run(*options); !status.ok()) context.fail(status.error());
        });
        return sub;
    };
    add("train", "Tokens a second and memory of a training step", benchmark_train);
    CLI::App* attention = add("attention", "Attention alone, forward and backward", benchmark_attention);
    attention->add_option("--head-dim", options->head_dim, "Width of a head, unless --d-model is given")
        ->check(CLI::Range(1, 4096));
    attention->add_option("--lengths", options->lengths, "Several lengths, comma-separated")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 1 << 20));
    attention->preparse_callback([options](std::size_t) {
        options->encoding = "alibi";
        options->heads = 8;
        options->batch = 1;
        options->d_model = 0;
        options->length = 1024;
        options->steps = 7;
    });
    add("tables", "Time to compute an encoding's tables", benchmark_tables);
    add_benchmark_pair(*command, context);
}

}  // namespace sextant::cli
