// What the Attention page draws: matrix, heads, row, history, probes and the numbers beside them.
#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/controls/card.h"
#include "widgets/controls/icon_button.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/token_strip.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {

constexpr int kThumbnails = 64;

// exp(row - largest) over the keys a query sees; the sum is at least 1.
std::vector<double> exponentials(const MatrixData& matrix, int query, double& sum) {
    std::vector<double> values;
    double largest = -std::numeric_limits<double>::infinity();
    for (int key = 0; key <= query; ++key)
        largest = std::max(largest, matrix.at(query, key));
    sum = 0.0;
    for (int key = 0; key <= query; ++key) {
        values.push_back(std::exp(matrix.at(query, key) - largest));
        sum += values.back();
    }
    return values;
}

}  // namespace

// Weights run from 0: zero looks like nothing, whatever the range is taken from.
Range AttentionPage::weightRange(ColourRangeMode mode) const {
    const auto largest = [this](Side side, int layer) {
        double value = 0.0;
        const auto maps = model_.weights(side);
        for (std::size_t i = 0; maps && i < maps->ranges.size(); ++i) {
            if (layer < 0 || maps->layers[i / maps->heads.size()] == layer)
                value = std::max(value, maps->ranges[i].largest);
        }
        return value;
    };
    const Selection& selection = session_.selection();
    const MatrixStatistics* own = rangeOf(Side::kA, QStringLiteral("weights"));
    double high = 1.0;
    switch (mode) {
        case ColourRangeMode::kFixed:
            break;
        case ColourRangeMode::kHead:
            high = own != nullptr ? own->largest : 1.0;
            break;
        case ColourRangeMode::kLayer:
            high = largest(Side::kA, selection.layer());
            break;
        case ColourRangeMode::kAll:
            high = largest(Side::kA, -1);
            break;
        case ColourRangeMode::kBothRuns:
            high = std::max(largest(Side::kA, -1), largest(Side::kB, -1));
            break;
        case ColourRangeMode::kPercentile:
            high = own != nullptr ? own->highQuantile : 1.0;
            break;
    }
    return {0.0, std::max(high, 1e-6)};
}

