#include "widgets/pages/compare_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"

namespace sextant {

namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString fixed(double value, int digits = 4) {
    return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : displayNumber(value);
}

QString signedText(double value, int digits = 4) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + fixed(std::abs(value), digits);
}

}  // namespace

ComparePage::ComparePage(Session& session, QWidget* parent) : Page(parent), session_(session), model_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    auto* row = new QHBoxLayout;
    row->setSpacing(scaled(8));
    row->addWidget(new QuietLabel(tr("Variant"), TextRole::kNote));
    variant_ = new QComboBox;
    variant_->setAccessibleName(tr("Variant"));
    variant_->setMinimumWidth(scaled(120));
    row->addWidget(variant_);
    row->addWidget(new QuietLabel(tr("Metric"), TextRole::kNote));
    measure_ = new QComboBox;
    measure_->setAccessibleName(tr("Metric"));
    measure_->setMinimumWidth(scaled(260));
    row->addWidget(measure_);
    declared_ = new QuietLabel({}, TextRole::kNote);
    row->addWidget(declared_);
    row->addStretch(1);
    auto* latex = new QPushButton(tr("Table as LaTeX"));
    connect(latex, &QPushButton::clicked, this, [this] { runCommand("compare.table"); });
    row->addWidget(latex);
    auto* report = new QPushButton(tr("Report"));
    report->setProperty("primary", true);
    connect(report, &QPushButton::clicked, this, [this] { Q_EMIT pageRequested("report"); });
    row->addWidget(report);
    column->addLayout(row);
    empty_ = new InlineBar;
    empty_->hide();
    column->addWidget(empty_);

    pairs_ = new ArmTable({tr("seed"), tr("baseline"), tr("variant"), tr("difference"), QString()});
    pairs_->setVisibleRows(8);
    pairsCard_ = new Card(tr("Paired by seed"));
    pairsCard_->setContent(pairs_);
    intervals_ = new CurvePlot;
    intervals_->setAccessibleName(tr("Difference and its intervals"));
    intervals_->setInteractive(false);
    intervals_->setEmptyText(tr("Fewer than two pairs: no interval."));
    intervalCard_ = new Card(tr("Difference and its intervals"));
    intervalCard_->setContent(intervals_);
    auto* say = new QWidget;
    auto* sayColumn = new QVBoxLayout(say);
    sayColumn->setContentsMargins(scaled(12), scaled(4), scaled(12), scaled(12));
    sayColumn->setSpacing(scaled(8));
    claim_ = new QuietLabel({}, TextRole::kExperiment, QuietLabel::Ink::kText);
    claim_->setWordWrap(true);
    claim_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    claim_->setObjectName("claim");
    detail_ = new QuietLabel({}, TextRole::kNote);
    detail_->setWordWrap(true);
    detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    advice_ = new InlineBar;
    advice_->hide();
    sayColumn->addWidget(claim_);
    sayColumn->addWidget(detail_);
    sayColumn->addWidget(advice_);
    sayCard_ = new Card(tr("What can be said"));
    sayCard_->setContent(say);
    all_ = new ArmTable({tr("arm"), tr("n"), tr("loss"), tr("perplexity"), tr("sd"), tr("minus baseline"), tr("p")});
    all_->setVisibleRows(6);
    allCard_ = new Card(tr("All arms"));
    allCard_->setContent(all_);
    measures_ = new ArmTable({tr("measure"), tr("n"), tr("baseline"), tr("variant"), tr("difference"), tr("p")});
    measures_->setVisibleRows(2);
    measures_->setToolTip(tr("Choose a row to see its pairs"));
    measuresCard_ = new Card(tr("Every measure"));
    measuresCard_->setContent(measures_);
    body_ = new QWidget;
    auto* halves = new QHBoxLayout(body_);
    halves->setContentsMargins(0, 0, 0, 0);
    halves->setSpacing(scaled(8));
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    for (QVBoxLayout* half : {left, right}) {
        half->setSpacing(scaled(8));
        halves->addLayout(half, 1);
    }
    // Tables take what their rows need, the plot and the longest table what is left.
    left->addWidget(pairsCard_);
    left->addWidget(intervalCard_, 1);
    right->addWidget(sayCard_);
    right->addWidget(allCard_);
    right->addWidget(measuresCard_, 1);
    column->addWidget(body_, 1);
    makeInspector();

    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible()) model_.update();
    });
    connect(&session_.selection(), &Selection::baselineChanged, this, [this] {
        if (isVisible()) model_.update();
    });
    connect(&session_.selection(), &Selection::runChanged, this, [this] {
        const int at = variant_->findText(session_.selection().arm());
        if (at >= 0) variant_->setCurrentIndex(at);
    });
    connect(&model_, &ComparisonModel::changed, this, &ComparePage::refresh);
    connect(variant_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) refresh();
    });
    connect(measure_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) refresh();
    });
    connect(measures_, &ArmTable::rowChosen, this, [this](int row) {
        if (!filling_ && row < measure_->count()) measure_->setCurrentIndex(row);
    });
    connect(advice_, &InlineBar::actionTriggered, this, [this] {
        if (QAction* add = window()->findChild<QAction*>("compare.seed")) add->trigger();
    });
    refresh();
}

