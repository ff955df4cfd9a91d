#include "widgets/pages/extrapolation_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/marks.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/arm_table.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/curve_table_model.h"

namespace sextant {

ExtrapolationPage::ExtrapolationPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    auto* row = new QHBoxLayout;
    row->setSpacing(scaled(8));
    metric_ = new QComboBox;
    metric_->addItems({tr("perplexity"), tr("loss, nats"), tr("change of the loss")});
    metric_->setAccessibleName(tr("Measure"));
    scale_ = new Segments({tr("linear"), tr("log")});
    scale_->setAccessibleName(tr("y axis"));
    scale_->setCurrentIndex(1);
    band_ = new QComboBox;
    band_->addItems({tr("95 % t interval"), tr("SE"), tr("SD"), tr("min – max"), tr("none")});
    band_->setAccessibleName(tr("Type of the band"));
    modes_ = new Segments({tr("both"), tr("non-overlapping"), tr("sliding")});
    modes_->setAccessibleName(tr("Modes"));
    published_ = new QCheckBox(tr("Published tables"));
    published_->setToolTip(
        tr("Faint curves of the papers, only as the change of the loss from the training length: "
           "their corpora and models are others."));
    row->addWidget(metric_);
    row->addWidget(scale_);
    row->addWidget(new QuietLabel(tr("Modes"), TextRole::kNote));
    row->addWidget(modes_);
    row->addWidget(new QuietLabel(tr("Band"), TextRole::kNote));
    row->addWidget(band_);
    row->addWidget(published_);
    row->addStretch(1);
    column->addLayout(row);
    const auto make = [this](const QString& title, const QString& name, CurvePlot*& plot) {
        plot = new CurvePlot;
        plot->setAccessibleName(name);
        plot->setProperty("viewKeys", true);
        plot->setEmptyText(tr("No run was evaluated yet. A run is evaluated when its training ends."));
        auto* card = new Card(title);
        card->setContent(plot);
        card->setTableSource([plot] { return plot->table(); });
        return card;
    };
    plainCard_ = make(tr("Non-overlapping windows"), tr("Extrapolation, non-overlapping windows"), plain_);
    slidingCard_ = make(tr("Sliding windows"), tr("Extrapolation, sliding windows"), sliding_);
    positionCard_ = make(tr("Loss by position"), tr("Loss by position"), position_);
    plain_->setEndValues(true, 3);
    sliding_->setEndValues(true, 3);
    table_ = new ArmTable({tr("variant")});
    tableCard_ = new Card(tr("Perplexity"));
    tableCard_->setContent(table_);
    bar_ = new InlineBar;
    bar_->hide();
    auto* grid = new QGridLayout;
    grid->setSpacing(scaled(8));
    grid->addWidget(plainCard_, 0, 0);
    grid->addWidget(slidingCard_, 0, 1);
    grid->addWidget(bar_, 1, 0, 1, 2);
    grid->addWidget(positionCard_, 2, 0);
    grid->addWidget(tableCard_, 2, 1);
    grid->setRowStretch(0, 3);
    grid->setRowStretch(2, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid, 1);
    makeInspector();

    connect(metric_, &QComboBox::currentIndexChanged, this, &ExtrapolationPage::refresh);
    connect(band_, &QComboBox::currentIndexChanged, this, &ExtrapolationPage::refresh);
    connect(scale_, &Segments::currentChanged, this, &ExtrapolationPage::refresh);
    connect(modes_, &Segments::currentChanged, this, &ExtrapolationPage::refresh);
    connect(published_, &QCheckBox::toggled, this, [this](bool shown) {
        // They can only be compared as changes.
        if (shown && !change())
            metric_->setCurrentIndex(static_cast<int>(Metric::kChange));
        else
            refresh();
    });
    connect(bar_, &InlineBar::actionTriggered, this, [this] { Q_EMIT attentionRequested(chosenLength_); });
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible()) refresh();
    });
    connect(&session_.selection(), &Selection::runChanged, this, &ExtrapolationPage::fillInspector);
    connect(&session_.selection(), &Selection::baselineChanged, this, [this] {
        if (isVisible()) refresh();
    });
    for (CurvePlot* plot : {plain_, sliding_}) {
        connect(plot, &CurvePlot::cursorMoved, this, [this](double x) {
            if (results_.lengths.empty()) return;
            if (change()) x *= static_cast<double>(results_.arms.empty() ? 1 : results_.arms.front().trainingLength);
            chosenLength_ = results_.lengths.front();
            for (const std::int64_t length : results_.lengths) {
                if (std::abs(std::log2(static_cast<double>(length) / x)) <
                    std::abs(std::log2(static_cast<double>(chosenLength_) / x)))
                    chosenLength_ = length;
            }
            refresh();
        });
        connect(plot, &CurvePlot::seriesClicked, this, [this](const QString& id) {
            for (const ArmLengths& arm : results_.arms) {
                if (arm.arm == id) session_.selection().selectArm(id);
            }
        });
    }
}

