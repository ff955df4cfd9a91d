#pragma once
// One figure on its way into a paper: size of the venue, text in points, formats, and a preview at true size that can
// also be seen in grey or as a colour-blind reader does. Nothing is overwritten unasked.

#include <QDialog>
#include <memory>

#include "widgets/report/figure_files.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace sextant {

class InlineBar;

class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    // `shown`: the figure as the page draws it.
    ExportDialog(ReportFigure shown, const FigureOptions& options, const QString& folder, const QString& stem,
                 QWidget* parent = nullptr);
    // Also offers the figures made from the recorded runs (reading those takes a while: not before the dialog shows).
    void offer(const ReportModel& report);

    [[nodiscard]] FigureOptions options() const;
    [[nodiscard]] QStringList formats() const;
    // All files in memory, then written; asks once when some exist and no rule is given.
    bool save(std::optional<OnExisting> existing = std::nullopt);
    [[nodiscard]] const QStringList& written() const { return written_; }
    void copy();

  private:
    void choose(int index);
    void venueChosen();
    void preview();

    ReportFigure figure_, shown_;
    FigureRequest request_;
    std::vector<ReportFigure> offered_;  // of the records, in the order of the box behind its first entry
    FigureOptions options_;
    QStringList written_;
    QComboBox *kind_, *venue_, *theme_, *vision_;
    QDoubleSpinBox *width_, *height_, *text_;
    QSpinBox* dpi_;
    QLineEdit *folder_, *name_;
    std::vector<QCheckBox*> formats_;
    QLabel *picture_, *caption_, *checks_;
    InlineBar* bar_;
};

}  // namespace sextant
