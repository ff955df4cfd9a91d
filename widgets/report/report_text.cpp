#include "widgets/report/report_text.h"

#include <QRegularExpression>
#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "core/base/text.h"

namespace sextant {

namespace {

constexpr const char* kContext = "sextant::Report";

// Everything that core says in fixed words. Listed so that the translators' tool finds it.
constexpr const char* kWords[] = {
    QT_TRANSLATE_NOOP("sextant::Report", "%1"),
    // Questions and limits.
    QT_TRANSLATE_NOOP("sextant::Report", "Does %1 differ from %2 in %3 at length %4 (%5) after the same training?"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "How does %1 compare with %2? (exploratory: no primary endpoint was declared)"),
    QT_TRANSLATE_NOOP(
        "sextant::Report",
        "A small model of %1 parameters trained on %2 tokens; the papers train 247 million to 1.3 billion "
        "parameters. Directions may carry over, numbers do not."),
    QT_TRANSLATE_NOOP("sextant::Report", "Seeds run: %1. Any claim needs at least %2 pairs, so none is made."),
    QT_TRANSLATE_NOOP("sextant::Report", "%1, seed %2: %3."),
    QT_TRANSLATE_NOOP("sextant::Report", "%1 at length %2 (%3): no value, %4."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "One corpus and one test text: the statistics are over seeds, not over texts."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "No reward stage was run; post_training_loss and reward_bearing_group_rate are null."),
    // Facts.
    QT_TRANSLATE_NOOP("sextant::Report", "corpus"),
    QT_TRANSLATE_NOOP("sextant::Report", "training tokens"),
    QT_TRANSLATE_NOOP("sextant::Report", "validation tokens"),
    QT_TRANSLATE_NOOP("sextant::Report", "test tokens"),
    QT_TRANSLATE_NOOP("sextant::Report", "narrative tokens"),
    QT_TRANSLATE_NOOP("sextant::Report", "tokenizer"),
    QT_TRANSLATE_NOOP("sextant::Report", "vocabulary"),
    QT_TRANSLATE_NOOP("sextant::Report", "fingerprint of the tokens"),
    QT_TRANSLATE_NOOP("sextant::Report", "model"),
    QT_TRANSLATE_NOOP("sextant::Report", "context length"),
    QT_TRANSLATE_NOOP("sextant::Report", "steps"),
    QT_TRANSLATE_NOOP("sextant::Report", "batch"),
    QT_TRANSLATE_NOOP("sextant::Report", "training tokens seen"),
    QT_TRANSLATE_NOOP("sextant::Report", "optimizer"),
    QT_TRANSLATE_NOOP("sextant::Report", "schedule"),
    QT_TRANSLATE_NOOP("sextant::Report", "seeds"),
    QT_TRANSLATE_NOOP("sextant::Report", "lengths"),
    QT_TRANSLATE_NOOP("sextant::Report", "modes"),
    QT_TRANSLATE_NOOP("sextant::Report", "stride of sliding windows"),
    QT_TRANSLATE_NOOP("sextant::Report", "targets"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1 (small N)"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, tied embedding"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, untied embedding"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1, learning rate %2, betas %3 and %4, weight decay %5"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1, warm-up over %2 steps, down to %3 of the peak"),
    // Checklist.
    QT_TRANSLATE_NOOP("sextant::Report", "Is the code that made the numbers identified?"),
    QT_TRANSLATE_NOOP("sextant::Report", "Yes: commit %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "No: %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "Is the data identified?"),
    QT_TRANSLATE_NOOP("sextant::Report", "No"),
    QT_TRANSLATE_NOOP("sextant::Report", "Yes"),
    QT_TRANSLATE_NOOP("sextant::Report", "Yes: SHA-256 %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "Are all hyper-parameters given?"),
    QT_TRANSLATE_NOOP("sextant::Report", "Yes: experiment.json in the project folder"),
    QT_TRANSLATE_NOOP("sextant::Report", "Did every arm get the same tokens, order and budget?"),
    QT_TRANSLATE_NOOP("sextant::Report", "See the fairness hashes and overrides in artifacts/*.json"),
    QT_TRANSLATE_NOOP("sextant::Report", "How many runs, and what varies between them?"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1 seeds for each arm; initial weights and data order"),
    QT_TRANSLATE_NOOP("sextant::Report", "Was the endpoint fixed before the run?"),
    QT_TRANSLATE_NOOP("sextant::Report", "No: everything is exploratory"),
    QT_TRANSLATE_NOOP("sextant::Report", "What error measure is given?"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "Paired sign-flip test and the interval from inverting it; sd over seeds; the test text's own "
                      "error apart"),
    QT_TRANSLATE_NOOP("sextant::Report", "What hardware and how long?"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1; threads: %2; times in the cost table"),
    QT_TRANSLATE_NOOP("sextant::Report", "Can it be repeated with one command?"),
    QT_TRANSLATE_NOOP("sextant::Report", "Yes: %1"),
    // Metrics, modes, bands, states.
    QT_TRANSLATE_NOOP("sextant::Report", "loss"),
    QT_TRANSLATE_NOOP("sextant::Report", "lm_loss"),
    QT_TRANSLATE_NOOP("sextant::Report", "loss_beyond"),
    QT_TRANSLATE_NOOP("sextant::Report", "instruction_loss"),
    QT_TRANSLATE_NOOP("sextant::Report", "preference_accuracy"),
    QT_TRANSLATE_NOOP("sextant::Report", "bits_per_byte"),
    QT_TRANSLATE_NOOP("sextant::Report", "word_perplexity"),
    QT_TRANSLATE_NOOP("sextant::Report", "non-overlapping"),
    QT_TRANSLATE_NOOP("sextant::Report", "sliding"),
    QT_TRANSLATE_NOOP("sextant::Report", "cold-start"),
    QT_TRANSLATE_NOOP("sextant::Report", "no band"),
    QT_TRANSLATE_NOOP("sextant::Report", "SE"),
    QT_TRANSLATE_NOOP("sextant::Report", "SD"),
    QT_TRANSLATE_NOOP("sextant::Report", "95 % t interval"),
    QT_TRANSLATE_NOOP("sextant::Report", "min-max"),
    QT_TRANSLATE_NOOP("sextant::Report", "complete"),
    QT_TRANSLATE_NOOP("sextant::Report", "not evaluated"),
    QT_TRANSLATE_NOOP("sextant::Report", "the value is not a number"),
    QT_TRANSLATE_NOOP("sextant::Report", "tested"),
    QT_TRANSLATE_NOOP("sextant::Report", "testable"),
    QT_TRANSLATE_NOOP("sextant::Report", "not testable"),
    QT_TRANSLATE_NOOP("sextant::Report", "perplexity"),
    // Forms with numbers in them.
    QT_TRANSLATE_NOOP("sextant::Report", "diverged at step %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "queued at step %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "running at step %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "paused at step %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "cancelled at step %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "failed: %1"),
    QT_TRANSLATE_NOOP("sextant::Report", "%1 has positions 0 to %2 only; length %3 is beyond its table"),
    QT_TRANSLATE_NOOP("sextant::Report", "none: %1 pair cannot reach p < 0.05, %2 are needed"),
    QT_TRANSLATE_NOOP("sextant::Report", "none: %1 pairs cannot reach p < 0.05, %2 are needed"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "none: %1 pair cannot reach p < 0.05, %2 are needed (%3 variants share the 5 %)"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "none: %1 pairs cannot reach p < 0.05, %2 are needed (%3 variants share the 5 %)"),
    QT_TRANSLATE_NOOP("sextant::Report", "none: the declared endpoint was not measured"),
    QT_TRANSLATE_NOOP("sextant::Report", "none: no primary endpoint was declared before the run; exploratory only"),
    QT_TRANSLATE_NOOP("sextant::Report", "none: identical arms, an A/A comparison"),
    QT_TRANSLATE_NOOP("sextant::Report", "no difference shown (not the same as equal)"),
    QT_TRANSLATE_NOOP("sextant::Report", "exploratory: no claim"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "lower by %1 (sign-flip p = %2, %3 % interval %4) over %5 seeds on this corpus and test text"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "higher by %1 (sign-flip p = %2, %3 % interval %4) over %5 seeds on this corpus and test text"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "lower by %1 (Holm-adjusted p = %2 over %3 variants, %4 % interval %5) over %6 seeds on this "
                      "corpus and test text"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "higher by %1 (Holm-adjusted p = %2 over %3 variants, %4 % interval %5) over %6 seeds on this "
                      "corpus and test text"),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "not worse by more than %1 (p = %2 on d - m) over %3 seeds on this corpus and test text"),
    // What each encoding does.
    QT_TRANSLATE_NOOP("sextant::Report",
                      "Each head subtracts a fixed slope times the distance from its scores; trained short, it runs "
                      "long."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "A small trained network maps the distance, as a share of the query's position, to a bias."),
    QT_TRANSLATE_NOOP("sextant::Report", "Each head learns a bias that falls with the logarithm of the distance."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "Each head learns a bias that falls with a power of the distance; power 1 is ALiBi."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "A trained vector for each position is added to the embedding; undefined beyond the last one."),
    QT_TRANSLATE_NOOP("sextant::Report", "Nothing is added; a causal mask alone lets a model count what came before."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "Queries and keys turn by an angle proportional to their position; scores see the distance."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "A fixed bias: the product of two sinusoidal position vectors, weaker for each next head."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "Sines and cosines of the position at geometric frequencies are added to the embedding."),
    QT_TRANSLATE_NOOP("sextant::Report",
                      "A trained bias for each head and each bucket of distances, shared by all layers."),
    QT_TRANSLATE_NOOP("sextant::Report", "Rotary positions whose fast pairs also fade with distance."),
};

// Words that may stand as an argument inside a sentence; names of the user's beside them are never translated.
constexpr const char* kArgumentWords[] = {"loss",
                                          "lm_loss",
                                          "loss_beyond",
                                          "instruction_loss",
                                          "complete",
                                          "sliding",
                                          "cold-start",
                                          "preference_accuracy",
                                          "not evaluated",
                                          "non-overlapping",
                                          "the value is not a number"};
constexpr const char* kArgumentForms[] = {"diverged at step ", "queued at step ",    "running at step ",
                                          "paused at step ",   "cancelled at step ", "failed: "};

QString translated(const std::string& english) {
    return QCoreApplication::translate(kContext, english.c_str());
}

// A text that was made from one of the listed patterns, said again in the language of the window.
std::optional<QString> matched(const std::string& text) {
    if (reportTextListed(text)) return translated(text);
    const QString whole = QString::fromStdString(text);
    for (const char* const pattern : kWords) {
        if (std::strlen(pattern) < 4 || std::strchr(pattern, '%') == nullptr) continue;
        QString expression = QRegularExpression::escape(QString::fromUtf8(pattern));
        if (!expression.contains(QLatin1String("\\%1"))) continue;
        for (int place = 1; place <= 9; ++place)
            expression.replace(QStringLiteral("\\%%1").arg(place), QStringLiteral("(?<a%1>.+?)").arg(place));
        const auto match = QRegularExpression(QRegularExpression::anchoredPattern(expression)).match(whole);
        if (!match.hasMatch()) continue;
        QStringList arguments;
        for (int place = 1; place <= 9; ++place)
            arguments << match.captured(QStringLiteral("a%1").arg(place));
        return filledText(translated(pattern), arguments);
    }
    return std::nullopt;
}

}  // namespace

QString filledText(const QString& pattern, const QStringList& arguments) {
    QString out;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int place = pattern[i] == QLatin1Char('%') && i + 1 < pattern.size() ? pattern[i + 1].digitValue() : 0;
        if (place < 1 || place > arguments.size()) {
            out += pattern[i];
        } else {
            out += arguments[place - 1];
            ++i;
        }
    }
    return out;
}

bool reportTextListed(const std::string& english) {
    return std::any_of(std::begin(kWords), std::end(kWords), [&](const char* word) { return english == word; });
}

bool reportFormKnown(const std::string& text) {
    return matched(text).has_value();
}

QString reportText(const std::string& english) {
    return translated(english);
}

QString sentenceText(const Sentence& sentence) {
    QStringList arguments;
    for (const std::string& argument : sentence.arguments) {
        const auto is = [&](const char* word) { return argument == word; };
        const auto begins = [&](const char* form) { return argument.starts_with(form); };
        const bool form = std::any_of(std::begin(kArgumentForms), std::end(kArgumentForms), begins) ||
                          argument.find(" is beyond its table") != std::string::npos;
        arguments << (std::any_of(std::begin(kArgumentWords), std::end(kArgumentWords), is) ? translated(argument)
                      : form                                                                ? statusWords(argument)
                             : QString::fromStdString(argument));
    }
    return filledText(translated(sentence.pattern), arguments);
}

QString statusWords(const std::string& status) {
    return matched(status).value_or(QString::fromStdString(status));
}

QString modeWords(const std::string& mode) {
    return translated(mode);
}

QString metricWords(const std::string& metric) {
    return translated(metric);
}

QString claimWords(const std::string& claim) {
    // Two claims may stand side by side: a difference, and that it is not worse by more than the margin.
    QStringList parts;
    std::size_t from = 0;
    while (from <= claim.size()) {
        const std::size_t at = claim.find("; not worse", from);
        const std::string part = claim.substr(from, at == std::string::npos ? std::string::npos : at - from);
        parts << matched(part).value_or(QString::fromStdString(part));
        if (at == std::string::npos) break;
        from = at + 2;
    }
    return parts.join(QStringLiteral("; "));
}

QString measureWords(const Measure& measure) {
    const QString metric = metricWords(measure.metric);
    if (measure.mode.empty()) return metric;
    const QString targets = QString::fromStdString(grouped(measure.targets));
    return filledText(
        QCoreApplication::translate("sextant::Report", "%1 at length %2, %3, stride %4, N = %5"),
        {metric, QString::number(measure.length), modeWords(measure.mode), QString::number(measure.stride),
         measure.targets < kFullTargets ? filledText(translated("%1 (small N)"), {targets}) : targets});
}

}  // namespace sextant
