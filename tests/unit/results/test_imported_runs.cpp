// Logs of other programs: tables and event files as people have them, and what cannot be read of them. Values are
// written by the test and read back.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/results/imported_runs.h"
#include "core/results/tensorboard_events.h"

using namespace sextant;

class TestImportedRuns : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tables_data();
    void tables();
    void severalRunsInOneTable();
    void aTableWithoutStepsIsNamed();
    void linesWithoutAStepAreCounted();
    void eventFilesAreOneRunAFolder();
    void aTornEventFileKeepsItsBeginning();
    void meaningsAndNames_data();
    void meaningsAndNames();
    void foldersAreSearchedFourDeep();

  private:
    static void write(const QString& file, const std::string& bytes) {
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
};

void TestImportedRuns::tables_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("tag");
    QTest::newRow("plain") << QByteArray("step,loss\n1,5.5\n2,4.25\n3,1e-3\n") << "loss";
    QTest::newRow("windows line ends") << QByteArray("step,loss\r\n1,5.5\r\n2,4.25\r\n3,1e-3\r\n") << "loss";
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFstep,loss\n1,5.5\n2,4.25\n3,1e-3\n") << "loss";
    QTest::newRow("tabs") << QByteArray("loss\tStep\n5.5\t1\n4.25\t2\n1e-3\t3\n") << "loss";
    QTest::newRow("semicolons, decimal comma") << QByteArray("step;loss\n1;5,5\n2;4,25\n3;0,001\n") << "loss";
    QTest::newRow("tensorboard download") << QByteArray(
                                                 "Wall time,Step,Value\n1700000000.5,1,5.5\n1700000001,2,4.25\n"
                                                 "1700000002,3,0.001\n")
                                          << "plain";
    QTest::newRow("quoted name") << QByteArray("step,\"run, a - loss\"\n1,5.5\n2,4.25\n3,0.001\n") << "run, a - loss";
    QTest::newRow("unsorted") << QByteArray("step,loss\n3,0.001\n1,5.5\n2,4.25\n") << "loss";
    QTest::newRow("comments and blanks") << QByteArray("# commit: 1\nstep,loss,word\n\n1,5.5,a\n2,4.25,b\n3,0.001,c\n")
                                         << "loss";
}

void TestImportedRuns::tables() {
    QFETCH(QByteArray, text);
    QFETCH(QString, tag);
    const ImportedTable table = parse_curve_table(text.toStdString(), "plain.csv");
    QVERIFY2(table.problems.empty(), table.problems.empty() ? "" : table.problems.front().c_str());
    QCOMPARE(table.runs.size(), std::size_t{1});
    QCOMPARE(table.runs[0].name, std::string("plain"));
    const auto& points = table.runs[0].curves.at(tag.toStdString());
    QCOMPARE(points.size(), std::size_t{3});
    const double expected[] = {5.5, 4.25, 0.001};
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(points[i].step, static_cast<std::int64_t>(i + 1));
        QCOMPARE(points[i].value, expected[i]);
    }
    if (text.startsWith("Wall")) {
        QCOMPARE(points[0].elapsed, 0.0);
        QCOMPARE(points[2].elapsed, 1.5);
        QCOMPARE(table.runs[0].last_time, 1700000002.0);
    }
}

void TestImportedRuns::severalRunsInOneTable() {
    const ImportedTable table = parse_curve_table(
        "run,arm,seed,step,tokens,elapsed_s,loss\r\nx1,rope,0,10,640,1.5,5\r\nx2,rope,1,10,640,1.25,6\r\n"
        "x1,rope,0,20,1280,3,nan\r\nx3,\"a \"\"b\"\"\",0,10,640,1,-inf\r\n",
        "validations.csv");
    QCOMPARE(table.runs.size(), std::size_t{3});
    QCOMPARE(table.runs[0].name, std::string("rope"));
    QCOMPARE(table.runs[1].seed, std::int64_t{1});
    QCOMPARE(table.runs[2].name, std::string("a \"b\""));
    const auto& first = table.runs[0].curves.at("validations/loss");
    QCOMPARE(first.size(), std::size_t{2});
    QCOMPARE(first[1].tokens, 1280.0);
    QCOMPARE(first[1].elapsed, 3.0);
    QVERIFY(std::isnan(first[1].value));
    QVERIFY(std::isinf(table.runs[2].curves.at("validations/loss")[0].value));
    QCOMPARE(meaning_of_tag("validations/loss"), std::string("validation"));
    QCOMPARE(meaning_of_tag("steps/loss"), std::string("training"));
}

void TestImportedRuns::aTableWithoutStepsIsNamed() {
    const ImportedTable table = parse_curve_table("a,b\n1,2\n", "odd.csv");
    QVERIFY(table.runs.empty());
    QCOMPARE(table.problems.size(), std::size_t{1});
    QVERIFY(table.problems[0].find("odd.csv") != std::string::npos);
    QVERIFY(!parse_curve_table("", "empty.csv").problems.empty());
    QVERIFY(!parse_curve_table("# only\n\n", "empty.csv").problems.empty());
}

void TestImportedRuns::linesWithoutAStepAreCounted() {
    const ImportedTable table = parse_curve_table("step,loss\n1,2\nx,3\n,4\n1e300,5\n2,\n3,6\n", "t.csv");
    QCOMPARE(table.problems.size(), std::size_t{1});
    QVERIFY2(table.problems[0].find("3 line(s)") != std::string::npos &&
                 table.problems[0].find("line 3") != std::string::npos,
             table.problems[0].c_str());
    QCOMPARE(table.runs[0].curves.at("loss").size(), std::size_t{2});
}

