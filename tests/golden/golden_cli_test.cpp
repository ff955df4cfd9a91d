// The golden tables through the real command line, two processes at a time. SEXTANT_GOLDEN_ALL=1 runs every case; by
// default the ones that are alike (other head counts, other factors) are left to golden_tables_test.

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <memory>

#include "tests/golden/golden_cases.h"

using namespace sextant;
using nlohmann::json;

class GoldenCliTest : public QObject {
    Q_OBJECT

  private:
    static QString list(const json& numbers) {
        QStringList words;
        for (const json& number : numbers)
            words << QString::fromStdString(number.dump());
        return words.join(',');
    }
    QStringList arguments(const golden::Case& golden, const QString& values_file) const {
        QStringList words{"tables", QString::fromStdString(golden.options.at("encoding").get<std::string>())};
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
                words << option << list(value);
            } else if (value.is_boolean()) {
                if (value.get<bool>()) words << option;
            } else {
                words << option << QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
            }
        }
        return words;
    }

  private slots:
    void tables_through_the_command_line() {
        const QString program = qEnvironmentVariable("SEXTANT_CLI");
        QVERIFY2(QFile::exists(program), "SEXTANT_CLI must name the program");
        const bool all = qEnvironmentVariableIsSet("SEXTANT_GOLDEN_ALL");
        QTemporaryDir folder;
        std::vector<const golden::Case*> wanted;
        for (const golden::Case& golden : golden::cases()) {
            if (golden.command_line || all) wanted.push_back(&golden);
        }
        QVERIFY(wanted.size() >= 40);
        QStringList failures;
        constexpr std::size_t kAtOnce = 2;
        for (std::size_t first = 0; first < wanted.size(); first += kAtOnce) {
            std::vector<std::unique_ptr<QProcess>> running;
            for (std::size_t i = first; i < std::min(first + kAtOnce, wanted.size()); ++i) {
                running.push_back(std::make_unique<QProcess>());
                running.back()->start(program, arguments(*wanted[i], folder.filePath(QString("%1.json").arg(i))));
            }
            for (std::size_t i = 0; i < running.size(); ++i) {
                const golden::Case& golden = *wanted[first + i];
                QProcess& process = *running[i];
                QVERIFY(process.waitForFinished(60000));
                const QString name = QString::fromStdString(golden.name) + ": ";
                if (process.exitCode() != 0) {
                    failures << name + process.readAllStandardError();
                    continue;
                }
                const auto document = json::parse(process.readAllStandardOutput().toStdString());
                const std::string problem = golden::difference(golden, document.at("values"));
                if (!problem.empty()) failures << name + QString::fromStdString(problem);
            }
        }
        QVERIFY2(failures.isEmpty(), qPrintable(failures.mid(0, 5).join('\n')));
        qInfo("%zu tables compared through the command line", wanted.size());
    }
};

QTEST_GUILESS_MAIN(GoldenCliTest)
#include "golden_cli_test.moc"
