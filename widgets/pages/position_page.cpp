#include "widgets/pages/position_page.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHash>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>
#include <numbers>

#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/phase_wheel.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/curve_table_model.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/matrix_table_model.h"

namespace sextant {

namespace {

// The fields of one change are one redraw; a slider should not wait longer than that.
constexpr int kDebounceMs = 4;

QWidget* labelled(const QString& text, QWidget* field) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(scaled(6));
    row->addWidget(new QuietLabel(text, TextRole::kNote));
    row->addWidget(field);
    return box;
}

}  // namespace

PositionPage::PositionPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    column->addWidget(makeControls());
    bar_ = new InlineBar;
    bar_->hide();
    makeCards();
    column->addWidget(body_, 1);
    column->addWidget(bar_);
    makeInspector();
    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(kDebounceMs);
    connect(timer_, &QTimer::timeout, this, &PositionPage::recompute);

    connect(encoding_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) encodingChosen();
    });
    for (QLineEdit* edit : {heads_, headDim_, length_, position_})
        connect(edit, &QLineEdit::editingFinished, this, &PositionPage::recompute);
    connect(form_, &ParameterForm::changed, this, [this] {
        if (!before_ && view_.ok()) before_ = view_;  // what it was stays until it is reset
        given_ = form_->values();
        leaveOut();
        timer_->start();
    });
    connect(show_, &Segments::currentChanged, this, [this] { recompute(); });
    connect(factor_, &Segments::currentChanged, this, [this] { drawBias(); });
    connect(grid_, &HeatmapGrid::chosenChanged, this, [this](int head) { session_.selection().setHead(head); });
    connect(grid_, &HeatmapGrid::cellHovered, this, [this](int, int query, int key, double) {
        hoverQuery_ = query;
        hoverKey_ = key;
        showReading();
    });
    connect(wheel_, &PhaseWheel::pairSelected, this, [this](int pair) {
        pair_ = pair;
        drawRotation();
        showReading();
        fillInspector();
        Q_EMIT inspectorChanged();
    });
    connect(bar_, &InlineBar::actionTriggered, this, [this] { Q_EMIT pageRequested(QStringLiteral("extrapolation")); });
    connect(&session_.selection(), &Selection::headChanged, this, [this] {
        grid_->setChosen(session_.selection().head());
        if (!isVisible()) return;
        if (view_.hasBias() && shown() == Show::kEncoding) {
            drawReach();
            drawKernels();
        }
        fillInspector();
        showReading();
        Q_EMIT inspectorChanged();
    });
    connect(&session_.selection(), &Selection::runChanged, this, [this] {
        if (isVisible())
            takeArm();
        else
            fresh_ = true;
    });
    connect(&session_, &Session::projectChanged, this, [this] { fresh_ = true; });
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (fresh_ && isVisible()) takeArm();
    });
    filling_ = true;
    encoding_->setCurrentText("alibi");
    filling_ = false;
    encodingChosen();
    fresh_ = true;
}

QWidget* PositionPage::makeControls() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(scaled(12));
    encoding_ = new QComboBox;
    encoding_->setAccessibleName(tr("Encoding"));
    for (const EncodingSpec& spec : encoding_catalog()) {
        encoding_->addItem(QString::fromStdString(spec.id));
        encoding_->setItemData(encoding_->count() - 1, QString::fromStdString(spec.name), Qt::ToolTipRole);
    }
    const auto edit = [](const QString& name, const QString& text) {
        auto* made = new QLineEdit(text);
        made->setFont(textFont(TextRole::kValue));
        made->setFixedWidth(scaled(56));
        made->setAccessibleName(name);
        return made;
    };
    heads_ = edit(tr("Heads"), "8");
    headDim_ = edit(tr("Width of a head"), "64");
    length_ = edit(tr("Length in tokens"), "64");
    position_ = edit(tr("Position"), "48");
    row->addWidget(encoding_);
    show_ = new Segments({tr("encoding"), tr("precision"), tr("all over distance")});
    show_->setAccessibleName(tr("What is shown"));
    row->addWidget(show_);
    headsBox_ = labelled(tr("Heads"), heads_);
    headDimBox_ = labelled(tr("head_dim"), headDim_);
    positionBox_ = labelled(tr("Position"), position_);
    row->addWidget(headsBox_);
    row->addWidget(headDimBox_);
    row->addWidget(labelled(tr("Length"), length_));
    row->addWidget(positionBox_);
    factor_ = new Segments({tr("bias"), tr("e^bias")});
    factor_->setAccessibleName(tr("Bias or its factor on the weight"));
    row->addWidget(factor_);
    row->addStretch(1);
    auto* arm = new QPushButton(tr("As the selected arm"));
    connect(arm, &QPushButton::clicked, this, &PositionPage::takeArm);
    row->addWidget(arm);
    return bar;
}

