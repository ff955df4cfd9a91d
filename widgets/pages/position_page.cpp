#include "widgets/pages/position_page.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
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
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

namespace sextant {

namespace {

constexpr int kDebounceMs = 15;  // a slider answers within 50 ms, many moves make one drawing
constexpr std::int64_t kLongest = 4096;

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
        given_ = form_->values();
        timer_->start();
    });
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
    });
    connect(&session_.selection(), &Selection::headChanged, this, [this] {
        grid_->setChosen(session_.selection().head());
        if (!isVisible()) return;
        drawReach();
        drawKernels();
        fillInspector();
        showReading();
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
    row->addWidget(labelled(tr("Encoding"), encoding_));
    row->addWidget(labelled(tr("Heads"), heads_));
    row->addWidget(labelled(tr("head_dim"), headDim_));
    row->addWidget(labelled(tr("Length"), length_));
    positionBox_ = labelled(tr("Position"), position_);
    row->addWidget(positionBox_);
    auto* arm = new QPushButton(tr("As the selected arm"));
    connect(arm, &QPushButton::clicked, this, &PositionPage::takeArm);
    row->addWidget(arm);
    row->addStretch(1);
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
        return card;
    };
    const auto heatCard = [this](const QString& title, HeatmapView*& heat) {
        heat = new HeatmapView;
        heat->setAccessibleName(title);
        heat->setProperty("viewKeys", true);
        auto* card = new Card(title, body_);
        card->setContent(heat);
        return card;
    };
    grid_ = new HeatmapGrid;
    grid_->setAccessibleName(tr("Bias of every head"));
    grid_->setProperty("viewKeys", true);
    biasCard_ = new Card(tr("Bias added to the scores, head by head"), body_);
    biasCard_->setContent(grid_);
    reading_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    reading_->setContentsMargins(scaled(10), scaled(6), scaled(10), scaled(6));
    slopeCard_ = plotCard(tr("Slopes"), slopes_);
    reachCard_ = plotCard(tr("How far each head sees"), reach_);
    kernelCard_ = plotCard(tr("Kernel over distance"), kernels_);
    phaseCard_ = plotCard(tr("Phase of every pair"), phases_);
    wheel_ = new PhaseWheel;
    wheel_->setProperty("viewKeys", true);
    wheelCard_ = new Card(tr("Phase wheel"), body_);
    wheelCard_->setContent(wheel_);
    rasterCard_ = heatCard(tr("Cosine of every pair"), raster_);
    waveCard_ = plotCard(tr("Wavelengths"), waves_);
    decayCard_ = plotCard(tr("Long-term decay"), decay_);
    form_ = new ParameterForm;
    auto* workbench = new QWidget;
    auto* workColumn = new QVBoxLayout(workbench);
    workColumn->setContentsMargins(0, 0, 0, scaled(8));
    workColumn->addWidget(form_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(scaled(12), 0, scaled(12), 0);
    auto* keep = new QPushButton(tr("Keep as comparison"));
    connect(keep, &QPushButton::clicked, this, [this] {
        before_ = view_;
        recompute();
    });
    auto* reset = new QPushButton(tr("Reset"));
    connect(reset, &QPushButton::clicked, this, [this] {
        given_.clear();
        before_.reset();
        if (const EncodingSpec* spec = find_encoding(shownEncoding_)) form_->setEncoding(*spec, given_);
        recompute();
    });
    buttons->addWidget(keep);
    buttons->addWidget(reset);
    buttons->addStretch(1);
    workColumn->addLayout(buttons);
    parameterCard_ = new Card(tr("Parameters"), body_);
    parameterCard_->setContent(workbench);
    tableCard_ = heatCard(tr("Vector added to each position"), tableView_);
    similarityCard_ = heatCard(tr("Similarity of positions"), similarity_);
    allCard_ = plotCard(tr("All encodings over distance"), all_);
    auto* grid = new QGridLayout(body_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(scaled(8));
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
        }
    });
    warningSection_ = new Section(tr("Mind"));
    warnings_ = text(TextRole::kNote);
    warningSection_->add(warnings_);
    column->addWidget(warningSection_);
    auto* reference = new Section(tr("Reference"));
    reference_ = text(TextRole::kNote);
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
}

void PositionPage::takeArm() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const auto runs = now->runsOf(session_.selection().arm());
    if (!runs.empty()) {
        fresh_ = false;
        showEncoding(runs.front()->plan->encoding, runs.front()->plan->model.encoding_site());
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
    recompute();
}

