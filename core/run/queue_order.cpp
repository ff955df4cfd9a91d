#include "core/run/queue_order.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/atomic_file.h"
#include "core/base/json.h"

namespace sextant {

std::vector<std::string> read_queue_order(const Project& project) {
    const std::string file = project.path + "/queue.json";
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) return {};
    const auto document = read_json_file(file);
    std::vector<std::string> order;
    if (!document.ok() || !document->is_object()) return order;
    const auto folders = document->find("order");
    if (folders == document->end() || !folders->is_array()) return order;
    for (const auto& folder : *folders)
        if (folder.is_string()) order.push_back(folder.get<std::string>());
    return order;
}

Status write_queue_order(const Project& project, const std::vector<std::string>& order) {
    const OrderedJson document = {{"schema_version", 1}, {"order", order}};
    return write_file_atomically(project.path + "/queue.json", dump_json(document) + "\n");
}

std::vector<std::size_t> starting_order(const std::vector<std::string>& folders,
                                        const std::vector<std::string>& order) {
    std::vector<std::size_t> result(folders.size());
    std::iota(result.begin(), result.end(), std::size_t{0});
    const auto rank = [&](std::size_t index) { return std::find(order.begin(), order.end(), folders[index]); };
    std::stable_sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return result;
}

}  // namespace sextant
