// Bad input: one clear sentence, the documented exit code, nothing written.

#include <unistd.h>

#include <QElapsedTimer>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"

using namespace end_to_end;
using nlohmann::json;

class TestBadInput : public QObject {
    Q_OBJECT

  private slots:
    void isRefusedWithOneSentenceAndNothingWritten_data();
    void isRefusedWithOneSentenceAndNothingWritten();
    void corporaAreChecked_data();
    void corporaAreChecked();
    void aNewerProjectIsRefusedUntouched();
    void anUnwritableProjectIsNamed();
    void hostileExperimentFilesAreAnsweredQuickly_data();
    void hostileExperimentFilesAreAnsweredQuickly();

  private:
    void refused(const QStringList& words, int code, const QString& text);
    QTemporaryDir folder_;
};

void TestBadInput::refused(const QStringList& words, int code, const QString& text) {
    const QString project = folder_.filePath("project/inner");
    QElapsedTimer timer;
    timer.start();
    const Finished finished = call(words + QStringList{"--project", project});
    QVERIFY2(finished.code == code, (QByteArray::number(finished.code) + ": " + finished.err).constData());
    QVERIFY2(finished.error_lines() == 1, finished.err.constData());
    QVERIFY(finished.err.size() <= 515);
    QVERIFY2(finished.last_line().contains(text), finished.err.constData());
    QVERIFY(finished.out.isEmpty());
    QVERIFY2(!QFile::exists(folder_.filePath("project")), "something was written");
}

void TestBadInput::isRefusedWithOneSentenceAndNothingWritten_data() {
    QTest::addColumn<QStringList>("set");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const QStringList& set, int code, const char* text) {
        QTest::newRow(name) << set << code << text;
    };
    row("unknown key", {"/training/stepz=3"}, 3, "\"steps\"");
    row("negative size", {"/model/d_model=-1"}, 3, "/model/d_model");
    row("huge size", {"/training/batch_size=1e18"}, 3, "/training/batch_size");
    row("heads do not divide", {"/model/d_model=33"}, 3, "heads");
    row("odd head_dim", {"/model/d_model=30"}, 3, "even");
    row("NaN learning rate", {"/training/optimizer/learning_rate=nan"}, 3, "\"nan\"");
    row("test tokens", {"/data/test_tokens=1056"}, 3, "1024 + 32 + 1 = 1057");
    row("malformed --set", {"training.steps=3"}, 2, "--set");
    row("no such device", {"/training/device=cuda"}, 7, "cuda");
    row("bad name", {"/baseline/name=a/b"}, 3, "/baseline/name");
    row("newer schema", {"/schema_version=99"}, 3, "newer Sextant");
    row("does not fit", {"/model/d_model=16384", "/model/n_layer=256", "/model/d_ff=131072"}, 7, "MiB");
}

void TestBadInput::isRefusedWithOneSentenceAndNothingWritten() {
    QFETCH(QStringList, set);
    QFETCH(int, code);
    QFETCH(QString, text);
    if (code == 7 && text == "cuda" && QFile::exists("/dev/nvidia0"))
        QSKIP("cuda works on this machine, so it is not refused");
    QStringList words{"run", write_json(folder_.filePath("e.json"), tiny_experiment())};
    for (const QString& assignment : set)
        words += {"--set", assignment};
    refused(words, code, text);
}

void TestBadInput::corporaAreChecked_data() {
    QTest::addColumn<QByteArray>("train");
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QByteArray() << "";
    QByteArray few;  // enough for the tokenizer, not for the tokens
    for (int i = 0; i < 1500; ++i)
        few += "number " + QByteArray::number(i * 7919) + " of many\n";
    QTest::newRow("too few for the tokenizer") << QByteArray("A few words only.\n") << "300";
    QTest::newRow("shorter than asked") << few << "tokens, 19";
    QTest::newRow("invalid UTF-8") << QByteArray(1000, 'a') + "\xFF" + QByteArray(1000, 'b') << "1000";
    QTest::newRow("missing") << QByteArray("missing") << "no such file";
}

void TestBadInput::corporaAreChecked() {
    QFETCH(QByteArray, train);
    QFETCH(QString, text);
    json experiment = tiny_experiment();
    experiment["data"]["corpus"] = {{"kind", "text"}, {"train", "t.txt"}, {"validation", "t.txt"}, {"test", "t.txt"}};
    QFile file(folder_.filePath("t.txt"));
    file.remove();
    if (train != "missing") {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(train);
        file.close();
    }
    refused({"run", write_json(folder_.filePath("c.json"), experiment)}, 4, text);
}

void TestBadInput::aNewerProjectIsRefusedUntouched() {
    const QString project = folder_.filePath("newer");
    QVERIFY(QDir().mkpath(project));
    json stored = tiny_experiment();
    stored["schema_version"] = 2;
    write_json(project + "/experiment.json", stored);
    const QString file = write_json(folder_.filePath("e.json"), tiny_experiment());
    const Finished finished = call({"run", file, "--project", project});
    QCOMPARE(finished.code, 3);
    QVERIFY2(finished.last_line().contains("newer Sextant"), finished.err.constData());
    QCOMPARE(QDir(project).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
             QStringList{"experiment.json"});
    QCOMPARE(read_json(project + "/experiment.json"), stored);
}

void TestBadInput::anUnwritableProjectIsNamed() {
    const QString file = write_json(folder_.filePath("e.json"), tiny_experiment());
    const Finished finished = call({"run", file, "--project", "/proc/sextant"});
    QCOMPARE(finished.code, 6);
    QVERIFY2(finished.last_line().contains("/proc/sextant"), finished.err.constData());
    QCOMPARE(finished.error_lines(), 1);
    if (::getuid() == 0) return;  // root writes everywhere else
    const QString sealed = folder_.filePath("sealed");
    QVERIFY(QDir().mkpath(sealed));
    QVERIFY(QFile::setPermissions(sealed, QFile::ReadOwner | QFile::ExeOwner));
    const Finished other = call({"run", file, "--project", sealed});
    QCOMPARE(other.code, 6);
    QFile::setPermissions(sealed, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

void TestBadInput::hostileExperimentFilesAreAnsweredQuickly_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("broken") << QByteArray("{\n \"name\": \n}");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("deep") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
    QTest::newRow("not text") << QByteArray(1000, '\xFE');
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    QTest::newRow("duplicate keys") << QByteArray(R"({"schema_version":1,"schema_version":1})");
    QTest::newRow("long key") << "{\"" + QByteArray(1'000'000, 'k') + "\":1}";
    QTest::newRow("numbers") << QByteArray(R"({"schema_version":1,"name":"a","baseline":{"name":"b","encoding":{"id":
        "rope"}},"seeds":[1e308,-1e308,18446744073709551615],"model":{"d_model":1e308}})");
}

void TestBadInput::hostileExperimentFilesAreAnsweredQuickly() {
    QFETCH(QByteArray, bytes);
    QFile file(folder_.filePath("hostile.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    refused({"run", file.fileName()}, 3, "hostile.json");
    refused({"run", "/dev/zero"}, 3, "/dev/zero");
    refused({"run", folder_.filePath("none.json")}, 3, "no such file");
    refused({"run", folder_.path()}, 3, "folder");
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "test_bad_input.moc"
