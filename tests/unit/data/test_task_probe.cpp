// Task probes: the answer stands exactly `distance` tokens back, once, and a reader without the sequence can only
// guess.
#include <QtTest>
#include <cmath>
#include <set>

#include "core/data/synthetic_corpus.h"
#include "core/data/task_probe.h"

using namespace sextant;

namespace {

const BytePairEncoder& tokenizer() {
    static const BytePairEncoder trained = [] {
        std::string text;
        for (int i = 0; i < 60; ++i)
            text += make_story(0, "train", i).text + "\n";
        return BytePairEncoder::train(text, 512).value();
    }();
    return trained;
}

TaskProbeRequest request(const std::string& task, std::int64_t distance, std::int64_t length) {
    TaskProbeRequest one;
    one.task = task;
    one.distance = distance;
    one.length = length;
    one.count = 40;
    return one;
}

}  // namespace

class TestTaskProbe : public QObject {
    Q_OBJECT
  private slots:
    void answersStandAtTheDistance_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<int>("distance");
        QTest::addColumn<int>("length");
        for (const auto& [distance, length] : {std::pair{16, 64}, {17, 64}, {100, 256}, {300, 512}, {5, 300}}) {
            for (const char* task : {"copy", "induction", "recall", "needle"}) {
                if (std::string(task) == "needle" && distance < 60) continue;
                QTest::addRow("%s %d in %d", task, distance, length) << task << distance << length;
            }
        }
    }
    void answersStandAtTheDistance() {
        QFETCH(QString, task);
        QFETCH(int, distance);
        QFETCH(int, length);
        const auto set = make_task_probes(tokenizer(), request(task.toStdString(), distance, length));
        QVERIFY2(set.ok(), set.ok() ? "" : set.error().sentence().c_str());
        QCOMPARE(set->probes.size(), std::size_t{40});
        std::set<std::vector<std::int32_t>> all;
        for (const TaskProbe& probe : set->probes) {
            QCOMPARE(static_cast<int>(probe.tokens.size()), length);
            QCOMPARE(probe.positions, (std::vector<std::int64_t>{length - 2, length - 1}));
            for (const std::int64_t position : probe.positions) {
                QCOMPARE(probe.tokens[static_cast<std::size_t>(position)],
                         probe.tokens[static_cast<std::size_t>(position - distance)]);
            }
            all.insert(probe.tokens);
        }
        QVERIFY(all.size() > 38);  // different texts
        const auto again = make_task_probes(tokenizer(), request(task.toStdString(), distance, length));
        QVERIFY(again->probes.back().tokens == set->probes.back().tokens);
    }

    void needleIsToldOnceAndAskedOnce() {
        const auto set = make_task_probes(tokenizer(), request("needle", 300, 512)).value();
        for (const TaskProbe& probe : set.probes) {
            const std::string text = tokenizer().decode(probe.tokens).value();
            const std::size_t cue = text.rfind("The word for the door in ");
            const std::string asked = text.substr(cue);
            QCOMPARE(text.find(asked), text.find(asked.substr(0, asked.rfind(' '))));
            QVERIFY(text.find(asked) < cue);
        }
    }

    void recallKeyIsUnique() {
        const auto set = make_task_probes(tokenizer(), request("recall", 100, 256)).value();
        for (const TaskProbe& probe : set.probes) {
            const std::string text = tokenizer().decode(probe.tokens).value();
            const std::string key = text.substr(text.size() - 4, 2);
            std::size_t found = 0;
            for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; ++at)
                ++found;
            QCOMPARE(found, std::size_t{2});
        }
    }

    void chanceIsWhatGuessingGets() {
        QCOMPARE(make_task_probes(tokenizer(), request("copy", 16, 64))->chance, 1.0 / 64);
        QCOMPARE(make_task_probes(tokenizer(), request("needle", 100, 256))->chance, 1.0 / (512.0 * 512.0));
    }

    void impossibleRequestsNameTheLeast() {
        const auto says = [](const TaskProbeRequest& one) {
            const auto set = make_task_probes(tokenizer(), one);
            return set.ok() ? std::string("accepted") : set.error().sentence();
        };
        QVERIFY(says(request("copy", 16, 17)).find("at least 18") != std::string::npos);
        QVERIFY(says(request("induction", 2, 64)).find("at least 3") != std::string::npos);
        QVERIFY(says(request("needle", 10, 64)).find("distance is 10; this task needs at least") != std::string::npos);
        QVERIFY(says(request("neddle", 100, 256)).find("did you mean needle?") != std::string::npos);
        QVERIFY(says(request("copy", -1, 64)).find("distance is -1") != std::string::npos);
        for (const auto& one : {request("copy", 16, 17), request("recall", 3, 64)})
            QCOMPARE(make_task_probes(tokenizer(), one).error().exit_status(), 3);
    }
};

QTEST_APPLESS_MAIN(TestTaskProbe)
#include "test_task_probe.moc"
