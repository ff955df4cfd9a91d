#pragma once
// The start page's pictures: what the encodings do, drawn from the tables themselves, so they are true before anything
// was trained.

#include <QWidget>

namespace sextant {

class SampleGallery : public QWidget {
    Q_OBJECT

  public:
    explicit SampleGallery(QWidget* parent = nullptr);
};

}  // namespace sextant
