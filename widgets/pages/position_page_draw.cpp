#include <QComboBox>
#include <QLineEdit>
#include <cmath>
#include <numbers>

#include "core/encoding/registry.h"
#include "widgets/controls/card.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/pages/position_page.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {

constexpr double kBiasFloor = -8.0;  // exp(-8): nothing below it is told apart by an eye

SeriesStyle orderedStyle(int index, int count, bool strong) {
    SeriesStyle style = theme().series(0);
    style.color = style.ink = theme().ordered(index, count);
    style.dash.clear();
    style.width = strong ? 2.5 : 1.2;
    return style;
}

std::vector<double> counting(std::size_t count, double from = 0.0) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = from + static_cast<double>(i);
    return values;
}

}  // namespace

void PositionPage::drawBias() {
    const double low = std::max(kBiasFloor, std::min(view_.lowestBias, -1e-3));
    double high = 0;
    for (const Matrix& matrix : view_.biases) {
        for (const double value : matrix.values()) {
            if (std::isfinite(value)) high = std::max(high, value);
        }
    }
    const MatrixLook look = high > 0 ? MatrixLook::diverging(std::max(high, -low)) : MatrixLook::negative(low);
    std::vector<GridCell> heads;
    for (std::size_t head = 0; head < view_.heads.size(); ++head) {
        GridCell picture;
        picture.matrix =
            MatrixData::of(view_.biases[head].rows(), view_.biases[head].columns(), view_.biases[head].values());
        picture.matrix.setCausal();
        picture.title = tr("head %1").arg(head + 1);
        picture.note = headText(head);
        picture.head = static_cast<int>(head);
        const auto half = view_.heads[head].halfDistance;
        if (half && *half < static_cast<double>(view_.biases[head].rows())) picture.dashedDistance = half;
        heads.push_back(std::move(picture));
    }
    GridOptions options;
    options.look = look;
    options.look.valueName = tr("bias");
    options.look.rangeLocked = true;
    options.axisNumbers = heads.size() <= 8;
    options.barNotes = {tr("one scale for all heads")};
    if (view_.lowestBias < low) options.barNotes << tr("lower values are drawn as %1").arg(displayNumber(low));
    options.barNotes << tr("hatched: masked, not in the scale");
    grid_->setCells(std::move(heads), options);
    grid_->setChosen(std::min(session_.selection().head(), static_cast<int>(view_.heads.size()) - 1));
    biasCard_->setNote(
        tr("rows: query 0–%1 downwards, columns: key; dashed: weight halved").arg(view_.biases[0].rows() - 1));
}

void PositionPage::drawSlopes() {
    std::vector<CurveSeries> series;
    std::vector<double> own;
    for (const HeadBias& head : view_.heads)
        own.push_back(head.slope.value_or(std::numeric_limits<double>::quiet_NaN()));
    CurveSeries line;
    line.id = "own";
    line.slot = 1;
    line.role = SeriesRole::kPoints;
    line.markers = true;
    line.labelled = false;
    line.x = sharedValues(counting(own.size(), 1));
    line.y = sharedValues(std::move(own));
    // The other rule beside it, where the encoding offers one: every choice of a parameter that changes the slopes.
    for (const ParameterSpec& parameter : view_.spec.parameters) {
        if (parameter.type != ParameterType::kChoice) continue;
        const auto now = view_.parameters.find(parameter.name);
        for (const std::string& choice : parameter.choices) {
            if (now != view_.parameters.end() && to_text(now->second) == choice) {
                line.name = QString::fromStdString(choice);
                continue;
            }
            PositionRequest other;
            other.encoding.id = view_.spec.id;
            other.encoding.parameters = given_;
            other.encoding.parameters[parameter.name] = choice;
            other.site = site_;
            other.site.n_head = static_cast<std::int64_t>(view_.heads.size());
            other.length = 4;
            other.matrix = 2;
            const PositionView view = positionView(other);
            if (!view.ok()) continue;
            std::vector<double> slopes;
            for (const HeadBias& head : view.heads)
                slopes.push_back(head.slope.value_or(std::numeric_limits<double>::quiet_NaN()));
            CurveSeries beside;
            beside.id = "rule." + QString::fromStdString(choice);
            beside.name = QString::fromStdString(choice);
            beside.slot = 4;
            beside.markers = true;
            beside.openMarkers = true;
            beside.x = sharedValues(counting(slopes.size(), 1));
            beside.y = sharedValues(std::move(slopes));
            series.push_back(std::move(beside));
        }
    }
    series.push_back(std::move(line));
    AxisOptions x;
    x.name = tr("head, checkpoint order");
    AxisOptions y;
    y.name = tr("slope m (log)");
    y.kind = AxisKind::kLog2;
    slopes_->setXAxis(x);
    slopes_->setYAxis(y);
    slopes_->setSeries(std::move(series));
    slopes_->reset();
    const auto count = view_.heads.size();
    const bool power = (count & (count - 1)) == 0;
    slopeCard_->setTitle(tr("Slopes at %n head(s)", nullptr, static_cast<int>(count)));
    slopeCard_->setNote(power ? tr("a power of two: both rules agree") : tr("not a power of two"));
}

