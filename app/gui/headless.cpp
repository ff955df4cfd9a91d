#include "app/gui/headless.h"

#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>

#include "core/base/atomic_file.h"
#include "core/base/build_info.h"
#include "core/encoding/registry.h"

#include "widgets/export/figure_export.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/pages/extrapolation_page.h"
#include "widgets/pages/position_page.h"
#include "widgets/pages/report_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/heatmap_view.h"
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

Status exportFigure(Session& session, const HeadlessRequest& request) {
    static const QHash<QString, QString> pages = {{"loss", "curves"},
                                                  {"extrapolation", "extrapolation"},
                                                  {"position-loss", "extrapolation"},
                                                  {"attention", "attention"},
                                                  {"alibi-bias", "position"},
                                                  {"rope-phase", "position"},
                                                  {"rope-decay", "position"},
                                                  {"slopes", "position"}};
    if (!pages.contains(request.figure)) {
        QStringList kinds = pages.keys();
        kinds.sort();
        return usage_error("--figure: no kind '" + request.figure.toStdString() + "'; kinds are " +
                           kinds.join(", ").toStdString());
    }
    SEXTANT_TRY(width, parseLength(request.width));
    if (request.project.isEmpty()) return usage_error("--project names the project whose figure is drawn");
    SEXTANT_CHECK(session.open(request.project));
    if (!waitFor([&] { return session.snapshot() != nullptr; }))
        return storage_error("the project could not be read in 30 s", request.project.toStdString());
    MainWindow window(session);
    window.resize(1600, 1000);
    // The arm that has such tables, unless one was named.
    QString arm = request.arm;
    const bool rotation = request.figure == "rope-phase" || request.figure == "rope-decay";
    if (arm.isEmpty() && pages.value(request.figure) == "position") {
        for (const RunSnapshot& run : session.snapshot()->runs) {
            const EncodingSpec* spec = find_encoding(run.plan->encoding.id);
            if (arm.isEmpty() && spec != nullptr && (rotation ? spec->traits.rotary : spec->traits.bias))
                arm = run.arm();
        }
    }
    if (!arm.isEmpty()) session.selection().selectArm(arm);
    session.selection().setLayer(request.layer);
    session.selection().setHead(request.head);
    window.showPage(pages.value(request.figure));
    window.show();
    Page* page = window.workspace()->page(pages.value(request.figure));
    if (request.figure == "attention") {
        auto* attention = static_cast<AttentionPage*>(page);
        waitFor([&] {
            return attention->model().weights(AttentionModel::Side::kA) || !attention->model().problem().isEmpty();
        });
        if (!attention->model().weights(AttentionModel::Side::kA))
            return data_error("no attention could be computed: " + (attention->model().problem().isEmpty()
                                                                        ? std::string("no run has a checkpoint")
                                                                        : attention->model().problem().toStdString()),
                              request.project.toStdString());
    }
    settle(300);
    FigureSource* source = page->figure(request.figure);
    if (source == nullptr)
        return data_error("no run of the project has what a figure of kind " + request.figure.toStdString() + " shows",
                          request.project.toStdString());
    FigureOptions options;
    options.width = width;
    options.height = request.figure == "attention" || request.figure == "alibi-bias" ? width * 0.55 : width * 0.47;
    options.theme = request.dark ? Theme::darkTheme() : Theme::light();
    options.title = session.snapshot()->name + ", " + request.figure;
    options.provenance = {{"commit", QString::fromStdString(build_info().commit)},
                          {"project", session.snapshot()->name}};
    for (const RunSnapshot& run : session.snapshot()->runs)
        options.provenance.emplace_back(QString::fromStdString(run.plan->folder),
                                        QString::fromStdString(run.plan->plan_sha256));
    auto written = exportFigure(*source, request.out, options, OnExisting::kReplace);
    if (!written.ok()) return std::move(written).error();
    return {};
}

Status exportReport(Session& session, const HeadlessRequest& request) {
    if (request.project.isEmpty()) return usage_error("--project names the project that is reported");
    SEXTANT_CHECK(session.open(request.project));
    if (!waitFor([&] { return session.snapshot() != nullptr; }))
        return storage_error("the project could not be read in 30 s", request.project.toStdString());
    ReportPage page(session);
    page.show();
    waitFor([&] { return !page.markdown().isEmpty(); }, 20000);
    if (page.markdown().isEmpty())
        return data_error("there is nothing to report: no run was evaluated", request.project.toStdString());
    QTextDocument document;
    document.setMarkdown(page.markdown());
    if (request.out.endsWith('/') || QFileInfo(request.out).isDir()) {
        SEXTANT_CHECK(make_directories(request.out.toStdString()));
        return write_file_atomically((request.out + "/index.html").toStdString(), document.toHtml().toStdString());
    }
    if (request.out.endsWith(".md"))
        return write_file_atomically(request.out.toStdString(), page.markdown().toStdString());
    if (request.out.endsWith(".html"))
        return write_file_atomically(request.out.toStdString(), document.toHtml().toStdString());
    if (!request.out.endsWith(".pdf")) return usage_error("--out of a report ends in .pdf, .html, .md or /");
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(session.snapshot()->name);
    writer.setCreator(QStringLiteral("Sextant"));
    writer.setPageSize(QPageSize(QPageSize::A4));
    document.print(&writer);
    buffer.close();
    return write_file_atomically(request.out.toStdString(),
                                 std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace sextant
