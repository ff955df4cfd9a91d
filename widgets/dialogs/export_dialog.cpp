#include "widgets/dialogs/export_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/controls/inline_bar.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/report/report_text.h"
#include "widgets/theme/color_vision.h"

namespace sextant {

namespace {

QImage seenAs(QImage image, Vision vision) {
    if (vision == Vision::kNormal) return image;
    QHash<QRgb, QRgb> known;  // a figure has few colours
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const auto found = known.constFind(line[x]);
            line[x] =
                found != known.constEnd() ? *found : *known.insert(line[x], simulated(QColor(line[x]), vision).rgb());
        }
    }
    return image;
}

}  // namespace

ExportDialog::ExportDialog(ReportFigure shown, const FigureOptions& options, const QString& folder, const QString& stem,
                           QWidget* parent)
    : QDialog(parent), figure_(shown), shown_(std::move(shown)), options_(options) {
    setWindowTitle(tr("Export figure"));
    auto* columns = new QHBoxLayout(this);
    columns->setSpacing(scaled(16));
    auto* left = new QVBoxLayout;
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(scaled(16));
    kind_ = new QComboBox;
    kind_->setAccessibleName(tr("Figure"));
    kind_->addItem(tr("as the page shows it"));
    form->addRow(tr("Figure"), kind_);
    venue_ = new QComboBox;
    venue_->setAccessibleName(tr("Venue"));
    for (const VenuePreset& venue : venuePresets())
        venue_->addItem(QStringLiteral("%1, %2 in").arg(venue.name).arg(venue.width), venue.id);
    venue_->addItem(tr("free size"), QString());
    form->addRow(tr("Venue"), venue_);
    const auto inches = [&](const QString& name, double value) {
        auto* box = new QDoubleSpinBox;
        box->setAccessibleName(name);
        box->setRange(0.5, 40);
        box->setSingleStep(0.05);
        box->setSuffix(tr(" in"));
        box->setValue(value);
        form->addRow(name, box);
        return box;
    };
    width_ = inches(tr("Width"), options.width);
    height_ = inches(tr("Height"), options.width * shown_.ratio);
    text_ = new QDoubleSpinBox;
    text_->setAccessibleName(tr("Text"));
    text_->setRange(7, 9);
    text_->setSingleStep(0.5);
    text_->setDecimals(1);
    text_->setSuffix(tr(" pt"));
    text_->setValue(options.textPoints);
    form->addRow(tr("Text"), text_);
    theme_ = new QComboBox;
    theme_->setAccessibleName(tr("Theme"));
    theme_->addItems({tr("light, for paper"), tr("dark, for slides")});
    form->addRow(tr("Theme"), theme_);
    dpi_ = new QSpinBox;
    dpi_->setAccessibleName(tr("PNG resolution"));
    dpi_->setRange(30, 2400);
    dpi_->setValue(options.dotsPerInch);
    dpi_->setSuffix(tr(" dpi"));
    form->addRow(tr("PNG resolution"), dpi_);
    auto* formats = new QHBoxLayout;
    for (const char* format : {"pdf", "svg", "png", "csv", "tex"}) {
        auto* box = new QCheckBox(QString::fromLatin1(format).toUpper());
        box->setObjectName(QString::fromLatin1(format));
        box->setChecked(std::string(format) == "pdf");
        formats->addWidget(box);
        formats_.push_back(box);
    }
    form->addRow(tr("Formats"), formats);
    folder_ = new QLineEdit(folder);
    folder_->setAccessibleName(tr("Folder"));
    form->addRow(tr("Folder"), folder_);
    name_ = new QLineEdit(stem);
    name_->setAccessibleName(tr("Name"));
    form->addRow(tr("Name"), name_);
    left->addLayout(form);
    caption_ = new QLabel;
    caption_->setTextFormat(Qt::PlainText);
    caption_->setWordWrap(true);
    caption_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    caption_->setMinimumWidth(scaled(320));
    left->addWidget(caption_);
    checks_ = new QuietLabel({}, TextRole::kNote);
    checks_->setWordWrap(true);
    left->addWidget(checks_);
    left->addStretch(1);
    bar_ = new InlineBar;
    bar_->hide();
    left->addWidget(bar_);
    auto* buttons = new QDialogButtonBox;
    auto* save = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    save->setObjectName(QStringLiteral("exportFigure"));
    save->setProperty("primary", true);
    auto* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("As PNG, SVG and a table"));
    buttons->addButton(QDialogButtonBox::Cancel);
    left->addWidget(buttons);
    columns->addLayout(left);
    auto* right = new QVBoxLayout;
    auto* top = new QHBoxLayout;
    top->addWidget(new QuietLabel(tr("True size"), TextRole::kNote));
    top->addStretch(1);
    vision_ = new QComboBox;
    vision_->setAccessibleName(tr("Seen as"));
    vision_->addItem(tr("in colour"), static_cast<int>(Vision::kNormal));
    vision_->addItem(tr("printed in grey"), static_cast<int>(Vision::kGrey));
    vision_->addItem(tr("without red cones"), static_cast<int>(Vision::kProtan));
    vision_->addItem(tr("without green cones"), static_cast<int>(Vision::kDeutan));
    vision_->addItem(tr("without blue cones"), static_cast<int>(Vision::kTritan));
    top->addWidget(vision_);
    right->addLayout(top);
    auto* area = new QScrollArea;
    picture_ = new QLabel;
    picture_->setAccessibleName(tr("Preview"));
    picture_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    area->setWidget(picture_);
    area->setWidgetResizable(true);
    area->setMinimumSize(scaled(560), scaled(360));
    right->addWidget(area, 1);
    columns->addLayout(right, 1);

    connect(kind_, &QComboBox::currentIndexChanged, this, &ExportDialog::choose);
    connect(venue_, &QComboBox::currentIndexChanged, this, &ExportDialog::venueChosen);
    for (QDoubleSpinBox* box : {width_, height_, text_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::preview);
    for (QComboBox* box : {theme_, vision_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::preview);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (this->save()) accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy, &QPushButton::clicked, this, &ExportDialog::copy);
    preview();
}

