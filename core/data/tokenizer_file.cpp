// The Hugging Face tokenizer.json form of a byte-level BPE. Files of others are checked whole before use: what they
// ask for beyond this (normalizers, other pre-tokenizers) is refused by name, because ignoring it gives other ids.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/data/byte_pair_encoder.h"
#include "core/data/byte_pair_state.h"

namespace sextant {
namespace {

constexpr std::size_t kLargestVocabulary = 1U << 20U;

class Reader {
  public:
    Reader(const Json& document, const std::string& path) : document_(document), path_(path) {}

    Result<BytePairEncoder> read() {
        if (!document_.is_object()) return refuse("", "is not a tokenizer.json: an object is expected");
        SEXTANT_CHECK(check_features());
        SEXTANT_CHECK(read_added());
        SEXTANT_CHECK(read_vocabulary());
        SEXTANT_CHECK(read_merges());
        SEXTANT_CHECK(find_end_of_text());
        return BytePairEncoder(std::move(state_));
    }

  private:
    [[nodiscard]] Error refuse(std::string pointer, std::string message) const {
        Error error = data_error(std::move(message), path_);
        error.pointer = std::move(pointer);
        return error;
    }
    static std::string type_of(const Json& part) {
        if (part.is_object() && part.contains("type") && part["type"].is_string()) {
            return fmt::format("\"{}\"", single_line(part["type"].get<std::string>(), 60));
        }
        return "without a type";
    }
    // A member that may be absent or null.
    static const Json* member(const Json& object, const char* key) {
        const auto found = object.find(key);
        return found == object.end() || found->is_null() ? nullptr : &*found;
    }

