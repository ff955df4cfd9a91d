#include "core/experiment/memory_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {
namespace {

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kLibraries = std::int64_t{160} << 20U;  // LibTorch, oneDNN and the C++ runtime, resident
constexpr std::int64_t kCeiling = INT64_MAX / 64;              // sums of a few of these do not overflow

// Products of sizes from a file: saturate instead of overflowing.
std::int64_t times(std::initializer_list<std::int64_t> factors) {
    double exact = 1.0;
    std::int64_t product = 1;
    for (const std::int64_t factor : factors) {
        exact *= static_cast<double>(factor);
        if (exact > static_cast<double>(kCeiling)) return kCeiling;
        product *= factor;
    }
    return product;
}

// Floats one layer keeps for [batch, length] tokens until its backward pass.
std::int64_t layer_activations(const ModelConfig& model, std::int64_t batch, std::int64_t length, bool fused,
                               std::int64_t matrices) {
    const std::int64_t tokens = times({batch, length});
    // Input and normed input twice, q and attention output at full width, k and v at their heads', three of d_ff.
    const std::int64_t width = 6 * model.d_model + 2 * model.n_kv_head * model.head_dim() + 3 * model.d_ff;
    std::int64_t floats = times({tokens, width});
    if (!fused) {
        // Autograd also keeps rotated copies and the products inside norm and gate, and [T, T] scores and weights.
        floats = std::min(kCeiling, floats + times({tokens, 4 * model.d_model + 2 * model.d_ff}));
        floats = std::min(kCeiling, floats + times({matrices, batch, model.n_head, length, length}));
    }
    return floats;
}

std::int64_t number_behind(const std::string& path, const std::string& key) {
    std::ifstream file(path);
    std::string word;
    std::int64_t value = 0;
    if (key.empty()) return (file >> value) ? value : -1;
    while (file >> word) {
        if (word == key && file >> value) return value;
    }
    return -1;
}

}  // namespace

std::int64_t MemoryEstimate::total() const {
    const std::int64_t training = activations + logits;
    return base + parameters + optimizer + data + std::max(training, evaluation);
}

std::string MemoryEstimate::largest() const {
    std::vector<std::pair<std::int64_t, const char*>> parts = {{parameters, "weights and gradients"},
                                                               {optimizer, "optimizer"},
                                                               {activations, "activations"},
                                                               {logits, "logits"},
                                                               {evaluation, "evaluation"},
                                                               {data, "data"}};
    std::sort(parts.rbegin(), parts.rend());
    return fmt::format("{} {} MiB, {} {} MiB", parts[0].second, grouped(parts[0].first >> 20), parts[1].second,
                       grouped(parts[1].first >> 20));
}

MemoryEstimate estimate_memory(const Experiment& experiment, const ArmConfig& arm) {
    const ModelConfig model = experiment.model_of(arm);
    const TrainingConfig training = experiment.training_of(arm);
    MemoryEstimate estimate;
    estimate.base = kLibraries;
    std::int64_t count = times({model.vocab_size, model.d_model, model.tie_embeddings ? 1 : 2});
    if (const auto encoding = make_encoding(arm.encoding, model.encoding_site())) {
        count = parameter_layout(model, **encoding).parameter_count();
    }
    estimate.parameter_count = count;
    estimate.parameters = times({count, kFloat, 2});
    const std::int64_t moments = training.optimizer.kind == "adamw" ? 2 : training.optimizer.kind == "muon" ? 2 : 0;
    estimate.optimizer = times({count, kFloat, moments});
    const bool cpu = training.device == "auto" || training.device == "cpu";
    const bool fused = training.path == "fused" || (training.path == "auto" && cpu && model.dropout == 0.0);
    const std::int64_t batch = training.batch_size;
    const std::int64_t length = model.context_length;
    const std::int64_t layers = times({layer_activations(model, batch, length, fused, 3), model.n_layer});
    estimate.activations = times({layers, kFloat});
    // Logits and their gradient; the reference path also keeps log-probabilities.
    estimate.logits = times({batch, length, model.vocab_size, kFloat, fused ? 2 : 3});
    const std::int64_t longest =
        *std::max_element(experiment.evaluation.lengths.begin(), experiment.evaluation.lengths.end());
    // Scored a few windows at a time, about as many tokens as one training batch; no activations are kept.
    const std::int64_t windows = std::max<std::int64_t>(1, batch * length / std::max<std::int64_t>(longest, 1));
    estimate.evaluation = times({windows, longest, model.vocab_size, kFloat, 2});
    estimate.evaluation =
        std::min(kCeiling, estimate.evaluation + times({layer_activations(model, windows, longest, fused, 2), kFloat}));
    const DataConfig& data = experiment.data;
    estimate.data = times({data.train_tokens + data.validation_tokens + data.test_tokens, 12});
    return estimate;
}

std::int64_t available_memory_bytes() {
    const std::int64_t kilobytes = number_behind("/proc/meminfo", "MemAvailable:");
    std::int64_t available = kilobytes > 0 ? kilobytes * 1024 : 0;
    const std::array<std::pair<const char*, const char*>, 2> groups = {
        {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
         {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}};
    for (const auto& [limit_file, usage_file] : groups) {
        const std::int64_t limit = number_behind(limit_file, "");
        const std::int64_t usage = number_behind(usage_file, "");
        if (limit <= 0 || usage < 0 || limit >= (std::int64_t{1} << 60U)) continue;
        // Page cache counts as usage but is given back under pressure.
        const std::int64_t cache =
            std::max<std::int64_t>(0, number_behind("/sys/fs/cgroup/memory.stat", "inactive_file"));
        available = std::min(available, std::max<std::int64_t>(0, limit - usage + cache));
    }
    return available;
}

}  // namespace sextant
