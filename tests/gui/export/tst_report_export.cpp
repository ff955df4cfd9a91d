// Reports and figures from recorded runs, reread: what the files say must be what the runs recorded, in every format,
// whatever the names; nothing outside the files is needed to read them.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <clocale>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/tensor_file/npy.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/report/figure_files.h"
#include "widgets/report/report_text.h"

using namespace sextant;
using sextant::test::RecordedProject;

namespace {

constexpr double kRope64 = 3.0 + 1.0 / 3.0, kRope128 = 4.25, kAlibi64 = 3.125, kAlibi128 = 3.0;

std::unique_ptr<RecordedProject> recorded(const std::vector<std::int64_t>& seeds) {
    auto project = std::make_unique<RecordedProject>(std::vector<std::string>{"rope", "alibi"}, seeds, 20);
    for (std::size_t run = 0; run < project->plans().size(); ++run) {
        const RunPlan& plan = project->plans()[run];
        const double shift = 0.01 * static_cast<double>(plan.seed);
        project->train(run, 20, [&](std::int64_t step) { return 6.0 - 0.1 * static_cast<double>(step) + shift; });
        const bool rope = plan.arm == "rope";
        project->finish(run, (rope ? kRope64 : kAlibi64) + shift, (rope ? kRope128 : kAlibi128) + shift);
    }
    return project;
}

ReportModel read(const RecordedProject& project) {
    auto report = read_report(Project{project.path().toStdString()});
    if (!report.ok()) qFatal("%s", report.error().sentence().c_str());
    return std::move(report).value();
}

const QString kHardName = QStringLiteral("位置🙂_a%1%2&c#d$e{f}~g^h\\i <script>alert(\"x\")</script>");

ReportModel hostile() {
    const auto project = recorded({0, 1});
    ReportModel report = read(*project);
    const std::string name = kHardName.toStdString();
    report.title = name + std::string(300, 'w');
    report.arms[1].name = name;
    report.experiment.variants[0].name = name;
    report.comparison.variants[0].variant = name;
    report.comparison.arms[1].name = name;
    for (ReportRun& run : report.runs)
        if (run.arm == "alibi") run.arm = name;
    for (LengthRow& row : report.comparison.lengths)
        if (row.arm == "alibi") row.arm = name;
    return report;
}

QByteArray fileOf(const std::vector<ReportFile>& files, const QString& name) {
    for (const ReportFile& file : files)
        if (file.name == name) return file.bytes;
    return {};
}

std::optional<QString> tool(const QString& program, const QStringList& arguments) {
    if (QStandardPaths::findExecutable(program).isEmpty()) return std::nullopt;
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(60000);
    return QString::fromUtf8(process.readAllStandardOutput());
}

// The value column of one series in a figure's CSV.
std::vector<double> column(const QByteArray& csv, const QByteArray& series) {
    std::vector<double> values;
    for (const QByteArray& line : csv.split('\n')) {
        if (!line.startsWith(series + ',')) continue;
        values.push_back(parse_double(line.split(',')[2].toStdString()).value());
    }
    return values;
}

}  // namespace

class TestReportExport : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void every_text_of_core_can_be_translated();
    void claims_of_every_kind_are_known_forms();
    void the_chinese_report_is_complete();
    void html_stands_alone();
    void html_says_what_the_runs_recorded();
    void the_ledger_shows_published_and_own_numbers();
    void hostile_names_stay_text();
    void pdf_is_a4_with_embedded_fonts_and_repeats();
    void figures_hold_the_recorded_numbers();
    void a_diverged_run_is_marked();
    void one_seed_names_no_winner();
    void specifications_make_the_same_figure_again();
    void specifications_cannot_write_elsewhere();
    void every_kind_has_every_format();
    void unknown_arms_are_refused();
};

