#pragma once
// Everything a report needs, from artifacts and event logs alone: the window draws it as PDF and HTML, `export --format
// json` writes it as it is. Facts are data (labels are short English keys that the window translates), so that one
// model serves both languages.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/results/claims.h"
#include "core/results/comparison.h"
#include "core/results/dataset_info.h"
#include "core/results/provenance.h"
#include "core/results/sentence.h"

namespace sextant {

struct ReportFact {
    std::string label;  // "training tokens"
    Sentence value;     // for people; the pattern is "%1" where there is nothing to translate
};

struct ReportArm {
    std::string name, encoding, encoding_name, reference;
    std::string parameters;   // of the encoding, "base=10000 layout=half-split"
    std::string differences;  // from the experiment's settings, canonical JSON; empty when none
    std::int64_t trained_parameters = 0;
    bool baseline = false;
};

struct ReportRun {
    std::string arm, folder, state;
    std::string directory;    // of the run, as the project was opened
    bool checkpoint = false;  // a trained model is there to be asked
    std::int64_t seed = 0;
    std::string status;  // "complete", "diverged at step 120", ...
    std::vector<StepPoint> steps;
    std::vector<ValidationPoint> validations;
    std::vector<EvaluationEvent> evaluations;
    std::vector<std::string> warnings;
    double seconds = 0.0, tokens_per_s = 0.0, peak_rss_mb = 0.0, idle_rss_mb = 0.0;  // 0: not known
};

struct ReportModel {
    Experiment experiment;
    std::string title;
    Sentence question;
    std::vector<ReportArm> arms;
    std::vector<ReportFact> data, budget, evaluation;
    std::vector<ReportRun> runs;
    Comparison comparison;
    std::vector<Sentence> limits;  // what was not run, scale against the papers, arms that diverged
    Provenance provenance;
    std::vector<std::pair<std::string, Sentence>> checklist;  // question, pre-filled answer
    std::vector<PaperClaim> claims;                           // of the papers of the arms' encodings
    std::vector<std::string> notes;                           // of the data, problems of reading
    std::string probe_text;
};

[[nodiscard]] ReportModel build_report(const Experiment& experiment, std::span<const ListedRun> runs,
                                       const std::optional<DatasetInfo>& data, const Provenance& provenance);
[[nodiscard]] Result<ReportModel> read_report(const Project& project);
[[nodiscard]] nlohmann::ordered_json to_json(const ReportModel& report);

}  // namespace sextant
