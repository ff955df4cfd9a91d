#pragma once
// An experiment being edited: the JSON document itself, every change undoable, the problems of validate_experiment()
// beside it. Keeps the document and not the value type, because a file under edit may be invalid and must still be
// saved as it stands.

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/base/result.h"
#include "core/experiment/experiment.h"
#include "widgets/models/experiment_fields.h"

namespace sextant {

struct FieldProblem {
    QString pointer;
    QString message;
    bool warning = false;
};

class ExperimentModel : public QObject {
    Q_OBJECT

  public:
    explicit ExperimentModel(QObject* parent = nullptr);
    ~ExperimentModel() override;

    // Replace everything; the undo history begins anew.
    void setExperiment(const Experiment& experiment);
    [[nodiscard]] Status load(const QString& path);     // any JSON object; problems are shown, not refused
    [[nodiscard]] Status setJson(const QString& text);  // undoable: the JSON view's edits
    [[nodiscard]] Status save(const QString& path);     // atomic; marks clean
    [[nodiscard]] QString json() const;
    [[nodiscard]] Result<Experiment> experiment() const;  // validated, relative paths from directory()
    void setDirectory(const QString& directory) { directory_ = directory; }
    [[nodiscard]] QString directory() const { return directory_; }

    [[nodiscard]] QString name() const;
    void setName(const QString& name);
    [[nodiscard]] QList<std::int64_t> seeds() const;
    void setSeeds(const QList<std::int64_t>& seeds);

    [[nodiscard]] int armCount() const;  // the baseline is arm 0
    [[nodiscard]] QString armName(int arm) const;
    [[nodiscard]] const EncodingSpec* armEncoding(int arm) const;  // null when the id is unknown
    [[nodiscard]] int changedFields(int arm) const;                // how many fields differ from the baseline
    void renameArm(int arm, const QString& name);
    int addVariant(const QString& encoding);  // the index of the new arm
    int duplicateArm(int arm);
    void removeArm(int arm);  // variants only

    [[nodiscard]] QString pointer(const ExperimentField& field, int arm) const;  // where its value stands in the file
    [[nodiscard]] bool applies(const ExperimentField& field, int arm) const;
    [[nodiscard]] QString value(const ExperimentField& field, int arm) const;   // as text, defaults filled in
    [[nodiscard]] bool changed(const ExperimentField& field, int arm) const;    // differs from the baseline's
    void setValue(const ExperimentField& field, int arm, const QString& text);  // text that does not parse stays text

    // The text at any pointer of the document, defaults filled in; and setting it.
    [[nodiscard]] QString valueAt(const QString& pointer) const;
    void setValueAt(const QString& pointer, FieldKind kind, const QString& text);

    [[nodiscard]] const QList<FieldProblem>& problems() const { return problems_; }
    [[nodiscard]] int errorCount() const;  // warnings not counted
    // Trained numbers of an arm, as the engine lays them out; nothing while its sizes make no model.
    [[nodiscard]] std::optional<std::int64_t> parameterCount(int arm) const;
    [[nodiscard]] std::optional<ModelConfig> modelOf(int arm) const;
    [[nodiscard]] std::int64_t runCount() const { return static_cast<std::int64_t>(armCount()) * seeds().size(); }

    [[nodiscard]] QUndoStack* undoStack() { return &undo_; }

  Q_SIGNALS:
    void edited();

  private:
    struct Document;
    friend class DocumentEdit;
    void store(const QString& pointer, const std::optional<nlohmann::ordered_json>& value);
    void push(const QString& pointer, std::optional<nlohmann::ordered_json> value, const QString& text);
    void refresh();
    [[nodiscard]] const nlohmann::ordered_json* find(const QString& pointer) const;
    [[nodiscard]] const nlohmann::ordered_json* effective(const ExperimentField& field, int arm) const;
    [[nodiscard]] QString armPointer(int arm) const;

    std::unique_ptr<Document> document_;
    QString directory_;
    QList<FieldProblem> problems_;
    QUndoStack undo_;
};

}  // namespace sextant
