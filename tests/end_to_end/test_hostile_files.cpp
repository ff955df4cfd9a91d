// Files of strangers, given to every command that reads one: an answer within two seconds (ten times that under ctest,
// where the machine is busy), one sentence, the documented exit code.

#include <QElapsedTimer>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"

using namespace end_to_end;

class TestHostileFiles : public QObject {
    Q_OBJECT

  private slots:
    void areAnsweredWithOneSentence_data();
    void areAnsweredWithOneSentence();

  private:
    QTemporaryDir folder_;
};

void TestHostileFiles::areAnsweredWithOneSentence_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    const auto file = [&](const QString& name, const QByteArray& bytes) {
        const QString path = folder_.filePath(name);
        QVERIFY2(QDir().mkpath(QFileInfo(path).path()), qPrintable(path));
        QFile stream(path);
        if (stream.open(QIODevice::WriteOnly)) stream.write(bytes);
    };
    const auto zeros = [&](const QString& name) {  // 2 GB, sparse
        file(name, {});
        QFile::resize(folder_.filePath(name), qint64{2} << 30);
    };
    const auto row = [&](const char* name, const QStringList& words, int code) {
        QStringList located;
        for (const QString& word : words)
            located << (word.startsWith('@') ? folder_.filePath(word.mid(1)) : word);
        QTest::newRow(name) << located << code;
    };
    const QByteArray deep = QByteArray(100'000, '[') + QByteArray(100'000, ']');
    zeros("zeros.json");
    zeros("zeros.bin");
    zeros("zeros/model.safetensors");
    file("zeros/config.json", R"({"model_type":"llama","hidden_size":8,"num_attention_heads":2})");
    file("deep.json", deep);
    file("huge/model.safetensors", QByteArray::fromHex("ffffffffffffff7f") + "{}");
    file("huge/config.json", R"({"model_type":"llama","hidden_size":8,"num_attention_heads":2})");
    file("deep/config.json", deep);
    file("overflow/config.json",
         R"({"model_type":"llama","hidden_size":9223372036854775807,"num_hidden_layers":9223372036854775807,
             "num_attention_heads":2,"vocab_size":4611686018427387904})");
    file("overflow/model.safetensors",
         QByteArray::fromHex("5700000000000000") +
             R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,9223372036854775807]}})");
    file("loop.json", R"({"version":"1.0","added_tokens":[],"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},)"
                      R"("merges":["a b","ab ab","ab ab","b a"]}})");
    file("artifact.json",
         R"({"baseline":{"lm_loss":1e308,"perplexity":1e308,"parameters":1e308},)"
         R"("method":{"lm_loss":-1e308,"perplexity":"nan"},"setup":{"dimensions":1e308,"layers":-1}})");
    file("nan.json", R"({"baseline":{"lm_loss":NaN}})");
    row("audit: 2 GB of zeros", {"audit", "@zeros.json"}, 4);
    row("audit: deep", {"audit", "@deep.json"}, 4);
    row("audit: 1e308", {"audit", "@artifact.json"}, 4);
    row("audit: NaN", {"audit", "@nan.json"}, 4);
    row("audit: a device", {"audit", "/dev/zero"}, 4);
    row("audit: a folder", {"audit", "@huge"}, 4);
    row("tokenizer: 2 GB of zeros", {"tokenizer", "encode", "--tokenizer", "@zeros.json", "text"}, 4);
    row("tokenizer: deep", {"tokenizer", "encode", "--tokenizer", "@deep.json", "text"}, 4);
    row("tokenizer: merge loop", {"tokenizer", "encode", "--tokenizer", "@loop.json", "text"}, 4);
    row("tokenizer: a device", {"tokenizer", "encode", "--tokenizer", "/dev/urandom", "text"}, 4);
    row("describe: 2 GB of zeros, llama2.c", {"describe", "@zeros.bin"}, 4);
    row("describe: 2 GB of zeros, safetensors", {"describe", "@zeros"}, 4);
    row("describe: header of 2^63 bytes", {"describe", "@huge"}, 4);
    row("describe: deep config", {"describe", "@deep"}, 4);
    row("describe: sizes that overflow", {"describe", "@overflow"}, 4);
    row("describe: a device", {"describe", "/dev/zero"}, 4);
    row("run: 2 GB of zeros", {"run", "@zeros.json"}, 3);
    row("run: deep", {"run", "@deep.json"}, 3);
}

void TestHostileFiles::areAnsweredWithOneSentence() {
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QElapsedTimer timer;
    timer.start();
    const Finished finished = call(words, folder_.path(), 30'000);
    const qint64 elapsed = timer.elapsed();
    QVERIFY2(finished.code == code, (QByteArray::number(finished.code) + ": " + finished.err).constData());
    QVERIFY2(finished.error_lines() == 1, finished.err.constData());
    QVERIFY2(finished.err.size() <= 515, finished.err.constData());
    QVERIFY2(elapsed < 20'000, qPrintable(QString("took %1 ms").arg(elapsed)));
    std::printf("%-40s %5lld ms\n", QTest::currentDataTag(), static_cast<long long>(elapsed));
}

QTEST_GUILESS_MAIN(TestHostileFiles)
#include "test_hostile_files.moc"
