#include "widgets/report/report_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/tensor_file/npy.h"
#include "core/tensor_file/safetensors.h"
#include "widgets/models/attention_model.h"
#include "widgets/models/position_view.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/position_plots.h"
#include "widgets/plots/qcp.h"
#include "widgets/report/report_text.h"

namespace sextant {

namespace {

// Several charts side by side, or one above the other where a column is narrow.
class Panels : public FigureSource {
  public:
    std::vector<const FigureSource*> parts;
    void paintFigure(QCPPainter& painter, const QSizeF& size, const PlotStyle& style) const override {
        const auto count = static_cast<double>(std::max<std::size_t>(parts.size(), 1));
        const bool wide = size.width() >= kStackBelow * kFigureUnitsPerInch;
        const QSizeF each =
            wide ? QSizeF(size.width() / count, size.height()) : QSizeF(size.width(), size.height() / count);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            painter.save();
            const auto at = static_cast<double>(i);
            painter.translate(wide ? std::round(each.width() * at) : 0.0, wide ? 0.0 : std::round(each.height() * at));
            parts[i]->paintFigure(painter, each, style);
            painter.restore();
        }
    }
    static constexpr double kStackBelow = 4.5;  // inches
};

// Owns widgets that are never shown.
struct Widgets {
    std::vector<std::unique_ptr<QWidget>> list;
    Panels panels;
    template <typename Widget>
    Widget* add() {
        auto made = std::make_unique<Widget>();
        Widget* widget = made.get();
        list.push_back(std::move(made));
        return widget;
    }
};

std::vector<const ReportArm*> armsOf(const FigureRequest& request, const ReportModel& report) {
    std::vector<const ReportArm*> arms;
    for (const ReportArm& arm : report.arms) {
        if (request.arms.isEmpty() || request.arms.contains(fromCore(arm.name))) arms.push_back(&arm);
    }
    return arms;
}

int slotOf(const ReportModel& report, const ReportArm& arm) {
    return static_cast<int>(&arm - report.arms.data());
}

CurveSeries lineOf(const ReportModel& report, const ReportArm& arm, Aggregate mean, BandKind band) {
    CurveSeries line;
    line.id = line.name = fromCore(arm.name);
    line.slot = slotOf(report, arm);
    line.baseline = arm.baseline;
    for (const std::int32_t n : mean.n)
        line.n = std::max(line.n, static_cast<int>(n));
    line.x = sharedValues(std::move(mean.x));
    line.y = sharedValues(std::move(mean.mean));
    if (band != BandKind::kNone && line.n > 1) {
        line.low = sharedValues(std::move(mean.low));
        line.high = sharedValues(std::move(mean.high));
    }
    return line;
}

// "mean of 6 seeds, band 95 % t interval"; with the number of each arm where they differ.
QString seedsText(const std::vector<CurveSeries>& series, BandKind band) {
    int least = 0, most = 0;
    QStringList each;
    for (const CurveSeries& line : series) {
        least = each.isEmpty() ? line.n : std::min(least, line.n);
        most = std::max(most, line.n);
        each << line.name + QStringLiteral(": ") + QString::number(line.n);
    }
    if (most <= 1)
        return ReportTr::tr("One seed for each variant, so nothing says how much another seed would differ.");
    const QString counts = least == most ? QString::number(most) : each.join(QStringLiteral(", "));
    return band == BandKind::kNone
               ? ReportTr::tr("Mean over seeds (n = %1).").arg(counts)
               : ReportTr::tr("Mean over seeds (n = %1); band: %2.").arg(counts, reportText(band_name(band)));
}

QString divergedText(const ReportModel& report, const FigureRequest& request) {
    QStringList parts;
    for (const ReportRun& run : report.runs) {
        if (run.state != "diverged" && run.state != "failed") continue;
        if (!request.arms.isEmpty() && !request.arms.contains(fromCore(run.arm))) continue;
        parts << filledText(ReportTr::tr("%1, seed %2: %3"),
                            {fromCore(run.arm), QString::number(run.seed), statusWords(run.status)});
    }
    return parts.isEmpty() ? QString()
                           : ReportTr::tr("Ended early and left out from there on: %1.").arg(parts.join("; "));
}

QString joined(std::initializer_list<QString> sentences) {
    QStringList kept;
    for (const QString& sentence : sentences)
        if (!sentence.isEmpty()) kept << sentence;
    return kept.join(QLatin1Char(' '));
}

Error nothing(const FigureRequest& request, const std::string& why) {
    return data_error("there is nothing to draw for a figure of kind " + request.kind.toStdString() + ": " + why);
}

void takePlots(ReportFigure& figure, const std::shared_ptr<Widgets>& widgets, const std::vector<CurvePlot*>& plots) {
    figure.plots = plots;
    for (CurvePlot* plot : plots)
        widgets->panels.parts.push_back(plot);
    figure.owned = widgets;
    figure.source = std::shared_ptr<const FigureSource>(
        widgets, plots.size() == 1 ? static_cast<const FigureSource*>(plots.front()) : &widgets->panels);
}

Result<ReportFigure> lossFigure(const FigureRequest& request, const ReportModel& report) {
    // A curve needs points, and of every run: one that diverged before its first validation must not be missing.
    const bool validated = std::all_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
        return run.steps.empty() || run.validations.size() >= (run.state == "diverged" ? 1U : 4U) ||
               (run.state != "completed" && run.validations.size() >= 2);
    });
    double begin = 0.0, lowest = std::numeric_limits<double>::infinity(), longest = 0.0;
    const auto widgets = std::make_shared<Widgets>();
    auto* plot = widgets->add<CurvePlot>();
    std::vector<CurveSeries> series;
    for (const ReportArm* arm : armsOf(request, report)) {
        std::vector<std::vector<double>> xs, ys;
        for (const ReportRun& run : report.runs) {
            if (run.arm != arm->name) continue;
            std::vector<double> x, y;
            if (validated) {
                for (const ValidationPoint& point : run.validations) {
                    x.push_back(static_cast<double>(point.step));
                    y.push_back(point.loss);
                }
            } else {
                for (const StepPoint& point : run.steps) {
                    x.push_back(static_cast<double>(point.step));
                    y.push_back(point.loss);
                }
            }
            // A run that diverged ends in a value that is no number, so that the strip of NaN marks where.
            if (run.state == "diverged" && !x.empty() && std::isfinite(y.back())) {
                x.push_back(
                    std::max(x.back() + 1, run.steps.empty() ? 0.0 : static_cast<double>(run.steps.back().step)));
                y.push_back(std::nan(""));
            }
            if (x.empty()) continue;
            if (std::isfinite(y.front())) begin = std::max(begin, y.front());
            longest = std::max(longest, x.back());
            for (const double value : y)
                if (std::isfinite(value)) lowest = std::min(lowest, value);
            xs.push_back(std::move(x));
            ys.push_back(std::move(y));
        }
        if (xs.empty()) continue;
        std::vector<SeedCurve> curves;
        for (std::size_t i = 0; i < xs.size(); ++i)
            curves.push_back({xs[i], ys[i]});
        if (curves.size() == 1) {  // as it is, its NaN included
            Aggregate one;
            one.x = xs[0];
            one.mean = ys[0];
            one.n.assign(xs[0].size(), 1);
            series.push_back(lineOf(report, *arm, std::move(one), BandKind::kNone));
        } else {
            series.push_back(lineOf(report, *arm, aggregate(curves, request.band), request.band));
        }
    }
    if (series.empty()) return nothing(request, "no run has a recorded step");
    AxisOptions x;
    x.name = ReportTr::tr("step");
    AxisOptions y;
    y.name = validated ? ReportTr::tr("validation loss, nats a token") : ReportTr::tr("training loss, nats a token");
    // A run on its way to infinity must not press the others flat; its strip of NaN says where it ended.
    const bool diverged = std::any_of(report.runs.begin(), report.runs.end(),
                                      [](const ReportRun& run) { return run.state == "diverged"; });
    if (diverged && lowest < begin) y.range = Range{lowest - 0.05 * (begin - lowest), begin + 0.1 * (begin - lowest)};
    if (!validated) {
        for (CurveSeries& line : series)
            line.halfLife = longest / 50.0;
    }
    plot->setXAxis(x);
    plot->setYAxis(y);
    ReportFigure figure;
    figure.title = validated ? ReportTr::tr("Validation loss during training") : ReportTr::tr("Training loss");
    const QString seeds = seedsText(series, request.band);
    plot->setSeries(std::move(series));
    figure.caption =
        joined({validated ? ReportTr::tr("Loss on the validation text against training steps; lower is better.")
                          : ReportTr::tr("Loss of each training batch against steps; lower is better."),
                seeds, divergedText(report, request)});
    takePlots(figure, widgets, {plot});
    return figure;
}