void ExtrapolationPage::makeInspector() {
    inspector_ = new QWidget;
    auto* column = new QVBoxLayout(inspector_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* point = new Section(tr("Point"));
    lengthText_ = point->addLine(tr("Length"));
    plainText_ = point->addLine(tr("Non-overl."));
    slidingText_ = point->addLine(tr("Sliding"));
    gapText_ = point->addLine(tr("Gap, sliding"));
    seedsText_ = point->addLine(tr("Seeds"));
    seedValues_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    seedValues_->setWordWrap(true);
    point->add(seedValues_);
    column->addWidget(point);
    auto* protocol = new Section(tr("Protocol"));
    protocol_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    protocol_->setWordWrap(true);
    protocol->add(protocol_);
    column->addWidget(protocol);
    auto* band = new Section(tr("Band"));
    bandText_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    bandText_->setWordWrap(true);
    band->add(bandText_);
    column->addWidget(band);
    auto* go = new Section(tr("Go on"));
    auto* position = new QPushButton(tr("Position page"));
    connect(position, &QPushButton::clicked, this, [this] { Q_EMIT pageRequested("position"); });
    go->add(position);
    attention_ = new QPushButton(tr("Attention page"));
    attention_->setToolTip(tr("A passage of the corpus as long as the chosen length, in the chosen run"));
    connect(attention_, &QPushButton::clicked, this, [this] { Q_EMIT attentionRequested(chosenLength_); });
    go->add(attention_);
    column->addWidget(go);
    column->addStretch(1);
}

QString ExtrapolationPage::inspectorNote() const {
    return chosenLength_ > 0 ? tr("%1 at %2").arg(session_.selection().arm()).arg(chosenLength_)
                             : session_.selection().arm();
}

bool ExtrapolationPage::perplexity() const {
    return metric_->currentIndex() == 0;
}

bool ExtrapolationPage::change() const {
    return metric_->currentIndex() == static_cast<int>(Metric::kChange);
}

void ExtrapolationPage::setMetric(Metric metric) {
    metric_->setCurrentIndex(static_cast<int>(metric));
}

void ExtrapolationPage::setPublished(bool shown) {
    published_->setChecked(shown);
}

void ExtrapolationPage::chooseLength(std::int64_t length) {
    chosenLength_ = length;
    refresh();
}

QString ExtrapolationPage::shownLoss(double loss) const {
    const QLocale locale;
    return perplexity() ? locale.toString(std::exp(loss), 'f', 1) : locale.toString(loss, 'f', 3);
}

QString ExtrapolationPage::encodingOf(const QString& arm) const {
    const ProjectSnapshotPtr now = session_.snapshot();
    const auto runs = now ? now->runsOf(arm) : std::vector<const RunSnapshot*>();
    return runs.empty() ? QString() : QString::fromStdString(runs.front()->plan->encoding.id);
}

BandKind ExtrapolationPage::band() const {
    static const BandKind kinds[] = {BandKind::kInterval95, BandKind::kStandardError, BandKind::kStandardDeviation,
                                     BandKind::kMinMax, BandKind::kNone};
    return kinds[std::clamp(band_->currentIndex(), 0, 4)];
}

void ExtrapolationPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    refresh();
}

void ExtrapolationPage::refresh() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    results_ = lengthResults(*now, session_.baseline());
    const QLocale locale;
    plainCard_->setVisible(modes_->currentIndex() != 2);
    slidingCard_->setVisible(modes_->currentIndex() != 1);
    draw(plain_, plainCard_, kNonOverlapping, tr("context grows from 0 inside a window"));
    draw(sliding_, slidingCard_, kSliding,
         results_.stride > 0 ? tr("stride %1, every target has a full context").arg(results_.stride)
                             : tr("every target has a full context"));
    drawPositions();
    fillTable();
    compareModes();
    fillInspector();
}

