#include "widgets/pages/attention_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/data/corpus.h"
#include "widgets/controls/card.h"
#include "widgets/controls/icon_button.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/token_strip.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/curve_table_model.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/matrix_table_model.h"

namespace sextant {

namespace {

constexpr std::int64_t kLongestText = 4096;
constexpr int kTextProbe = 0, kTextOwn = 1, kTextCorpus = 2;
const char* const kThisRun = ".";

struct Passage {
    QString text, problem;
};

// Documents of the test split from one on, enough bytes for so many tokens.
Passage passageOf(const CorpusConfig& config, std::int64_t sample, std::int64_t tokens) {
    const auto bytes = static_cast<std::size_t>(tokens * 12);
    const auto corpus = read_corpus(config);
    if (!corpus.ok()) return {{}, QString::fromStdString(corpus.error().sentence())};
    std::string text;
    if (corpus->generate) {
        for (std::int64_t i = sample; text.size() < bytes; ++i)
            text += corpus->generate("test", i) + "\n";
    } else {
        const std::vector<std::string>& documents = corpus->test.empty() ? corpus->validation : corpus->test;
        for (std::size_t i = 0; i < documents.size() && text.size() < bytes; ++i)
            text += documents[(static_cast<std::size_t>(sample) + i) % documents.size()] + "\n";
    }
    return {QString::fromStdString(text), {}};
}

}  // namespace

AttentionPage::AttentionPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    column->addWidget(makeControls());
    bar_ = new InlineBar;
    bar_->hide();
    column->addWidget(bar_);
    views_ = new QStackedWidget;
    views_->addWidget(makeMatrixView());
    views_->addWidget(makeProbesView());
    column->addWidget(views_, 1);
    makeInspector();

