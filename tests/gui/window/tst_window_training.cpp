// The main job with the real command line: an experiment is made in the editor, queued, watched, paused, resumed,
// stopped, continued and opened again.

#include <signal.h>
#include <algorithm>

#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTest>
#include <QThread>
#include <QTimer>

#include "widgets/commands.h"
#include "widgets/dialogs/closing_dialog.h"
#include "widgets/engine/engine_client.h"
#include "widgets/engine/worker_process.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/curves_page.h"
#include "widgets/pages/editor_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

class TestWindowTraining : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void theWholeLife();
    void anotherBuildIsRefused();
    void aMissingProgramIsSaid();
    void aServiceThatDiesIsAskedAgainOnce();
    void closingOffersThreeChoicesThatWork();

  private:
    static void queueTiny(MainWindow& window, Session& session, const QString& place, int steps);
};

void TestWindowTraining::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QVERIFY2(!WorkerProcess::findProgram().isEmpty(), "sextant-cli must be built for this test");
}

// Two arms of the quick preset on little data, queued in the editor with the mouse.
void TestWindowTraining::queueTiny(MainWindow& window, Session& session, const QString& place, int steps) {
    window.newExperiment("quick");
    ExperimentModel& experiment = session.experiment();
    const auto set = [&](const char* section, const char* path, const QString& value) {
        experiment.setValue(
            {QString::fromLatin1(section), QString::fromLatin1(path), FieldKind::kInteger, FieldScope::kArm, {}, {}}, 0,
            value);
    };
    set("training", "/steps", QString::number(steps));
    set("training", "/evaluate_every", "20");
    set("training", "/threads", "1");
    experiment.setValueAt("/data/train_tokens", FieldKind::kInteger, "20000");
    experiment.setValueAt("/data/validation_tokens", FieldKind::kInteger, "2000");
    experiment.setValueAt("/data/test_tokens", FieldKind::kInteger, "3000");
    experiment.setValueAt("/evaluation/lengths", FieldKind::kIntegerList, "64");
    experiment.setValueAt("/evaluation/tokens", FieldKind::kInteger, "1024");
    experiment.setValueAt("/evaluation/primary/length", FieldKind::kInteger, "64");
    while (experiment.armCount() > 1)
        experiment.removeArm(1);
    experiment.addVariant("alibi");
    for (const FieldProblem& problem : experiment.problems())
        QVERIFY2(problem.warning, qPrintable(problem.pointer + ": " + problem.message));
    auto* edit = window.editor()->findChild<QLineEdit*>("projectFolder");
    edit->clear();
    QTest::keyClicks(edit, place);
    QTest::mouseClick(window.editor()->queueButton(), Qt::LeftButton);
    QCOMPARE(session.project(), place);
}

