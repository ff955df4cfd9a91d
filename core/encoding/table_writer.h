#pragma once
// A table as JSON (nested arrays, minus infinity as "-inf") or CSV (one line a value: its indices, then the value).
// Streams in pieces, so that a table of gigabytes does not become a string of gigabytes.

#include <functional>
#include <string_view>

#include "core/encoding/table_request.h"

namespace sextant {

using TextSink = std::function<void(std::string_view piece)>;

void write_table_json(const NamedTable& table, const TextSink& sink);
void write_table_csv(const NamedTable& table, const TextSink& sink);

}  // namespace sextant
