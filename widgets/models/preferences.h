#pragma once
// The user's preferences behind one typed wrapper; nothing else touches QSettings. Experiment settings never live here,
// they live in the experiment file. Under QStandardPaths' test mode it reads and writes the test folders.

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>
#include <QVariantMap>
#include <memory>

#include "widgets/theme/theme_controller.h"

class QSettings;

namespace sextant {

struct RecentProject {
    QString path;
    QDateTime opened;
};

class Preferences : public QObject {
    Q_OBJECT

  public:
    explicit Preferences(QObject* parent = nullptr);
    ~Preferences() override;

    [[nodiscard]] QString language() const;  // "", "en", "zh_CN"; empty follows the system
    void setLanguage(const QString& language);
    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    [[nodiscard]] bool systemFont() const;
    void setSystemFont(bool use);
    [[nodiscard]] bool singleKeys() const;  // shortcuts of one letter; can be switched off for accessibility
    void setSingleKeys(bool on);
    [[nodiscard]] bool hintHidden(const QString& hint) const;
    void hideHint(const QString& hint);

    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    // Dock states of a workspace and views of a page; empty when they were saved by another version.
    [[nodiscard]] QByteArray layout(const QString& workspace, int version) const;
    void setLayout(const QString& workspace, const QByteArray& layout, int version);
    [[nodiscard]] QVariantMap view(const QString& page, int version) const;
    void setView(const QString& page, const QVariantMap& view, int version);

    [[nodiscard]] QList<RecentProject> recent() const;  // newest first, at most 12
    void addRecent(const QString& path);
    void removeRecent(const QString& path);
    [[nodiscard]] QString projectFolder() const;  // where new projects are offered

  Q_SIGNALS:
    void changed();

  private:
    std::unique_ptr<QSettings> settings_;
};

}  // namespace sextant
