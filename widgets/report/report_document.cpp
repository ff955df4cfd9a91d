#include "widgets/report/report_document.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "widgets/models/attention_model.h"
#include "widgets/report/report_text.h"

namespace sextant {

namespace {

// Always with a point: a report is compared with files.
QString fixed(double value, int digits) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    // A loss on its way to infinity would be a row of digits.
    QString shown = std::abs(value) < 1e6 ? QString::number(value, 'f', digits) : QString::number(value, 'g', 4);
    return shown.startsWith(QLatin1Char('-')) ? QChar(0x2212) + shown.mid(1) : shown;
}
QString signedFixed(double value, int digits) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    return (value < 0 ? QString() : QStringLiteral("+")) + fixed(value, digits);
}
QString count(std::int64_t value) {
    return value > 0 ? fromCore(grouped(value)) : QStringLiteral("–");
}
QString probability(double value) {
    return QString::number(value, 'g', 3);
}

class Writer {
  public:
    explicit Writer(ReportDocument& document) : document_(document) {}
    void heading(const QString& title) { add(ReportBlock::Kind::kHeading, title); }
    void paragraph(const QString& words) {
        if (!words.isEmpty()) add(ReportBlock::Kind::kParagraph, words);
    }
    void lead(const QString& words) { add(ReportBlock::Kind::kLead, words); }
    void note(const QString& words) { add(ReportBlock::Kind::kNote, words); }
    void list(const QStringList& items) {
        if (items.isEmpty()) return;
        ReportBlock block;
        block.kind = ReportBlock::Kind::kList;
        block.items = items;
        document_.blocks.push_back(std::move(block));
    }
    void table(ReportTable table) {
        if (table.rows.empty()) return;
        ReportBlock block;
        block.kind = ReportBlock::Kind::kTable;
        table.caption = ReportTr::tr("Table %1. %2").arg(++tables_).arg(table.caption);
        table.right.resize(static_cast<std::size_t>(table.header.size()), false);
        block.table = std::move(table);
        document_.blocks.push_back(std::move(block));
    }
    void figure(ReportFigure figure) {
        ReportBlock block;
        block.kind = ReportBlock::Kind::kFigure;
        figure.title = ReportTr::tr("Figure %1. %2").arg(++figures_).arg(figure.title);
        block.figure = std::move(figure);
        document_.blocks.push_back(std::move(block));
    }
    // A figure that cannot be made is said to be absent, with its reason.
    bool figure(Result<ReportFigure> made) {
        if (!made.ok()) return false;
        figure(std::move(made).value());
        return true;
    }

  private:
    void add(ReportBlock::Kind kind, const QString& words) {
        ReportBlock block;
        block.kind = kind;
        block.text = words;
        document_.blocks.push_back(std::move(block));
    }
    ReportDocument& document_;
    int tables_ = 0, figures_ = 0;
};

ReportTable factTable(const QString& caption, std::initializer_list<const std::vector<ReportFact>*> lists) {
    ReportTable table;
    table.caption = caption;
    table.header = {ReportTr::tr("what"), ReportTr::tr("value")};
    for (const auto* list : lists)
        for (const ReportFact& fact : *list)
            table.rows.push_back({reportText(fact.label), sentenceText(fact.value)});
    return table;
}

QString intervalWords(const PairedResult& result) {
    const auto range = [](const Interval& interval) {
        return QStringLiteral("[%1, %2]").arg(signedFixed(interval.low, 4), signedFixed(interval.high, 4));
    };
    if (result.interval)
        return ReportTr::tr("%1 (sign-flip, %2 %)")
            .arg(range(*result.interval), fixed(result.interval->level * 100, 1));
    if (result.t_interval)
        return ReportTr::tr("%1 (t, %2 %)").arg(range(*result.t_interval), fixed(result.t_interval->level * 100, 0));
    return ReportTr::tr("none");
}

