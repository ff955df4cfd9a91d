#include "widgets/pages/attention_page.h"
namespace sextant {
AttentionPage::AttentionPage(Session&, QWidget* parent) : Page(parent) {}
}  // namespace sextant
