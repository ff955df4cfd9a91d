// gallery --page NAME --theme light|dark|contrast --out FILE.png [--width W --height H]; --all --out FOLDER.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <cmath>
#include <functional>
#include <map>

#include "tests/gui/gallery/gallery_data.h"
#include "widgets/controls/card.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/icon_button.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/step_bar.h"
#include "widgets/controls/token_strip.h"
#include "widgets/export/figure_export.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

Card* card(const QString& title, const QString& note, QWidget* content) {
    auto* made = new Card(title);
    made->setNote(note);
    made->setContent(content);
    return made;
}

CurvePlot* lossPlot(bool withDiverged, AxisKind kind) {
    auto* plot = new CurvePlot;
    auto series = gallery::arms(6);
    if (withDiverged) series.push_back(gallery::diverged());
    AxisOptions x;
    x.name = QStringLiteral("tokens, millions");
    x.factor = 1e-6;
    AxisOptions y;
    y.name = QStringLiteral("validation loss, nats a token (log)");
    y.kind = kind;
    plot->setXAxis(x);
    plot->setYAxis(y);
    plot->setSeries(series);
    plot->setCursor(1.9e6, QStringLiteral("step 930"));
    return plot;
}

QWidget* curvesPage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setSpacing(8);
    Card* main =
        card(QStringLiteral("Validation loss"), QStringLiteral("mean of seeds, band 95 % t interval, no smoothing"),
             lossPlot(true, AxisKind::kLog));
    main->setBadge(QStringLiteral("alibi n = 4 of 6"));
    main->addTitleWidget(new IconButton(QStringLiteral("pin"), QStringLiteral("Pin")));
    main->addTitleWidget(new IconButton(QStringLiteral("export"), QStringLiteral("Export")));
    main->addTitleWidget(new IconButton(QStringLiteral("more"), QStringLiteral("More")));
    grid->addWidget(main, 0, 0, 2, 1);
    auto* train = new CurvePlot;
    CurveSeries noisy;
    noisy.id = noisy.name = QStringLiteral("alibi s4");
    noisy.slot = 1;
    noisy.labelled = false;
    noisy.halfLife = 1e5;
    std::vector<double> x = gallery::steps(30000, 64);
    std::vector<double> y = gallery::loss(x, 6.0, 3.1, 2e5, 0.12, 5);
    y[20000] = 4.9;
    noisy.x = sharedValues(x);
    noisy.y = sharedValues(y);
    AxisOptions tx;
    tx.name = QStringLiteral("tokens, millions");
    tx.factor = 1e-6;
    tx.range = Range{0, 3.07e6};
    AxisOptions ty;
    ty.name = QStringLiteral("nats a token");
    train->setXAxis(tx);
    train->setYAxis(ty);
    train->setSeries({noisy});
    train->setCursor(1.92e6);
    Card* right = card(QStringLiteral("Train loss"), QStringLiteral("alibi s4, raw and EMA 100 k"), train);
    QObject::connect(train, &CurvePlot::badgeChanged, right, &Card::setBadge);
    grid->addWidget(right, 0, 1);
    auto* norm = new CurvePlot;
    CurveSeries gradient;
    gradient.id = gradient.name = QStringLiteral("alibi s4");
    gradient.slot = 1;
    gradient.raw = true;
    gradient.labelled = false;
    std::vector<double> gx = gallery::steps(400, 4800);
    std::vector<double> gy = gallery::loss(gx, 2.0, 0.75, 1e5, 0.12, 9);
    for (double& value : gy)
        value = std::max(value, 0.3);
    gy[300] = 3.0;
    gradient.x = sharedValues(gx);
    gradient.y = sharedValues(gy);
    AxisOptions ny;
    ny.name = QStringLiteral("L2 norm before clipping (log)");
    ny.kind = AxisKind::kLog;
    norm->setXAxis(tx);
    norm->setYAxis(ny);
    norm->setLines({IndexLine{Qt::Horizontal, 1.0, QStringLiteral("clip 1.0"), true}});
    norm->setSeries({gradient});
    grid->addWidget(card(QStringLiteral("Gradient norm"), QStringLiteral("alibi s4, clip at 1"), norm), 1, 1);
    grid->setColumnStretch(0, 5);
    grid->setColumnStretch(1, 3);
    return page;
}

