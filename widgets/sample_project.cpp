#include "widgets/sample_project.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

namespace sextant {

namespace {
const QString kSample = QStringLiteral(":/sample");
}

bool sampleAvailable() {
    return QFile::exists(kSample + "/experiment.json");
}

bool isSampleCopy(const QString& project) {
    return project.startsWith(QDir::tempPath() + QStringLiteral("/sextant-sample-"));
}

Result<QString> copySampleProject() {
    if (!sampleAvailable()) return data_error("this build carries no sample project");
    // A folder of its own each time, readable by its owner alone. It stays: a run may train on in it without the
    // window.
    QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/sextant-sample-XXXXXX"));
    if (!folder.isValid()) return storage_error("cannot make a folder for the sample", QDir::tempPath().toStdString());
    folder.setAutoRemove(false);
    const QString target = folder.filePath(QStringLiteral("sample"));
    QDirIterator files(kSample, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString source = files.next();
        const QString copy = target + source.mid(kSample.size());
        QDir().mkpath(QFileInfo(copy).path());
        if (!QFile::copy(source, copy))
            return storage_error("cannot write the sample's copy; free space in the temporary folder",
                                 copy.toStdString());
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
    }
    return target;
}

}  // namespace sextant
