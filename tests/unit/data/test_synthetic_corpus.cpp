// The built-in stories: what resources/help/corpus.md says of them is measured here from the text.
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>
#include <cmath>
#include <map>
#include <set>

#include "core/base/hash.h"
#include "core/data/dataset.h"
#include "core/data/synthetic_corpus.h"

using namespace sextant;

namespace {

std::size_t words_between(const Story& story, const StoryReference& reference) {
    std::size_t words = 0;
    for (std::size_t i = reference.before; i < reference.here; ++i)
        words += story.text[i] == ' ' || story.text[i] == '\n' ? 1U : 0U;
    return words;
}

// A number of the help page: the first decimal on the line that begins with `label`.
double documented(const QString& label) {
    QFile file(QString(SEXTANT_SOURCE_DIR) + "/resources/help/corpus.md");
    if (!file.open(QIODevice::ReadOnly)) return -1;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (!line.startsWith("| " + label + " |")) continue;
        const auto match = QRegularExpression("([0-9][0-9,.]*)").match(line.mid(label.size() + 4));
        return match.captured(1).remove(',').toDouble();
    }
    return -1;
}

}  // namespace

class TestSyntheticCorpus : public QObject {
    Q_OBJECT
  private slots:
    void standardCorpusIsFrozen() {
        // The same bytes on every machine and in every version: published runs depend on it.
        Sha256 hash;
        for (int i = 0; i < 50; ++i) {
            for (const char* split : {"train", "validation", "test"})
                hash.update(make_story(0, split, i).text + "\n");
        }
        QCOMPARE(hash.hex(), std::string("f02a10c77e74cf58fd2902e1c61510abb1755bda35b6fa2b004fa31ec665579f"));
    }

    void referencesRepeatTheText() {
        for (int i = 0; i < 100; ++i) {
            const Story story = make_story(0, "train", i);
            QVERIFY(story.references.size() > 10);
            for (const StoryReference& reference : story.references) {
                QVERIFY(reference.before + reference.size <= reference.here);
                QCOMPARE(story.text.substr(reference.before, reference.size),
                         story.text.substr(reference.here, reference.size));
            }
            QVERIFY(story.text.find('{') == std::string::npos && story.text.find('}') == std::string::npos);
            QVERIFY(story.text.find("  ") == std::string::npos);
            QVERIFY(story.text.back() == '.');
        }
    }

    void distancesAreAsDocumented() {
        std::map<int, double> shares;
        double references = 0;
        double bytes = 0;
        for (int i = 0; i < 400; ++i) {
            const Story story = make_story(0, "train", i);
            bytes += static_cast<double>(story.text.size());
            for (const StoryReference& reference : story.references) {
                const std::size_t words = words_between(story, reference);
                ++shares[words <= 8 ? 8 : words <= 32 ? 32 : words <= 128 ? 128 : words <= 256 ? 256 : 1000];
                ++references;
            }
        }
        const std::map<int, const char*> labels = {
            {8, "1 to 8"}, {32, "9 to 32"}, {128, "33 to 128"}, {256, "129 to 256"}, {1000, "more than 256"}};
        for (const auto& [bound, label] : labels) {
            const double percent = 100 * shares[bound] / references;
            qInfo("distance %s words: %.1f %%", label, percent);
            QVERIFY2(std::abs(percent - documented(label)) < 0.1, label);
            QVERIFY(percent > 1);
        }
        qInfo("references a story %.1f, bytes a story %.0f", references / 400, bytes / 400);
        QVERIFY(std::abs(references / 400 - documented("references a story")) < 0.1);
        QVERIFY(std::abs(bytes / 400 - documented("bytes a story")) < 1);
    }

    void varietyAtTheDefaultSize() {
        QElapsedTimer timer;
        timer.start();
        DataConfig config;
        config.instructions.kind = config.preferences.kind = "none";
        const auto data = prepare_dataset(config, {});
        const auto took = timer.elapsed();
        QVERIFY(data.ok());
        QCOMPARE(data->train.size(), std::size_t{400000});
        std::map<Token, double> counts;
        for (const Token token : data->train)
            ++counts[token];
        double entropy = 0;
        for (const auto& [token, count] : counts)
            entropy -= count / 4e5 * std::log(count / 4e5);
        std::set<std::string> words;
        std::string word;
        const std::string text = data->tokenizer.decode(data->train).value();
        for (const char c : text) {
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
                word += static_cast<char>(c | 0x20);
            } else if (!word.empty()) {
                words.insert(word);
                word.clear();
            }
        }
        qInfo("entropy %.3f nats, %zu distinct words, prepared in %lld ms", entropy, words.size(), took);
        QVERIFY(entropy > 5.0);
        QVERIFY(words.size() >= 1500);
        QVERIFY(took < 20000);  // stated: 2 s
        QVERIFY(std::abs(entropy - documented("unigram entropy of the tokens")) < 0.01);
        QVERIFY(std::abs(static_cast<double>(words.size()) - documented("distinct words")) < 1);
    }

    void splitsShareNoStory() {
        std::set<std::string> sentences;
        for (int i = 0; i < 400; ++i)
            sentences.insert(make_story(0, "train", i).text);
        QCOMPARE(sentences.size(), std::size_t{400});
        for (int i = 0; i < 60; ++i) {
            QVERIFY(sentences.insert(make_story(0, "validation", i).text).second);
            QVERIFY(sentences.insert(make_story(0, "test", i).text).second);
        }
    }

    void tooManyTokensAreRefused() {
        DataConfig config;
        config.train_tokens = 10'000'001;
        const auto data = prepare_dataset(config, {});
        QVERIFY(!data.ok());
        QCOMPARE(data.error().exit_status(), 3);
    }

    void questionsHaveOneRightAnswer() {
        for (int i = 0; i < 200; ++i) {
            const StoryQuestion question = make_story_question(0, "preferences", i);
            QVERIFY(question.input.find(question.answer) != std::string::npos);
            QVERIFY(question.input.find(question.wrong_answer) == std::string::npos);
            QVERIFY(question.answer != question.wrong_answer);
        }
    }
};

QTEST_APPLESS_MAIN(TestSyntheticCorpus)
#include "test_synthetic_corpus.moc"
