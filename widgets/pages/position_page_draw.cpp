#include <QComboBox>
#include <QLineEdit>
#include <cmath>
#include <numbers>

#include "core/encoding/precision.h"
#include "core/encoding/registry.h"
#include "widgets/controls/card.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/pages/position_page.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/matrix_table_model.h"
#include "widgets/plots/position_plots.h"

namespace sextant {

namespace {

constexpr double kBiasFloor = -8.0;  // exp(-8): nothing below it is told apart by an eye

MatrixData matrixOf(const Matrix& matrix) {
    return MatrixData::of(matrix.rows(), matrix.columns(), matrix.values());
}

}  // namespace

void PositionPage::drawBias() {
    if (!view_.hasBias()) return;
    const bool factor = factor_->currentIndex() == 1;
    const double low = std::max(kBiasFloor, std::min(view_.lowestBias, -1e-3));
    double high = 0;
    for (const Matrix& matrix : view_.biases) {
        for (const double value : matrix.values()) {
            if (std::isfinite(value)) high = std::max(high, value);
        }
    }
    MatrixLook look = high > 0 ? MatrixLook::diverging(std::max(high, -low)) : MatrixLook::negative(low);
    if (factor) {
        look = MatrixLook();
        look.range = {0.0, std::exp(std::max(high, 0.0))};
    }
    std::vector<GridCell> heads;
    for (std::size_t head = 0; head < view_.heads.size(); ++head) {
        GridCell picture;
        if (factor) {
            std::vector<double> values = view_.biases[head].values();
            for (double& value : values) {
                if (std::isfinite(value)) value = std::exp(value);
            }
            picture.matrix = MatrixData::of(view_.biases[head].rows(), view_.biases[head].columns(), std::move(values));
        } else {
            picture.matrix = matrixOf(view_.biases[head]);
        }
        picture.title = tr("head %1").arg(head + 1);
        picture.note = headText(head);
        picture.head = static_cast<int>(head);
        const auto half = view_.heads[head].halfDistance;
        if (half && *half < static_cast<double>(view_.biases[head].rows())) picture.dashedDistance = half;
        if (half) picture.spoken = tr("weight halved after %1 tokens").arg(displayNumber(*half, 3));
        heads.push_back(std::move(picture));
    }
    GridOptions options;
    options.look = look;
    options.look.valueName = factor ? tr("e^bias") : tr("bias");
    options.look.rangeLocked = true;
    options.axisNumbers = heads.size() <= 16;
    options.barNotes = {tr("one scale for all heads")};
    if (!factor && view_.lowestBias < low)
        options.barNotes << tr("lower values are drawn as %1").arg(displayNumber(low));
    options.barNotes << tr("hatched: masked, not in the scale");
    headMatrix_ = heads[static_cast<std::size_t>(chosenHead())].matrix;
    if (headTable_ != nullptr) headTable_->refresh();
    grid_->setCells(std::move(heads), options);
    grid_->setChosen(chosenHead());
    biasCard_->setNote(
        tr("rows: query 0–%1 downwards, columns: key; dashed: weight halved").arg(view_.biases[0].rows() - 1));
    fitBias();
}

void PositionPage::drawSlopes() {
    const auto count = static_cast<int>(view_.heads.size());
    int power = 1;
    while (power * 2 <= count)
        power *= 2;
    showSlopes(*slopes_, {view_.interleaved, view_.naive, power});
    slopes_->reset();
    slopeCard_->setTitle(tr("Slopes at %n head(s)", nullptr, count));
    const auto rule = view_.parameters.find("slopes");
    const bool naive = rule != view_.parameters.end() && to_text(rule->second) == "naive";
    slopeCard_->setNote(naive            ? tr("this one is set to the naive rule")
                        : power == count ? tr("a power of two: both rules agree")
                                         : tr("not a power of two"));
}

void PositionPage::drawReach() {
    if (!view_.hasBias() || !reachCard_->isVisibleTo(body_)) return;
    // The chart is of slopes; a head without one is drawn by the slope that halves its weight at the same distance.
    std::vector<double> slopes;
    for (const HeadBias& head : view_.heads)
        slopes.push_back(head.halfDistance && *head.halfDistance > 0 ? std::numbers::ln2 / *head.halfDistance : 0.0);
    showReach(*reach_, slopes, static_cast<double>(view_.trainingLength), chosenHead());
    if (!view_.hasSlopes()) {
        AxisOptions y = reach_->yAxis();
        y.name = tr("half-weight distance");
        reach_->setYAxis(y);
    }
    reach_->reset();
    reachCard_->setNote(view_.hasSlopes() ? tr("weight halved at equal content")
                                          : tr("by the bias of the last query; heads without one never halve"));
}

void PositionPage::drawKernels() {
    if (!view_.hasBias()) return;
    std::vector<KernelCurve> curves;
    for (const HeadBias& head : view_.heads) {
        KernelCurve curve;
        curve.name =
            view_.heads.size() <= 16 || curves.size() % 4 == 0 ? QString::number(curves.size() + 1) : QString();
        for (const double value : head.byDistance)
            curve.factor.push_back(std::exp(value - head.byDistance[0]));
        curves.push_back(std::move(curve));
    }
    showKernels(*kernels_, curves, tr("factor e^bias on the weight"), chosenHead());
    kernels_->reset();
    kernelCard_->setNote(tr("equal content, relative to distance 0"));
}

void PositionPage::drawBuckets() {
    // A stair: each bucket as long as the distances that share it.
    CurveSeries stair;
    stair.id = "bucket";
    stair.name = tr("bucket");
    stair.role = SeriesRole::kPath;
    stair.labelled = false;
    std::vector<double> x, y;
    int used = 0;
    for (std::size_t distance = 0; distance < view_.buckets.size(); ++distance) {
        if (!y.empty() && y.back() == view_.buckets[distance] && distance + 1 < view_.buckets.size()) continue;
        if (!y.empty()) {
            x.push_back(static_cast<double>(distance));
            y.push_back(y.back());
        }
        if (y.empty() || y.back() != view_.buckets[distance]) ++used;
        x.push_back(static_cast<double>(distance));
        y.push_back(view_.buckets[distance]);
    }
    stair.x = sharedValues(std::move(x));
    stair.y = sharedValues(std::move(y));
    AxisOptions across;
    across.name = tr("distance, tokens");
    AxisOptions up;
    up.name = tr("bucket");
    up.includeZero = true;
    buckets_->setXAxis(across);
    buckets_->setYAxis(up);
    buckets_->setLines({{Qt::Vertical, static_cast<double>(view_.trainingLength),
                         displayNumber(static_cast<double>(view_.trainingLength)), false}});
    buckets_->setSeries({std::move(stair)});
    buckets_->reset();
    bucketCard_->setNote(tr("%1 in use to distance %2; all distances of a bucket share one value")
                             .arg(used)
                             .arg(view_.buckets.size() - 1));
}

void PositionPage::drawRotation() {
    if (!view_.hasRotation()) return;
    const int count = static_cast<int>(view_.inverseFrequencies.size());
    pair_ = std::clamp(pair_, 0, count - 1);
    PhaseData data;
    data.inverseFrequencies = view_.inverseFrequencies;
    data.trainingLength = static_cast<double>(view_.trainingLength);
    data.length = static_cast<double>(std::max<std::int64_t>(view_.length, view_.trainingLength * 8));
    data.chosen = pair_;
    showPhases(*phases_, data);
    phases_->reset();
    phaseCard_->setNote(tr("%n pair(s); dashed: no full turn in training", nullptr, count));

    const auto at = number(position_, 0, 1'000'000'000, 48);
    std::vector<double> angles;
    for (const double frequency : view_.inverseFrequencies)
        angles.push_back(static_cast<double>(at) * frequency);
    wheel_->setAngles(std::move(angles), static_cast<double>(at));
    wheel_->setSelected(pair_);
    wheelCard_->setTitle(tr("Phase wheel at position %1").arg(at));

    MatrixLook look = rasterLook();
    look.valueName = tr("cosine");
    if (view_.attentionFactor != 1.0) look.range = {-view_.attentionFactor, view_.attentionFactor};
    raster_->setLook(look);
    raster_->setRangeMode(RangeMode::kGiven);
    raster_->setAxisNames(tr("pair"), tr("position, tokens"));
    raster_->setMatrix(matrixOf(view_.cosines));
    if (at < view_.cosines.columns()) raster_->lockCell(QPoint(static_cast<int>(at), pair_));
    rasterCard_->setNote(view_.attentionFactor != 1.0
                             ? tr("cos(p θ) × attention factor %1").arg(displayNumber(view_.attentionFactor, 4))
                             : tr("cos(p θ), position p, pair down"));
}

void PositionPage::drawWavelengths() {
    const bool kept = before_ && before_->hasRotation();
    PhaseData data;
    data.inverseFrequencies = kept ? before_->inverseFrequencies : view_.inverseFrequencies;
    data.trainingLength = static_cast<double>(view_.trainingLength);
    showWavelengths(*waves_, data, kept ? view_.inverseFrequencies : std::vector<double>(), tr("now"));
    waves_->reset();
    waveCard_->setNote(
        (kept ? tr("circles: kept; now %1 of %2 never complete a turn") : tr("%1 of %2 never complete a turn"))
            .arg(view_.neverTurn())
            .arg(view_.inverseFrequencies.size()));
}

void PositionPage::drawDecay() {
    if (view_.decay.empty()) return;
    std::vector<DecayCurve> curves;
    if (before_ && !before_->decay.empty()) curves.push_back({tr("kept"), before_->decay, 4, true});
    curves.push_back({tr("now"), view_.decay, 0, false});
    showDecay(*decay_, curves, static_cast<double>(view_.trainingLength));
    decay_->reset();
    decayCard_->setNote(tr("RoFormer 3.4.3: mean of |Σ e^(i p θ)| over partial sums"));
}

void PositionPage::drawTable() {
    MatrixLook look = MatrixLook::diverging(1.0);
    look.valueName = tr("cosine");
    similarity_->setLook(look);
    similarity_->setRangeMode(RangeMode::kGiven);
    similarity_->setAxisNames(tr("position"), tr("position"));
    similarity_->setMatrix(matrixOf(view_.similarity));
    similarityCard_->setNote(tr("cosine of the vectors of two positions, 0–%1").arg(view_.similarity.rows() - 1));
    double largest = 0;
    for (const double value : view_.additive.values())
        largest = std::max(largest, std::abs(value));
    MatrixLook raster = MatrixLook::diverging(largest > 0 ? largest : 1.0);
    raster.valueName = tr("value");
    tableView_->setLook(raster);
    tableView_->setRangeMode(RangeMode::kGiven);
    tableView_->setAxisNames(tr("position"), tr("channel"));
    tableView_->setMatrix(matrixOf(view_.additive));
    tableCard_->setNote(
        view_.untrained ? tr("as it begins, seed 0")
        : trained_
            ? tr("as trained in %1").arg(trainedOf_)
            : tr("unscaled; %1 positions, %2 channels").arg(view_.additive.rows()).arg(view_.additive.columns()));
}

void PositionPage::drawAll() {
    if (!allCard_->isVisibleTo(body_)) return;
    const PositionRequest asked = request();
    std::vector<CurveSeries> series;
    int slot = 0;
    for (const KernelLine& kernel : allKernels(asked.site, std::min<std::int64_t>(view_.length, 1024))) {
        CurveSeries line;
        line.id = line.name = kernel.name;
        line.slot = slot++;
        line.baseline = kernel.name.toStdString() == view_.spec.id;
        line.x = sharedValues(counting(kernel.values.size()));
        line.y = sharedValues(kernel.values);
        series.push_back(std::move(line));
    }
    AxisOptions x;
    x.name = tr("distance, tokens");
    AxisOptions y;
    y.name = tr("relative to distance 0");
    all_->setXAxis(x);
    all_->setYAxis(y);
    all_->setLines({{Qt::Horizontal, 0.5, {}, true}});
    all_->setSeries(std::move(series));
    all_->reset();
    allCard_->setNote(tr("bias: e^bias of head %1; rotation: decay bound; added vectors: their similarity; learned "
                         "ones as they begin")
                          .arg(asked.site.n_head / 2 + 1));
}

void PositionPage::drawPrecision() {
    std::vector<CurveSeries> errors, counts;
    std::vector<ArmTableRow> rows;
    int slot = 0;
    QString unit;
    for (const PrecisionLine& line : precision_.lines) {
        const QString name = QString::fromLatin1(precision_name(line.precision));
        unit = QString::fromStdString(line.report.unit);
        CurveSeries error;
        error.id = error.name = name;
        error.slot = slot;
        // A position without an error has no place on a logarithmic axis.
        std::vector<double> at, values;
        for (std::size_t position = 0; position < line.report.by_position.size(); ++position) {
            if (!(line.report.by_position[position] > 0)) continue;
            at.push_back(static_cast<double>(position));
            values.push_back(line.report.by_position[position]);
        }
        error.x = sharedValues(std::move(at));
        error.y = sharedValues(std::move(values));
        errors.push_back(std::move(error));
        CurveSeries distinct;
        distinct.id = distinct.name = name;
        distinct.slot = slot;
        distinct.x = sharedValues(counting(line.distinct.size(), 1));
        distinct.y = sharedValues(std::vector<double>(line.distinct.begin(), line.distinct.end()));
        counts.push_back(std::move(distinct));
        ArmTableRow row;
        row.slot = slot++;
        row.name = name;
        row.cells = {displayNumber(line.report.maximum, 3),
                     QStringLiteral("%1 / %2").arg(groupedNumber(line.report.distinct_positions),
                                                   groupedNumber(line.report.positions)),
                     line.firstLost ? QString::number(*line.firstLost) : tr("none")};
        rows.push_back(std::move(row));
    }
    AxisOptions x;
    x.name = precision_.what == "bias" ? tr("distance, tokens") : tr("position, tokens");
    AxisOptions y;
    y.kind = AxisKind::kLog;
    y.name = tr("largest error, %1 (log)").arg(unit);
    errors_->setEmptyText(tr("This encoding computes nothing from positions, so no bits are lost."));
    errors_->setXAxis(x);
    errors_->setYAxis(y);
    errors_->setSeries(std::move(errors));
    errors_->reset();
    errorCard_->setNote(tr("%1 against fp64, over all %2; positions without an error are left out")
                            .arg(QString::fromStdString(view_.spec.id) + " " + precision_.what,
                                 precision_.what == "bias"     ? tr("heads")
                                 : precision_.what == "angles" ? tr("pairs")
                                                               : tr("channels")));
    AxisOptions across;
    across.name = tr("positions in use, tokens (log)");
    across.kind = AxisKind::kLog2;
    AxisOptions up;
    up.name = tr("distinct positions (log)");
    up.kind = AxisKind::kLog2;
    distinct_->setXAxis(across);
    distinct_->setYAxis(up);
    distinct_->setSeries(std::move(counts));
    distinct_->reset();
    distinctCard_->setNote(tr("after rounding each position to the format"));
    precisionTable_->setRows(std::move(rows));
    lossCard_->setNote(tr("%1 positions").arg(groupedNumber(precision_.length)));
}

void PositionPage::fillInspector() {
    formula_->setText(QString::fromStdString(view_.spec.formula));
    words_->setText(QString::fromStdString(view_.spec.summary));
    const QString paper = QString::fromStdString(view_.spec.reference);
    reference_->setTextFormat(Qt::RichText);
    reference_->setText(paper.isEmpty() ? tr("none")
                                        : QStringLiteral("%1<br><a href=\"https://arxiv.org/abs/%2\">arXiv %2</a>")
                                              .arg(QString::fromStdString(view_.spec.name).toHtmlEscaped(), paper));
    warningSection_->setVisible(!view_.warnings.isEmpty());
    warnings_->setText(view_.warnings.join('\n'));
    QStringList numbers;
    std::vector<ArmTableRow> rows;
    if (view_.hasBias()) {
        rows_->setHeaders(view_.hasSlopes() ? QStringList{tr("head"), tr("slope"), tr("half"), tr("1/e")}
                                            : QStringList{tr("head"), tr("half-weight distance")});
        const auto head = static_cast<std::size_t>(chosenHead());
        const HeadBias& chosen = view_.heads[head];
        if (chosen.slope) {
            numbers << tr("m%1 = %2").arg(head + 1).arg(displayNumber(*chosen.slope, 6));
            const auto distance = std::min<std::size_t>(12, chosen.byDistance.size() - 1);
            numbers << tr("b(%1, 0) = −%2 · %1").arg(distance).arg(displayNumber(*chosen.slope, 6));
            numbers << tr("= %1").arg(displayNumber(chosen.byDistance[distance], 6));
            numbers << tr("e^bias = %1").arg(displayNumber(std::exp(chosen.byDistance[distance]), 4));
        }
        if (chosen.halfDistance)
            numbers << (chosen.slope
                            ? tr("ln 2 / m%1 = %2 tokens").arg(head + 1).arg(displayNumber(*chosen.halfDistance, 4))
                            : tr("weight halved after %1 tokens").arg(displayNumber(*chosen.halfDistance, 4)));
        if (!chosen.slope) {
            for (const std::size_t distance : {std::size_t{1}, std::size_t{8}, std::size_t{32}}) {
                if (distance < chosen.byDistance.size())
                    numbers << tr("bias at distance %1 = %2")
                                   .arg(distance)
                                   .arg(displayNumber(chosen.byDistance[distance], 5));
            }
        }
        for (std::size_t i = 0; i < view_.heads.size(); ++i) {
            ArmTableRow row;
            row.name = QString::number(i + 1);
            const HeadBias& one = view_.heads[i];
            row.strong = i == head;
            row.cells = {one.slope ? displayNumber(*one.slope, 4) : QStringLiteral("–"),
                         one.halfDistance ? displayNumber(*one.halfDistance, 3) : QStringLiteral("–"),
                         one.slope && *one.slope > 0 ? displayNumber(1 / *one.slope, 3) : QStringLiteral("–")};
            if (!view_.hasSlopes()) row.cells.erase(row.cells.begin());
            if (!view_.hasSlopes()) row.cells.pop_back();
            rows.push_back(std::move(row));
        }
    } else if (view_.hasRotation()) {
        rows_->setHeaders({tr("pair"), tr("θ"), tr("λ"), tr("turns")});
        const double frequency = view_.inverseFrequencies[static_cast<std::size_t>(pair_)];
        numbers << tr("θ%1 = %2 rad a token").arg(pair_).arg(displayNumber(frequency, 6));
        numbers << tr("λ = 2π/θ = %1 tokens").arg(displayNumber(2 * std::numbers::pi / frequency, 5));
        if (view_.attentionFactor != 1.0)
            numbers << tr("attention factor %1").arg(displayNumber(view_.attentionFactor, 6));
        if (before_ && static_cast<std::size_t>(pair_) < before_->inverseFrequencies.size())
            numbers << tr("kept: λ = %1 tokens")
                           .arg(displayNumber(
                               2 * std::numbers::pi / before_->inverseFrequencies[static_cast<std::size_t>(pair_)], 5));
        for (std::size_t i = 0; i < view_.inverseFrequencies.size(); ++i) {
            ArmTableRow row;
            row.name = QString::number(i);
            row.strong = static_cast<int>(i) == pair_;
            const double each = view_.inverseFrequencies[i];
            row.cells = {displayNumber(each, 4), displayNumber(2 * std::numbers::pi / each, 4),
                         displayNumber(each * static_cast<double>(view_.trainingLength) / (2 * std::numbers::pi), 3)};
            rows.push_back(std::move(row));
        }
    } else {
        rows_->setHeaders({tr("parameter"), tr("value")});
        for (const auto& [name, value] : view_.parameters) {
            ArmTableRow row;
            row.name = QString::fromStdString(name);
            row.cells = {QString::fromStdString(to_text(value))};
            rows.push_back(std::move(row));
        }
    }
    numbersSection_->setVisible(!numbers.isEmpty());
    numbers_->setText(numbers.join('\n'));
    rows_->setRows(std::move(rows));
}

void PositionPage::showReading() {
    if (view_.hasBias()) {
        const auto head = static_cast<std::size_t>(chosenHead());
        const Matrix& matrix = view_.biases[head];
        const std::int64_t query = hoverQuery_ >= 0 ? hoverQuery_ : matrix.rows() * 5 / 8;
        const std::int64_t key = hoverKey_ >= 0 ? hoverKey_ : matrix.rows() * 7 / 16;
        if (query >= matrix.rows() || key >= matrix.columns()) return;
        const double bias = matrix(query, key);
        const QString place = tr("head %1   query %2   key %3").arg(head + 1).arg(query).arg(key);
        reading_->setText(std::isfinite(bias) ? tr("%1   distance %2   bias %3   factor %4")
                                                    .arg(place)
                                                    .arg(query - key)
                                                    .arg(displayNumber(bias, 5), displayNumber(std::exp(bias), 4))
                                              : tr("%1   masked: the future").arg(place));
    } else if (view_.hasRotation()) {
        const double frequency = view_.inverseFrequencies[static_cast<std::size_t>(pair_)];
        const auto at = number(position_, 0, 1'000'000'000, 48);
        const double angle = frequency * static_cast<double>(at);
        turned_->setText(tr("pair %1: %2 rad = %3 turns, cos %4")
                             .arg(pair_)
                             .arg(displayNumber(angle, 4), displayNumber(angle / (2 * std::numbers::pi), 4),
                                  displayNumber(std::cos(angle), 4)));
    }
}

QString PositionPage::inspectorNote() const {
    const QString name = QString::fromStdString(view_.spec.id);
    if (view_.hasBias())
        return tr("%1, head %2 of %3").arg(name).arg(session_.selection().head() + 1).arg(view_.heads.size());
    if (view_.hasRotation()) return tr("%1, pair %2 of %3").arg(name).arg(pair_).arg(view_.inverseFrequencies.size());
    return name;
}

bool PositionPage::runCommand(const QString& id) {
    if (id != "view.fit") return false;
    for (CurvePlot* plot : {slopes_, reach_, kernels_, buckets_, phases_, waves_, decay_, all_, errors_, distinct_})
        plot->reset();
    for (HeatmapView* heat : {raster_, tableView_, similarity_})
        heat->fit();
    return true;
}

QString PositionPage::tableText() const {
    return shown() == Show::kPrecision ? precisionTable_->text() : rows_->text();
}

FigureSource* PositionPage::figure(const QString& kind) {
    const QString shown = !kind.isEmpty()       ? kind
                          : view_.hasBias()     ? "alibi-bias"
                          : view_.hasRotation() ? "rope-phase"
                                                : "";
    if (kind.isEmpty() && this->shown() == Show::kPrecision) return errors_;
    if (kind.isEmpty() && this->shown() == Show::kAll) return all_;
    if (shown == "alibi-bias") return view_.hasBias() ? grid_ : nullptr;
    if (shown == "slopes") return view_.hasBias() ? slopes_ : nullptr;
    if (shown == "rope-phase") return view_.hasRotation() ? phases_ : nullptr;
    if (shown == "rope-decay") return view_.hasRotation() ? decay_ : nullptr;
    if (view_.hasTable()) return similarity_;
    return nullptr;
}

}  // namespace sextant
