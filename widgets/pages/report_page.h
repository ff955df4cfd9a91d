#pragma once
// The Report page: the report as it will be printed, followed as runs are evaluated, and saved as PDF, HTML or
// Markdown. The records are read in the pool, pictures are drawn one at a time between events; attention of the probe
// text is asked for when the page is shown.

#include <memory>

#include "widgets/pages/page.h"
#include "widgets/report/report_document.h"

class QTextBrowser;

namespace sextant {

class InlineBar;
class ReportAttention;
class Session;

class ReportPage : public Page {
    Q_OBJECT

  public:
    explicit ReportPage(Session& session, QWidget* parent = nullptr);
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    // The report as Markdown; empty before there is one.
    [[nodiscard]] QString markdown() const;
    [[nodiscard]] const std::shared_ptr<const ReportModel>& report() const { return report_; }
    // By suffix: .pdf, .html, .md; a path that ends in '/' is a folder of HTML.
    [[nodiscard]] Status save(const QString& path, OnExisting existing);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void update();
    void refresh();
    void drawNext(std::size_t figure, std::uint64_t generation);
    void askAndSave(const QString& path);

    Session& session_;
    InlineBar* bar_;
    QTextBrowser* text_;
    ReportAttention* attention_;
    std::shared_ptr<const ReportModel> report_;
    ReportDocument document_;
    QString problem_;
    std::vector<std::pair<QString, std::size_t>> seen_;
    std::uint64_t generation_ = 0;
};

}  // namespace sextant