void TestReportExport::every_text_of_core_can_be_translated() {
    for (const std::vector<std::int64_t>& seeds : {std::vector<std::int64_t>{0}, {0, 1, 2, 3, 4, 5}}) {
        const auto project = recorded(seeds);
        const ReportModel report = read(*project);
        QVERIFY2(reportTextListed(report.question.pattern), report.question.pattern.c_str());
        for (const Sentence& limit : report.limits)
            QVERIFY2(reportTextListed(limit.pattern), limit.pattern.c_str());
        for (const auto* facts : {&report.data, &report.budget, &report.evaluation}) {
            for (const ReportFact& fact : *facts) {
                QVERIFY2(reportTextListed(fact.label), fact.label.c_str());
                QVERIFY2(reportTextListed(fact.value.pattern), fact.value.pattern.c_str());
            }
        }
        for (const auto& [question, answer] : report.checklist) {
            QVERIFY2(reportTextListed(question), question.c_str());
            QVERIFY2(reportTextListed(answer.pattern), answer.pattern.c_str());
        }
        // Said in English, they are core's own words.
        QCOMPARE(sentenceText(report.question), QString::fromStdString(report.question.text()));
        for (const Sentence& limit : report.limits)
            QCOMPARE(sentenceText(limit), QString::fromStdString(limit.text()));
    }
    for (const EncodingSpec& spec : encoding_catalog())
        QVERIFY2(reportTextListed(spec.summary), spec.id.c_str());
}

void TestReportExport::claims_of_every_kind_are_known_forms() {
    std::set<std::string> kinds;
    const auto check = [&](const ComparisonInput& input) {
        for (const VariantComparison& variant : compare_arms(input).variants) {
            const std::string& claim = variant.primary.claim;
            kinds.insert(claim.substr(0, 8));
            for (std::size_t from = 0, at = 0; at != std::string::npos; from = at + 2) {
                at = claim.find("; not worse", from);
                QVERIFY2(reportFormKnown(claim.substr(from, at - from)), claim.c_str());
            }
            QCOMPARE(claimWords(claim), QString::fromStdString(claim));
        }
    };
    const Measure measure{"loss", 64, "non-overlapping", 64, 32768};
    const auto input = [&](int seeds, double difference, int variants) {
        ComparisonInput made;
        made.baseline.name = "rope";
        made.primary = PrimaryEndpoint{"loss", 64, "non-overlapping", "a - rope"};
        for (int v = 0; v < variants; ++v) {
            ArmResult arm;
            arm.name = std::string(1, static_cast<char>('a' + v));
            made.variants.push_back(arm);
        }
        for (int seed = 0; seed < seeds; ++seed) {
            ArmSeed values;
            values.complete = true;
            values.values[measure] = 3.0 + 0.01 * seed;
            made.baseline.seeds[seed] = values;
            for (ArmResult& arm : made.variants) {
                values.values[measure] = 3.0 + 0.01 * seed + difference * (1.0 + 0.1 * seed);
                arm.seeds[seed] = values;
            }
        }
        return made;
    };
    check(input(1, -0.5, 1));
    check(input(3, -0.5, 2));
    check(input(6, -0.5, 1));
    check(input(6, 0.5, 1));
    check(input(8, -0.5, 2));
    ComparisonInput mixed = input(6, 0.5, 1);
    for (auto& [seed, values] : mixed.variants[0].seeds)
        values.values[measure] = 3.0 + (seed % 2 == 0 ? 0.1 : -0.1);
    check(mixed);
    ComparisonInput margin = input(6, -0.5, 1);
    margin.margin = 0.05;
    check(margin);
    ComparisonInput undeclared = input(6, -0.5, 1);
    undeclared.primary.reset();
    check(undeclared);
    QVERIFY(kinds.count("lower by") == 1 && kinds.count("higher b") == 1 && kinds.count("no diffe") == 1);
    QVERIFY(kinds.size() >= 5);
}

