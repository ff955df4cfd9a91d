#include "app/cli/version.h"

#include <nlohmann/json.hpp>

#include "core/base/build_info.h"
#include "core/base/json.h"
#include "core/engine/system/library_info.h"
#include "core/engine/system/machine.h"

namespace sextant::cli {

std::string version_text(bool json) {
    const BuildInfo& info = build_info();
    const LibraryInfo libraries = library_info();
    const std::string blas =
        libraries.blas_kernel.empty() ? libraries.blas : libraries.blas + " (" + libraries.blas_kernel + ")";
    const int threads = read_machine().cores;
    if (json) {
        return dump_json(OrderedJson{{"version", info.version},
                                     {"commit", info.commit},
                                     {"compiler", info.compiler},
                                     {"libtorch", libraries.libtorch},
                                     {"onednn", libraries.onednn},
                                     {"blas", blas},
                                     {"threads", threads}});
    }
    return "Sextant " + info.version + "\ncommit " + info.commit + "\ncompiler " + info.compiler + "\nLibTorch " +
           libraries.libtorch + "\noneDNN " + libraries.onednn + " (" + libraries.onednn_isa + ")\nBLAS " + blas +
           "\nthreads " + std::to_string(threads) + "\n";
}

}  // namespace sextant::cli
