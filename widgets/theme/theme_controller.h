#pragma once
// Applies a theme to the application: Fusion with our palette, a few lines of style sheet and the focus ring. Follows
// the desktop's palette until the user chooses light or dark. main() owns the only one.

#include <QObject>
#include <QPalette>

#include "widgets/theme/theme.h"

class QApplication;

namespace sextant {

enum class ThemeChoice { kSystem, kLight, kDark };

class ThemeController : public QObject {
    Q_OBJECT

  public:
    explicit ThemeController(QApplication& application);
    ~ThemeController() override;

    [[nodiscard]] ThemeChoice choice() const { return choice_; }
    [[nodiscard]] Contrast contrast() const { return contrast_; }
    void setChoice(ThemeChoice choice);
    void setContrast(Contrast contrast);
    // Empty restores Noto Sans.
    void setFontFamily(const QString& family);
    // 0 where the user wants no motion; 120 otherwise.
    [[nodiscard]] static int fadeMilliseconds();
    static void setReducedMotion(bool reduced);

    // The living controller, or nullptr (a test of a single widget).
    static ThemeController* current();

  signals:
    void themeChanged(const sextant::Theme& theme);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void apply();

    QApplication& application_;
    QPalette systemPalette_;
    ThemeChoice choice_ = ThemeChoice::kSystem;
    Contrast contrast_ = Contrast::kNormal;
    bool applying_ = false;
};

[[nodiscard]] QPalette paletteOf(const Theme& theme);
[[nodiscard]] QString styleSheetOf(const Theme& theme);

}  // namespace sextant