QWidget* hardPage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    const auto add = [&](int row, int column, const QString& title, AxisKind kind, std::vector<CurveSeries> series) {
        auto* plot = new CurvePlot;
        AxisOptions x;
        x.name = QStringLiteral("step");
        AxisOptions y;
        y.name = kind == AxisKind::kSymlog ? QStringLiteral("value (symlog)")
                 : kind == AxisKind::kLog  ? QStringLiteral("value (log)")
                                           : QStringLiteral("value");
        y.kind = kind;
        plot->setXAxis(x);
        plot->setYAxis(y);
        plot->setEmptyText(QStringLiteral("No run is visible. Choose one at the left."));
        plot->setSeries(std::move(series));
        Card* made = card(title, {}, plot);
        QObject::connect(plot, &CurvePlot::badgeChanged, made, &Card::setBadge);
        grid->addWidget(made, row, column);
    };
    std::vector<CurveSeries> many;
    for (int i = 0; i < 10; ++i) {
        CurveSeries one;
        one.id = one.name = QStringLiteral("variant %1").arg(i);
        one.slot = i;
        const auto x = gallery::steps(100, 10);
        one.x = sharedValues(x);
        one.y = sharedValues(gallery::loss(x, 6, 3 + 0.12 * i, 200, 0.01, static_cast<unsigned>(i)));
        many.push_back(one);
    }
    add(0, 0, QStringLiteral("Ten variants"), AxisKind::kLinear, many);
    CurveSeries mixed;
    mixed.id = mixed.name = QStringLiteral("mixed");
    {
        const auto x = gallery::steps(200, 1);
        std::vector<double> y;
        for (const double at : x)
            y.push_back(2.0 * std::sin(at / 9.0) * std::exp(at / 60));
        mixed.x = sharedValues(x);
        mixed.y = sharedValues(y);
    }
    add(0, 1, QStringLiteral("Not positive on a log axis"), AxisKind::kLog, {mixed});
    add(0, 2, QStringLiteral("Symlog"), AxisKind::kSymlog, {mixed});
    CurveSeries million;
    million.id = million.name = QStringLiteral("1 M points");
    million.slot = 2;
    million.halfLife = 20000;
    {
        const auto x = gallery::steps(1'000'000, 1);
        auto y = gallery::loss(x, 9, 3, 1e5, 0.2, 3);
        y[700000] = 8.5;
        million.x = sharedValues(x);
        million.y = sharedValues(y);
    }
    add(1, 0, QStringLiteral("A million points"), AxisKind::kLinear, {million});
    add(1, 1, QStringLiteral("Empty"), AxisKind::kLinear, {});
    CurveSeries huge;
    huge.id = huge.name = QStringLiteral("huge");
    huge.slot = 1;
    huge.markers = true;
    huge.x = sharedValues({0, 1, 2, 3, 4});
    huge.y = sharedValues({1e308, -1e308, 5e307, std::numeric_limits<double>::infinity(), 1.7e308});
    add(1, 2, QStringLiteral("Near the largest double"), AxisKind::kLinear, {huge});
    return page;
}

