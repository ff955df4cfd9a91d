#include "core/engine/fused/fused_path.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/engine/fused/bfloat16.h"
#include "core/engine/fused/chunk.h"
#include "core/engine/fused/flush_denormals.h"

namespace sextant::fused {
namespace {

constexpr std::int64_t kChunkRows = 128;  // short sequences are taken together up to this many rows

class FusedPath final : public ModelPath {
  public:
    FusedPath(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
              std::span<float> parameters, std::span<float> gradients, const FusedOptions& options,
              const Kernels& kernels)
        : model_(model),
          kernels_(kernels),
          parameters_(parameters),
          gradients_(gradients),
          threads_(std::max(1, options.threads)),
          size_(layout.buffer_size),
          weights_(model_, layout, kernels, options.bfloat16_products),
          positions_(model_, encoding, layout),
          pass_(model_, kernels, weights_, positions_, parameters.data(), options.bfloat16_products),
          workers_(static_cast<std::size_t>(threads_)) {
        for (std::size_t t = 0; t < workers_.size(); ++t)
            workers_[t].index = static_cast<int>(t);
    }

    [[nodiscard]] const char* name() const override { return "fused"; }
    [[nodiscard]] std::span<float> parameters() override { return parameters_; }
    [[nodiscard]] std::span<float> gradients() override { return gradients_; }
    void parameters_changed() override {
        packed_ = Packed::kNothing;
        positions_.parameters_changed();
    }

    double loss_and_gradients(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                              std::int64_t batch, std::int64_t length, std::int64_t) override {
        check(tokens, targets, batch, length);
        const auto scored = std::count_if(targets.begin(), targets.end(), [](std::int32_t t) { return t >= 0; });
        if (scored == 0) {
            std::fill_n(gradients_.data(), size_, 0.0f);
            return 0.0;
        }
        const float weight = 1.0f / static_cast<float>(scored);
        begin(batch, length, Pass::kTrain);
        for (std::size_t t = 0; t < workers_.size(); ++t) {
            Worker& worker = workers_[t];
            if (t > 0) worker.own_gradients.reserve(size_);
            worker.gradients = t == 0 ? gradients_.data() : worker.own_gradients.data();
            worker.loss = 0.0;
            positions_.prepare(worker.position);
        }
#pragma omp parallel num_threads(threads_)
        {
            const FlushDenormals flush;
            const Team team{omp_get_thread_num(), omp_get_num_threads()};
            Worker& worker = workers_[static_cast<std::size_t>(team.rank)];
            std::fill_n(worker.gradients, size_, 0.0f);
            if (packed_ != Packed::kBoth) {
                weights_.pack(parameters_.data(), true, team.rank, team.size);
                team.wait();
            }
            each_chunk(team, tokens, targets, batch, length,
                       [&](Team mine, ChunkInput input, Activations& activations) {
                           input.weight = weight;
                           pass_.train(mine, input, activations, worker);
                       });
            team.wait();
            reduce(team);
        }
        packed_ = Packed::kBoth;
        std::vector<PositionGradients*> position;
        double loss = 0.0;
        for (Worker& worker : workers_) {
            position.push_back(&worker.position);
            loss += worker.loss;
        }
        positions_.finish(std::move(position), gradients_.data());
        return loss / static_cast<double>(scored);
    }

    void token_losses(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets, std::int64_t batch,
                      std::int64_t length, std::span<float> losses) override {
        check(tokens, targets, batch, length);
        if (losses.size() < tokens.size()) throw std::invalid_argument("token_losses: the output is too short");
        forward(tokens, targets, batch, length, losses.data(), nullptr);
    }

    void logits(std::span<const std::int32_t> tokens, std::int64_t batch, std::int64_t length,
                std::span<float> out) override {
        check(tokens, tokens, batch, length);
        if (out.size() < tokens.size() * static_cast<std::size_t>(model_.vocab_size))
            throw std::invalid_argument("logits: the output is too short");
        forward(tokens, {}, batch, length, nullptr, out.data());
    }

  private:
    enum class Packed { kNothing, kForward, kBoth };

    void check(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets, std::int64_t batch,
               std::int64_t length) const {
        if (batch <= 0 || length <= 0 || tokens.size() != static_cast<std::size_t>(batch * length) ||
            targets.size() != tokens.size())
            throw std::invalid_argument("tokens and targets must be [batch, length] with at least one element");
        for (std::size_t i = 0; i < tokens.size(); ++i)
            if (tokens[i] < 0 || tokens[i] >= model_.vocab_size || targets[i] < -1 || targets[i] >= model_.vocab_size)
                throw std::invalid_argument("a token is outside the vocabulary");
    }

    // Sequences of a chunk: enough rows to keep the products busy, but a chunk for every thread.
    [[nodiscard]] std::int64_t chunk_sequences(std::int64_t batch, std::int64_t length) const {
        const std::int64_t fill = std::max<std::int64_t>(1, kChunkRows / length);
        const std::int64_t share = std::max<std::int64_t>(1, batch / threads_);
        return std::min(fill, share);
    }
    // Fewer sequences than threads: all threads work on one chunk together.
    [[nodiscard]] bool shared(std::int64_t batch) const {
        return batch < threads_;
    }