void ComparePage::makeInspector() {
    inspector_ = new QWidget;
    auto* column = new QVBoxLayout(inspector_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* rules = new Section(tr("Rules"));
    needed_ = rules->addLine(tr("Pairs needed"));
    family_ = rules->addLine(tr("Family"));
    floor_ = rules->addLine(tr("Noise floor"));
    sampling_ = rules->addLine(tr("Test text"));
    column->addWidget(rules);
    auto* how = new Section(tr("How it is tested"));
    auto* words = new QuietLabel(
        tr("The unit is the seed, always paired: same seed, same batches in both arms. The exact two-sided sign-flip "
           "test decides; its interval comes from inverting it. The t interval stands beside it. Only the endpoint "
           "declared before the run can carry a claim, after Holm's correction over the variants."),
        TextRole::kNote, QuietLabel::Ink::kText);
    words->setWordWrap(true);
    how->add(words);
    column->addWidget(how);
    auto* notes = new Section(tr("Notes"));
    notes_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    notes_->setWordWrap(true);
    notes->add(notes_);
    column->addWidget(notes);
    column->addStretch(1);
}

QString ComparePage::inspectorNote() const {
    return variant_->currentText();
}

QString ComparePage::claim() const {
    return claim_->text();
}

void ComparePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    model_.update();
    refresh();
}

const VariantComparison* ComparePage::current() const {
    const auto& comparison = model_.comparison();
    if (!comparison) return nullptr;
    for (const VariantComparison& variant : comparison->variants) {
        if (text(variant.variant) == variant_->currentText()) return &variant;
    }
    return comparison->variants.empty() ? nullptr : &comparison->variants.front();
}

const PairedResult* ComparePage::result() const {
    const VariantComparison* variant = current();
    if (variant == nullptr) return nullptr;
    const int index = measure_->currentIndex();
    if (index > 0 && static_cast<std::size_t>(index - 1) < variant->exploratory.size())
        return &variant->exploratory[static_cast<std::size_t>(index - 1)];
    return &variant->primary;
}