// Which seeds could not be paired, and why: core's sentence, but in the language of the report.
QString leftOut(const Comparison& comparison, const VariantComparison& variant) {
    const PairedResult& result = variant.primary;
    QStringList parts;
    std::set<std::int64_t> all;
    std::vector<const ArmResult*> arms;
    for (const ArmResult& arm : comparison.arms) {
        if (arm.name != comparison.baseline.name && arm.name != variant.variant) continue;
        arms.push_back(&arm);
        for (const auto& [seed, value] : arm.seeds)
            all.insert(seed);
    }
    for (const std::int64_t seed : all) {
        if (std::find(result.seeds.begin(), result.seeds.end(), seed) != result.seeds.end()) continue;
        for (const ArmResult* arm : arms) {
            const auto at = arm->seeds.find(seed);
            if (at == arm->seeds.end()) {
                parts << filledText(ReportTr::tr("%1 has no run of seed %2"),
                                    {fromCore(arm->name), QString::number(seed)});
            } else if (at->second.values.count(result.measure) == 0) {
                const auto why = at->second.reasons.find(result.measure);
                parts << filledText(ReportTr::tr("%1, seed %2: %3"),
                                    {fromCore(arm->name), QString::number(seed),
                                     statusWords(why != at->second.reasons.end() ? why->second
                                                 : at->second.complete           ? std::string("not evaluated")
                                                                                 : at->second.state)});
            }
        }
    }
    return parts.join(QStringLiteral("; "));
}

// What came out, as full sentences: for the first page.
void answer(Writer& write, const ReportModel& report) {
    const Comparison& comparison = report.comparison;
    for (const VariantComparison& variant : comparison.variants) {
        const PairedResult& result = variant.primary;
        QString words =
            ReportTr::tr("%1 against %2: %3.")
                .arg(fromCore(variant.variant), fromCore(comparison.baseline.name), claimWords(result.claim));
        write.lead(words);
        if (result.pairs() > 0)
            write.paragraph(filledText(
                ReportTr::tr("Measured: %1. %2 has %3, %4 has %5; the mean paired difference is %6 over n = %7 "
                             "seeds."),
                {measureWords(result.measure), fromCore(comparison.baseline.name), fixed(result.baseline_mean, 4),
                 fromCore(variant.variant), fixed(result.variant_mean, 4), signedFixed(result.difference, 4),
                 QString::number(result.pairs())}));
        const QString missing = leftOut(comparison, variant);
        if (!missing.isEmpty()) write.paragraph(ReportTr::tr("Left out: %1.").arg(missing));
    }
}

void arms(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("Arms and what differs"));
    write.paragraph(ReportTr::tr(
        "An arm is one way of training the same model. All arms share data, order of batches, initial weights of "
        "the tensors they have in common, optimizer and number of steps; only what stands here differs."));
    ReportTable table;
    table.caption = ReportTr::tr("The arms of the experiment.");
    table.header = {ReportTr::tr("arm"), ReportTr::tr("encoding"), ReportTr::tr("paper"),
                    ReportTr::tr("settings of the encoding"), ReportTr::tr("trained parameters")};
    table.right = {false, false, false, false, true};
    QStringList words;
    for (const ReportArm& arm : report.arms) {
        const QString name =
            fromCore(arm.name) + (arm.baseline ? QLatin1Char(' ') + ReportTr::tr("(baseline)") : QString());
        QString settings = fromCore(arm.parameters);
        if (!arm.differences.empty())
            settings += (settings.isEmpty() ? QString() : QStringLiteral("; ")) +
                        ReportTr::tr("also differs: %1").arg(fromCore(arm.differences));
        table.rows.push_back(
            {name, fromCore(arm.encoding_name.empty() ? arm.encoding : arm.encoding_name),
             arm.reference.empty() ? QStringLiteral("–") : QStringLiteral("arXiv ") + fromCore(arm.reference),
             settings.isEmpty() ? QStringLiteral("–") : settings, count(arm.trained_parameters)});
        if (const EncodingSpec* spec = find_encoding(arm.encoding))
            words << QStringLiteral("%1: %2").arg(fromCore(arm.name), reportText(spec->summary));
    }
    write.table(std::move(table));
    write.list(words);
}