struct Protocol {
    std::string mode;
    std::int64_t stride = 0, targets = 0;
};

Result<ReportFigure> lengthFigure(const FigureRequest& request, const ReportModel& report) {
    // mode, arm, length: losses of the seeds.
    std::vector<Protocol> modes;
    std::map<std::string, std::map<std::string, std::map<std::int64_t, std::vector<double>>>> losses;
    std::vector<std::int64_t> lengths;
    QStringList missing;
    for (const ReportRun& run : report.runs) {
        for (const EvaluationEvent& e : run.evaluations) {
            if (e.metric != "loss") continue;
            if (std::find(lengths.begin(), lengths.end(), e.length) == lengths.end()) lengths.push_back(e.length);
            if (!std::isfinite(e.value)) {
                const QString why = filledText(ReportTr::tr("%1 at %2: %3"),
                                               {fromCore(run.arm), QString::number(e.length),
                                                e.reason.empty() ? ReportTr::tr("not finite") : statusWords(e.reason)});
                if (!missing.contains(why)) missing << why;
                continue;
            }
            const auto known = std::find_if(modes.begin(), modes.end(),
                                            [&](const Protocol& protocol) { return protocol.mode == e.mode; });
            if (known == modes.end()) modes.push_back({e.mode, e.stride, e.targets});
            losses[e.mode][run.arm][e.length].push_back(e.value);
        }
    }
    std::sort(lengths.begin(), lengths.end());
    std::sort(modes.begin(), modes.end(), [](const Protocol& a, const Protocol& b) { return a.mode < b.mode; });
    if (modes.empty()) return nothing(request, "no run was evaluated by length");
    const auto widgets = std::make_shared<Widgets>();
    std::vector<CurvePlot*> plots;
    QStringList protocols;
    QString seeds;
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::vector<std::vector<CurveSeries>> all;
    for (const Protocol& protocol : modes) {
        std::vector<CurveSeries> series;
        for (const ReportArm* arm : armsOf(request, report)) {
            const auto& values = losses[protocol.mode][arm->name];
            if (values.empty()) continue;
            Aggregate mean;
            for (const auto& [length, losses_at] : values) {
                const Summary summary = summarise(losses_at, request.band);
                mean.x.push_back(static_cast<double>(length));
                mean.n.push_back(summary.n);
                mean.mean.push_back(std::exp(summary.mean));
                mean.low.push_back(std::exp(summary.low));
                mean.high.push_back(std::exp(summary.high));
                for (const double value : {mean.mean.back(), mean.low.back(), mean.high.back()}) {
                    if (!std::isfinite(value)) continue;
                    range.first = std::min(range.first, value);
                    range.second = std::max(range.second, value);
                }
            }
            series.push_back(lineOf(report, *arm, std::move(mean), request.band));
            series.back().markers = true;
        }
        if (!series.empty()) seeds = seedsText(series, request.band);
        QString words = protocol.mode == "non-overlapping"
                            ? ReportTr::tr("non-overlapping windows (context grows from 0 inside a window)")
                            : ReportTr::tr("%1, stride %2").arg(modeWords(protocol.mode)).arg(protocol.stride);
        words += ReportTr::tr(", N = %1 targets").arg(fromCore(grouped(protocol.targets)));
        if (protocol.targets < kFullTargets) words += QLatin1Char(' ') + ReportTr::tr("(small N)");
        protocols << words;
        all.push_back(std::move(series));
    }
    for (std::size_t i = 0; i < modes.size(); ++i) {
        auto* plot = widgets->add<CurvePlot>();
        AxisOptions x;
        x.name = ReportTr::tr("evaluation length, tokens (log)");
        x.kind = AxisKind::kLog2;
        for (const std::int64_t length : lengths)
            x.fixedTicks.emplace_back(static_cast<double>(length), QString::number(length));
        plot->setXAxis(x);
        AxisOptions y;
        y.kind = AxisKind::kLog;
        y.name = ReportTr::tr("perplexity (log), %1").arg(modeWords(modes[i].mode));
        if (std::isfinite(range.first)) y.range = Range{range.first / 1.08, range.second * 1.08};  // one for all modes
        plot->setYAxis(y);
        plot->setLines({{Qt::Vertical, static_cast<double>(report.experiment.model.context_length),
                         ReportTr::tr("trained %1").arg(report.experiment.model.context_length), false}});
        plot->setSeries(std::move(all[i]));
        plots.push_back(plot);
    }
    ReportFigure figure;
    figure.title = ReportTr::tr("Perplexity by evaluation length");
    figure.caption = joined(
        {ReportTr::tr(
             "Perplexity on the test text when the model reads longer inputs than it was trained on; lower is "
             "better. The vertical line is the training length. The same targets are scored at every length: %1.")
             .arg(protocols.join(QStringLiteral("; "))),
         seeds, missing.isEmpty() ? QString() : ReportTr::tr("No value: %1.").arg(missing.join(QStringLiteral("; ")))});
    takePlots(figure, widgets, plots);
    return figure;
}

