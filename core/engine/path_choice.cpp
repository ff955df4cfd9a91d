#include "core/engine/path_choice.h"

#include "core/engine/device.h"
#ifdef SEXTANT_HAS_FUSED
#include "core/engine/fused/fused_path.h"
#endif

namespace sextant {
namespace {

std::string fused_obstacle([[maybe_unused]] const ModelConfig& model, [[maybe_unused]] const PositionEncoding& encoding,
                           const PathRequest& request) {
    if (request.device != "cpu") return "the fused path runs on the CPU only, not on " + request.device;
    if (request.attention_sink.window > 0) return "the fused path has no attention sink";
#ifdef SEXTANT_HAS_FUSED
    return fused::unsupported_reason(model, encoding,
                                     {static_cast<int>(request.threads), request.precision == "bfloat16"});
#else
    return "this build has no fused path";
#endif
}

}  // namespace

Result<ChosenPath> choose_path(const ModelConfig& model, const PositionEncoding& encoding,
                               const ParameterLayout& layout, std::span<float> parameters, std::span<float> gradients,
                               const PathRequest& request) {
    use_threads(request.threads);
    ChosenPath chosen;
    if (request.path != "reference") {
        const std::string obstacle = fused_obstacle(model, encoding, request);
        if (obstacle.empty()) {
#ifdef SEXTANT_HAS_FUSED
            chosen.path = fused::make_fused_path(model, encoding, layout, parameters, gradients,
                                                 {static_cast<int>(request.threads), request.precision == "bfloat16"});
            return chosen;
#endif
        }
        if (request.path == "fused")
            return config_error("path fused cannot run this model: " + obstacle + "; use path auto or reference",
                                "/training/path");
        chosen.note = "reference path: " + obstacle;
    }
    if (request.precision != "float32")
        return config_error("precision " + request.precision +
                                " needs the fused path; use precision float32, or path fused where it can run",
                            "/training/precision");
    chosen.path = make_reference_path(model, encoding, layout, parameters, gradients,
                                      {false, request.device, request.seed, request.attention_sink});
    return chosen;
}

}  // namespace sextant
