// Files of strangers, given to every command that reads one: an answer within two seconds of processor time (a busy
// machine takes longer by the wall clock; that is bounded too), little memory, one sentence, the documented exit code.

#include <sys/resource.h>
#include <sys/time.h>

#include <QElapsedTimer>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "command_line.h"

using namespace end_to_end;

namespace {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlower = 10.0;
#else
constexpr double kSlower = 1.0;
#endif
}  // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT

  private slots:
    void areAnsweredWithOneSentence_data();
    void areAnsweredWithOneSentence();
    void aLogOfZerosIsToldBesideTheOtherRuns();

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
    for (const char* name : {"zeros.json", "zeros.jsonl", "zeros.bin", "zeros.npy", "zeros.csv", "zeros.txt"})
        zeros(name);
    nlohmann::json jsonl = tiny_experiment();
    jsonl["data"]["corpus"] = {{"kind", "jsonl"}};
    for (const char* split : {"train", "validation", "test"})
        jsonl["data"]["corpus"][split] = folder_.filePath("zeros.jsonl").toStdString();
    write_json(folder_.filePath("jsonl.json"), jsonl);
    nlohmann::json instructions = tiny_experiment();
    instructions["data"]["instructions"] = {{"kind", "file"}, {"path", folder_.filePath("zeros.jsonl").toStdString()}};
    write_json(folder_.filePath("instructions.json"), instructions);
    nlohmann::json tokenizer = tiny_experiment();
    tokenizer["data"]["tokenizer"] = {{"kind", "file"}, {"path", folder_.filePath("zeros.json").toStdString()}};
    write_json(folder_.filePath("tokenizer.json"), tokenizer);
    const QByteArray header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296,), }\n";
    file("huge.npy", QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header);
    QFile::resize(folder_.filePath("huge.npy"), qint64{2} << 30);
    // An event log and a control file that are nothing but zeros, in a project that is otherwise whole.
    const QString project = folder_.filePath("project");
    const Finished made = call(
        {"run", write_json(folder_.filePath("e.json"), tiny_experiment()), "--project", project, "--progress", "none"});
    QVERIFY2(made.code == 0, made.err.constData());
    const QString run = QDir(project + "/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
    zeros("project/runs/" + run + "/events.log");
    zeros("project/runs/" + run + "/control.jsonl");
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
    // Valid but for one thing: merges that never end, and numbers that overflow every identity.
    file("words.txt", QByteArray("the cat and the hat and the bat sat on the mat ").repeated(20));
    QVERIFY(call({"tokenizer", "train", folder_.filePath("words.txt"), "--vocab-size", "270", "--out",
                  folder_.filePath("trained.json")})
                .code == 0);
    const nlohmann::json trained = read_json(folder_.filePath("trained.json"));
    nlohmann::json again = trained, nothing = trained;
    again["model"]["merges"].push_back(trained["model"]["merges"][0]);
    nothing["model"]["vocab"][""] = trained["model"]["vocab"].size();
    nothing["model"]["merges"].push_back(" a");  // "" and "a" make "a"
    write_json(folder_.filePath("again.json"), again);
    write_json(folder_.filePath("nothing.json"), nothing);
    nlohmann::json artifact = read_json(project + "/artifacts/alibi.json");
    QVERIFY(artifact.is_object());
    for (const char* arm : {"baseline", "method"})
        artifact[arm]["lm_loss"] = artifact[arm]["perplexity"] = artifact[arm]["parameters"] = 1e308;
    artifact["setup"]["dimensions"] = 1e308;
    artifact["relative"]["lm_loss_percent"] = "nan";
    write_json(folder_.filePath("overflowing.json"), artifact);
    row("audit: an artifact of 1e308 and nan", {"audit", "@overflowing.json"}, 4);
    row("tokenizer: a merge twice", {"tokenizer", "encode", "--tokenizer", "@again.json", "the cat"}, 4);
    row("tokenizer: a merge with nothing", {"tokenizer", "encode", "--tokenizer", "@nothing.json", "the cat"}, 4);
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
    row("audit: header of 2^63 bytes", {"audit", "@huge/model.safetensors"}, 4);
    row("compare: 2 GB of zeros", {"compare", "@zeros.json"}, 4);
    row("compare: deep", {"compare", "@deep.json"}, 4);
    row("tables: 2 GB of zeros, npy", {"tables", "alibi", "--what", "slopes", "--check", "@zeros.npy"}, 4);
    row("tables: 2 GB behind a small npy header", {"tables", "alibi", "--what", "slopes", "--check", "@huge.npy"}, 4);
    row("tables: 2 GB of zeros, csv", {"tables", "alibi", "--what", "slopes", "--check", "@zeros.csv"}, 4);
    row("tables: 2 GB of zeros, json", {"tables", "alibi", "--what", "slopes", "--check", "@zeros.json"}, 4);
    row("tables: deep", {"tables", "alibi", "--what", "slopes", "--check", "@deep.json"}, 4);
    row("tables: deep values", {"tables", "t5", "--what", "bias", "--values", "@deep.json"}, 4);
    row("tokenizer train: 2 GB of zeros", {"tokenizer", "train", "@zeros.txt", "--out", "@t.json"}, 4);
    row("attend: 2 GB of zeros", {"attend", "@zeros", "--text", "a"}, 4);
    row("attend: header of 2^63 bytes", {"attend", "@huge", "--text", "a"}, 4);
    row("evaluate: 2 GB of zeros", {"evaluate", "@zeros.bin", "--text", "@zeros.txt"}, 4);
    row("evaluate: header of 2^63 bytes", {"evaluate", "@huge", "--text", "@zeros.txt"}, 4);
    row("generate: sizes that overflow", {"generate", "@overflow", "--prompt", "a", "--tokens", "1"}, 4);
    row("run: corpus of zeros", {"run", "@jsonl.json", "--progress", "none"}, 4);
    row("run: instructions of zeros", {"run", "@instructions.json", "--progress", "none"}, 4);
    row("run: tokenizer of zeros", {"run", "@tokenizer.json", "--progress", "none"}, 4);
    row("run: 2 GB of zeros", {"run", "@zeros.json"}, 3);
    row("run: deep", {"run", "@deep.json"}, 3);
}