void PositionPage::makeCards() {
    body_ = new QWidget;
    const auto plotCard = [this](const QString& title, CurvePlot*& plot) {
        plot = new CurvePlot;
        plot->setAccessibleName(title);
        plot->setProperty("viewKeys", true);
        auto* card = new Card(title, body_);
        card->setContent(plot);
        card->setTableSource([shown = plot] { return shown->table(); });
        return card;
    };
    const auto heatCard = [this](const QString& title, HeatmapView*& heat, bool square) {
        heat = new HeatmapView;
        heat->setAccessibleName(title);
        heat->setProperty("viewKeys", true);
        heat->setSquareCells(square);
        auto* card = new Card(title, body_);
        card->setContent(heat);
        card->setTableSource([shown = heat] { return shown->table(); });
        return card;
    };
    grid_ = new HeatmapGrid;
    grid_->setAccessibleName(tr("Bias of every head"));
    grid_->setProperty("viewKeys", true);
    biasCard_ = new Card(tr("Bias added to the scores, head by head"), body_);
    biasCard_->setContent(grid_);
    biasCard_->setTableSource([this] {
        if (headTable_ == nullptr)
            headTable_ = new MatrixTableModel([this]() -> const MatrixData& { return headMatrix_; }, this);
        headTable_->refresh();
        return headTable_;
    });
    const auto readOut = [] {
        auto* label = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
        label->setContentsMargins(scaled(10), scaled(6), scaled(10), scaled(6));
        label->setMinimumWidth(1);
        label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        return label;
    };
    reading_ = readOut();
    turned_ = readOut();
    biasCard_->setFoot(reading_);
    slopeCard_ = plotCard(tr("Slopes"), slopes_);
    reachCard_ = plotCard(tr("How far each head sees"), reach_);
    kernelCard_ = plotCard(tr("Kernel over distance"), kernels_);
    bucketCard_ = plotCard(tr("Buckets"), buckets_);
    phaseCard_ = plotCard(tr("Phase of every pair"), phases_);
    wheel_ = new PhaseWheel;
    wheel_->setProperty("viewKeys", true);
    wheelCard_ = new Card(tr("Phase wheel"), body_);
    wheelCard_->setContent(wheel_);
    wheelCard_->setFoot(turned_);
    rasterCard_ = heatCard(tr("Cosine of every pair"), raster_, false);
    waveCard_ = plotCard(tr("Wavelengths"), waves_);
    decayCard_ = plotCard(tr("Long-term decay"), decay_);
    parameterCard_ = new Card(tr("Parameters"), body_);
    parameterCard_->setContent(makeWorkbench());
    tableCard_ = heatCard(tr("Vector added to each position"), tableView_, false);
    similarityCard_ = heatCard(tr("Similarity of positions"), similarity_, true);
    allCard_ = plotCard(tr("All encodings over distance"), all_);
    errorCard_ = plotCard(tr("Error by position"), errors_);
    distinctCard_ = plotCard(tr("Positions that stay apart"), distinct_);
    precisionTable_ = new ArmTable({tr("format"), tr("largest error"), tr("positions left"), tr("first lost")});
    lossCard_ = new Card(tr("Against double precision"), body_);
    lossCard_->setContent(precisionTable_);
    auto* grid = new QGridLayout(body_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(scaled(8));
}

// The sliders, what they give, and the way back.
QWidget* PositionPage::makeWorkbench() {
    form_ = new ParameterForm;
    auto* workbench = new QWidget;
    auto* column = new QVBoxLayout(workbench);
    column->setContentsMargins(0, 0, 0, scaled(8));
    column->setSpacing(scaled(4));
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumHeight(scaled(60));
    scroll->setWidget(form_);
    scroll->viewport()->setAutoFillBackground(false);
    form_->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    workFormula_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    workFormula_->setWordWrap(true);
    workFormula_->setAccessibleName(tr("Formula with the current numbers"));
    workFormula_->setContentsMargins(scaled(12), 0, scaled(12), 0);
    workFormula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(workFormula_);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(scaled(12), 0, scaled(12), 0);
    auto* keep = new QPushButton(tr("Keep as comparison"));
    keep->setToolTip(tr("The present curves stay, faint, while the sliders move on."));
    connect(keep, &QPushButton::clicked, this, [this] {
        before_ = view_;
        recompute();
    });
    auto* reset = new QPushButton(tr("Reset"));
    connect(reset, &QPushButton::clicked, this, [this] {
        given_.clear();
        before_.reset();
        if (const EncodingSpec* spec = find_encoding(shownEncoding_)) form_->setEncoding(*spec, given_);
        leaveOut();
        recompute();
    });
    buttons->addWidget(keep);
    buttons->addWidget(reset);
    buttons->addStretch(1);
    column->addLayout(buttons);
    return workbench;
}

void PositionPage::makeInspector() {
    inspector_ = new QWidget;
    auto* column = new QVBoxLayout(inspector_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto text = [](TextRole role) {
        auto* label = new QuietLabel({}, role, QuietLabel::Ink::kText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return label;
    };
    auto* formula = new Section(tr("Formula"));
    formula_ = text(TextRole::kValue);
    formula->add(formula_);
    column->addWidget(formula);
    numbersSection_ = new Section(tr("With the current numbers"));
    numbers_ = text(TextRole::kValue);
    numbersSection_->add(numbers_);
    column->addWidget(numbersSection_);
    auto* words = new Section(tr("In words"));
    words_ = text(TextRole::kNote);
    words->add(words_);
    column->addWidget(words);
    auto* table = new Section(tr("Numbers"));
    rows_ = new ArmTable({tr("head"), tr("slope"), tr("half"), tr("1/e")});
    rows_->setMinimumHeight(scaled(240));
    table->add(rows_);
    column->addWidget(table);
    connect(rows_, &ArmTable::rowChosen, this, [this](int row) {
        if (view_.hasBias()) {
            session_.selection().setHead(row);
        } else if (view_.hasRotation() && row != pair_) {
            pair_ = row;
            wheel_->setSelected(row);
            drawRotation();
            showReading();
            Q_EMIT inspectorChanged();
        }
    });
    warningSection_ = new Section(tr("Mind"));
    warnings_ = text(TextRole::kNote);
    warningSection_->add(warnings_);
    column->addWidget(warningSection_);
    auto* reference = new Section(tr("Reference"));
    reference_ = text(TextRole::kNote);
    reference_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    reference_->setOpenExternalLinks(true);
    reference->add(reference_);
    column->addWidget(reference);
    column->addStretch(1);
}

std::int64_t PositionPage::number(QLineEdit* edit, std::int64_t low, std::int64_t high, std::int64_t otherwise) const {
    const auto value = parse_integer(edit->text().trimmed().toStdString());
    const std::int64_t good = value && *value >= low && *value <= high ? *value : otherwise;
    if (!value || *value != good) edit->setText(QString::number(good));
    return good;
}

void PositionPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (fresh_) takeArm();
}

void PositionPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitBias();
}

void PositionPage::takeArm() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const auto runs = now->runsOf(session_.selection().arm());
    if (!runs.empty()) {
        fresh_ = false;
        // The chosen run, else the first of the arm whose learned values are there.
        const RunPlan& plan = *runs.front()->plan;
        std::shared_ptr<const nlohmann::json> values;
        QString of;
        for (const RunSnapshot* run : runs) {
            const bool other = !session_.selection().run().isEmpty() && run->folder() != session_.selection().run();
            if (values || other || run->state->checkpoints.empty()) continue;
            values = learnedValuesOf(QString::fromStdString(run->directory.path + "/" + run->state->checkpoints.back()),
                                     plan.encoding, plan.model.encoding_site(), session_.selection().layer());
            if (values) of = tr("%1 s%2").arg(run->arm()).arg(run->seed());
        }
        trained_ = values;
        trainedOf_ = of;
        showEncoding(plan.encoding, plan.model.encoding_site());
        return;
    }
    // Not planned yet: the experiment knows it.
    ExperimentModel& experiment = session_.experiment();
    for (int arm = 0; arm < experiment.armCount(); ++arm) {
        if (experiment.armName(arm) != session_.selection().arm()) continue;
        const auto model = experiment.modelOf(arm);
        const auto whole = experiment.experiment();
        if (!model || !whole.ok()) return;
        const std::vector<ArmConfig> arms = whole->arms();
        fresh_ = false;
        trained_.reset();
        showEncoding(arms[static_cast<std::size_t>(arm)].encoding, model->encoding_site());
        return;
    }
}