void TestImportedRuns::eventFilesAreOneRunAFolder() {
    QTemporaryDir folder;
    TensorboardWriter first(1000.0), second(1010.0), other(2000.0);
    for (int step = 1; step <= 5; ++step) {
        first.scalar(1000.0 + step, step, "train/loss", 6.0 - step);
        second.scalar(1010.0 + step, 5 + step, "train/loss", 1.0 - step / 8.0);
        other.scalar(2000.0 + step, step, "eval/loss", 2.0 * step);
    }
    write(folder.filePath("alibi-s3/events.out.tfevents.1.a"), first.bytes());
    write(folder.filePath("alibi-s3/events.out.tfevents.2.a"), second.bytes());
    write(folder.filePath("deep/rope/events.out.tfevents.1.a"), other.bytes());
    const auto runs = read_imported_runs(find_imported_files(folder.path().toStdString()));
    QCOMPARE(runs.size(), std::size_t{2});
    QCOMPARE(runs[0].name, std::string("alibi"));
    QCOMPARE(runs[0].seed, std::int64_t{3});
    const auto& loss = runs[0].curves.at("train/loss");
    QCOMPARE(loss.size(), std::size_t{10});
    for (int i = 0; i < 10; ++i) {
        const double expected = i < 5 ? 5.0 - i : 1.0 - (i - 4) / 8.0;  // exact in 32 bits
        QCOMPARE(loss[static_cast<std::size_t>(i)].step, std::int64_t{i + 1});
        QCOMPARE(loss[static_cast<std::size_t>(i)].value, expected);
    }
    QCOMPARE(runs[1].name, std::string("deep/rope"));
    QCOMPARE(runs[1].curves.at("eval/loss").back().value, 10.0);
}

void TestImportedRuns::aTornEventFileKeepsItsBeginning() {
    QTemporaryDir folder;
    TensorboardWriter writer(1000.0);
    for (int step = 1; step <= 4; ++step)
        writer.scalar(1000.0 + step, step, "loss", step);
    write(folder.filePath("events.out.tfevents.1.a"), writer.bytes().substr(0, writer.bytes().size() - 5));
    write(folder.filePath("x/events.out.tfevents.1.a"), "no event file at all");
    const auto runs = read_imported_runs(find_imported_files(folder.path().toStdString()));
    QCOMPARE(runs.size(), std::size_t{2});
    QCOMPARE(runs[0].curves.at("loss").size(), std::size_t{3});
    QVERIFY(!runs[0].problems.empty());
    QVERIFY(runs[1].curves.empty());
    QVERIFY(!runs[1].problems.empty());
}

void TestImportedRuns::meaningsAndNames_data() {
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("meaning");
    for (const auto& [tag, meaning] :
         {std::pair{"loss", "training"}, std::pair{"train/loss", "training"}, std::pair{"Train_Loss", "training"},
          std::pair{"val_loss", "validation"}, std::pair{"eval/loss", "validation"},
          std::pair{"validation/loss", "validation"}, std::pair{"test/loss/sliding/128", ""},
          std::pair{"grad_norm", "gradient_norm"}, std::pair{"train/gradient_norm", "gradient_norm"},
          std::pair{"lr", "learning_rate"}, std::pair{"train/learning_rate", "learning_rate"},
          std::pair{"train/tokens_per_s", "tokens_per_s"}, std::pair{"accuracy", ""}, std::pair{"", ""}})
        QTest::newRow(tag) << QString::fromLatin1(tag) << QString::fromLatin1(meaning);
}

void TestImportedRuns::meaningsAndNames() {
    QFETCH(QString, tag);
    QFETCH(QString, meaning);
    QCOMPARE(QString::fromStdString(meaning_of_tag(tag.toStdString())), meaning);
    using Named = std::pair<std::string, std::int64_t>;
    QCOMPARE(split_run_name("alibi-s3"), Named("alibi", 3));
    QCOMPARE(split_run_name("alibi-s12-0123456789ab"), Named("alibi", 12));
    QCOMPARE(split_run_name("rope/seed=7"), Named("rope", 7));
    QCOMPARE(split_run_name("rope_seed7"), Named("rope", 7));
    QCOMPARE(split_run_name("rope"), Named("rope", 0));
    QCOMPARE(split_run_name("kerple2"), Named("kerple2", 0));
    QCOMPARE(split_run_name("biases4"), Named("biases4", 0));
}

void TestImportedRuns::foldersAreSearchedFourDeep() {
    QTemporaryDir folder;
    write(folder.filePath("a/b/c/in.csv"), "step,loss\n1,2\n");
    write(folder.filePath("a/b/c/d/e/out.csv"), "step,loss\n1,2\n");
    write(folder.filePath("readme.txt"), "step,loss\n1,2\n");
    const auto files = find_imported_files(folder.path().toStdString());
    QCOMPARE(files.size(), std::size_t{1});
    QCOMPARE(files[0].relative, std::string("a/b/c/in.csv"));
    QCOMPARE(find_imported_files(folder.filePath("a/b/c/in.csv").toStdString()).size(), std::size_t{1});
    QVERIFY(find_imported_files(folder.filePath("readme.txt").toStdString()).empty());
    QVERIFY(find_imported_files(folder.filePath("none").toStdString()).empty());
}

QTEST_APPLESS_MAIN(TestImportedRuns)
#include "test_imported_runs.moc"
