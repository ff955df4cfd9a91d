#include "widgets/pages/curves_page.h"

#include <QApplication>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"
#include "widgets/pages/editor_page.h"
#include "widgets/plots/curve_plot.h"

namespace sextant {

namespace {
constexpr int kRefreshMs = 100;  // 10 Hz, the rate at which fifty series are still cheap
}

CurvesPage::CurvesPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    column->addWidget(makeControls());

    main_ = new CurvePlot;
    main_->setAccessibleName(tr("Loss of all arms"));
    main_->setEndValues(false);
    main_->setEmptyText(tr("No points yet. They appear as soon as a run writes them."));
    mainCard_ = new Card(tr("Validation loss"));
    mainCard_->setContent(main_);
    train_ = new CurvePlot;
    train_->setAccessibleName(tr("Training loss of the chosen run"));
    train_->setEmptyText(tr("Choose a run at the left."));
    trainCard_ = new Card(tr("Train loss"));
    trainCard_->setContent(train_);
    gradient_ = new CurvePlot;
    gradient_->setAccessibleName(tr("Gradient norm of the chosen run"));
    gradient_->setEmptyText(tr("Choose a run at the left."));
    gradientCard_ = new Card(tr("Gradient norm"));
    gradientCard_->setContent(gradient_);
    values_ = new ArmTable({tr("variant"), tr("n"), tr("mean"), tr("95 % t"), tr("minus baseline"), tr("relative"),
                            tr("min – max"), tr("seeds")},
                           1);
    advice_ = new InlineBar;
    advice_->hide();
    auto* lower = new QWidget;
    auto* lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins(0, 0, 0, 0);
    lowerColumn->setSpacing(0);
    lowerColumn->addWidget(values_, 1);
    auto* adviceRow = new QVBoxLayout;
    adviceRow->setContentsMargins(scaled(8), scaled(4), scaled(8), scaled(8));
    adviceRow->addWidget(advice_);
    lowerColumn->addLayout(adviceRow);
    valuesCard_ = new Card(tr("Values"));
    valuesCard_->setContent(lower);

    auto* side = new QWidget;
    auto* sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(0, 0, 0, 0);
    sideColumn->setSpacing(scaled(8));
    sideColumn->addWidget(trainCard_, 1);
    sideColumn->addWidget(gradientCard_, 1);
    auto* upper = new QSplitter(Qt::Horizontal);
    upper->setChildrenCollapsible(false);
    upper->setHandleWidth(scaled(8));
    upper->addWidget(mainCard_);
    upper->addWidget(side);
    upper->setStretchFactor(0, 5);
    upper->setStretchFactor(1, 3);
    upper->setSizes({scaled(560), scaled(340)});
    auto* whole = new QSplitter(Qt::Vertical);
    whole->setChildrenCollapsible(false);
    whole->setHandleWidth(scaled(8));
    whole->addWidget(upper);
    whole->addWidget(valuesCard_);
    whole->setStretchFactor(0, 5);
    whole->setStretchFactor(1, 2);
    whole->setSizes({scaled(540), scaled(230)});
    column->addWidget(whole, 1);

    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(kRefreshMs);
    connect(timer_, &QTimer::timeout, this, &CurvesPage::refresh);
    connect(&session_, &Session::snapshotChanged, this, &CurvesPage::schedule);
    connect(&session_, &Session::projectChanged, this, [this] {
        for (CurvePlot* plot : {main_, train_, gradient_}) {
            plot->setSeries({});
            plot->reset();
        }
        values_->setRows({});
    });
    Selection& selection = session_.selection();
    connect(&selection, &Selection::runChanged, this, &CurvesPage::schedule);
    connect(&selection, &Selection::baselineChanged, this, &CurvesPage::schedule);
    connect(&selection, &Selection::visibilityChanged, this, &CurvesPage::schedule);
    connect(&selection, &Selection::stepChanged, this, [this] {
        if (!isVisible()) return;
        refreshCursor();
        refreshValues();
    });
    for (CurvePlot* plot : {main_, train_, gradient_}) {
        plot->setProperty("viewKeys", true);
        connect(plot, &CurvePlot::cursorMoved, this, &CurvesPage::plotClicked);
        connect(plot, &CurvePlot::logToggled, this, [this](bool vertical) {
            if (vertical) runCommand("view.logy");
        });
        connect(plot, &CurvePlot::smoothingToggled, this, [this] { runCommand("view.smoothing"); });
        // One x axis: zooming in one plot moves the others.
        connect(plot, &CurvePlot::rangeChanged, this, [this, plot](double low, double high) {
            // By the user only: fitting one plot to new data must not tie the others to its range.
            const QWidget* focus = QApplication::focusWidget();
            if (!plot->underMouse() && focus != plot && (focus == nullptr || !plot->isAncestorOf(focus))) return;
            for (CurvePlot* other : {main_, train_, gradient_}) {
                if (other != plot) other->setXRange(low, high);
            }
        });
    }
    connect(main_, &CurvePlot::badgeChanged, mainCard_, &Card::setBadge);
    connect(train_, &CurvePlot::badgeChanged, trainCard_, &Card::setBadge);
    connect(gradient_, &CurvePlot::badgeChanged, gradientCard_, &Card::setBadge);
    connect(main_, &CurvePlot::seriesClicked, this, [this](const QString& id) {
        const ProjectSnapshotPtr now = session_.snapshot();
        const QString name = id.section('\n', 1);
        if (const RunSnapshot* run = now ? now->find(name) : nullptr)
            session_.selection().selectRun(run->arm(), run->folder());
        else
            session_.selection().selectArm(name);
    });
}

