#pragma once
#include "widgets/pages/page.h"
namespace sextant {
class Session;
class AttentionPage : public Page {
    Q_OBJECT
  public:
    explicit AttentionPage(Session& session, QWidget* parent = nullptr);
};
}  // namespace sextant
