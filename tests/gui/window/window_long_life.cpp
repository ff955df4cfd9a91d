// The long life of one window: open, start, pause, resume, look at every page, stop, close, and again, for as long as
// asked. Afterwards its resident memory must be flat within 5 % and its number of open files what it was.
//   window_long_life [--minutes 30 | --cycles N]     needs no display

#include <unistd.h>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "widgets/commands.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/workspace.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

constexpr double kFlat = 0.05;
constexpr std::size_t kFewestForMemory = 12;  // with fewer cycles the caches are still filling

double residentMb() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0.0;
    const QList<QByteArray> fields = file.readAll().split(' ');
    return fields.size() < 2 ? 0.0 : fields[1].toDouble() * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

// The fewest of several looks: a file that is being read, or the pipes of a child that is ending, are no leak, and what
// leaked is there at every look. Looks for ten seconds unless it finds as few as `usual` before.
int openFiles(int usual) {
    int fewest = std::numeric_limits<int>::max();
    for (int look = 0; look < 100 && (look < 5 || fewest > usual); ++look) {
        QTest::qWait(100);
        const auto open =
            QDir("/proc/self/fd").entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size();
        fewest = std::min(fewest, static_cast<int>(open));
    }
    return fewest;
}

bool waitFor(const char* what, const std::function<bool()>& condition, int milliseconds = 180'000) {
    if (QTest::qWaitFor(condition, milliseconds)) return true;
    std::fprintf(stderr, "in vain: %s\n", what);
    return false;
}

// A long experiment of one arm, so that nothing ends before it is stopped.
constexpr const char* kExperiment = R"({
  "schema_version": 1, "name": "long life",
  "data": {"corpus": {"kind": "synthetic"}, "tokenizer": {"kind": "bpe", "vocab_size": 300},
           "train_tokens": 20000, "validation_tokens": 1000, "test_tokens": 2000,
           "instructions": {"kind": "synthetic", "train": 8, "validation": 4},
           "preferences": {"kind": "synthetic", "validation": 4}},
  "model": {"d_model": 32, "n_layer": 1, "n_head": 2, "d_ff": 32, "context_length": 16},
  "training": {"optimizer": {"kind": "adamw", "learning_rate": 0.003}, "batch_size": 4, "steps": 1000000, "threads": 1,
               "log_every": 100, "evaluate_every": 1000, "checkpoint_every": 1000},
  "evaluation": {"lengths": [16, 32], "modes": ["non-overlapping"], "stride": 16, "tokens": 1024},
  "baseline": {"name": "rope", "encoding": {"id": "rope"}}, "variants": [], "seeds": [42]})";

bool cycle(MainWindow& window, const QString& project) {
    Session& session = window.session();
    QDir(project).removeRecursively();
    if (!QDir().mkpath(project)) return false;
    QFile file(project + "/experiment.json");
    if (!file.open(QIODevice::WriteOnly) || file.write(kExperiment) < 0) return false;
    file.close();
    if (!window.openProject(project)) return false;
    const auto run = [&]() -> const RunSnapshot* {
        const ProjectSnapshotPtr now = session.snapshot();
        return now && now->path == project && !now->runs.empty() ? &now->runs.front() : nullptr;
    };
    QAction* start = window.commands().action("run.start");
    if (!waitFor("start is offered", [&] { return start->isEnabled(); })) return false;
    start->trigger();
    const auto isAt = [&](RunStatus status, std::int64_t beyond) {
        return run() != nullptr && run()->status() == status && run()->state->step > beyond;
    };
    if (!waitFor("training runs", [&] { return isAt(RunStatus::kRunning, 100); })) return false;
    for (const QString& page : Workspace::pageNames()) {
        window.showPage(page);
        QTest::qWait(30);
    }
    window.showPage("curves");
    QAction* pause = window.commands().action("run.pause");
    pause->trigger();
    if (!waitFor("it pauses", [&] { return isAt(RunStatus::kPaused, 0); })) return false;
    const std::int64_t held = run()->state->step;
    pause->trigger();
    if (!waitFor("it resumes", [&] { return isAt(RunStatus::kRunning, held); })) return false;
    session.stopAll();
    if (!waitFor("it stops", [&] { return !session.training(); })) return false;
    window.showPage(
        "attention");  // there is a checkpoint now: its forward-pass service starts, and ends with the project
    QTest::qWait(1500);
    window.commands().action("file.close")->trigger();
    return waitFor("the project is closed", [&] { return !session.isOpen(); });
}

double mean(const std::vector<double>& values, std::size_t from, std::size_t to) {
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(from),
                           values.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
           static_cast<double>(to - from);
}

}  // namespace

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    if (!qEnvironmentVariableIsSet("SEXTANT_CLI"))
        qputenv("SEXTANT_CLI", (QCoreApplication::applicationDirPath() + "/../../bin/sextant-cli").toLocal8Bit());
    QCoreApplication::setOrganizationName(QStringLiteral("sextant-test"));
    QCoreApplication::setApplicationName(QStringLiteral("window_long_life"));
    QCommandLineParser parser;
    const QCommandLineOption minutes("minutes", "How long.", "N", "30");
    const QCommandLineOption cycles("cycles", "How often, instead.", "N");
    parser.addOptions({minutes, cycles});
    parser.addHelpOption();
    parser.process(application);

    ThemeController themes(application);
    Session session;
    MainWindow window(session);
    window.show();
    QTemporaryDir folder;
    const auto limit = static_cast<qint64>(parser.value(minutes).toDouble() * 60'000.0);
    const std::size_t count = parser.value(cycles).toULongLong();
    std::vector<double> memory;
    std::vector<int> files;
    QElapsedTimer clock;
    clock.start();
    std::printf("%6s %9s %12s %6s\n", "cycle", "seconds", "resident MB", "files");
    while (count > 0 ? memory.size() < count : clock.elapsed() < limit) {
        // Two folders in turn: a project is opened again after another one was.
        if (!cycle(window, folder.filePath(memory.size() % 2 == 0 ? "one" : "two"))) return 1;
        memory.push_back(residentMb());
        files.push_back(openFiles(files.empty() ? 0 : *std::min_element(files.begin(), files.end())));
        std::printf("%6zu %9.0f %12.1f %6d\n", memory.size(), static_cast<double>(clock.elapsed()) / 1000.0,
                    memory.back(), files.back());
        std::fflush(stdout);
    }
    // The first cycles make pages, caches and the forward-pass service; the middle is compared with the end.
    const std::size_t n = memory.size();
    bool good = true;
    if (n >= 2) {
        const std::size_t settled = std::min<std::size_t>(n / 4 + 1, n - 1);
        const auto [fewest, most] =
            std::minmax_element(files.begin() + static_cast<std::ptrdiff_t>(settled), files.end());
        std::printf("open files from cycle %zu on: %d to %d\n", settled + 1, *fewest, *most);
        good = *fewest == *most;
    }
    if (n >= kFewestForMemory) {
        const double before = mean(memory, n / 4, n / 2), after = mean(memory, n - n / 4, n);
        std::printf("resident memory: %.1f MB in the second quarter, %.1f MB in the last: %+.1f %% (limit %.0f %%)\n",
                    before, after, 100.0 * (after / before - 1.0), 100.0 * kFlat);
        good = good && after <= before * (1.0 + kFlat);
    }
    std::printf("%s\n", good ? "flat" : "NOT FLAT");
    return good ? 0 : 1;
}