QWidget* CurvesPage::makeControls() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(scaled(8));
    metric_ = new Segments({tr("val"), tr("train"), tr("both")});
    metric_->setAccessibleName(tr("Which loss"));
    x_ = new Segments({tr("step"), tr("tokens"), tr("time")});
    x_->setAccessibleName(tr("x axis"));
    y_ = new Segments({tr("linear"), tr("log"), tr("symlog")});
    y_->setAccessibleName(tr("y axis"));
    y_->setCurrentIndex(1);
    seeds_ = new QComboBox;
    seeds_->addItems({tr("mean and band"), tr("each seed")});
    seeds_->setAccessibleName(tr("How seeds are drawn"));
    band_ = new QComboBox;
    band_->addItems({tr("95 % t interval"), tr("SE"), tr("SD"), tr("min – max"), tr("none")});
    band_->setAccessibleName(tr("Type of the band"));
    smoothing_ = new QComboBox;
    smoothing_->addItems({tr("EMA"), tr("none")});
    smoothing_->setAccessibleName(tr("Smoothing"));
    halfLife_ = new QLineEdit(QStringLiteral("10"));
    halfLife_->setFont(textFont(TextRole::kValue));
    halfLife_->setFixedWidth(scaled(56));
    halfLife_->setAccessibleName(tr("Half-life of the smoothing in steps"));
    const auto label = [&](const QString& text) { row->addWidget(new QuietLabel(text, TextRole::kNote)); };
    row->addWidget(metric_);
    label(tr("x"));
    row->addWidget(x_);
    label(tr("y"));
    row->addWidget(y_);
    row->addWidget(seeds_);
    row->addWidget(band_);
    label(tr("Smoothing"));
    row->addWidget(smoothing_);
    label(tr("steps"));
    row->addWidget(halfLife_);
    row->addStretch(1);
    for (Segments* segments : {metric_, x_, y_}) {
        connect(segments, &Segments::currentChanged, this, [this, segments] {
            if (segments == x_ || segments == metric_) {
                for (CurvePlot* plot : {main_, train_, gradient_})
                    plot->reset();
            }
            refresh();
        });
    }
    for (Segments* segments : {metric_, x_, y_})
        segments->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    for (QComboBox* box : {seeds_, band_, smoothing_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(box == smoothing_ ? 4 : 7);
    }
    for (QComboBox* box : {seeds_, band_, smoothing_})
        connect(box, &QComboBox::currentIndexChanged, this, &CurvesPage::refresh);
    connect(halfLife_, &QLineEdit::editingFinished, this, &CurvesPage::refresh);
    return bar;
}

