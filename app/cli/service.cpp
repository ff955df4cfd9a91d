#include "app/cli/service.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/model_requests.h"
#include "core/base/build_info.h"
#include "core/base/text.h"
#include "core/encoding/table_request.h"
#include "core/engine/device.h"
#include "core/tensor_file/npy.h"

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kInlineBytes = 64 * 1024;
constexpr std::size_t kLineBytes = std::size_t{16} << 20;

std::string runtime_root() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code code;
    if (runtime != nullptr && *runtime != '\0' && fs::is_directory(runtime, code)) return runtime;
    return fs::temp_directory_path(code).string();
}

// Folders of services that are gone: named by process, owned by us.
void remove_stale(const std::string& root) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(root, code)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("sextant-", 0) != 0 || !entry.is_directory(code)) continue;
        const auto process = parse_integer(std::string_view(name).substr(8));
        if (!process || *process <= 0 || ::kill(static_cast<pid_t>(*process), 0) == 0 || errno != ESRCH) continue;
        fs::remove_all(entry.path(), code);
    }
}

// Options as the command's names, with - or _; numbers may come as text.
const Json* option(const Json& params, std::string name) {
    if (!params.is_object()) return nullptr;
    if (const auto found = params.find(name); found != params.end() && !found->is_null()) return &*found;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    if (const auto found = params.find(name); found != params.end() && !found->is_null()) return &*found;
    return nullptr;
}

Result<std::string> text_option(const Json& params, const std::string& name, const std::string& otherwise) {
    const Json* value = option(params, name);
    if (value == nullptr) return otherwise;
    if (value->is_string()) return value->get<std::string>();
    if (value->is_number() || value->is_boolean()) return value->dump();
    return usage_error("params: \"" + name + "\" is not a text");
}
Result<std::int64_t> integer_option(const Json& params, const std::string& name, std::int64_t otherwise) {
    SEXTANT_TRY(text, text_option(params, name, std::to_string(otherwise)));
    const auto number = parse_integer(text);
    if (!number) return usage_error("params: \"" + name + "\" is not a whole number");
    return *number;
}
Result<double> real_option(const Json& params, const std::string& name, double otherwise) {
    SEXTANT_TRY(text, text_option(params, name, format_exact(otherwise)));
    const auto number = parse_double(text);
    if (!number) return usage_error("params: \"" + name + "\" is not a number");
    return *number;
}
bool flag_option(const Json& params, const std::string& name) {
    const Json* value = option(params, name);
    return value != nullptr && ((value->is_boolean() && value->get<bool>()) || (value->is_number() && *value != 0));
}
Result<std::vector<std::int64_t>> list_option(const Json& params, const std::string& name) {
    const Json* value = option(params, name);
    if (value == nullptr) return std::vector<std::int64_t>();
    if (value->is_array()) {
        std::vector<std::int64_t> numbers;
        for (const Json& element : *value) {
            if (!element.is_number_integer())
                return usage_error("params: \"" + name + "\" holds something that is no whole number");
            numbers.push_back(element.get<std::int64_t>());
        }
        return numbers;
    }
    SEXTANT_TRY(text, text_option(params, name, ""));
    return number_list("params: " + name, text);
}

}  // namespace

struct Service::Request {
    Json id;
    std::string key;  // the id as text
    std::string method;
    Json params;
};

Service::Service(std::istream& in, std::ostream& out) : in_(in), out_(out) {}
Service::~Service() {
    std::error_code code;
    if (!directory_.empty()) fs::remove_all(directory_, code);
}

void Service::send(const OrderedJson& message) {
    const std::string line = dump_json(message, -1) + "\n";
    const std::lock_guard lock(output_);
    out_ << line << std::flush;
}

void Service::send_error(const Json& id, const Error& error) {
    send({{"id", id}, {"ok", false}, {"error", {{"code", error.exit_status()}, {"message", error.sentence()}}}});
}

bool Service::is_cancelled(const std::string& id) {
    const std::lock_guard lock(state_);
    return cancelled_.contains(id);
}

void Service::run() {
    remove_stale(runtime_root());
    send({{"ready", true}, {"version", build_info().version}, {"protocol", 1}, {"commit", build_info().commit}});
    std::thread worker([this] { work(); });
    std::string line;
    while (std::getline(in_, line)) {
        if (trimmed(line).empty()) continue;
        const auto parsed = parse_json(line, "request", JsonLimits{kLineBytes, 64, 2'000'000});
        if (!parsed.ok() || !parsed->is_object()) {
            send_error(nullptr, parsed.ok() ? usage_error("a request is a JSON object with id, method and params")
                                            : parsed.error());
            continue;
        }
        auto request = std::make_shared<Request>();
        request->id = parsed->value("id", Json());
        request->key = request->id.dump();
        const auto method = parsed->find("method");
        if (method == parsed->end() || !method->is_string()) {
            send_error(request->id, usage_error("a request needs \"method\""));
            continue;
        }
        request->method = method->get<std::string>();
        request->params = parsed->value("params", Json::object());
        if (request->method == "cancel") {
            const std::string target = request->params.value("id", Json()).dump();
            bool found = false;
            {
                const std::lock_guard lock(state_);
                found = pending_.contains(target);
                if (found) cancelled_.insert(target);
            }
            send({{"id", request->id}, {"ok", true}, {"result", {{"cancelled", found}}}});
            continue;
        }
        const std::lock_guard lock(state_);
        pending_.insert(request->key);
        queue_.push_back(std::move(request));
        ready_.notify_one();
    }
    {
        const std::lock_guard lock(state_);
        closing_ = true;
    }
    ready_.notify_one();
    worker.join();
}