void AttentionPage::drawMatrix() {
    const auto maps = model_.weights(Side::kA);
    const QString what = term();
    const MatrixData a = matrixOf(Side::kA, what);
    const auto weightsB = model_.weights(Side::kB);
    MatrixData b = weightsB ? matrixOf(Side::kB, what) : MatrixData();
    // Two tokenisers cut a text differently: then there is no cell to compare with.
    if (maps && weightsB && maps->tokens != weightsB->tokens) b = MatrixData();
    const bool weights = what == "weights";
    const bool centred = side_->currentIndex() == 2 && !b.empty();
    const ColourRange& wanted = session_.selection().range();
    MatrixLook look;
    if (centred || !weights) {
        double magnitude = 1.0;
        if (!centred) {
            const auto reach = [&](Side side) {
                const MatrixStatistics* s = rangeOf(side, what);
                if (s == nullptr) return 0.0;
                if (wanted.mode == ColourRangeMode::kPercentile)
                    return std::max(std::abs(s->lowQuantile), std::abs(s->highQuantile));
                return std::max(std::abs(s->smallest), std::abs(s->largest));
            };
            magnitude = wanted.mode == ColourRangeMode::kFixed ? 8.0 : reach(Side::kA);
            if (wanted.mode == ColourRangeMode::kBothRuns) magnitude = std::max(magnitude, reach(Side::kB));
        }
        look = MatrixLook::diverging(std::max(magnitude, 1e-6));
    } else {
        look.scale = static_cast<ScaleKind>(scale_->currentIndex());
        look.range = weightRange(wanted.mode);
        if (look.scale == ScaleKind::kLog) look.range.first = look.range.second * 1e-4;
        if (look.scale == ScaleKind::kRank) look.ranked = sample(a);
    }
    if (wanted.locked) {
        look.range = {wanted.low, wanted.high};
        if (centred || !weights) {
            const double m = std::max(std::abs(wanted.low), std::abs(wanted.high));
            look.range = {-m, m};
        }
    }
    look.rangeLocked = wanted.locked;
    look.valueName = term_->currentText();
    const int layer = session_.selection().layer(), head = session_.selection().head();
    const auto heldA = weights ? maps : model_.term(Side::kA, layer, head, what);
    const auto heldB = weights ? weightsB : model_.term(Side::kB, layer, head, what);
    const QString of = QStringLiteral("%1/%2/%3/%4/%5").arg(layer).arg(head).arg(what).arg(a.empty()).arg(b.empty());
    if (drawnA_ != heldA || drawnB_ != heldB || drawnOf_ != of) {
        drawnA_ = heldA;
        drawnB_ = heldB;
        drawnOf_ = of;
        if (b.empty())
            matrix_->setMatrix(a);
        else
            matrix_->setMatrices(a, b);
    }
    matrix_->setSide(b.empty() ? MatrixSide::kA : static_cast<MatrixSide>(side_->currentIndex()));
    matrix_->setLook(look);
    const bool given = !centred || wanted.locked;
    matrix_->setRangeMode(given                                         ? RangeMode::kGiven
                          : wanted.mode == ColourRangeMode::kPercentile ? RangeMode::kPercentile
                                                                        : RangeMode::kThis,
                          0.005);
    const QString reason =
        b.empty() && weightsB ? tr("B cuts this text into other tokens.") : tr("Choose a run or a step as B first.");
    side_->setSegmentEnabled(1, !b.empty(), reason);
    side_->setSegmentEnabled(2, !b.empty(), reason);
    if (maps) {
        matrix_->setTokens(maps->tokens, maps->tokens);
        strip_->setTokens(maps->tokens);
        // As high as its lines, at once: the card must not cut the last one. From the fourth line on it scrolls.
        const int lines = strip_->heightForWidth(stripArea_->viewport()->width());
        strip_->setMinimumHeight(lines);
        stripArea_->setFixedHeight(std::min(lines, scaled(78)));
    }
    const Range range = matrix_->range();
    rangeText_->setText(
        a.empty() ? QString() : displayNumber(range.first, 3) + QStringLiteral(" – ") + displayNumber(range.second, 3));
    const Selection& selection = session_.selection();
    const ProjectSnapshotPtr now = session_.snapshot();
    const QString nameA = foreign_.isEmpty() ? label(runA(), stepA_) : foreign_.section('/', -1);
    const RunSnapshot* runB = other_->currentData().toString() == "." ? runA()
                              : now                                   ? now->find(other_->currentData().toString())
                                                                      : nullptr;
    sidesText_->setText(b.empty() ? tr("A %1").arg(nameA) : tr("A %1   B %2").arg(nameA, label(runB, stepB_)));
    matrixCard_->setTitle(weights ? tr("Attention weights") : tr("Attention: %1").arg(term_->currentText()));
    const bool unrotates = maps && what == "unrotated" && maps->encoding != "rope" && maps->encoding != "xpos";
    matrixCard_->setNote(tr("%1, layer %2, head %3%4")
                             .arg(centred                                    ? tr("A − B")
                                  : side_->currentIndex() == 1 && !b.empty() ? tr("B")
                                                                             : nameA)
                             .arg(selection.layer() + 1)
                             .arg(selection.head() + 1)
                             .arg(weights && !centred ? ", " + tr("rows sum to 1")
                                  : unrotates         ? ", " + tr("nothing rotates here: equal to content")
                                                      : QString()));
}