QWidget* heatmapPage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    auto* view = new HeatmapView;
    MatrixLook look;
    look.valueName = QStringLiteral("weight");
    look.range = {0, 0.4};
    look.rangeLocked = true;
    view->setLook(look);
    view->setRangeMode(RangeMode::kFixed);
    view->setMatrix(gallery::attention(46, 1.0 / 8, 3));
    view->setTokens(gallery::tokens(), gallery::tokens());
    view->lockCell(QPoint(40, 41));
    grid->addWidget(
        card(QStringLiteral("Attention weights"), QStringLiteral("alibi s2, layer 3, head 3, rows sum to 1"), view), 0,
        0, 2, 1);
    auto* heads = new HeatmapGrid;
    std::vector<GridCell> cells;
    GridOptions options;
    options.look = look;
    options.columns = 8;
    options.bar = false;
    for (int l = 0; l < 4; ++l) {
        options.rowNames << QString::number(l + 1);
        for (int h = 0; h < 8; ++h) {
            GridCell cell;
            cell.matrix = gallery::attention(46, std::exp2(-(h + 1)), static_cast<unsigned>(l * 8 + h));
            cell.layer = l;
            cell.head = h;
            cells.push_back(cell);
        }
    }
    for (int h = 0; h < 8; ++h)
        options.columnNames << QString::number(h + 1);
    heads->setCells(cells, options);
    heads->setChosen(18);
    grid->addWidget(card(QStringLiteral("Heads"), QStringLiteral("4 layers x 8"), heads), 0, 1);
    auto* diff = new HeatmapView;
    MatrixLook second;
    second.valueName = QStringLiteral("A−B");
    diff->setLook(second);
    diff->setMatrices(gallery::attention(512, 1.0 / 16, 4), gallery::attention(512, 1.0 / 64, 4));
    diff->setSide(MatrixSide::kDifference);
    grid->addWidget(card(QStringLiteral("A−B"), QStringLiteral("512 tokens"), diff), 1, 1);
    auto* strip = new TokenStrip;
    strip->setTokens(gallery::tokens());
    std::vector<double> weights;
    const MatrixData a = gallery::attention(46, 1.0 / 8, 3);
    for (int k = 0; k < 46; ++k)
        weights.push_back(a.at(41, k));
    strip->setWeights(weights, QStringLiteral("depth"), ValueScale(ScaleKind::kLinear, 0, 0.4));
    strip->setQuery(41);
    strip->setKey(40);
    grid->addWidget(card(QStringLiteral("Tokens"), QStringLiteral("shaded by the weights of query 41"), strip), 2, 0, 1,
                    2);
    grid->setColumnStretch(0, 7);
    grid->setColumnStretch(1, 4);
    grid->setRowStretch(0, 2);
    grid->setRowStretch(1, 3);
    return page;
}

QWidget* biasPage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    auto* bias = new HeatmapGrid;
    BiasData data;
    data.slopes = gallery::slopes(8);
    data.values = gallery::biasOf(data.slopes, 64);
    showBias(*bias, data);
    bias->setChosen(2);
    bias->setMarker(-1.5);
    grid->addWidget(card(QStringLiteral("Bias added to the scores, head by head"),
                         QStringLiteral("rows: query 0–63 downwards, columns: key 0–63; dashed: weight halved"), bias),
                    0, 0, 1, 3);
    auto* slopes = new CurvePlot;
    showSlopes(*slopes, {gallery::slopes(12), gallery::naiveSlopes(12), 8});
    grid->addWidget(card(QStringLiteral("Slopes at 12 heads"), QStringLiteral("not a power of two"), slopes), 1, 0);
    auto* reach = new CurvePlot;
    showReach(*reach, data.slopes, 64, 2);
    grid->addWidget(card(QStringLiteral("How far each head sees"), {}, reach), 1, 1);
    auto* kernel = new CurvePlot;
    std::vector<KernelCurve> curves;
    for (std::size_t h = 0; h < 8; ++h) {
        KernelCurve curve;
        curve.name = QString::number(h + 1);
        for (int d = 0; d <= 64; ++d)
            curve.factor.push_back(std::exp(-data.slopes[h] * d));
        curves.push_back(curve);
    }
    showKernels(*kernel, curves, QStringLiteral("factor e^(−m d) on the weight"), 2);
    grid->addWidget(card(QStringLiteral("Kernel over distance"), QStringLiteral("content equal"), kernel), 1, 2);
    grid->setRowStretch(0, 2);
    grid->setRowStretch(1, 1);
    return page;
}