    Selection& selection = session_.selection();
    connect(&model_, &AttentionModel::changed, this, &AttentionPage::refresh);
    connect(&model_, &AttentionModel::historyChanged, this, [this] {
        if (isVisible()) drawHistory();
    });
    connect(&model_, &AttentionModel::probesChanged, this, [this] {
        if (isVisible()) drawProbes();
    });
    connect(order_, &QComboBox::currentIndexChanged, this, &AttentionPage::refresh);
    connect(&selection, &Selection::runChanged, this, [this] {
        foreign_.clear();
        if (isVisible())
            takeRun();
        else
            fresh_ = true;
    });
    connect(&selection, &Selection::stepChanged, this, [this] {
        if (isVisible())
            takeRun();
        else
            fresh_ = true;
    });
    connect(&session_, &Session::projectChanged, this, [this] {
        fresh_ = true;
        foreign_.clear();
        model_.forget();
        if (!session_.isOpen()) model_.client().rest();
        // The first row is always 1, so the largest weight says little: begin with a percentile.
        ColourRange range = session_.selection().range();
        range.mode = ColourRangeMode::kPercentile;
        session_.selection().setRange(range);
        source_->setCurrentIndex(kTextProbe);
        text_->show();
        corpusBox_->hide();
        model_.setText({});
    });
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (!isVisible()) return;
        // A run that trains writes snapshots: the newest is followed.
        if (fresh_ || (session_.selection().followLive() && stepsOf(runA()).size() != knownSteps_)) takeRun();
    });
    connect(&selection, &Selection::headChanged, this, [this] {
        if (isVisible()) takeRun();
    });
    connect(&selection, &Selection::rangeChanged, this, [this] {
        if (isVisible()) refresh();
    });
    connect(&selection, &Selection::cellChanged, this, [this] {
        if (!isVisible()) return;
        drawRow();
        fillInspector();
        Q_EMIT inspectorChanged();
    });
    connect(matrix_, &HeatmapView::cellLocked, this,
            [this](int row, int column, double) { session_.selection().setCell(row, column); });
    connect(strip_, &TokenStrip::tokenLocked, this, [this](int token) {
        compared_ = -1;
        const int key = session_.selection().key();
        session_.selection().setCell(token, key >= 0 && key <= token ? key : token);
        matrix_->lockCell(QPoint(session_.selection().key(), token));
    });
    connect(strip_, &TokenStrip::tokenCompared, this, [this](int token) {
        compared_ = token == compared_ ? -1 : token;
        drawRow();
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
    const auto named = [](auto* widget, const QString& name) {
        widget->setAccessibleName(name);
        return widget;
    };
    const auto note = [](const QString& text) { return new QuietLabel(text, TextRole::kNote); };
    auto* first = new QHBoxLayout;
    first->setSpacing(scaled(8));
    source_ = named(new QComboBox, tr("Where the text comes from"));
    source_->addItems({tr("probe text"), tr("own text"), tr("corpus")});
    text_ = named(new QLineEdit, tr("Text to look at"));
    text_->setPlaceholderText(tr("any text"));
    corpusBox_ = new QWidget;
    auto* corpus = new QHBoxLayout(corpusBox_);
    corpus->setContentsMargins(0, 0, 0, 0);
    corpus->setSpacing(scaled(6));
    const auto number = [&](const QString& name, const QString& value) {
        auto* edit = named(new QLineEdit(value), name);
        edit->setFont(textFont(TextRole::kValue));
        edit->setFixedWidth(scaled(52));
        return edit;
    };
    sample_ = number(tr("Number of the passage"), "0");
    tokens_ = number(tr("Tokens of the passage, at most 4096"), "128");
    corpus->addWidget(note(tr("passage")));
    corpus->addWidget(sample_);
    corpus->addWidget(note(tr("tokens")));
    corpus->addWidget(tokens_);
    corpus->addStretch(1);
    corpusBox_->hide();
    first->addWidget(source_);
    first->addWidget(text_, 1);
    first->addWidget(corpusBox_, 1);
    count_ = note({});
    first->addWidget(count_);
    layer_ = named(new QComboBox, tr("Layer"));
    head_ = named(new QComboBox, tr("Head"));
    layer_->setMaximumWidth(scaled(52));
    head_->setMaximumWidth(scaled(52));
    first->addWidget(note(tr("Layer")));
    first->addWidget(layer_);
    first->addWidget(note(tr("Head")));
    first->addWidget(head_);
    term_ = named(new Segments({tr("weights"), tr("scores"), tr("content"), tr("bias"), tr("unrotated")}), tr("Term"));
    term_->setToolTip(
        tr("Scores are content plus bias; weights are their softmax. Unrotated: the content without the "
           "rotation of queries and keys."));
    first->addWidget(term_);
    view_ = named(new Segments({tr("matrix"), tr("probes")}), tr("View"));
    first->addWidget(view_);
    column->addLayout(first);

    auto* second = new QHBoxLayout;
    second->setSpacing(scaled(8));
    range_ = named(new QComboBox, tr("Range of the colours"));
    range_->addItems(
        {tr("fixed"), tr("this head"), tr("this layer"), tr("all heads"), tr("both runs"), tr("percentile")});
    range_->setCurrentIndex(static_cast<int>(session_.selection().range().mode));
    rangeText_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    rangeText_->setMinimumWidth(scaled(96));
    lock_ = new IconButton("unlock", tr("Lock the range"));
    lock_->setCheckable(true);
    lock_->setIconSize(QSize(scaled(15), scaled(15)));
    second->addWidget(note(tr("Range")));
    second->addWidget(range_);
    second->addWidget(rangeText_);
    second->addWidget(lock_);
    scale_ = named(new Segments({tr("linear"), tr("log"), tr("rank")}), tr("Scale"));
    second->addWidget(scale_);
    side_ = named(new Segments({tr("A"), tr("B"), tr("A−B")}), tr("Which run"));
    second->addWidget(side_);
    other_ = named(new QComboBox, tr("Run to compare with"));
    other_->setMinimumWidth(scaled(110));
    otherStep_ = named(new QComboBox, tr("Step of the run to compare with"));
    second->addWidget(note(tr("B")));
    second->addWidget(other_);
    second->addWidget(otherStep_);
    sidesText_ = note({});
    sidesText_->setMinimumWidth(1);
    sidesText_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    sidesText_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    second->addWidget(sidesText_, 1);
    open_ = new QPushButton(tr("Open a model..."));
    open_->setToolTip(tr("A Hugging Face folder of LLaMA form or a llama2.c file"));
    second->addWidget(open_);
    column->addLayout(second);

    connect(source_, &QComboBox::activated, this, [this] { takeText(); });
    connect(text_, &QLineEdit::editingFinished, this, [this] {
        if (text_->text() == model_.text()) return;
        source_->setCurrentIndex(kTextOwn);
        takeText();
    });
    for (QLineEdit* edit : {sample_, tokens_})
        connect(edit, &QLineEdit::editingFinished, this, [this] { takeText(); });
    connect(layer_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!filling_) session_.selection().setLayer(index);
    });
    connect(head_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!filling_) session_.selection().setHead(index);
    });
    connect(term_, &Segments::currentChanged, this, &AttentionPage::refresh);
    connect(scale_, &Segments::currentChanged, this, &AttentionPage::refresh);
    connect(side_, &Segments::currentChanged, this, &AttentionPage::refresh);
    connect(view_, &Segments::currentChanged, this, [this](int index) { showProbes(index == 1); });
    connect(range_, &QComboBox::activated, this, [this](int index) {
        ColourRange range = session_.selection().range();
        range.mode = static_cast<ColourRangeMode>(index);
        range.locked = false;
        session_.selection().setRange(range);
    });
    connect(lock_, &IconButton::toggled, this, [this](bool locked) {
        if (filling_) return;
        ColourRange range = session_.selection().range();
        range.locked = locked;
        range.low = matrix_->range().first;
        range.high = matrix_->range().second;
        session_.selection().setRange(range);
    });
    connect(other_, &QComboBox::activated, this, [this] {
        const QString chosen = other_->currentData().toString();
        otherStep_->setCurrentIndex(0);
        if (chosen != QLatin1String(kThisRun)) session_.selection().setCompared(chosen);
        takeRun();
    });
    connect(otherStep_, &QComboBox::activated, this, [this] { takeRun(); });
    connect(open_, &QPushButton::clicked, this, [this] {
        if (!foreign_.isEmpty()) {
            openModel({});
            return;
        }
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Open a model"), {}, tr("Weights (*.safetensors *.bin)"));
        if (!file.isEmpty()) openModel(file.endsWith(".safetensors") ? QFileInfo(file).path() : file);
    });
    return bar;
}

