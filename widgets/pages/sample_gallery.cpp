#include "widgets/pages/sample_gallery.h"

#include <QGridLayout>

#include "widgets/controls/card.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/position_view.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {

constexpr std::int64_t kLength = 64;

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

}  // namespace

SampleGallery::SampleGallery(QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(scaled(12));
    grid->addWidget(new QuietLabel(tr("What position encodings do"), TextRole::kSection, QuietLabel::Ink::kText), 0, 0,
                    1, 2);

    auto* kernels = new CurvePlot;
    kernels->setInteractive(false);
    kernels->setAccessibleName(tr("How much each encoding favours near tokens"));
    std::vector<CurveSeries> series;
    int slot = 0;
    for (const KernelLine& line : allKernels(smallSite(), kLength)) {
        CurveSeries one;
        one.id = one.name = line.name;
        one.slot = slot++;
        std::vector<double> x(line.values.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<double>(i);
        one.x = sharedValues(std::move(x));
        one.y = sharedValues(line.values);
        series.push_back(std::move(one));
    }
    AxisOptions x;
    x.name = tr("distance, tokens");
    AxisOptions y;
    y.name = tr("weight relative to distance 0");
    kernels->setXAxis(x);
    kernels->setYAxis(y);
    kernels->setSeries(std::move(series));
    auto* kernelCard = new Card(tr("How far does each encoding see?"));
    kernelCard->setNote(tr("before any training, middle head of 8"));
    kernelCard->setContent(kernels);
    kernelCard->setFixedHeight(scaled(470));
    grid->addWidget(kernelCard, 1, 0, 2, 1, Qt::AlignTop);

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
    alibiCard->setFixedHeight(scaled(290));
    grid->addWidget(alibiCard, 1, 1);

    const PositionView rope = viewOf("rope", 128);
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
    ropeCard->setNote(tr("32 pairs, positions 0 to 127"));
    ropeCard->setContent(raster);
    grid->addWidget(ropeCard, 2, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(1, 2);
    grid->setRowStretch(2, 1);
}

}  // namespace sextant