void PositionPage::encodingChosen() {
    shownEncoding_ = encoding_->currentText().toStdString();
    given_.clear();
    before_.reset();
    if (const EncodingSpec* spec = find_encoding(shownEncoding_)) form_->setEncoding(*spec, given_);
    recompute();
}

void PositionPage::recompute() {
    PositionRequest request;
    request.encoding.id = shownEncoding_;
    request.encoding.parameters = given_;
    request.site = site_;
    request.site.n_head = number(heads_, 1, 128, 8);
    request.site.head_dim = number(headDim_, 2, 1024, 64);
    request.site.d_model = request.site.n_head * request.site.head_dim;
    request.length = number(length_, 2, kLongest, 64);
    request.matrix = std::min<std::int64_t>(request.length, kMatrixLimit);
    view_ = positionView(request);
    if (!view_.ok()) {
        bar_->show(BarKind::kError, tr("This encoding cannot be drawn."), view_.problem);
        return;
    }
    arrange();
    if (view_.hasBias()) {
        drawBias();
        drawSlopes();
        drawReach();
        drawKernels();
    }
    if (view_.hasRotation()) {
        drawRotation();
        drawWavelengths();
        drawDecay();
    }
    if (view_.hasTable()) drawTable();
    drawAll();
    fillInspector();
    showReading();
    if (view_.hasRotation() && view_.neverTurn() > 0) {
        bar_->show(BarKind::kInfo,
                   tr("%1 of %2 pairs never complete a turn within %3 tokens.")
                       .arg(view_.neverTurn())
                       .arg(view_.inverseFrequencies.size())
                       .arg(view_.trainingLength),
                   tr("Past position %1 they reach angles never seen in training.").arg(view_.trainingLength));
    } else if (view_.learnedTable) {
        bar_->show(BarKind::kInfo, tr("This encoding is learned: its table exists only in a trained model."),
                   tr("Before training it is random; positions beyond its length do not exist."));
    } else {
        bar_->hide();
    }
    Q_EMIT inspectorChanged();
}

void PositionPage::arrange() {
    auto* grid = static_cast<QGridLayout*>(body_->layout());
    std::vector<std::vector<std::pair<Card*, int>>> rows;  // card, columns of six
    if (view_.hasBias()) {
        rows.push_back({{biasCard_, 6}});
        std::vector<std::pair<Card*, int>> lower;
        const bool sloped = std::all_of(view_.heads.begin(), view_.heads.end(),
                                        [](const HeadBias& head) { return head.slope.has_value(); });
        const bool reached = std::any_of(view_.heads.begin(), view_.heads.end(),
                                         [](const HeadBias& head) { return head.halfDistance.has_value(); });
        if (sloped) lower.emplace_back(slopeCard_, 2);
        if (reached) lower.emplace_back(reachCard_, sloped ? 2 : 3);
        lower.emplace_back(kernelCard_, sloped ? 2 : reached ? 3 : 4);
        if (lower.size() < 3) lower.emplace_back(parameterCard_, lower.size() == 1 ? 2 : 2);
        if (lower.size() == 3 && lower.back().first == parameterCard_) {
            lower[0].second = lower[1].second = 2;
        }
        rows.push_back(std::move(lower));
    } else if (view_.hasRotation()) {
        rows.push_back({{phaseCard_, 2}, {wheelCard_, 2}, {rasterCard_, 2}});
        rows.push_back({{waveCard_, 2}, {decayCard_, 2}, {parameterCard_, 2}});
    } else if (view_.hasTable()) {
        rows.push_back({{similarityCard_, 3}, {tableCard_, 3}});
        rows.push_back({{allCard_, 4}, {parameterCard_, 2}});
    } else {
        rows.push_back({{allCard_, 4}, {parameterCard_, 2}});
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
            card->show();
            column += span;
        }
    }
    for (int column = 0; column < 6; ++column)
        grid->setColumnStretch(column, 1);
    grid->setRowStretch(0, view_.hasBias() ? 8 : 1);
    grid->setRowStretch(1, rows.size() > 1 ? (view_.hasBias() ? 5 : 1) : 0);
    Card* footed = view_.hasBias() ? biasCard_ : view_.hasRotation() ? phaseCard_ : nullptr;
    if (footed != nullptr) footed->setFoot(reading_);
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