void TestWindowTraining::theWholeLife() {
    ThemeController themes(*qApp);
    QTemporaryDir folder;
    Session session;
    // A program of another build trains nothing: say so instead of waiting in vain.
    connect(&session.worker(), &WorkerProcess::refused, this,
            [](const QString& sentence) { qCritical("%s", qPrintable(sentence)); });
    MainWindow window(session);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    queueTiny(window, session, folder.path() + "/life", 4000);
    if (QTest::currentTestFailed()) return;

    const auto first = [&]() -> const RunSnapshot* {
        const ProjectSnapshotPtr now = session.snapshot();
        return now && !now->runs.empty() ? &now->runs.front() : nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(first() != nullptr && first()->status() == RunStatus::kRunning, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(first()->state->steps.size() > 5, 60000);
    auto* curves = static_cast<CurvesPage*>(window.workspace()->page("curves"));
    QTRY_VERIFY_WITH_TIMEOUT(!curves->mainPlot()->series().empty() && curves->mainPlot()->pointCount() > 0, 60000);
    QVERIFY(first()->state->steps.front().loss > 5.0);  // near ln 512 = 6.24

    // Both arms train at once where there are two cores. One word goes to all that are live, and the next one is
    // "resume" only when all of them have paused.
    const auto live = [&](bool paused) {
        const ProjectSnapshotPtr now = session.snapshot();
        return std::count_if(now->runs.begin(), now->runs.end(), [paused](const RunSnapshot& run) {
            return run.live() && (!paused || run.status() == RunStatus::kPaused);
        });
    };
    const auto together = std::min<std::ptrdiff_t>(2, QThread::idealThreadCount());
    QTRY_VERIFY_WITH_TIMEOUT(live(false) == together && first()->status() == RunStatus::kRunning, 60000);
    window.commands().action("run.pause")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(live(true) == together, 30000);
    QCOMPARE(first()->status(), RunStatus::kPaused);
    const std::int64_t paused = first()->state->step;
    QTest::qWait(400);
    QCOMPARE(first()->state->step, paused);
    window.commands().action("run.pause")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(first()->status() == RunStatus::kRunning && first()->state->step > paused, 30000);

    session.stopAll();
    QTRY_VERIFY_WITH_TIMEOUT(!session.training(), 60000);
    QCOMPARE(first()->status(), RunStatus::kCancelled);
    QVERIFY(!first()->state->checkpoints.empty());
    const std::int64_t stopped = first()->state->step;

    // Shorter plans are other plans: continuing this one resumes where it stopped.
    session.startTraining();
    QTRY_VERIFY_WITH_TIMEOUT(first()->status() == RunStatus::kRunning && first()->state->step > stopped, 60000);
    session.stopAll();
    QTRY_VERIFY_WITH_TIMEOUT(!session.training(), 60000);
    const auto points = first()->state->steps.size();

    // Opened again by another window, the same is there.
    Session other;
    QVERIFY(other.open(folder.path() + "/life").ok());
    QTRY_VERIFY(other.snapshot() != nullptr && !other.snapshot()->runs.empty());
    QCOMPARE(other.snapshot()->runs.front().state->steps.size(), points);
    QCOMPARE(other.snapshot()->runs.front().status(), RunStatus::kCancelled);
}

void TestWindowTraining::anotherBuildIsRefused() {
    QTemporaryDir folder;
    const QString fake = folder.path() + "/sextant-cli";
    QFile script(fake);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho '{\"version\":\"0.0.1\",\"commit\":\"f00df00df00d\"}'\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray before = qgetenv("SEXTANT_CLI");
    qputenv("SEXTANT_CLI", fake.toLocal8Bit());
    WorkerProcess worker;
    QString said;
    connect(&worker, &WorkerProcess::refused, this, [&](const QString& sentence) { said = sentence; });
    worker.start(folder.path());
    QTRY_VERIFY(!said.isEmpty());
    QVERIFY(said.contains("f00df00df00d"));
    QVERIFY(!worker.running());
    qputenv("SEXTANT_CLI", before);
}

void TestWindowTraining::aMissingProgramIsSaid() {
    const QByteArray before = qgetenv("SEXTANT_CLI");
    qputenv("SEXTANT_CLI", "/nonexistent/sextant-cli");
    WorkerProcess worker;
    QString said;
    connect(&worker, &WorkerProcess::refused, this, [&](const QString& sentence) { said = sentence; });
    worker.start(QDir::tempPath());
    QTRY_VERIFY(said.contains("sextant-cli"));
    qputenv("SEXTANT_CLI", before);
}

void TestWindowTraining::aServiceThatDiesIsAskedAgainOnce() {
    QTemporaryDir folder;
    const QString fake = folder.path() + "/sextant-cli";
    // The first child dies with the request, the second answers; with "kill" each one dies.
    QFile script(fake);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\ncd \"$(dirname \"$0\")\"\necho x >> starts\necho '{\"ready\":true,\"protocol\":1}'\nread -r line\n"
        "case \"$line\" in *kill*) exit 9;; esac\n"
        "if [ $(wc -l < starts) -lt 2 ]; then exit 9; fi\n"
        "id=${line#*\\\"id\\\":}\n"
        "echo \"{\\\"id\\\":${id%%,*},\\\"ok\\\":true,\\\"result\\\":{\\\"value\\\":42}}\"\nread -r line\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray before = qgetenv("SEXTANT_CLI");
    qputenv("SEXTANT_CLI", fake.toLocal8Bit());
    {
        EngineClient client;
        std::optional<EngineClient::Reply> reply;
        client.ask("describe", {}, this, [&](const EngineClient::Reply& answer) { reply = answer; });
        QTRY_VERIFY(reply.has_value());
        QVERIFY2(reply->ok, qPrintable(reply->problem));
        QCOMPARE(reply->result.value("value").toInt(), 42);
    }
    {
        EngineClient client;
        std::optional<EngineClient::Reply> reply;
        client.ask("kill", {}, this, [&](const EngineClient::Reply& answer) { reply = answer; });
        QTRY_VERIFY(reply.has_value());
        QVERIFY(!reply->ok);
        QVERIFY(!reply->problem.isEmpty());
    }
    QFile starts(folder.path() + "/starts");
    QVERIFY(starts.open(QIODevice::ReadOnly));
    QCOMPARE(starts.readAll().count('x'), 4);
    {  // put to rest it is gone, what it owed is answered, and the next question starts another
        EngineClient client;
        std::optional<EngineClient::Reply> reply;
        client.ask("describe", {}, this, [&](const EngineClient::Reply& answer) { reply = answer; });
        QTRY_VERIFY(reply.has_value());
        const auto child = static_cast<pid_t>(client.processId());
        QVERIFY(child > 0);
        reply.reset();
        client.ask("describe", {}, this, [&](const EngineClient::Reply& answer) { reply = answer; });
        client.rest();
        QVERIFY(reply.has_value() && !reply->ok && !reply->problem.isEmpty());
        QCOMPARE(client.processId(), 0);
        QTRY_VERIFY(::kill(child, 0) != 0);
        reply.reset();
        client.ask("describe", {}, this, [&](const EngineClient::Reply& answer) { reply = answer; });
        QTRY_VERIFY(reply.has_value());
        QVERIFY2(reply->ok, qPrintable(reply->problem));
    }
    qputenv("SEXTANT_CLI", before);
}

// Keep training in the background, checkpoint and stop, cancel: with a real run, seen from the next window.
void TestWindowTraining::closingOffersThreeChoicesThatWork() {
    ThemeController themes(*qApp);
    QTemporaryDir folder;
    const QString place = folder.path() + "/closing";
    const auto answer = [this](MainWindow& window, const char* button) {
        int asked = 0;
        QTimer poll;
        poll.setInterval(20);
        connect(&poll, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<ClosingDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            ++asked;
            QTest::mouseClick(dialog->findChild<QPushButton*>(QString::fromLatin1(button)), Qt::LeftButton);
        });
        poll.start();
        const bool closed = window.close();
        poll.stop();
        if (asked != 1) qWarning("asked %d times", asked);
        return closed && asked == 1;
    };
    const auto stepOf = [](Session& session) {
        const ProjectSnapshotPtr now = session.snapshot();
        std::int64_t step = 0;
        if (now)
            for (const RunSnapshot& run : now->runs)
                step = std::max(step, run.state->step);
        return step;
    };
    std::int64_t seen = 0;
    {
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        queueTiny(window, session, place, 200000);
        if (QTest::currentTestFailed()) return;
        QTRY_VERIFY_WITH_TIMEOUT(stepOf(session) > 3, 60000);
        QVERIFY(!answer(window, "cancelClosing"));  // cancel: nothing changes
        QVERIFY(window.isVisible());
        const std::int64_t before = stepOf(session);
        QTRY_VERIFY_WITH_TIMEOUT(stepOf(session) > before, 60000);
        QVERIFY(answer(window, "keepTraining"));
        seen = stepOf(session);
    }
    {
        // The window and all its objects are gone; the run is not.
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.openProject(place));
        QTRY_VERIFY_WITH_TIMEOUT(session.training() && stepOf(session) > seen, 60000);
        const std::int64_t before = stepOf(session);
        QTRY_VERIFY_WITH_TIMEOUT(stepOf(session) > before, 60000);
        QVERIFY(answer(window, "checkpointAndStop"));
    }
    Session session;
    QVERIFY(session.open(place).ok());
    QTRY_VERIFY_WITH_TIMEOUT(session.snapshot() != nullptr && !session.snapshot()->anyLive(), 60000);
    int stopped = 0;
    for (const RunSnapshot& run : session.snapshot()->runs) {
        if (run.status() == RunStatus::kQueued) continue;
        QCOMPARE(run.status(), RunStatus::kCancelled);
        QVERIFY(!run.state->checkpoints.empty());
        ++stopped;
    }
    QVERIFY(stopped > 0);
}

QTEST_MAIN(TestWindowTraining)
#include "tst_window_training.moc"
