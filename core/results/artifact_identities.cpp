#include "core/results/artifact_identities.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/encoding/registry.h"
#include "core/results/artifact.h"
#include "core/results/statistics.h"

namespace sextant {
namespace {

const Json* member(const Json* from, const std::string& key) {
    if (from == nullptr || !from->is_object()) return nullptr;
    const auto at = from->find(key);
    return at == from->end() ? nullptr : &*at;
}

// A count small enough that products of three of them fit.
std::optional<std::int64_t> count(const Json* from, const std::string& key) {
    const Json* value = member(from, key);
    if (value == nullptr || !value->is_number_integer() || *value < 1 || *value > 10'000'000) return std::nullopt;
    return value->get<std::int64_t>();
}

std::optional<double> real(const Json* from, const std::string& key) {
    const Json* value = member(from, key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return value->get<double>();
}

}  // namespace

bool identity_holds(double stated, double computed, double tolerance) {
    if (!std::isfinite(stated) || !std::isfinite(computed)) return false;
    return std::abs(stated - computed) <= tolerance * std::max(std::abs(stated), std::abs(computed));
}

ParameterCount expected_parameters(const Json& document, const std::string& arm) {
    const Json* setup = member(&document, "setup");
    const Json* block = member(&document, arm.substr(1));
    const Json* overrides = member(member(block, "overrides"), "model");
    const auto setting = [&](const char* file_key, const char* our_key) {
        const auto own = count(overrides, our_key);
        return own ? own : count(setup, file_key);
    };
    ModelConfig model;
    const auto d = setting("dimensions", "d_model");
    const auto layers = setting("layers", "n_layer");
    auto vocabulary = count(setup, "vocab_size");
    if (!vocabulary) vocabulary = count(member(&document, "dataset"), "vocab_size");
    if (!d || !layers || !vocabulary || *d > 1'000'000 || *layers > 10'000) {
        return {std::nullopt, "the setup has no usable dimensions, layers and vocab_size"};
    }
    model.d_model = *d;
    model.n_layer = *layers;
    model.vocab_size = *vocabulary;
    ParameterCount result;
    if (const auto d_ff = setting("d_ff", "d_ff")) {
        model.d_ff = *d_ff;
    } else {
        model.d_ff = default_d_ff(*d);
        result.note = " (no d_ff given: " + std::to_string(model.d_ff) + " taken, 8d/3 rounded up to a multiple of 64)";
    }
    const auto heads = setting("n_head", "n_head");
    model.n_head = heads.value_or(1);
    model.n_kv_head = setting("n_kv_head", "n_kv_head").value_or(model.n_head);
    model.context_length = setting("sequence_length", "context_length").value_or(64);
    const Json* tied = member(overrides, "tie_embeddings");
    if (tied == nullptr) tied = member(setup, "tie_embeddings");
    model.tie_embeddings = tied == nullptr || !tied->is_boolean() || tied->get<bool>();
    if (model.d_model % model.n_head != 0) return {std::nullopt, "the heads do not divide the dimensions"};
    // Three factors of at most 10^7 each could overflow; doubles tell.
    const double estimate = static_cast<double>(model.n_layer) * static_cast<double>(model.d_model) *
                            (4.0 * static_cast<double>(model.d_model) + 3.0 * static_cast<double>(model.d_ff));
    if (estimate > 1e17) return {std::nullopt, "the setup's model is too large to exist"};
    std::int64_t learned = 0;
    if (const Json* encoding = member(block, "encoding"); encoding != nullptr) {
        EncodingConfig config;
        const Json* id = member(encoding, "id");
        config.id = id != nullptr && id->is_string() ? id->get<std::string>() : "";
        if (const Json* parameters = member(encoding, "parameters"); parameters != nullptr && parameters->is_object()) {
            for (const auto& [name, value] : parameters->items()) {
                auto parsed = parameter_from_json(value, "");
                if (parsed) config.parameters[name] = *parsed;
            }
        }
        auto made = make_encoding(config, model.encoding_site());
        if (!made) return {std::nullopt, "the encoding cannot be made: " + made.error().message};
        for (const LearnedParameter& parameter : (*made)->learned_parameters()) {
            std::int64_t size = 1;
            for (const std::int64_t dimension : parameter.shape)
                size *= dimension;
            learned += size;
        }
        if (!(*made)->spec().traits.shared_by_layers) learned *= model.n_layer;
        if (learned > 0) result.note += " with " + std::to_string(learned) + " of the encoding";
    }
    result.value = base_parameter_count(model) + learned;
    return result;
}

std::int64_t pairs_needed_for(std::int64_t family) {
    return pairs_needed(family);
}

std::optional<double> per_seed_mean(const Json& per_seed, const std::vector<std::int64_t>& seeds,
                                    const std::string& arm, const std::string& key) {
    std::vector<double> values;
    for (const std::int64_t seed : seeds) {
        for (const Json& entry : per_seed) {
            const Json* id = member(&entry, "seed");
            if (id == nullptr || !id->is_number_integer() || *id != seed) continue;
            const auto value = real(member(&entry, arm), key);
            if (!value) return std::nullopt;
            values.push_back(*value);
            break;
        }
    }
    if (values.empty() || values.size() != seeds.size()) return std::nullopt;
    return mean(values);
}

PValueCheck recompute_p(const Json& document) {
    PValueCheck check;
    const Json* endpoint = member(member(&document, "statistics"), "endpoint");
    check.stated = real(endpoint, "p");
    const Json* seeds = member(endpoint, "seeds");
    const Json* per_seed = member(&document, "per_seed");
    if (!check.stated || seeds == nullptr || !seeds->is_array() || seeds->size() > kEnumerationLimit ||
        per_seed == nullptr || !per_seed->is_array()) {
        return check;
    }
    const auto value_of = [&](const Json& entry, const char* arm) -> std::optional<double> {
        const Json* list = member(member(&entry, arm), "evaluations");
        if (list == nullptr || !list->is_array()) return std::nullopt;
        for (const Json& item : *list) {
            bool same = true;
            for (const char* key : {"metric", "length", "mode", "stride", "targets"}) {
                const Json* ours = member(&item, key);
                const Json* wanted = member(endpoint, key);
                same = same && ours != nullptr && wanted != nullptr && *ours == *wanted;
            }
            if (same) return real(&item, "value");
        }
        return std::nullopt;
    };
    std::vector<double> differences;
    for (const Json& seed : *seeds) {
        for (const Json& entry : *per_seed) {
            const Json* id = member(&entry, "seed");
            if (id == nullptr || *id != seed) continue;
            const auto a = value_of(entry, "baseline");
            const auto b = value_of(entry, "method");
            if (a && b) differences.push_back(*b - *a);
            break;
        }
    }
    if (differences.size() == seeds->size()) check.computed = sign_flip_test(differences).p;
    return check;
}

}  // namespace sextant
