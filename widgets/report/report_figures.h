#pragma once
// The figures of a report, and of `--export figure`, made from recorded runs and encoding tables alone: what a page of
// the window happens to show never enters, so that a stored specification gives the same figure again. Each carries its
// caption (mode, stride, N, n and band, without which a figure of evaluation is a defect) and its numbers.

#include <QStringList>
#include <memory>
#include <vector>

#include "core/results/report_model.h"
#include "widgets/export/figure_export.h"
#include "widgets/plots/aggregate.h"
#include "widgets/plots/matrix.h"

class QWidget;

namespace sextant {

struct AttentionMapsOf;
class CurvePlot;

struct FigureRequest {
    QString kind;
    QString arm;  // of encodings and attention; empty: the first arm that has such a thing
    int layer = 0, head = 0;
    BandKind band = BandKind::kInterval95;
    QStringList arms;  // of curves; empty: all
};

struct ReportFigure {
    QString kind, title, caption;
    QString alternative;  // what it shows, for those who cannot see it
    std::shared_ptr<const FigureSource> source;
    double ratio = 0.47;  // height over width
    std::vector<CurvePlot*> plots;
    std::vector<std::pair<QString, MatrixData>> matrices;

    [[nodiscard]] QByteArray csv(const FigureOptions& options, char separator = ',') const;
    [[nodiscard]] QByteArray pgf(const FigureOptions& options) const;
    [[nodiscard]] QByteArray npy() const;  // the matrices stacked [n, rows, columns]; empty without matrices
    [[nodiscard]] Result<QByteArray> safetensors() const;  // each matrix by its name
    std::shared_ptr<void> owned;                           // the widgets that paint
};

// The promised names, then those that came later.
[[nodiscard]] const QStringList& figureKinds();
// `attention`: the maps of the arm that is asked for; null where none were computed.
[[nodiscard]] Result<ReportFigure> makeFigure(const FigureRequest& request, const ReportModel& report,
                                              const AttentionMapsOf* attention = nullptr);
// The run whose model answers for an arm: its first seed with a checkpoint; null when none has one.
[[nodiscard]] const ReportRun* attentionRun(const ReportModel& report, const QString& arm);

}  // namespace sextant
