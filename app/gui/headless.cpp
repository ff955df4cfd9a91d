#include "app/gui/headless.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QTimer>

#include "widgets/commands.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/editor_page.h"
#include "widgets/pages/workspace.h"

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
    if (!request.project.isEmpty()) {
        SEXTANT_CHECK(session.open(request.project));
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
    settle(700);
    QImage image(request.size * request.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(request.scale);
    window.render(&image);
    QSaveFile file(request.out);
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return storage_error("cannot write the picture: " + file.errorString().toStdString(), request.out.toStdString());
    return {};
}

Status exportFigure(Session&, const HeadlessRequest&) {
    return usage_error("this build cannot export figures");
}

Status exportReport(Session&, const HeadlessRequest&) {
    return usage_error("this build cannot export reports");
}

}  // namespace sextant
