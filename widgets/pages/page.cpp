#include "widgets/pages/page.h"

namespace sextant {

bool Page::runCommand(const QString&) {
    return false;
}

}  // namespace sextant
