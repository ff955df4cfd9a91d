#pragma once
// What the program does without a display: draw a page of the window into a picture, write a figure or a report.

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

#include "core/base/result.h"
#include "widgets/export/figure_export.h"

namespace sextant {

class Session;

struct HeadlessRequest {
    QString project, out, page, arm;
    bool dark = false;
    QSize size{1600, 1000};
    double scale = 1.0;
    QString figure = QStringLiteral("loss");  // a kind, or "all"
    QString width, height, venue, title, band, spec;
    QStringList arms, formats;
    double text = 0.0;  // points; 0: 8
    int dpi = 0;        // 0: 300
    int layer = 0, head = 0;
    std::optional<OnExisting> existing;  // nothing: ask on a terminal, else refuse
    QString model;                       // attention: weights from elsewhere
    QString encoding;                    // position: instead of the arm's
    QString view;                        // position: precision, all; attention: probes; extrapolation: published
    int heads = 0, tokens = 0;
};

[[nodiscard]] QStringList renderPages();
[[nodiscard]] Status renderPage(Session& session, const HeadlessRequest& request);
// Neither shows a window nor reads a preference; the files written are printed, one a line.
[[nodiscard]] Status exportFigures(const HeadlessRequest& request);
[[nodiscard]] Status exportReport(const HeadlessRequest& request);

}  // namespace sextant
