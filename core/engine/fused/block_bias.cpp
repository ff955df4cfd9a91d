#include "core/engine/fused/block_bias.h"

#include <algorithm>
#include <stdexcept>

namespace sextant::fused {
namespace {

constexpr std::int64_t kWholeLimit = 1 << 20;  // floats: a table this small is kept, whatever the sequence length

Array bias_of(const PositionEncoding& encoding, const LearnedValues& learned, const BiasRange& range) {
    auto table = encoding.bias(range, learned);
    if (!table || table->kind != BiasTable::Kind::kWhole)
        throw std::logic_error("the bias of '" + encoding.spec().id + "' is no whole table");
    return std::move(table->values);
}

// A bias that remembers how its gradient reaches the learned values.
class LearnedBlockBias : public BlockBias {
  public:
    virtual void finish(LearnedValues& gradient) const = 0;
};

class WholeBias final : public LearnedBlockBias {
  public:
    WholeBias(const PositionEncoding& encoding, LearnedValues learned, std::int64_t heads, std::int64_t length,
              int workers)
        : encoding_(encoding), learned_(std::move(learned)), heads_(heads), length_(length) {
        const Array table = bias_of(encoding, learned_, {length, length, 0, false});
        values_.reserve(table.values.size());
        for (const double value : table.values)
            values_.push_back(std::max(-1e30f, static_cast<float>(value)));
        if (!learned_.empty()) gradients_.assign(static_cast<std::size_t>(workers), {});
    }
    void fill(std::int64_t head, std::int64_t first_query, std::int64_t queries, std::int64_t first_key,
              std::int64_t keys, float* out, std::int64_t stride) const override {
        for (std::int64_t r = 0; r < queries; ++r)
            std::copy_n(values_.data() + (head * length_ + first_query + r) * length_ + first_key, keys,
                        out + r * stride);
    }
    void accumulate(int worker, std::int64_t head, std::int64_t first_query, std::int64_t queries,
                    std::int64_t first_key, std::int64_t keys, const float* gradient, std::int64_t stride) override {
        if (gradients_.empty()) return;
        std::vector<float>& sum = gradients_[static_cast<std::size_t>(worker)];
        if (sum.empty()) sum.assign(values_.size(), 0.0f);
        for (std::int64_t r = 0; r < queries; ++r) {
            float* to = sum.data() + (head * length_ + first_query + r) * length_ + first_key;
            for (std::int64_t c = 0; c < keys; ++c)
                to[c] += gradient[r * stride + c];
        }
    }
    void finish(LearnedValues& gradient) const override {
        Array table({heads_, length_, length_});
        for (const std::vector<float>& sum : gradients_)
            for (std::size_t i = 0; i < sum.size(); ++i)
                table.values[i] += static_cast<double>(sum[i]);
        encoding_.accumulate_gradient({length_, length_, 0, false}, learned_, table, gradient);
    }

  private:
    const PositionEncoding& encoding_;
    LearnedValues learned_;
    std::int64_t heads_, length_;
    std::vector<float> values_;
    std::vector<std::vector<float>> gradients_;
};

// Any length: each block asks the encoding for the rows it covers.
class RangeBias final : public LearnedBlockBias {
  public:
    RangeBias(const PositionEncoding& encoding, LearnedValues learned, std::int64_t heads, int workers)
        : encoding_(encoding), learned_(std::move(learned)), heads_(heads) {
        LearnedValues zero;
        for (const std::vector<double>& values : learned_)
            zero.emplace_back(values.size(), 0.0);
        gradients_.assign(static_cast<std::size_t>(workers), zero);
    }
    void fill(std::int64_t head, std::int64_t first_query, std::int64_t queries, std::int64_t first_key,
              std::int64_t keys, float* out, std::int64_t stride) const override {
        const std::int64_t width = first_key + keys;
        const Array table = bias_of(encoding_, learned_, {queries, width, first_query, false});
        for (std::int64_t r = 0; r < queries; ++r)
            for (std::int64_t c = 0; c < keys; ++c)
                out[r * stride + c] = std::max(
                    -1e30f, static_cast<float>(
                                table.values[static_cast<std::size_t>((head * queries + r) * width + first_key + c)]));
    }
    void accumulate(int worker, std::int64_t head, std::int64_t first_query, std::int64_t queries,
                    std::int64_t first_key, std::int64_t keys, const float* gradient, std::int64_t stride) override {
        if (learned_.empty()) return;
        const std::int64_t width = first_key + keys;
        Array table({heads_, queries, width});
        for (std::int64_t r = 0; r < queries; ++r)
            for (std::int64_t c = 0; c < keys; ++c)
                table.values[static_cast<std::size_t>((head * queries + r) * width + first_key + c)] =
                    static_cast<double>(gradient[r * stride + c]);
        encoding_.accumulate_gradient({queries, width, first_query, false}, learned_, table,
                                      gradients_[static_cast<std::size_t>(worker)]);
    }
    void finish(LearnedValues& gradient) const override {
        for (const LearnedValues& thread : gradients_)
            for (std::size_t p = 0; p < thread.size(); ++p)
                for (std::size_t i = 0; i < thread[p].size(); ++i)
                    gradient[p][i] += thread[p][i];
    }

  private:
    const PositionEncoding& encoding_;
    LearnedValues learned_;
    std::int64_t heads_;
    std::vector<LearnedValues> gradients_;
};

}  // namespace

std::unique_ptr<BlockBias> make_block_bias(const PositionEncoding& encoding, const LearnedValues& learned,
                                           std::int64_t heads, std::int64_t length, int workers) {
    if (heads * length * length <= kWholeLimit)
        return std::make_unique<WholeBias>(encoding, learned, heads, length, workers);
    return std::make_unique<RangeBias>(encoding, learned, heads, workers);
}

void finish_block_bias(const BlockBias& bias, LearnedValues& gradient) {
    static_cast<const LearnedBlockBias&>(bias).finish(gradient);
}

}  // namespace sextant::fused