QWidget* AttentionPage::makeMatrixView() {
    auto* body = new QWidget;
    matrix_ = new HeatmapView;
    matrix_->setAccessibleName(tr("Attention matrix"));
    matrix_->setProperty("viewKeys", true);
    matrix_->setAxisNames(tr("query"), tr("key"));
    matrix_->setEmptyText(tr("Nothing to show yet."));
    matrixCard_ = new Card(tr("Attention weights"));
    matrixCard_->setContent(matrix_);
    matrixCard_->setTableSource([this] { return matrix_->table(); });
    grid_ = new HeatmapGrid;
    grid_->setAccessibleName(tr("Heads"));
    grid_->setProperty("viewKeys", true);
    headNote_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    headNote_->setContentsMargins(scaled(10), scaled(4), scaled(10), scaled(4));
    headNote_->setMinimumWidth(1);
    headTable_ = new ArmTable({tr("head"), tr("distance"), tr("entropy"), tr("sink")});
    headTable_->hide();
    gridCard_ = new Card(tr("Heads"));
    order_ = new QComboBox;
    order_->addItems({tr("order: head"), tr("mean distance"), tr("entropy"), tr("sink share")});
    order_->setAccessibleName(tr("Order of the heads"));
    gridCard_->addTitleWidget(order_);
    gridCard_->setContent(grid_);
    gridCard_->setTableSource([this] { return headTable_->model(); });
    gridCard_->setFoot(headNote_);
    row_ = new CurvePlot;
    row_->setAccessibleName(tr("Row of the locked query"));
    row_->setProperty("viewKeys", true);
    row_->setEmptyText(tr("Click a cell or a token to see its row."));
    rowTable_ = new ArmTable({tr("key"), tr("dist"), tr("content"), tr("bias"), tr("weight")});
    auto* rowBody = new QWidget;
    auto* rowColumn = new QVBoxLayout(rowBody);
    rowColumn->setContentsMargins(0, 0, 0, 0);
    rowColumn->setSpacing(0);
    rowColumn->addWidget(row_, 3);
    rowColumn->addWidget(rowTable_, 2);
    rowCard_ = new Card(tr("Row of a query"));
    rowCard_->setContent(rowBody);
    rowCard_->setTableSource([this] { return row_->table(); });
    strip_ = new TokenStrip;
    strip_->setProperty("viewKeys", true);
    auto* stripBody = new QWidget;
    auto* stripColumn = new QVBoxLayout(stripBody);
    stripColumn->setContentsMargins(scaled(10), scaled(4), scaled(10), scaled(6));
    // A long text scrolls: the matrix is what the page is for.
    stripArea_ = new QScrollArea;
    stripArea_->setFrameShape(QFrame::NoFrame);
    stripArea_->setWidgetResizable(true);
    stripArea_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    stripArea_->setFocusPolicy(Qt::NoFocus);
    stripArea_->setWidget(strip_);
    stripColumn->addWidget(stripArea_);
    stripCard_ = new Card(tr("Tokens"));
    stripCard_->setNote(tr("shaded by the weights of the locked query; click locks a row, Shift-click compares"));
    stripCard_->setContent(stripBody);
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(scaled(8));
    grid->addWidget(matrixCard_, 0, 0, 2, 1);
    grid->addWidget(gridCard_, 0, 1);
    grid->addWidget(rowCard_, 1, 1);
    grid->addWidget(stripCard_, 2, 0, 1, 2);
    for (Card* card : {matrixCard_, gridCard_, rowCard_})
        card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(0, 2);
    grid->setRowStretch(1, 3);
    return body;
}