Result<ReportFigure> positionLossFigure(const FigureRequest& request, const ReportModel& report) {
    const auto widgets = std::make_shared<Widgets>();
    auto* plot = widgets->add<CurvePlot>();
    std::vector<CurveSeries> series;
    std::int64_t longest = 0, targets = 0;
    for (const ReportRun& run : report.runs) {
        for (const EvaluationEvent& e : run.evaluations) {
            if (e.metric != "position_loss" || e.values.empty() || e.length < longest) continue;
            longest = e.length;
            targets = e.targets;
        }
    }
    std::string mode;
    for (const ReportArm* arm : armsOf(request, report)) {
        std::vector<double> x;
        std::vector<SeedCurve> curves;
        for (const ReportRun& run : report.runs) {
            if (run.arm != arm->name) continue;
            for (const EvaluationEvent& e : run.evaluations) {
                if (e.metric != "position_loss" || e.values.empty() || e.length != longest) continue;
                if (!mode.empty() && e.mode != mode) continue;
                mode = e.mode;
                if (x.empty())
                    for (std::size_t i = 0; i < e.values.size(); ++i)
                        x.push_back(static_cast<double>(i));
                curves.push_back({std::span<const double>(x).first(std::min(x.size(), e.values.size())), e.values});
            }
        }
        if (curves.empty()) continue;
        CurveSeries line = lineOf(report, *arm, aggregate(curves, BandKind::kNone), BandKind::kNone);
        line.halfLife = std::max(2.0, static_cast<double>(longest) / 64.0);
        series.push_back(std::move(line));
    }
    if (series.empty()) return nothing(request, "no run recorded its loss by position (evaluation.by_position)");
    AxisOptions x;
    x.name = ReportTr::tr("position in the window, tokens");
    AxisOptions y;
    y.name = ReportTr::tr("loss, nats a token");
    y.outlierTail = 0.002;
    plot->setXAxis(x);
    plot->setYAxis(y);
    const std::int64_t trained = report.experiment.model.context_length;
    if (longest > trained)
        plot->setLines({{Qt::Vertical, static_cast<double>(trained), ReportTr::tr("trained %1").arg(trained), false}});
    const double half = series.front().halfLife;
    const QString seeds = seedsText(series, BandKind::kNone);
    plot->setSeries(std::move(series));
    ReportFigure figure;
    figure.title = ReportTr::tr("Loss by position");
    figure.caption =
        joined({ReportTr::tr("Loss at each position of windows of %1 tokens (%2, N = %3 targets); right of the "
                             "line are positions that training never showed. Faint: each position; strong: "
                             "moving average with a half-life of %4 positions.")
                    .arg(longest)
                    .arg(modeWords(mode), fromCore(grouped(targets)))
                    .arg(half, 0, 'g', 3),
                seeds});
    takePlots(figure, widgets, {plot});
    return figure;
}