// Every sentence of the report has a Chinese one with the same places.
void TestReportExport::the_chinese_report_is_complete() {
    QFile file(QStringLiteral(SEXTANT_SOURCE_DIR "/translations/sextant_zh_CN.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString context, source;
    int sentences = 0;
    static const QRegularExpression kPlace(QStringLiteral("%[1-9n]"));
    const auto places = [](const QString& text) {
        QStringList found;
        for (auto at = kPlace.globalMatch(text); at.hasNext();)
            found << at.next().captured();
        found.sort();
        found.removeDuplicates();
        return found;
    };
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("source")) source = xml.readElementText();
        if (xml.name() != QLatin1String("translation")) continue;
        if (context != QLatin1String("sextant::Report") && context != QLatin1String("sextant::ReportText")) continue;
        const QString type = xml.attributes().value(QLatin1String("type")).toString();
        if (type == QLatin1String("vanished") || type == QLatin1String("obsolete")) continue;
        const QString words = xml.readElementText();
        QVERIFY2(type.isEmpty() && !words.isEmpty(), qPrintable(source));
        QVERIFY2(places(words) == places(source), qPrintable(source + QStringLiteral(" / ") + words));
        ++sentences;
    }
    QVERIFY(sentences > 200);
}

void TestReportExport::html_stands_alone() {
    const auto project = recorded({0, 1, 2, 3, 4, 5});
    const ReportDocument document = makeReport(read(*project), {});
    const auto files = reportHtml(document);
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().sentence().c_str());
    const QString html = QString::fromUtf8(fileOf(*files, QStringLiteral("index.html")));
    QVERIFY(!html.contains(QLatin1String("<script")) && !html.contains(QLatin1String("@import")) &&
            !html.contains(QLatin1String("url(")));
    static const QRegularExpression kAddress(QStringLiteral("(src|href)=\"([^\"]*)\""));
    int pictures = 0;
    for (auto at = kAddress.globalMatch(html); at.hasNext();) {
        const QString address = at.next().captured(2);
        if (address.startsWith(QLatin1Char('#')) || address == QLatin1String("data:,")) continue;
        QVERIFY2(!fileOf(*files, address).isEmpty(), qPrintable(address));
        pictures += address.endsWith(QLatin1String(".svg")) ? 1 : 0;
    }
    QCOMPARE(pictures, 4);  // loss, lengths, rotation, bias; the loss by position was not recorded
    static const QRegularExpression kImage(QStringLiteral("<img [^>]*alt=\"([^\"]+)\""));
    QCOMPARE(html.count(QLatin1String("<img ")), html.count(kImage));
    QCOMPARE(html.count(QLatin1String("<h1>")), 1);
    QVERIFY(html.count(QLatin1String("<h2 ")) >= 10);
    QVERIFY(!html.contains(QLatin1String("<h3")));
    QVERIFY(html.contains(QLatin1String("<html lang=\"en\">")));
    QCOMPARE(html.count(QLatin1String("<table")), html.count(QLatin1String("<caption>")));
    for (const ReportFile& file : *files) {
        if (!file.name.endsWith(QLatin1String(".svg"))) continue;
        QXmlStreamReader xml(file.bytes);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(file.name));
        QVERIFY(!file.bytes.contains("xlink:href=\"http"));
    }
    const auto again = reportHtml(makeReport(read(*project), {}));
    for (std::size_t i = 0; i < files->size(); ++i)
        QVERIFY2((*files)[i].bytes == (*again)[i].bytes, qPrintable((*files)[i].name));
    QVERIFY(!reportHtmlFile(document)->contains("assets/"));
}