void PositionPage::drawReach() {
    if (!view_.hasBias()) return;
    std::vector<CurveSeries> series;
    std::vector<PlotNote> notes;
    const int count = static_cast<int>(view_.heads.size());
    AxisOptions y;
    y.name = tr("half-weight distance");
    y.descending = true;
    y.range = Range{0.3, static_cast<double>(count) + 0.7};
    for (int head = 0; head < count; ++head) {
        if (count <= 12 || head % 4 == 0) y.fixedTicks.emplace_back(head + 1, tr("head %1").arg(head + 1));
        const auto half = view_.heads[static_cast<std::size_t>(head)].halfDistance;
        if (!half) continue;
        const bool strong = head == session_.selection().head();
        CurveSeries stem;
        stem.id = QString::number(head);
        stem.role = SeriesRole::kPath;
        stem.labelled = false;
        SeriesStyle style = orderedStyle(head, count, strong);
        style.width = strong ? 5 : 3;
        stem.style = style;
        stem.x = sharedValues({0.5, *half});
        stem.y = sharedValues({static_cast<double>(head + 1), static_cast<double>(head + 1)});
        series.push_back(std::move(stem));
        if (count <= 16) {
            PlotNote note;
            note.x = *half * 1.15;
            note.y = head + 1;
            note.text = displayNumber(*half, 3);
            notes.push_back(std::move(note));
        }
    }
    AxisOptions x;
    x.name = tr("tokens (log)");
    x.kind = AxisKind::kLog2;
    reach_->setXAxis(x);
    reach_->setYAxis(y);
    reach_->setLines(
        {{Qt::Vertical, static_cast<double>(view_.trainingLength), QString::number(view_.trainingLength), false}});
    reach_->setNotes(std::move(notes));
    reach_->setSeries(std::move(series));
    reachCard_->setNote(tr("ln 2 over the slope"));
}

void PositionPage::drawKernels() {
    if (!view_.hasBias()) return;
    std::vector<CurveSeries> series;
    const int count = static_cast<int>(view_.heads.size());
    for (int head = 0; head < count; ++head) {
        const std::vector<double>& bias = view_.heads[static_cast<std::size_t>(head)].byDistance;
        std::vector<double> factor;
        for (const double value : bias)
            factor.push_back(std::exp(value - bias[0]));
        CurveSeries line;
        line.id = QString::number(head);
        line.name = QString::number(head + 1);
        line.style = orderedStyle(head, count, head == session_.selection().head());
        line.labelled = count <= 12;
        line.x = sharedValues(counting(factor.size()));
        line.y = sharedValues(std::move(factor));
        series.push_back(std::move(line));
    }
    AxisOptions x;
    x.name = tr("distance, tokens");
    AxisOptions y;
    y.name = tr("factor e^bias on the weight");
    y.includeZero = true;
    kernels_->setXAxis(x);
    kernels_->setYAxis(y);
    kernels_->setSeries(std::move(series));
    kernelCard_->setNote(tr("equal content"));
}

