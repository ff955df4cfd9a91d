#pragma once
// A checkpoint folder, step-00001000/{model.safetensors, config.json, tokenizer.json, optimizer.safetensors,
// state.json}. It is built as step-N.partial and renamed when whole; state.json, with the hashes of its siblings, is
// written last. There are no running generators to save: batches and dropout are functions of seed and step.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/optimizer.h"
#include "core/experiment/experiment.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {

struct CheckpointState {
    std::int64_t step = 0;    // steps done; also where the sampler stands
    std::int64_t tokens = 0;  // training tokens seen
    std::uint64_t seed = 0;
    double training_seconds = 0.0;  // over all segments, evaluation apart
    double peak_rss_mb = 0.0;
    double last_loss = 0.0;  // of the step that led here
    double orthogonality_error = 0.0;
    std::map<std::string, std::string> files;  // name -> SHA-256
};

// What a checkpoint is of.
struct CheckpointModel {
    const ModelConfig* model = nullptr;
    const EncodingConfig* encoding = nullptr;
    const ParameterLayout* layout = nullptr;
    std::string tokenizer_json;  // empty: none is written
    std::string arm;
};

[[nodiscard]] std::string checkpoint_name(std::int64_t step);  // step-00001000

// Writes <directory>/<checkpoint_name> and removes all but the newest `keep`. Fills state.files. `optimizer` may be
// null (a snapshot: weights only). Rewriting a step that is there and whole changes nothing.
[[nodiscard]] Status write_checkpoint(const std::string& directory, const CheckpointModel& model,
                                      std::span<const float> parameters, Optimizer* optimizer, CheckpointState& state,
                                      int keep = 3);

struct FoundCheckpoint {
    std::string folder;  // name inside the directory
    CheckpointState state;
    std::vector<std::string> notes;  // why newer ones were passed over
};
// The newest checkpoint that verifies, its values read into the buffers; nothing when there is none. Damaged ones are
// passed over and named in the notes; when all are damaged the folder is empty and the buffers are not to be used.
[[nodiscard]] Result<std::optional<FoundCheckpoint>> load_newest_checkpoint(const std::string& directory,
                                                                            const ParameterLayout& layout,
                                                                            std::span<float> parameters,
                                                                            Optimizer* optimizer);
// Names of whole-looking checkpoints (a state.json is there), oldest first.
[[nodiscard]] std::vector<std::string> list_checkpoints(const std::string& directory);
// Looking at a model needs no optimizer: its file may be left out of a copy, and is not read.
enum class CheckpointUse { kContinue, kLook };
// state.json read and the hashes of its siblings compared.
[[nodiscard]] Result<CheckpointState> verify_checkpoint(const std::string& folder,
                                                        CheckpointUse use = CheckpointUse::kContinue);
// Values of model.safetensors into the buffer; every parameter must be there with its shape.
[[nodiscard]] Status read_parameters(const std::string& file, const ParameterLayout& layout,
                                     std::span<float> parameters);

}  // namespace sextant