void ExportDialog::offer(const ReportModel& report) {
    for (const QString& kind : figureKinds()) {
        if (kind.startsWith(QLatin1String("attention"))) continue;  // needs the model: from its page
        FigureRequest request;
        request.kind = kind;
        auto made = makeFigure(request, report);
        if (!made.ok()) continue;
        kind_->addItem(tr("%1 (from the records)").arg(made->title), kind);
        offered_.push_back(std::move(made).value());
    }
}

FigureOptions ExportDialog::options() const {
    FigureOptions options = options_;
    options.width = width_->value();
    options.height = height_->value();
    options.textPoints = text_->value();
    options.dotsPerInch = dpi_->value();
    options.theme = theme_->currentIndex() == 1 ? Theme::darkTheme() : Theme::light();
    return options;
}

QStringList ExportDialog::formats() const {
    QStringList chosen;
    for (const QCheckBox* box : formats_)
        if (box->isChecked()) chosen << box->objectName();
    return chosen;
}

void ExportDialog::choose(int index) {
    figure_ = index > 0 ? offered_[static_cast<std::size_t>(index - 1)] : shown_;
    request_ = {};
    request_.kind = kind_->itemData(index).toString();
    height_->setValue(width_->value() * figure_.ratio);
    preview();
}

void ExportDialog::venueChosen() {
    for (const VenuePreset& venue : venuePresets()) {
        if (venue.id != venue_->currentData().toString()) continue;
        width_->setValue(venue.width);
        const double stacked =
            figure_.plots.size() > 1 && venue.width < 4.5 ? static_cast<double>(figure_.plots.size()) : 1.0;
        height_->setValue(venue.width * figure_.ratio * stacked);
    }
}