void PositionPage::drawRotation() {
    if (!view_.hasRotation()) return;
    const int count = static_cast<int>(view_.inverseFrequencies.size());
    pair_ = std::clamp(pair_, 0, count - 1);
    const std::int64_t longest = std::max<std::int64_t>(view_.length, view_.trainingLength * 8);
    std::vector<CurveSeries> series;
    const int step = std::max(1, count / 32);
    for (int pair = 0; pair < count; pair += step) {
        const double frequency = view_.inverseFrequencies[static_cast<std::size_t>(pair)];
        const double turns = frequency / (2 * std::numbers::pi);
        CurveSeries line;
        line.id = QString::number(pair);
        line.name = tr("pair %1").arg(pair);
        const bool never = turns * static_cast<double>(view_.trainingLength) < 1;
        SeriesStyle style = orderedStyle(pair, count, pair == pair_);
        if (never) style.dash = {5, 3};
        line.style = style;
        line.labelled = pair % std::max(step, count / 4) == 0 || pair == pair_;
        line.x = sharedValues({1.0, static_cast<double>(longest)});
        line.y = sharedValues({turns, turns * static_cast<double>(longest)});
        series.push_back(std::move(line));
    }
    AxisOptions x;
    x.name = tr("position, tokens (log)");
    x.kind = AxisKind::kLog2;
    AxisOptions y;
    y.name = tr("angle, turns (log)");
    y.kind = AxisKind::kLog;
    phases_->setXAxis(x);
    phases_->setYAxis(y);
    phases_->setLines(
        {{Qt::Vertical, static_cast<double>(view_.trainingLength), QString::number(view_.trainingLength), false},
         {Qt::Horizontal, 1.0, tr("one turn"), true}});
    phases_->setSeries(std::move(series));
    phaseCard_->setNote(tr("%n pair(s); dashed: no full turn in training", nullptr, count));

    const auto at = number(position_, 0, kMatrixLimit * 65536, 48);
    std::vector<double> angles;
    for (const double frequency : view_.inverseFrequencies)
        angles.push_back(static_cast<double>(at) * frequency);
    wheel_->setAngles(std::move(angles), static_cast<double>(at));
    wheel_->setSelected(pair_);
    wheelCard_->setTitle(tr("Phase wheel at position %1").arg(at));
    wheelCard_->setNote(tr("outer ring: pair 0"));

    MatrixLook look = MatrixLook::diverging(1.28);
    look.valueName = tr("cosine");
    raster_->setLook(look);
    raster_->setRangeMode(RangeMode::kGiven);
    raster_->setAxisNames(tr("pair"), tr("position, tokens"));
    raster_->setMatrix(MatrixData::of(view_.cosines.rows(), view_.cosines.columns(), view_.cosines.values()));
    rasterCard_->setNote(tr("cos(m θ)"));
}

void PositionPage::drawWavelengths() {
    const auto lambdas = [](const PositionView& view) {
        std::vector<double> values;
        for (const double frequency : view.inverseFrequencies)
            values.push_back(2 * std::numbers::pi / frequency);
        return values;
    };
    std::vector<CurveSeries> series;
    if (before_ && before_->hasRotation()) {
        CurveSeries old;
        old.id = "before";
        old.name = tr("kept");
        old.slot = 4;
        old.faint = true;
        old.x = sharedValues(counting(before_->inverseFrequencies.size()));
        old.y = sharedValues(lambdas(*before_));
        series.push_back(std::move(old));
    }
    CurveSeries line;
    line.id = "now";
    line.slot = 0;
    line.role = SeriesRole::kPoints;
    line.markers = true;
    line.labelled = false;
    line.x = sharedValues(counting(view_.inverseFrequencies.size()));
    line.y = sharedValues(lambdas(view_));
    series.push_back(std::move(line));
    AxisOptions x;
    x.name = tr("pair");
    AxisOptions y;
    y.name = tr("wavelength, tokens (log)");
    y.kind = AxisKind::kLog;
    waves_->setXAxis(x);
    waves_->setYAxis(y);
    waves_->setLines({{Qt::Horizontal, static_cast<double>(view_.trainingLength),
                       tr("training length %1").arg(view_.trainingLength), false}});
    waves_->setSeries(std::move(series));
    waveCard_->setNote(
        tr("%1 of %2 never complete a turn").arg(view_.neverTurn()).arg(view_.inverseFrequencies.size()));
}

