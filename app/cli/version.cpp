#include "app/cli/version.h"

#include <nlohmann/json.hpp>

#include "core/base/build_info.h"
#include "core/base/json.h"

namespace sextant::cli {

std::string version_text(bool json) {
    const BuildInfo& info = build_info();
    const OrderedJson document = {{"version", info.version}, {"commit", info.commit}, {"compiler", info.compiler}};
    if (json) return dump_json(document);
    return "Sextant " + info.version + "\ncommit " + info.commit + "\ncompiler " + info.compiler + "\n";
}

}  // namespace sextant::cli