CurveAxis CurvesPage::axis() const {
    return static_cast<CurveAxis>(x_->currentIndex());
}

AxisKind CurvesPage::scale() const {
    return y_->currentIndex() == 0 ? AxisKind::kLinear : y_->currentIndex() == 1 ? AxisKind::kLog : AxisKind::kSymlog;
}

BandKind CurvesPage::band() const {
    static const BandKind kinds[] = {BandKind::kInterval95, BandKind::kStandardError, BandKind::kStandardDeviation,
                                     BandKind::kMinMax, BandKind::kNone};
    return kinds[std::clamp(band_->currentIndex(), 0, 4)];
}

bool CurvesPage::byMean() const {
    return seeds_->currentIndex() == 0;
}

double CurvesPage::halfLife() const {
    if (smoothing_->currentIndex() != 0) return 0;
    bool good = false;
    const double steps = QLocale().toDouble(halfLife_->text(), &good);
    if (!good || steps <= 0) return 0;
    if (axis() == CurveAxis::kStep) return steps;
    if (axis() == CurveAxis::kTokens) return steps * tokensPerStep_;
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* run = now ? shownRun(*now) : nullptr;
    if (run == nullptr || run->state->step <= 0) return 0;
    return steps * run->state->elapsed / static_cast<double>(run->state->step);
}

QString CurvesPage::axisName() const {
    switch (axis()) {
        case CurveAxis::kStep:
            return tr("step");
        case CurveAxis::kTokens:
            return tr("tokens, thousands");
        case CurveAxis::kTime:
            return tr("training time, s");
    }
    return {};
}

double CurvesPage::axisFactor() const {
    return axis() == CurveAxis::kTokens ? 1e-3 : 1.0;
}

const RunSnapshot* CurvesPage::shownRun(const ProjectSnapshot& snapshot) const {
    if (const RunSnapshot* run = snapshot.find(session_.selection().run())) return run;
    const RunSnapshot* best = nullptr;
    for (const RunSnapshot* run : snapshot.runsOf(session_.selection().arm())) {
        if (best == nullptr || (run->live() && !best->live())) best = run;
    }
    return best;
}

void CurvesPage::schedule() {
    if (isVisible() && !timer_->isActive()) timer_->start();
}

void CurvesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    refresh();
}

void CurvesPage::refresh() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    data_.keepOnly(*now);
    if (const RunSnapshot* run = shownRun(*now))
        tokensPerStep_ = static_cast<double>(run->plan->training.batch_size * run->plan->model.context_length);
    refreshMain(*now);
    refreshSide(*now);
    refreshCursor();
    refreshValues();
}

