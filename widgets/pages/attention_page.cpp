#include "widgets/pages/attention_page.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/token_strip.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {
using Side = AttentionModel::Side;
const char* const kTerms[] = {"weights", "scores", "content", "bias", "unrotated"};
constexpr int kThumbnails = 64;
}  // namespace

AttentionPage::AttentionPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    column->addWidget(makeControls());
    bar_ = new InlineBar;
    bar_->hide();
    column->addWidget(bar_);
    matrix_ = new HeatmapView;
    matrix_->setAccessibleName(tr("Attention matrix"));
    matrix_->setProperty("viewKeys", true);
    matrix_->setAxisNames(tr("query"), tr("key"));
    matrix_->setEmptyText(tr("Choose a run with a checkpoint at the left."));
    matrixCard_ = new Card(tr("Attention weights"));
    matrixCard_->setContent(matrix_);
    grid_ = new HeatmapGrid;
    grid_->setAccessibleName(tr("Heads"));
    grid_->setProperty("viewKeys", true);
    headNote_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    headNote_->setContentsMargins(scaled(10), scaled(4), scaled(10), scaled(4));
    gridCard_ = new Card(tr("Heads"));
    order_ = new QComboBox;
    order_->addItems({tr("order: head"), tr("mean distance"), tr("entropy"), tr("sink share")});
    order_->setAccessibleName(tr("Order of the heads"));
    gridCard_->addTitleWidget(order_);
    gridCard_->setContent(grid_);
    gridCard_->setFoot(headNote_);
    row_ = new CurvePlot;
    row_->setAccessibleName(tr("Row of the locked query"));
    row_->setEmptyText(tr("Click a cell or a token to see its row."));
    rowTable_ = new ArmTable({tr("key"), tr("distance"), tr("weight")});
    auto* rowBody = new QWidget;
    auto* rowColumn = new QVBoxLayout(rowBody);
    rowColumn->setContentsMargins(0, 0, 0, 0);
    rowColumn->addWidget(row_, 3);
    rowColumn->addWidget(rowTable_, 2);
    rowCard_ = new Card(tr("Row of a query"));
    rowCard_->setContent(rowBody);
    strip_ = new TokenStrip;
    strip_->setProperty("viewKeys", true);
    auto* stripBody = new QWidget;
    auto* stripColumn = new QVBoxLayout(stripBody);
    stripColumn->setContentsMargins(scaled(10), scaled(6), scaled(10), scaled(6));
    stripColumn->addWidget(strip_);
    stripCard_ = new Card(tr("Tokens"));
    stripCard_->setContent(stripBody);
    auto* grid = new QGridLayout;
    grid->setSpacing(scaled(8));
    grid->addWidget(matrixCard_, 0, 0, 2, 1);
    grid->addWidget(gridCard_, 0, 1);
    grid->addWidget(rowCard_, 1, 1);
    grid->addWidget(stripCard_, 2, 0, 1, 2);
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(0, 2);
    grid->setRowStretch(1, 3);
    column->addLayout(grid, 1);
    makeInspector();

    Selection& selection = session_.selection();
    connect(&model_, &AttentionModel::changed, this, &AttentionPage::refresh);
    connect(order_, &QComboBox::currentIndexChanged, this, &AttentionPage::refresh);
    connect(&selection, &Selection::runChanged, this, [this] {
        if (isVisible())
            takeRun();
        else
            fresh_ = true;
    });
    connect(&session_, &Session::projectChanged, this, [this] {
        fresh_ = true;
        model_.setModel(Side::kA, {});
        model_.setModel(Side::kB, {});
    });
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible() && fresh_) takeRun();
    });
    connect(&selection, &Selection::headChanged, this, [this] {
        if (isVisible()) refresh();
    });
    connect(&selection, &Selection::cellChanged, this, [this] {
        if (!isVisible()) return;
        drawRow();
        fillInspector();
    });
    connect(matrix_, &HeatmapView::cellLocked, this,
            [this](int row, int column, double) { session_.selection().setCell(row, column); });
    connect(strip_, &TokenStrip::tokenLocked, this, [this](int token) {
        const int key = session_.selection().key();
        session_.selection().setCell(token, key >= 0 && key <= token ? key : token);
        matrix_->lockCell(QPoint(session_.selection().key(), token));
    });
    connect(grid_, &HeatmapGrid::chosenChanged, this, [this](int index) {
        if (filling_ || index < 0 || index >= static_cast<int>(grid_->cells().size())) return;
        const int layer = grid_->cells()[static_cast<std::size_t>(index)].layer;
        const int head = grid_->cells()[static_cast<std::size_t>(index)].head;
        session_.selection().setLayer(layer);
        session_.selection().setHead(head);
    });
}

