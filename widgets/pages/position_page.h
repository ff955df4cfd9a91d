#pragma once
#include "widgets/pages/page.h"
namespace sextant {
class Session;
class PositionPage : public Page {
    Q_OBJECT
  public:
    explicit PositionPage(Session& session, QWidget* parent = nullptr);
};
}  // namespace sextant
