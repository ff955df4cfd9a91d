#pragma once
#include "widgets/pages/page.h"
namespace sextant {
class Session;
class ComparePage : public Page {
    Q_OBJECT
  public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);
};
}  // namespace sextant