void PositionPage::showEncoding(const EncodingConfig& encoding, const EncodingSite& site) {
    filling_ = true;
    site_ = site;
    heads_->setText(QString::number(site.n_head));
    headDim_->setText(QString::number(site.head_dim));
    length_->setText(QString::number(site.context_length));
    position_->setText(QString::number(site.context_length * 3 / 4));
    encoding_->setCurrentText(QString::fromStdString(encoding.id));
    filling_ = false;
    shownEncoding_ = encoding.id;
    given_ = encoding.parameters;
    before_.reset();
    if (const EncodingSpec* spec = find_encoding(shownEncoding_)) form_->setEncoding(*spec, given_);
    leaveOut();
    recompute();
}

void PositionPage::encodingChosen() {
    shownEncoding_ = encoding_->currentText().toStdString();
    given_.clear();
    before_.reset();
    trained_.reset();
    if (const EncodingSpec* spec = find_encoding(shownEncoding_)) form_->setEncoding(*spec, given_);
    leaveOut();
    recompute();
}

// Of a choice of scalings each uses only some of the numbers.
void PositionPage::leaveOut() {
    static const QHash<QString, QStringList> used = {
        {"none", {}},
        {"linear", {"factor"}},
        {"ntk", {"factor"}},
        {"dynamic-ntk", {"factor", "original_length", "sequence_length"}},
        {"yarn", {"factor", "original_length", "beta_fast", "beta_slow", "attention_factor"}},
        {"yarn-paper", {"factor", "original_length", "beta_fast", "beta_slow", "attention_factor"}},
        {"llama3", {"factor", "original_length", "low_freq_factor", "high_freq_factor"}}};
    const EncodingSpec* spec = find_encoding(shownEncoding_);
    QStringList left;
    for (std::size_t i = 0; spec != nullptr && i < spec->parameters.size(); ++i) {
        const ParameterSpec& scaling = spec->parameters[i];
        if (scaling.name != "scaling") continue;
        const auto given = given_.find(scaling.name);
        const auto now = QString::fromStdString(to_text(given != given_.end() ? given->second : scaling.default_value));
        for (const QStringList& names : used) {
            for (const QString& name : names) {
                if (!used.value(now).contains(name) && !left.contains(name)) left << name;
            }
        }
    }
    form_->setLeftOut(left);
}