void PositionPage::drawDecay() {
    std::vector<CurveSeries> series;
    const auto longest = std::max<std::int64_t>(view_.length, view_.trainingLength * 4);
    const auto add = [&](const PositionView& view, const QString& name, int slot, bool faint) {
        CurveSeries line;
        line.id = name;
        line.name = name;
        line.slot = slot;
        line.faint = faint;
        line.x = sharedValues(counting(static_cast<std::size_t>(longest)));
        line.y = sharedValues(rotaryDecay(view.inverseFrequencies, longest));
        series.push_back(std::move(line));
    };
    if (before_ && before_->hasRotation()) add(*before_, tr("kept"), 4, true);
    add(view_, tr("now"), 0, false);
    series.back().labelled = series.size() > 1;
    AxisOptions x;
    x.name = tr("distance, tokens");
    AxisOptions y;
    y.name = tr("relative upper bound of the score");
    y.includeZero = true;
    decay_->setXAxis(x);
    decay_->setYAxis(y);
    decay_->setLines(
        {{Qt::Vertical, static_cast<double>(view_.trainingLength), QString::number(view_.trainingLength), false}});
    decay_->setSeries(std::move(series));
    decayCard_->setNote(tr("RoFormer 3.4.3"));
}

void PositionPage::drawTable() {
    MatrixLook look = MatrixLook::diverging(1.0);
    look.valueName = tr("cosine");
    similarity_->setLook(look);
    similarity_->setRangeMode(RangeMode::kGiven);
    similarity_->setAxisNames(tr("position"), tr("position"));
    similarity_->setMatrix(
        MatrixData::of(view_.similarity.rows(), view_.similarity.columns(), view_.similarity.values()));
    similarityCard_->setNote(tr("cosine of the vectors of two positions"));
    double largest = 0;
    for (const double value : view_.additive.values())
        largest = std::max(largest, std::abs(value));
    MatrixLook raster = MatrixLook::diverging(largest > 0 ? largest : 1.0);
    raster.valueName = tr("value");
    tableView_->setLook(raster);
    tableView_->setRangeMode(RangeMode::kGiven);
    tableView_->setAxisNames(tr("position"), tr("channel"));
    tableView_->setMatrix(MatrixData::of(view_.additive.rows(), view_.additive.columns(), view_.additive.values()));
    tableCard_->setNote(tr("as the model adds it"));
}