enum class Trait { kBias, kRotation, kTable };

struct Chosen {
    const ArmConfig* arm = nullptr;
    PositionView view;
};

Result<Chosen> encodingOf(const FigureRequest& request, const ReportModel& report, Trait trait) {
    for (const ReportArm& shown : report.arms) {
        if (!request.arm.isEmpty() && fromCore(shown.name) != request.arm) continue;
        const Experiment& experiment = report.experiment;
        const ArmConfig* arm = &experiment.baseline;
        for (const ArmConfig& variant : experiment.variants)
            if (variant.name == shown.name) arm = &variant;
        const EncodingConfig& encoding = arm->evaluation_encoding ? *arm->evaluation_encoding : arm->encoding;
        PositionRequest asked;
        asked.encoding = encoding;
        asked.site = experiment.model_of(*arm).encoding_site();
        asked.matrix = std::min<std::int64_t>(asked.site.context_length, 128);
        asked.length = std::max<std::int64_t>(
            asked.site.context_length,
            experiment.evaluation.lengths.empty()
                ? 0
                : *std::max_element(experiment.evaluation.lengths.begin(), experiment.evaluation.lengths.end()));
        PositionView view = positionView(asked);
        if (!view.ok()) continue;
        const bool has = trait == Trait::kBias       ? view.hasBias()
                         : trait == Trait::kRotation ? view.hasRotation()
                                                     : view.hasTable();
        if (has) return Chosen{arm, std::move(view)};
    }
    return nothing(request, request.arm.isEmpty() ? "no arm has such an encoding"
                                                  : "arm '" + request.arm.toStdString() + "' has no such encoding");
}

