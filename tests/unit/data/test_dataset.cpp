// Corpora, instruction records, the cache and prepare_dataset: what comes out is recounted here from the raw files.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/data/corpus.h"
#include "core/data/dataset.h"
#include "core/data/instruction_set.h"

using namespace sextant;

namespace {

std::string write(const QTemporaryDir& folder, const std::string& name, const std::string& bytes) {
    const std::string path = folder.path().toStdString() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

DataConfig small_stories() {
    DataConfig config;
    config.train_tokens = 30000;
    config.validation_tokens = 2000;
    config.test_tokens = 3000;
    config.instructions.train = 20;
    config.instructions.validation = 8;
    config.preferences.validation = 6;
    return config;
}

std::string words(int count, int seed) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "word" + std::to_string((i * 7919 + seed * 104729) % 997) + (i % 9 == 8 ? ".\n" : " ");
    return text;
}

DataConfig of_files(const std::string& train, const std::string& validation, const std::string& test) {
    DataConfig config;
    config.corpus.kind = "text";
    config.corpus.train = train;
    config.corpus.validation = validation;
    config.corpus.test = test;
    config.tokenizer.vocab_size = 300;
    config.train_tokens = 500;
    config.validation_tokens = 100;
    config.test_tokens = 100;
    config.instructions.kind = config.preferences.kind = "none";
    return config;
}

std::string text_of(const Dataset& data, const std::vector<Token>& tokens) {
    return data.tokenizer.decode(tokens).value();
}

QString shared(const char* path) {
    return QString::fromLocal8Bit(qgetenv("SEXTANT_SHARED_DIR")) + "/" + path;
}

}  // namespace

class TestDataset : public QObject {
    Q_OBJECT
  private slots:
    void storiesHaveTheSizesAsked() {
        const auto data = prepare_dataset(small_stories(), {});
        QVERIFY(data.ok());
        QCOMPARE(data->name, std::string("Sextant stories"));
        QCOMPARE(data->train.size(), std::size_t{30000});
        QCOMPARE(data->validation.size(), std::size_t{2000});
        QCOMPARE(data->test.size(), std::size_t{3000});
        QCOMPARE(data->instruction_train, std::int64_t{20});
        QCOMPARE(data->instruction_validation.size(), std::size_t{8});
        QCOMPARE(data->preference_validation.size(), std::size_t{6});
        QCOMPARE(data->tokenizer.vocab_size(), std::int64_t{512});
        // The records stand at the end, each "instruction\ninput\nanswer<eos>", a question first.
        const std::string train = text_of(*data, data->train);
        const std::string eos = "<|endoftext|>";
        QVERIFY(train.ends_with(eos));
        std::size_t end = train.size() - eos.size();
        for (int i = 0; i < 20; ++i) {
            const std::size_t begin = train.rfind(eos, end - 1) + eos.size();
            const std::string record = train.substr(begin, end - begin);
            QCOMPARE(std::count(record.begin(), record.end(), '\n'), 2);
            QVERIFY(record.find("?\n") != std::string::npos);
            end = begin - eos.size();
        }
        // Bytes and words of the test text, recounted from its decoded text.
        std::string test = text_of(*data, data->test);
        for (std::size_t at = 0; (at = test.find(eos)) != std::string::npos;)
            test.replace(at, eos.size(), "\x01");
        const auto documents = std::count(test.begin(), test.end(), '\x01');
        QCOMPARE(data->test_bytes, static_cast<std::int64_t>(test.size()) - documents);
        std::replace(test.begin(), test.end(), '\x01', ' ');
        std::istringstream stream(test);
        std::int64_t count = 0;
        for (std::string word; stream >> word;)
            ++count;
        QCOMPARE(data->test_words, count);
    }

    void answersBeginWhereTheyShould() {
        const auto data = prepare_dataset(small_stories(), {}).value();
        for (const auto& pair : data.preference_validation) {
            for (const auto* record : {&pair.chosen, &pair.rejected}) {
                const std::vector<Token> prompt(record->tokens.begin(), record->tokens.begin() + record->answer_begin);
                const std::string text = text_of(data, prompt);
                QVERIFY(text.ends_with(".\n"));
                QCOMPARE(record->tokens.back(), 0);
                // The context of the presets is 64: the question must not be cut away.
                QVERIFY2(record->tokens.size() <= 90, qPrintable(QString::number(record->tokens.size())));
            }
            QVERIFY(text_of(data, pair.chosen.tokens) != text_of(data, pair.rejected.tokens));
        }
    }

