#include "app/gui/headless.h"

#include <unistd.h>

#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QImage>
#include <QSaveFile>
#include <QScopeGuard>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/pages/extrapolation_page.h"
#include "widgets/pages/position_page.h"
#include "widgets/pages/report_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/report/figure_files.h"
#include "widgets/report/report_attention.h"
#include "widgets/sample_project.h"

namespace sextant {

namespace {

constexpr int kWaitMs = 30000;

// Runs the event loop until `ready` holds.
template <typename Ready>
bool waitFor(Ready ready, int limit = kWaitMs) {
    QElapsedTimer clock;
    clock.start();
    while (!ready()) {
        if (clock.elapsed() > limit) return false;
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return true;
}

void settle(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

}  // namespace

QStringList renderPages() {
    return QStringList{"start", "editor"} + Workspace::pageNames();
}

Status renderPage(Session& session, const HeadlessRequest& request) {
    MainWindow window(session);
    window.setMinimumSize(100, 100);
    window.resize(request.size);
    QString project = request.project;
    // Pages that need a project show the sample when none is named.
    if (project.isEmpty() && Workspace::pageNames().contains(request.page)) {
        SEXTANT_TRY(sample, copySampleProject());
        project = sample;
    }
    const auto tidy = qScopeGuard([&] {
        if (request.project.isEmpty() && isSampleCopy(project)) QDir(QFileInfo(project).path()).removeRecursively();
    });
    if (!project.isEmpty()) {
        SEXTANT_CHECK(session.open(project));
        if (!waitFor([&] { return session.snapshot() != nullptr; }))
            return storage_error("the project could not be read in 30 s", request.project.toStdString());
        if (!request.arm.isEmpty()) session.selection().selectArm(request.arm);
        session.selection().setLayer(request.layer);
        session.selection().setHead(request.head);
    } else if (request.page == "editor") {
        window.newExperiment();
    } else if (request.page != "start") {
        return usage_error("--project names the project whose page is drawn");
    }
    window.showPage(request.page);
    window.show();
    window.resize(request.size);
    settle(500);
    if (request.page == "attention") {
        auto* attention = static_cast<AttentionPage*>(window.workspace()->page("attention"));
        if (!request.model.isEmpty()) attention->openModel(request.model);
        if (request.tokens > 0) attention->showCorpus(0, request.tokens);
        settle(200);
        AttentionModel& model = attention->model();
        waitFor([&] {
            return model.weights(AttentionModel::Side::kA) || !model.problem().isEmpty() ||
                   model.source(AttentionModel::Side::kA).model.isEmpty();
        });
        // A locked cell, so that the row and the terms of a weight are drawn.
        if (const auto maps = attention->model().weights(AttentionModel::Side::kA)) {
            const int query = static_cast<int>(maps->length) - 2;
            attention->matrix()->lockCell(QPoint(std::max(0, query - 1), std::max(0, query)));
        }
        if (request.view == "probes") {
            attention->showProbes(true);
            attention->runProbes();
        }
        settle(200);
        waitFor([&] { return !attention->model().busy(); });
    } else if (request.page == "position") {
        auto* position = static_cast<PositionPage*>(window.workspace()->page("position"));
        if (!request.encoding.isEmpty()) position->encodingBox()->setCurrentText(request.encoding);
        if (request.heads > 0) position->setHeads(request.heads);
        if (request.view == "precision") position->setShow(PositionPage::Show::kPrecision);
        if (request.view == "all") position->setShow(PositionPage::Show::kAll);
        if (request.tokens > 0) position->setLength(request.tokens);
    } else if (request.page == "extrapolation" && request.view == "published") {
        static_cast<ExtrapolationPage*>(window.workspace()->page("extrapolation"))->setPublished(true);
    }
    settle(300);
    QImage image(request.size * request.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(request.scale);
    window.render(&image);
    QSaveFile file(request.out);
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return storage_error("cannot write the picture: " + file.errorString().toStdString(),
                             request.out.toStdString());
    return {};
}

namespace {

// What is left of two runs of the same program must be the same files, so nothing is decided by what the folder holds
// unless the user said how.
Status finish(const std::vector<ReportFile>& files, const QString& folder, const HeadlessRequest& request) {
    auto written = writeFiles(files, folder, request.existing.value_or(OnExisting::kRefuse));
    if (!written.ok() && !request.existing && written.error().code == ErrorCode::kUsage &&
        ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) {
        std::fprintf(stderr, "%s exists. Overwrite this and the others? [y/N] ", written.error().path.c_str());
        char answer[16] = {};
        if (std::fgets(answer, sizeof answer, stdin) != nullptr && (answer[0] == 'y' || answer[0] == 'Y'))
            written = writeFiles(files, folder, OnExisting::kReplace);
    }
    if (!written.ok()) return std::move(written).error();
    for (const QString& path : written->written)
        std::printf("%s\n", path.toLocal8Bit().constData());
    for (const QString& path : written->kept)
        std::printf("%s (kept)\n", path.toLocal8Bit().constData());
    return {};
}

Result<double> lengthOr(const QString& text, double otherwise) {
    if (text.isEmpty()) return otherwise;
    return parseLength(text);
}

std::shared_ptr<ReportAttention> attentionOf(const ReportModel& report, const QString& arm) {
    auto attention = std::make_shared<ReportAttention>();
    attention->start(report, arm);
    waitFor([&] { return !attention->busy(); }, 2 * kWaitMs);
    return attention;
}

// One figure with everything that goes along: the formats asked for and the specification.
Status addFigure(std::vector<ReportFile>& files, FigureSpec spec, const FigureRequest& asked, const ReportModel& report,
                 const QString& stem, const QStringList& formats, bool sized) {
    std::shared_ptr<ReportAttention> attention;
    const AttentionMapsOf* maps = nullptr;
    if (asked.kind.startsWith(QLatin1String("attention"))) {
        const ReportRun* run = attentionRun(report, asked.arm);
        if (run != nullptr) attention = attentionOf(report, QString::fromStdString(run->arm));
        if (attention && !attention->problem().isEmpty())
            return data_error("no attention could be computed: " + attention->problem().toStdString());
        if (attention && !attention->maps().empty()) maps = attention->maps().front().get();
    }
    SEXTANT_TRY(figure, makeFigure(asked, report, maps));
    if (!sized) {
        const double stacked =
            figure.plots.size() > 1 && spec.width < 4.5 ? static_cast<double>(figure.plots.size()) : 1.0;
        spec.height = spec.width * figure.ratio * stacked;
    }
    if (spec.title.empty()) spec.title = report.title + ": " + figure.title.toStdString();
    spec.caption = figure.caption.toStdString();
    const FigureSpec what = specOf(asked, FigureOptions{});
    spec.kind = what.kind;
    spec.data = what.data;
    const FigureOptions options = optionsOf(spec, report);
    for (const QString& format : formats) {
        if (needsMatrix(format) && figure.matrices.empty() && formats.size() > 1) continue;
        SEXTANT_TRY(bytes, figureBytes(figure, options, format));
        files.push_back({stem + QLatin1Char('.') + format, bytes});
        spec.outputs.push_back((stem + QLatin1Char('.') + format).toStdString());
    }
    files.push_back({stem + QLatin1String(kSpecSuffix), QByteArray::fromStdString(figure_spec_to_json(spec))});
    return {};
}

}  // namespace

Status exportFigures(const HeadlessRequest& request) {
    FigureSpec spec;
    QString project = request.project;
    QString out = request.out;
    QStringList formats = request.formats;
    for (const QString& format : formats)
        if (!figureFormats().contains(format))
            return usage_error("--formats: no format '" + format.toStdString() + "'; formats are " +
                               figureFormats().join(", ").toStdString());
    FigureRequest asked;
    QString stem;
    if (!request.spec.isEmpty()) {
        const std::string path = request.spec.toStdString();
        SEXTANT_TRY(bytes, read_file(path));
        SEXTANT_TRY(stored, figure_spec_from_json(bytes, path));
        spec = stored;
        SEXTANT_TRY(remade, requestOf(spec, path));
        asked = remade;
        const QDir folder = QFileInfo(request.spec).absoluteDir();
        if (project.isEmpty()) project = folder.absoluteFilePath(QString::fromStdString(spec.project));
        if (out.isEmpty()) {
            stem = QFileInfo(request.spec).fileName();
            if (stem.endsWith(QLatin1String(kSpecSuffix))) stem.chop(static_cast<int>(std::strlen(kSpecSuffix)));
            for (const std::string& output : spec.outputs) {
                const QString suffix = QFileInfo(QString::fromStdString(output)).suffix();
                if (figureFormats().contains(suffix) && formats.isEmpty() == request.formats.isEmpty() &&
                    request.formats.isEmpty())
                    formats << suffix;
            }
            out = folder.filePath(stem + QLatin1Char('.') +
                                  (formats.isEmpty() ? QStringLiteral("pdf") : formats.front()));
        }
        spec.outputs.clear();
    } else {
        asked.kind = request.figure;
        asked.arm = request.arm;
        asked.arms = request.arms;
        asked.layer = request.layer;
        asked.head = request.head;
    }
    if (project.isEmpty()) return usage_error("--project names the project whose figure is drawn");
    if (!request.band.isEmpty()) {
        FigureSpec band;
        band.kind = "loss";
        band.data = dump_json(OrderedJson{{"band", request.band.toStdString()}}, -1);
        auto parsed = requestOf(band);
        if (!parsed.ok()) return usage_error("--band is none, se, sd, interval or min-max");
        asked.band = parsed->band;
    }
    if (!request.venue.isEmpty()) {
        QStringList ids;
        bool known = false;
        for (const VenuePreset& venue : venuePresets()) {
            ids << venue.id;
            if (venue.id != request.venue) continue;
            known = true;
            spec.venue = venue.id.toStdString();
            spec.width = venue.width;
        }
        if (!known)
            return usage_error("--venue: no venue '" + request.venue.toStdString() + "'; venues are " +
                               ids.join(", ").toStdString());
    }
    SEXTANT_TRY(width, lengthOr(request.width, spec.width));
    if (!request.width.isEmpty()) spec.venue.clear();
    spec.width = width;
    SEXTANT_TRY(height, lengthOr(request.height, spec.height));
    spec.height = height;
    const bool sized = !request.height.isEmpty() || (!request.spec.isEmpty() && request.width.isEmpty());
    if (request.text > 0) spec.text_points = request.text;
    if (request.dpi > 0) spec.dots_per_inch = request.dpi;
    if (!request.title.isEmpty()) spec.title = request.title.toStdString();
    if (request.dark) spec.theme = "dark";
    const bool folder = out.endsWith('/') || QFileInfo(out).isDir() || request.figure == QLatin1String("all");
    const QFileInfo target(out);
    const QString directory = folder ? out : target.path();
    if (!folder) {
        if (!figureFormats().contains(target.suffix().toLower()))
            return usage_error("a figure file ends in ." + figureFormats().join(", .").toStdString() + ", not \"" +
                               target.suffix().toStdString() + "\"");
        if (!formats.contains(target.suffix().toLower())) formats.prepend(target.suffix().toLower());
        stem = target.completeBaseName();
    } else if (formats.isEmpty()) {
        formats << QStringLiteral("pdf");
    }
    spec.project = QDir(QFileInfo(directory).absoluteFilePath())
                       .relativeFilePath(QFileInfo(project).absoluteFilePath())
                       .toStdString();
    SEXTANT_TRY(report, read_report(Project{project.toStdString()}));
    std::vector<ReportFile> files;
    if (request.figure == QLatin1String("all") && request.spec.isEmpty()) {
        int made = 0;
        std::string last;
        for (const QString& kind : figureKinds()) {
            asked.kind = kind;
            const Status added = addFigure(files, spec, asked, report, kind, formats, sized);
            if (added.ok()) {
                ++made;
                continue;
            }
            if (added.error().code != ErrorCode::kData) return added;
            last = added.error().sentence();
            std::fprintf(stderr, "sextant: left out: %s\n", single_line(last, 400).c_str());
        }
        if (made == 0) return data_error("no figure could be made: " + last, project.toStdString());
    } else {
        SEXTANT_CHECK(addFigure(files, spec, asked, report, stem.isEmpty() ? asked.kind : stem, formats, sized));
    }
    return finish(files, directory, request);
}

Status exportReport(const HeadlessRequest& request) {
    if (request.project.isEmpty()) return usage_error("--project names the project that is reported");
    const QString& out = request.out;
    const bool folder = out.endsWith('/') || QFileInfo(out).isDir();
    const QString suffix = QFileInfo(out).suffix().toLower();
    if (!folder && suffix != "pdf" && suffix != "html" && suffix != "md")
        return usage_error("--out of a report ends in .pdf, .html, .md or /");
    SEXTANT_TRY(report, read_report(Project{request.project.toStdString()}));
    if (std::all_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) { return run.steps.empty(); }))
        return data_error("there is nothing to report: no run has recorded a step", request.project.toStdString());
    const auto attention = attentionOf(report, {});
    const ReportDocument document = makeReport(report, attention->maps(), attention->problem());
    std::vector<ReportFile> files;
    if (folder) {
        SEXTANT_TRY(made, reportHtml(document));
        files = made;
    } else if (suffix == "html") {
        SEXTANT_TRY(made, reportHtmlFile(document));
        files.push_back({QFileInfo(out).fileName(), made});
    } else if (suffix == "pdf") {
        SEXTANT_TRY(made, reportPdf(document));
        files.push_back({QFileInfo(out).fileName(), made});
    } else {
        files.push_back({QFileInfo(out).fileName(), reportMarkdown(document).toUtf8()});
    }
    return finish(files, folder ? out : QFileInfo(out).path(), request);
}

}  // namespace sextant
