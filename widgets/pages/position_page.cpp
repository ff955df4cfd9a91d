#include "widgets/pages/position_page.h"
namespace sextant {
PositionPage::PositionPage(Session&, QWidget* parent) : Page(parent) {}
}  // namespace sextant