QString learnedNote(const PositionView& view) {
    return view.untrained ? ReportTr::tr("The values are those before training; training changes them.") : QString();
}

Result<ReportFigure> biasFigure(const FigureRequest& request, const ReportModel& report) {
    SEXTANT_TRY(chosen, encodingOf(request, report, Trait::kBias));
    const PositionView& view = chosen.view;
    const auto widgets = std::make_shared<Widgets>();
    auto* grid = widgets->add<HeatmapGrid>();
    BiasData data;
    const auto side = view.biases.empty() ? 0 : view.biases.front().rows();
    data.values = Array({static_cast<std::int64_t>(view.biases.size()), side, side});
    data.values.values.clear();
    ReportFigure figure;
    bool straight = true;
    for (const HeadBias& head : view.heads)
        straight = straight && head.slope.has_value();
    for (std::size_t head = 0; head < view.biases.size(); ++head) {
        data.values.values.insert(data.values.values.end(), view.biases[head].values().begin(),
                                  view.biases[head].values().end());
        if (straight) data.slopes.push_back(*view.heads[head].slope);
        MatrixData one = MatrixData::of(side, side, view.biases[head].values());
        figure.matrices.emplace_back(QStringLiteral("head-%1").arg(head + 1), one.setCausal());
    }
    showBias(*grid, data);
    figure.title = ReportTr::tr("What %1 adds to the attention scores").arg(fromCore(chosen.arm->name));
    figure.caption =
        joined({ReportTr::tr("Number added to the score of a query (down) and a key (across) before the "
                             "softmax, for each head; %1 on the shared scale. Hatched: the future, which is "
                             "masked. Dashed: the distance at which the bias alone halves a weight.")
                    .arg(fromCore(chosen.view.spec.name)),
                learnedNote(view)});
    figure.ratio = 0.55;
    figure.owned = widgets;
    figure.source = std::shared_ptr<const FigureSource>(widgets, grid);
    return figure;
}

Result<ReportFigure> slopesFigure(const FigureRequest& request, const ReportModel& report) {
    SEXTANT_TRY(chosen, encodingOf(request, report, Trait::kBias));
    const auto widgets = std::make_shared<Widgets>();
    auto* plot = widgets->add<CurvePlot>();
    CurveSeries line;
    std::vector<double> x, y;
    for (std::size_t head = 0; head < chosen.view.heads.size(); ++head) {
        if (!chosen.view.heads[head].slope) continue;
        x.push_back(static_cast<double>(head + 1));
        y.push_back(*chosen.view.heads[head].slope);
    }
    if (x.empty()) return nothing(request, "its biases are no straight lines, so there are no slopes");
    AxisOptions xAxis;
    xAxis.name = ReportTr::tr("head");
    for (const double head : x)
        if (x.size() <= 16) xAxis.fixedTicks.emplace_back(head, QString::number(head));
    AxisOptions yAxis;
    yAxis.name = ReportTr::tr("slope m (log)");
    yAxis.kind = AxisKind::kLog;
    if (x.size() <= 8)
        for (const double slope : y)
            yAxis.fixedTicks.emplace_back(slope, slopeText(slope));
    line.id = QStringLiteral("slopes");
    line.name = fromCore(chosen.arm->name);
    line.slot = 1;
    for (std::size_t i = 0; i < report.arms.size(); ++i)
        if (report.arms[i].name == chosen.arm->name) line.slot = static_cast<int>(i);
    line.x = sharedValues(std::move(x));
    line.y = sharedValues(std::move(y));
    line.markers = true;
    line.labelled = false;
    plot->setXAxis(xAxis);
    plot->setYAxis(yAxis);
    plot->setSeries({std::move(line)});
    ReportFigure figure;
    figure.title = ReportTr::tr("Slopes of %1").arg(fromCore(chosen.arm->name));
    figure.caption = ReportTr::tr(
        "A head of slope m adds -m times the distance to each score: steep heads look at near "
        "tokens, flat ones far back.");
    takePlots(figure, widgets, {plot});
    return figure;
}

