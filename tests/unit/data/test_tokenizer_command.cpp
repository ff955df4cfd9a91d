// sextant-cli tokenizer as a person runs it: real processes, any bytes through standard input.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

class TestTokenizerCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    struct Outcome {
        int status = -1;
        QByteArray out, err;
    };
    static Outcome run(const QStringList& arguments, const QByteArray& input = {}) {
        QProcess process;
        process.start(QString::fromLocal8Bit(qgetenv("SEXTANT_CLI")), arguments);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(60000);
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QString file(const char* name) const { return folder_.filePath(name); }

  private slots:
    void initTestCase() {
        if (!QFile::exists(QString::fromLocal8Bit(qgetenv("SEXTANT_CLI"))))
            QFAIL("sextant-cli is not built: build it or set SEXTANT_CLI");
        QFile text(file("text.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("low low low low low lower lower newest newest newest newest newest newest widest widest widest");
        text.close();
        const auto trained =
            run({"tokenizer", "train", file("text.txt"), "--vocab-size", "266", "--out", file("tokenizer.json")});
        QCOMPARE(trained.status, 0);
        QVERIFY(QFile::exists(file("tokenizer.json")));
    }

    void encodeAndDecode() {
        const auto encoded = run({"tokenizer", "encode", "--tokenizer", file("tokenizer.json"), " newest lowest"});
        QCOMPARE(encoded.out, QByteArray("265 263 258\n"));
        QCOMPARE(run({"tokenizer", "decode", "--tokenizer", file("tokenizer.json"), "265 263 258"}).out,
                 QByteArray(" newest lowest"));
        QCOMPARE(run({"tokenizer", "decode", "--tokenizer", file("tokenizer.json"), "265", "263", "258"}).out,
                 QByteArray(" newest lowest"));
        QCOMPARE(run({"tokenizer", "decode", "--tokenizer", file("tokenizer.json")}, "[265, 263,258]\n").out,
                 QByteArray(" newest lowest"));
    }

    void anyBytesThroughStandardInput() {
        QByteArray bytes;
        for (int i = 0; i < 256; ++i)
            bytes += static_cast<char>(i);
        bytes += "low \xC3\xA9 low\n";
        const auto encoded = run({"tokenizer", "encode", "--tokenizer", file("tokenizer.json")}, bytes);
        QCOMPARE(encoded.status, 0);
        const auto decoded = run({"tokenizer", "decode", "--tokenizer", file("tokenizer.json")}, encoded.out);
        QCOMPARE(decoded.out, bytes);
    }

    void jsonHasIdsPiecesAndOffsets() {
        const auto encoded =
            run({"tokenizer", "encode", "--json", "--tokenizer", file("tokenizer.json"), "low \u00e9"});
        const auto document = QJsonDocument::fromJson(encoded.out).object();
        QCOMPARE(document["ids"].toArray().size(), 4);
        QCOMPARE(document["ids"].toArray()[0].toInt(), 260);
        QCOMPARE(document["pieces"].toArray()[2].toString(), QString("<0xC3>"));
        QCOMPARE(document["offsets"].toArray()[3].toArray()[0].toInt(), 5);
        QCOMPARE(document["offsets"].toArray()[3].toArray()[1].toInt(), 6);
    }

    void failuresHaveOneLineAndTheirStatus_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        const QString tokenizer = file("tokenizer.json");
        QTest::newRow("no tokenizer") << QStringList{"encode", "--tokenizer", file("none.json"), "a"} << 4;
        QTest::newRow("device") << QStringList{"encode", "--tokenizer", "/dev/zero", "a"} << 4;
        QTest::newRow("id too large") << QStringList{"decode", "--tokenizer", tokenizer, "266"} << 4;
        QTest::newRow("negative id") << QStringList{"decode", "--tokenizer", tokenizer, "--", "-1"} << 4;
        QTest::newRow("no id") << QStringList{"decode", "--tokenizer", tokenizer, "12 x"} << 4;
        QTest::newRow("device to train on") << QStringList{"train", "/dev/zero", "--out", file("x.json")} << 4;
        QTest::newRow("too little text") << QStringList{"train", file("text.txt"), "--out", file("x.json")} << 4;
        QTest::newRow("too small") << QStringList{"train", file("text.txt"), "--vocab-size",
                                                  "100",   "--out",          file("x.json")}
                                   << 2;
        QTest::newRow("nowhere to write")
            << QStringList{"train", file("text.txt"), "--vocab-size", "266", "--out", "/proc/none/x.json"} << 6;
        QTest::newRow("no command") << QStringList{} << 2;
        QTest::newRow("no file") << QStringList{"train", "--out", file("x.json")} << 2;
    }
    void failuresHaveOneLineAndTheirStatus() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const auto outcome = run(QStringList{"tokenizer"} + arguments);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.size() <= 501, outcome.err.constData());
        QVERIFY(!QFile::exists(file("x.json")));
    }
};

QTEST_APPLESS_MAIN(TestTokenizerCommand)
#include "test_tokenizer_command.moc"