void ComparePage::refresh() {
    const auto& comparison = model_.comparison();
    const bool any = comparison != nullptr && !comparison->variants.empty();
    body_->setVisible(any);
    if (!any) {
        empty_->show(
            BarKind::kInfo,
            model_.problem().isEmpty() ? tr("There is nothing to compare yet.") : tr("The comparison cannot be made."),
            model_.problem().isEmpty() ? tr("It appears when a run of the baseline and one of a variant are evaluated.")
                                       : model_.problem());
        return;
    }
    empty_->hide();
    filling_ = true;
    const QString before = variant_->currentText();
    QStringList names;
    for (const VariantComparison& variant : comparison->variants)
        names << text(variant.variant);
    if (variant_->count() != names.size() || before.isEmpty() || !names.contains(before)) {
        variant_->clear();
        variant_->addItems(names);
        const int at = static_cast<int>(names.indexOf(session_.selection().arm()));
        variant_->setCurrentIndex(std::max(0, at));
    }
    const VariantComparison* variant = current();
    QStringList measures = {text(describe(variant->primary.measure))};
    for (const PairedResult& each : variant->exploratory)
        measures << text(describe(each.measure));
    QStringList shown;
    for (int i = 0; i < measure_->count(); ++i)
        shown << measure_->itemText(i);
    if (shown != measures) {
        const int at = measure_->currentIndex();
        measure_->clear();
        measure_->addItems(measures);
        measure_->setCurrentIndex(std::clamp(at, 0, static_cast<int>(measures.size()) - 1));
    }
    filling_ = false;
    const PairedResult& paired = *result();
    declared_->setText(paired.confirmatory ? tr("declared before the run") : tr("exploratory"));
    fillPairs(paired, text(variant->variant));
    drawIntervals(paired, text(variant->variant));
    say(paired, *variant);
    fillAll();
    fillMeasures(*variant);
    needed_->setText(QString::number(comparison->pairs_needed));
    family_->setText(tr("%n variant(s)", nullptr, static_cast<int>(comparison->family_size)));
    floor_->setText(comparison->noise_floor ? tr("%1 nats").arg(fixed(*comparison->noise_floor))
                                            : tr("no identical arms"));
    sampling_->setText(tr("± %1 nats sampling error").arg(fixed(comparison->test_sampling_error, 3)));
    QStringList notes;
    for (const std::string& note : comparison->notes)
        notes << text(note);
    notes_->setText(notes.isEmpty() ? tr("None.") : notes.join('\n'));
    Q_EMIT inspectorChanged();
}

void ComparePage::fillPairs(const PairedResult& result, const QString& variant) {
    const QString baseline = text(model_.comparison()->baseline.name);
    pairs_->setHeaders({tr("seed"), baseline, variant, tr("difference"), QString()});
    std::vector<ArmTableRow> rows;
    double largest = 0;
    for (std::size_t i = 0; i < result.pairs(); ++i)
        if (const double d = std::abs(result.variant[i] - result.baseline[i]); std::isfinite(d))
            largest = std::max(largest, d);
    for (std::size_t i = 0; i < result.pairs(); ++i) {
        ArmTableRow row;
        row.name = tr("s%1").arg(result.seeds[i]);
        row.cells = {fixed(result.baseline[i]), fixed(result.variant[i]),
                     signedText(result.variant[i] - result.baseline[i])};
        if (largest > 0) row.bar = (result.variant[i] - result.baseline[i]) / largest;
        rows.push_back(std::move(row));
    }
    if (result.pairs() > 0) {
        ArmTableRow mean;
        mean.name = tr("mean");
        mean.strong = true;
        mean.cells = {fixed(result.baseline_mean), fixed(result.variant_mean), signedText(result.difference)};
        rows.push_back(std::move(mean));
    }
    if (result.pairs() > 1) {
        ArmTableRow sd;
        sd.name = tr("sd");
        sd.cells = {fixed(result.baseline_sd), fixed(result.variant_sd), fixed(result.difference_sd)};
        rows.push_back(std::move(sd));
    }
    pairs_->setRows(std::move(rows));
    pairsCard_->setNote(tr("same batches, same shared initial weights"));
}

