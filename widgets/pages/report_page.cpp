#include "widgets/pages/report_page.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "core/base/atomic_file.h"
#include "core/base/build_info.h"
#include "widgets/controls/card.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/forms/quiet_label.h"
#include "widgets/models/length_results.h"
#include "widgets/models/run_model.h"
#include "widgets/models/session.h"

namespace sextant {

ReportPage::ReportPage(Session& session, QWidget* parent) : Page(parent), session_(session), model_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8));
    column->setSpacing(scaled(8));
    auto* row = new QHBoxLayout;
    row->addWidget(new QuietLabel(tr("Made from the recorded runs; it follows them."), TextRole::kNote));
    row->addStretch(1);
    auto* save = new QPushButton(tr("Save as Markdown..."));
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
    text_->document()->setDocumentMargin(scaled(24));
    auto* card = new Card(tr("Report"));
    card->setContent(text_);
    column->addWidget(card, 1);
    connect(&session_, &Session::snapshotChanged, this, [this] {
        if (isVisible()) model_.update();
    });
    connect(&model_, &ComparisonModel::changed, this, &ReportPage::refresh);
}

void ReportPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    model_.update();
    refresh();
}

QString ReportPage::markdown() const {
    const ProjectSnapshotPtr now = session_.snapshot();
    const auto& comparison = model_.comparison();
    if (!now || !comparison) return {};
    QString text = "# " + now->name + "\n\n";
    text += QString::fromStdString(comparison_markdown(*comparison)) + "\n\n";
    text += "## " + tr("Runs") + "\n\n| " + tr("run") + " | " + tr("state") + " | " + tr("steps") + " | " + tr("plan") +
            " | " + tr("commit") + " |\n|---|---|---|---|---|\n";
    for (const RunSnapshot& run : now->runs) {
        text += QStringLiteral("| %1 s%2 | %3 | %4 | `%5` | `%6` |\n")
                    .arg(run.arm())
                    .arg(run.seed())
                    .arg(statusText(run.status()))
                    .arg(run.state->step)
                    .arg(QString::fromStdString(run.plan->plan_sha256.substr(0, 12)),
                         run.state->started ? QString::fromStdString(run.state->started->commit) : QString());
    }
    text += "\n" +
            tr("Written by Sextant %1, commit %2.")
                .arg(QString::fromStdString(build_info().version), QString::fromStdString(build_info().commit)) +
            "\n";
    return text;
}

void ReportPage::refresh() {
    const QString text = markdown();
    if (text.isEmpty())
        bar_->show(BarKind::kInfo, tr("There is nothing to report yet."),
                   model_.problem().isEmpty() ? tr("The report is made when runs were evaluated.") : model_.problem());
    else
        bar_->hide();
    text_->setMarkdown(text);
}

void ReportPage::save(const QString& file) {
    const Status written = write_file_atomically(file.toStdString(), markdown().toStdString());
    if (written.ok())
        Q_EMIT message(tr("Saved %1.").arg(file), {});
    else
        Q_EMIT message(tr("The report was not saved."), QString::fromStdString(written.error().sentence()));
}

bool ReportPage::runCommand(const QString& id) {
    if (id != "export.report") return false;
    QDir().mkpath(session_.project() + "/exports");
    const QString file = QFileDialog::getSaveFileName(this, tr("Save the report"),
                                                      session_.project() + "/exports/report.md", tr("Markdown (*.md)"));
    if (!file.isEmpty()) save(file);
    return true;
}

QString ReportPage::tableText() const {
    return markdown();
}

}  // namespace sextant