QWidget* AttentionPage::makeControls() {
    auto* bar = new QWidget;
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(scaled(6));
    auto* first = new QHBoxLayout;
    first->setSpacing(scaled(8));
    first->addWidget(new QuietLabel(tr("Text"), TextRole::kNote));
    text_ = new QLineEdit;
    text_->setAccessibleName(tr("Text to look at"));
    text_->setPlaceholderText(tr("any text"));
    connect(text_, &QLineEdit::editingFinished, this, [this] {
        model_.setText(text_->text());
        takeRun();
    });
    first->addWidget(text_, 1);
    count_ = new QuietLabel({}, TextRole::kNote);
    first->addWidget(count_);
    layer_ = new QComboBox;
    layer_->setAccessibleName(tr("Layer"));
    head_ = new QComboBox;
    head_->setAccessibleName(tr("Head"));
    connect(layer_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!filling_) session_.selection().setLayer(index);
    });
    connect(head_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!filling_) session_.selection().setHead(index);
    });
    first->addWidget(new QuietLabel(tr("Layer"), TextRole::kNote));
    first->addWidget(layer_);
    first->addWidget(new QuietLabel(tr("Head"), TextRole::kNote));
    first->addWidget(head_);
    column->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(scaled(8));
    second->addWidget(new QuietLabel(tr("Term"), TextRole::kNote));
    term_ = new Segments({tr("weights"), tr("scores"), tr("content"), tr("bias"), tr("unrotated")});
    term_->setAccessibleName(tr("Term"));
    connect(term_, &Segments::currentChanged, this, &AttentionPage::refresh);
    second->addWidget(term_);
    second->addWidget(new QuietLabel(tr("Scale"), TextRole::kNote));
    scale_ = new Segments({tr("linear"), tr("log"), tr("rank")});
    scale_->setAccessibleName(tr("Scale"));
    connect(scale_, &Segments::currentChanged, this, &AttentionPage::refresh);
    second->addWidget(scale_);
    side_ = new Segments({tr("A"), tr("B"), tr("A−B")});
    side_->setAccessibleName(tr("Which run"));
    connect(side_, &Segments::currentChanged, this, &AttentionPage::refresh);
    second->addWidget(side_);
    second->addWidget(new QuietLabel(tr("B"), TextRole::kNote));
    other_ = new QComboBox;
    other_->setAccessibleName(tr("Run to compare with"));
    other_->setMinimumWidth(scaled(120));
    connect(other_, &QComboBox::activated, this, [this] {
        session_.selection().setCompared(other_->currentData().toString());
        takeRun();
    });
    second->addWidget(other_);
    second->addStretch(1);
    column->addLayout(second);
    return bar;
}

void AttentionPage::makeInspector() {
    inspector_ = new QWidget;
    auto* column = new QVBoxLayout(inspector_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* cell = new Section(tr("This cell"));
    query_ = cell->addLine(tr("Query"));
    key_ = cell->addLine(tr("Key"));
    distance_ = cell->addLine(tr("Distance"));
    content_ = cell->addLine(tr("Content"));
    bias_ = cell->addLine(tr("Bias"));
    score_ = cell->addLine(tr("Score"));
    weight_ = cell->addLine(tr("Weight"));
    column->addWidget(cell);
    auto* range = new Section(tr("Range"));
    range_ = range->addLine(tr("Shown"));
    masked_ = range->addLine(tr("Masked"));
    column->addWidget(range);
    auto* words = new Section(tr("How to read it"));
    auto* text =
        new QuietLabel(tr("A row is one query: its weights over the keys before it, which sum to 1. Scores are "
                          "content plus bias before the softmax. Hatched cells are the future and are in no "
                          "statistic. Arrow keys move the locked cell."),
                       TextRole::kNote, QuietLabel::Ink::kText);
    text->setWordWrap(true);
    words->add(text);
    column->addWidget(words);
    column->addStretch(1);
}

QString AttentionPage::term() const {
    return QString::fromLatin1(kTerms[std::clamp(term_->currentIndex(), 0, 4)]);
}

QString AttentionPage::inspectorNote() const {
    const Selection& selection = session_.selection();
    if (selection.query() < 0) return tr("layer %1, head %2").arg(selection.layer() + 1).arg(selection.head() + 1);
    return tr("cell %1, %2").arg(selection.query()).arg(selection.key());
}

void AttentionPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (fresh_)
        takeRun();
    else
        refresh();
}