void AttentionPage::drawGrid() {
    const auto maps = model_.weights(Side::kA);
    if (!maps) {
        grid_->setCells({}, {});
        headNote_->clear();
        headTable_->setRows({});
        return;
    }
    const auto count = maps->values.size();
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const int by = order_->currentIndex();
    const bool sorted = by > 0 && maps->numbers.size() == count;
    const auto value = [&](int at) {
        const HeadNumbers& one = maps->numbers[static_cast<std::size_t>(at)];
        return by == 2 ? one.entropy : by == 3 ? one.sinkShare : one.meanDistance;
    };
    if (sorted) std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return value(a) < value(b); });
    const int heads = static_cast<int>(maps->heads.size());
    const bool dense = !sorted && count > 8;
    int current = -1;
    std::vector<GridCell> pictures;
    std::vector<ArmTableRow> rows;
    for (const int at : order) {
        GridCell picture;
        picture.layer = maps->layers[static_cast<std::size_t>(at / heads)];
        picture.head = maps->heads[static_cast<std::size_t>(at % heads)];
        const QString name = tr("%1.%2").arg(picture.layer + 1).arg(picture.head + 1);
        if (static_cast<std::size_t>(at) < maps->numbers.size()) {
            const HeadNumbers& one = maps->numbers[static_cast<std::size_t>(at)];
            ArmTableRow row;
            row.name = name;
            row.cells = {displayNumber(one.meanDistance, 3), displayNumber(one.entropy, 3),
                         displayNumber(one.sinkShare, 3)};
            rows.push_back(std::move(row));
            picture.spoken = tr("mean distance %1, entropy %2, sink share %3")
                                 .arg(displayNumber(one.meanDistance, 3), displayNumber(one.entropy, 3),
                                      displayNumber(one.sinkShare, 3));
        }
        if (static_cast<int>(pictures.size()) >= kThumbnails) continue;
        picture.matrix = maps->thumbnails[static_cast<std::size_t>(at)];
        if (!dense) picture.title = name;
        if (sorted) picture.note = displayNumber(value(at), 3);
        if (picture.layer == session_.selection().layer() && picture.head == session_.selection().head())
            current = static_cast<int>(pictures.size());
        pictures.push_back(std::move(picture));
    }
    GridOptions options;
    const ColourRange& wanted = session_.selection().range();
    options.look.range =
        wanted.locked && term() == "weights" && side_->currentIndex() != 2
            ? Range{wanted.low, wanted.high}
            : weightRange(wanted.mode == ColourRangeMode::kFixed || wanted.mode == ColourRangeMode::kBothRuns
                              ? wanted.mode
                              : ColourRangeMode::kAll);
    // A percentile of each head; the scale of all is the widest of them.
    if (wanted.mode == ColourRangeMode::kPercentile && !wanted.locked) {
        double high = 1e-6;
        for (const MatrixStatistics& one : maps->ranges)
            high = std::max(high, one.highQuantile);
        options.look.range = {0.0, high};
    }
    options.bar = false;
    if (dense && heads <= 16) {
        options.columns = heads;
        for (const int head : maps->heads)
            options.columnNames << QString::number(head + 1);
        for (const int layer : maps->layers)
            options.rowNames << QString::number(layer + 1);
    }
    const auto shown = pictures.size();
    filling_ = true;
    grid_->setCells(std::move(pictures), options);
    grid_->setChosen(current);
    filling_ = false;
    headTable_->setRows(std::move(rows));
    gridCard_->setNote(model_.longText() ? tr("a long text: one head at a time")
                       : shown < count   ? tr("first %1 of %2, one scale").arg(shown).arg(count)
                                         : tr("%1 layers × %2, one scale to %3")
                                             .arg(maps->layers.size())
                                             .arg(heads)
                                             .arg(displayNumber(options.look.range.second, 3)));
    const int at = maps->index(session_.selection().layer(), session_.selection().head());
    if (at >= 0 && at < static_cast<int>(maps->numbers.size())) {
        const HeadNumbers& one = maps->numbers[static_cast<std::size_t>(at)];
        headNote_->setText(tr("distance %1   entropy %2   sink %3 %")
                               .arg(displayNumber(one.meanDistance, 3), displayNumber(one.entropy, 3),
                                    displayNumber(one.sinkShare * 100, 3)));
    } else {
        headNote_->clear();
    }
}

