// t5_buckets, kerple, and lookups of a learned table.

#include <algorithm>

#include "tests/golden/golden_cases.h"

namespace sextant::golden {
namespace {

using nlohmann::json;

void add(std::vector<Case>& all, const json& document, const std::string& name, json options, const json& expected) {
    Case made;
    made.name = name;
    made.options = std::move(options);
    made.expected = expected;
    made.relative = document.at("rtol");
    made.absolute = document.at("atol");
    all.push_back(std::move(made));
}

// A bias by distance as the last query sees it: the farthest key first, one row for each head.
json as_last_query(json by_distance) {
    std::reverse(by_distance.begin(), by_distance.end());
    return json::array({json::array({by_distance})});
}

void add_buckets(std::vector<Case>& all) {
    const json document = read_golden("t5_buckets");
    const json& expected = document.at("expected");
    const auto both_directions = [&](const std::string& name, json parameters, const json& causal,
                                     const json& bidirectional) {
        const json plain = {{"encoding", "t5"}, {"what", "buckets"}};
        json options = plain;
        options["length"] = causal.size();
        options["param"] = parameters;
        add(all, document, "t5 causal " + name, options, causal);
        options = plain;
        const auto reach = static_cast<int>(bidirectional.size() / 2);
        json positions = json::array();
        for (int position = -reach; position <= reach; ++position)
            positions.push_back(position);
        options["positions"] = positions;
        parameters["bidirectional"] = true;
        options["param"] = parameters;
        add(all, document, "t5 bidirectional " + name, options, bidirectional);
    };
    both_directions("32_128", {{"num_buckets", 32}, {"max_distance", 128}}, expected.at("causal"),
                    expected.at("bidirectional"));
    for (const auto& [name, causal] : expected.at("extra_causal").items()) {
        const std::size_t bar = name.find('_');
        both_directions(
            name, {{"num_buckets", std::stoi(name.substr(0, bar))}, {"max_distance", std::stoi(name.substr(bar + 1))}},
            causal, expected.at("extra_bidirectional").at(name));
    }
    // A table whose entry is 10 * bucket + head shows the golden bucket of each distance.
    json table = json::array();
    for (int bucket = 0; bucket < 32; ++bucket)
        table.push_back({10 * bucket, 10 * bucket + 1, 10 * bucket + 2});
    json bias = json::array();
    for (int head = 0; head < 3; ++head) {
        json row = json::array();
        for (int distance = 200; distance >= 0; --distance)
            row.push_back(10 * expected.at("causal")[static_cast<std::size_t>(distance)].get<int>() + head);
        bias.push_back(json::array({row}));
    }
    add(all, document, "t5 bias",
        {{"encoding", "t5"}, {"what", "bias"}, {"length", 201}, {"queries", 1}, {"values", table}}, bias);
}

void add_kerple(std::vector<Case>& all) {
    const json document = read_golden("kerple");
    const auto both = [&](const std::string& id, const json& rows, const char* r1, const char* r2) {
        for (const json& row : rows) {
            add(all, document, id + " " + row.at(r1).dump() + " " + row.at(r2).dump(),
                {{"encoding", id},
                 {"what", "bias"},
                 {"heads", 1},
                 {"length", row.at("bias").size()},
                 {"queries", 1},
                 {"param", {{"r1", row.at(r1)}, {"r2", row.at(r2)}}}},
                as_last_query(row.at("bias")));
        }
    };
    both("kerple-log", document.at("expected").at("log"), "p_r1", "a_r2");
    both("kerple-power", document.at("expected").at("power"), "a_r1", "p_r2");
}

void add_learned_table(std::vector<Case>& all) {
    // `learned` is a lookup of its own table: the rows come back as they went in.
    Case made;
    made.name = "learned";
    const json table = {{0.5, -1.25, 3.0}, {4.0, 5.5, -6.0}, {7.0, 8.0, 9.0}, {-0.125, 0.0, 1.0}};
    made.options = {{"encoding", "learned"}, {"what", "additive"}, {"positions", {3, 0, 3}}, {"values", table}};
    made.expected = {table[3], table[0], table[3]};
    all.push_back(std::move(made));
}

void add_fire(std::vector<Case>& all) {
    const json document = read_golden("extra_encodings");
    const json& fire = document.at("inputs").at("fire");
    add(all, document, "fire",
        {{"encoding", "fire"},
         {"what", "bias"},
         {"length", fire.at("len")},
         {"param", {{"c", fire.at("c")}, {"length_threshold", fire.at("threshold")}}},
         {"values", {{"w1", fire.at("w1")}, {"b1", fire.at("b1")}, {"w2", fire.at("w2")}, {"b2", fire.at("b2")}}}},
        document.at("expected").at("fire_bias_causal"));
}

}  // namespace

void add_learned_cases(std::vector<Case>& all) {
    add_buckets(all);
    add_kerple(all);
    add_learned_table(all);
    add_fire(all);
}

}  // namespace sextant::golden