void ExtrapolationPage::draw(CurvePlot* plot, Card* card, const std::string& mode, const QString& note) {
    std::vector<CurveSeries> series;
    std::int64_t trained = 0;
    int most = 0;
    for (const ArmLengths& arm : results_.arms) {
        trained = std::max(trained, arm.trainingLength);
        Aggregate mean = change() ? arm.changes(mode, band()) : arm.aggregated(mode, band());
        if (mean.x.empty()) continue;
        most = std::max(most, arm.seeds(mode));
        if (perplexity()) {
            // The band is one of the loss, drawn as perplexity.
            for (std::vector<double>* values : {&mean.mean, &mean.low, &mean.high}) {
                for (double& value : *values)
                    value = std::exp(value);
            }
        }
        CurveSeries line;
        line.id = arm.arm;
        line.name = arm.arm;
        line.slot = arm.slot;
        line.baseline = arm.baseline;
        line.markers = true;
        line.n = arm.seeds(mode);
        line.x = sharedValues(std::move(mean.x));
        line.y = sharedValues(std::move(mean.mean));
        if (band() != BandKind::kNone && line.n > 1) {
            line.low = sharedValues(std::move(mean.low));
            line.high = sharedValues(std::move(mean.high));
        }
        series.push_back(std::move(line));
    }
    QStringList papers;
    double longest = 1.0;
    for (const PublishedLengths& curve :
         published_->isChecked() && change() ? publishedLengths(mode) : std::vector<PublishedLengths>()) {
        CurveSeries line;
        line.id = line.name = tr("%1, published").arg(curve.encoding);
        line.slot = 4;
        for (const ArmLengths& arm : results_.arms) {
            if (encodingOf(arm.arm) == curve.encoding) line.slot = arm.slot;
        }
        line.faint = true;
        longest = std::max(longest, curve.ratio.back());
        line.x = sharedValues(curve.ratio);
        line.y = sharedValues(curve.change);
        series.push_back(std::move(line));
        if (!papers.contains(curve.source)) papers << curve.source;
    }
    AxisOptions x;
    x.kind = AxisKind::kLog2;
    if (change()) {
        x.name = tr("evaluation length over training length (log)");
        for (const std::int64_t length : results_.lengths) {
            if (trained > 0) longest = std::max(longest, static_cast<double>(length) / static_cast<double>(trained));
        }
        for (double ratio = 1.0; ratio <= longest; ratio *= 2)
            x.fixedTicks.emplace_back(ratio, tr("%1×").arg(displayNumber(ratio)));
    } else {
        x.name = tr("evaluation length, tokens (log)");
        for (const std::int64_t length : results_.lengths)
            x.fixedTicks.emplace_back(static_cast<double>(length), QString::number(length));
    }
    plot->setXAxis(x);
    AxisOptions y;
    const bool log = scale_->currentIndex() == 1 && !change();
    y.kind = log ? AxisKind::kLog : AxisKind::kLinear;
    y.name = change()       ? tr("loss minus loss at the training length, nats")
             : perplexity() ? (log ? tr("perplexity (log)") : tr("perplexity"))
                            : (log ? tr("loss, nats a token (log)") : tr("loss, nats a token"));
    plot->setYAxis(y);
    std::vector<IndexLine> lines;
    if (trained > 0 && !series.empty())
        lines.push_back({Qt::Vertical, change() ? 1.0 : static_cast<double>(trained),
                         tr("training length %1").arg(trained), false});
    if (chosenLength_ > 0 && chosenLength_ != trained && trained > 0)
        lines.push_back({Qt::Vertical,
                         static_cast<double>(chosenLength_) / (change() ? static_cast<double>(trained) : 1.0),
                         {},
                         true});
    if (change()) lines.push_back({Qt::Horizontal, 0.0, {}, true});
    plot->setLines(std::move(lines));
    plot->setSeries(std::move(series));
    QString text = note;
    if (results_.targets > 0) text += ", " + tr("N = %1").arg(groupedNumber(results_.targets));
    if (results_.targets > 0 && results_.targets < 32768) text += " " + tr("(small N)");
    if (most > 1)
        text += ", " + tr("mean of %n seed(s)", nullptr, most) +
                (band() == BandKind::kNone ? QString()
                                           : ", " + tr("band %1").arg(QString::fromStdString(band_name(band()))));
    else if (most == 1)
        text += ", " + tr("one seed");
    if (!papers.isEmpty()) text = tr("faint: %1 (WikiText-103, trained at 512); ").arg(papers.join("; ")) + text;
    card->setNote(text);
}