QWidget* AttentionPage::makeProbesView() {
    auto* body = new QWidget;
    const auto plotCard = [](const QString& title, CurvePlot*& plot) {
        plot = new CurvePlot;
        plot->setAccessibleName(title);
        plot->setProperty("viewKeys", true);
        plot->setEmptyText(tr("Run the probes to see this."));
        auto* card = new Card(title);
        card->setContent(plot);
        card->setTableSource([plot] { return plot->table(); });
        return card;
    };
    shiftCard_ = plotCard(tr("The same text at later positions"), shift_);
    taskCard_ = plotCard(tr("Accuracy by distance"), tasks_);
    runProbes_ = new QPushButton(tr("Run the probes"));
    connect(runProbes_, &QPushButton::clicked, this, &AttentionPage::runProbes);
    auto* words = new QuietLabel(
        tr("Left: the text is read again with every token k positions later; a relative encoding gives the same "
           "weights, whatever k is. Right: small tasks whose answer stands a known distance before, 100 sequences "
           "each; the dotted line is what a guess gets."),
        TextRole::kNote, QuietLabel::Ink::kText);
    words->setWordWrap(true);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(scaled(8));
    auto* head = new QHBoxLayout;
    head->addWidget(words, 1);
    head->addWidget(runProbes_, 0, Qt::AlignTop);
    column->addLayout(head);
    auto* row = new QHBoxLayout;
    row->setSpacing(scaled(8));
    row->addWidget(shiftCard_, 1);
    row->addWidget(taskCard_, 1);
    column->addLayout(row, 1);
    return body;
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
    whySection_ = new Section(tr("With the current numbers"));
    why_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    why_->setWordWrap(true);
    why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    whySection_->add(why_);
    column->addWidget(whySection_);
    historySection_ = new Section(tr("This head over training"));
    const auto small = [](const QString& name) {
        auto* plot = new CurvePlot;
        plot->setInteractive(false);
        plot->setAccessibleName(name);
        plot->setFixedHeight(scaled(132));
        return plot;
    };
    history_ = small(tr("Mean distance over training"));
    sinks_ = small(tr("Sink share over training"));
    historySection_->add(history_);
    historySection_->add(sinks_);
    historyNote_ = new QuietLabel({}, TextRole::kNote);
    historyNote_->setWordWrap(true);
    historySection_->add(historyNote_);
    column->addWidget(historySection_);
    auto* range = new Section(tr("Range"));
    mode_ = range->addLine(tr("Mode"));
    shown_ = range->addLine(tr("Shown"));
    masked_ = range->addLine(tr("Masked"));
    above_ = range->addLine(tr("Above"));
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
    static const char* const terms[] = {"weights", "scores", "content", "bias", "unrotated"};
    return QString::fromLatin1(terms[std::clamp(term_->currentIndex(), 0, 4)]);
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

AttentionPage::Steps AttentionPage::stepsOf(const RunSnapshot* run) const {
    Steps steps;
    if (run == nullptr) return steps;
    const QString base = QString::fromStdString(run->directory.path) + "/";
    const auto add = [&](std::int64_t step, const QString& folder) {
        if (QFileInfo::exists(folder + "/model.safetensors")) steps.emplace_back(step, AttentionSource{folder, {}});
    };
    for (const auto& [step, file] : run->state->snapshots)
        add(step, QFileInfo(base + QString::fromStdString(file)).path());
    for (const std::string& name : run->state->checkpoints) {
        const std::size_t dash = name.rfind('-');
        const auto step = parse_integer(dash == std::string::npos ? std::string() : name.substr(dash + 1));
        if (step) add(*step, base + QString::fromStdString(name));
    }
    std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    steps.erase(
        std::unique(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        steps.end());
    return steps;
}

const RunSnapshot* AttentionPage::runA() const {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return nullptr;
    // The chosen run, or the first of the chosen arm that has weights.
    const RunSnapshot* chosen = now->find(session_.selection().run());
    if (chosen != nullptr) return chosen;
    const auto runs = now->runsOf(session_.selection().arm());
    for (const RunSnapshot* run : runs) {
        if (!stepsOf(run).empty()) return run;
    }
    return runs.empty() ? nullptr : runs.front();
}

QString AttentionPage::label(const RunSnapshot* run, std::int64_t step) const {
    if (run == nullptr) return {};
    return step >= 0 ? tr("%1 s%2, step %3").arg(run->arm()).arg(run->seed()).arg(step)
                     : tr("%1 s%2").arg(run->arm()).arg(run->seed());
}

void AttentionPage::fillRuns() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    const bool self = other_->currentData().toString() == QLatin1String(kThisRun);
    const QString chosen = self ? QString::fromLatin1(kThisRun) : session_.selection().compared();
    const QVariant step = otherStep_->currentData();
    filling_ = true;
    other_->clear();
    other_->addItem(tr("none"), QString());
    other_->addItem(tr("this run"), QString::fromLatin1(kThisRun));
    for (const RunSnapshot& run : now->runs) {
        if (!run.state->checkpoints.empty() || !run.state->snapshots.empty())
            other_->addItem(label(&run, -1), run.folder());
    }
    other_->setCurrentIndex(std::max(0, other_->findData(chosen)));
    const RunSnapshot* run = self ? runA() : now->find(other_->currentData().toString());
    otherStep_->clear();
    otherStep_->addItem(self ? tr("first step") : tr("same step"), QVariant::fromValue<qint64>(-1));
    for (const auto& [at, source] : stepsOf(run))
        otherStep_->addItem(tr("step %1").arg(at), QVariant::fromValue<qint64>(at));
    otherStep_->setCurrentIndex(std::max(0, step.isValid() ? otherStep_->findData(step) : 0));
    otherStep_->setVisible(run != nullptr);
    filling_ = false;
}

void AttentionPage::setText(const QString& text) {
    text_->setText(text);
    source_->setCurrentIndex(kTextOwn);
    takeText();
}

void AttentionPage::showCorpus(std::int64_t sample, std::int64_t tokens) {
    sample_->setText(QString::number(sample));
    tokens_->setText(QString::number(tokens));
    source_->setCurrentIndex(kTextCorpus);
    takeText();
}

void AttentionPage::takeText() {
    const int source = source_->currentIndex();
    text_->setVisible(source != kTextCorpus);
    corpusBox_->setVisible(source == kTextCorpus);
    const auto experiment = session_.experiment().experiment();
    if (source == kTextProbe) {
        QString probe;
        if (experiment.ok()) probe = QString::fromStdString(experiment->evaluation.probe_text);
        if (probe.isEmpty())
            probe = tr("Once upon a time, there was a little girl named Lily. She loved to play outside in the park.");
        text_->setText(probe);
        text_->setCursorPosition(0);
    }
    session_.selection().setCell(-1, -1);
    compared_ = -1;
    if (source != kTextCorpus) {
        model_.setText(text_->text(), kLongestText);
        takeRun();
        return;
    }
    const auto whole = [](QLineEdit* edit, std::int64_t low, std::int64_t high, std::int64_t otherwise) {
        const auto value = parse_integer(edit->text().trimmed().toStdString());
        const std::int64_t good = value ? std::clamp(*value, low, high) : otherwise;
        edit->setText(QString::number(good));
        return good;
    };
    const std::int64_t sample = whole(sample_, 0, 1'000'000, 0);
    const std::int64_t tokens = whole(tokens_, 2, kLongestText, 128);
    CorpusConfig corpus;
    if (const RunSnapshot* run = runA())
        corpus = run->plan->data.corpus;
    else if (experiment.ok())
        corpus = experiment->data.corpus;
    QtConcurrent::run(passageOf, corpus, sample, tokens).then(this, [this, tokens](const Passage& passage) {
        if (source_->currentIndex() != kTextCorpus) return;
        if (!passage.problem.isEmpty()) {
            bar_->show(BarKind::kError, tr("The corpus could not be read."), passage.problem);
            return;
        }
        model_.setText(passage.text, tokens);
        takeRun();
    });
}

void AttentionPage::openModel(const QString& path) {
    foreign_ = path;
    takeRun();
}

void AttentionPage::takeRun() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now && foreign_.isEmpty()) return;
    fresh_ = false;
    if (model_.text().isEmpty() && source_->currentIndex() == kTextProbe) {
        takeText();  // comes back here
        return;
    }
    fillRuns();
    const Selection& selection = session_.selection();
    const RunSnapshot* run = foreign_.isEmpty() ? runA() : nullptr;
    // The newest weights at or before a step; the first there are when it is earlier than all.
    const auto atStep = [](const Steps& steps, std::int64_t step) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].first <= step) at = i;
        }
        return steps.empty() ? std::pair<std::int64_t, AttentionSource>(-1, {}) : steps[at];
    };
    const Steps steps = stepsOf(run);
    knownSteps_ = steps.size();
    const std::int64_t wanted = selection.followLive() ? std::numeric_limits<std::int64_t>::max() : selection.step();
    auto a = atStep(steps, wanted);
    if (!foreign_.isEmpty()) a = {-1, AttentionSource{foreign_, tokenizerBeside(foreign_)}};
    stepA_ = a.first;
    const QString chosen = other_->currentData().toString();
    const std::int64_t otherStep = otherStep_->currentData().toLongLong();
    std::pair<std::int64_t, AttentionSource> b(-1, {});
    if (chosen == QLatin1String(kThisRun))
        b = atStep(steps, otherStep);  // "first step" is -1
    else if (now && !chosen.isEmpty())
        b = atStep(stepsOf(now->find(chosen)), otherStep >= 0 ? otherStep : wanted);
    stepB_ = b.first;
    model_.setModel(Side::kA, a.second);
    model_.setModel(Side::kB, b.second);
    model_.load(Side::kA, selection.layer(), selection.head());
    model_.load(Side::kB, selection.layer(), selection.head());
    // Statistics at no more steps than a small chart can show.
    Steps few;
    const std::size_t every = std::max<std::size_t>(1, (steps.size() + 39) / 40);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i % every == 0 || i + 1 == steps.size()) few.push_back(steps[i]);
    }
    model_.loadHistory(few);
    open_->setText(foreign_.isEmpty() ? tr("Open a model...") : tr("Back to the runs"));
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

