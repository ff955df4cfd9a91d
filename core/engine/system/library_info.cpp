#include "core/engine/system/library_info.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

namespace sextant {
namespace {

using Sgemm = void (*)(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                       const int*, const float*, const int*, const float*, float*, const int*);

template <typename Function>
Function loaded(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

const char* isa_name(dnnl_cpu_isa_t isa) {
    switch (isa) {
        case dnnl_cpu_isa_sse41:
            return "SSE4.1";
        case dnnl_cpu_isa_avx:
            return "AVX";
        case dnnl_cpu_isa_avx2:
            return "AVX2";
        case dnnl_cpu_isa_avx512_core:
            return "AVX-512";
        case dnnl_cpu_isa_avx512_core_vnni:
            return "AVX-512 VNNI";
        case dnnl_cpu_isa_avx512_core_bf16:
            return "AVX-512 BF16";
        default:
            return isa > dnnl_cpu_isa_avx512_core_bf16 ? "AMX or newer" : "generic";
    }
}

double median_gflops(int size, int repeats, const std::function<void()>& product) {
    product();  // pages and kernels in place
    std::vector<double> speeds;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        product();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        speeds.push_back(2.0 * size * size * size / seconds / 1e9);
    }
    std::nth_element(speeds.begin(), speeds.begin() + repeats / 2, speeds.end());
    return speeds[static_cast<std::size_t>(repeats / 2)];
}

}  // namespace

LibraryInfo library_info() {
    LibraryInfo info;
    info.libtorch = TORCH_VERSION;
    const dnnl_version_t* version = dnnl_version();
    info.onednn = fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
    info.onednn_isa = isa_name(dnnl_get_effective_cpu_isa());
    info.blas = "unknown BLAS";
    if (void* sgemm = dlsym(RTLD_DEFAULT, "sgemm_"); sgemm != nullptr) {
        Dl_info place{};
        if (dladdr(sgemm, &place) != 0 && place.dli_fname != nullptr) {
            // Debian's libblas.so.3 is a chain of alternatives; its end says which BLAS it is.
            std::error_code error;
            const auto file = std::filesystem::canonical(place.dli_fname, error);
            info.blas_file = error ? std::string(place.dli_fname) : file.string();
        }
    }
    const auto has = [&](const char* part) { return info.blas_file.find(part) != std::string::npos; };
    if (has("openblas")) {
        info.blas = "OpenBLAS";
        if (auto config = loaded<char* (*)()>("openblas_get_config"); config != nullptr) {
            const std::string text = config();
            info.blas = text.substr(0, text.find(' ', text.find(' ') + 1));
        }
        if (auto core = loaded<char* (*)()>("openblas_get_corename"); core != nullptr) info.blas_kernel = core();
    } else if (has("blis")) {
        info.blas = "BLIS";
    } else if (has("atlas")) {
        info.blas = "ATLAS";
    } else if (has("mkl")) {
        info.blas = "MKL";
    } else if (has("libblas")) {
        info.blas = "reference BLAS";
    }
    return info;
}

std::map<std::string, std::string> library_versions() {
    const LibraryInfo info = library_info();
    std::map<std::string, std::string> versions = {{"libtorch", info.libtorch}, {"onednn", info.onednn}};
    versions["blas"] = info.blas_kernel.empty() ? info.blas : info.blas + " (" + info.blas_kernel + ")";
    return versions;
}

ProductSpeed measure_product_speed(int size, int repeats) {
    const std::size_t count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    const std::vector<float> a(count, 0.5F);
    const std::vector<float> b(count, 0.25F);
    std::vector<float> c(count, 0.0F);
    const float one = 1.0F;
    const float zero = 0.0F;
    ProductSpeed speed;
    if (auto sgemm = loaded<Sgemm>("sgemm_"); sgemm != nullptr) {
        speed.blas_gflops = median_gflops(size, repeats, [&] {
            sgemm("N", "N", &size, &size, &size, &one, a.data(), &size, b.data(), &size, &zero, c.data(), &size);
        });
    }
    speed.onednn_gflops = median_gflops(size, repeats, [&] {
        dnnl_sgemm('N', 'N', size, size, size, one, a.data(), size, b.data(), size, zero, c.data(), size);
    });
    return speed;
}

std::vector<std::string> library_warnings(const LibraryInfo& info, const ProductSpeed& speed) {
    std::vector<std::string> warnings;
    if (info.blas == "reference BLAS" || info.blas == "unknown BLAS") {
        warnings.push_back("LibTorch multiplies with the " + info.blas +
                           ", many times slower than need be: install libopenblas0-pthread (the fused path uses oneDNN "
                           "and is not affected)");
    }
    static constexpr std::array<const char*, 6> kFallbacks = {"Prescott", "Core2",   "Nehalem",
                                                              "Generic",  "generic", "Katmai"};
    const bool fallback = std::find(kFallbacks.begin(), kFallbacks.end(), info.blas_kernel) != kFallbacks.end();
    if (fallback) {
        warnings.push_back("OpenBLAS does not know this processor and uses its \"" + info.blas_kernel +
                           "\" kernel: set OPENBLAS_CORETYPE=SkylakeX (with AVX-512) or Haswell (with AVX2)");
    } else if (speed.blas_gflops > 0.0 && speed.blas_gflops * 4.0 < speed.onednn_gflops) {
        warnings.push_back(
            fmt::format("the BLAS reaches {:.0f} GFLOP/s where oneDNN reaches {:.0f}: check OPENBLAS_CORETYPE "
                        "and OPENBLAS_NUM_THREADS, or use the fused path",
                        speed.blas_gflops, speed.onednn_gflops));
    }
    return warnings;
}

}  // namespace sextant
