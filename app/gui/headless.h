#pragma once
// What the program does without a display: draw a page of the window into a picture, write a figure or a report.

#include <QSize>
#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace sextant {

class Session;

struct HeadlessRequest {
    QString project, out, page, arm;
    bool dark = false;
    QSize size{1600, 1000};
    double scale = 1.0;
    QString figure = QStringLiteral("loss");
    QString width = QStringLiteral("5.5in");
    int layer = 0, head = 0;
    QString model;     // attention: weights from elsewhere
    QString encoding;  // position: instead of the arm's
    QString view;      // position: precision, all; attention: probes; extrapolation: published
    int heads = 0, tokens = 0;
};

[[nodiscard]] QStringList renderPages();
[[nodiscard]] Status renderPage(Session& session, const HeadlessRequest& request);
[[nodiscard]] Status exportFigure(Session& session, const HeadlessRequest& request);
[[nodiscard]] Status exportReport(Session& session, const HeadlessRequest& request);

}  // namespace sextant