    Status check_features() {
        if (const Json* normalizer = member(document_, "normalizer")) {
            return refuse("/normalizer", "normalizer " + type_of(*normalizer) + " is not supported (only none)");
        }
        const Json* cut = member(document_, "pre_tokenizer");
        if (cut == nullptr) return refuse("/pre_tokenizer", "is missing; only ByteLevel tokenizers can be read");
        if (!cut->is_object() || cut->value("type", Json()) != "ByteLevel") {
            return refuse("/pre_tokenizer", "pre-tokenizer " + type_of(*cut) + " is not supported (only ByteLevel)");
        }
        if (cut->value("add_prefix_space", Json(false)) != false) {
            return refuse("/pre_tokenizer/add_prefix_space", "is not supported (only false)");
        }
        if (cut->value("use_regex", Json(true)) != true) {
            return refuse("/pre_tokenizer/use_regex", "is not supported (only true)");
        }
        for (const char* part : {"post_processor", "decoder"}) {
            const Json* value = member(document_, part);
            if (value != nullptr && (!value->is_object() || value->value("type", Json()) != "ByteLevel")) {
                return refuse(std::string("/") + part,
                              fmt::format("{} {} is not supported (only ByteLevel)", part, type_of(*value)));
            }
        }
        const Json* model = member(document_, "model");
        if (model == nullptr || !model->is_object()) return refuse("/model", "is missing or not an object");
        const Json* type = member(*model, "type");
        if (type != nullptr && *type != "BPE") {
            return refuse("/model/type", "model " + type_of(*model) + " is not supported (only BPE)");
        }
        for (const char* key :
             {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback", "ignore_merges"}) {
            const Json* value = member(*model, key);
            if (value != nullptr && *value != "" && *value != false && *value != 0) {
                return refuse(std::string("/model/") + key, "is not supported (only off)");
            }
        }
        return {};
    }

    Status read_added() {
        const Json* list = member(document_, "added_tokens");
        if (list == nullptr) return {};
        if (!list->is_array()) return refuse("/added_tokens", "is not a list");
        for (std::size_t i = 0; i < list->size(); ++i) {
            const std::string at = json_pointer("/added_tokens", i);
            const Json& entry = (*list)[i];
            if (!entry.is_object() || !entry.contains("id") || !entry.contains("content") ||
                !entry["id"].is_number_integer() || !entry["content"].is_string()) {
                return refuse(at, "has no whole-number \"id\" or no text \"content\"");
            }
            AddedToken token;
            token.content = entry["content"].get<std::string>();
            const auto id = entry["id"].is_number_unsigned() && entry["id"].get<std::uint64_t>() > kLargestVocabulary
                                ? static_cast<std::int64_t>(kLargestVocabulary)
                                : entry["id"].get<std::int64_t>();
            if (id < 0 || id >= static_cast<std::int64_t>(kLargestVocabulary)) {
                return refuse(at + "/id", fmt::format("is out of range (0 to {})", kLargestVocabulary - 1));
            }
            if (token.content.empty()) return refuse(at + "/content", "is empty");
            token.id = static_cast<std::int32_t>(id);
            token.special = entry.value("special", Json(false)) == true;
            for (const char* flag : {"lstrip", "rstrip", "single_word"}) {
                if (entry.value(flag, Json(false)) != false) {
                    return refuse(at + "/" + flag, "is not supported (only false)");
                }
            }
            for (const AddedToken& other : state_->added) {
                if (other.id == token.id || other.content == token.content) {
                    return refuse(at, "repeats the id or the content of an earlier added token");
                }
            }
            state_->added.push_back(std::move(token));
            if (state_->added.size() > 4096) return refuse("/added_tokens", "holds more than 4096 tokens");
        }
        return {};
    }

    Status read_vocabulary() {
        const Json* vocabulary = member(document_["model"], "vocab");
        if (vocabulary == nullptr || !vocabulary->is_object()) {
            return refuse("/model/vocab", "is missing or not an object");
        }
        std::unordered_map<std::string, std::int32_t> added;
        for (const AddedToken& token : state_->added)
            added.emplace(token.content, token.id);
        const std::size_t most = vocabulary->size() + added.size();
        if (most > kLargestVocabulary) {
            return refuse("/model/vocab", fmt::format("has {} tokens; {} can be read", most, kLargestVocabulary));
        }
        std::vector<std::string> spelled(most);
        std::size_t count = 0;
        const auto place = [&](const std::string& token, std::int64_t id, const std::string& at) -> Status {
            if (id < 0 || id >= static_cast<std::int64_t>(most)) {
                return refuse(at, fmt::format("id {} is out of range: ids are 0 to {} without gaps", id, most - 1));
            }
            if (!spelled[static_cast<std::size_t>(id)].empty()) {
                return refuse(at, fmt::format("id {} is given to two tokens", id));
            }
            spelled[static_cast<std::size_t>(id)] = token;
            ++count;
            return {};
        };
        for (const auto& [token, id] : vocabulary->items()) {
            const std::string at = json_pointer("/model/vocab", single_line(token, 80));
            if (token.empty()) return refuse("/model/vocab", "has an empty token");
            if (!id.is_number_integer() || (id.is_number_unsigned() && id.get<std::uint64_t>() > kLargestVocabulary)) {
                return refuse(at, "is not a token id");
            }
            SEXTANT_CHECK(place(token, id.get<std::int64_t>(), at));
            ids_.emplace(token, id.get<std::int32_t>());
        }
        for (const AddedToken& token : state_->added) {
            const auto known = ids_.find(token.content);
            if (known == ids_.end()) {
                SEXTANT_CHECK(place(token.content, token.id, "/added_tokens"));
            } else if (known->second != token.id) {
                return refuse("/added_tokens", fmt::format("\"{}\" has id {} here and {} in the vocabulary",
                                                           single_line(token.content, 60), token.id, known->second));
            }
        }
        state_->bytes.resize(count);
        for (std::size_t id = 0; id < count; ++id) {
            if (spelled[id].empty()) return refuse("/model/vocab", fmt::format("no token has id {}", id));
            if (added.count(spelled[id]) > 0) {
                state_->bytes[id] = spelled[id];
                continue;
            }
            auto bytes = unspell_bytes(spelled[id]);
            if (!bytes) {
                return refuse(json_pointer("/model/vocab", single_line(spelled[id], 80)),
                              "is not spelled in the byte-level alphabet");
            }
            state_->bytes[id] = std::move(*bytes);
        }
        for (unsigned byte = 0; byte < 256; ++byte) {
            const std::string one(1, static_cast<char>(byte));
            const auto found = ids_.find(spell_bytes(one));
            if (found == ids_.end()) {
                return refuse("/model/vocab",
                              fmt::format("has no token for byte 0x{:02X}, so not every text can be encoded", byte));
            }
            state_->byte_id[byte] = found->second;
        }
        return {};
    }

    Status read_merges() {
        const Json* merges = member(document_["model"], "merges");
        if (merges == nullptr || !merges->is_array()) return refuse("/model/merges", "is missing or not a list");
        if (merges->size() > 2 * kLargestVocabulary) return refuse("/model/merges", "is too long");
        state_->table.reserve(merges->size());
        state_->merges.reserve(merges->size());
        std::vector<bool> special(state_->bytes.size(), false);
        for (const AddedToken& token : state_->added)
            special[static_cast<std::size_t>(token.id)] = token.special;
        for (std::size_t rank = 0; rank < merges->size(); ++rank) {
            const std::string at = json_pointer("/model/merges", rank);
            const Json& entry = (*merges)[rank];
            std::string left;
            std::string right;
            if (entry.is_string()) {
                const auto& text = entry.get_ref<const std::string&>();
                const std::size_t space = text.find(' ');
                if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
                    return refuse(at, "is not two tokens with one space between");
                }
                left = text.substr(0, space);
                right = text.substr(space + 1);
            } else if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
                left = entry[0].get<std::string>();
                right = entry[1].get<std::string>();
            } else {
                return refuse(at, "is neither \"a b\" nor [\"a\", \"b\"]");
            }
            const auto a = ids_.find(left);
            const auto b = ids_.find(right);
            const auto whole = ids_.find(left + right);
            for (const auto& [found, name] :
                 {std::pair{a, left}, std::pair{b, right}, std::pair{whole, left + right}}) {
                if (found == ids_.end()) {
                    return refuse(at, fmt::format("\"{}\" is not in the vocabulary", single_line(name, 80)));
                }
                if (special[static_cast<std::size_t>(found->second)]) {
                    return refuse(at, fmt::format("\"{}\" is a special token", single_line(name, 80)));
                }
            }
            if (!state_->table.insert(a->second, b->second, {static_cast<std::uint32_t>(rank), whole->second})) {
                return refuse(at, "repeats an earlier merge");
            }
            state_->merges.emplace_back(a->second, b->second);
        }
        return {};
    }

