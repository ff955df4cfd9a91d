#pragma once
// The Report page: what the project's runs allow one to say, as text that can be copied, with its protocol, figures'
// sources and provenance. Made from the comparison, so that it never says more than the Compare page.

#include "widgets/models/comparison_model.h"
#include "widgets/pages/page.h"

class QTextBrowser;

namespace sextant {

class InlineBar;
class Session;

class ReportPage : public Page {
    Q_OBJECT

  public:
    explicit ReportPage(Session& session, QWidget* parent = nullptr);
    bool runCommand(const QString& id) override;
    [[nodiscard]] QString tableText() const override;
    // The report as Markdown; empty before there is a comparison.
    [[nodiscard]] QString markdown() const;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void refresh();
    void save(const QString& file);

    Session& session_;
    ComparisonModel model_;
    InlineBar* bar_;
    QTextBrowser* text_;
};

}  // namespace sextant
