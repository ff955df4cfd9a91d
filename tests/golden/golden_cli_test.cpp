// Every golden table through the real command line: all of them as one batch, which goes through the same parser, and
// one for each kind of table as a command of its own.

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "tests/golden/golden_cases.h"

using namespace sextant;
using nlohmann::json;

namespace {

struct Answer {
    int code = -1;
    std::string out;
    QByteArray err;
};

Answer ask(const QStringList& words) {
    QProcess process;
    process.start(qEnvironmentVariable("SEXTANT_CLI"), words);
    process.closeWriteChannel();
    if (!process.waitForFinished(240'000)) return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput().toStdString(), process.readAllStandardError()};
}

QString list(const json& numbers) {
    QStringList words;
    for (const json& number : numbers)
        words << QString::fromStdString(number.dump());
    return words.join(',');
}

// The words after `tables`; learned values go to a file.
QStringList arguments(const golden::Case& golden, const QString& values_file) {
    QStringList words{QString::fromStdString(golden.options.at("encoding").get<std::string>())};
    for (const auto& [key, value] : golden.options.items()) {
        const QString option = "--" + QString::fromStdString(key);
        if (key == "encoding") continue;
        if (key == "param") {
            for (const auto& [name, parameter] : value.items()) {
                const std::string text = parameter.is_string() ? parameter.get<std::string>() : parameter.dump();
                words << "--param" << QString::fromStdString(name + "=" + text);
            }
        } else if (key == "values") {
            QFile file(values_file);
            if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::fromStdString(value.dump()));
            words << option << values_file;
        } else if (value.is_array()) {
            words << option + "=" + list(value);
        } else if (value.is_boolean()) {
            if (value.get<bool>()) words << option;
        } else {
            words << option << QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
    return words;
}

std::string problem_of(const golden::Case& golden, const json& document) {
    if (!document.contains("values")) return golden.name + ": " + document.dump();
    const std::string problem = golden::difference(golden, document.at("values"));
    if (!problem.empty()) return golden.name + problem;
    if (golden.attention_factor != 0.0 &&
        std::abs(document.value("attention_factor", 0.0) - golden.attention_factor) > 1e-12) {
        return golden.name + ": another attention factor";
    }
    return {};
}

// The encodings that have each table, as the documented interface lists them.
const std::map<std::string, std::set<std::string>>& documented() {
    static const std::set<std::string> rotary = {"rope", "xpos"};
    static const std::map<std::string, std::set<std::string>> all = {
        {"slopes", {"alibi"}},
        {"bias", {"alibi", "t5", "kerple-log", "kerple-power", "sandwich", "fire"}},
        {"inverse-frequencies", rotary},
        {"angles", rotary},
        {"cos", rotary},
        {"sin", rotary},
        {"rotate", rotary},
        {"additive", {"sinusoidal", "learned"}},
        {"buckets", {"t5"}},
        {"decay", {"rope"}},
    };
    return all;
}

}  // namespace

class GoldenCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY2(QFile::exists(qEnvironmentVariable("SEXTANT_CLI")), "SEXTANT_CLI must name the program");
    }

    void every_golden_table() {
        QTemporaryDir folder;
        QFile batch(folder.filePath("batch.jsonl"));
        QVERIFY(batch.open(QIODevice::WriteOnly));
        for (std::size_t i = 0; i < golden::cases().size(); ++i) {
            json words = json::array();
            for (const QString& word : arguments(golden::cases()[i], folder.filePath(QString("%1.json").arg(i))))
                words.push_back(word.toStdString());
            batch.write(QByteArray::fromStdString(words.dump() + "\n"));
        }
        batch.close();
        const Answer answer = ask({"tables", "--batch", batch.fileName()});
        QVERIFY2(answer.code == 0, answer.err.constData());
        std::istringstream lines(answer.out);
        std::string line;
        QStringList failures;
        std::size_t compared = 0;
        while (std::getline(lines, line)) {
            QVERIFY(compared < golden::cases().size());
            const std::string problem = problem_of(golden::cases()[compared++], json::parse(line));
            if (!problem.empty()) failures << QString::fromStdString(problem);
        }
        QCOMPARE(compared, golden::cases().size());
        QVERIFY(compared >= 400);
        QVERIFY2(failures.isEmpty(), qPrintable(failures.mid(0, 5).join('\n')));
        qInfo("%zu tables compared through the command line", compared);
    }

    void one_command_for_each_kind_of_table() {
        QTemporaryDir folder;
        std::set<std::string> seen;
        for (const golden::Case& golden : golden::cases()) {
            if (!seen.insert(golden.options.at("what").get<std::string>()).second) continue;
            const Answer answer = ask(QStringList{"tables"} + arguments(golden, folder.filePath("values.json")));
            QVERIFY2(answer.code == 0, answer.err.constData());
            const std::string problem = problem_of(golden, json::parse(answer.out));
            QVERIFY2(problem.empty(), problem.c_str());
        }
        QCOMPARE(seen.size(), documented().size());
    }

    // Ids come from the program, so a new encoding without a golden value fails here. `none` has attention_small.
    void every_encoding_has_a_golden_value() {
        const Answer answer = ask({"encodings", "--json"});
        QCOMPARE(answer.code, 0);
        std::set<std::string> covered;
        if (golden::read_golden("attention_small").at("expected").contains("nope_causal")) covered.insert("none");
        for (const golden::Case& golden : golden::cases())
            covered.insert(golden.options.at("encoding").get<std::string>());
        const json catalog = json::parse(answer.out).at("encodings");
        QVERIFY(catalog.size() >= 11);
        for (const json& entry : catalog) {
            const std::string id = entry.at("id");
            QVERIFY2(covered.contains(id), (id + " has no golden value").c_str());
        }
    }

    // Each table of each encoding that has it is golden; each other pair is refused as wrong usage.
    void every_documented_table_is_there_and_no_other() {
        std::map<std::string, std::set<std::string>> golden_tables;
        for (const golden::Case& golden : golden::cases())
            golden_tables[golden.options.at("what")].insert(golden.options.at("encoding").get<std::string>());
        QCOMPARE(golden_tables, documented());
        QTemporaryDir folder;
        QFile batch(folder.filePath("batch.jsonl"));
        QVERIFY(batch.open(QIODevice::WriteOnly));
        int absent = 0;
        for (const char* id : {"none", "learned", "sinusoidal", "rope", "xpos", "alibi", "t5", "kerple-log",
                               "kerple-power", "sandwich", "fire"}) {
            for (const auto& [what, ids] : documented()) {
                if (ids.contains(id)) continue;
                batch.write(QByteArray::fromStdString(json{id, "--what", what}.dump() + "\n"));
                ++absent;
            }
        }
        batch.close();
        const Answer answer = ask({"tables", "--batch", batch.fileName()});
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.count('\n') == 1 && answer.err.size() <= 500, answer.err.constData());
        std::istringstream lines(answer.out);
        std::string line;
        int refused = 0;
        while (std::getline(lines, line)) {
            QCOMPARE(json::parse(line).at("error").at("code").get<int>(), 2);
            ++refused;
        }
        QCOMPARE(refused, absent);
    }
};

QTEST_GUILESS_MAIN(GoldenCliTest)
#include "golden_cli_test.moc"