    Status find_end_of_text() {
        for (const char* name : {"<|endoftext|>", "</s>", "<|end_of_text|>", "<eos>"}) {
            for (const AddedToken& token : state_->added) {
                if (token.content == name) {
                    state_->end_of_text = token.id;
                    return {};
                }
            }
        }
        return refuse("/added_tokens", "has no end-of-text token (<|endoftext|>, </s>, <|end_of_text|> or <eos>)");
    }

    const Json& document_;
    const std::string& path_;
    std::unordered_map<std::string, std::int32_t> ids_;
    std::shared_ptr<BytePairEncoder::State> state_ = [] {
        auto state = std::make_shared<BytePairEncoder::State>();
        state->bytes.clear();
        state->added.clear();
        return state;
    }();
};

std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<BytePairEncoder> BytePairEncoder::from_json(std::string_view document, const std::string& path) {
    auto parsed = parse_json(document, path);
    if (!parsed) return std::move(parsed).error();
    return Reader(*parsed, path).read();
}

std::string BytePairEncoder::to_json() const {
    std::vector<bool> literal(state_->bytes.size(), false);
    std::string text =
        "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n  \"added_tokens\": [";
    for (std::size_t i = 0; i < state_->added.size(); ++i) {
        const AddedToken& token = state_->added[i];
        literal[static_cast<std::size_t>(token.id)] = true;
        text += fmt::format(
            "{}\n    {{\"id\": {}, \"content\": {}, \"single_word\": false, \"lstrip\": false, \"rstrip\": false, "
            "\"normalized\": false, \"special\": {}}}",
            i == 0 ? "" : ",", token.id, quoted(token.content), token.special);
    }
    text +=
        "\n  ],\n  \"normalizer\": null,\n"
        "  \"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true, "
        "\"use_regex\": true},\n"
        "  \"post_processor\": null,\n"
        "  \"decoder\": {\"type\": \"ByteLevel\", \"add_prefix_space\": true, \"trim_offsets\": true, "
        "\"use_regex\": true},\n"
        "  \"model\": {\n    \"type\": \"BPE\",\n    \"dropout\": null,\n    \"unk_token\": null,\n"
        "    \"continuing_subword_prefix\": null,\n    \"end_of_word_suffix\": null,\n    \"fuse_unk\": false,\n"
        "    \"byte_fallback\": false,\n    \"vocab\": {";
    for (std::size_t id = 0; id < state_->bytes.size(); ++id) {
        const std::string& bytes = state_->bytes[id];
        text +=
            fmt::format("{}\n      {}: {}", id == 0 ? "" : ",", quoted(literal[id] ? bytes : spell_bytes(bytes)), id);
    }
    text += "\n    },\n    \"merges\": [";
    for (std::size_t rank = 0; rank < state_->merges.size(); ++rank) {
        const auto [left, right] = state_->merges[rank];
        text += fmt::format("{}\n      {}", rank == 0 ? "" : ",",
                            quoted(spell_bytes(bytes_of(left)) + " " + spell_bytes(bytes_of(right))));
    }
    text += "\n    ]\n  }\n}\n";
    return text;
}

}  // namespace sextant
