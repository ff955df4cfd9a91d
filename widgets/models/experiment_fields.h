#pragma once
// The fields the editor shows, in order: where each stands in the experiment file, what it may hold and whether an arm
// may override it. Encoding parameters are not listed here: they come from the catalog, so a new encoding needs no
// code.

#include <QString>
#include <QStringList>
#include <vector>

#include "core/encoding/position_encoding.h"

namespace sextant {

enum class FieldKind { kInteger, kReal, kBoolean, kChoice, kText, kIntegerList, kRealList, kTextList };
enum class FieldScope { kArm, kShared };  // an arm may override it, or it is one for all

struct ExperimentField {
    QString section;  // "encoding", "model", "training", "data", "evaluation"
    QString path;     // JSON pointer inside the section: "/optimizer/learning_rate"
    FieldKind kind = FieldKind::kText;
    FieldScope scope = FieldScope::kArm;
    QStringList choices;
    QString description;

    // What the row is called: the path without the leading slash, dots between the parts.
    [[nodiscard]] QString label() const;
};

// Everything but encodings.
[[nodiscard]] const std::vector<ExperimentField>& experimentFields();
// The rows of the encoding section: "/id", then "/parameters/<name>" of every spec given, each name once.
[[nodiscard]] std::vector<ExperimentField> encodingFields(const std::vector<const EncodingSpec*>& used);
[[nodiscard]] QString sectionTitle(const QString& section);

}  // namespace sextant