void curves(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("Training curves"));
    FigureRequest request;
    request.kind = QStringLiteral("loss");
    if (!write.figure(makeFigure(request, report))) write.paragraph(ReportTr::tr("No run has recorded a step yet."));
    ReportTable table;
    table.caption = ReportTr::tr("Every run, and how it ended.");
    table.header = {ReportTr::tr("arm"),
                    ReportTr::tr("seed"),
                    ReportTr::tr("state"),
                    ReportTr::tr("steps"),
                    ReportTr::tr("first loss"),
                    ReportTr::tr("last loss"),
                    ReportTr::tr("last validation loss")};
    table.right = {false, true, false, true, true, true, true};
    for (const ReportRun& run : report.runs) {
        table.rows.push_back({fromCore(run.arm), QString::number(run.seed), statusWords(run.status),
                              run.steps.empty() ? QStringLiteral("–") : fromCore(grouped(run.steps.back().step)),
                              run.steps.empty() ? QStringLiteral("–") : fixed(run.steps.front().loss, 4),
                              run.steps.empty()                      ? QStringLiteral("–")
                              : std::isfinite(run.steps.back().loss) ? fixed(run.steps.back().loss, 4)
                              : std::isnan(run.steps.back().loss)    ? QStringLiteral("NaN")
                                                                     : QStringLiteral("∞"),
                              run.validations.empty() ? QStringLiteral("–") : fixed(run.validations.back().loss, 4)});
    }
    write.table(std::move(table));
}

void lengths(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("Length extrapolation"));
    write.paragraph(
        ReportTr::tr("Each trained model is scored on inputs longer than those it was trained on. Non-overlapping "
                     "windows cut the text "
                     "into pieces, so early targets of a piece see little context; sliding windows give every target a "
                     "full one. The "
                     "two can disagree, so both are shown."));
    FigureRequest request;
    request.kind = QStringLiteral("extrapolation");
    if (!write.figure(makeFigure(request, report))) write.paragraph(ReportTr::tr("No run was evaluated by length."));
    const Comparison& comparison = report.comparison;
    std::vector<std::string> modes;
    for (const LengthRow& row : comparison.lengths)
        if (std::find(modes.begin(), modes.end(), row.measure.mode) == modes.end()) modes.push_back(row.measure.mode);
    for (const std::string& mode : modes) {
        std::set<std::int64_t> all;
        std::int64_t stride = 0, targets = 0;
        for (const LengthRow& row : comparison.lengths) {
            if (row.measure.mode != mode) continue;
            all.insert(row.measure.length);
            stride = row.measure.stride;
            targets = row.measure.targets;
        }
        ReportTable table;
        table.header = {ReportTr::tr("arm"), QStringLiteral("n")};
        table.right = {false, true};
        for (const std::int64_t length : all) {
            table.header << QString::number(length);
            table.right.push_back(true);
        }
        table.header << ReportTr::tr("gap at the longest") << ReportTr::tr("holds to");
        table.right.insert(table.right.end(), {true, true});
        QStringList reasons;
        for (const ArmResult& arm : comparison.arms) {
            QStringList cells{fromCore(arm.name)};
            std::size_t n = 0;
            QStringList values;
            double gap = std::nan("");
            for (const std::int64_t length : all) {
                QString cell = QStringLiteral("–");
                for (const LengthRow& row : comparison.lengths) {
                    if (row.arm != arm.name || row.measure.mode != mode || row.measure.length != length) continue;
                    n = std::max(n, row.n);
                    if (row.n > 0) cell = fixed(std::exp(row.mean), 2);
                    if (length == *all.rbegin()) gap = row.gap.value_or(std::nan(""));
                    if (row.n == 0 && !row.reason.empty())
                        reasons << filledText(ReportTr::tr("%1 at %2: %3"),
                                              {fromCore(arm.name), QString::number(length), statusWords(row.reason)});
                }
                values << cell;
            }
            const auto held = comparison.longest_held.find({arm.name, mode});
            cells << QString::number(n);
            cells += values;
            cells << signedFixed(gap, 3)
                  << (held == comparison.longest_held.end() ? QStringLiteral("–") : QString::number(held->second));
            table.rows.push_back(cells);
        }
        table.caption =
            ReportTr::tr(
                "Perplexity by evaluation length, %1, stride %2, N = %3. Gap: loss minus the loss at the "
                "training length, in nats. Holds to: the longest length with a gap of at most %4 nats.")
                .arg(mode == "non-overlapping" ? modeWords(mode) + QLatin1Char(' ') + ReportTr::tr("windows")
                                               : modeWords(mode))
                .arg(mode == "non-overlapping" ? ReportTr::tr("= length") : QString::number(stride),
                     fromCore(grouped(targets)) +
                         (targets < kFullTargets ? QLatin1Char(' ') + ReportTr::tr("(small N)") : QString()))
                .arg(kHeldGap);
        if (!reasons.isEmpty())
            table.caption += QLatin1Char(' ') + ReportTr::tr("No value: %1.").arg(reasons.join("; "));
        write.table(std::move(table));
    }
    request.kind = QStringLiteral("position-loss");
    if (!write.figure(makeFigure(request, report)))
        write.note(ReportTr::tr("The loss by position was not recorded (evaluation.by_position)."));
}

