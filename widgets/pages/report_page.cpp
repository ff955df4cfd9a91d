#include "widgets/pages/report_page.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/session.h"
#include "widgets/report/figure_files.h"
#include "widgets/report/report_attention.h"

namespace sextant {

namespace {

struct ReadReport {
    std::shared_ptr<const ReportModel> report;
    QString problem;
};

constexpr int kPictureWidth = 620;  // design px

}  // namespace

ReportPage::ReportPage(Session& session, QWidget* parent) : Page(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    auto* row = new QHBoxLayout;
    row->addWidget(new QuietLabel(tr("Made from the recorded runs; it follows them."), TextRole::kNote));
    row->addStretch(1);
    auto* folder = new QPushButton(tr("Save as HTML folder..."));
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder for the report"), session_.project());
        if (!chosen.isEmpty()) askAndSave(chosen + QLatin1Char('/'));
    });
    row->addWidget(folder);
    auto* save = new QPushButton(tr("Save report..."));
    save->setProperty("primary", true);
    connect(save, &QPushButton::clicked, this, [this] { runCommand("export.report"); });
    row->addWidget(save);
    column->addLayout(row);
    bar_ = new InlineBar;
    bar_->hide();
    column->addWidget(bar_);
    text_ = new QTextBrowser;
    text_->setAccessibleName(tr("Report"));
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->document()->setDocumentMargin(scaled(24));
    // Paper on any screen: it shows what will be printed.
    const Theme paper = Theme::light();
    text_->setStyleSheet(
        QStringLiteral("QTextEdit{background:%1;color:%2;border:0}").arg(paper.plot.name(), paper.text.name()));
    QPalette palette = text_->palette();
    palette.setColor(QPalette::Link, paper.link);
    text_->setPalette(palette);
    auto* card = new Card(tr("Report"));
    card->setContent(text_);
    column->addWidget(card, 1);
    attention_ = new ReportAttention(this);
    connect(attention_, &ReportAttention::finished, this, &ReportPage::refresh);
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible()) update();
    });
    connect(&session_, &Session::projectChanged, this, [this] {
        ++generation_;
        seen_.clear();
        report_.reset();
        problem_.clear();
        refresh();
    });
}

void ReportPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    update();
}

void ReportPage::update() {
    const ProjectSnapshotPtr now = session_.snapshot();
    if (!now) return;
    // Anew when a run was evaluated or ended, not at every step.
    std::vector<std::pair<QString, std::size_t>> seen;
    for (const RunSnapshot& run : now->runs)
        seen.emplace_back(run.folder(),
                          run.state->evaluations.size() * 16 + static_cast<std::size_t>(run.state->phase));
    if (seen == seen_ && (report_ || !problem_.isEmpty())) return;
    seen_ = std::move(seen);
    const std::uint64_t generation = ++generation_;
    const std::string path = session_.project().toStdString();
    QtConcurrent::run([path]() -> ReadReport {
        auto report = read_report(Project{path});
        if (!report.ok()) return {nullptr, QString::fromStdString(report.error().sentence())};
        return {std::make_shared<const ReportModel>(std::move(report).value()), {}};
    }).then(this, [this, generation](const ReadReport& read) {
        if (generation != generation_) return;
        report_ = read.report;
        problem_ = read.problem;
        if (report_) attention_->start(*report_);
        refresh();
    });
}

void ReportPage::refresh() {
    const bool anything = report_ && std::any_of(report_->runs.begin(), report_->runs.end(),
                                                 [](const ReportRun& run) { return !run.steps.empty(); });
    if (!anything) {
        document_ = {};
        text_->clear();
        bar_->show(BarKind::kInfo, tr("There is nothing to report yet."),
                   problem_.isEmpty() ? tr("The report is made when runs have recorded a step.") : problem_);
        return;
    }
    bar_->hide();
    document_ = makeReport(*report_, attention_->maps(),
                           attention_->busy() ? tr("It is being computed.") : attention_->problem());
    text_->setHtml(reportPreview(document_, scaled(kPictureWidth)));
    drawNext(0, ++generation_);
}

void ReportPage::drawNext(std::size_t figure, std::uint64_t generation) {
    if (generation != generation_) return;
    std::size_t at = 0;
    for (const ReportBlock& block : document_.blocks) {
        if (block.kind != ReportBlock::Kind::kFigure || at++ != figure) continue;
        FigureOptions options;
        options.width = 6.7;
        options.height = options.width * block.figure.ratio;
        const double dots = scaled(kPictureWidth) * devicePixelRatioF() / options.width;
        text_->document()->addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("figure:%1").arg(figure)),
                                       renderImage(*block.figure.source, options, dots));
        text_->document()->markContentsDirty(0, text_->document()->characterCount());
        QTimer::singleShot(0, this, [this, figure, generation] { drawNext(figure + 1, generation); });
        return;
    }
}

QString ReportPage::markdown() const {
    return document_.blocks.empty() ? QString() : reportMarkdown(document_);
}

Status ReportPage::save(const QString& path, OnExisting existing) {
    if (document_.blocks.empty()) return data_error("there is nothing to report: no run has recorded a step");
    std::vector<ReportFile> files;
    const bool folder = path.endsWith(QLatin1Char('/'));
    const QString name = QFileInfo(path).fileName();
    if (folder) {
        SEXTANT_TRY(made, reportHtml(document_));
        files = made;
    } else if (path.endsWith(QLatin1String(".pdf"))) {
        SEXTANT_TRY(made, reportPdf(document_));
        files.push_back({name, made});
    } else if (path.endsWith(QLatin1String(".html"))) {
        SEXTANT_TRY(made, reportHtmlFile(document_));
        files.push_back({name, made});
    } else if (path.endsWith(QLatin1String(".md"))) {
        files.push_back({name, reportMarkdown(document_).toUtf8()});
    } else {
        return usage_error("a report ends in .pdf, .html or .md");
    }
    const auto written = writeFiles(files, folder ? path : QFileInfo(path).path(), existing);
    if (!written.ok()) return written.error();
    return {};
}

void ReportPage::askAndSave(const QString& path) {
    Status done = save(path, OnExisting::kRefuse);
    if (!done.ok() && done.error().code == ErrorCode::kUsage && !done.error().path.empty()) {
        const auto answer = QMessageBox::question(
            this, tr("Save the report"),
            tr("%1 exists already. Overwrite it?").arg(QString::fromStdString(done.error().path)));
        if (answer != QMessageBox::Yes) return;
        done = save(path, OnExisting::kReplace);
    }
    if (done.ok())
        Q_EMIT message(tr("Saved %1.").arg(path), {});
    else
        Q_EMIT message(tr("The report was not saved."), QString::fromStdString(done.error().sentence()));
}

bool ReportPage::runCommand(const QString& id) {
    if (id != "export.report") return false;
    QDir().mkpath(session_.project() + "/exports");
    // The dialog has asked about overwriting already; the page asks for what the dialog does not see.
    QFileDialog dialog(this, tr("Save the report"), session_.project() + "/exports",
                       tr("PDF (*.pdf);;HTML in one file (*.html);;Markdown (*.md)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setOption(QFileDialog::DontConfirmOverwrite);
    dialog.setDefaultSuffix(QStringLiteral("pdf"));
    dialog.selectFile(QStringLiteral("report.pdf"));
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        askAndSave(dialog.selectedFiles().constFirst());
    return true;
}

QString ReportPage::tableText() const {
    return markdown();
}

}  // namespace sextant