void CurvesPage::addArm(std::vector<CurveSeries>& series, const ProjectSnapshot& snapshot, const QString& arm,
                        CurveMetric metric, bool overlay) {
    const QSet<QString>& hidden = session_.selection().hidden();
    const bool baseline = arm == session_.baseline();
    const QString kind = metric == CurveMetric::kTraining ? "training" : "validation";
    std::vector<const RunSnapshot*> shown;
    for (const RunSnapshot* run : snapshot.runsOf(arm)) {
        if (!hidden.contains(run->folder())) shown.push_back(run);
    }
    const double life = metric == CurveMetric::kTraining ? halfLife() : 0.0;
    std::vector<RunCurve> curves;
    for (const RunSnapshot* run : shown) {
        RunCurve curve = data_.curve(*run, metric, axis());
        if (!curve.x->empty()) curves.push_back(std::move(curve));
    }
    if (curves.empty()) return;
    CurveSeries line;
    line.name = arm;
    line.slot = snapshot.slotOf(arm);
    line.baseline = baseline;
    line.labelled = !overlay;
    line.markers = metric == CurveMetric::kValidation && overlay;
    if (curves.size() == 1 || !byMean()) {
        std::size_t at = 0;
        for (const RunSnapshot* run : shown) {
            const RunCurve curve = data_.curve(*run, metric, axis());
            if (curve.x->empty()) continue;
            CurveSeries one = line;
            one.id = kind + "\n" + run->folder();
            one.x = curve.x;
            one.y = curve.y;
            one.halfLife = life;
            one.n = 1;
            one.labelled = line.labelled && at == 0;
            one.markers = line.markers || (curve.x->size() < 3 && metric == CurveMetric::kValidation);
            for (const std::int64_t step : run->state->resumes) {
                if (step > 0)
                    one.resumes.push_back({CurveDataSource::positionOf(*run, step, axis()),
                                           tr("%1 s%2 resumed").arg(arm).arg(run->seed())});
            }
            series.push_back(std::move(one));
            ++at;
        }
        return;
    }
    std::vector<SeedCurve> seeds;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        seeds.push_back({*curves[i].x, *curves[i].y});
    }
    Aggregate mean = aggregate(seeds, band());
    line.id = kind + "\n" + arm;
    line.n = static_cast<int>(curves.size());
    line.x = sharedValues(std::move(mean.x));
    line.y = sharedValues(std::move(mean.mean));
    if (band() != BandKind::kNone) {
        line.low = sharedValues(std::move(mean.low));
        line.high = sharedValues(std::move(mean.high));
    }
    line.halfLife = life;
    series.push_back(std::move(line));
}

void CurvesPage::refreshMain(const ProjectSnapshot& snapshot) {
    std::vector<CurveSeries> series;
    const int which = metric_->currentIndex();
    for (const QString& arm : snapshot.arms) {
        if (which != 0) addArm(series, snapshot, arm, CurveMetric::kTraining, false);
        if (which != 1) addArm(series, snapshot, arm, CurveMetric::kValidation, which == 2);
    }
    AxisOptions x;
    x.name = axisName();
    x.factor = axisFactor();
    main_->setXAxis(x);
    AxisOptions y;
    y.kind = scale();
    const QString what = which == 0   ? tr("validation loss, nats a token")
                         : which == 1 ? tr("training loss, nats a token")
                                      : tr("loss, nats a token");
    y.name = scale() == AxisKind::kLinear ? what
             : scale() == AxisKind::kLog  ? tr("%1 (log)").arg(what)
                                          : tr("%1 (symlog)").arg(what);
    main_->setYAxis(y);
    main_->setSeries(std::move(series));
    mainCard_->setTitle(which == 0   ? tr("Validation loss")
                        : which == 1 ? tr("Training loss")
                                     : tr("Training loss, validation as points"));
    QString note;
    if (byMean())
        note = band() == BandKind::kNone ? tr("mean of seeds")
                                         : tr("mean of seeds, band %1").arg(QString::fromStdString(band_name(band())));
    else
        note = tr("each seed");
    const double life = halfLife();
    note +=
        which != 0 && life > 0 ? ", " + tr("EMA half-life %1 steps").arg(halfLife_->text()) : ", " + tr("no smoothing");
    mainCard_->setNote(note);
}