QString AttentionPage::runFolder(const QString& folder) const {
    const ProjectSnapshotPtr now = session_.snapshot();
    const RunSnapshot* run = now ? now->find(folder) : nullptr;
    return run != nullptr && !run->state->checkpoints.empty() ? QString::fromStdString(run->directory.path) : QString();
}

void AttentionPage::fillRuns() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const QString chosen = session_.selection().compared();
    filling_ = true;
    other_->clear();
    other_->addItem(tr("none"), QString());
    for (const RunSnapshot& run : now->runs) {
        if (!run.state->checkpoints.empty()) other_->addItem(tr("%1 s%2").arg(run.arm()).arg(run.seed()), run.folder());
    }
    other_->setCurrentIndex(std::max(0, other_->findData(chosen)));
    filling_ = false;
}

void AttentionPage::takeRun() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    fresh_ = false;
    if (model_.text().isEmpty()) {
        QString probe;
        if (const auto experiment = session_.experiment().experiment(); experiment.ok())
            probe = QString::fromStdString(experiment->evaluation.probe_text);
        if (probe.isEmpty())
            probe = tr("Once upon a time, there was a little girl named Lily. She loved to play outside in the park.");
        text_->setText(probe);
        model_.setText(probe);
    }
    fillRuns();
    // The chosen run, or the first of the chosen arm that has a checkpoint.
    QString run = runFolder(session_.selection().run());
    if (run.isEmpty()) {
        for (const RunSnapshot* each : now->runsOf(session_.selection().arm())) {
            if (run.isEmpty()) run = runFolder(each->folder());
        }
    }
    model_.setModel(Side::kA, run);
    model_.setModel(Side::kB, runFolder(session_.selection().compared()));
    model_.load(Side::kA);
    model_.load(Side::kB);
    refresh();
}

MatrixData AttentionPage::matrixOf(Side side, const QString& term) {
    const int layer = session_.selection().layer();
    const int head = session_.selection().head();
    if (term == "weights") {
        const auto maps = model_.weights(side);
        return maps ? maps->matrix(layer, head) : MatrixData();
    }
    const auto maps = model_.term(side, layer, head, term);
    if (!maps && model_.weights(side)) model_.loadTerm(side, layer, head, term);
    return maps ? maps->matrix(layer, head) : MatrixData();
}

void AttentionPage::refresh() {
    if (!isVisible()) return;
    const auto maps = model_.weights(Side::kA);
    const QString run = runFolder(session_.selection().run());
    if (!model_.problem().isEmpty())
        bar_->show(BarKind::kError, tr("The attention could not be computed."), model_.problem());
    else if (model_.busy() && !maps)
        bar_->show(BarKind::kInfo, tr("Computing the attention."),
                   tr("The model is read and the text is run through it once."));
    else if (!maps && session_.snapshot() != nullptr)
        bar_->show(BarKind::kInfo, tr("No checkpoint to look into yet."),
                   tr("A run writes one when it is paused, stopped or finished."));
    else
        bar_->hide();
    if (maps) {
        Selection& selection = session_.selection();
        if (!maps->layers.empty() && selection.layer() >= static_cast<int>(maps->layers.size()))
            selection.setLayer(static_cast<int>(maps->layers.size()) - 1);
        if (!maps->heads.empty() && selection.head() >= static_cast<int>(maps->heads.size()))
            selection.setHead(static_cast<int>(maps->heads.size()) - 1);
        filling_ = true;
        const auto fill = [](QComboBox* box, int count, int current) {
            if (box->count() != count) {
                box->clear();
                for (int i = 0; i < count; ++i)
                    box->addItem(QString::number(i + 1));
            }
            box->setCurrentIndex(current);
        };
        fill(layer_, static_cast<int>(maps->layers.size()), selection.layer());
        fill(head_, static_cast<int>(maps->heads.size()), selection.head());
        filling_ = false;
        count_->setText(tr("%n token(s)", nullptr, static_cast<int>(maps->length)));
    }
    drawMatrix();
    drawGrid();
    drawRow();
    fillInspector();
    Q_EMIT inspectorChanged();
}

