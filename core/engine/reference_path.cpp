#include "core/engine/reference_path.h"

#include <algorithm>

#include "core/engine/reference_model.h"

namespace sextant {
namespace {

constexpr std::int64_t kLogitRows = 4096;  // rows of [V] logits held at once without gradients

class TorchPath final : public ReferencePath {
  public:
    TorchPath(const ModelConfig& model, const PositionEncoding& encoding, const ParameterLayout& layout,
              std::span<float> parameters, std::span<float> gradients, const ReferenceOptions& options)
        : config_(model),
          parameters_(parameters),
          gradients_(gradients),
          device_(options.device),
          host_parameters_(host(parameters)),
          host_gradients_(host(gradients)) {
        const auto type =
            at::TensorOptions().dtype(options.double_precision ? at::kDouble : at::kFloat).device(device_);
        shared_ = !options.double_precision && device_.is_cpu();
        flat_ = shared_ ? host_parameters_ : host_parameters_.to(type, false, true);
        flat_gradient_ = shared_ ? host_gradients_ : at::zeros({layout.buffer_size}, type);
        model_ = std::make_unique<ReferenceModel>(model, encoding, layout, flat_, flat_gradient_,
                                                  options.attention_sink, options.seed);
    }

    const char* name() const override { return "reference"; }
    std::span<float> parameters() override { return parameters_; }
    std::span<float> gradients() override { return gradients_; }
    void parameters_changed() override {
        if (!shared_) flat_.copy_(host_parameters_);
        model_->tables().forget_learned();
    }

    double loss_and_gradients(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                              std::int64_t batch, std::int64_t length, std::int64_t step) override {
        flat_gradient_.zero_();
        model_->tables().forget_learned();
        const at::Tensor hidden = model_->hidden(indices(tokens, batch, length), step);
        const at::Tensor wanted = indices(targets, batch, length).view({-1});
        if (std::all_of(targets.begin(), targets.end(), [](std::int32_t t) { return t < 0; })) return 0.0;
        const at::Tensor log_probabilities = at::log_softmax(model_->logits(hidden).view({-1, config_.vocab_size}), -1);
        const at::Tensor loss = at::nll_loss(log_probabilities, wanted, {}, at::Reduction::Mean, -1);
        loss.backward();
        model_->tables().forget_learned();
        if (!shared_) host_gradients_.copy_(flat_gradient_);
        return loss.item<double>();
    }

    void token_losses(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets, std::int64_t batch,
                      std::int64_t length, std::span<float> losses) override {
        const at::NoGradGuard guard;
        const at::Tensor hidden = model_->hidden(indices(tokens, batch, length), -1).view({batch * length, -1});
        const at::Tensor wanted = indices(targets, batch, length).view({-1});
        for (std::int64_t row = 0; row < batch * length; row += kLogitRows) {
            const std::int64_t count = std::min(kLogitRows, batch * length - row);
            const at::Tensor log_probabilities = at::log_softmax(model_->logits(hidden.narrow(0, row, count)), -1);
            const at::Tensor part =
                at::nll_loss(log_probabilities, wanted.narrow(0, row, count), {}, at::Reduction::None, -1)
                    .to(at::kCPU, at::kFloat)
                    .contiguous();
            std::copy_n(part.data_ptr<float>(), count, losses.begin() + row);
        }
    }

    void logits(std::span<const std::int32_t> tokens, std::int64_t batch, std::int64_t length,
                std::span<float> out) override {
        const at::NoGradGuard guard;
        const at::Tensor values =
            model_->logits(model_->hidden(indices(tokens, batch, length), -1)).to(at::kCPU, at::kFloat).contiguous();
        std::copy_n(values.data_ptr<float>(), values.numel(), out.begin());
    }

    std::span<double> parameters_double() override {
        model_->tables().forget_learned();
        return {flat_.data_ptr<double>(), static_cast<std::size_t>(flat_.numel())};
    }
    std::span<const double> gradients_double() override {
        return {flat_gradient_.data_ptr<double>(), static_cast<std::size_t>(flat_gradient_.numel())};
    }
    std::vector<double> logits_double(std::span<const std::int32_t> tokens, std::int64_t batch,
                                      std::int64_t length) override {
        const at::NoGradGuard guard;
        const at::Tensor values =
            model_->logits(model_->hidden(indices(tokens, batch, length), -1)).to(at::kCPU, at::kDouble).contiguous();
        return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
    }

  private:
    static at::Tensor host(std::span<float> values) {
        return at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, at::kFloat);
    }
    at::Tensor indices(std::span<const std::int32_t> values, std::int64_t batch, std::int64_t length) const {
        return at::from_blob(const_cast<std::int32_t*>(values.data()), {batch, length}, at::kInt)
            .to(at::TensorOptions().dtype(at::kLong).device(device_));
    }

    ModelConfig config_;
    std::span<float> parameters_, gradients_;
    at::Device device_;
    at::Tensor host_parameters_, host_gradients_;
    bool shared_ = true;
    at::Tensor flat_, flat_gradient_;
    std::unique_ptr<ReferenceModel> model_;
};

}  // namespace

std::unique_ptr<ReferencePath> make_reference_path(const ModelConfig& model, const PositionEncoding& encoding,
                                                   const ParameterLayout& layout, std::span<float> parameters,
                                                   std::span<float> gradients, const ReferenceOptions& options) {
    return std::make_unique<TorchPath>(model, encoding, layout, parameters, gradients, options);
}

double reference_forward_bytes(const ModelConfig& model, std::int64_t batch, std::int64_t length) {
    const auto tokens = static_cast<double>(batch * length);
    const double rows = static_cast<double>(std::min<std::int64_t>(length, 256));
    const double scores = 3.0 * static_cast<double>(batch * model.n_head) * rows * static_cast<double>(length);
    const double bias = 3.0 * static_cast<double>(model.n_head) * rows * static_cast<double>(length);
    const double activations =
        tokens * static_cast<double>(8 * model.d_model + std::max(4 * model.d_ff, 6 * model.d_model));
    const double logits =
        3.0 * std::min(tokens, static_cast<double>(kLogitRows)) * static_cast<double>(model.vocab_size);
    return 4.0 * (scores + bias + activations + logits);
}

}  // namespace sextant