PositionPage::Show PositionPage::shown() const {
    return static_cast<Show>(std::clamp(show_->currentIndex(), 0, 2));
}

void PositionPage::setShow(Show show) {
    show_->setCurrentIndex(static_cast<int>(show));
    recompute();
}

void PositionPage::setLength(std::int64_t length) {
    length_->setText(QString::number(length));
    recompute();
}

void PositionPage::setHeads(std::int64_t heads) {
    heads_->setText(QString::number(heads));
    recompute();
}

PositionRequest PositionPage::request() const {
    PositionRequest request;
    request.encoding.id = shownEncoding_;
    request.encoding.parameters = given_;
    request.site = site_;
    request.site.n_head = number(heads_, 1, 128, 8);
    request.site.head_dim = number(headDim_, 2, 1024, 64);
    request.site.d_model = request.site.n_head * request.site.head_dim;
    request.length = number(length_, 2, kLongestTable, 64);
    // Many heads are small on the screen.
    request.matrix = std::min<std::int64_t>(request.length, request.site.n_head > 16 ? kMatrixLimit / 2 : kMatrixLimit);
    // Trained values belong to the sizes they were trained at.
    if (request.site.n_head == site_.n_head && request.site.head_dim == site_.head_dim) request.values = trained_;
    return request;
}

