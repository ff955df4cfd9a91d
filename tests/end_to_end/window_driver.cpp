// The real window in a process of its own, so that tests can start training from it, kill it and open it again. Words
// on standard input: start, pause, resume, stop, quit. Standard output tells what the window knows, a line a change.
//   window_driver PROJECT [--once]     --once: start at once, and quit when the orchestrator that was started is gone

#include <unistd.h>
#include <QApplication>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <cstdio>

#include "widgets/commands.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

void say(const QString& line) {
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
}

const char* word_of(RunStatus status) {
    switch (status) {
        case RunStatus::kQueued:
            return "queued";
        case RunStatus::kRunning:
            return "running";
        case RunStatus::kPaused:
            return "paused";
        case RunStatus::kInterrupted:
            return "interrupted";
        case RunStatus::kCompleted:
            return "completed";
        case RunStatus::kCancelled:
            return "cancelled";
        case RunStatus::kDiverged:
            return "diverged";
        case RunStatus::kFailed:
            return "failed";
    }
    return "unknown";
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("sextant-test"));
    QCoreApplication::setApplicationName(QStringLiteral("window_driver"));
    const QStringList words = application.arguments();
    if (words.size() < 2) return 2;
    const bool once = words.contains("--once");
    ThemeController themes(application);
    Session session;
    MainWindow window(session);
    int status = 0;
    QString last;
    QObject::connect(&session, &Session::snapshotChanged, &window, [&](const ProjectSnapshotPtr& snapshot) {
        QString line = "runs";
        for (const RunSnapshot& run : snapshot->runs)
            line +=
                QString(" %1 %2 %3;").arg(run.arm(), QString::fromLatin1(word_of(run.status()))).arg(run.state->step);
        if (line != last) say(last = line);
    });
    QObject::connect(&session, &Session::message, &window,
                     [](MessageKind, const QString& fact, const QString& consequence) {
                         say("message " + fact + " " + consequence);
                     });
    QObject::connect(&session.worker(), &WorkerProcess::started, &window,
                     [](qint64 process) { say(QString("started %1").arg(process)); });
    QObject::connect(&session.worker(), &WorkerProcess::refused, &window, [&] {
        if (once) QCoreApplication::exit(1);
    });
    QObject::connect(&session.worker(), &WorkerProcess::ended, &window, [&](const QString& problem) {
        say("ended " + problem);
        if (once) QCoreApplication::exit(problem.isEmpty() ? 0 : 1);
    });
    if (!window.openProject(words[1])) return 3;
    window.show();
    say("open");

    QByteArray typed;
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &window, [&] {
        char buffer[256];
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got <= 0) {
            input.setEnabled(false);
            return;
        }
        typed.append(buffer, got);
        for (qsizetype end = typed.indexOf('\n'); end >= 0; end = typed.indexOf('\n')) {
            const QByteArray word = typed.left(end).trimmed();
            typed.remove(0, end + 1);
            if (word == "start") window.commands().action("run.start")->trigger();
            if (word == "pause" || word == "resume") window.commands().action("run.pause")->trigger();
            if (word == "stop") session.stopAll();  // the command asks in a dialog first
            if (word == "quit") QCoreApplication::exit(status);
        }
    });
    if (once) {
        input.setEnabled(false);
        session.startTraining();
    }
    return QApplication::exec();
}