Result<ReportFigure> rotationFigure(const FigureRequest& request, const ReportModel& report) {
    SEXTANT_TRY(chosen, encodingOf(request, report, Trait::kRotation));
    const auto widgets = std::make_shared<Widgets>();
    auto* plot = widgets->add<CurvePlot>();
    ReportFigure figure;
    const PositionView& view = chosen.view;
    if (request.kind == QLatin1String("rope-phase")) {
        PhaseData data;
        data.inverseFrequencies = view.inverseFrequencies;
        data.trainingLength = static_cast<double>(view.trainingLength);
        data.length = static_cast<double>(view.length);
        showPhases(*plot, data);
        figure.title = ReportTr::tr("How far %1 turns each pair of channels").arg(fromCore(chosen.arm->name));
        figure.caption = ReportTr::tr(
                             "Angle of each pair of channels against position, in full turns, both logarithmic. "
                             "Vertical line: the training length %1. Dashed pairs (%2 of %3) never complete a turn "
                             "in training, so longer inputs show them angles they have never seen.")
                             .arg(view.trainingLength)
                             .arg(view.neverTurn())
                             .arg(view.inverseFrequencies.size());
    } else {
        if (view.decay.empty()) return nothing(request, "the bound over distance has no meaning for such an encoding");
        showDecay(*plot, {{fromCore(chosen.arm->name), view.decay, 0, false}},
                  static_cast<double>(view.trainingLength));
        figure.title = ReportTr::tr("Upper bound of the score by distance, %1").arg(fromCore(chosen.arm->name));
        figure.caption = ReportTr::tr(
                             "Relative upper bound of the score of a rotated query and key against their distance "
                             "(RoFormer, section 3.4.3). Vertical line: the training length %1.")
                             .arg(view.trainingLength);
    }
    takePlots(figure, widgets, {plot});
    return figure;
}

Result<ReportFigure> tableFigure(const FigureRequest& request, const ReportModel& report) {
    SEXTANT_TRY(chosen, encodingOf(request, report, Trait::kTable));
    const PositionView& view = chosen.view;
    const auto widgets = std::make_shared<Widgets>();
    auto* matrix = widgets->add<HeatmapView>();
    MatrixLook look = MatrixLook::diverging(1.0);
    look.valueName = ReportTr::tr("cosine");
    matrix->setLook(look);
    matrix->setRangeMode(RangeMode::kGiven);
    matrix->setAxisNames(ReportTr::tr("position"), ReportTr::tr("position"));
    const MatrixData data = MatrixData::of(view.similarity.rows(), view.similarity.columns(), view.similarity.values());
    matrix->setMatrix(data);
    ReportFigure figure;
    figure.title = ReportTr::tr("Similarity of positions, %1").arg(fromCore(chosen.arm->name));
    figure.caption =
        joined({ReportTr::tr("Cosine between the vectors that are added to the tokens at two positions: 1 on the "
                             "diagonal, near 0 where two positions look unrelated."),
                learnedNote(view)});
    figure.ratio = 0.55;
    figure.matrices.emplace_back(QStringLiteral("similarity"), data);
    figure.owned = widgets;
    figure.source = std::shared_ptr<const FigureSource>(widgets, matrix);
    return figure;
}