void ExtrapolationPage::drawPositions() {
    std::vector<CurveSeries> series;
    std::int64_t trained = 0, length = 0;
    int most = 0;
    for (const ArmLengths& arm : results_.arms) {
        if (arm.byPosition.empty()) continue;
        trained = std::max(trained, arm.trainingLength);
        length = std::max(length, arm.positionLength);
        most = std::max(most, static_cast<int>(arm.byPosition.size()));
        Aggregate mean = arm.positions(BandKind::kNone);
        CurveSeries line;
        line.id = arm.arm;
        line.name = arm.arm;
        line.slot = arm.slot;
        line.baseline = arm.baseline;
        // Single positions are noisy: their moving mean over a 32nd of the window is drawn above them.
        line.halfLife = static_cast<double>(arm.positionLength) / 64.0;
        line.x = sharedValues(std::move(mean.x));
        line.y = sharedValues(std::move(mean.mean));
        series.push_back(std::move(line));
    }
    AxisOptions x;
    x.name = tr("position in the window, tokens");
    position_->setXAxis(x);
    AxisOptions y;
    y.name = tr("loss, nats a token");
    y.outlierTail = 0.002;
    position_->setYAxis(y);
    std::vector<IndexLine> lines;
    if (trained > 0 && length > trained)
        lines.push_back({Qt::Vertical, static_cast<double>(trained), tr("training length %1").arg(trained), false});
    position_->setLines(std::move(lines));
    position_->setEmptyText(tr("No run recorded its loss by position (evaluation.by_position)."));
    position_->setSeries(std::move(series));
    positionCard_->setNote(length > 0 ? tr("windows of %1").arg(length) + ", " +
                                            (most > 1 ? tr("mean of %n seed(s)", nullptr, most) : tr("one seed"))
                                      : QString());
}

void ExtrapolationPage::fillTable() {
    const QLocale locale;
    QStringList headers = {tr("variant")};
    for (const std::int64_t length : results_.lengths)
        headers << QString::number(length);
    headers << tr("gap, nats") << tr("holds to");
    table_->setHeaders(headers);
    std::vector<ArmTableRow> rows;
    const std::string mode = modes_->currentIndex() == 2 ? kSliding : kNonOverlapping;
    for (const ArmLengths& arm : results_.arms) {
        const Aggregate mean = arm.aggregated(mode, BandKind::kNone);
        ArmTableRow row;
        row.name = arm.arm;
        row.slot = arm.slot;
        row.baseline = arm.baseline;
        double lastGap = std::numeric_limits<double>::quiet_NaN();
        for (const std::int64_t length : results_.lengths) {
            QString cell = QStringLiteral("–");
            for (std::size_t i = 0; i < mean.x.size(); ++i) {
                if (mean.x[i] != static_cast<double>(length)) continue;
                cell = shownLoss(mean.mean[i]);
            }
            row.cells.push_back(cell);
        }
        if (!results_.lengths.empty()) lastGap = arm.gap(mode, results_.lengths.back());
        row.cells.push_back(std::isfinite(lastGap)
                                ? (lastGap >= 0 ? "+" : "−") + locale.toString(std::abs(lastGap), 'f', 3)
                                : QStringLiteral("–"));
        const std::int64_t held = arm.holdsTo(mode);
        row.cells.push_back(held > 0 ? QString::number(held) : QStringLiteral("–"));
        rows.push_back(std::move(row));
    }
    table_->setRows(std::move(rows));
    tableCard_->setTitle(perplexity() ? tr("Perplexity") : tr("Loss"));
    tableCard_->setNote((mode == kSliding ? tr("sliding") : tr("non-overlapping")) +
                        tr("; holds to: longest length with a gap of at most 0.05 nats"));
}

void ExtrapolationPage::compareModes() {
    // Where the two modes tell different stories: more than a quarter of a nat apart at the same length.
    QString fact;
    double worst = 0.25;
    for (const ArmLengths& arm : results_.arms) {
        const Aggregate plain = arm.aggregated(kNonOverlapping, BandKind::kNone);
        const Aggregate sliding = arm.aggregated(kSliding, BandKind::kNone);
        for (std::size_t i = 0; i < plain.x.size(); ++i) {
            for (std::size_t j = 0; j < sliding.x.size(); ++j) {
                if (plain.x[i] != sliding.x[j]) continue;
                const double apart = std::abs(plain.mean[i] - sliding.mean[j]);
                if (!(apart > worst)) continue;
                worst = apart;
                fact = tr("The modes disagree for %1 at %2: %3 non-overlapping, %4 sliding.")
                           .arg(arm.arm, QString::number(static_cast<qint64>(plain.x[i])), shownLoss(plain.mean[i]),
                                shownLoss(sliding.mean[j]));
            }
        }
    }
    if (fact.isEmpty()) {
        bar_->hide();
        return;
    }
    bar_->show(BarKind::kInfo, fact,
               tr("Targets early in a non-overlapping window see little context; sliding windows give all of them a "
                  "full one."),
               chosenLength_ > 0 ? tr("Attention at %1").arg(chosenLength_) : QString());
}