void TestReportExport::html_says_what_the_runs_recorded() {
    const auto project = recorded({0, 1, 2, 3, 4, 5});
    const auto files = reportHtml(makeReport(read(*project), {}));
    const QString html = QString::fromUtf8(fileOf(*files, QStringLiteral("index.html")));
    const double shift = 0.01 * 2.5;  // mean over seeds 0 to 5
    for (const double loss : {kRope64, kRope128, kAlibi64, kAlibi128}) {
        const QString shown = QString::number(std::exp(loss + shift), 'f', 2);
        QVERIFY2(html.contains(QLatin1Char('>') + shown + QLatin1Char('<')), qPrintable(shown));
    }
    // The declared endpoint: loss at 64; every pair differs by the same.
    QVERIFY(html.contains(QString::number(kRope64 + shift, 'f', 4)));
    QVERIFY(html.contains(QChar(0x2212) + QString::number(kRope64 - kAlibi64, 'f', 4)));
    QVERIFY(html.contains(QLatin1String("n = 6")));
    QVERIFY(html.contains(QLatin1String("0.031")));  // 2 of 64 sign vectors
    QVERIFY(html.contains(QLatin1String("139,584")));
    for (const char* section : {"Question and answer", "Arms and what differs", "Data and budget", "Training curves",
                                "Length extrapolation", "What the encodings do", "Attention of the probe text",
                                "Statistics", "Cost", "Limits", "Provenance", "Reproducibility checklist"})
        QVERIFY2(html.contains(QLatin1String(section)), section);
}

