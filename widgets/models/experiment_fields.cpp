#include "widgets/models/experiment_fields.h"

#include <QCoreApplication>

#include "core/encoding/registry.h"

namespace sextant {

namespace {

struct Fields {
    Q_DECLARE_TR_FUNCTIONS(sextant::ExperimentFields)

  public:
    static std::vector<ExperimentField> make();
    static QString section(const QString& name) {
        if (name == "encoding") return tr("Encoding");
        if (name == "model") return tr("Model");
        if (name == "training") return tr("Training");
        if (name == "data") return tr("Text");
        return tr("Evaluation");
    }
    static QString encodingId() { return tr("Which position encoding the arm uses."); }
};

std::vector<ExperimentField> Fields::make() {
    using K = FieldKind;
    std::vector<ExperimentField> fields;
    const auto add = [&](const char* section, const char* path, K kind, FieldScope scope, QString description,
                         QStringList choices = {}) {
        fields.push_back({QString::fromLatin1(section), QString::fromLatin1(path), kind, scope, std::move(choices),
                          std::move(description)});
    };
    const auto model = [&](const char* path, K kind, const QString& description) {
        add("model", path, kind, FieldScope::kArm, description);
    };
    model("/d_model", K::kInteger, tr("Width of the residual stream."));
    model("/n_layer", K::kInteger, tr("Number of blocks."));
    model("/n_head", K::kInteger, tr("Attention heads; must divide d_model."));
    model("/n_kv_head", K::kInteger, tr("Key and value heads; must divide n_head."));
    model("/d_ff", K::kInteger, tr("Width of the SwiGLU layer."));
    model("/context_length", K::kInteger, tr("Training length in tokens."));
    model("/tie_embeddings", K::kBoolean, tr("The head reuses the token embedding."));
    model("/dropout", K::kReal, tr("Share of activations dropped in training."));
    model("/attention_window", K::kInteger, tr("Keys a query may see, itself included; 0 means all."));

    const auto training = [&](const char* path, K kind, const QString& description, const QStringList& choices = {}) {
        add("training", path, kind, FieldScope::kArm, description, choices);
    };
    training("/optimizer/kind", K::kChoice, tr("AdamW, or Muon for the hidden matrices."), {"adamw", "muon", "sgd"});
    training("/optimizer/learning_rate", K::kReal, tr("Peak learning rate."));
    training("/optimizer/betas", K::kRealList, tr("Decay of the two moments."));
    training("/optimizer/weight_decay", K::kReal, tr("Decay of hidden and embedding matrices."));
    training("/schedule/kind", K::kChoice, tr("How the learning rate moves."), {"cosine", "constant"});
    training("/schedule/warmup_steps", K::kInteger, tr("Steps of linear warm-up."));
    training("/schedule/final_ratio", K::kReal, tr("Last learning rate over the peak."));
    training("/gradient_clip", K::kReal, tr("Largest norm of the gradient; 0 means none."));
    training("/batch_size", K::kInteger, tr("Windows a step."));
    training("/steps", K::kInteger, tr("Optimizer steps."));
    training("/threads", K::kInteger, tr("Processor threads; 0 means automatic."));
    training("/device", K::kChoice, tr("Where to train."), {"auto", "cpu", "cuda", "mps"});
    training("/path", K::kChoice, tr("Implementation of the model."), {"auto", "fused", "reference"});
    training("/precision", K::kChoice, tr("Number format of matrix products."), {"float32", "bfloat16"});
    training("/log_every", K::kInteger, tr("Steps between points of the training loss."));
    training("/evaluate_every", K::kInteger, tr("Steps between validation losses; 0 means only at the end."));
    training("/checkpoint_every", K::kInteger, tr("Steps between checkpoints; 0 means only at the end."));
    training("/snapshot_every", K::kInteger, tr("Steps between attention snapshots; 0 means none."));

    const auto data = [&](const char* path, K kind, const QString& description, const QStringList& choices = {}) {
        add("data", path, kind, FieldScope::kShared, description, choices);
    };
    data("/corpus/kind", K::kChoice, tr("The built-in stories, a WikiText folder, text files or JSON Lines."),
         {"synthetic", "wikitext", "text", "jsonl"});
    data("/corpus/directory", K::kText, tr("Folder of the WikiText files."));
    data("/corpus/train", K::kText, tr("Training file."));
    data("/corpus/validation", K::kText, tr("Validation file."));
    data("/corpus/test", K::kText, tr("Test file."));
    data("/tokenizer/vocab_size", K::kInteger, tr("Entries of the byte-pair vocabulary."));
    data("/train_tokens", K::kInteger, tr("Tokens trained on."));
    data("/validation_tokens", K::kInteger, tr("Tokens of the validation split."));
    data("/test_tokens", K::kInteger, tr("Tokens of the test split."));

    const auto evaluation = [&](const char* path, K kind, const QString& description) {
        add("evaluation", path, kind, FieldScope::kShared, description);
    };
    evaluation("/lengths", K::kIntegerList, tr("Lengths to evaluate at, in tokens."));
    evaluation("/modes", K::kTextList, tr("non-overlapping, sliding, cold-start."));
    evaluation("/stride", K::kInteger, tr("Targets a sliding window scores."));
    evaluation("/tokens", K::kInteger, tr("Targets scored at every length; divisible by every length."));
    evaluation("/by_position", K::kBoolean, tr("Also the loss at each position."));
    evaluation("/probe_text", K::kText, tr("Text whose attention is kept with each snapshot."));
    return fields;
}

}  // namespace

QString ExperimentField::label() const {
    QString name = path.mid(1);
    if (section == "encoding") name.remove(QStringLiteral("parameters/"));
    return name.replace('/', '.');
}

const std::vector<ExperimentField>& experimentFields() {
    static const std::vector<ExperimentField> fields = Fields::make();
    return fields;
}

std::vector<ExperimentField> encodingFields(const std::vector<const EncodingSpec*>& used) {
    QStringList ids;
    for (const EncodingSpec& spec : encoding_catalog())
        ids << QString::fromStdString(spec.id);
    std::vector<ExperimentField> fields;
    fields.push_back({"encoding", "/id", FieldKind::kChoice, FieldScope::kArm, ids, Fields::encodingId()});
    QStringList seen;
    for (const EncodingSpec* spec : used) {
        for (const ParameterSpec& parameter : spec->parameters) {
            const QString name = QString::fromStdString(parameter.name);
            if (seen.contains(name)) continue;
            seen << name;
            ExperimentField field{"encoding",
                                  "/parameters/" + name,
                                  FieldKind::kReal,
                                  FieldScope::kArm,
                                  {},
                                  QString::fromStdString(parameter.description)};
            switch (parameter.type) {
                case ParameterType::kReal:
                    break;
                case ParameterType::kInteger:
                    field.kind = FieldKind::kInteger;
                    break;
                case ParameterType::kBoolean:
                    field.kind = FieldKind::kBoolean;
                    break;
                case ParameterType::kChoice:
                    field.kind = FieldKind::kChoice;
                    for (const std::string& choice : parameter.choices)
                        field.choices << QString::fromStdString(choice);
                    break;
            }
            fields.push_back(std::move(field));
        }
    }
    return fields;
}

QString sectionTitle(const QString& section) {
    return Fields::section(section);
}

}  // namespace sextant