QWidget* ropePage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    PhaseData data;
    data.inverseFrequencies = gallery::frequencies(64, 10000);
    auto* phases = new CurvePlot;
    showPhases(*phases, data);
    grid->addWidget(
        card(QStringLiteral("Phase of every pair"), QStringLiteral("32 pairs; dashed: no full turn"), phases), 0, 0);
    auto* wheel = new PhaseWheel;
    std::vector<double> angles;
    for (const double f : data.inverseFrequencies)
        angles.push_back(48 * f);
    wheel->setAngles(angles, 48);
    wheel->setSelected(12);
    grid->addWidget(card(QStringLiteral("Phase wheel at position 48"), {}, wheel), 0, 1);
    auto* raster = new HeatmapView;
    MatrixLook look = rasterLook();
    look.valueName = QStringLiteral("cos");
    raster->setAxisNames(QStringLiteral("pair"), QStringLiteral("position"));
    raster->setLook(look);
    raster->setRangeMode(RangeMode::kFixed);
    raster->setSquareCells(false);
    raster->setMatrix(rasterOf(data.inverseFrequencies, 64, false));
    grid->addWidget(card(QStringLiteral("cos(m θ)"), {}, raster), 0, 2);
    auto* waves = new CurvePlot;
    showWavelengths(*waves, data, gallery::frequencies(64, 41829), QStringLiteral("with ntk, factor 4"));
    grid->addWidget(card(QStringLiteral("Wavelengths"), {}, waves), 1, 0);
    auto* decay = new CurvePlot;
    showDecay(*decay,
              {{QStringLiteral("none"), gallery::decay(data.inverseFrequencies, 257), 0, false},
               {QStringLiteral("ntk"), gallery::decay(gallery::frequencies(64, 41829), 257), 5, false}},
              64);
    grid->addWidget(card(QStringLiteral("Long-term decay"), QStringLiteral("RoFormer 3.4.3"), decay), 1, 1, 1, 2);
    return page;
}

QWidget* extrapolationPage() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    for (int i = 0; i < 2; ++i) {
        auto* plot = new CurvePlot;
        showExtrapolation(*plot, gallery::extrapolation(i == 1));
        grid->addWidget(card(i == 0 ? QStringLiteral("Non-overlapping windows") : QStringLiteral("Sliding windows"),
                             QStringLiteral("mean of 6 seeds, bands 95 % t"), plot),
                        0, i);
    }
    return page;
}

QWidget* controlsPage() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    auto* row = new QHBoxLayout;
    auto* segments = new Segments({QStringLiteral("linear"), QStringLiteral("log"), QStringLiteral("symlog")});
    segments->setCurrentIndex(1);
    row->addWidget(segments);
    row->addWidget(new Chip(QStringLiteral("decimated 1:3")));
    row->addWidget(new Chip(QStringLiteral("exploratory")));
    row->addWidget(new QPushButton(QStringLiteral("Checkpoint")));
    auto* off = new QPushButton(QStringLiteral("Queue 18 runs"));
    off->setEnabled(false);
    row->addWidget(off);
    auto* primary = new QPushButton(QStringLiteral("Report"));
    primary->setProperty("primary", true);
    row->addWidget(primary);
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(QStringLiteral("filter, e.g. pe:alibi seed<3"));
    row->addWidget(edit);
    row->addStretch();
    column->addLayout(row);
    const std::pair<BarKind, const char*> bars[] = {{BarKind::kInfo, "The modes disagree for rope at 128:"},
                                                    {BarKind::kWarning, "alibi has 4 of 6 seeds."},
                                                    {BarKind::kError, "/evaluation/tokens:"},
                                                    {BarKind::kOk, "Export done."}};
    for (const auto& [kind, fact] : bars) {
        auto* bar = new InlineBar;
        bar->show(
            kind, QString::fromLatin1(fact),
            QStringLiteral("24.1 non-overlapping, 45.6 sliding. Half of the targets sit within the training length."),
            kind == BarKind::kOk ? QString() : QStringLiteral("Attention at 128"));
        column->addWidget(bar);
    }
    auto* steps = new StepBar;
    std::vector<qint64> snapshots;
    for (qint64 s = 0; s <= 900; s += 100)
        snapshots.push_back(s);
    steps->setSteps(1500, 930, snapshots);
    steps->setTokensPerStep(2048);
    steps->setNote(QStringLiteral("snapshot every 100"));
    steps->setStep(930);
    column->addWidget(steps);
    auto* icons = new QWidget;
    auto* grid = new QGridLayout(icons);
    int i = 0;
    for (const QString& name : iconNames()) {
        auto* label = new QLabel;
        label->setPixmap(iconPixmap(name, theme().text, scaled(24), label->devicePixelRatioF()));
        auto* text = new QLabel(name);
        text->setFont(textFont(TextRole::kAxis));
        grid->addWidget(label, (i / 10) * 2, i % 10, Qt::AlignCenter);
        grid->addWidget(text, (i / 10) * 2 + 1, i % 10, Qt::AlignCenter);
        ++i;
    }
    column->addWidget(icons);
    column->addStretch();
    return page;
}

}  // namespace