void positions(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("What the encodings do to positions"));
    write.paragraph(ReportTr::tr(
        "These pictures come from the formulas of the encodings with the settings of this experiment; no trained "
        "model is needed for them."));
    int drawn = 0;
    std::set<std::string> seen;
    for (const ReportArm& arm : report.arms) {
        if (!seen.insert(arm.encoding + arm.parameters).second) continue;
        FigureRequest request;
        request.arm = fromCore(arm.name);
        for (const char* kind : {"alibi-bias", "rope-phase", "position-table"}) {
            request.kind = QString::fromLatin1(kind);
            drawn += write.figure(makeFigure(request, report)) ? 1 : 0;
        }
    }
    if (drawn == 0) write.paragraph(ReportTr::tr("No arm has an encoding whose values exist before training."));
}

void attentionSection(Writer& write, const ReportModel& report,
                      const std::vector<std::shared_ptr<const AttentionMapsOf>>& attention, const QString& problem) {
    write.heading(ReportTr::tr("Attention of the probe text"));
    if (!report.probe_text.empty())
        write.paragraph(ReportTr::tr("The probe text: “%1”").arg(fromCore(report.probe_text)));
    bool drawn = false;
    for (const auto& maps : attention) {
        FigureRequest request;
        request.kind = QStringLiteral("attention-heads");
        drawn = write.figure(makeFigure(request, report, maps.get())) || drawn;
    }
    if (drawn) return;
    write.paragraph(!problem.isEmpty() ? ReportTr::tr("Not shown: %1").arg(problem)
                    : report.probe_text.empty()
                        ? ReportTr::tr("Not shown: the experiment has no probe text.")
                        : ReportTr::tr("Not shown: no run keeps a checkpoint, and attention needs "
                                       "the trained weights."));
}

