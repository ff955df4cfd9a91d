#pragma once
#include "widgets/pages/page.h"
namespace sextant {
class Session;
class ReportPage : public Page {
    Q_OBJECT
  public:
    explicit ReportPage(Session& session, QWidget* parent = nullptr);
};
}  // namespace sextant
