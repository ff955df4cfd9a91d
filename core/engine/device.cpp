#include "core/engine/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <sched.h>

#include <thread>

#include "core/engine/system/machine.h"
#include "core/engine/torch_prefix.h"

namespace sextant {

Result<std::string> resolve_device(const std::string& wanted) {
    const bool cuda = at::hasCUDA();
    if (wanted == "auto") return std::string(cuda ? "cuda" : "cpu");
    if (wanted == "cpu") return wanted;
    if (wanted == "cuda") {
        if (cuda) return wanted;
        return device_error("device cuda: this LibTorch sees no CUDA device on this machine; use --device cpu or auto");
    }
    if (wanted == "mps") {
        if (at::hasMPS()) return wanted;
        return device_error("device mps: this machine has no Metal device; use --device cpu or auto");
    }
    return config_error("device \"" + wanted + "\" is not one of auto, cpu, cuda, mps", "/training/device");
}

std::int64_t resolve_threads(std::int64_t wanted) {
    if (wanted > 0) return wanted;
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (::sched_getaffinity(0, sizeof mask, &mask) == 0) return CPU_COUNT(&mask);
    return std::max(1U, std::thread::hardware_concurrency());
}

void use_threads(std::int64_t threads) {
    at::set_num_threads(static_cast<int>(threads));
    using SetThreads = void (*)(int);
    if (auto* set = reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(1);
}

double idle_resident_mb() {
    const at::Tensor a = at::ones({256, 256});
    const double sum = at::matmul(a, a).sum().item<double>();
    return sum > 0.0 ? resident_mb() : 0.0;
}

Error error_of_current_exception() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return device_error("not enough memory; use a smaller batch, length or model");
    } catch (const c10::Error& error) {
        const std::string text = error.what_without_backtrace();
        for (const char* sign : {"out of memory", "can't allocate memory", "not enough memory", "alloc_cpu"}) {
            if (text.find(sign) != std::string::npos)
                return device_error("not enough memory; use a smaller batch, length or model (" +
                                    text.substr(0, text.find('\n')) + ")");
        }
        return internal_error("LibTorch: " + text.substr(0, text.find('\n')));
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return internal_error(text.substr(0, text.find('\n')));
    } catch (...) {
        return internal_error("an unknown exception");
    }
}

}  // namespace sextant
