#include "widgets/pages/compare_page.h"
namespace sextant {
ComparePage::ComparePage(Session&, QWidget* parent) : Page(parent) {}
}  // namespace sextant
