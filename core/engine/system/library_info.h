#pragma once
// Which numeric libraries are loaded and how fast their matrix product really is. LibTorch's speed hangs on the BLAS
// the system's alternatives happen to name: the reference BLAS and OpenBLAS's fallback kernels are 4 to 30 times
// slower.

#include <map>
#include <string>
#include <vector>

namespace sextant {

struct LibraryInfo {
    std::string libtorch;     // 1.13.1
    std::string onednn;       // 2.6.3
    std::string onednn_isa;   // what oneDNN dispatches to: "AVX-512 BF16"
    std::string blas;         // "OpenBLAS 0.3.21", "reference BLAS", "BLIS", "unknown BLAS"
    std::string blas_kernel;  // OpenBLAS core name, e.g. "SkylakeX"; empty when unknown
    std::string blas_file;    // shared object that sgemm comes from
};
[[nodiscard]] LibraryInfo library_info();
[[nodiscard]] std::map<std::string, std::string> library_versions();  // for provenance

struct ProductSpeed {
    double blas_gflops = 0.0;    // median sgemm of n^3 through the BLAS that LibTorch uses
    double onednn_gflops = 0.0;  // the same through oneDNN
};
[[nodiscard]] ProductSpeed measure_product_speed(int size = 512, int repeats = 9);

// What is wrong with the set-up and what to install or set; empty when nothing is.
[[nodiscard]] std::vector<std::string> library_warnings(const LibraryInfo& info, const ProductSpeed& speed);

}  // namespace sextant