namespace {

// Figures as a paper would take them.
bool writeFigures(const QString& folder) {
    FigureOptions options;
    options.height = 2.15;
    options.title = QStringLiteral("Perplexity by length");
    options.provenance = {{QStringLiteral("config"), QStringLiteral("9f31c07be24a")}};
    CurvePlot length;
    showExtrapolation(length, gallery::extrapolation(false));
    std::unique_ptr<CurvePlot> loss(lossPlot(true, AxisKind::kLog));
    HeatmapGrid bias;
    BiasData data;
    data.slopes = gallery::slopes(8);
    data.values = gallery::biasOf(data.slopes, 56);
    showBias(bias, data);
    HeatmapView weights;
    weights.setMatrix(gallery::attention(46, 1.0 / 8, 3));
    CurvePlot phases;
    PhaseData phase;
    phase.inverseFrequencies = gallery::frequencies(64, 10000);
    showPhases(phases, phase);
    const std::pair<const char*, const FigureSource*> figures[] = {
        {"length", &length}, {"loss", loss.get()}, {"bias", &bias}, {"weights", &weights}, {"phases", &phases}};
    for (const auto& [name, source] : figures) {
        options.width = QLatin1String(name) == QLatin1String("weights") ? 3.25 : 5.5;
        options.height = QLatin1String(name) == QLatin1String("weights") ? 2.8 : 2.4;
        for (const char* suffix : {"pdf", "svg", "png"})
            if (!exportFigure(
                    *source,
                    QDir(folder).filePath(QStringLiteral("fig-%1.%2").arg(QLatin1String(name), QLatin1String(suffix))),
                    options, OnExisting::kReplace))
                return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        {{QStringLiteral("page"), QStringLiteral("what"), QStringLiteral("name"), QStringLiteral("curves")},
         {QStringLiteral("theme"), QStringLiteral("light, dark or contrast"), QStringLiteral("name"),
          QStringLiteral("light")},
         {QStringLiteral("out"), QStringLiteral("file, or folder with --all"), QStringLiteral("path"),
          QStringLiteral("gallery.png")},
         {QStringLiteral("width"), QStringLiteral("px"), QStringLiteral("n"), QStringLiteral("1200")},
         {QStringLiteral("height"), QStringLiteral("px"), QStringLiteral("n"), QStringLiteral("720")},
         {QStringLiteral("all"), QStringLiteral("every page")},
         {QStringLiteral("figures"), QStringLiteral("example figures into this folder"), QStringLiteral("folder")}});
    parser.process(application);
    ThemeController controller(application);
    const QString name = parser.value(QStringLiteral("theme"));
    controller.setChoice(name == QLatin1String("dark") ? ThemeChoice::kDark : ThemeChoice::kLight);
    if (name == QLatin1String("contrast")) controller.setContrast(Contrast::kHigh);
    const std::map<QString, std::function<QWidget*()>> pages{{QStringLiteral("controls"), controlsPage},
                                                             {QStringLiteral("curves"), curvesPage},
                                                             {QStringLiteral("hard"), hardPage},
                                                             {QStringLiteral("heatmap"), heatmapPage},
                                                             {QStringLiteral("bias"), biasPage},
                                                             {QStringLiteral("rope"), ropePage},
                                                             {QStringLiteral("extrapolation"), extrapolationPage}};
    const auto render = [&](const QString& page, const QString& path) {
        const auto found = pages.find(page);
        if (found == pages.end()) return false;
        std::unique_ptr<QWidget> widget(found->second());
        widget->resize(parser.value(QStringLiteral("width")).toInt(), parser.value(QStringLiteral("height")).toInt());
        widget->show();
        for (int i = 0; i < 5; ++i)
            QApplication::processEvents();
        return widget->grab().save(path);
    };
    if (parser.isSet(QStringLiteral("figures"))) return writeFigures(parser.value(QStringLiteral("figures"))) ? 0 : 1;
    if (!parser.isSet(QStringLiteral("all")))
        return render(parser.value(QStringLiteral("page")), parser.value(QStringLiteral("out"))) ? 0 : 1;
    for (const auto& [page, make] : pages)
        if (!render(page, QDir(parser.value(QStringLiteral("out")))
                              .filePath(page + QLatin1Char('-') + name + QStringLiteral(".png"))))
            return 1;
    return 0;
}
