#include "widgets/pages/page.h"

namespace sextant {

bool Page::runCommand(const QString&) {
    return false;
}

FigureSource* Page::figure(const QString&) {
    return nullptr;
}

}  // namespace sextant