void AttentionPage::drawRow() {
    const auto maps = model_.weights(Side::kA);
    const Selection& selection = session_.selection();
    const int query = selection.query();
    std::vector<CurveSeries> series;
    std::vector<ArmTableRow> rows;
    std::vector<PlotNote> notes;
    const MatrixData weights = maps ? maps->matrix(selection.layer(), selection.head()) : MatrixData();
    const bool there = !weights.empty() && query >= 0 && query < weights.rows();
    // The other terms of a long text are as large as its weights: asked for only when they are looked at.
    const bool terms = there && !model_.longText();
    const MatrixData content = terms ? matrixOf(Side::kA, "content") : MatrixData();
    const MatrixData bias = terms ? matrixOf(Side::kA, "bias") : MatrixData();
    if (there) {
        const auto bars = [&](int of, const QString& id, const Themed<SeriesStyle>& style) {
            std::vector<double> x, y;
            for (int key = of; key >= 0; --key) {
                const double distance = of - key;
                for (const double value : {0.0, weights.at(of, key)}) {
                    x.push_back(distance);
                    y.push_back(value);
                }
                x.push_back(std::numeric_limits<double>::quiet_NaN());
                y.push_back(std::numeric_limits<double>::quiet_NaN());
            }
            CurveSeries one;
            one.id = id;
            one.name = id;
            one.role = SeriesRole::kPath;
            one.labelled = false;
            one.style = style;
            one.x = sharedValues(std::move(x));
            one.y = sharedValues(std::move(y));
            return one;
        };
        const double width = query < 60 ? 4.0 : query < 160 ? 2.0 : 1.0;
        series.push_back(bars(query, tr("weight"), [width](const Theme& t) {
            SeriesStyle style = t.series(0);
            style.width = width;
            style.dash.clear();
            return style;
        }));
        if (compared_ >= 0 && compared_ < weights.rows())
            series.push_back(bars(compared_, tr("query %1").arg(compared_), [width](const Theme& t) {
                SeriesStyle style = t.series(2);
                style.width = std::max(1.0, width / 2);
                style.dash.clear();
                return style;
            }));
        const int key = selection.key();
        if (key >= 0 && key <= query) {
            CurveSeries locked;
            locked.id = tr("locked");
            locked.role = SeriesRole::kPath;
            locked.labelled = false;
            locked.style = [width](const Theme& t) {
                SeriesStyle style;
                style.color = style.ink = t.index;
                style.width = width + 1;
                return style;
            };
            const double distance = query - key;
            locked.x = sharedValues({distance, distance});
            locked.y = sharedValues({0.0, weights.at(query, key)});
            series.push_back(std::move(locked));
            PlotNote note;
            note.x = distance;
            note.y = weights.at(query, key);
            note.offset = 6;
            note.text = QStringLiteral("%1 %2").arg(maps->tokens.value(key), displayNumber(weights.at(query, key), 3));
            note.ink = [](const Theme& t) { return t.index; };
            notes.push_back(std::move(note));
        }
        if (!bias.empty() && bias.rows() > query) {
            double sum = 0;
            const std::vector<double> alone = exponentials(bias, query, sum);
            const bool flat = std::all_of(alone.begin(), alone.end(), [&](double v) { return v == alone.front(); });
            if (!flat) {
                std::vector<double> x, y;
                for (int at = query; at >= 0; --at) {
                    x.push_back(query - at);
                    y.push_back(alone[static_cast<std::size_t>(at)] / sum);
                }
                CurveSeries line;
                line.id = line.name = tr("bias alone");
                line.slot = 1;
                line.x = sharedValues(std::move(x));
                line.y = sharedValues(std::move(y));
                series.push_back(std::move(line));
            }
        }
        std::vector<double> shade(static_cast<std::size_t>(weights.rows()), 0.0);
        std::vector<std::pair<double, int>> order;
        for (int each = 0; each <= query; ++each) {
            shade[static_cast<std::size_t>(each)] = weights.at(query, each);
            order.emplace_back(weights.at(query, each), each);
        }
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t i = 0; i < std::min<std::size_t>(8, order.size()); ++i) {
            const int each = order[i].second;
            ArmTableRow row;
            row.name = maps->tokens.value(each);
            row.strong = each == selection.key();
            row.cells = {QString::number(query - each),
                         content.empty() ? QStringLiteral("…") : displayNumber(content.at(query, each), 3),
                         bias.empty() ? QStringLiteral("…") : displayNumber(bias.at(query, each), 3),
                         displayNumber(order[i].first, 3)};
            rows.push_back(std::move(row));
        }
        const double largest = order.empty() ? 1.0 : std::max(order.front().first, 1e-6);
        strip_->setWeights(std::move(shade), "depth", ValueScale(ScaleKind::kLinear, 0.0, largest));
        strip_->setQuery(query);
        strip_->setKey(selection.key());
        const QRect seen = strip_->boxOf(query);
        stripArea_->ensureVisible(seen.center().x(), seen.center().y(), 0, seen.height());
        rowCard_->setTitle(tr("Row of query %1").arg(query));
        rowCard_->setNote(compared_ >= 0 ? tr("%1; thin: query %2 %3")
                                               .arg(maps->tokens.value(query))
                                               .arg(compared_)
                                               .arg(maps->tokens.value(compared_))
                                         : maps->tokens.value(query));
    } else {
        strip_->setWeights({}, "depth", {});
        strip_->setQuery(-1);
        strip_->setKey(-1);
        rowCard_->setTitle(tr("Row of a query"));
        rowCard_->setNote({});
    }
    AxisOptions x;
    x.name = tr("distance, tokens");
    AxisOptions y;
    y.name = tr("weight");
    y.includeZero = true;
    row_->setXAxis(x);
    row_->setYAxis(y);
    row_->setNotes(std::move(notes));
    row_->setSeries(std::move(series));
    row_->reset();
    rowTable_->setRows(std::move(rows));
}