Result<ReportFigure> attentionFigure(const FigureRequest& request, const ReportModel& report,
                                     const AttentionMapsOf* maps) {
    if (maps == nullptr || maps->values.empty())
        return nothing(request,
                       "no attention was computed (no run has a stored checkpoint, or the probe text is empty)");
    const auto widgets = std::make_shared<Widgets>();
    ReportFigure figure;
    figure.owned = widgets;
    figure.ratio = 0.55;
    QString arm;
    qint64 seed = 0;
    for (const ReportRun& run : report.runs) {
        if (!maps->model.endsWith(fromCore(run.folder)) && !maps->model.contains(fromCore(run.folder) + '/')) continue;
        arm = fromCore(run.arm);
        seed = run.seed;
    }
    const QString who = filledText(ReportTr::tr("%1, seed %2"), {arm, QString::number(seed)});
    const QString words = ReportTr::tr(
                              "Weight that each token (row) gives to earlier tokens (columns) of the probe text, %1 "
                              "tokens, in the trained model of %2; every row sums to 1. Hatched: the future.")
                              .arg(maps->length)
                              .arg(who);
    if (request.kind == QLatin1String("attention")) {
        if (maps->index(request.layer, request.head) < 0)
            return usage_error("the model has no layer " + std::to_string(request.layer) + ", head " +
                               std::to_string(request.head));
        auto* matrix = widgets->add<HeatmapView>();
        MatrixLook look;
        look.valueName = ReportTr::tr("weight");
        const MatrixData data = maps->matrix(request.layer, request.head);
        look.range = {0.0, std::max(statistics(data, 0.005).highQuantile, 1e-6)};
        matrix->setLook(look);
        matrix->setRangeMode(RangeMode::kGiven);
        matrix->setAxisNames(ReportTr::tr("query"), ReportTr::tr("key"));
        matrix->setTokens(maps->tokens, maps->tokens);
        matrix->setMatrix(data);
        figure.title =
            ReportTr::tr("Attention, layer %1 head %2, %3").arg(request.layer + 1).arg(request.head + 1).arg(who);
        figure.caption = words;
        figure.matrices.emplace_back(QStringLiteral("layer-%1-head-%2").arg(request.layer + 1).arg(request.head + 1),
                                     data);
        figure.source = std::shared_ptr<const FigureSource>(widgets, matrix);
        return figure;
    }
    auto* grid = widgets->add<HeatmapGrid>();
    std::vector<GridCell> cells;
    double highest = 0.0;
    for (std::size_t layer = 0; layer < maps->layers.size(); ++layer) {
        for (std::size_t head = 0; head < maps->heads.size(); ++head) {
            if (cells.size() >= 64) break;
            GridCell cell;
            cell.matrix = maps->matrix(static_cast<int>(layer), static_cast<int>(head));
            figure.matrices.emplace_back(QStringLiteral("layer-%1-head-%2").arg(layer + 1).arg(head + 1), cell.matrix);
            highest = std::max(highest, statistics(cell.matrix, 0.01).highQuantile);
            cell.title = ReportTr::tr("layer %1, head %2").arg(layer + 1).arg(head + 1);
            if (maps->heads.size() > 4) cell.title = QStringLiteral("%1.%2").arg(layer + 1).arg(head + 1);
            cell.layer = static_cast<int>(layer);
            cell.head = static_cast<int>(head);
            cells.push_back(std::move(cell));
        }
    }
    GridOptions options;
    options.look.range = {0.0, std::max(highest, 1e-6)};
    options.look.valueName = ReportTr::tr("weight");
    options.look.rangeLocked = true;
    options.columns = static_cast<int>(maps->heads.size() <= 8 ? maps->heads.size() : 0);
    grid->setCells(std::move(cells), options);
    figure.title = ReportTr::tr("Attention of all heads, %1").arg(who);
    figure.caption = words;
    const auto rows = static_cast<double>(maps->layers.size());
    const auto columns = static_cast<double>(std::max<std::size_t>(maps->heads.size(), 1));
    figure.ratio = std::clamp(rows / columns * 0.9 + 0.05, 0.3, 1.1);
    figure.source = std::shared_ptr<const FigureSource>(widgets, grid);
    return figure;
}

}  // namespace

const QStringList& figureKinds() {
    static const QStringList kKinds{
        "loss",       "extrapolation", "attention",     "alibi-bias",      "rope-phase",
        "rope-decay", "slopes",        "position-loss", "attention-heads", "position-table"};
    return kKinds;
}

const ReportRun* attentionRun(const ReportModel& report, const QString& arm) {
    const ReportRun* found = nullptr;
    for (const ReportRun& run : report.runs) {
        if (!run.checkpoint || (!arm.isEmpty() && fromCore(run.arm) != arm)) continue;
        if (found == nullptr || (run.arm == found->arm && run.seed < found->seed)) found = &run;
    }
    return found;
}

