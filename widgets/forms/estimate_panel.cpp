#include "widgets/forms/estimate_panel.h"

#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/encoding/registry.h"
#include "core/experiment/memory_estimate.h"
#include "widgets/forms/panel.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/experiment_model.h"

namespace sextant {

namespace {

ExperimentField armField(const char* section, const char* path) {
    return {QString::fromLatin1(section), QString::fromLatin1(path), FieldKind::kInteger, FieldScope::kArm, {}, {}};
}

void check(QuietLabel* label, bool good, const QString& yes, const QString& no) {
    label->setInk(good ? QuietLabel::Ink::kOk : QuietLabel::Ink::kWarn);
    label->setText(good ? QStringLiteral("✓ ") + yes : QStringLiteral("△ ") + no);
}

}  // namespace

EstimatePanel::EstimatePanel(ExperimentModel& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
    setFixedWidth(scaled(268));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* title = new DockTitle(tr("Estimate"));
    outer->addWidget(title);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* body = new Panel(Panel::Ground::kPanel, Panel::Edge::kLeft);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* size = new Section(tr("Size"));
    parameters_ = new QuietLabel({}, TextRole::kSection, QuietLabel::Ink::kText);
    parameters_->setObjectName("parameterCount");
    size->add(parameters_);
    parameterNote_ = new QuietLabel({}, TextRole::kNote);
    parameterNote_->setWordWrap(true);
    size->add(parameterNote_);
    runs_ = size->addLine(tr("Runs"));
    tokens_ = size->addLine(tr("Tokens"));
    column->addWidget(size);

    auto* memory = new Section(tr("Memory and disk"));
    memory_ = memory->addLine(tr("Memory"));
    disk_ = memory->addLine(tr("Checkpoints"));
    column->addWidget(memory);

    auto* fair = new Section(tr("Fairness"));
    equalParameters_ = new QuietLabel;
    equalTokens_ = new QuietLabel;
    onlyEncoding_ = new QuietLabel;
    for (QuietLabel* label : {equalParameters_, equalTokens_, onlyEncoding_}) {
        label->setWordWrap(true);
        fair->add(label);
    }
    column->addWidget(fair);

    aboutSection_ = new Section(QString());
    about_ = new QuietLabel({}, TextRole::kNote, QuietLabel::Ink::kText);
    about_->setWordWrap(true);
    aboutSection_->add(about_);
    formula_ = new QuietLabel({}, TextRole::kValue, QuietLabel::Ink::kText);
    formula_->setWordWrap(true);
    aboutSection_->add(formula_);
    auto* open = new QPushButton(tr("See it on the Position page"));
    connect(open, &QPushButton::clicked, this, &EstimatePanel::positionRequested);
    aboutSection_->add(open);
    column->addWidget(aboutSection_);
    column->addStretch(1);
    scroll->setWidget(body);
    outer->addWidget(scroll, 1);
    connect(&experiment_, &ExperimentModel::edited, this, &EstimatePanel::refresh);
    refresh();
}

void EstimatePanel::setArm(int arm) {
    arm_ = arm;
    refresh();
}

QString EstimatePanel::memoryText() {
    tooLarge_ = false;
    const auto experiment = experiment_.experiment();
    if (!experiment.ok()) return tr("known once no problem stands");
    const std::vector<ArmConfig> arms = experiment->arms();
    const MemoryEstimate estimate = estimate_memory(*experiment, arms[static_cast<std::size_t>(arm_)]);
    const std::int64_t available = available_memory_bytes();
    const QLocale locale;
    const QString total = locale.formattedDataSize(estimate.total());
    tooLarge_ = available > 0 && estimate.total() > available;
    return available > 0 ? tr("%1 a run, %2 free").arg(total, locale.formattedDataSize(available))
                         : tr("%1 a run").arg(total);
}

void EstimatePanel::refresh() {
    const QLocale locale;
    arm_ = std::min(arm_, experiment_.armCount() - 1);
    const auto count = experiment_.parameterCount(arm_);
    parameters_->setText(count ? locale.toString(static_cast<qlonglong>(*count)) : QStringLiteral("–"));
    parameterNote_->setText(count ? tr("trained parameters of %1").arg(experiment_.armName(arm_))
                                  : tr("The sizes of %1 make no model yet.").arg(experiment_.armName(arm_)));
    runs_->setText(tr("%1 arms × %2 seeds").arg(experiment_.armCount()).arg(experiment_.seeds().size()));
    const auto tokensOf = [&](int arm) {
        return experiment_.value(armField("training", "/steps"), arm).toLongLong() *
               experiment_.value(armField("training", "/batch_size"), arm).toLongLong() *
               experiment_.value(armField("model", "/context_length"), arm).toLongLong();
    };
    tokens_->setText(tr("%1 a run").arg(locale.toString(tokensOf(arm_))));
    memory_->setText(memoryText());
    memory_->setInk(tooLarge_ ? QuietLabel::Ink::kErr : QuietLabel::Ink::kText);
    disk_->setText(count ? tr("%1 each").arg(locale.formattedDataSize(*count * 12)) : QStringLiteral("–"));

    bool parameters = true, tokens = true, encodingOnly = true;
    for (int arm = 1; arm < experiment_.armCount(); ++arm) {
        parameters = parameters && experiment_.parameterCount(arm) == experiment_.parameterCount(0);
        tokens = tokens && tokensOf(arm) == tokensOf(0);
        for (const ExperimentField& field : experimentFields())
            encodingOnly = encodingOnly && !experiment_.changed(field, arm);
    }
    check(equalParameters_, parameters, tr("equal parameters"), tr("parameter counts differ"));
    check(equalTokens_, tokens, tr("equal tokens and batch order"), tr("the arms train on different budgets"));
    check(onlyEncoding_, encodingOnly, tr("only the encoding differs"), tr("more than the encoding differs"));

    const EncodingSpec* spec = experiment_.armEncoding(arm_);
    aboutSection_->setTitle(spec != nullptr ? tr("About %1").arg(QString::fromStdString(spec->id)) : tr("About"));
    about_->setText(spec != nullptr ? QString::fromStdString(spec->summary)
                                    : tr("The encoding's name is not in the catalog."));
    formula_->setText(spec != nullptr ? QString::fromStdString(spec->formula) : QString());
}

}  // namespace sextant
