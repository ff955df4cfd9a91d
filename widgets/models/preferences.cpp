#include "widgets/models/preferences.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace sextant {

namespace {

constexpr int kRecentLimit = 12;

QString settingsFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/sextant/sextant.conf";
}

}  // namespace

Preferences::Preferences(QObject* parent)
    : QObject(parent), settings_(std::make_unique<QSettings>(settingsFile(), QSettings::IniFormat)) {}

Preferences::~Preferences() = default;

QString Preferences::language() const {
    return settings_->value("interface/language").toString();
}

void Preferences::setLanguage(const QString& language) {
    settings_->setValue("interface/language", language);
    Q_EMIT changed();
}

ThemeChoice Preferences::theme() const {
    const QString word = settings_->value("interface/theme").toString();
    if (word == "light") return ThemeChoice::kLight;
    if (word == "dark") return ThemeChoice::kDark;
    return ThemeChoice::kSystem;
}

void Preferences::setTheme(ThemeChoice theme) {
    settings_->setValue("interface/theme", theme == ThemeChoice::kLight  ? "light"
                                           : theme == ThemeChoice::kDark ? "dark"
                                                                         : "system");
    Q_EMIT changed();
}

bool Preferences::systemFont() const {
    return settings_->value("interface/system_font", false).toBool();
}

void Preferences::setSystemFont(bool use) {
    settings_->setValue("interface/system_font", use);
    Q_EMIT changed();
}

bool Preferences::singleKeys() const {
    return settings_->value("interface/single_keys", true).toBool();
}

void Preferences::setSingleKeys(bool on) {
    settings_->setValue("interface/single_keys", on);
    Q_EMIT changed();
}

bool Preferences::hintHidden(const QString& hint) const {
    return settings_->value("hints/" + hint, false).toBool();
}

void Preferences::hideHint(const QString& hint) {
    settings_->setValue("hints/" + hint, true);
}

QByteArray Preferences::geometry() const {
    return settings_->value("window/geometry").toByteArray();
}

void Preferences::setGeometry(const QByteArray& geometry) {
    settings_->setValue("window/geometry", geometry);
}

QByteArray Preferences::layout(const QString& workspace, int version) const {
    if (settings_->value("layouts/version").toInt() != version) return {};
    return settings_->value("layouts/" + workspace).toByteArray();
}

void Preferences::setLayout(const QString& workspace, const QByteArray& layout, int version) {
    settings_->setValue("layouts/version", version);
    settings_->setValue("layouts/" + workspace, layout);
}

QVariantMap Preferences::view(const QString& page, int version) const {
    if (settings_->value("views/version").toInt() != version) return {};
    QVariantMap view;
    for (const QString& key : settings_->allKeys()) {
        if (key.startsWith("views/" + page + "/")) view.insert(key.section('/', 2), settings_->value(key));
    }
    return view;
}

void Preferences::setView(const QString& page, const QVariantMap& view, int version) {
    settings_->setValue("views/version", version);
    settings_->remove("views/" + page);
    for (auto entry = view.cbegin(); entry != view.cend(); ++entry)
        settings_->setValue("views/" + page + "/" + entry.key(), entry.value());
}

QList<RecentProject> Preferences::recent() const {
    QList<RecentProject> projects;
    const QStringList paths = settings_->value("recent/paths").toStringList();
    const QStringList times = settings_->value("recent/times").toStringList();
    for (qsizetype i = 0; i < paths.size(); ++i)
        projects << RecentProject{paths[i], QDateTime::fromString(times.value(i), Qt::ISODate)};
    return projects;
}

void Preferences::addRecent(const QString& path) {
    const QString absolute = QDir(path).absolutePath();
    QStringList paths = {absolute};
    QStringList times = {QDateTime::currentDateTimeUtc().toString(Qt::ISODate)};
    for (const RecentProject& project : recent()) {
        if (project.path == absolute || paths.size() >= kRecentLimit) continue;
        paths << project.path;
        times << project.opened.toString(Qt::ISODate);
    }
    settings_->setValue("recent/paths", paths);
    settings_->setValue("recent/times", times);
}

void Preferences::removeRecent(const QString& path) {
    QStringList paths, times;
    for (const RecentProject& project : recent()) {
        if (project.path == path) continue;
        paths << project.path;
        times << project.opened.toString(Qt::ISODate);
    }
    settings_->setValue("recent/paths", paths);
    settings_->setValue("recent/times", times);
}

QString Preferences::projectFolder() const {
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + "/Sextant";
}

}  // namespace sextant
