#include "widgets/theme/icons.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QPainter>
#include <QSvgRenderer>

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

// Resources of a static library must be named once, outside any namespace.
static void initialiseIcons() {
    Q_INIT_RESOURCE(icons);
}

namespace sextant {
namespace {

QByteArray svg(const QString& name) {
    initialiseIcons();
    QFile file(QStringLiteral(":/sextant/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll();
}

QHash<QString, QIcon>& cache() {
    static QHash<QString, QIcon> icons;
    return icons;
}

}  // namespace

void forgetIcons() {
    cache().clear();
}

QStringList iconNames() {
    initialiseIcons();
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/sextant/icons")).entryList({QStringLiteral("*.svg")}))
        if (!file.startsWith(QLatin1String("sextant"))) names.append(file.chopped(4));
    return names;
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio) {
    QByteArray bytes = svg(name);
    if (bytes.isEmpty()) return {};
    bytes.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(bytes);
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

QIcon lineIcon(const QString& name) {
    return lineIcon(name, theme().text);
}

QIcon lineIcon(const QString& name, const QColor& color) {
    const QString key = name + color.name();
    if (const auto found = cache().constFind(key); found != cache().constEnd()) return *found;
    QIcon result;
    for (const int size : {16, 20, 24}) {
        for (const qreal ratio : {1.0, 1.5, 2.0}) {
            const QPixmap normal = iconPixmap(name, color, size, ratio);
            if (normal.isNull()) return {};
            result.addPixmap(normal, QIcon::Normal);
            result.addPixmap(iconPixmap(name, theme().text3, size, ratio), QIcon::Disabled);
        }
    }
    cache().insert(key, result);
    return result;
}

QIcon applicationIcon() {
    QIcon result;
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256})
        result.addPixmap(
            iconPixmap(size <= 24 ? QStringLiteral("sextant-16") : QStringLiteral("sextant"), Qt::black, size, 1.0));
    return result;
}

}  // namespace sextant