void statisticsSection(Writer& write, const ReportModel& report) {
    const Comparison& comparison = report.comparison;
    write.heading(ReportTr::tr("Statistics"));
    write.paragraph(ReportTr::tr(
        "The unit is the seed: each seed trains every arm on the same data in the same order, and only differences "
        "within "
        "a seed are compared. p is the exact two-sided sign-flip permutation test; n pairs cannot give less than the "
        "smallest p shown. Only the endpoint declared before the run can carry a claim, adjusted over all variants "
        "(Holm); everything else is exploratory."));
    ReportTable table;
    bool first = true;
    table.header = {ReportTr::tr("arm"), QStringLiteral("n"),        ReportTr::tr("mean"),
                    ReportTr::tr("sd"),  ReportTr::tr("difference"), ReportTr::tr("interval"),
                    QStringLiteral("p"), ReportTr::tr("smallest p"), ReportTr::tr("adjusted p")};
    table.right = {false, true, true, true, true, false, true, true, true};
    for (const VariantComparison& variant : comparison.variants) {
        const PairedResult& r = variant.primary;
        if (first) {
            table.caption =
                r.confirmatory
                    ? ReportTr::tr("Primary endpoint, declared before the run: %1.").arg(measureWords(r.measure))
                    : ReportTr::tr("Exploratory, no primary endpoint: %1.").arg(measureWords(r.measure));
            table.rows.push_back({fromCore(comparison.baseline.name) + QLatin1Char(' ') + ReportTr::tr("(baseline)"),
                                  QString::number(r.pairs()),
                                  r.pairs() > 0 ? fixed(r.baseline_mean, 4) : QStringLiteral("–"),
                                  r.pairs() > 0 ? fixed(r.baseline_sd, 4) : QStringLiteral("–"),
                                  {},
                                  {},
                                  {},
                                  {},
                                  {}});
            first = false;
        }
        const bool any = r.pairs() > 0;
        const QString dash = QStringLiteral("–");
        table.rows.push_back({fromCore(variant.variant), QString::number(r.pairs()),
                              any ? fixed(r.variant_mean, 4) : dash, any ? fixed(r.variant_sd, 4) : dash,
                              any ? signedFixed(r.difference, 4) : dash, any ? intervalWords(r) : dash,
                              any ? probability(r.test.p) : dash, any ? probability(r.test.smallest_p) : dash,
                              any ? probability(r.adjusted_p) : dash});
    }
    write.table(std::move(table));
    QStringList claims;
    for (const VariantComparison& variant : comparison.variants) {
        claims << ReportTr::tr("%1 against %2: %3.")
                      .arg(fromCore(variant.variant), fromCore(comparison.baseline.name),
                           claimWords(variant.primary.claim));
        QStringList plan;
        for (const PlannedSeeds& planned : plan_seeds(variant.primary, comparison.family_size))
            plan << ReportTr::tr("%1 for %2 nats")
                        .arg(planned.seeds ? fromCore(grouped(*planned.seeds)) : ReportTr::tr("over a million"))
                        .arg(planned.difference);
        if (!plan.isEmpty())
            claims << ReportTr::tr("Seeds needed with this spread: %1.").arg(plan.join(QStringLiteral(", ")));
    }
    if (comparison.noise_floor)
        claims << ReportTr::tr("Noise floor from identical arms: %1 nats.").arg(probability(*comparison.noise_floor));
    if (comparison.test_sampling_error > 0)
        claims << ReportTr::tr("Sampling error of the test text itself: about %1 nats, common to all arms.")
                      .arg(QString::number(comparison.test_sampling_error, 'g', 2));
    write.list(claims);
    for (const VariantComparison& variant : comparison.variants) {
        const PairedResult& r = variant.primary;
        if (r.pairs() == 0) continue;
        ReportTable seeds;
        seeds.caption =
            ReportTr::tr("%1 and %2, seed by seed: %3.")
                .arg(fromCore(comparison.baseline.name), fromCore(variant.variant), measureWords(r.measure));
        seeds.header = {ReportTr::tr("seed"), fromCore(comparison.baseline.name), fromCore(variant.variant),
                        ReportTr::tr("difference")};
        seeds.right = {false, true, true, true};
        for (std::size_t i = 0; i < r.pairs(); ++i)
            seeds.rows.push_back({QString::number(r.seeds[i]), fixed(r.baseline[i], 6), fixed(r.variant[i], 6),
                                  signedFixed(r.variant[i] - r.baseline[i], 6)});
        write.table(std::move(seeds));
    }
    ReportTable more;
    more.caption = ReportTr::tr("Exploratory: everything else that was measured. No claim may be made from it.");
    more.header = {
        ReportTr::tr("measure"), ReportTr::tr("arm"),        QStringLiteral("n"), fromCore(comparison.baseline.name),
        ReportTr::tr("arm's"),   ReportTr::tr("difference"), QStringLiteral("p")};
    more.right = {false, false, true, true, true, true, true};
    more.rowHeader = false;
    for (const VariantComparison& variant : comparison.variants)
        for (const PairedResult& r : variant.exploratory)
            more.rows.push_back({measureWords(r.measure), fromCore(variant.variant), QString::number(r.pairs()),
                                 fixed(r.baseline_mean, 4), fixed(r.variant_mean, 4), signedFixed(r.difference, 4),
                                 probability(r.test.p)});
    write.table(std::move(more));
}