void AttentionPage::drawHistory() {
    const Selection& selection = session_.selection();
    const auto points = model_.history(selection.layer(), selection.head());
    historySection_->setVisible(foreign_.isEmpty() && points.size() > 1);
    if (points.size() < 2) return;
    std::vector<double> steps, distance, sink;
    for (const AttentionModel::HistoryPoint& point : points) {
        steps.push_back(static_cast<double>(point.step));
        distance.push_back(point.numbers.meanDistance);
        sink.push_back(point.numbers.sinkShare * 100);
    }
    const auto draw = [&](CurvePlot* plot, const QString& name, std::vector<double> values) {
        CurveSeries line;
        line.id = line.name = name;
        line.labelled = false;
        line.markers = points.size() <= 20;
        const ProjectSnapshotPtr now = session_.snapshot();
        line.slot = now && runA() != nullptr ? now->slotOf(runA()->arm()) : 0;
        line.x = sharedValues(steps);
        line.y = sharedValues(std::move(values));
        AxisOptions x;
        x.name = tr("step");
        AxisOptions y;
        y.name = name;
        y.includeZero = true;
        plot->setXAxis(x);
        plot->setYAxis(y);
        plot->setLines(stepA_ >= 0 ? std::vector<IndexLine>{{Qt::Vertical, static_cast<double>(stepA_), {}, false}}
                                   : std::vector<IndexLine>{});
        plot->setSeries({std::move(line)});
        plot->reset();
    };
    draw(history_, tr("mean distance, tokens"), std::move(distance));
    draw(sinks_, tr("sink share, %"), std::move(sink));
    historyNote_->setText(tr("%n snapshot(s), this text", nullptr, static_cast<int>(points.size())));
}

