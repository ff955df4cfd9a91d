#include "widgets/models/run_notes.h"

#include <QDir>
#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"

namespace sextant {

class NoteEdit : public QUndoCommand {
  public:
    NoteEdit(RunNotes& notes, QString folder, RunNotes::Note before, RunNotes::Note after)
        : notes_(notes), folder_(std::move(folder)), before_(std::move(before)), after_(std::move(after)) {}
    void undo() override { notes_.store(folder_, before_); }
    void redo() override { notes_.store(folder_, after_); }

  private:
    RunNotes& notes_;
    QString folder_;
    RunNotes::Note before_, after_;
};

class TrashEdit : public QUndoCommand {
  public:
    TrashEdit(RunNotes& notes, QStringList folders) : notes_(notes), folders_(std::move(folders)) {}
    void undo() override {
        if (!notes_.move(folders_, "/trash/", "/runs/")) setObsolete(true);
    }
    void redo() override {
        if (!notes_.move(folders_, "/runs/", "/trash/")) setObsolete(true);
    }

  private:
    RunNotes& notes_;
    QStringList folders_;
};

RunNotes::RunNotes(QObject* parent) : QObject(parent) {}

void RunNotes::open(const QString& project) {
    project_ = project;
    problem_.clear();
    notes_.clear();
    undo_.clear();
    if (!project_.isEmpty() && QFileInfo::exists(file())) {
        const auto document = read_json_file(file().toStdString());
        if (!document.ok()) {
            problem_ = QString::fromStdString(document.error().sentence());
        } else if (const auto runs = document->find("runs"); runs != document->end() && runs->is_object()) {
            for (const auto& [folder, entry] : runs->items()) {
                if (!entry.is_object()) continue;
                Note note;  // parts of another type are left out
                if (const auto keep = entry.find("keep"); keep != entry.end()) note.keep = *keep == true;
                if (const auto text = entry.find("note"); text != entry.end() && text->is_string())
                    note.note = QString::fromStdString(text->get<std::string>());
                if (const auto tags = entry.find("tags"); tags != entry.end() && tags->is_array()) {
                    for (const auto& tag : *tags) {
                        if (tag.is_string()) note.tags << QString::fromStdString(tag.get<std::string>());
                    }
                }
                notes_.insert(QString::fromStdString(folder), note);
            }
        }
    }
    Q_EMIT changed();
}

void RunNotes::edit(const QString& folder, const Note& next, const QString& text) {
    const Note before = notes_.value(folder);
    if (before == next) return;
    auto* command = new NoteEdit(*this, folder, before, next);
    command->setText(text);
    undo_.push(command);
}

void RunNotes::setTags(const QString& folder, const QStringList& tags) {
    Note next = notes_.value(folder);
    next.tags = tags;
    edit(folder, next, tr("tags"));
}

void RunNotes::setNote(const QString& folder, const QString& note) {
    Note next = notes_.value(folder);
    next.note = note;
    edit(folder, next, tr("note"));
}

void RunNotes::setKeep(const QString& folder, bool keep) {
    Note next = notes_.value(folder);
    next.keep = keep;
    edit(folder, next, keep ? tr("keep") : tr("do not keep"));
}

void RunNotes::store(const QString& folder, const Note& note) {
    // Another window may have written since: only this run's note is ours to change.
    RunNotes now;
    now.open(project_);
    problem_ = now.problem_;
    if (problem_.isEmpty()) notes_ = now.notes_;
    if (note.empty())
        notes_.remove(folder);
    else
        notes_.insert(folder, note);
    Q_EMIT changed();
    if (!problem_.isEmpty()) {
        Q_EMIT failed(tr("Notes are not saved while their file is damaged: %1").arg(problem_));
        return;
    }
    OrderedJson runs = OrderedJson::object();
    QStringList names = notes_.keys();
    names.sort();
    for (const QString& name : names) {
        const Note& entry = notes_[name];
        OrderedJson tags = OrderedJson::array();
        for (const QString& tag : entry.tags)
            tags.push_back(tag.toStdString());
        runs[name.toStdString()] = {{"tags", tags}, {"note", entry.note.toStdString()}, {"keep", entry.keep}};
    }
    const OrderedJson document = {{"schema_version", 1}, {"runs", runs}};
    if (const Status written = write_file_atomically(file().toStdString(), dump_json(document) + "\n"); !written.ok())
        Q_EMIT failed(QString::fromStdString(written.error().sentence()));
}

QStringList RunNotes::moveToTrash(const QStringList& folders) {
    QStringList moved, kept;
    for (const QString& folder : folders)
        (keep(folder) ? kept : moved) << folder;
    if (!moved.isEmpty()) {
        auto* command = new TrashEdit(*this, moved);
        command->setText(tr("move %n run(s) to the trash", nullptr, static_cast<int>(moved.size())));
        undo_.push(command);
    }
    return kept;
}

QStringList RunNotes::trashed() const {
    return QDir(project_ + "/trash").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

bool RunNotes::move(const QStringList& folders, const QString& from, const QString& to) {
    bool good = QDir().mkpath(project_ + to);
    for (const QString& folder : folders) {
        if (!good) break;
        good = QDir().rename(project_ + from + folder, project_ + to + folder);
        if (!good) Q_EMIT failed(tr("%1 could not be moved; look at the rights of the project folder.").arg(folder));
    }
    Q_EMIT changed();
    return good;
}

}  // namespace sextant