void AttentionPage::drawMatrix() {
    const auto maps = model_.weights(Side::kA);
    const QString what = term();
    const MatrixData a = matrixOf(Side::kA, what);
    const MatrixData b = model_.weights(Side::kB) ? matrixOf(Side::kB, what) : MatrixData();
    const bool weights = what == "weights";
    MatrixLook look;
    double magnitude = 1.0;
    if (!weights || side_->currentIndex() == 2) {
        const MatrixStatistics numbers = statistics(side_->currentIndex() == 2 ? difference(a, b) : a);
        magnitude = std::max({std::abs(numbers.smallest), std::abs(numbers.largest), 1e-6});
        look = MatrixLook::diverging(magnitude);
    } else {
        look.scale = static_cast<ScaleKind>(scale_->currentIndex());
        if (look.scale == ScaleKind::kLog) look.range = {1e-4, 1.0};
        if (look.scale == ScaleKind::kRank) look.ranked = sample(a);
    }
    look.valueName = term_->currentText();
    matrix_->setLook(look);
    matrix_->setRangeMode(weights && side_->currentIndex() != 2 && look.scale == ScaleKind::kLinear
                              ? RangeMode::kPercentile
                              : RangeMode::kGiven,
                          0.005);
    if (b.empty())
        matrix_->setMatrix(a);
    else
        matrix_->setMatrices(a, b);
    side_->setSegmentEnabled(1, !b.empty(), tr("Choose a run B first."));
    side_->setSegmentEnabled(2, !b.empty(), tr("Choose a run B first."));
    matrix_->setSide(b.empty() ? MatrixSide::kA : static_cast<MatrixSide>(side_->currentIndex()));
    if (maps) {
        matrix_->setTokens(maps->tokens, maps->tokens);
        strip_->setTokens(maps->tokens);
    }
    const Selection& selection = session_.selection();
    matrixCard_->setTitle(weights ? tr("Attention weights") : tr("Attention: %1").arg(term_->currentText()));
    matrixCard_->setNote(tr("%1, layer %2, head %3%4")
                             .arg(selection.arm())
                             .arg(selection.layer() + 1)
                             .arg(selection.head() + 1)
                             .arg(weights ? ", " + tr("rows sum to 1") : QString()));
}

void AttentionPage::drawGrid() {
    const auto maps = model_.weights(Side::kA);
    std::vector<GridCell> pictures;
    if (maps) {
        std::vector<int> order(maps->values.size());
        std::iota(order.begin(), order.end(), 0);
        const int by = order_->currentIndex();
        if (by > 0 && maps->numbers.size() == order.size()) {
            std::stable_sort(order.begin(), order.end(), [&](int left, int right) {
                const HeadNumbers& a = maps->numbers[static_cast<std::size_t>(left)];
                const HeadNumbers& b = maps->numbers[static_cast<std::size_t>(right)];
                return by == 1   ? a.meanDistance < b.meanDistance
                       : by == 2 ? a.entropy < b.entropy
                                 : a.sinkShare < b.sinkShare;
            });
        }
        int current = 0;
        const int heads = static_cast<int>(maps->heads.size());
        for (const int at : order) {
            if (static_cast<int>(pictures.size()) >= kThumbnails) break;
            const int layer = at / heads, head = at % heads;
            GridCell picture;
            picture.matrix = maps->matrix(layer, head);
            if (picture.matrix.rows() > 128)
                picture.matrix = reduced(picture.matrix, (picture.matrix.rows() + 127) / 128);
            if (heads <= 8) picture.title = tr("%1.%2").arg(layer + 1).arg(head + 1);
            if (layer == session_.selection().layer() && head == session_.selection().head())
                current = static_cast<int>(pictures.size());
            picture.layer = layer;
            picture.head = head;
            pictures.push_back(std::move(picture));
        }
        GridOptions options;
        options.look.range = {0.0, 0.5};
        options.look.valueName = tr("weight");
        options.columns = by == 0 && heads <= 16 ? heads : 0;
        options.bar = false;
        filling_ = true;
        grid_->setCells(std::move(pictures), options);
        grid_->setChosen(current);
        filling_ = false;
        const int at = maps->index(session_.selection().layer(), session_.selection().head());
        if (at >= 0 && static_cast<std::size_t>(at) < maps->numbers.size()) {
            const HeadNumbers& numbers = maps->numbers[static_cast<std::size_t>(at)];
            headNote_->setText(tr("mean distance %1   entropy %2 nats   sink share %3 %")
                                   .arg(displayNumber(numbers.meanDistance, 3), displayNumber(numbers.entropy, 3),
                                        displayNumber(numbers.sinkShare * 100, 2)));
        }
        gridCard_->setNote(tr("%1 layers × %2, one scale").arg(maps->layers.size()).arg(heads));
        return;
    }
    grid_->setCells({}, {});
    headNote_->clear();
}