void PositionPage::recompute() {
    const PositionRequest asked = request();
    view_ = positionView(asked);
    if (!view_.ok()) {
        bar_->show(BarKind::kError, tr("This encoding cannot be drawn."), view_.problem);
        return;
    }
    headsBox_->setVisible(view_.spec.traits.bias);
    headDimBox_->setVisible(view_.spec.traits.rotary || view_.spec.traits.additive);
    positionBox_->setVisible(view_.hasRotation() && shown() == Show::kEncoding);
    factor_->setVisible(view_.hasBias() && shown() == Show::kEncoding);
    arrange();
    if (shown() == Show::kPrecision) {
        precision_ = precisionView(asked);
        drawPrecision();
    } else if (shown() == Show::kAll) {
        drawAll();
    } else if (view_.hasBias()) {
        drawBias();
        if (view_.hasSlopes()) drawSlopes();
        if (!view_.buckets.empty()) drawBuckets();
        drawReach();
        drawKernels();
    } else if (view_.hasRotation()) {
        drawRotation();
        drawWavelengths();
        drawDecay();
    } else {
        if (view_.hasTable()) drawTable();
        drawAll();
    }
    // A list of slopes is a table already, beside the page.
    workFormula_->setText(view_.formula);
    workFormula_->setVisible(!view_.hasSlopes());
    fillInspector();
    showReading();
    showMessage();
    fitBias();
    Q_EMIT inspectorChanged();
    Q_EMIT redrawn();
}

void PositionPage::showMessage() {
    const std::size_t heads = view_.heads.size();
    if (shown() == Show::kPrecision) {
        QString fact;
        for (const PrecisionLine& line : precision_.lines) {
            if (line.report.distinct_positions < line.report.positions)
                fact = tr("In %1, %2 of %3 positions are left.")
                           .arg(QString::fromLatin1(precision_name(line.precision)))
                           .arg(groupedNumber(line.report.distinct_positions), groupedNumber(line.report.positions));
        }
        if (!precision_.problem.isEmpty())
            bar_->show(BarKind::kWarning, tr("A format is left out."), precision_.problem);
        else if (fact.isEmpty())
            bar_->hide();
        else
            bar_->show(BarKind::kInfo, fact,
                       tr("Positions are whole numbers; a format with few bits rounds neighbours to the same one. "
                          "Make positions and angles in fp32 and round last."));
    } else if (view_.hasRotation() && view_.neverTurn() > 0) {
        bar_->show(BarKind::kInfo,
                   tr("%1 of %2 pairs never complete a turn within %3 tokens.")
                       .arg(view_.neverTurn())
                       .arg(view_.inverseFrequencies.size())
                       .arg(view_.trainingLength),
                   tr("Past position %1 they reach angles never seen in training.").arg(view_.trainingLength),
                   tr("Show in extrapolation"));
    } else if (view_.hasSlopes() && (heads & (heads - 1)) != 0) {
        std::size_t power = 1;
        while (power * 2 < heads)
            power *= 2;
        bar_->show(BarKind::kInfo, tr("%1 heads are not a power of two, so their slopes are not in order.").arg(heads),
                   tr("The first %1 take the slopes of %1 heads; the other %2 take every second slope of %3, the odd "
                      "ones, so that no slope comes twice. Checkpoints are trained in this order: sorting the slopes "
                      "would give every head another bias.")
                       .arg(power)
                       .arg(heads - power)
                       .arg(2 * power));
    } else if (view_.untrained) {
        bar_->show(BarKind::kInfo, tr("This encoding is learned; it is drawn as it begins."),
                   tr("Choose a run of it with a checkpoint to see what training made of it."));
    } else {
        bar_->hide();
    }
}

