#pragma once
// The numbers an encoding means, as one request and one table: the command line, the window and `serve` all ask here.
// Everything is computed in double and rounded last; with a lower precision the table is what an implementation in that
// precision would compute, and the report beside it says how far off that is.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/encoding/position_encoding.h"
#include "core/encoding/rotation.h"

namespace sextant {

struct TableRequest {
    EncodingConfig encoding;
    std::string what;
    // Sizes that were not given are taken from the vector or the learned values, else from these defaults.
    std::optional<std::int64_t> heads;     // 8
    std::optional<std::int64_t> head_dim;  // 64
    std::optional<std::int64_t> d_model;   // 512
    std::optional<std::int64_t> length;    // 64; one more than the largest position where positions are given
    std::optional<std::int64_t> queries;   // the last N of `length` keys; all of them if absent
    std::vector<std::int64_t> positions;   // 0 .. length - 1 if empty
    bool symmetric = false;                // encoder form: no causal mask
    std::int64_t window = 0;               // keys at this distance and beyond are masked; 0: no window
    std::vector<double> vector;            // for `rotate`
    Side side = Side::kQuery;
    std::shared_ptr<const nlohmann::json> values;  // learned values as they stand in a file
    Precision precision = Precision::kFp64;
};

struct PrecisionReport {
    std::string unit;                     // "logits", "radians" or "values"
    double maximum = 0.0;                 // largest absolute error against double
    std::vector<double> by_position;      // largest error at each distance (bias), position or query
    std::int64_t distinct_positions = 0;  // how many of the positions are still told apart
    std::int64_t positions = 0;
};

struct NamedTable {
    std::string encoding;
    std::string what;
    std::vector<std::string> axes;  // names of the dimensions: "head", "query", "key"
    std::vector<std::int64_t> shape;
    std::vector<double> values;           // row-major; masked entries are -infinity
    std::vector<std::int64_t> positions;  // what the first axis stands for, where it is not 0, 1, 2, ...
    std::optional<double> attention_factor;
    ParameterValues parameters;  // complete
    std::string formula;         // with the numbers filled in
    std::optional<PrecisionReport> precision;
    Precision precision_used = Precision::kFp64;
    std::vector<std::string> notes;  // warnings a person should see
    // Of other people's code: name, what it computes, what is right and wrong (conventions.h); else empty.
    std::vector<std::pair<std::string, std::string>> convention;
};

// All names `what` can have, and those one encoding has.
[[nodiscard]] const std::vector<std::string>& table_names();
[[nodiscard]] std::vector<std::string> available_tables(const PositionEncoding& encoding);
// Usage error: unknown encoding or table; config error: parameter or size out of range.
[[nodiscard]] Result<NamedTable> make_table(const TableRequest& request);
// The encoding a request speaks of, sizes inferred.
[[nodiscard]] Result<std::unique_ptr<PositionEncoding>> encoding_of(const TableRequest& request);
// Option names of the command as keys ("head-dim" or "head_dim", "param" {name: value}): what `serve` receives.
[[nodiscard]] Result<TableRequest> table_request_from_json(const nlohmann::json& options);

}  // namespace sextant