void AttentionPage::drawRow() {
    const auto maps = model_.weights(Side::kA);
    const Selection& selection = session_.selection();
    const int query = selection.query();
    std::vector<CurveSeries> series;
    std::vector<ArmTableRow> rows;
    if (maps && query >= 0 && query < maps->length) {
        const MatrixData weights = maps->matrix(selection.layer(), selection.head());
        std::vector<double> x, y, shade;
        std::vector<std::pair<double, int>> order;
        for (int key = 0; key < maps->length; ++key)
            shade.push_back(key <= query ? weights.at(query, key) : 0.0);
        for (int key = query; key >= 0; --key) {
            const double weight = weights.at(query, key);
            const double distance = query - key;
            // A bar: up and down again.
            for (const auto& [dx, value] : {std::pair{0.0, 0.0}, std::pair{0.0, weight}}) {
                x.push_back(distance + dx);
                y.push_back(value);
            }
            x.push_back(std::numeric_limits<double>::quiet_NaN());
            y.push_back(std::numeric_limits<double>::quiet_NaN());
            order.emplace_back(weight, key);
        }
        CurveSeries bars;
        bars.id = "row";
        bars.role = SeriesRole::kPath;
        bars.labelled = false;
        SeriesStyle style = theme().series(0);
        style.width = query < 80 ? 4 : 1.5;
        bars.style = style;
        bars.x = sharedValues(std::move(x));
        bars.y = sharedValues(std::move(y));
        series.push_back(std::move(bars));
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t i = 0; i < std::min<std::size_t>(6, order.size()); ++i) {
            ArmTableRow row;
            row.name = maps->tokens.value(order[i].second);
            row.cells = {QString::number(query - order[i].second), displayNumber(order[i].first, 3)};
            rows.push_back(std::move(row));
        }
        const double largest = order.empty() ? 1.0 : std::max(order.front().first, 1e-6);
        strip_->setWeights(std::move(shade), "depth", ValueScale(ScaleKind::kLinear, 0.0, largest));
        strip_->setQuery(query);
        strip_->setKey(selection.key());
        rowCard_->setTitle(tr("Row of query %1").arg(query));
        rowCard_->setNote(maps->tokens.value(query));
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
    row_->setSeries(std::move(series));
    row_->reset();
    rowTable_->setRows(std::move(rows));
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
        if (!locked) return none;
        const MatrixData matrix = matrixOf(Side::kA, QString::fromLatin1(what));
        return matrix.empty() ? QStringLiteral("…") : displayNumber(matrix.at(query, key), 4);
    };
    content_->setText(value("content"));
    bias_->setText(value("bias"));
    score_->setText(value("scores"));
    weight_->setText(value("weights"));
    if (matrix_->shown().empty()) {
        range_->setText(none);
        masked_->setText(none);
    } else {
        range_->setText(displayNumber(matrix_->range().first, 3) + " – " + displayNumber(matrix_->range().second, 3));
        masked_->setText(tr("%1 cells left out").arg(groupedNumber(matrix_->numbers().masked)));
    }
}

bool AttentionPage::runCommand(const QString& id) {
    if (id == "attention.cycle") {
        if (!matrix_->hasSecond()) return true;
        side_->setCurrentIndex((side_->currentIndex() + 1) % 3);
        refresh();
        return true;
    }
    if (id == "view.fit") {
        matrix_->fit();
        return true;
    }
    return false;
}

QString AttentionPage::tableText() const {
    return rowTable_->text();
}

FigureSource* AttentionPage::figure(const QString& kind) {
    return kind.isEmpty() || kind == "attention" ? matrix_ : nullptr;
}

}  // namespace sextant