void PositionPage::arrange() {
    auto* grid = static_cast<QGridLayout*>(body_->layout());
    std::vector<std::vector<std::pair<Card*, int>>> rows;  // card, columns of twelve
    if (shown() == Show::kPrecision) {
        rows.push_back({{errorCard_, 12}});
        rows.push_back({{distinctCard_, 7}, {lossCard_, 5}});
    } else if (shown() == Show::kAll) {
        rows.push_back({{allCard_, 12}});
    } else if (view_.hasBias()) {
        rows.push_back({{biasCard_, 12}});
        std::vector<Card*> lower;
        if (view_.hasSlopes()) lower.push_back(slopeCard_);
        if (!view_.buckets.empty()) lower.push_back(bucketCard_);
        if (std::any_of(view_.heads.begin(), view_.heads.end(),
                        [](const HeadBias& head) { return head.halfDistance.has_value(); }))
            lower.push_back(reachCard_);
        lower.push_back(kernelCard_);
        lower.push_back(parameterCard_);
        rows.emplace_back();
        for (Card* card : lower)
            rows.back().emplace_back(card, 12 / static_cast<int>(lower.size()));
    } else if (view_.hasRotation()) {
        rows.push_back({{phaseCard_, 4}, {wheelCard_, 4}, {rasterCard_, 4}});
        if (view_.decay.empty())
            rows.push_back({{waveCard_, 6}, {parameterCard_, 6}});
        else
            rows.push_back({{waveCard_, 4}, {decayCard_, 4}, {parameterCard_, 4}});
    } else if (view_.hasTable()) {
        rows.push_back({{similarityCard_, 6}, {tableCard_, 6}});
        rows.push_back({{allCard_, 8}, {parameterCard_, 4}});
    } else {
        rows.push_back({{allCard_, 12}});
    }
    for (Card* card : body_->findChildren<Card*>(QString(), Qt::FindDirectChildrenOnly)) {
        bool used = false;
        for (const auto& row : rows) {
            for (const auto& [each, span] : row)
                used = used || each == card;
        }
        if (!used) {
            grid->removeWidget(card);
            card->hide();
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        int column = 0;
        for (const auto& [card, span] : rows[row]) {
            grid->addWidget(card, static_cast<int>(row), column, 1, span);
            // Spans alone share the width; what stands inside does not push.
            card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
            card->show();
            column += span;
        }
    }
    for (int column = 0; column < 12; ++column)
        grid->setColumnStretch(column, 1);
    const bool bias = shown() == Show::kEncoding && view_.hasBias();
    grid->setRowStretch(0, bias ? 8 : 1);
    grid->setRowStretch(1, rows.size() > 1 ? (bias ? 5 : 1) : 0);
}

// Few heads leave the lower half of their card empty: the charts below take that room.
void PositionPage::fitBias() {
    if (!biasCard_->isVisibleTo(body_) || grid_->cells().empty()) {
        biasCard_->setMaximumHeight(QWIDGETSIZE_MAX);
        return;
    }
    const int outside = scaled(28) + reading_->sizeHint().height() + 4;
    const int most = std::max(scaled(180), (body_->height() * 8) / 13 - outside);
    biasCard_->setMaximumHeight(outside + grid_->usedHeight(QSize(body_->width() - 2, most)));
}

int PositionPage::chosenHead() const {
    return std::clamp(session_.selection().head(), 0, std::max(0, static_cast<int>(view_.heads.size()) - 1));
}

QString PositionPage::headText(std::size_t head) const {
    const auto slope = view_.heads[head].slope;
    if (!slope) return {};
    // Powers of two read best as fractions.
    const double inverse = 1.0 / *slope;
    if (std::abs(inverse - std::round(inverse)) < 1e-9 && inverse >= 1 && inverse <= 4096)
        return tr("m = 1/%1").arg(static_cast<qint64>(std::llround(inverse)));
    return tr("m = %1").arg(displayNumber(*slope, 3));
}

}  // namespace sextant