Result<ReportFigure> makeFigure(const FigureRequest& request, const ReportModel& report,
                                const AttentionMapsOf* attention) {
    QStringList asked = request.arms;
    asked << request.arm;
    for (const QString& arm : asked) {
        if (arm.isEmpty()) continue;
        std::string names;
        bool known = false;
        for (const ReportArm& each : report.arms) {
            known = known || fromCore(each.name) == arm;
            names += (names.empty() ? "" : ", ") + single_line(each.name, 60);
        }
        if (!known)
            return usage_error("there is no arm '" + single_line(arm.toStdString(), 60) + "'; arms are " + names);
    }
    Result<ReportFigure> made = [&]() -> Result<ReportFigure> {
        if (request.kind == QLatin1String("loss")) return lossFigure(request, report);
        if (request.kind == QLatin1String("extrapolation")) return lengthFigure(request, report);
        if (request.kind == QLatin1String("position-loss")) return positionLossFigure(request, report);
        if (request.kind == QLatin1String("alibi-bias")) return biasFigure(request, report);
        if (request.kind == QLatin1String("slopes")) return slopesFigure(request, report);
        if (request.kind == QLatin1String("rope-phase") || request.kind == QLatin1String("rope-decay"))
            return rotationFigure(request, report);
        if (request.kind == QLatin1String("position-table")) return tableFigure(request, report);
        if (request.kind.startsWith(QLatin1String("attention"))) return attentionFigure(request, report, attention);
        return usage_error("--figure: no kind '" + request.kind.toStdString() + "'; kinds are " +
                           figureKinds().join(", ").toStdString());
    }();
    if (!made.ok()) return made;
    made->kind = request.kind;
    QString numbers;
    for (const CurvePlot* plot : made->plots)
        numbers += (numbers.isEmpty() ? QString() : QStringLiteral(" ")) + plot->summary();
    made->alternative = numbers.isEmpty() ? made->title + QStringLiteral(". ") + made->caption
                                          : made->title + QStringLiteral(". ") + numbers;
    return made;
}

QByteArray ReportFigure::csv(const FigureOptions& options, char separator) const {
    QByteArray out;
    for (const CurvePlot* plot : plots) {
        if (plots.size() > 1) out += "# " + plot->yAxis().name.toUtf8() + '\n';
        out += curvesCsv(*plot, out.isEmpty() || plots.size() == 1 || plot == plots.front() ? options : FigureOptions{},
                         separator);
    }
    for (const auto& [name, matrix] : matrices) {
        if (matrices.size() > 1) out += "# " + name.toUtf8() + '\n';
        out += matrixCsv(matrix, &matrix == &matrices.front().second ? options : FigureOptions{}, separator);
    }
    return out;
}

QByteArray ReportFigure::pgf(const FigureOptions& options) const {
    QByteArray out = "% " + caption.toUtf8().replace('\n', ' ') + '\n';
    if (!matrices.empty()) return out + matricesPgf(matrices, options);
    for (const CurvePlot* plot : plots) {
        FigureOptions each = options;
        if (plots.size() > 1) each.width = options.width / static_cast<double>(plots.size()) - 0.02;
        out += curvesPgf(*plot, each);
    }
    return out;
}

namespace {

std::vector<double> valuesOf(const MatrixData& matrix) {  // masked cells are minus infinity
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(matrix.rows() * matrix.columns()));
    for (std::int64_t row = 0; row < matrix.rows(); ++row)
        for (std::int64_t column = 0; column < matrix.columns(); ++column)
            values.push_back(matrix.masked(row, column) ? -std::numeric_limits<double>::infinity()
                                                        : matrix.at(row, column));
    return values;
}

}  // namespace

QByteArray ReportFigure::npy() const {
    if (matrices.empty()) return {};
    std::vector<double> values;
    for (const auto& [name, matrix] : matrices) {
        const std::vector<double> one = valuesOf(matrix);
        values.insert(values.end(), one.begin(), one.end());
    }
    return QByteArray::fromStdString(npy_bytes(
        std::span<const double>(values), {static_cast<std::int64_t>(matrices.size()), matrices.front().second.rows(),
                                          matrices.front().second.columns()}));
}

Result<QByteArray> ReportFigure::safetensors() const {
    std::vector<std::vector<double>> values;
    std::vector<TensorView> tensors;
    std::set<std::string> taken{"__metadata__"};
    values.reserve(matrices.size());
    for (const auto& [name, matrix] : matrices) {
        values.push_back(valuesOf(matrix));
        std::string tensor = name.toStdString();
        for (int n = 2; tensor.empty() || !taken.insert(tensor).second; ++n)
            tensor = name.toStdString() + " " + std::to_string(n);
        tensors.push_back({tensor, {matrix.rows(), matrix.columns()}, std::span<const double>(values.back())});
    }
    SEXTANT_TRY(bytes,
                safetensors_bytes(tensors, {{"figure", kind.toStdString()}, {"caption", caption.toStdString()}}));
    return QByteArray::fromStdString(bytes);
}

}  // namespace sextant