void ExtrapolationPage::fillInspector() {
    const QLocale locale;
    if (chosenLength_ == 0 && !results_.lengths.empty()) chosenLength_ = results_.lengths.back();
    const ArmLengths* arm = nullptr;
    for (const ArmLengths& each : results_.arms) {
        if (each.arm == session_.selection().arm()) arm = &each;
    }
    const auto show = [&](const std::string& mode) {
        if (arm == nullptr) return QStringLiteral("–");
        const Aggregate mean = arm->aggregated(mode, BandKind::kNone);
        for (std::size_t i = 0; i < mean.x.size(); ++i) {
            if (mean.x[i] == static_cast<double>(chosenLength_)) return shownLoss(mean.mean[i]);
        }
        const auto reasons = arm->reasons.find(mode);
        if (reasons != arm->reasons.end()) {
            const auto reason = reasons->second.find(chosenLength_);
            if (reason != reasons->second.end()) return reason->second;
        }
        return QStringLiteral("–");
    };
    const std::int64_t trained = arm != nullptr ? arm->trainingLength : 0;
    lengthText_->setText(
        trained > 0 && chosenLength_ > 0
            ? tr("%1 = %2 × %3")
                  .arg(chosenLength_)
                  .arg(locale.toString(static_cast<double>(chosenLength_) / static_cast<double>(trained), 'g', 3))
                  .arg(trained)
            : QStringLiteral("–"));
    plainText_->setText(show(kNonOverlapping));
    slidingText_->setText(show(kSliding));
    const double gap = arm != nullptr ? arm->gap(kSliding, chosenLength_) : std::numeric_limits<double>::quiet_NaN();
    gapText_->setText(std::isfinite(gap)
                          ? tr("%1%2 nats").arg(gap >= 0 ? "+" : "−", locale.toString(std::abs(gap), 'f', 3))
                          : QStringLiteral("–"));
    seedsText_->setText(arm != nullptr ? QString::number(arm->seeds(kNonOverlapping)) : QStringLiteral("–"));
    QStringList each;
    if (arm != nullptr) {
        const auto mode = arm->losses.find(kSliding);
        const auto byLength = mode != arm->losses.end()
                                  ? mode->second.find(chosenLength_)
                                  : std::map<std::int64_t, std::map<std::int64_t, double>>::const_iterator();
        if (mode != arm->losses.end() && byLength != mode->second.end()) {
            for (const auto& [seed, loss] : byLength->second)
                each << tr("s%1 %2").arg(seed).arg(shownLoss(loss));
        }
    }
    seedValues_->setText(each.isEmpty() ? QString() : tr("sliding: %1").arg(each.join(", ")));
    seedValues_->setVisible(!each.isEmpty());
    attention_->setText(chosenLength_ > 0 ? tr("Attention at %1 tokens").arg(chosenLength_) : tr("Attention page"));
    protocol_->setText(results_.targets > 0
                           ? tr("One set of %1 targets is scored at every length, in every mode, for every arm.")
                                 .arg(groupedNumber(results_.targets))
                           : tr("No evaluation was recorded yet."));
    bandText_->setText(band() == BandKind::kNone
                           ? tr("No band is drawn.")
                           : tr("%1 of the loss over seeds%2. The test text's own sampling error is not in it.")
                                 .arg(QString::fromStdString(band_name(band())),
                                      perplexity() ? tr(", drawn as perplexity") : QString()));
    Q_EMIT inspectorChanged();
}

bool ExtrapolationPage::runCommand(const QString& id) {
    if (id == "view.logy") {
        scale_->setCurrentIndex(1 - scale_->currentIndex());
        refresh();
        return true;
    }
    if (id == "view.fit") {
        for (CurvePlot* plot : {plain_, sliding_, position_})
            plot->reset();
        return true;
    }
    return false;
}

QString ExtrapolationPage::tableText() const {
    return table_->text();
}

FigureSource* ExtrapolationPage::figure(const QString& kind) {
    if (kind == "position-loss") return position_;
    return kind.isEmpty() || kind == "extrapolation" ? plain_ : nullptr;
}

}  // namespace sextant