void ComparePage::drawIntervals(const PairedResult& result, const QString& variant) {
    intervalCard_->setNote(tr("n = %n pair(s)", nullptr, static_cast<int>(result.pairs())));
    const ProjectSnapshotPtr now = session_.snapshot();
    const int slot = now ? now->slotOf(variant) : 1;
    std::vector<CurveSeries> series;
    std::vector<PlotNote> notes;
    AxisOptions y;
    y.name = QString();
    y.range = Range{0.4, 3.6};
    y.fixedTicks = {{3, tr("seeds")}, {2, tr("inversion")}, {1, tr("paired t")}};
    AxisOptions x;
    x.name = tr("%1 minus %2, nats a token (higher is worse)").arg(variant, text(model_.comparison()->baseline.name));
    x.includeZero = true;
    if (result.pairs() > 0) {
        CurveSeries points;
        points.id = "seeds";
        points.slot = slot;
        points.role = SeriesRole::kPoints;
        points.markers = true;
        points.openMarkers = true;
        points.labelled = false;
        std::vector<double> at, level;
        for (std::size_t i = 0; i < result.pairs(); ++i) {
            at.push_back(result.variant[i] - result.baseline[i]);
            level.push_back(3.0);
        }
        points.x = sharedValues(std::move(at));
        points.y = sharedValues(std::move(level));
        series.push_back(std::move(points));
    }
    const auto interval = [&](const std::optional<Interval>& given, double level, const QString& name) {
        if (!given) return;
        CurveSeries line;
        line.id = name;
        line.slot = slot;
        line.role = SeriesRole::kPath;
        line.labelled = false;
        const double gap = std::numeric_limits<double>::quiet_NaN();
        line.x = sharedValues({given->low, given->high, gap, given->low, given->low, gap, given->high, given->high});
        line.y = sharedValues({level, level, gap, level - 0.12, level + 0.12, gap, level - 0.12, level + 0.12});
        SeriesStyle solid = theme().series(slot);
        solid.dash.clear();
        line.style = solid;
        series.push_back(std::move(line));
        CurveSeries centre;
        centre.id = name + ".mean";
        centre.slot = slot;
        centre.role = SeriesRole::kPoints;
        centre.markers = true;
        centre.labelled = false;
        centre.x = sharedValues({result.difference});
        centre.y = sharedValues({level});
        series.push_back(std::move(centre));
        PlotNote note;
        note.x = given->high;
        note.y = level + 0.22;
        note.text = tr("%1 %").arg(QLocale().toString(given->level * 100, 'f', 1));
        notes.push_back(std::move(note));
    };
    if (result.interval) interval(result.interval, 2, "inversion");
    if (result.pairs() > 1) interval(result.t_interval, 1, "t");
    intervals_->setXAxis(x);
    intervals_->setYAxis(y);
    intervals_->setNotes(std::move(notes));
    IndexLine zero;
    zero.value = 0;
    zero.text = tr("no difference");
    zero.secondary = true;
    intervals_->setLines(series.empty() ? std::vector<IndexLine>{} : std::vector<IndexLine>{zero});
    intervals_->setSeries(std::move(series));
}

void ComparePage::say(const PairedResult& result, const VariantComparison& variant) {
    const Comparison& comparison = *model_.comparison();
    const QString name = text(variant.variant);
    QString sentence = text(result.claim);
    if (variant.identical) sentence = tr("%1 is the same plan under another name: an A/A comparison.").arg(name);
    claim_->setText(sentence.isEmpty() ? text(result.missing) : sentence);
    QStringList details;
    if (result.pairs() > 0)
        details << tr("Mean paired difference %1 nats a token over %n pair(s).", nullptr,
                      static_cast<int>(result.pairs()))
                       .arg(signedText(result.difference));
    if (result.pairs() > 0)
        details << tr("Exact two-sided sign-flip p = %1, the smallest these pairs can give is %2.")
                       .arg(QLocale().toString(result.test.p, 'g', 3),
                            QLocale().toString(result.test.smallest_p, 'g', 3));
    if (result.confirmatory && comparison.family_size > 1)
        details << tr("After Holm's correction over %n variant(s): %1.", nullptr,
                      static_cast<int>(comparison.family_size))
                       .arg(QLocale().toString(result.adjusted_p, 'g', 3));
    if (result.interval)
        details << tr("Interval from inverting the test: [%1, %2], %3 %.")
                       .arg(signedText(result.interval->low), signedText(result.interval->high),
                            QLocale().toString(result.interval->level * 100, 'f', 1));
    if (result.t_interval)
        details << tr("Paired t, 95 %: [%1, %2].")
                       .arg(signedText(result.t_interval->low), signedText(result.t_interval->high));
    if (!result.confirmatory) details << tr("Not the declared endpoint, so it carries no claim.");
    if (!result.missing.empty()) details << text(result.missing);
    detail_->setText(details.join(' '));
    const auto pairs = static_cast<std::int64_t>(result.pairs());
    if (pairs < comparison.pairs_needed)
        advice_->show(BarKind::kWarning, tr("%n pair(s) cannot reach p < 0.05.", nullptr, static_cast<int>(pairs)),
                      tr("%1 are needed.").arg(comparison.pairs_needed), tr("Add a seed"));
    else
        advice_->hide();
}