void cost(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("Cost"));
    ReportTable table;
    table.caption = ReportTr::tr(
        "Time and memory of each run. Each run is a process of its own; peak memory is the largest "
        "resident size of that process, idle is with the libraries loaded and nothing trained.");
    table.header = {ReportTr::tr("arm"),
                    ReportTr::tr("seed"),
                    ReportTr::tr("seconds"),
                    ReportTr::tr("tokens/s"),
                    ReportTr::tr("peak memory, MB"),
                    ReportTr::tr("idle memory, MB")};
    table.right = {false, true, true, true, true, true};
    const auto known = [](double value, int digits) { return value > 0 ? fixed(value, digits) : QStringLiteral("–"); };
    for (const ReportRun& run : report.runs)
        table.rows.push_back({fromCore(run.arm), QString::number(run.seed), known(run.seconds, 1),
                              known(run.tokens_per_s, 0), known(run.peak_rss_mb, 0), known(run.idle_rss_mb, 0)});
    write.table(std::move(table));
}

void published(Writer& write, const ReportModel& report) {
    if (report.claims.empty()) return;
    write.heading(ReportTr::tr("What the papers report"));
    write.paragraph(
        ReportTr::tr("Published numbers of the encodings' papers, on other corpora, tokenizers and model sizes, and "
                     "beside them those of Sextant's own records. They stand here for comparison of directions and are "
                     "no results of this experiment."));
    ReportTable table;
    table.caption = ReportTr::tr("Published claims and whether they can be tested at this scale.");
    table.header = {ReportTr::tr("claim"), ReportTr::tr("published"), ReportTr::tr("Sextant's own"),
                    ReportTr::tr("here, and why")};
    const auto listed = [](const std::vector<PublishedFigure>& figures, const QString& behind) {
        QStringList parts;
        for (const PublishedFigure& figure : figures)
            parts << QStringLiteral("%1: %2 %3")
                         .arg(fromCore(figure.label), fromCore(format_exact(figure.value)), fromCore(figure.unit))
                         .trimmed();
        const QString numbers = parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral("; "));
        return behind.isEmpty() ? numbers : QStringLiteral("%1 (%2)").arg(numbers, behind);
    };
    const bool chinese = QLocale(ReportTr::tr("en", "language of the report")).language() == QLocale::Chinese;
    for (const PaperClaim& claim : report.claims) {
        table.rows.push_back(
            {fromCore(chinese ? claim.statement_zh : claim.statement),
             listed(claim.published, QStringLiteral("%1, %2").arg(fromCore(claim.reference), fromCore(claim.table))),
             listed(claim.ours, fromCore(claim.ours_how)),
             QStringLiteral("%1. %2").arg(reportText(claim_status_text(claim.status)), fromCore(claim.why))});
    }
    write.table(std::move(table));
}

