#pragma once
// What core says in English, in the language of the window: sentences by their pattern, states, reasons and claims by
// the forms core gives them. In English every function returns core's own words; a form that is not known stays
// English rather than being lost.

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <string>

#include "core/results/comparison.h"
#include "core/results/sentence.h"

namespace sextant {

class ReportTr {
    Q_DECLARE_TR_FUNCTIONS(sextant::ReportText)
};

[[nodiscard]] inline QString fromCore(const std::string& text) {
    return QString::fromStdString(text);
}
// "%1" to "%9" filled in one pass, so that a name holding "%2" stays what it is.
[[nodiscard]] QString filledText(const QString& pattern, const QStringList& arguments);
// A fixed word or sentence of core: labels, names of metrics, bands, encodings' summaries.
[[nodiscard]] QString reportText(const std::string& english);
[[nodiscard]] QString sentenceText(const Sentence& sentence);
[[nodiscard]] QString statusWords(const std::string& status);  // "diverged at step 120", reasons for missing values
[[nodiscard]] QString modeWords(const std::string& mode);
[[nodiscard]] QString metricWords(const std::string& metric);
[[nodiscard]] QString claimWords(const std::string& claim);
// "loss at 64, non-overlapping, stride 64, N = 32,768"
[[nodiscard]] QString measureWords(const Measure& measure);
// Whether a text of core has one of the forms that a translation exists for.
[[nodiscard]] bool reportFormKnown(const std::string& text);
// False for a text that no translation can exist for because nobody listed it; for the tests.
[[nodiscard]] bool reportTextListed(const std::string& english);

}  // namespace sextant