void AttentionPage::runProbes() {
    model_.loadShift({1, 4, 16, 64, 256, 1024});
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* run = foreign_.isEmpty() ? runA() : nullptr;
    const std::int64_t length = run != nullptr ? run->plan->model.context_length : 64;
    std::vector<std::int64_t> distances;
    for (std::int64_t distance = 4; distance < length; distance *= 2)
        distances.push_back(distance);
    for (const char* task : {"copy", "induction", "recall", "needle"})
        model_.loadProbe(QString::fromLatin1(task), distances, length);
    drawProbes();
}

void AttentionPage::drawProbes() {
    const auto maps = model_.weights(Side::kA);
    const Selection& selection = session_.selection();
    runProbes_->setEnabled(!model_.source(Side::kA).model.isEmpty());
    // Exact equality has no place on a logarithmic axis: it is drawn at the floor of single precision.
    constexpr double kFloor = 1e-8;
    std::vector<double> offsets, all, own;
    QString ended;
    for (const ShiftPoint& point : model_.shift()) {
        if (point.largest.empty()) {
            if (ended.isEmpty()) ended = tr("offset %1: %2").arg(point.offset).arg(point.problem);
            continue;
        }
        offsets.push_back(static_cast<double>(point.offset));
        all.push_back(std::max(kFloor, *std::max_element(point.largest.begin(), point.largest.end())));
        const auto at = static_cast<std::size_t>(selection.layer() * (maps ? maps->headCount : 1) + selection.head());
        own.push_back(std::max(kFloor, at < point.largest.size() ? point.largest[at] : 0.0));
    }
    std::vector<CurveSeries> series;
    const auto line = [&](const QString& name, int slot, std::vector<double> x, std::vector<double> y) {
        CurveSeries one;
        one.id = one.name = name;
        one.slot = slot;
        one.markers = true;
        one.x = sharedValues(std::move(x));
        one.y = sharedValues(std::move(y));
        return one;
    };
    if (!offsets.empty()) {
        series.push_back(line(tr("all heads"), 0, offsets, all));
        series.push_back(line(tr("this head"), 1, offsets, own));
    }
    AxisOptions x;
    x.name = tr("offset k, tokens (log)");
    x.kind = AxisKind::kLog2;
    AxisOptions y;
    y.name = tr("largest change of a weight (log)");
    y.kind = AxisKind::kLog;
    y.range = Range{kFloor, 1.0};
    shift_->setXAxis(x);
    shift_->setYAxis(y);
    shift_->setLines({{Qt::Horizontal, 1e-4, tr("rounding"), true}});
    if (!ended.isEmpty() && offsets.empty()) shift_->setEmptyText(ended);
    shift_->setSeries(std::move(series));
    shift_->reset();
    shiftCard_->setNote(!ended.isEmpty()    ? ended
                        : offsets.empty()   ? QString()
                        : all.back() < 1e-3 ? tr("equivariant: only rounding changes; 0 is drawn at 1e-8")
                                            : tr("not equivariant: the weights depend on the position itself"));
    std::vector<CurveSeries> tasks;
    std::vector<IndexLine> lines;
    QString reason;
    int slot = 0;
    for (const auto& [name, result] : model_.probes()) {
        std::vector<double> at, accuracy;
        for (const ProbePoint& point : result.points) {
            if (!point.accuracy) {
                if (!point.reason.isEmpty()) reason = tr("%1: %2").arg(name, point.reason);
                continue;
            }
            at.push_back(static_cast<double>(point.distance));
            accuracy.push_back(*point.accuracy * 100);
            if (name == "copy" && lines.empty())
                lines.push_back({Qt::Horizontal, point.chance * 100, tr("guess, copy"), true});
        }
        if (!at.empty()) tasks.push_back(line(name, slot, std::move(at), std::move(accuracy)));
        ++slot;
    }
    AxisOptions across;
    across.name = tr("distance to the answer, tokens (log)");
    across.kind = AxisKind::kLog2;
    AxisOptions up;
    up.name = tr("right answers, %");
    up.range = Range{0.0, 100.0};
    tasks_->setXAxis(across);
    tasks_->setYAxis(up);
    tasks_->setLines(std::move(lines));
    if (tasks.empty() && !reason.isEmpty()) tasks_->setEmptyText(reason);
    tasks_->setSeries(std::move(tasks));
    tasks_->reset();
    taskCard_->setNote(model_.probes().empty() ? QString() : tr("100 sequences a point, at the training length"));
}