void provenance(Writer& write, const ReportModel& report) {
    write.heading(ReportTr::tr("Provenance"));
    const Provenance& p = report.provenance;
    ReportTable table;
    table.caption = ReportTr::tr("Where the numbers come from.");
    table.header = {ReportTr::tr("what"), ReportTr::tr("value")};
    const auto row = [&](const QString& what, const std::string& value) {
        if (!value.empty()) table.rows.push_back({what, fromCore(value)});
    };
    const auto joined = [](const auto& list) {
        QStringList parts;
        for (const auto& one : list) {
            if constexpr (std::is_integral_v<std::decay_t<decltype(one)>>)
                parts << QString::number(one);
            else
                parts << fromCore(one);
        }
        return parts.join(QStringLiteral(", ")).toStdString();
    };
    row(ReportTr::tr("Sextant"), p.version);
    row(ReportTr::tr("commit"), p.commit);
    row(ReportTr::tr("compiler"), p.compiler);
    row(ReportTr::tr("libraries"), p.libraries);
    row(ReportTr::tr("processor"), p.cpu);
    row(ReportTr::tr("device"), joined(p.devices));
    row(ReportTr::tr("computed by"), joined(p.paths));
    row(ReportTr::tr("threads"), joined(p.threads));
    row(ReportTr::tr("machine"), joined(p.hosts));
    row(ReportTr::tr("command"), p.command_line);
    row(ReportTr::tr("corpus, SHA-256"), p.data.corpus_sha256);
    row(ReportTr::tr("tokenizer, SHA-256"), p.data.tokenizer_sha256);
    row(ReportTr::tr("tokens, SHA-256"), p.data.tokens_sha256);
    write.table(std::move(table));
    QStringList notes;
    for (const std::string& note : report.notes)
        notes << fromCore(note);
    write.list(notes);
    write.heading(ReportTr::tr("Reproducibility checklist"));
    ReportTable checklist;
    checklist.caption = ReportTr::tr("Pre-filled from the project; check before you submit.");
    checklist.header = {ReportTr::tr("question"), ReportTr::tr("answer")};
    for (const auto& [question, reply] : report.checklist)
        checklist.rows.push_back({reportText(question), sentenceText(reply)});
    write.table(std::move(checklist));
}

}  // namespace

ReportDocument makeReport(const ReportModel& report,
                          const std::vector<std::shared_ptr<const AttentionMapsOf>>& attention,
                          const QString& attentionProblem) {
    ReportDocument document;
    document.title = fromCore(report.title);
    document.subtitle = ReportTr::tr("Report of a comparison of position encodings, made by Sextant");
    //: The language of the report as a BCP 47 tag: "en", "zh-CN".
    document.language = ReportTr::tr("en", "language of the report");
    document.provenance = {{QStringLiteral("commit"), fromCore(report.provenance.commit)},
                           {QStringLiteral("tokens"), fromCore(report.provenance.data.tokens_sha256)}};
    for (const ReportRun& run : report.runs)
        document.provenance.emplace_back(QStringLiteral("run"), fromCore(run.folder));
    Writer write(document);
    write.heading(ReportTr::tr("Question and answer"));
    write.lead(sentenceText(report.question));
    answer(write, report);
    write.note(ReportTr::tr(
        "How to read this. A language model predicts the next token of a text. It does not know by itself in which "
        "order "
        "tokens stand; a position encoding tells it. Loss is the mean surprise for a token in nats, perplexity is e to "
        "the loss; for both, lower is better. n counts seeds, that is, independent repetitions with other random "
        "initial "
        "weights; sd is the standard deviation over them. Nothing here was computed from fewer runs than its n says, "
        "and "
        "what was not measured is shown as a dash."));
    arms(write, report);
    write.heading(ReportTr::tr("Data and budget"));
    write.table(factTable(ReportTr::tr("The text that was learned and tested on."), {&report.data}));
    if (report.data.empty())
        write.paragraph(ReportTr::tr("The project keeps no record of its data (data/dataset_info.json)."));
    write.table(
        factTable(ReportTr::tr("Model and training, the same for every arm unless it is listed above as different."),
                  {&report.budget}));
    write.table(factTable(ReportTr::tr("How the trained models were judged."), {&report.evaluation}));
    curves(write, report);
    lengths(write, report);
    positions(write, report);
    attentionSection(write, report, attention, attentionProblem);
    statisticsSection(write, report);
    cost(write, report);
    write.heading(ReportTr::tr("Limits"));
    QStringList limits;
    for (const Sentence& limit : report.limits)
        limits << sentenceText(limit);
    for (const ReportRun& run : report.runs)
        for (const std::string& warning : run.warnings)
            limits << filledText(ReportTr::tr("%1, seed %2 warned: %3"),
                                 {fromCore(run.arm), QString::number(run.seed), fromCore(warning)});
    write.list(limits);
    published(write, report);
    provenance(write, report);
    return document;
}

}  // namespace sextant
