#pragma once
// Undo and redo of how things are looked at: what is hidden, the baseline, axes, smoothing, zoom, pins. Parts of the
// window register how their state is read and put back; each change of the user is one step on the stack that notes and
// tags use too, so that Ctrl+Z takes back the last thing done, whichever it was.

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>
#include <QVariant>
#include <functional>

class QUndoStack;

namespace sextant {

class ViewHistory : public QObject {
    Q_OBJECT

  public:
    explicit ViewHistory(QUndoStack& stack, QObject* parent = nullptr);

    void watch(const QString& part, std::function<QVariant()> read, std::function<void(const QVariant&)> apply);
    // The user changed that part: `text` names the change ("zoom"). Quick repeats of one text are one step.
    void changed(const QString& part, const QString& text);
    // Takes what is there now as the ground: another project, or a change that is not the user's.
    void settle();
    [[nodiscard]] bool applying() const { return applying_; }

  private:
    friend class ViewEdit;
    struct Part {
        std::function<QVariant()> read;
        std::function<void(const QVariant&)> apply;
        QVariant last;
    };
    void put(const QString& part, const QVariant& state);

    QUndoStack& stack_;
    QHash<QString, Part> parts_;
    QElapsedTimer clock_;
    bool applying_ = false;
};

}  // namespace sextant