const MatrixStatistics* AttentionPage::rangeOf(Side side, const QString& term) const {
    const int layer = session_.selection().layer();
    const int head = session_.selection().head();
    const auto maps = term == "weights" ? model_.weights(side) : model_.term(side, layer, head, term);
    const int at = maps ? maps->index(layer, head) : -1;
    return at >= 0 && at < static_cast<int>(maps->ranges.size()) ? &maps->ranges[static_cast<std::size_t>(at)]
                                                                 : nullptr;
}

void AttentionPage::sayState() {
    const auto maps = model_.weights(Side::kA);
    const RunSnapshot* run = foreign_.isEmpty() ? runA() : nullptr;
    if (!model_.problem().isEmpty()) {
        bar_->show(BarKind::kError, tr("The attention could not be computed."), model_.problem());
    } else if (model_.source(Side::kA).model.isEmpty()) {
        const bool told = run != nullptr && !run->state->checkpoints.empty();
        bar_->show(BarKind::kInfo, told ? tr("This run's weights are not here.") : tr("No weights to look into yet."),
                   told ? tr("The project was copied without its checkpoints. Train a run, or open a model.")
                        : tr("A run writes them when it is paused, stopped or finished, and at each snapshot."));
    } else if (model_.busy() && !maps) {
        bar_->show(BarKind::kInfo, tr("Computing the attention."),
                   tr("The model is read and the text is run through it once."));
    } else {
        bar_->hide();
    }
}