void CurvesPage::refreshSide(const ProjectSnapshot& snapshot) {
    const RunSnapshot* run = shownRun(snapshot);
    AxisOptions x;
    x.name = axisName();
    x.factor = axisFactor();
    const auto one = [&](CurvePlot* plot, CurveMetric metric, const AxisOptions& y, double life) {
        plot->setXAxis(x);
        plot->setYAxis(y);
        std::vector<CurveSeries> series;
        if (run != nullptr) {
            const RunCurve curve = data_.curve(*run, metric, axis());
            CurveSeries line;
            line.id = run->folder();
            line.name = tr("%1 s%2").arg(run->arm()).arg(run->seed());
            line.slot = snapshot.slotOf(run->arm());
            line.x = curve.x;
            line.y = curve.y;
            line.halfLife = life;
            line.raw = true;
            line.labelled = false;
            series.push_back(std::move(line));
        }
        plot->setSeries(std::move(series));
    };
    AxisOptions loss;
    loss.name = tr("nats a token");
    loss.outlierTail = 0.001;
    one(train_, CurveMetric::kTraining, loss, halfLife());
    AxisOptions norm;
    norm.name = tr("L2 norm before clipping (log)");
    norm.kind = AxisKind::kLog;
    one(gradient_, CurveMetric::kGradientNorm, norm, 0);
    if (run == nullptr) return;
    const QString name = tr("%1 s%2").arg(run->arm()).arg(run->seed());
    trainCard_->setNote(halfLife() > 0 ? tr("%1, raw and EMA %2 steps").arg(name, halfLife_->text())
                                       : tr("%1, raw").arg(name));
    const double clip = run->plan->training.gradient_clip;
    gradientCard_->setNote(clip > 0 ? tr("%1, clip at %2").arg(name, displayNumber(clip)) : name);
    std::vector<IndexLine> lines;
    if (clip > 0) lines.push_back({Qt::Horizontal, clip, tr("clip %1").arg(displayNumber(clip)), true});
    gradient_->setLines(std::move(lines));
}

void CurvesPage::refreshCursor() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const RunSnapshot* run = shownRun(*now);
    const std::int64_t step = session_.selection().step();
    if (run == nullptr || step <= 0) {
        for (CurvePlot* plot : {main_, train_, gradient_})
            plot->setCursor(std::nullopt);
        return;
    }
    const double at = CurveDataSource::positionOf(*run, step, axis());
    main_->setCursor(at, tr("step %1").arg(groupedNumber(step)));
    train_->setCursor(at);
    gradient_->setCursor(at);
}

void CurvesPage::plotClicked(double x) {
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* run = now ? shownRun(*now) : nullptr;
    if (run != nullptr) session_.selection().setStep(CurveDataSource::stepAt(*run, x, axis()));
}