void ExportDialog::preview() {
    const QScreen* at = screen();
    const double dots = at != nullptr ? at->physicalDotsPerInch() : 96.0;
    const double ratio = devicePixelRatioF();
    QImage image = seenAs(renderImage(*figure_.source, options(), std::clamp(dots, 48.0, 300.0) * ratio),
                          static_cast<Vision>(vision_->currentData().toInt()));
    image.setDevicePixelRatio(ratio);
    picture_->setPixmap(QPixmap::fromImage(image));
    caption_->setText(figure_.caption);
    std::vector<int> slotsUsed;
    for (const CurvePlot* plot : figure_.plots)
        for (const SeriesState& state : plot->states())
            if (state.series().visible && !state.series().style) slotsUsed.push_back(state.series().slot);
    std::sort(slotsUsed.begin(), slotsUsed.end());
    slotsUsed.erase(std::unique(slotsUsed.begin(), slotsUsed.end()), slotsUsed.end());
    const FigureChecks checks = checkFigure(options().theme, slotsUsed, text_->value());
    checks_->setText(checks.colourBlind && checks.grey
                         ? tr("The series can be told apart in grey and by colour-blind readers.")
                         : tr("Some series look alike in grey or to colour-blind readers: hide some, or name them in "
                              "the caption."));
}

void ExportDialog::copy() {
    const FigureOptions chosen = options();
    QApplication::clipboard()->setMimeData(figureMimeData(*figure_.source, chosen, figure_.csv(chosen, '\t')));
    bar_->show(BarKind::kInfo, tr("Copied as PNG, SVG and a table."), {});
}

bool ExportDialog::save(std::optional<OnExisting> existing) {
    const QString stem = name_->text().trimmed();
    if (stem.isEmpty() || stem.contains(QLatin1Char('/')) || formats().isEmpty()) {
        bar_->show(BarKind::kError, tr("A name without folders and at least one format are needed."), {});
        return false;
    }
    const FigureOptions chosen = options();
    std::vector<ReportFile> files;
    FigureSpec spec = specOf(request_, chosen);
    spec.venue = venue_->currentData().toString().toStdString();
    spec.caption = figure_.caption.toStdString();
    for (const QString& format : formats()) {
        const auto bytes = figureBytes(figure_, chosen, format);
        if (!bytes.ok()) {
            bar_->show(BarKind::kError, tr("The figure was not saved."), fromCore(bytes.error().sentence()));
            return false;
        }
        files.push_back({stem + QLatin1Char('.') + format, *bytes});
        spec.outputs.push_back(files.back().name.toStdString());
    }
    // Only what is made from the records can be made again from them.
    if (!request_.kind.isEmpty()) {
        spec.project = "..";
        files.push_back({stem + QLatin1String(kSpecSuffix), QByteArray::fromStdString(figure_spec_to_json(spec))});
    }
    auto done = writeFiles(files, folder_->text(), existing.value_or(OnExisting::kRefuse));
    if (!done.ok() && !existing && done.error().code == ErrorCode::kUsage) {
        QMessageBox question(QMessageBox::NoIcon, tr("Export figure"),
                             tr("%1 exists already.").arg(fromCore(done.error().path)), QMessageBox::Cancel, this);
        const auto* replace = question.addButton(tr("Overwrite"), QMessageBox::AcceptRole);
        const auto* rename = question.addButton(tr("Write beside it"), QMessageBox::AcceptRole);
        const auto* skip = question.addButton(tr("Keep what exists"), QMessageBox::AcceptRole);
        question.exec();
        const auto* answer = question.clickedButton();
        if (answer == replace) return save(OnExisting::kReplace);
        if (answer == rename) return save(OnExisting::kRename);
        if (answer == skip) return save(OnExisting::kSkip);
        return false;
    }
    if (!done.ok()) {
        bar_->show(BarKind::kError, tr("The figure was not saved."), fromCore(done.error().sentence()));
        return false;
    }
    written_ = done->written;
    return true;
}

}  // namespace sextant
