#pragma once
// Tags, notes and keep marks of a project's runs, in <project>/notes.json beside the runs they speak of, and the trash
// inside the project. Every change is undoable; nothing is ever deleted, only moved.

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sextant {

class RunNotes : public QObject {
    Q_OBJECT

  public:
    explicit RunNotes(QObject* parent = nullptr);

    void open(const QString& project);  // an unreadable file is named in problem() and never overwritten
    [[nodiscard]] QString problem() const { return problem_; }

    [[nodiscard]] QStringList tags(const QString& folder) const { return notes_.value(folder).tags; }
    [[nodiscard]] QString note(const QString& folder) const { return notes_.value(folder).note; }
    [[nodiscard]] bool keep(const QString& folder) const { return notes_.value(folder).keep; }
    void setTags(const QString& folder, const QStringList& tags);
    void setNote(const QString& folder, const QString& note);
    void setKeep(const QString& folder, bool keep);

    // Folders whose runs are shown beside the project's own; the choice is stored and undoable like a note.
    [[nodiscard]] QStringList compared() const { return compared_; }
    void setCompared(const QStringList& folders);

    // The order in which waiting runs start, where it was changed; in <project>/queue.json, which the worker reads.
    [[nodiscard]] const std::vector<std::string>& queue() const { return queue_; }
    void setQueue(const QStringList& folders);

    // Moves run folders to <project>/trash; kept ones are left and named in the answer.
    QStringList moveToTrash(const QStringList& folders);
    [[nodiscard]] QStringList trashed() const;
    [[nodiscard]] QUndoStack* undoStack() { return &undo_; }

  Q_SIGNALS:
    void changed();
    void comparedChanged();
    void failed(const QString& sentence);

  private:
    friend class NoteEdit;
    friend class TrashEdit;
    friend class ComparedEdit;
    friend class QueueEdit;
    struct Note {
        QStringList tags;
        QString note;
        bool keep = false;
        friend bool operator==(const Note&, const Note&) = default;
        [[nodiscard]] bool empty() const { return tags.isEmpty() && note.isEmpty() && !keep; }
    };
    void edit(const QString& folder, const Note& next, const QString& text);
    void store(const QString& folder, const Note& note);
    void storeCompared(const QStringList& folders);
    void storeQueue(const std::vector<std::string>& folders);
    void save();
    bool move(const QStringList& folders, const QString& from, const QString& to);
    [[nodiscard]] QString file() const { return project_ + "/notes.json"; }

    QString project_;
    QString problem_;
    QHash<QString, Note> notes_;
    QStringList compared_;
    std::vector<std::string> queue_;
    QUndoStack undo_;
};

}  // namespace sextant