void AttentionPage::fillInspector() {
    const auto maps = model_.weights(Side::kA);
    const Selection& selection = session_.selection();
    const int query = selection.query(), key = selection.key();
    const QString none = QStringLiteral("–");
    const bool locked = maps && query >= 0 && key >= 0 && query < maps->length && key <= query;
    query_->setText(locked ? QStringLiteral("%1 %2").arg(query).arg(maps->tokens.value(query)) : none);
    key_->setText(locked ? QStringLiteral("%1 %2").arg(key).arg(maps->tokens.value(key)) : none);
    distance_->setText(locked ? QString::number(query - key) : none);
    const auto value = [&](const char* what) {
        if (!locked || (model_.longText() && QLatin1String(what) != "weights" && term() != what)) return none;
        const MatrixData matrix = matrixOf(Side::kA, QString::fromLatin1(what));
        return matrix.empty() ? QStringLiteral("…") : displayNumber(matrix.at(query, key), 5);
    };
    content_->setText(value("content"));
    bias_->setText(value("bias"));
    score_->setText(value("scores"));
    weight_->setText(value("weights"));
    explain();
    if (matrix_->shown().empty()) {
        for (QuietLabel* label : {mode_, shown_, masked_, above_})
            label->setText(none);
    } else {
        mode_->setText(range_->currentText() + (selection.range().locked ? ", " + tr("locked") : QString()));
        shown_->setText(displayNumber(matrix_->range().first, 3) + " – " + displayNumber(matrix_->range().second, 3));
        masked_->setText(tr("%1 cells left out").arg(groupedNumber(matrix_->numbers().masked)));
        above_->setText(tr("%1 cells").arg(groupedNumber(matrix_->outside().above)));
    }
}

// The softmax of one cell with its numbers, and what the weight would be without the bias.
void AttentionPage::explain() {
    const auto maps = model_.weights(Side::kA);
    const Selection& selection = session_.selection();
    const int query = selection.query(), key = selection.key();
    const bool locked = maps && query >= 0 && key >= 0 && query < maps->length && key <= query && !model_.longText();
    const auto scores = locked ? model_.term(Side::kA, selection.layer(), selection.head(), "scores") : nullptr;
    const auto content = locked ? model_.term(Side::kA, selection.layer(), selection.head(), "content") : nullptr;
    whySection_->setVisible(scores != nullptr);
    if (!scores) return;
    const MatrixData s = scores->matrix(selection.layer(), selection.head());
    double sum = 0;
    const std::vector<double> e = exponentials(s, query, sum);
    double highest = -std::numeric_limits<double>::infinity();
    for (int each = 0; each <= query; ++each)
        highest = std::max(highest, s.at(query, each));
    const double scale = std::exp(std::min(highest, 600.0));
    const auto at = static_cast<std::size_t>(key);
    QStringList lines;
    lines << tr("w = e^s / Σ e^s over keys 0–%1").arg(query);
    lines << tr("s = %1").arg(displayNumber(s.at(query, key), 5));
    lines << QStringLiteral("= %1 / %2").arg(displayNumber(e[at] * scale, 4), displayNumber(sum * scale, 5));
    lines << QStringLiteral("= %1").arg(displayNumber(e[at] / sum, 5));
    if (content) {
        double total = 0;
        const std::vector<double> alone =
            exponentials(content->matrix(selection.layer(), selection.head()), query, total);
        if (std::abs(alone[at] / total - e[at] / sum) > 1e-7)
            lines << tr("without the bias: %1").arg(displayNumber(alone[at] / total, 4));
    }
    why_->setText(lines.join('\n'));
}

}  // namespace sextant
