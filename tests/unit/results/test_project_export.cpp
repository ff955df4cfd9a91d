// Exports are reread: every number must come back bit by bit, whatever the locale, and nothing is overwritten unasked.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <clocale>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/project_export.h"
#include "core/results/tensorboard_events.h"
#include "core/tensor_file/npy.h"
#include "tests/unit/results/artifact_fixture.h"

using namespace sextant;
using namespace sextant_test;

namespace {

ReportModel report(std::size_t seeds = 2) {
    auto f = finished(seeds);
    f.experiment.name = "=evil, \"name\" \xe4\xbd\x8d";
    f.runs[0].plan.folder = "llama_modern-s42-000000000000";
    f.runs[1].plan.folder = "alibi-s42-000000000000";
    StepPoint odd;
    odd.step = 2;
    odd.tokens = 1024;
    odd.time = 1'764'500'000'123'456'789;
    odd.elapsed = 0.1 + 0.2;
    odd.loss = std::numeric_limits<double>::quiet_NaN();
    odd.learning_rate = 5e-324;
    odd.gradient_norm = std::numeric_limits<double>::infinity();
    f.runs[0].state.steps.push_back(odd);
    return build_report(f.experiment, f.runs, f.data, collect_provenance(f.runs, f.data, {}));
}
const ExportedFile* find(const std::vector<ExportedFile>& files, const std::string& name) {
    for (const ExportedFile& file : files)
        if (file.name == name) return &file;
    return nullptr;
}
std::vector<std::string> row(const std::string& csv, std::size_t line) {
    return split(trimmed(split(csv, '\n')[line]), ',');
}

}  // namespace