void PositionPage::drawAll() {
    if (!allCard_->isVisibleTo(body_)) return;
    EncodingSite site = site_;
    site.n_head = number(heads_, 1, 128, 8);
    site.head_dim = number(headDim_, 2, 1024, 64);
    site.d_model = site.n_head * site.head_dim;
    std::vector<CurveSeries> series;
    int slot = 0;
    for (const KernelLine& kernel : allKernels(site, std::min<std::int64_t>(view_.length, kMatrixLimit))) {
        CurveSeries line;
        line.id = line.name = kernel.name;
        line.slot = slot++;
        line.faint = kernel.name.toStdString() != view_.spec.id;
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
    all_->setSeries(std::move(series));
    allCard_->setNote(tr("e^bias of the middle head, RoPE's bound, similarity of added vectors"));
}

void PositionPage::fillInspector() {
    formula_->setText(QString::fromStdString(view_.spec.formula));
    words_->setText(QString::fromStdString(view_.spec.summary));
    reference_->setText(
        view_.spec.reference.empty() ? tr("none") : tr("arXiv %1").arg(QString::fromStdString(view_.spec.reference)));
    warningSection_->setVisible(!view_.warnings.isEmpty());
    warnings_->setText(view_.warnings.join('\n'));
    QStringList numbers;
    std::vector<ArmTableRow> rows;
    if (view_.hasBias()) {
        rows_->setHeaders({tr("head"), tr("slope"), tr("half"), tr("1/e")});
        const auto head = static_cast<std::size_t>(
            std::clamp(session_.selection().head(), 0, static_cast<int>(view_.heads.size()) - 1));
        const HeadBias& chosen = view_.heads[head];
        if (chosen.slope) {
            numbers << tr("m%1 = %2").arg(head + 1).arg(displayNumber(*chosen.slope, 6));
            const auto distance = std::min<std::size_t>(12, chosen.byDistance.size() - 1);
            numbers << tr("bias at distance %1: −%2 · %1 = %3")
                           .arg(distance)
                           .arg(displayNumber(*chosen.slope, 6), displayNumber(chosen.byDistance[distance], 6));
            numbers << tr("e^bias = %1").arg(displayNumber(std::exp(chosen.byDistance[distance]), 4));
        }
        if (chosen.halfDistance)
            numbers << tr("weight halved after %1 tokens").arg(displayNumber(*chosen.halfDistance, 4));
        for (std::size_t i = 0; i < view_.heads.size(); ++i) {
            ArmTableRow row;
            row.name = QString::number(i + 1);
            const HeadBias& one = view_.heads[i];
            row.strong = i == head;
            row.cells = {one.slope ? displayNumber(*one.slope, 4) : QStringLiteral("–"),
                         one.halfDistance ? displayNumber(*one.halfDistance, 3) : QStringLiteral("–"),
                         one.slope && *one.slope > 0 ? displayNumber(1 / *one.slope, 3) : QStringLiteral("–")};
            rows.push_back(std::move(row));
        }
    } else if (view_.hasRotation()) {
        rows_->setHeaders({tr("pair"), tr("θ"), tr("λ"), tr("turns")});
        const double frequency = view_.inverseFrequencies[static_cast<std::size_t>(pair_)];
        numbers << tr("θ%1 = %2 rad a token").arg(pair_).arg(displayNumber(frequency, 6));
        numbers << tr("λ = 2π/θ = %1 tokens").arg(displayNumber(2 * std::numbers::pi / frequency, 5));
        if (view_.attentionFactor != 1.0)
            numbers << tr("attention factor %1").arg(displayNumber(view_.attentionFactor, 6));
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
        const auto head = static_cast<std::size_t>(
            std::clamp(session_.selection().head(), 0, static_cast<int>(view_.heads.size()) - 1));
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
        const auto at = number(position_, 0, kMatrixLimit * 65536, 48);
        const double angle = frequency * static_cast<double>(at);
        reading_->setText(tr("pair %1   angle at %2: %3 rad = %4 turns   cos %5")
                              .arg(pair_)
                              .arg(at)
                              .arg(displayNumber(angle, 5), displayNumber(angle / (2 * std::numbers::pi), 4),
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
    for (CurvePlot* plot : {slopes_, reach_, kernels_, phases_, waves_, decay_, all_})
        plot->reset();
    for (HeatmapView* heat : {raster_, tableView_, similarity_})
        heat->fit();
    return true;
}

QString PositionPage::tableText() const {
    return rows_->text();
}

FigureSource* PositionPage::figure(const QString& kind) {
    const QString shown = !kind.isEmpty()       ? kind
                          : view_.hasBias()     ? "alibi-bias"
                          : view_.hasRotation() ? "rope-phase"
                                                : "";
    if (shown == "alibi-bias") return view_.hasBias() ? grid_ : nullptr;
    if (shown == "slopes") return view_.hasBias() ? slopes_ : nullptr;
    if (shown == "rope-phase") return view_.hasRotation() ? phases_ : nullptr;
    if (shown == "rope-decay") return view_.hasRotation() ? decay_ : nullptr;
    if (view_.hasTable()) return similarity_;
    return nullptr;
}

}  // namespace sextant