void ComparePage::fillAll() {
    const Comparison& comparison = *model_.comparison();
    const ProjectSnapshotPtr now = session_.snapshot();
    std::vector<ArmTableRow> rows;
    const auto add = [&](const ArmResult& arm, const PairedResult* paired, bool baseline) {
        ArmTableRow row;
        row.name = text(arm.name);
        row.slot = now ? now->slotOf(row.name) : 0;
        row.baseline = baseline;
        const PairedResult* numbers = paired != nullptr             ? paired
                                      : comparison.variants.empty() ? nullptr
                                                                    : &comparison.variants.front().primary;
        const bool has = numbers != nullptr && numbers->pairs() > 0;
        const double mean = has ? (baseline ? numbers->baseline_mean : numbers->variant_mean) : 0;
        const double sd = has ? (baseline ? numbers->baseline_sd : numbers->variant_sd) : 0;
        const QString none = QStringLiteral("–");
        row.cells = {has ? QString::number(numbers->pairs()) : QStringLiteral("0"),
                     has ? fixed(mean) : none,
                     has ? fixed(std::exp(mean), 2) : none,
                     has && numbers->pairs() > 1 ? fixed(sd) : none,
                     baseline ? tr("baseline")
                     : has    ? signedText(numbers->difference)
                              : none,
                     baseline || !has ? QString() : QLocale().toString(numbers->adjusted_p, 'g', 3)};
        rows.push_back(std::move(row));
    };
    add(comparison.baseline, nullptr, true);
    for (const ArmResult& arm : comparison.arms) {
        if (arm.name == comparison.baseline.name) continue;
        const PairedResult* paired = nullptr;
        for (const VariantComparison& variant : comparison.variants) {
            if (variant.variant == arm.name) paired = &variant.primary;
        }
        add(arm, paired, false);
    }
    all_->setRows(std::move(rows));
    if (!comparison.variants.empty()) allCard_->setNote(text(describe(comparison.variants.front().primary.measure)));
}

void ComparePage::fillMeasures(const VariantComparison& variant) {
    std::vector<ArmTableRow> rows;
    const auto add = [&](const PairedResult& result) {
        ArmTableRow row;
        row.name = text(describe(result.measure));
        const QString none = QStringLiteral("–");
        const bool has = result.pairs() > 0;
        row.cells = {QString::number(result.pairs()), has ? fixed(result.baseline_mean) : none,
                     has ? fixed(result.variant_mean) : none, has ? signedText(result.difference) : none,
                     has ? QLocale().toString(result.test.p, 'g', 3) : none};
        row.strong = result.confirmatory;
        rows.push_back(std::move(row));
    };
    add(variant.primary);
    for (const PairedResult& result : variant.exploratory)
        add(result);
    measures_->setHeaders({tr("measure"), tr("n"), text(model_.comparison()->baseline.name), text(variant.variant),
                           tr("difference"), tr("p")});
    measures_->setRows(std::move(rows));
    measuresCard_->setNote(variant.primary.confirmatory
                               ? tr("%1; all but the first are exploratory").arg(text(variant.variant))
                               : tr("%1; all are exploratory").arg(text(variant.variant)));
}

bool ComparePage::runCommand(const QString& id) {
    if (id != "compare.table" || !model_.comparison()) return false;
    QApplication::clipboard()->setText(text(comparison_latex(*model_.comparison())));
    Q_EMIT message(tr("The table is on the clipboard as LaTeX."), {});
    return true;
}

QString ComparePage::tableText() const {
    return pairs_->text() + "\n" + all_->text() + "\n" + measures_->text();
}

}  // namespace sextant