void TestReportExport::the_ledger_shows_published_and_own_numbers() {
    const auto project = recorded({0});
    const auto files = reportHtml(makeReport(read(*project), {}));
    QString html = QString::fromUtf8(fileOf(*files, QStringLiteral("index.html")));
    html.remove(QChar(0x200B))
        .remove(QLatin1String("<wbr>"))
        .replace(QLatin1String("&#39;"), QLatin1String("'"));  // places where a long word may break
    QFile file(QStringLiteral(SEXTANT_SOURCE_DIR "/resources/claims.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray claims = QJsonDocument::fromJson(file.readAll()).object().value("claims").toArray();
    int own = 0, shown = 0;
    for (const QJsonValue& claim : claims) {
        if (claim["paper"] != QLatin1String("2108.12409")) continue;  // those of this experiment's variant
        ++shown;
        for (const char* key : {"statement", "table", "why", "ours_how"})
            QVERIFY2(html.contains(claim[QLatin1String(key)].toString().toHtmlEscaped()),
                     qPrintable(claim[QLatin1String(key)].toString()));
        for (const char* key : {"published", "ours"}) {
            for (const QJsonValue& figure : claim[QLatin1String(key)].toArray()) {
                const QString text = figure["label"].toString() + QLatin1String(": ") +
                                     QString::number(figure["value"].toDouble(), 'g', 15);
                QVERIFY2(html.contains(text.toHtmlEscaped()), qPrintable(text));
                own += *key == 'o' ? 1 : 0;
            }
        }
    }
    QVERIFY(shown > 8 && own > 20);
}

void TestReportExport::hostile_names_stay_text() {
    const ReportModel report = hostile();
    const ReportDocument document = makeReport(report, {});
    const auto files = reportHtml(document);
    QVERIFY(files.ok());
    const QString html = QString::fromUtf8(fileOf(*files, QStringLiteral("index.html")));
    QVERIFY(!html.contains(QLatin1String("<script")));
    QVERIFY(html.contains(kHardName.toHtmlEscaped().replace(QLatin1String("&quot;"), QLatin1String("&quot;"))));
    const QString markdown = reportMarkdown(document);
    QVERIFY(!markdown.contains(QLatin1String("<script")));
    QVERIFY(markdown.contains(QStringLiteral("位置🙂")));
    FigureRequest request;
    request.kind = QStringLiteral("loss");
    const auto figure = makeFigure(request, report);
    QVERIFY(figure.ok());
    FigureOptions options;
    options.title = fromCore(report.title);
    const QByteArray svg = *figureBytes(*figure, options, QStringLiteral("svg"));
    QXmlStreamReader xml(svg);
    while (!xml.atEnd())
        xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    const QByteArray tex = *figureBytes(*figure, options, QStringLiteral("tex"));
    QVERIFY(tex.contains("\\_a\\%1\\%2\\&c\\#d\\$e\\{f\\}\\textasciitilde{}g\\textasciicircum{}h\\textbackslash{}i"));
    const auto pdf = reportPdf(document);
    QVERIFY(pdf.ok());
    QTemporaryDir folder;
    QFile out(folder.filePath(QStringLiteral("r.pdf")));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(*pdf);
    out.close();
    const auto text = tool(QStringLiteral("pdftotext"), {out.fileName(), QStringLiteral("-")});
    QVERIFY2(text, "pdftotext is missing: install poppler-utils, as packaging/test.sh does");
    QVERIFY(text->contains(QStringLiteral("位置")) && text->contains(QLatin1String("<script>alert")));
}

void TestReportExport::pdf_is_a4_with_embedded_fonts_and_repeats() {
    const auto project = recorded({0, 1, 2});
    const auto pdf = reportPdf(makeReport(read(*project), {}));
    QVERIFY(pdf.ok());
    QTest::qWait(1100);
    QVERIFY(*pdf == *reportPdf(makeReport(read(*project), {})));
    QTemporaryDir folder;
    QFile out(folder.filePath(QStringLiteral("r.pdf")));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(*pdf);
    out.close();
    const auto info = tool(QStringLiteral("pdfinfo"), {out.fileName()});
    QVERIFY2(info, "pdfinfo is missing: install poppler-utils, as packaging/test.sh does");
    const auto size = QRegularExpression(QStringLiteral("Page size:\\s+([0-9.]+) x ([0-9.]+) pts")).match(*info);
    QVERIFY2(std::abs(size.captured(1).toDouble() - 595.276) <= 0.5, qPrintable(*info));
    QVERIFY2(std::abs(size.captured(2).toDouble() - 841.89) <= 0.5, qPrintable(*info));
    const QString fonts = tool(QStringLiteral("pdffonts"), {out.fileName()}).value_or(QString());
    QVERIFY2(fonts.contains(QLatin1String("TrueType")) && !fonts.contains(QLatin1String("Type 3")), qPrintable(fonts));
    const QString images =
        tool(QStringLiteral("pdfimages"), {QStringLiteral("-list"), out.fileName()}).value_or(QString());
    QVERIFY2(!images.contains(QLatin1String("jpeg")), qPrintable(images));
    const QString text = tool(QStringLiteral("pdftotext"), {out.fileName(), QStringLiteral("-")}).value_or(QString());
    QVERIFY(text.contains(QString::number(std::exp(kRope128 + 0.01), 'f', 2)));
}

void TestReportExport::figures_hold_the_recorded_numbers() {
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
        QFAIL("the locale de_DE.UTF-8 is missing: install locales-all");
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const auto project = recorded({3});
    const ReportModel report = read(*project);
    FigureRequest request;
    request.kind = QStringLiteral("extrapolation");
    const auto lengths = makeFigure(request, report);
    const QByteArray csv = lengths.ok() ? lengths->csv({}) : QByteArray();
    request.kind = QStringLiteral("loss");
    const auto loss = makeFigure(request, report);
    const QByteArray curve = loss.ok() ? loss->csv({}) : QByteArray();
    std::setlocale(LC_ALL, "C");
    QLocale::setDefault(QLocale::c());
    QVERIFY(lengths.ok() && loss.ok());
    const std::vector<double> rope = column(csv, "rope"), alibi = column(csv, "alibi");
    QCOMPARE(rope.size(), std::size_t{4});  // two lengths in two modes
    QCOMPARE(rope[0], std::exp(kRope64 + 0.01 * 3));
    QCOMPARE(rope[1], std::exp(kRope128 + 0.01 * 3));
    QCOMPARE(alibi[3], std::exp(kAlibi128 + 0.01 * 3));
    // Two validations make no curve, so the training loss of every step stands here.
    const std::vector<double> training = column(curve, "rope");
    QCOMPARE(training.size(), std::size_t{20});
    for (std::size_t i = 0; i < training.size(); ++i)
        QCOMPARE(training[i], 6.0 - 0.1 * static_cast<double>(i + 1) + 0.01 * 3);
    QVERIFY(lengths->caption.contains(QLatin1String("N = ")) && lengths->caption.contains(QLatin1String("sliding")));
    request.kind = QStringLiteral("alibi-bias");
    const auto bias = makeFigure(request, report);
    QVERIFY(bias.ok());
    const auto array = parse_npy(bias->npy().toStdString());
    QVERIFY(array.ok());
    const auto values = array->to_doubles();
    const auto heads = array->shape[0], side = array->shape[1];
    QCOMPARE(heads, std::int64_t{4});
    for (std::int64_t head = 0; head < heads; ++head) {
        const double slope = std::pow(2.0, -8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
        const auto at = [&](std::int64_t q, std::int64_t k) {
            return values[static_cast<std::size_t>((head * side + q) * side + k)];
        };
        QCOMPARE(at(side - 1, 3), -slope * static_cast<double>(side - 1 - 3));
        QVERIFY(std::isinf(at(0, 1)) && at(0, 1) < 0);
    }
}

void TestReportExport::a_diverged_run_is_marked() {
    auto project =
        std::make_unique<RecordedProject>(std::vector<std::string>{"rope", "alibi"}, std::vector<std::int64_t>{0}, 20);
    project->train(0, 20, [](std::int64_t step) { return 6.0 - 0.1 * static_cast<double>(step); });
    project->finish(0, kRope64, kRope128);
    project->train(1, 12, [](std::int64_t step) { return step < 12 ? 6.0 + static_cast<double>(step) : std::nan(""); });
    {
        EventLogWriter log = project->writer(1);
        DivergedEvent event;
        event.quantity = "loss";
        RecordedProject::record(log, 12, event);
    }
    const ReportModel report = read(*project);
    FigureRequest request;
    request.kind = QStringLiteral("loss");
    const auto figure = makeFigure(request, report);
    QVERIFY(figure.ok());
    QVERIFY(figure->caption.contains(QLatin1String("diverged at step 12")));
    bool marked = false;
    for (const double value : column(figure->csv({}), "alibi"))
        marked = marked || std::isnan(value);
    QVERIFY(marked);
    const QString html = QString::fromUtf8(fileOf(*reportHtml(makeReport(report, {})), QStringLiteral("index.html")));
    QVERIFY(html.contains(QLatin1String("diverged at step 12")) && html.contains(QLatin1String(">NaN<")));
    QVERIFY(!html.contains(QLatin1String(">nan<")) && !html.contains(QLatin1String(">0.0000<")));
}

void TestReportExport::one_seed_names_no_winner() {
    const auto project = recorded({7});
    const QString text = reportMarkdown(makeReport(read(*project), {}));
    QVERIFY(text.contains(QLatin1String("1 pair cannot reach")));
    static const QRegularExpression kClaim(QStringLiteral(": (lower|higher) by"));
    QVERIFY(!text.contains(kClaim));
}

void TestReportExport::specifications_make_the_same_figure_again() {
    const auto project = recorded({0, 1});
    const ReportModel report = read(*project);
    FigureRequest request;
    request.kind = QStringLiteral("extrapolation");
    request.arms = QStringList{QStringLiteral("alibi")};
    request.band = BandKind::kMinMax;
    FigureSpec spec = specOf(request, FigureOptions{});
    spec.outputs = {"f.pdf", "f.svg"};
    const auto stored = figure_spec_from_json(figure_spec_to_json(spec));
    QVERIFY(stored.ok());
    const auto again = requestOf(*stored);
    QVERIFY(again.ok());
    QCOMPARE(again->arms, request.arms);
    QVERIFY(again->band == BandKind::kMinMax);
    QCOMPARE(stored->outputs, spec.outputs);
    const auto first = makeFigure(request, report), second = makeFigure(*again, report);
    QVERIFY(*figureBytes(*first, optionsOf(spec, report), QStringLiteral("pdf")) ==
            *figureBytes(*second, optionsOf(*stored, report), QStringLiteral("pdf")));
    // New seeds change the figure.
    const auto larger = recorded({0, 1, 2});
    const auto third = makeFigure(*again, read(*larger));
    QVERIFY(third->csv({}) != first->csv({}));
    QVERIFY(third->caption.contains(QLatin1String("n = 3")));
}

void TestReportExport::specifications_cannot_write_elsewhere() {
    for (const char* name : {"../x.pdf", "/tmp/x.pdf", ""}) {
        FigureSpec spec;
        spec.kind = "loss";
        spec.outputs = {name};
        QVERIFY(!figure_spec_from_json(figure_spec_to_json(spec)).ok());
    }
    FigureSpec odd;
    odd.kind = "loss";
    odd.data = R"({"colour":"red"})";
    QVERIFY(!requestOf(odd).ok());
}

namespace {

// By the format's definition: 8 bytes of length, a JSON header, then the values as little-endian doubles.
void holdsTheMatrices(const QByteArray& bytes, const ReportFigure& figure) {
    std::uint64_t length = 0;
    QVERIFY(bytes.size() > 8);
    std::memcpy(&length, bytes.constData(), 8);
    const auto header = Json::parse(bytes.mid(8, static_cast<qsizetype>(length)).toStdString());
    QCOMPARE(header.size(), figure.matrices.size() + 1);  // and __metadata__
    for (const auto& [name, matrix] : figure.matrices) {
        const auto& tensor = header.at(name.toStdString());
        QVERIFY(tensor.at("dtype") == "F64");
        QVERIFY(tensor.at("shape") == Json({matrix.rows(), matrix.columns()}));
        const char* next =
            bytes.constData() + 8 + length + tensor.at("data_offsets").at(0).template get<std::uint64_t>();
        for (std::int64_t row = 0; row < matrix.rows(); ++row) {
            for (std::int64_t column = 0; column < matrix.columns(); ++column, next += sizeof(double)) {
                double value = 0.0;
                std::memcpy(&value, next, sizeof value);
                if (matrix.masked(row, column))
                    QVERIFY(std::isinf(value) && value < 0.0);
                else
                    QCOMPARE(value, matrix.at(row, column));
            }
        }
    }
}

}  // namespace

void TestReportExport::every_kind_has_every_format() {
    const auto project = recorded({0, 1});
    const ReportModel report = read(*project);
    int made = 0;
    for (const QString& kind : figureKinds()) {
        FigureRequest request;
        request.kind = kind;
        const auto figure = makeFigure(request, report);
        if (!figure.ok()) {
            QCOMPARE(figure.error().code, ErrorCode::kData);  // nothing of the kind in this project
            continue;
        }
        ++made;
        QVERIFY(!figure->caption.isEmpty() && !figure->alternative.isEmpty());
        FigureOptions options;
        options.width = 3.25;
        options.height = options.width * figure->ratio;
        for (const QString& format : figureFormats()) {
            if (needsMatrix(format) && figure->matrices.empty()) continue;
            const auto bytes = figureBytes(*figure, options, format);
            QVERIFY2(bytes.ok() && bytes->size() > 50, qPrintable(kind + QLatin1Char('.') + format));
            QVERIFY2(*bytes == *figureBytes(*figure, options, format), qPrintable(kind + QLatin1Char('.') + format));
            if (format == QLatin1String("tex")) QCOMPARE(bytes->count('{'), bytes->count('}'));
            if (format == QLatin1String("safetensors")) holdsTheMatrices(*bytes, *figure);
        }
    }
    QVERIFY(made >= 6);
}

void TestReportExport::unknown_arms_are_refused() {
    const auto project = recorded({0});
    FigureRequest request;
    request.kind = QStringLiteral("loss");
    request.arms = QStringList{QStringLiteral("rpoe")};
    const auto figure = makeFigure(request, read(*project));
    QVERIFY(!figure.ok());
    QVERIFY(figure.error().sentence().find("alibi") != std::string::npos);
}

QTEST_MAIN(TestReportExport)
#include "tst_report_export.moc"