void Service::work() {
    for (;;) {
        std::shared_ptr<Request> request;
        {
            std::unique_lock lock(state_);
            ready_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) return;
            request = queue_.front();
            queue_.pop_front();
        }
        answer(*request);
        const std::lock_guard lock(state_);
        pending_.erase(request->key);
        cancelled_.erase(request->key);
    }
}

void Service::answer(const Request& request) {
    auto result = guarded([&]() -> Result<OrderedJson> {
        if (is_cancelled(request.key)) return Error{ErrorCode::kCancelled, "the request was cancelled", {}, {}, {}};
        return dispatch(request);
    });
    if (result.ok()) {
        send({{"id", request.id}, {"ok", true}, {"result", std::move(*result)}});
    } else {
        send_error(request.id, result.error());
    }
}

Result<OrderedJson> Service::dispatch(const Request& request) {
    if (request.method == "attend") return attend(request);
    if (request.method == "evaluate") return evaluate(request);
    if (request.method == "generate") return generate(request);
    if (request.method == "describe") return describe(request);
    if (request.method == "tables") return tables(request);
    if (request.method == "release") {
        SEXTANT_TRY(path, text_option(request.params, "path", ""));
        release(path);
        return OrderedJson{{"released", path}};
    }
    return usage_error("method \"" + request.method.substr(0, 60) +
                       "\" is not one of attend, evaluate, generate, tables, describe, cancel, release");
}

Result<LanguageModel*> Service::model_of(const Request& request) {
    SEXTANT_TRY(path, text_option(request.params, "model", ""));
    SEXTANT_TRY(run, text_option(request.params, "run", ""));
    SEXTANT_TRY(tokenizer, text_option(request.params, "tokenizer", ""));
    if (path.empty()) path = run;
    if (path.empty()) return usage_error("params: \"model\" is missing");
    // A run's newest checkpoint changes under the same name, so runs are read anew.
    const bool is_run = !run.empty() || is_run_folder(path);
    const std::string key = path + "\n" + tokenizer;
    if (!model_ || is_run || key != model_key_) {
        model_.reset();
        SEXTANT_TRY(model, load_language_model({path, tokenizer, is_run}));
        model_ = std::move(model);
        model_key_ = key;
    }
    return &*model_;
}

Result<std::string> Service::array_file() {
    if (directory_.empty()) {
        const std::string path = runtime_root() + "/sextant-" + std::to_string(::getpid());
        std::error_code code;
        fs::create_directory(path, code);
        if (code) return errno_error("cannot create the folder for arrays", path, code.value());
        fs::permissions(path, fs::perms::owner_all, code);
        directory_ = path;
    }
    std::string file = fmt::format("{}/{}.npy", directory_, ++next_file_);
    files_.insert(file);
    return file;
}

void Service::release(const std::string& path) {
    if (!files_.contains(path)) return;
    files_.erase(path);
    std::error_code code;
    fs::remove(path, code);
}

Result<OrderedJson> Service::attend(const Request& request) {
    SEXTANT_TRY(model, model_of(request));
    AttendArguments arguments;
    SEXTANT_TRY(text, text_option(request.params, "text", ""));
    SEXTANT_TRY(layers, list_option(request.params, "layer"));
    SEXTANT_TRY(heads, list_option(request.params, "head"));
    SEXTANT_TRY(ids, list_option(request.params, "ids"));
    SEXTANT_TRY(what, text_option(request.params, "what", "weights"));
    arguments.text = text;
    arguments.layers = layers;
    arguments.heads = heads;
    arguments.what = what;
    SEXTANT_TRY(tokens, integer_option(request.params, "tokens", 0));
    SEXTANT_TRY(offset, integer_option(request.params, "offset", 0));
    arguments.tokens = tokens;
    arguments.offset = offset;
    arguments.statistics_only = flag_option(request.params, "statistics");
    for (const std::int64_t id : ids)
        arguments.ids.push_back(static_cast<std::int32_t>(id));
    SEXTANT_TRY(attended, attend_model(*model, arguments, {[&] { return is_cancelled(request.key); }, nullptr}));
    OrderedJson result = std::move(attended.header);
    const AttentionMaps& maps = attended.maps;
    if (arguments.statistics_only) return result;
    if (maps.values.size() * sizeof(float) <= kInlineBytes) {
        result["values"] = nested_values(maps);
        return result;
    }
    SEXTANT_TRY(file, array_file());
    SEXTANT_CHECK(write_npy(file, std::span<const float>(maps.values),
                            {static_cast<std::int64_t>(maps.layers.size()),
                             static_cast<std::int64_t>(maps.heads.size()), maps.length, maps.length}));
    result["npy"] = file;
    return result;
}