    void begin(std::int64_t batch, std::int64_t length, Pass pass) {
        positions_.refresh(length, parameters_.data(), threads_);
        weights_.reserve(pass == Pass::kTrain);
        const std::int64_t rows = chunk_sequences(batch, length) * length;
        auto& all = pass == Pass::kTrain ? activations_ : forward_activations_;
        all.resize(shared(batch) ? 1 : static_cast<std::size_t>(threads_));
        for (Activations& activations : all)
            pass_.reserve(activations, rows, length, pass);
        for (Worker& worker : workers_)
            pass_.reserve(worker, rows, length, pass);
        active_ = &all;
    }

    template <class Body>
    void each_chunk(Team team, std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                    std::int64_t batch, std::int64_t length, Body body) {
        const std::int64_t sequences = chunk_sequences(batch, length);
        const bool together = shared(batch);
        const std::int64_t first = together ? 0 : team.rank, stride = together ? 1 : team.size;
        for (std::int64_t chunk = first; chunk * sequences < batch; chunk += stride) {
            ChunkInput input;
            input.sequences = std::min(sequences, batch - chunk * sequences);
            input.length = length;
            input.first_row = chunk * sequences * length;
            input.tokens = tokens.data() + input.first_row;
            input.targets = targets.empty() ? nullptr : targets.data() + input.first_row;
            const Team mine = together ? team : Team{};
            body(mine, input, (*active_)[together ? 0 : static_cast<std::size_t>(team.rank)]);
            mine.wait();
        }
    }

    void forward(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets, std::int64_t batch,
                 std::int64_t length, float* losses, float* logits) {
        begin(batch, length, Pass::kForward);
#pragma omp parallel num_threads(threads_)
        {
            const FlushDenormals flush;
            const Team team{omp_get_thread_num(), omp_get_num_threads()};
            Worker& worker = workers_[static_cast<std::size_t>(team.rank)];
            if (packed_ == Packed::kNothing) {
                weights_.pack(parameters_.data(), false, team.rank, team.size);
                team.wait();
            }
            each_chunk(team, tokens, targets, batch, length,
                       [&](Team mine, ChunkInput input, Activations& activations) {
                           if (losses != nullptr) input.losses = losses + input.first_row;
                           if (logits != nullptr) input.logits = logits + input.first_row * model_.vocab_size;
                           pass_.forward(mine, input, activations, worker);
                       });
        }
        if (packed_ == Packed::kNothing) packed_ = Packed::kForward;
    }

    // gradients += every other thread's, in their order; each thread does a slice.
    void reduce(Team team) {
        const std::int64_t slice = (size_ / team.size + 15) / 16 * 16 + 16;
        const std::int64_t first = std::min(size_, team.rank * slice), count = std::min(slice, size_ - first);
        for (int t = 1; t < team.size; ++t)
            kernels_.add(workers_[static_cast<std::size_t>(t)].gradients + first, gradients_.data() + first, count);
    }

    ModelConfig model_;
    const Kernels& kernels_;
    std::span<float> parameters_, gradients_;
    int threads_;
    std::int64_t size_;
    ModelWeights weights_;
    PositionState positions_;
    ChunkPass pass_;
    std::vector<Worker> workers_;
    std::vector<Activations> activations_, forward_activations_;
    std::vector<Activations>* active_ = nullptr;
    Packed packed_ = Packed::kNothing;
};

}  // namespace

std::string unsupported_reason(const ModelConfig& model, const PositionEncoding& encoding,
                               const FusedOptions& options) {
    if (model.dropout > 0.0)
        return "the fused path has no dropout (model.dropout is above 0); use the reference path or set it to 0";
    if (options.bfloat16_products && !bfloat16::supported())
        return "bfloat16 products need a CPU with AVX512_BF16; set training.precision to float32";
    if (model.n_kv_head <= 0 || model.n_head % model.n_kv_head != 0)
        return "the fused path needs n_head to be a multiple of n_kv_head";
    if (auto isa = selected_isa(); !isa.ok()) return isa.error().message;
    const EncodingTraits& traits = encoding.spec().traits;
    if (traits.rotary && traits.learned) return "the fused path cannot train a rotation";
    return {};
}

std::unique_ptr<ModelPath> make_fused_path(const ModelConfig& model, const PositionEncoding& encoding,
                                           const ParameterLayout& layout, std::span<float> parameters,
                                           std::span<float> gradients, const FusedOptions& options) {
    const std::string reason = unsupported_reason(model, encoding, options);
    if (!reason.empty()) throw std::invalid_argument(reason);
    if (parameters.size() < static_cast<std::size_t>(layout.buffer_size) ||
        gradients.size() < static_cast<std::size_t>(layout.buffer_size))
        throw std::invalid_argument("the flat buffers are smaller than the parameter layout");
    return std::make_unique<FusedPath>(model, encoding, layout, parameters, gradients, options,
                                       kernels(selected_isa().value()));
}

}  // namespace sextant::fused