void TestHostileFiles::areAnsweredWithOneSentence() {
    QFETCH(QStringList, words);
    QFETCH(int, code);
    const auto processor_seconds = [] {
        struct rusage usage {};
        ::getrusage(RUSAGE_CHILDREN, &usage);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    };
    const double before = processor_seconds();
    QElapsedTimer timer;
    timer.start();
    const Finished finished = call(words, folder_.path(), 60'000);
    const qint64 elapsed = timer.elapsed();
    const double busy = processor_seconds() - before;
    std::printf("%-44s exit %d, %5.2f s of processor, %6lld ms by the clock\n", QTest::currentDataTag(), finished.code,
                busy, static_cast<long long>(elapsed));
    std::fflush(stdout);
    QVERIFY2(finished.code == code, (QByteArray::number(finished.code) + ": " + finished.err).constData());
    QVERIFY2(finished.error_lines() == 1, finished.err.constData());
    QVERIFY2(finished.err.size() <= 515, finished.err.constData());
    QVERIFY2(busy < 2.0 * kSlower, qPrintable(QString("took %1 s of processor time").arg(busy)));
}

void TestHostileFiles::aLogOfZerosIsToldBesideTheOtherRuns() {
    const Finished finished = call({"compare", "project"}, folder_.path(), 60'000);
    QVERIFY2(finished.code == 0, finished.err.constData());
    QVERIFY2(finished.out.contains("events.log: is no event log behind byte 0"), finished.out.constData());
    QVERIFY2(finished.out.contains("alibi"), finished.out.constData());
}

QTEST_GUILESS_MAIN(TestHostileFiles)
#include "test_hostile_files.moc"
