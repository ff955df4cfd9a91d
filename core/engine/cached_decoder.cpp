#include "core/engine/cached_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/random.h"
#include "core/engine/reference_model.h"

namespace sextant {

struct CachedDecoder::State {
    std::int64_t planned = 0;
    std::int64_t length = 0;
    at::Tensor flat;
    std::unique_ptr<ReferenceModel> model;
    std::vector<LayerCache> caches;
};

CachedDecoder::CachedDecoder(LanguageModel& model, std::int64_t planned, Precision precision)
    : state_(std::make_unique<State>()) {
    state_->planned = planned;
    state_->flat = at::from_blob(model.parameters.data(), {model.parameters.size()}, at::kFloat);
    if (precision == Precision::kFloat64) state_->flat = state_->flat.to(at::kDouble);
    state_->model = std::make_unique<ReferenceModel>(model.config, *model.encoding, *model.layout, state_->flat,
                                                     at::Tensor(), AttentionSink{}, 0);
}
CachedDecoder::~CachedDecoder() = default;
CachedDecoder::CachedDecoder(CachedDecoder&&) noexcept = default;
CachedDecoder& CachedDecoder::operator=(CachedDecoder&&) noexcept = default;

std::int64_t CachedDecoder::length() const {
    return state_->length;
}

std::vector<double> CachedDecoder::feed(std::span<const std::int32_t> tokens) {
    const at::NoGradGuard guard;
    const auto count = static_cast<std::int64_t>(tokens.size());
    TORCH_CHECK(state_->length + count <= state_->planned, "more tokens than planned");
    const at::Tensor ids = at::from_blob(const_cast<std::int32_t*>(tokens.data()), {1, count}, at::kInt).to(at::kLong);
    const at::Tensor hidden = state_->model->hidden_cached(ids, state_->caches, state_->planned);
    state_->length += count;
    const at::Tensor logits = state_->model->logits(hidden).to(at::kDouble).contiguous();
    return {logits.data_ptr<double>(), logits.data_ptr<double>() + logits.numel()};
}

namespace {

std::int32_t choose(std::span<const double> logits, double temperature, Random& random) {
    const auto best = std::max_element(logits.begin(), logits.end());
    if (temperature <= 0.0) return static_cast<std::int32_t>(best - logits.begin());
    std::vector<double> weights;
    double sum = 0.0;
    for (const double logit : logits) {
        weights.push_back(std::exp((logit - *best) / temperature));
        sum += weights.back();
    }
    double point = random.uniform() * sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        point -= weights[i];
        if (point < 0.0) return static_cast<std::int32_t>(i);
    }
    return static_cast<std::int32_t>(best - logits.begin());
}

}  // namespace

Result<Generated> generate(LanguageModel& model, const GenerateRequest& request) {
    if (!model.codec) {
        return data_error("has no tokenizer beside it; name one with --tokenizer", model.path);
    }
    Generated result;
    result.prompt_ids = model.codec->encode(request.prompt);
    if (result.prompt_ids.empty()) result.prompt_ids.push_back(model.codec->first_token());
    const std::int64_t planned = static_cast<std::int64_t>(result.prompt_ids.size()) + request.tokens;
    if (const auto longest = model.encoding->maximum_length(); longest && planned > *longest) {
        return config_error(
            fmt::format("prompt and new tokens make {} positions, but the {} table has {}; ask for at "
                        "most {} tokens",
                        planned, model.encoding->spec().id, *longest,
                        std::max<std::int64_t>(0, *longest - static_cast<std::int64_t>(result.prompt_ids.size()))));
    }
    for (const std::int32_t id : result.prompt_ids) {
        if (id < 0 || id >= model.config.vocab_size)
            return data_error(fmt::format("token id {} is outside the vocabulary of {}", id, model.config.vocab_size));
    }
    const auto begin = std::chrono::steady_clock::now();
    Random random(derive_seed(request.seed, "generate"));
    CachedDecoder decoder(model, planned);
    const auto vocab = static_cast<std::size_t>(model.config.vocab_size);
    std::vector<double> logits = decoder.feed(result.prompt_ids);
    for (std::int64_t n = 0; n < request.tokens; ++n) {
        if (request.cancelled && request.cancelled())
            return Error{ErrorCode::kCancelled, "generation was stopped", {}, {}, {}};
        const std::int32_t next = choose(std::span<const double>(logits).last(vocab), request.temperature, random);
        if (model.codec->ends_text(next)) {
            result.ended = true;
            break;
        }
        result.ids.push_back(next);
        if (request.progress) request.progress(n + 1);
        if (n + 1 < request.tokens) logits = decoder.feed(std::span<const std::int32_t>(&result.ids.back(), 1));
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    result.tokens_per_s = static_cast<double>(result.ids.size()) / std::max(seconds.count(), 1e-9);
    std::vector<std::int32_t> all = result.prompt_ids;
    // Our end-of-text token stands for an empty prompt; it is not part of the text.
    if (request.prompt.empty() && model.codec->bytes_of(all.front()).starts_with("<|")) all.erase(all.begin());
    SEXTANT_TRY(prompt_text, model.codec->decode(all));
    all.insert(all.end(), result.ids.begin(), result.ids.end());
    SEXTANT_TRY(text, model.codec->decode(all));
    result.text = text;
    result.continuation = text.size() >= prompt_text.size() ? text.substr(prompt_text.size()) : text;
    return result;
}

}  // namespace sextant
