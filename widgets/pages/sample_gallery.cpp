#include "widgets/pages/sample_gallery.h"

#include <QFile>
#include <QGridLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "widgets/controls/card.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/position_view.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {

constexpr std::int64_t kLength = 64;
constexpr std::int64_t kPositions = 160;

EncodingSite smallSite() {
    EncodingSite site;
    site.n_head = 8;
    site.head_dim = 64;
    site.d_model = site.n_head * site.head_dim;
    site.context_length = kLength;
    return site;
}

PositionView viewOf(const char* id, std::int64_t length) {
    PositionRequest request;
    request.encoding.id = id;
    request.site = smallSite();
    request.length = length;
    request.matrix = kLength;
    return positionView(request);
}

// Perplexity by length of the sample's arms, from the tables inside the program: mean of seeds and its 95 % t interval.
std::vector<CurveSeries> sampleLengths(int* seeds) {
    std::vector<CurveSeries> series;
    const auto add = [&](const nlohmann::json& rows, const char* side, const QString& name) {
        CurveSeries line;
        line.id = line.name = name;
        line.slot = static_cast<int>(series.size());
        line.baseline = series.empty();
        line.markers = true;
        std::vector<double> x, y, low, high;
        for (const nlohmann::json& row : rows) {
            if (row.value("mode", "") != "non-overlapping" || !row.at(side).at("loss").is_number()) continue;
            const double n = row.at(side).at("n").get<double>();
            const double loss = row.at(side).at("loss").get<double>();
            const double half =
                n > 1 ? student_t(0.95, n - 1) * row.at(side).at("sd").get<double>() / std::sqrt(n) : 0.0;
            *seeds = std::max(*seeds, static_cast<int>(n));
            x.push_back(row.at("length").get<double>());
            y.push_back(std::exp(loss));
            low.push_back(std::exp(loss - half));
            high.push_back(std::exp(loss + half));
        }
        line.x = sharedValues(std::move(x));
        line.y = sharedValues(std::move(y));
        line.low = sharedValues(std::move(low));
        line.high = sharedValues(std::move(high));
        series.push_back(std::move(line));
    };
    for (const char* variant : {"alibi", "sinusoidal"}) {
        QFile file(QStringLiteral(":/sample/artifacts/%1.json").arg(QLatin1String(variant)));
        if (!file.open(QIODevice::ReadOnly)) return {};
        const nlohmann::json artifact = nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
        if (!artifact.is_object() || !artifact.contains("extrapolation")) return {};
        const nlohmann::json& rows = artifact.at("extrapolation").at("rows");
        if (series.empty())
            add(rows, "baseline", QString::fromStdString(artifact.at("baseline").value("name", std::string())));
        add(rows, "method", QLatin1String(variant));
    }
    return series;
}

}  // namespace

SampleGallery::SampleGallery(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(scaled(12));
    int seeds = 0;
    std::vector<CurveSeries> sample = sampleLengths(&seeds);
    const bool real = !sample.empty();
    grid->addWidget(new QuietLabel(real ? tr("In the sample project") : tr("What position encodings do"),
                                   TextRole::kSection, QuietLabel::Ink::kText),
                    0, 0, 1, 2);
    auto* plot = new CurvePlot;
    plot->setInteractive(false);
    Card* plotCard = nullptr;
    if (real) {
        plot->setAccessibleName(tr("Perplexity against evaluation length"));
        AxisOptions x;
        x.name = tr("evaluation length, tokens (log)");
        x.kind = AxisKind::kLog2;
        AxisOptions y;
        y.name = tr("perplexity (log)");
        y.kind = AxisKind::kLog;
        plot->setXAxis(x);
        plot->setYAxis(y);
        plot->setEndValues(true, 3);
        plot->setLines({{Qt::Vertical, 64.0, tr("trained at 64"), false}});
        plot->setSeries(std::move(sample));
        plotCard = new Card(tr("Which encoding survives longer texts?"));
        plotCard->setNote(
            tr("trained by Sextant; non-overlapping, mean of %n seed(s), band 95 % t interval", nullptr, seeds));
    } else {
        plot->setAccessibleName(tr("How much each encoding favours near tokens"));
        std::vector<CurveSeries> series;
        int slot = 0;
        for (const KernelLine& line : allKernels(smallSite(), kLength)) {
            CurveSeries one;
            one.id = one.name = line.name;
            one.slot = slot++;
            one.x = sharedValues(counting(line.values.size()));
            one.y = sharedValues(line.values);
            series.push_back(std::move(one));
        }
        AxisOptions x;
        x.name = tr("distance, tokens");
        AxisOptions y;
        y.name = tr("weight relative to distance 0");
        plot->setXAxis(x);
        plot->setYAxis(y);
        plot->setSeries(std::move(series));
        plotCard = new Card(tr("How far does each encoding see?"));
        plotCard->setNote(tr("before any training, middle head of 8"));
    }
    plotCard->setContent(plot);
    grid->addWidget(plotCard, 1, 0, 2, 1);

    const PositionView alibi = viewOf("alibi", kLength);
    auto* heads = new HeatmapGrid;
    heads->setAccessibleName(tr("Bias of eight ALiBi heads"));
    if (alibi.ok() && alibi.hasBias()) {
        std::vector<GridCell> cells;
        for (std::size_t head = 0; head < alibi.biases.size(); ++head) {
            GridCell cell;
            cell.matrix = MatrixData::of(kLength, kLength, alibi.biases[head].values());
            cell.matrix.setCausal();
            cell.title = tr("head %1").arg(head + 1);
            cell.head = static_cast<int>(head);
            cells.push_back(std::move(cell));
        }
        GridOptions options;
        options.look = MatrixLook::negative(-8.0);
        options.look.valueName = tr("bias");
        options.columns = 4;
        heads->setCells(std::move(cells), options);
    }
    auto* alibiCard = new Card(tr("ALiBi: what each head subtracts"));
    alibiCard->setNote(tr("8 heads, 64 tokens, one scale; hatched: the future"));
    alibiCard->setContent(heads);
    alibiCard->setFixedHeight(scaled(300));
    grid->addWidget(alibiCard, 1, 1);

    const PositionView rope = viewOf("rope", kPositions);
    auto* raster = new HeatmapView;
    raster->setAccessibleName(tr("Cosine of every RoPE pair"));
    raster->setBarShown(false);
    raster->setAxisNames(tr("pair"), tr("position, tokens"));
    if (rope.ok() && rope.hasRotation()) {
        raster->setLook(MatrixLook::diverging(1.28));
        raster->setRangeMode(RangeMode::kGiven);
        raster->setMatrix(MatrixData::of(rope.cosines.rows(), rope.cosines.columns(), rope.cosines.values()));
    }
    auto* ropeCard = new Card(tr("RoPE: cosine of every pair"));
    ropeCard->setNote(tr("32 pairs, positions 0 to %1").arg(kPositions - 1));
    ropeCard->setContent(raster);
    ropeCard->setFixedHeight(scaled(178));
    grid->addWidget(ropeCard, 2, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

}  // namespace sextant
