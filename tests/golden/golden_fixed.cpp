// alibi_slopes, alibi_bias_small, rope_tables, rope_scaling, rope_decay, sinusoidal, xpos, sandwich.

#include "tests/golden/golden_cases.h"

namespace sextant::golden {
namespace {

using nlohmann::json;

class Adder {
  public:
    Adder(std::vector<Case>& all, const json& document)
        : all_(all), relative_(document.at("rtol")), absolute_(document.at("atol")) {}
    Case& operator()(const std::string& name, json options, const json& expected) {
        Case made;
        made.name = name;
        made.options = std::move(options);
        made.expected = expected;
        made.relative = relative_;
        made.absolute = absolute_;
        all_.push_back(std::move(made));
        return all_.back();
    }

  private:
    std::vector<Case>& all_;
    double relative_;
    double absolute_;
};

void add_slopes(std::vector<Case>& all) {
    const json document = read_golden("alibi_slopes");
    Adder add(all, document);
    const json& expected = document.at("expected");
    const auto options = [](const std::string& heads) {
        return json{{"encoding", "alibi"}, {"what", "slopes"}, {"heads", std::stoi(heads)}};
    };
    for (const auto& [heads, slopes] : expected.at("slopes").items()) {
        add("slopes " + heads, options(heads), slopes);
    }
    for (const auto& [heads, slopes] : expected.at("naive_formula_2^(-8k/n)_DIFFERENT_for_non_power_of_two").items()) {
        json naive = options(heads);
        naive["param"] = {{"slopes", "naive"}};
        add("naive slopes " + heads, naive, slopes);
    }
    for (const auto& [bias_max, by_heads] : expected.at("alibi_bias_max_variants").items()) {
        for (const auto& [heads, slopes] : by_heads.items()) {
            json variant = options(heads);
            variant["param"] = {{"bias_max", std::stoi(bias_max)}};
            add("bias_max " + bias_max + " heads " + heads, variant, slopes);
        }
    }
}

void add_alibi_bias(std::vector<Case>& all) {
    const json document = read_golden("alibi_bias_small");
    Adder add(all, document);
    const json& expected = document.at("expected");
    const json& inputs = document.at("inputs");
    const json plain = {
        {"encoding", "alibi"}, {"what", "bias"}, {"heads", inputs.at("heads")}, {"length", inputs.at("len")}};
    const auto with = [&plain](const json& more) {
        json options = plain;
        options.update(more);
        return options;
    };
    add("alibi causal", plain, expected.at("causal"));
    add("alibi symmetric", with({{"symmetric", true}}), expected.at("symmetric"));
    add("alibi decode", with({{"queries", 2}}), expected.at("causal_decode_last_queries"));
    add("alibi symmetric offset", with({{"queries", 2}, {"symmetric", true}}), expected.at("symmetric_query_offset"));
    add("alibi single step", with({{"queries", 1}}), expected.at("single_step_last_query"));
    add("alibi window", with({{"window", inputs.at("len").get<int>() / 2}}), expected.at("causal_window_bias"));
}

void add_rope(std::vector<Case>& all) {
    const json document = read_golden("rope_tables");
    Adder add(all, document);
    for (const auto& [name, table] : document.at("expected").items()) {
        const std::size_t base = name.find("_base");
        const json plain = {{"encoding", "rope"},
                            {"head-dim", std::stoi(name.substr(1, base - 1))},
                            {"param", {{"base", std::stod(name.substr(base + 5))}}}};
        const auto what = [&](const std::string& kind, bool positions) {
            json options = plain;
            options["what"] = kind;
            if (positions) options["positions"] = document.at("inputs").at("positions");
            return options;
        };
        add("rope inverse frequencies " + name, what("inverse-frequencies", false), table.at("inv_freq"));
        for (const char* kind : {"angles", "cos", "sin"})
            add(std::string("rope ") + kind + " " + name, what(kind, true), table.at(kind));
        for (const auto& [layout, key] :
             {std::pair{"half-split", "rotated_half_split"}, std::pair{"interleaved", "rotated_interleaved"}}) {
            json options = what("rotate", true);
            options["vector"] = table.at("vector");
            options["param"]["layout"] = layout;
            add(std::string("rope rotate ") + layout + " " + name, options, table.at(key));
        }
    }
}

void add_scaling(std::vector<Case>& all) {
    const json document = read_golden("rope_scaling");
    Adder add(all, document);
    for (const auto& [name, by_method] : document.at("expected").items()) {
        const std::size_t original = name.find("_orig");
        const std::size_t factor = name.find("_factor");
        json parameters = {{"base", std::stod(name.substr(4, original - 4))},
                           {"original_length", std::stoi(name.substr(original + 5, factor - original - 5))},
                           {"factor", std::stod(name.substr(factor + 7))}};
        const auto scaled = [&, &name = name](const std::string& method, const json& values, double attention) {
            json options = {{"encoding", "rope"},
                            {"what", "inverse-frequencies"},
                            {"head-dim", document.at("inputs").at("head_dim")},
                            {"param", parameters}};
            options["param"]["scaling"] = method;
            Case& made = add("rope " + method + " " + name, options, values);
            made.attention_factor = attention;
        };
        scaled("none", by_method.at("default"), 1.0);
        scaled("linear", by_method.at("linear"), 1.0);
        scaled("ntk", by_method.at("ntk_aware").at("inv_freq"), 1.0);
        const double attention = by_method.at("yarn").at("attention_factor_on_cos_sin");
        scaled("yarn", by_method.at("yarn").at("inv_freq"), attention);
        scaled("yarn-paper", by_method.at("yarn").at("inv_freq_paper_ramp_on_r"), attention);
        scaled("llama3", by_method.at("llama3").at("inv_freq"), 1.0);
        for (const auto& [length, dynamic] : by_method.at("dynamic_ntk_by_seq_len").items()) {
            parameters["sequence_length"] = std::stoi(length);
            scaled("dynamic-ntk", dynamic.at("inv_freq"), 1.0);
            all.back().name += " at " + length;
        }
    }
}

void add_decay(std::vector<Case>& all) {
    const json document = read_golden("rope_decay");
    Adder add(all, document);
    for (const auto& [name, decay] : document.at("expected").items()) {
        const std::size_t base = name.find("_base");
        add("rope decay " + name,
            {{"encoding", "rope"},
             {"what", "decay"},
             {"head-dim", std::stoi(name.substr(1, base - 1))},
             {"length", decay.at("relative_upper_bound").size()},
             {"param", {{"base", std::stod(name.substr(base + 5))}}}},
            decay.at("relative_upper_bound"));
    }
}

void add_sinusoidal(std::vector<Case>& all) {
    const json document = read_golden("sinusoidal");
    Adder add(all, document);
    for (const auto& [name, by_variant] : document.at("expected").items()) {
        for (const auto& [variant, key] :
             {std::pair{"interleaved", "vaswani_interleaved"}, std::pair{"fairseq", "fairseq_half_split"},
              std::pair{"half-split", "half_split_2i_over_d"}}) {
            add(std::string("sinusoidal ") + variant + " " + name,
                {{"encoding", "sinusoidal"},
                 {"what", "additive"},
                 {"d-model", std::stoi(name.substr(1))},
                 {"positions", document.at("inputs").at("positions")},
                 {"param", {{"variant", variant}}}},
                by_variant.at(key));
        }
    }
}

void add_xpos(std::vector<Case>& all) {
    const json document = read_golden("xpos");
    Adder add(all, document);
    for (const auto& [name, table] : document.at("expected").items()) {
        for (const char* side : {"query", "key"}) {
            add(std::string("xpos ") + side + " " + name,
                {{"encoding", "xpos"},
                 {"what", "rotate"},
                 {"side", side},
                 {"positions", document.at("inputs").at("positions")},
                 {"vector", table.at("vector")}},
                table.at(std::string("rotated_") + side));
        }
    }
}

void add_sandwich(std::vector<Case>& all) {
    const json document = read_golden("extra_encodings");
    Adder add(all, document);
    const json& bias = document.at("expected").at("sandwich_bias");
    // The last query of 65 keys sees distance 64 first.
    json last_query = json::array();
    for (const json& head : bias) {
        json row = json::array();
        for (auto value = head.rbegin(); value != head.rend(); ++value)
            row.push_back(*value);
        last_query.push_back(json::array({row}));
    }
    add("sandwich",
        {{"encoding", "sandwich"},
         {"what", "bias"},
         {"heads", 8},
         {"length", bias[0].size()},
         {"queries", 1},
         {"param", {{"d_bar", 128}}}},
        last_query);
}

}  // namespace

void add_fixed_cases(std::vector<Case>& all) {
    add_slopes(all);
    add_alibi_bias(all);
    add_rope(all);
    add_scaling(all);
    add_decay(all);
    add_sinusoidal(all);
    add_xpos(all);
    add_sandwich(all);
}

}  // namespace sextant::golden
