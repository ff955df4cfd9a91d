#pragma once
// The forward-pass service behind `serve`: one reader, one worker. Requests are answered one after another in a thread
// of their own, so that `cancel` is heard while a pass is under way.

#include <condition_variable>
#include <deque>
#include <istream>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <string>

#include "core/base/json.h"
#include "core/engine/language_model.h"

namespace sextant::cli {

class Service {
  public:
    Service(std::istream& in, std::ostream& out);
    ~Service();
    void run();  // until the end of input; what was asked before it is answered

  private:
    struct Request;
    void work();
    void answer(const Request& request);
    [[nodiscard]] Result<OrderedJson> dispatch(const Request& request);
    [[nodiscard]] Result<OrderedJson> attend(const Request& request);
    [[nodiscard]] Result<OrderedJson> evaluate(const Request& request);
    [[nodiscard]] Result<OrderedJson> generate(const Request& request);
    [[nodiscard]] Result<OrderedJson> describe(const Request& request);
    [[nodiscard]] Result<OrderedJson> tables(const Request& request);
    [[nodiscard]] Result<LanguageModel*> model_of(const Request& request);
    [[nodiscard]] Result<std::string> array_file();
    void release(const std::string& path);
    void send(const OrderedJson& message);
    void send_error(const Json& id, const Error& error);
    [[nodiscard]] bool is_cancelled(const std::string& id);

    std::istream& in_;
    std::ostream& out_;
    std::mutex output_, state_;
    std::condition_variable ready_;
    std::deque<std::shared_ptr<Request>> queue_;
    std::set<std::string> pending_, cancelled_;
    bool closing_ = false;
    std::string directory_;
    std::set<std::string> files_;
    std::int64_t next_file_ = 0;
    std::string model_key_;
    std::optional<LanguageModel> model_;
};

}  // namespace sextant::cli
