#include "widgets/pages/curves_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/card.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/icon_button.h"
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
constexpr int kHoverMs = 40;
constexpr std::size_t kMostPins = 3;
}  // namespace

CurvesPage::CurvesPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    column->addWidget(makeControls());

    const auto quantity = [this](Card* card, const QString& name, const char* object) {
        auto* box = new QComboBox;
        box->setObjectName(QString::fromLatin1(object));
        box->setAccessibleName(name);
        box->setProperty("compact", true);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        card->addTitleWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            if (restoring_) return;
            for (CurvePlot* plot : {main_, train_, gradient_})
                plot->reset();
            refresh();
            touched(tr("quantity"));
        });
        return box;
    };
    main_ = new CurvePlot;
    main_->setAccessibleName(tr("Curves of all arms"));
    main_->setObjectName("mainPlot");
    main_->setEndValues(false);
    main_->setEmptyText(tr("No points yet. They appear as soon as a run writes them."));
    mainCard_ = new Card(tr("Validation loss"));
    mainCard_->setContent(main_);
    mainQuantity_ = quantity(mainCard_, tr("What the large plot shows"), "mainQuantity");
    auto* pin = new IconButton("pin", tr("Pin this step: it stays marked and gets a column below"), nullptr, "P");
    pin->setObjectName("pin");
    connect(pin, &QToolButton::clicked, this, &CurvesPage::pinStep);
    mainCard_->addTitleWidget(pin);
    train_ = new CurvePlot;
    train_->setAccessibleName(tr("First plot of the chosen run"));
    train_->setEmptyText(tr("Choose a run at the left."));
    trainCard_ = new Card(tr("Training loss"));
    trainCard_->setContent(train_);
    trainQuantity_ = quantity(trainCard_, tr("What the upper small plot shows"), "trainQuantity");
    gradient_ = new CurvePlot;
    gradient_->setAccessibleName(tr("Second plot of the chosen run"));
    gradient_->setEmptyText(tr("Choose a run at the left."));
    gradientCard_ = new Card(tr("Gradient norm"));
    gradientCard_->setContent(gradient_);
    gradientQuantity_ = quantity(gradientCard_, tr("What the lower small plot shows"), "gradientQuantity");
    values_ = new ArmTable({tr("variant"), tr("n"), tr("mean"), tr("95 % t"), tr("minus baseline"), tr("relative"),
                            tr("min – max"), tr("seeds")},
                           1);
    values_->setVisibleRows(6);
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
    whole->setStretchFactor(0, 1);
    whole->setStretchFactor(1, 0);
    whole->setSizes({scaled(560), scaled(200)});
    column->addWidget(whole, 1);

    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(kRefreshMs);
    connect(timer_, &QTimer::timeout, this, &CurvesPage::refresh);
    hoverTimer_ = new QTimer(this);
    hoverTimer_->setSingleShot(true);
    hoverTimer_->setInterval(kHoverMs);
    connect(hoverTimer_, &QTimer::timeout, this, &CurvesPage::refreshValues);
    connect(&session_, &Session::snapshotChanged, this, &CurvesPage::schedule);
    connect(&session_, &Session::projectChanged, this, [this] {
        pins_.clear();
        hovered_.reset();
        for (CurvePlot* plot : {main_, train_, gradient_}) {
            plot->setSeries({});
            plot->setLines({});
            plot->reset();
        }
        values_->setRows({});
        session_.history().settle();
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
        connect(plot, &CurvePlot::hovered, this, &CurvesPage::hover);
        connect(plot, &CurvePlot::viewTouched, this, [this, plot] {
            // One x axis: what the user does in one plot moves the others; a fit of one is a fit of all.
            const bool fitted = plot->viewState().value(0).toBool();
            const Range range = plot->xRange();
            for (CurvePlot* other : {main_, train_, gradient_}) {
                if (other == plot) continue;
                if (fitted)
                    other->reset();
                else
                    other->setXRange(range.first, range.second);
            }
            touched(tr("zoom"));
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
    fillQuantities({});
    session_.history().watch(
        QStringLiteral("curves"), [this] { return QVariant(viewState()); },
        [this](const QVariant& state) { setViewState(state.toMap()); });
}

QWidget* CurvesPage::makeControls() {
    auto* bar = new QWidget;
    auto* row = new FlowLayout(scaled(8), bar);
    x_ = new Segments({tr("step"), tr("tokens"), tr("time")});
    x_->setAccessibleName(tr("x axis"));
    x_->setObjectName("xAxis");
    y_ = new Segments({tr("linear"), tr("log"), tr("symlog")});
    y_->setAccessibleName(tr("y axis"));
    y_->setObjectName("yAxis");
    y_->setCurrentIndex(1);
    seeds_ = new QComboBox;
    seeds_->addItems({tr("mean and band"), tr("each seed")});
    seeds_->setAccessibleName(tr("How seeds are drawn"));
    seeds_->setObjectName("seeds");
    band_ = new QComboBox;
    band_->addItems({tr("95 % t interval"), tr("SE"), tr("SD"), tr("min – max"), tr("none")});
    band_->setAccessibleName(tr("Type of the band"));
    band_->setObjectName("band");
    smoothing_ = new QComboBox;
    smoothing_->addItems({tr("EMA"), tr("none")});
    smoothing_->setAccessibleName(tr("Smoothing"));
    smoothing_->setObjectName("smoothing");
    halfLife_ = new QLineEdit(QStringLiteral("10"));
    halfLife_->setFont(textFont(TextRole::kValue));
    halfLife_->setFixedWidth(scaled(52));
    halfLife_->setAccessibleName(tr("Half-life of the smoothing in steps"));
    halfLife_->setObjectName("halfLife");
    outliers_ = new QPushButton(tr("Outliers"));
    outliers_->setObjectName("outliers");
    outliers_->setCheckable(true);
    outliers_->setChecked(true);
    outliers_->setToolTip(tr("Off: the range of y leaves out the outermost 1 % at each end; no point is removed (O)"));
    // A label and its control go to the next line together.
    const auto add = [&](const QString& text, QWidget* control) {
        auto* pair = new QWidget;
        auto* line = new QHBoxLayout(pair);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(scaled(6));
        if (!text.isEmpty()) line->addWidget(new QuietLabel(text, TextRole::kNote));
        line->addWidget(control);
        row->addWidget(pair);
    };
    add(tr("x"), x_);
    add(tr("y"), y_);
    add(tr("Seeds"), seeds_);
    add(tr("Band"), band_);
    add(tr("Smoothing"), smoothing_);
    add(tr("half-life"), halfLife_);
    add({}, outliers_);
    for (Segments* segments : {x_, y_}) {
        connect(segments, &Segments::currentChanged, this, [this, segments] {
            if (segments == x_) {
                for (CurvePlot* plot : {main_, train_, gradient_})
                    plot->reset();
            }
            refresh();
            touched(segments == x_ ? tr("x axis") : tr("y axis"));
        });
    }
    for (QComboBox* box : {seeds_, band_, smoothing_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            if (restoring_) return;
            refresh();
            touched(tr("seeds and smoothing"));
        });
    }
    connect(halfLife_, &QLineEdit::editingFinished, this, [this] {
        refresh();
        touched(tr("half-life"));
    });
    connect(outliers_, &QPushButton::toggled, this, [this] {
        if (restoring_) return;
        refresh();
        touched(tr("outliers"));
    });
    return bar;
}

void CurvesPage::touched(const QString& what) {
    if (!restoring_) session_.history().changed(QStringLiteral("curves"), what);
}

QVariantMap CurvesPage::viewState() const {
    QVariantList pins;
    for (const std::int64_t step : pins_)
        pins << static_cast<qlonglong>(step);
    return {{"main", keyOf(mainQuantity_)},
            {"upper", keyOf(trainQuantity_)},
            {"lower", keyOf(gradientQuantity_)},
            {"x", x_->currentIndex()},
            {"y", y_->currentIndex()},
            {"seeds", seeds_->currentIndex()},
            {"band", band_->currentIndex()},
            {"smoothing", smoothing_->currentIndex()},
            {"half_life", halfLife_->text()},
            {"outliers", outliers_->isChecked()},
            {"pins", pins},
            {"main_view", main_->viewState()},
            {"upper_view", train_->viewState()},
            {"lower_view", gradient_->viewState()}};
}

void CurvesPage::setViewState(const QVariantMap& state) {
    restoring_ = true;
    for (const auto& [box, key] : {std::pair{mainQuantity_, "main"}, std::pair{trainQuantity_, "upper"},
                                   std::pair{gradientQuantity_, "lower"}}) {
        const int at = box->findData(state.value(key));
        if (at >= 0) box->setCurrentIndex(at);
    }
    for (const auto& [segments, key] : {std::pair{x_, "x"}, std::pair{y_, "y"}})
        if (state.contains(key)) segments->setCurrentIndex(state.value(key).toInt());
    for (const auto& [box, key] :
         {std::pair{seeds_, "seeds"}, std::pair{band_, "band"}, std::pair{smoothing_, "smoothing"}})
        if (state.contains(key)) box->setCurrentIndex(std::clamp(state.value(key).toInt(), 0, box->count() - 1));
    if (state.contains("half_life")) halfLife_->setText(state.value("half_life").toString());
    if (state.contains("outliers")) outliers_->setChecked(state.value("outliers").toBool());
    if (state.contains("pins")) {
        pins_.clear();
        const QVariantList pins = state.value("pins").toList();
        for (const QVariant& step : pins)
            pins_.push_back(step.toLongLong());
    }
    refresh();
    main_->setViewState(state.value("main_view").toList());
    train_->setViewState(state.value("upper_view").toList());
    gradient_->setViewState(state.value("lower_view").toList());
    restoring_ = false;
}

QString CurvesPage::keyOf(const QComboBox* box) {
    return box->currentData().toString();
}

std::optional<CurveQuantity> CurvesPage::quantityOf(const QComboBox* box) {
    const QString key = keyOf(box);
    if (key == "both") return std::nullopt;
    if (key.startsWith("tag:")) return CurveQuantity(key.mid(4).toStdString());
    static const std::pair<const char*, CurveMetric> known[] = {{"validation", CurveMetric::kValidation},
                                                                {"training", CurveMetric::kTraining},
                                                                {"gradient_norm", CurveMetric::kGradientNorm},
                                                                {"learning_rate", CurveMetric::kLearningRate},
                                                                {"tokens_per_s", CurveMetric::kTokensPerSecond}};
    for (const auto& [name, metric] : known)
        if (key == QLatin1String(name)) return CurveQuantity(metric);
    return CurveQuantity(CurveMetric::kValidation);
}

QString CurvesPage::nameOf(const CurveQuantity& quantity) {
    switch (quantity.metric) {
        case CurveMetric::kValidation:
            return tr("Validation loss");
        case CurveMetric::kTraining:
            return tr("Training loss");
        case CurveMetric::kGradientNorm:
            return tr("Gradient norm");
        case CurveMetric::kLearningRate:
            return tr("Learning rate");
        case CurveMetric::kTokensPerSecond:
            return tr("Speed");
        case CurveMetric::kTag:
            return QString::fromStdString(quantity.tag);
    }
    return {};
}

QString CurvesPage::unitOf(const CurveQuantity& quantity) {
    switch (quantity.metric) {
        case CurveMetric::kValidation:
            return tr("validation loss, nats a token");
        case CurveMetric::kTraining:
            return tr("training loss, nats a token");
        case CurveMetric::kGradientNorm:
            return tr("L2 norm before clipping");
        case CurveMetric::kLearningRate:
            return tr("learning rate");
        case CurveMetric::kTokensPerSecond:
            return tr("tokens a second");
        case CurveMetric::kTag:
            return QString::fromStdString(quantity.tag);
    }
    return {};
}

// The quantities every run of ours has, and the tags of imported runs behind them.
void CurvesPage::fillQuantities(const ProjectSnapshot& snapshot) {
    QStringList tags;
    for (const RunSnapshot& run : snapshot.runs) {
        if (!run.imported) continue;
        for (const auto& [tag, points] : *run.imported) {
            const QString name = QString::fromStdString(tag);
            if (!tags.contains(name) && tags.size() < 500) tags << name;
        }
    }
    tags.sort();
    if (tags == tags_ && mainQuantity_->count() > 0) return;
    tags_ = tags;
    const bool before = std::exchange(restoring_, true);
    for (QComboBox* box : {mainQuantity_, trainQuantity_, gradientQuantity_}) {
        const QString key = box->count() == 0 ? (box == mainQuantity_    ? QStringLiteral("validation")
                                                 : box == trainQuantity_ ? QStringLiteral("training")
                                                                         : QStringLiteral("gradient_norm"))
                                              : keyOf(box);
        box->clear();
        box->addItem(tr("validation loss"), QStringLiteral("validation"));
        box->addItem(tr("training loss"), QStringLiteral("training"));
        if (box == mainQuantity_) box->addItem(tr("both losses"), QStringLiteral("both"));
        box->addItem(tr("gradient norm"), QStringLiteral("gradient_norm"));
        box->addItem(tr("learning rate"), QStringLiteral("learning_rate"));
        box->addItem(tr("speed"), QStringLiteral("tokens_per_s"));
        for (const QString& tag : tags_)
            box->addItem(tag, "tag:" + tag);
        box->setCurrentIndex(std::max(0, box->findData(key)));
    }
    restoring_ = before;
}

void CurvesPage::pinStep() {
    const std::int64_t step = session_.selection().step();
    const auto found = std::find(pins_.begin(), pins_.end(), step);
    if (found != pins_.end())
        pins_.erase(found);
    else if (step > 0)
        pins_.push_back(step);
    std::sort(pins_.begin(), pins_.end());
    if (pins_.size() > kMostPins) pins_.erase(pins_.begin());
    refresh();
    touched(tr("pin"));
}

void CurvesPage::hover(double x) {
    hovered_ = std::isfinite(x) ? std::optional(x) : std::nullopt;
    if (!hoverTimer_->isActive()) hoverTimer_->start();
}

std::int64_t CurvesPage::shownStep() const {
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* run = now ? shownRun(*now) : nullptr;
    if (hovered_ && run != nullptr) return std::max<std::int64_t>(0, CurveDataSource::stepAt(*run, *hovered_, axis()));
    return session_.selection().step();
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
    fillQuantities(*now);
    if (const RunSnapshot* run = shownRun(*now))
        tokensPerStep_ = static_cast<double>(run->plan->training.batch_size * run->plan->model.context_length);
    refreshMain(*now);
    refreshSide(*now);
    refreshCursor();
    refreshValues();
    // Already at most ten times a second: the plots' own wait would only make points late.
    if (isVisible()) {
        for (CurvePlot* plot : {main_, train_, gradient_})
            plot->replotNow();
    }
}

void CurvesPage::addArm(std::vector<CurveSeries>& series, const ProjectSnapshot& snapshot, const QString& arm,
                        const CurveQuantity& quantity, bool overlay) {
    const CurveMetric metric = quantity.metric;
    const QSet<QString>& hidden = session_.selection().hidden();
    const bool baseline = arm == session_.baseline();
    const QString kind = QString::number(static_cast<int>(metric));
    std::vector<const RunSnapshot*> shown;
    for (const RunSnapshot* run : snapshot.runsOf(arm)) {
        if (!hidden.contains(run->folder())) shown.push_back(run);
    }
    const double life = metric != CurveMetric::kValidation ? halfLife() : 0.0;
    std::vector<RunCurve> curves;
    for (const RunSnapshot* run : shown) {
        RunCurve curve = data_.curve(*run, quantity, axis());
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
            const RunCurve curve = data_.curve(*run, quantity, axis());
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
    const auto quantity = quantityOf(mainQuantity_);
    for (const QString& arm : snapshot.arms) {
        if (quantity) {
            addArm(series, snapshot, arm, *quantity, false);
        } else {
            addArm(series, snapshot, arm, CurveMetric::kTraining, false);
            addArm(series, snapshot, arm, CurveMetric::kValidation, true);
        }
    }
    AxisOptions x;
    x.name = axisName();
    x.factor = axisFactor();
    main_->setXAxis(x);
    AxisOptions y;
    y.kind = scale();
    y.outlierTail = outliers_->isChecked() ? 0.0 : 0.01;
    const QString what = quantity ? unitOf(*quantity) : tr("loss, nats a token");
    y.name = scale() == AxisKind::kLinear ? what
             : scale() == AxisKind::kLog  ? tr("%1 (log)").arg(what)
                                          : tr("%1 (symlog)").arg(what);
    main_->setYAxis(y);
    const bool placeless = series.empty() && axis() != CurveAxis::kStep && !snapshot.runs.empty();
    main_->setEmptyText(placeless ? tr("These runs say nothing about %1; choose step.").arg(x_->currentText())
                                  : tr("No points yet. They appear as soon as a run writes them."));
    main_->setSeries(std::move(series));
    mainCard_->setTitle(quantity ? nameOf(*quantity) : tr("Training loss, validation as points"));
    QString note;
    if (byMean())
        note = band() == BandKind::kNone ? tr("mean of seeds")
                                         : tr("mean of seeds, band %1").arg(QString::fromStdString(band_name(band())));
    else
        note = tr("each seed");
    const bool smoothed = halfLife() > 0 && (!quantity || quantity->metric != CurveMetric::kValidation);
    note += smoothed ? ", " + tr("EMA half-life %1 steps").arg(halfLife_->text()) : ", " + tr("no smoothing");
    if (!outliers_->isChecked()) note += ", " + tr("range without the outermost 1 %");
    mainCard_->setNote(note);
}

void CurvesPage::refreshSide(const ProjectSnapshot& snapshot) {
    const RunSnapshot* run = shownRun(snapshot);
    AxisOptions x;
    x.name = axisName();
    x.factor = axisFactor();
    const QString name = run != nullptr ? tr("%1 s%2").arg(run->arm()).arg(run->seed()) : QString();
    const auto one = [&](Card* card, CurvePlot* plot, const QComboBox* box) {
        const CurveQuantity quantity = *quantityOf(box);
        const bool noisy = quantity.metric == CurveMetric::kTraining || quantity.metric == CurveMetric::kTag ||
                           quantity.metric == CurveMetric::kTokensPerSecond;
        AxisOptions y;
        y.name = unitOf(quantity);
        if (quantity.metric == CurveMetric::kGradientNorm) {
            y.kind = AxisKind::kLog;
            y.name = tr("%1 (log)").arg(y.name);
        }
        if (noisy || !outliers_->isChecked()) y.outlierTail = outliers_->isChecked() ? 0.001 : 0.01;
        plot->setXAxis(x);
        plot->setYAxis(y);
        std::vector<CurveSeries> series;
        const double life = noisy ? halfLife() : 0.0;
        if (run != nullptr) {
            const RunCurve curve = data_.curve(*run, quantity, axis());
            CurveSeries line;
            line.id = run->folder();
            line.name = name;
            line.slot = snapshot.slotOf(run->arm());
            line.x = curve.x;
            line.y = curve.y;
            line.halfLife = life;
            line.raw = true;
            line.markers = curve.x->size() < 3;
            line.labelled = false;
            series.push_back(std::move(line));
        }
        plot->setEmptyText(run == nullptr ? tr("Choose a run at the left.") : tr("%1 has no such curve.").arg(name));
        if (!series.empty() && series.front().x->empty()) series.clear();
        plot->setSeries(std::move(series));
        card->setTitle(nameOf(quantity));
        QString note = name;
        if (run != nullptr && noisy)
            note = life > 0 ? tr("%1, raw and EMA %2 steps").arg(name, halfLife_->text()) : tr("%1, raw").arg(name);
        const double clip = run != nullptr ? run->plan->training.gradient_clip : 0.0;
        std::vector<IndexLine> lines;
        if (quantity.metric == CurveMetric::kGradientNorm && clip > 0 && run != nullptr && !run->imported) {
            note = tr("%1, clip at %2").arg(name, displayNumber(clip));
            lines.push_back({Qt::Horizontal, clip, tr("clip %1").arg(displayNumber(clip)), true});
        }
        card->setNote(note);
        plot->setLines(std::move(lines));
    };
    one(trainCard_, train_, trainQuantity_);
    one(gradientCard_, gradient_, gradientQuantity_);
    std::vector<IndexLine> lines;
    if (run != nullptr) {
        for (const std::int64_t step : pins_)
            lines.push_back({Qt::Vertical, CurveDataSource::positionOf(*run, step, axis()),
                             tr("pin %1").arg(groupedNumber(step)), true});
    }
    main_->setLines(std::move(lines));
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
    const std::int64_t step = shownStep();
    const CurveQuantity quantity = quantityOf(mainQuantity_).value_or(CurveQuantity(CurveMetric::kValidation));
    const bool loss = quantity.metric == CurveMetric::kValidation || quantity.metric == CurveMetric::kTraining;
    const QString base = session_.baseline();
    const QLocale locale;
    const auto number = [&](double value) {
        if (!std::isfinite(value)) return displayNumber(value);
        const double size = std::abs(value);
        return loss || (size >= 0.1 && size < 1000) ? locale.toString(value, 'f', 3) : displayNumber(value, 4);
    };
    // Smoothed values as they are drawn, by the name of the arm; only where smoothing is on and seeds are one line.
    QHash<QString, double> smoothed;
    if (byMean() && halfLife() > 0 && quantity.metric != CurveMetric::kValidation) {
        const RunSnapshot* run = shownRun(*now);
        const double at = run != nullptr ? CurveDataSource::positionOf(*run, step, axis()) : 0.0;
        for (const CurveReading& reading : main_->readings(at))
            smoothed.insert(reading.name, reading.shown);
    }
    QStringList headers = {tr("variant"), tr("n"), tr("mean")};
    if (!smoothed.isEmpty()) headers << tr("EMA of mean");
    headers << tr("95 % t") << tr("minus baseline") << tr("relative") << tr("min – max");
    for (const std::int64_t pin : pins_)
        headers << tr("at pin %1").arg(groupedNumber(pin));
    headers << tr("seeds");
    values_->setHeaders(headers);
    const auto valuesOf = [&](const QString& arm, std::int64_t when, QHash<std::int64_t, double>* bySeed) {
        std::vector<double> values;
        for (const RunSnapshot* run : now->runsOf(arm)) {
            const auto value = CurveDataSource::valueAt(*run, quantity, when);
            if (!value) continue;
            values.push_back(*value);
            if (bySeed != nullptr) bySeed->insert(run->seed(), *value);
        }
        return values;
    };
    QHash<std::int64_t, double> baseSeeds;
    const Summary baseline = summarise(valuesOf(base, step, &baseSeeds), BandKind::kInterval95);
    std::vector<ArmTableRow> rows;
    QString fewest;
    int fewestCount = 0, ours = 0;
    for (const QString& arm : now->arms) {
        QHash<std::int64_t, double> seeds;
        const Summary summary = summarise(valuesOf(arm, step, &seeds), BandKind::kInterval95);
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
        if (!smoothed.isEmpty()) row.cells.push_back(smoothed.contains(arm) ? number(smoothed.value(arm)) : none);
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
        for (const std::int64_t pin : pins_) {
            const Summary then = summarise(valuesOf(arm, pin, nullptr), BandKind::kInterval95);
            row.cells.push_back(then.n > 0 ? number(then.mean) : none);
        }
        int done = 0, live = 0, queued = 0, bad = 0, read = 0;
        const auto runs = now->runsOf(arm);
        for (const RunSnapshot* run : runs) {
            if (run->imported) {
                ++read;
                continue;
            }
            done += run->status() == RunStatus::kCompleted ? 1 : 0;
            live += run->live() ? 1 : 0;
            queued += run->status() == RunStatus::kQueued ? 1 : 0;
            bad += run->status() == RunStatus::kDiverged || run->status() == RunStatus::kFailed ? 1 : 0;
        }
        QStringList states;
        if (done > 0) states << tr("%n finished", nullptr, done);
        if (read > 0) states << tr("%n read from logs", nullptr, read);
        if (live > 0) states << tr("%n live", nullptr, live);
        if (queued > 0) states << tr("%n queued", nullptr, queued);
        if (bad > 0) states << tr("%n without a result", nullptr, bad);
        row.cells.push_back(states.join(", "));
        row.wrong.assign(row.cells.size(), false);
        row.wrong[1] = diverged;
        row.wrong.back() = bad > 0;
        const bool external = !runs.empty() && runs.front()->external;
        ours += external || row.baseline ? 0 : 1;
        if (!row.baseline && !external && (fewest.isEmpty() || done < fewestCount)) {
            fewest = arm;
            fewestCount = done;
        }
        rows.push_back(std::move(row));
    }
    values_->setRows(std::move(rows));
    valuesCard_->setTitle(tr("Values at step %1").arg(groupedNumber(step)));
    valuesCard_->setNote(
        unitOf(quantity) + ", " +
        (hovered_ ? tr("under the pointer, differences paired by seed") : tr("differences paired by seed")));
    const int needed = pairsNeeded(std::max(1, ours));
    if (!fewest.isEmpty() && fewestCount < needed && !now->imported) {
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
        refresh();
        touched(tr("y axis"));
    } else if (id == "view.smoothing") {
        smoothing_->setCurrentIndex(1 - smoothing_->currentIndex());
    } else if (id == "view.fit") {
        for (CurvePlot* plot : {main_, train_, gradient_})
            plot->reset();
        touched(tr("zoom"));
    } else if (id == "view.pin") {
        pinStep();
    } else if (id == "view.outliers") {
        outliers_->toggle();
    } else if (id == "view.longer" || id == "view.shorter") {
        bool good = false;
        const double steps = QLocale().toDouble(halfLife_->text(), &good);
        const double next = (good && steps > 0 ? steps : 10.0) * (id == "view.longer" ? 2.0 : 0.5);
        halfLife_->setText(QLocale().toString(std::clamp(next, 0.5, 1e6), 'g', 4));
        refresh();
        touched(tr("half-life"));
    } else {
        return false;
    }
    return true;
}

QString CurvesPage::tableText() const {
    return values_->text();
}

FigureSource* CurvesPage::figure(const QString& kind) {
    return kind.isEmpty() || kind == "loss" ? main_ : nullptr;
}

}  // namespace sextant