void AttentionPage::refresh() {
    if (!isVisible()) return;
    sayState();
    const auto maps = model_.weights(Side::kA);
    if (maps) {
        Selection& selection = session_.selection();
        filling_ = true;
        if (maps->layerCount > 0 && selection.layer() >= maps->layerCount) selection.setLayer(maps->layerCount - 1);
        if (maps->headCount > 0 && selection.head() >= maps->headCount) selection.setHead(maps->headCount - 1);
        const auto fill = [](QComboBox* box, int count, int current) {
            if (box->count() != count) {
                box->clear();
                for (int i = 0; i < count; ++i)
                    box->addItem(QString::number(i + 1));
            }
            box->setCurrentIndex(current);
        };
        fill(layer_, maps->layerCount, selection.layer());
        fill(head_, maps->headCount, selection.head());
        range_->setCurrentIndex(static_cast<int>(selection.range().mode));
        lock_->setChecked(selection.range().locked);
        lock_->setIconName(selection.range().locked ? "lock" : "unlock");
        filling_ = false;
        count_->setText(tr("%n token(s)", nullptr, static_cast<int>(maps->length)));
    }
    if (views_->currentIndex() == 1) {
        drawProbes();
    } else {
        drawMatrix();
        drawGrid();
        drawRow();
    }
    drawHistory();
    fillInspector();
    Q_EMIT inspectorChanged();
}

void AttentionPage::showProbes(bool shown) {
    view_->setCurrentIndex(shown ? 1 : 0);
    views_->setCurrentIndex(shown ? 1 : 0);
    refresh();
}

bool AttentionPage::runCommand(const QString& id) {
    if (id == "attention.cycle") {
        if (!matrix_->hasSecond()) return true;
        side_->setCurrentIndex((side_->currentIndex() + 1) % 3);
        refresh();
        return true;
    }
    if (id == "attention.range") {
        ColourRange range = session_.selection().range();
        range.mode = static_cast<ColourRangeMode>((static_cast<int>(range.mode) + 1) % range_->count());
        range.locked = false;
        session_.selection().setRange(range);
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
    if (kind.isEmpty() && views_->currentIndex() == 1) return shift_;
    return kind.isEmpty() || kind == "attention" ? matrix_ : nullptr;
}

}  // namespace sextant