class TestProjectExport : public QObject {
    Q_OBJECT
  private slots:
    void csv_is_exact_and_complete() {
        for (const char* locale : {"C", "de_DE.UTF-8"}) {
            const char* set = std::setlocale(LC_ALL, locale);
            if (std::string(locale) != "C" && set == nullptr) QFAIL("the locale de_DE.UTF-8 is not installed");
            const ReportModel model = report();
            const auto files = make_export(model, "csv");
            std::setlocale(LC_ALL, "C");
            QVERIFY(files.ok());
            const std::string& steps = find(*files, "steps.csv")->bytes;
            QCOMPARE(split(steps, '\n').size(), std::size_t{1 + 5 + 1});  // header, four runs with one and one odd, end
            const auto cells = row(steps, 2);
            QCOMPARE(cells[5], std::string("2025-11-30T10:53:20.123456789Z"));
            QCOMPARE(*parse_double(cells[6]), 0.1 + 0.2);
            QCOMPARE(cells[7], std::string("nan"));
            QVERIFY(*parse_double(cells[8]) == 5e-324);
            QCOMPARE(cells[9], std::string("inf"));
            const std::string& evaluations = find(*files, "evaluations.csv")->bytes;
            QCOMPARE(*parse_double(row(evaluations, 1)[9]), model.runs[0].evaluations[0].value);
            QVERIFY(find(*files, "position-loss.csv") != nullptr && find(*files, "comparison.csv") != nullptr);
        }
    }
    void npy_holds_the_same_numbers() {
        const ReportModel model = report();
        const auto files = make_export(model, "npy");
        QVERIFY(files.ok());
        const auto* file = find(*files, "llama_modern-s42-000000000000/steps.npy");
        QVERIFY(file != nullptr);
        const auto array = parse_npy(file->bytes);
        QCOMPARE(array->shape, (Shape{2, 7}));
        QCOMPARE(array->to_doubles()[3], model.runs[0].steps[0].loss);
        QVERIFY(std::isnan(array->to_doubles()[10]));
    }
    void tensorboard_files_read_back() {
        const ReportModel model = report();
        const auto files = make_export(model, "tensorboard");
        QVERIFY(files.ok());
        QCOMPARE(files->size(), model.runs.size());
        const auto file = parse_tensorboard((*files)[0].bytes);
        QVERIFY(file.ok() && file->problems.empty());
        QCOMPARE(file->scalars.at("train/loss").size(), model.runs[0].steps.size());
        QCOMPARE(static_cast<float>(file->scalars.at("train/loss")[0].value),
                 static_cast<float>(model.runs[0].steps[0].loss));
        QCOMPARE(std::get<std::string>(file->hyper_parameters.at("arm")), std::string("llama_modern"));
        QVERIFY(file->scalars.count("test/loss/sliding/128") == 1);
    }
    void json_is_the_report() {
        const ReportModel model = report(6);
        const auto files = make_export(model, "json");
        const Json document = parse_json((*files)[0].bytes).value();
        QCOMPARE(document["title"].get<std::string>(), model.title);
        QCOMPARE(document["runs"].size(), model.runs.size());
        QCOMPARE(document["runs"][0]["steps"][1]["loss"].get<std::string>(), std::string("nan"));
        QVERIFY(document["comparison"]["variants"][0]["claim"].get<std::string>().starts_with("lower"));
        QVERIFY(document["claims"].size() > 10);  // of both papers
        QVERIFY(document["limits"].size() >= 2);
        QVERIFY(document["checklist"].size() >= 8);
    }
    void latex_is_escaped() {
        ReportModel model = report(1);
        model.comparison.variants[0].variant = "a_b%&#";
        const auto files = make_export(model, "latex");
        QVERIFY(files.ok());
        const std::string& text = find(*files, "comparison.tex")->bytes;
        QVERIFY(text.find("a\\_b\\%\\&\\#") != std::string::npos);
        QVERIFY(text.find("\\toprule") != std::string::npos);
        QVERIFY(find(*files, "published.tex")->bytes.find("8.92") != std::string::npos);
    }
    // Every number of the LaTeX tables, computed again from what the runs recorded.
    void latex_cells_are_the_recorded_means() {
        const ReportModel model = report(3);
        const auto losses = [&](const std::string& arm, std::int64_t length, const std::string& mode) {
            std::vector<double> values;
            for (const ReportRun& run : model.runs) {
                for (const EvaluationEvent& e : run.evaluations) {
                    if (run.arm == arm && e.metric == "loss" && e.length == length && e.mode == mode)
                        values.push_back(e.value);
                }
            }
            return values;
        };
        const auto mean = [](const std::vector<double>& values) {
            double sum = 0.0;
            for (const double value : values)
                sum += value;
            return sum / static_cast<double>(values.size());
        };
        const auto files = make_export(model, "latex");
        QVERIFY(files.ok());
        std::string mode;
        std::vector<std::string> head;
        int checked = 0, compared = 0;
        for (const std::string& line : split(find(*files, "comparison.tex")->bytes, '\n')) {
            if (line.rfind("% Perplexity", 0) == 0)
                mode = line.find("sliding") != std::string::npos ? "sliding" : "non-overlapping";
            std::vector<std::string> cells;
            for (const std::string& cell : split(line.substr(0, line.find("\\\\")), '&'))
                cells.emplace_back(trimmed(cell));
            if (cells.size() < 4) continue;
            if (cells[0] == "length" || cells[0] == "arm") {
                head = cells;
                continue;
            }
            if (head.empty()) continue;
            if (head[0] == "length") {
                for (std::size_t arm = 2; arm < cells.size(); ++arm, ++checked) {
                    std::string name = head[arm];
                    for (std::size_t at = name.find("\\_"); at != std::string::npos; at = name.find("\\_"))
                        name.erase(at, 1);
                    const double wanted = std::exp(mean(losses(name, *parse_integer(cells[0]), mode)));
                    QVERIFY2(std::abs(*parse_double(cells[arm]) - wanted) <= 0.00501, cells[arm].c_str());
                }
            } else {
                const auto& primary = *model.comparison.primary;
                std::string name = cells[0];
                for (std::size_t at = name.find("\\_"); at != std::string::npos; at = name.find("\\_"))
                    name.erase(at, 1);
                const auto values = losses(name, primary.length, primary.mode);
                QCOMPARE(*parse_integer(cells[2]), static_cast<std::int64_t>(values.size()));
                std::string shown = cells[3];
                if (shown.rfind("\\textbf{", 0) == 0) shown = shown.substr(8, shown.size() - 9);
                QVERIFY2(std::abs(*parse_double(shown) - mean(values)) <= 0.0000501, shown.c_str());
                double squares = 0.0;
                for (const double value : values)
                    squares += (value - mean(values)) * (value - mean(values));
                const double sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
                QVERIFY2(std::abs(*parse_double(cells[4]) - sd) <= 0.0000501, cells[4].c_str());
                ++compared;
            }
        }
        QVERIFY2(checked >= 8 && compared == 2, qPrintable(QString("%1 %2").arg(checked).arg(compared)));
    }
    void nothing_is_overwritten_unasked() {
        QTemporaryDir folder;
        const std::string out = folder.filePath("out").toStdString();
        const std::vector<ExportedFile> files{{"a.csv", "new"}, {"sub/b.csv", "new"}};
        QVERIFY(write_export(files, out, ExistingFile::kRefuse).ok());
        QVERIFY(write_file_atomically(out + "/sub/b.csv", "old").ok());
        QVERIFY(QFile::remove(QString::fromStdString(out + "/a.csv")));
        const auto refused = write_export(files, out, ExistingFile::kRefuse);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().exit_status(), 2);
        QVERIFY(!QFile::exists(QString::fromStdString(out + "/a.csv")));  // nothing at all was written
        const auto skipped = write_export(files, out, ExistingFile::kSkip);
        QCOMPARE(skipped->skipped.size(), std::size_t{1});
        QCOMPARE(read_file(out + "/sub/b.csv").value(), std::string("old"));
        const auto renamed = write_export(files, out, ExistingFile::kRename);
        QCOMPARE(renamed->written[1], out + "/sub/b (2).csv");
        QCOMPARE(read_file(out + "/sub/b.csv").value(), std::string("old"));
        QVERIFY(write_export(files, out, ExistingFile::kOverwrite).ok());
        QCOMPARE(read_file(out + "/sub/b.csv").value(), std::string("new"));
    }
    void a_report_of_one_seed_names_no_winner() {
        const Json document = parse_json((*make_export(report(1), "json"))[0].bytes).value();
        QVERIFY(document["comparison"]["variants"][0]["claim"].get<std::string>().starts_with("none:"));
    }
};

QTEST_APPLESS_MAIN(TestProjectExport)
#include "test_project_export.moc"
