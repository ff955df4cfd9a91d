#include "widgets/pages/report_page.h"
namespace sextant {
ReportPage::ReportPage(Session&, QWidget* parent) : Page(parent) {}
}  // namespace sextant