void CurvesPage::refreshValues() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const std::int64_t step = session_.selection().step();
    const CurveMetric metric = metric_->currentIndex() == 1 ? CurveMetric::kTraining : CurveMetric::kValidation;
    const QString base = session_.baseline();
    const QLocale locale;
    const auto number = [&](double value) {
        return std::isfinite(value) ? locale.toString(value, 'f', 3) : displayNumber(value);
    };
    const auto valuesOf = [&](const QString& arm, QHash<std::int64_t, double>* bySeed) {
        std::vector<double> values;
        for (const RunSnapshot* run : now->runsOf(arm)) {
            const auto value = CurveDataSource::valueAt(*run, metric, step);
            if (!value) continue;
            values.push_back(*value);
            if (bySeed != nullptr) bySeed->insert(run->seed(), *value);
        }
        return values;
    };
    QHash<std::int64_t, double> baseSeeds;
    const Summary baseline = summarise(valuesOf(base, &baseSeeds), BandKind::kInterval95);
    std::vector<ArmTableRow> rows;
    QString fewest;
    int fewestCount = 0, planned = 0;
    for (const QString& arm : now->arms) {
        QHash<std::int64_t, double> seeds;
        const Summary summary = summarise(valuesOf(arm, &seeds), BandKind::kInterval95);
        ArmTableRow row;
        row.slot = now->slotOf(arm);
        row.name = arm;
        row.baseline = arm == base;
        const bool any = summary.n > 0;
        const bool diverged = !any && !seeds.isEmpty();
        double paired = 0;
        int pairs = 0;
        for (auto it = seeds.constBegin(); it != seeds.constEnd(); ++it) {
            const auto other = baseSeeds.constFind(it.key());
            if (other == baseSeeds.constEnd() || !std::isfinite(*other) || !std::isfinite(it.value())) continue;
            paired += it.value() - *other;
            ++pairs;
        }
        const QString none = QStringLiteral("–");
        row.cells.push_back(QString::number(summary.n));
        row.cells.push_back(any ? number(summary.mean) : diverged ? QStringLiteral("NaN") : none);
        row.cells.push_back(summary.n > 1 ? "± " + number((summary.high - summary.low) / 2) : none);
        row.cells.push_back(row.baseline ? tr("baseline")
                            : pairs > 0  ? (paired >= 0 ? "+" : "−") + number(std::abs(paired / pairs))
                                         : none);
        row.cells.push_back(
            row.baseline || pairs == 0 || !(baseline.mean > 0)
                ? QString()
                : tr("%1%2 %").arg(paired >= 0 ? "+" : "−",
                                   locale.toString(std::abs(paired / pairs / baseline.mean) * 100, 'f', 1)));
        row.cells.push_back(any ? number(summary.smallest) + " – " + number(summary.largest) : none);
        int done = 0, live = 0, queued = 0, bad = 0;
        const auto runs = now->runsOf(arm);
        for (const RunSnapshot* run : runs) {
            done += run->status() == RunStatus::kCompleted ? 1 : 0;
            live += run->live() ? 1 : 0;
            queued += run->status() == RunStatus::kQueued ? 1 : 0;
            bad += run->status() == RunStatus::kDiverged || run->status() == RunStatus::kFailed ? 1 : 0;
        }
        QStringList states;
        if (done > 0) states << tr("%n finished", nullptr, done);
        if (live > 0) states << tr("%n live", nullptr, live);
        if (queued > 0) states << tr("%n queued", nullptr, queued);
        if (bad > 0) states << tr("%n without a result", nullptr, bad);
        row.cells.push_back(states.join(", "));
        row.wrong.assign(row.cells.size(), false);
        row.wrong[1] = diverged;
        row.wrong[6] = bad > 0;
        planned = std::max(planned, static_cast<int>(runs.size()));
        if (!row.baseline && (fewest.isEmpty() || done < fewestCount)) {
            fewest = arm;
            fewestCount = done;
        }
        rows.push_back(std::move(row));
    }
    values_->setRows(std::move(rows));
    valuesCard_->setTitle(tr("Values at step %1").arg(groupedNumber(step)));
    valuesCard_->setNote((metric == CurveMetric::kTraining ? tr("training loss") : tr("validation loss")) + ", " +
                         tr("differences are in nats, paired by seed"));
    const int needed = pairsNeeded(std::max(1, static_cast<int>(now->arms.size()) - 1));
    if (!fewest.isEmpty() && fewestCount < needed) {
        const double smallest = std::min(1.0, 2.0 / std::ldexp(1.0, fewestCount));
        advice_->show(
            BarKind::kWarning, tr("%1 has %2 of %3 pairs a claim needs.").arg(fewest).arg(fewestCount).arg(needed),
            fewestCount > 0 ? tr("With these p = %1 at best.").arg(locale.toString(smallest, 'g', 2)) : QString());
    } else {
        advice_->hide();
    }
}

bool CurvesPage::runCommand(const QString& id) {
    if (id == "view.logy") {
        y_->setCurrentIndex(y_->currentIndex() == 1 ? 0 : 1);
    } else if (id == "view.smoothing") {
        smoothing_->setCurrentIndex(1 - smoothing_->currentIndex());
        return true;
    } else if (id == "view.fit") {
        for (CurvePlot* plot : {main_, train_, gradient_})
            plot->reset();
        return true;
    } else {
        return false;
    }
    refresh();
    return true;
}

QString CurvesPage::tableText() const {
    return values_->text();
}

FigureSource* CurvesPage::figure(const QString& kind) {
    return kind.isEmpty() || kind == "loss" ? main_ : nullptr;
}

}  // namespace sextant