    void shorterCorpusIsAPrefix() {
        auto config = small_stories();
        config.instructions.kind = "none";
        const auto shorter = prepare_dataset(config, {}).value();
        config.train_tokens = 90000;
        const auto longer = prepare_dataset(config, {}).value();
        QCOMPARE(longer.identity.tokenizer_sha256, shorter.identity.tokenizer_sha256);
        QCOMPARE(longer.identity.corpus_sha256, shorter.identity.corpus_sha256);
        QVERIFY(std::equal(shorter.train.begin(), shorter.train.end(), longer.train.begin()));
        QVERIFY(shorter.test == longer.test);
    }

    void oneEndOfTextBetweenJsonRecords() {
        QTemporaryDir folder;
        const auto lines = [&](const char* name, int seed) {
            std::string text;
            for (int i = 0; i < 40; ++i)
                text += nlohmann::json{{"body", words(30, seed + i)}, {"id", i}}.dump() + "\n\n";
            return write(folder, name, text);
        };
        auto config = of_files(lines("a.jsonl", 1), lines("b.jsonl", 100), lines("c.jsonl", 200));
        config.corpus.kind = "jsonl";
        config.corpus.field = "body";
        const auto data = prepare_dataset(config, {});
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().sentence().c_str());
        const std::string text = text_of(*data, data->train);
        QVERIFY(text.starts_with(words(30, 1) + "<|endoftext|>" + words(30, 2) + "<|endoftext|>"));
        QVERIFY(text.find("<|endoftext|><|endoftext|>") == std::string::npos);
    }

    void tooFewTokensNamesBothCounts() {
        QTemporaryDir folder;
        const std::string train = write(folder, "train.txt", words(2000, 1));
        const std::string tail = write(folder, "tail.txt", words(400, 2));
        auto config = of_files(train, tail, tail);
        QVERIFY(prepare_dataset(config, {}).ok());
        config.test_tokens = 1'000'000;
        const auto data = prepare_dataset(config, {});
        QVERIFY(!data.ok());
        QCOMPARE(data.error().exit_status(), 4);
        const auto count = prepare_dataset(of_files(train, tail, tail), {})->tokenizer.encode(words(400, 2)).size();
        const QString sentence = QString::fromStdString(data.error().sentence());
        QVERIFY2(sentence.contains(QString::number(count) + " tokens") && sentence.contains("1000000") &&
                     sentence.contains("test split"),
                 qPrintable(sentence));
        // Exactly as many as there are is enough.
        config.test_tokens = static_cast<std::int64_t>(count);
        QVERIFY(prepare_dataset(config, {}).ok());
        config.test_tokens += 1;
        QVERIFY(!prepare_dataset(config, {}).ok());
    }

    void badFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "text"
                               << "is empty";
        QTest::newRow("latin-1") << QByteArray("caf\xe9 noir") << "text"
                                 << "byte 3";
        QTest::newRow("surrogate") << QByteArray("ab\xed\xa0\x80") << "text"
                                   << "byte 2";
        QTest::newRow("zeros") << QByteArray("some words") + QByteArray(3, '\0') << "text"
                               << "byte 10 is zero";
        QTest::newRow("zeros in records") << QByteArray(100, '\0') << "jsonl"
                                          << "byte 0 is zero";
        QTest::newRow("broken record") << QByteArray("{\"text\":\"a\"}\n\n{\"text\":}\n") << "jsonl"
                                       << "line 3, column 9";
        QTest::newRow("no field") << QByteArray("{\"text\":\"a\"}\n{\"body\":\"b\"}\n") << "jsonl"
                                  << "line 2: has no key \"text\"";
        QTest::newRow("number") << QByteArray("{\"text\":7}\n") << "jsonl"
                                << "line 1: \"text\" is not a text";
        QTest::newRow("list") << QByteArray("[1]\n") << "jsonl"
                              << "line 1";
        QTest::newRow("only blanks") << QByteArray("\n \n") << "jsonl"
                                     << "no records";
    }
    void badFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, kind);
        QFETCH(QString, says);
        QTemporaryDir folder;
        const std::string good = write(folder, "good", kind == "text" ? words(900, 1) : "{\"text\":\"a b c\"}\n");
        auto config = of_files(good, write(folder, "bad", bytes.toStdString()), good);
        config.corpus.kind = kind.toStdString();
        const auto data = prepare_dataset(config, {});
        QVERIFY(!data.ok());
        QCOMPARE(data.error().exit_status(), 4);
        const QString sentence = QString::fromStdString(data.error().sentence());
        QVERIFY2(sentence.contains(says) && sentence.contains("/bad"), qPrintable(sentence));
    }

    void missingFilesAndDevices() {
        QTemporaryDir folder;
        const std::string good = write(folder, "good", words(900, 1));
        for (const std::string path : {"/dev/zero", "/nonexistent/file.txt", "/tmp"}) {
            const auto data = prepare_dataset(of_files(good, path, good), {});
            QVERIFY(!data.ok());
            QCOMPARE(data.error().exit_status(), 4);
            QVERIFY(data.error().sentence().find(path) != std::string::npos);
        }
        QCOMPARE(prepare_dataset(of_files(good, "", good), {}).error().exit_status(), 3);
    }

    void cacheIsVerifiedAndRebuilt() {
        QTemporaryDir folder;
        const std::string cache = folder.path().toStdString() + "/data";
        const auto first = prepare_dataset(small_stories(), cache).value();
        std::filesystem::path made;
        for (const auto& entry : std::filesystem::directory_iterator(cache)) {
            QVERIFY(entry.is_directory());  // the lock is gone
            made = entry.path();
        }
        QCOMPARE(sha256_file((made / "tokenizer.json").string()).value(), first.identity.tokenizer_sha256);
        QCOMPARE(sha256_file((made / "tokens.bin").string()).value(), first.identity.tokens_sha256);
        const auto written = std::filesystem::last_write_time(made / "tokens.bin");
        const auto again = prepare_dataset(small_stories(), cache).value();
        QVERIFY(again.train == first.train && again.test == first.test && again.validation == first.validation);
        QCOMPARE(again.test_words, first.test_words);
        QCOMPARE(again.instruction_validation.back().answer_begin, first.instruction_validation.back().answer_begin);
        QVERIFY(std::filesystem::last_write_time(made / "tokens.bin") == written);
        for (const char* file : {"tokens.bin", "tokenizer.json", "dataset.json"}) {
            const std::string path = (made / file).string();
            const std::string good = read_file(path).value();
            for (const std::size_t at : {std::size_t{10}, good.size() / 2}) {
                std::string bad = good;
                bad[at] = static_cast<char>(bad[at] ^ 1);
                std::ofstream(path, std::ios::binary) << bad;
                QVERIFY(prepare_dataset(small_stories(), cache)->train == first.train);
                QVERIFY(read_file(path).value() == good);
            }
            std::ofstream(path, std::ios::binary) << good.substr(0, good.size() / 3);
            QVERIFY(prepare_dataset(small_stories(), cache)->train == first.train);
            std::filesystem::remove(path);
            QVERIFY(prepare_dataset(small_stories(), cache)->train == first.train);
            QVERIFY(read_file(path).value() == good);
        }
    }

    void identityIsContentNotPath() {
        QTemporaryDir folder;
        const std::string a = write(folder, "a.txt", words(2000, 1));
        const std::string b = write(folder, "b.txt", words(2000, 1));
        const std::string tail = write(folder, "tail.txt", words(400, 2));
        const auto first = prepare_dataset(of_files(a, tail, tail), {})->identity;
        const auto second = prepare_dataset(of_files(b, tail, tail), {})->identity;
        QCOMPARE(first.corpus_sha256, second.corpus_sha256);
        QCOMPARE(first.tokens_sha256, second.tokens_sha256);
        const std::string c = write(folder, "c.txt", words(2000, 3));
        QVERIFY(prepare_dataset(of_files(c, tail, tail), {})->identity.corpus_sha256 != first.corpus_sha256);
    }

    void narrativeIsMixedByDocuments() {
        auto config = small_stories();
        config.instructions.kind = "none";
        config.narrative = CorpusConfig{};
        config.narrative->seed = 9;
        config.narrative_tokens = 10000;
        const auto data = prepare_dataset(config, {}).value();
        QCOMPARE(data.train.size(), std::size_t{30000});
        QCOMPARE(data.narrative_tokens, std::int64_t{10000});
        const std::string text = text_of(data, data.train);
        const std::string eos = "<|endoftext|>";
        std::vector<bool> order;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(eos, begin), text.size());
            const std::string document = text.substr(begin, end - begin);
            begin = end + eos.size();
            bool found = false;
            for (std::int64_t index = 0; index < 60 && !found; ++index) {
                CorpusConfig other;
                for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{9}}) {
                    other.seed = seed;
                    const auto story = read_corpus(other)->generate("train", index);
                    if (story.starts_with(document.substr(0, document.size() > 4 ? document.size() - 4 : 0)) &&
                        !found) {
                        order.push_back(seed == 9);
                        found = true;
                    }
                }
            }
            QVERIFY(found);
        }
        const auto narrative = std::count(order.begin(), order.end(), true);
        QVERIFY(narrative >= 3 && narrative < static_cast<std::ptrdiff_t>(order.size()) / 2);
        const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
        QVERIFY(std::count(order.begin(), middle, true) >= 1 && std::count(middle, order.end(), true) >= 1);
    }

    void tokenizerFileOfAnotherSizeIsNamed() {
        QTemporaryDir folder;
        auto config = small_stories();
        const std::string file = BytePairEncoder().to_json();
        config.tokenizer.kind = "file";
        config.tokenizer.path = write(folder, "tokenizer.json", file);
        const auto refused = prepare_dataset(config, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().exit_status(), 4);
        QVERIFY(refused.error().sentence().find("257") != std::string::npos);
        QVERIFY(refused.error().sentence().find("512") != std::string::npos);
        config.tokenizer.vocab_size = 257;
        const auto data = prepare_dataset(config, {});
        QVERIFY(data.ok());
        QCOMPARE(data->identity.tokenizer_sha256, sha256_hex(file));
    }

    void copyTaskRepeatsAtItsDistance() {
        DataConfig config = small_stories();
        config.corpus.kind = "copy";
        config.corpus.distance = 16;
        config.corpus.alphabet = 8;
        config.tokenizer.vocab_size = 257;
        config.instructions.kind = config.preferences.kind = "none";
        const auto data = prepare_dataset(config, {}).value();
        std::size_t begin = 0;
        for (std::size_t i = 0; i < data.train.size(); ++i) {
            if (data.train[i] == 0) {
                QCOMPARE(i - begin, std::size_t{64});
                begin = i + 1;
            } else if (i - begin >= 16) {
                QCOMPARE(data.train[i], data.train[i - 16]);
            }
        }
        QCOMPARE(std::set<Token>(data.train.begin(), data.train.end()).size(), std::size_t{9});
        config.tokenizer.vocab_size = 512;
        QCOMPARE(prepare_dataset(config, {}).error().exit_status(), 3);
    }

    void articlesNeedBlankLinesAround() {
        const std::string text =
            " \n = One = \n \n a b \n = Not a title = \n c \n \n = = Section = = \n \n d \n \n = Two = \n \n e \n";
        const auto articles = wikitext_articles(text);
        QCOMPARE(articles.size(), std::size_t{2});
        QVERIFY(articles[0].starts_with(" \n = One = \n"));
        QVERIFY(articles[1].starts_with(" = Two = \n"));
        std::string joined;
        for (const auto& article : articles)
            joined += article;
        QCOMPARE(joined, text);  // nothing is lost
    }

    void everyWikitextNameIsFound() {
        std::string article;
        for (const char* title : {" = A = \n \n", " \n = B = \n \n"})
            article += title + words(2997, 1);
        const std::vector<std::array<const char*, 3>> families = {
            {"wiki.train.tokens", "wiki.valid.tokens", "wiki.test.tokens"},
            {"wiki.train.raw", "wiki.valid.raw", "wiki.test.raw"},
            {"train.txt", "valid.txt", "test.txt"}};
        for (const auto& family : families) {
            QTemporaryDir folder;
            for (const char* name : family)
                write(folder, name, article);
            CorpusConfig config;
            config.kind = "wikitext";
            config.directory = folder.path().toStdString();
            const auto corpus = read_corpus(config);
            QVERIFY2(corpus.ok(), family[0]);
            QCOMPARE(corpus->name, std::string("WikiText-2"));
            QCOMPARE(corpus->train.size(), std::size_t{2});
        }
        QTemporaryDir folder;
        write(folder, "train-00000-of-00001.parquet", "PAR1");
        CorpusConfig config;
        config.kind = "wikitext";
        config.directory = folder.path().toStdString();
        const auto corpus = read_corpus(config);
        QVERIFY(!corpus.ok());
        QCOMPARE(corpus.error().exit_status(), 4);
        QVERIFY(corpus.error().sentence().find("convert to text") != std::string::npos);
    }

    void wikitextValidIsResplitByArticle() {
        if (!QFile::exists(shared("data/wikitext-2/valid.txt")))
            QSKIP("no shared data: SEXTANT_SHARED_DIR has no data/wikitext-2");
        DataConfig config;
        config.corpus.kind = "wikitext";
        config.corpus.directory = shared("data/wikitext-2").toStdString();
        config.train_tokens = 400000;
        config.instructions.train = 320;
        QElapsedTimer timer;
        timer.start();
        const auto data = prepare_dataset(config, {});
        QVERIFY2(data.ok(), data.ok() ? "" : data.error().sentence().c_str());
        qInfo("prepared in %lld ms; %s", timer.elapsed(), data->notes.front().c_str());
        QCOMPARE(data->name, std::string("WikiText-2 (valid re-split)"));
        QVERIFY(data->notes.front().find("60 test") != std::string::npos);
        // Published: 60 articles in each, 217,646 and 245,569 words counting one end a line.
        const std::string valid = read_file(shared("data/wikitext-2/valid.txt").toStdString()).value();
        const std::string test = read_file(shared("data/wikitext-2/test.txt").toStdString()).value();
        QCOMPARE(wikitext_articles(valid).size(), std::size_t{60});
        QCOMPARE(wikitext_articles(test).size(), std::size_t{60});
        for (const auto& [text, published] : {std::pair{&valid, 217646}, std::pair{&test, 245569}}) {
            std::int64_t count = std::count(text->begin(), text->end(), '\n');
            for (const std::string& article : wikitext_articles(*text)) {
                std::istringstream stream(article);
                for (std::string word; stream >> word;)
                    ++count;
            }
            QCOMPARE(count, std::int64_t{published});
        }
        // Disjoint: no 200-byte stretch of the validation text stands in the training text.
        const std::string train = text_of(*data, data->train);
        const std::string held = text_of(*data, data->validation);
        for (std::size_t at = 0; at + 200 < held.size(); at += 2000)
            QVERIFY(train.find(held.substr(at, 200)) == std::string::npos);
        QVERIFY(test.starts_with(text_of(*data, data->test).substr(0, 3000)));
    }

    void instructionFilesOfTheTestData() {
        const QString path = shared("data/instruct/instruction-data-with-preference.json");
        if (!QFile::exists(path)) QSKIP("no shared data: SEXTANT_SHARED_DIR has no data/instruct");
        InstructionConfig config{"file", path.toStdString(), 1000, 100};
        const auto set = read_instructions(config, RecordKind::kInstructions, 0);
        QVERIFY(set.ok());
        QCOMPARE(set->train.size(), std::size_t{1000});
        QCOMPARE(set->train[2].prompt, std::string("Convert 45 kilometers to meters.\n\n"));
        QCOMPARE(set->train[2].answer, std::string("45 kilometers is 45000 meters."));
        const auto pairs = read_instructions(config, RecordKind::kPreferences, 0);
        QVERIFY(pairs.ok());
        QCOMPARE(pairs->validation[2].answer, std::string("45 kilometers is equivalent to 45000 meters."));
        QCOMPARE(pairs->validation[2].rejected, std::string("45 kilometers is 45000 meters."));
        config.train = 1050;
        const auto refused = read_instructions(config, RecordKind::kInstructions, 0);
        QVERIFY(refused.error().message.find("1100 records, 1150") != std::string::npos);
    }

    void badInstructionRecords() {
        const auto says = [](const char* text, RecordKind kind) {
            const auto records = parse_instructions(text, kind, "r.json");
            return records.ok() ? std::string("accepted") : records.error().sentence();
        };
        QVERIFY(says("[{\"instruction\":\"a\",\"output\":\"b\"},{\"instruction\":\"a\"}]", RecordKind::kInstructions)
                    .find("record 1: has no \"output\"") != std::string::npos);
        QVERIFY(says("{\"instruction\":\"a\",\"output\":\"b\"}\n{\"instruction\":3}", RecordKind::kInstructions)
                    .find("line 2: \"instruction\" is not a text") != std::string::npos);
        QVERIFY(says("[{\"instruction\":\"a\",\"chosen\":\"b\"}]", RecordKind::kPreferences).find("rejected") !=
                std::string::npos);
        QCOMPARE(says("[]", RecordKind::kPreferences), std::string("accepted"));
    }
};

QTEST_APPLESS_MAIN(TestDataset)
#include "test_dataset.moc"