Result<OrderedJson> Service::evaluate(const Request& request) {
    SEXTANT_TRY(model, model_of(request));
    const Json& params = request.params;
    EvaluateArguments arguments;
    SEXTANT_TRY(text, text_option(params, "text", ""));
    SEXTANT_TRY(lengths, list_option(params, "lengths"));
    SEXTANT_TRY(stride, integer_option(params, "stride", arguments.stride));
    SEXTANT_TRY(targets, integer_option(params, "targets", 0));
    SEXTANT_TRY(window, integer_option(params, "window", 0));
    SEXTANT_TRY(sink, integer_option(params, "sink", arguments.sink));
    SEXTANT_TRY(threads, integer_option(params, "threads", 0));
    SEXTANT_TRY(path, text_option(params, "path", "auto"));
    SEXTANT_TRY(probe, text_option(params, "probe", ""));
    SEXTANT_TRY(distances, list_option(params, "distances"));
    SEXTANT_TRY(probes, integer_option(params, "probes", arguments.probes));
    arguments.probe = probe;
    arguments.distances = distances;
    arguments.probes = probes;
    arguments.text = text;
    arguments.lengths = lengths;
    arguments.stride = stride;
    arguments.targets = targets;
    arguments.window = window;
    arguments.sink = sink;
    arguments.threads = threads;
    arguments.path = path;
    arguments.by_position = flag_option(params, "by-position");
    if (const Json* modes = option(params, "modes")) {
        arguments.modes.clear();
        if (modes->is_string()) arguments.modes = word_list(modes->get<std::string>());
        if (modes->is_array()) {
            for (const Json& mode : *modes)
                arguments.modes.push_back(mode.is_string() ? mode.get<std::string>() : mode.dump());
        }
    }
    double sent = 0.0;
    return evaluate_model(*model, arguments,
                          {[&] { return is_cancelled(request.key); },
                           [&](double share) {
                               if (share < sent + 0.01) return;
                               sent = share;
                               send({{"id", request.id}, {"progress", share}});
                           }});
}

Result<OrderedJson> Service::generate(const Request& request) {
    SEXTANT_TRY(model, model_of(request));
    GenerateArguments arguments;
    SEXTANT_TRY(prompt, text_option(request.params, "prompt", ""));
    SEXTANT_TRY(tokens, integer_option(request.params, "tokens", arguments.tokens));
    SEXTANT_TRY(temperature, real_option(request.params, "temperature", 0.0));
    SEXTANT_TRY(seed, integer_option(request.params, "seed", 0));
    arguments.prompt = prompt;
    arguments.tokens = tokens;
    arguments.temperature = temperature;
    arguments.seed = static_cast<std::uint64_t>(seed);
    return generate_text(*model, arguments, {[&] { return is_cancelled(request.key); }, nullptr});
}

Result<OrderedJson> Service::describe(const Request& request) {
    SEXTANT_TRY(path, text_option(request.params, "model", ""));
    SEXTANT_TRY(tokenizer, text_option(request.params, "tokenizer", ""));
    if (path.empty()) return usage_error("params: \"model\" is missing");
    SEXTANT_TRY(described, describe_file(path, tokenizer));
    return std::move(described.document);
}

Result<OrderedJson> Service::tables(const Request& request) {
    SEXTANT_TRY(wanted, table_request_from_json(request.params));
    SEXTANT_TRY(table, make_table(wanted));
    OrderedJson result = {{"encoding", table.encoding}, {"what", table.what}, {"shape", table.shape}};
    if (!table.axes.empty()) result["axes"] = table.axes;
    if (table.attention_factor) result["attention_factor"] = *table.attention_factor;
    if (!table.formula.empty()) result["formula"] = table.formula;
    if (!table.notes.empty()) result["notes"] = table.notes;
    if (table.values.size() * sizeof(double) > kInlineBytes) {
        SEXTANT_TRY(file, array_file());
        SEXTANT_CHECK(write_npy(file, std::span<const double>(table.values), table.shape));
        result["npy"] = file;
        return result;
    }
    // Nested by shape, innermost dimension first.
    std::vector<OrderedJson> level;
    for (const double value : table.values)
        level.emplace_back(value);
    for (std::size_t d = table.shape.size(); d-- > 1;) {
        const auto width = static_cast<std::size_t>(table.shape[d]);
        std::vector<OrderedJson> next;
        for (std::size_t i = 0; width > 0 && i + width <= level.size(); i += width) {
            OrderedJson row = OrderedJson::array();
            for (std::size_t j = i; j < i + width; ++j)
                row.push_back(std::move(level[j]));
            next.push_back(std::move(row));
        }
        level = std::move(next);
    }
    OrderedJson values = OrderedJson::array();
    for (OrderedJson& element : level)
        values.push_back(std::move(element));
    result["values"] = std::move(values);
    return result;
}

}  // namespace sextant::cli
