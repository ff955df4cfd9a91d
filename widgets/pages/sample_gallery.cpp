#include "widgets/pages/sample_gallery.h"

#include <QHBoxLayout>

namespace sextant {

SampleGallery::SampleGallery(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
}

}  // namespace sextant
