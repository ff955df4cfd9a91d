// Figures as files: page size, fonts and images told by poppler's tools, the same bytes twice, numbers reread from the
// files, nothing left behind by a failure.
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>

#include "core/base/text.h"
#include "widgets/export/figure_export.h"
#include "widgets/export/figure_spec.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/plots/position_plots.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

const QString kHardName = QStringLiteral("位置_a%b&c#d$e{f}~g^h\\i <j> 🙂");

std::unique_ptr<CurvePlot> curves() {
    auto plot = std::make_unique<CurvePlot>();
    CurveSeries a;
    a.id = QStringLiteral("a");
    a.name = kHardName;
    std::vector<double> x, y, low, high;
    for (int i = 0; i < 500; ++i) {
        x.push_back(i);
        y.push_back(3.0 + 3.0 * std::exp(-i / 90.0) + 1.0 / 3.0 * std::sin(i));
        low.push_back(y.back() - 0.2);
        high.push_back(y.back() + 0.2);
    }
    a.x = sharedValues(x);
    a.y = sharedValues(y);
    a.low = sharedValues(low);
    a.high = sharedValues(high);
    a.slot = 1;
    CurveSeries b;
    b.id = b.name = QStringLiteral("diverged");
    b.x = sharedValues({0, 100, 200, 300});
    b.y = sharedValues({6, 4, std::nan(""), std::numeric_limits<double>::infinity()});
    AxisOptions options;
    options.name = QStringLiteral("loss, nats a token");
    plot->setYAxis(options);
    options.name = QStringLiteral("step");
    plot->setXAxis(options);
    plot->setSeries({a, b});
    return plot;
}

std::unique_ptr<HeatmapView> matrix() {
    auto view = std::make_unique<HeatmapView>();
    std::vector<double> values;
    for (int q = 0; q < 32; ++q)
        for (int k = 0; k < 32; ++k)
            values.push_back(std::exp(-0.1 * (q - k)));
    MatrixData data = MatrixData::of(32, 32, values);
    data.setCausal();
    view->setMatrix(data);
    return view;
}

FigureOptions options() {
    FigureOptions result;
    result.title = QStringLiteral("Figure 2: ") + kHardName;
    result.provenance = {{QStringLiteral("config"), QStringLiteral("9f31c07be24a")},
                         {QStringLiteral("data"), QStringLiteral("<wikitext> & \"more\"")}};
    return result;
}

QByteArray read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll();
}

// Output of a poppler tool, or nothing when it is not installed.
std::optional<QString> tool(const QString& program, const QStringList& arguments) {
    if (QStandardPaths::findExecutable(program).isEmpty()) return std::nullopt;
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(20000);
    return QString::fromUtf8(process.readAllStandardOutput()) + QString::fromUtf8(process.readAllStandardError());
}

}  // namespace

class TestPlotExport : public QObject {
    Q_OBJECT

  private slots:
    void pdfPageFontsAndImages_data();
    void pdfPageFontsAndImages();
    void sameInputSameBytes();
    void svgIsExactAndWellFormed();
    void pngSizeAndStamp();
    void screenThemeDoesNotLeakIn();
    void matrixIsLosslessWithHardEdges();
    void csvRoundTripIsExact();
    void csvQuotesNames();
    void pgfEscapesNames();
    void existingFiles();
    void failureLeavesNothing();
    void lengths_data();
    void lengths();
    void zoomedFigureStaysInItsFrame();
    void badSizesAreRefused();
    void specRoundTrip();
    void specNamesUnknownKeys();
    void clipboardHasThreeForms();
    void everyKindOfFigureRenders();

  private:
    QTemporaryDir folder_;
};

void TestPlotExport::pdfPageFontsAndImages_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    for (const VenuePreset& venue : venuePresets())
        QTest::newRow(qPrintable(venue.id)) << venue.width << 2.15;
    QTest::newRow("tall") << 3.25 << 7.3;
}

void TestPlotExport::pdfPageFontsAndImages() {
    QFETCH(double, width);
    QFETCH(double, height);
    FigureOptions o = options();
    o.width = width;
    o.height = height;
    const QString path = folder_.filePath(QStringLiteral("page.pdf"));
    const auto plot = curves();
    QVERIFY(exportFigure(*plot, path, o, OnExisting::kReplace).ok());
    const auto info = tool(QStringLiteral("pdfinfo"), {path});
    QVERIFY2(info, "pdfinfo is missing: install poppler-utils, as packaging/test.sh does");
    const auto size = QRegularExpression(QStringLiteral("Page size:\\s+([0-9.]+) x ([0-9.]+) pts")).match(*info);
    QVERIFY2(size.hasMatch(), qPrintable(*info));
    QVERIFY2(std::abs(size.captured(1).toDouble() - width * 72) <= 0.5, qPrintable(size.captured(0)));
    QVERIFY2(std::abs(size.captured(2).toDouble() - height * 72) <= 0.5, qPrintable(size.captured(0)));
    QVERIFY(info->contains(QRegularExpression(QStringLiteral("Pages:\\s+1\\b"))));
    const QString fonts = tool(QStringLiteral("pdffonts"), {path}).value_or(QString());
    QVERIFY2(fonts.contains(QStringLiteral("TrueType")), qPrintable(fonts));
    QVERIFY2(!fonts.contains(QStringLiteral("Type 3")), qPrintable(fonts));
    for (const QString& line : fonts.split(QLatin1Char('\n')).mid(2)) {
        if (line.trimmed().isEmpty()) continue;
        QVERIFY2(line.contains(QRegularExpression(QStringLiteral("(TrueType|CID TrueType|CID Type 0C).*yes (yes|no)"))),
                 qPrintable(line));
    }
    const QString images = tool(QStringLiteral("pdfimages"), {QStringLiteral("-list"), path}).value_or(QString());
    QVERIFY2(!images.contains(QStringLiteral("jpeg")), qPrintable(images));
}

void TestPlotExport::sameInputSameBytes() {
    const auto plot = curves();
    const auto view = matrix();
    const FigureSource* sources[] = {plot.get(), view.get()};
    for (const FigureSource* source : sources) {
        const QByteArray pdf = *renderPdf(*source, options());
        const QByteArray svg = *renderSvg(*source, options());
        const QByteArray png = *renderPng(*source, options());
        QTest::qWait(1100);  // past a second: no clock may enter
        QVERIFY(pdf == *renderPdf(*source, options()));
        QVERIFY(svg == *renderSvg(*source, options()));
        QVERIFY(png == *renderPng(*source, options()));
        QVERIFY(pdf.startsWith("%PDF-"));
    }
    // Zoom and size of the window do not matter, what is shown does.
    plot->resize(900, 200);
    const QByteArray before = *renderPdf(*plot, options());
    plot->resize(300, 700);
    QVERIFY(before == *renderPdf(*plot, options()));
    plot->setSeriesVisible(QStringLiteral("a"), false);
    QVERIFY(before != *renderPdf(*plot, options()));
}

void TestPlotExport::svgIsExactAndWellFormed() {
    FigureOptions o = options();
    o.width = 5.5;
    o.height = 2.15;
    const auto plot = curves();
    const QByteArray svg = *renderSvg(*plot, o);
    QXmlStreamReader xml(svg);
    QString viewBox, width, text, description;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("svg")) {
            viewBox = xml.attributes().value(QStringLiteral("viewBox")).toString();
            width = xml.attributes().value(QStringLiteral("width")).toString();
        } else if (xml.name() == QLatin1String("text")) {
            text += xml.readElementText();
        } else if (xml.name() == QLatin1String("desc")) {
            description = xml.readElementText();
        }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    const QStringList box = viewBox.split(QLatin1Char(' '));
    QCOMPARE(box.size(), 4);
    QVERIFY(std::abs(box[2].toDouble() - 396.0) < 1e-3);
    QVERIFY(std::abs(box[3].toDouble() - 154.8) < 1e-3);
    QCOMPARE(width, QStringLiteral("396pt"));
    QVERIFY(text.contains(QStringLiteral("loss, nats a token")));
    QVERIFY(text.contains(QStringLiteral("位置")));
    QVERIFY(description.contains(QStringLiteral("9f31c07be24a")));
    QVERIFY(QSvgRenderer(svg).isValid());
}

void TestPlotExport::pngSizeAndStamp() {
    FigureOptions o = options();
    o.dotsPerInch = 200;
    const auto plot = curves();
    QImage image;
    QVERIFY(image.loadFromData(*renderPng(*plot, o)));
    QCOMPARE(image.size(), QSize(1100, 520));
    QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - 200) < 0.5);
    QVERIFY(image.text(QStringLiteral("Description")).contains(QStringLiteral("9f31c07be24a")));
}

void TestPlotExport::screenThemeDoesNotLeakIn() {
    ThemeController controller(*qApp);
    controller.setChoice(ThemeChoice::kLight);
    const auto plot = curves();
    plot->resize(400, 300);
    plot->show();
    QApplication::processEvents();
    const QByteArray light = *renderPdf(*plot, options());
    controller.setChoice(ThemeChoice::kDark);
    QApplication::processEvents();
    QVERIFY(light == *renderPdf(*plot, options()));
    QCOMPARE(renderImage(*plot, options(), 50).pixel(1, 1), QColor(Qt::white).rgb());
    // Ordered colours are those of the figure's theme too, whichever theme the chart was filled in.
    CurvePlot onDark;
    showReach(onDark, {0.5, 0.25, 0.125}, 64, 0);
    const QByteArray fromDark = *renderPdf(onDark, options());
    controller.setChoice(ThemeChoice::kLight);
    CurvePlot onLight;
    showReach(onLight, {0.5, 0.25, 0.125}, 64, 0);
    QVERIFY(fromDark == *renderPdf(onLight, options()));
    controller.setFontFamily(QStringLiteral("Noto Serif"));
    QVERIFY(light == *renderPdf(*plot, options()));
    controller.setFontFamily({});
    controller.setChoice(ThemeChoice::kLight);
}

void TestPlotExport::matrixIsLosslessWithHardEdges() {
    const auto view = matrix();
    FigureOptions o = options();
    o.width = o.height = 3.25;
    const QString path = folder_.filePath(QStringLiteral("matrix.pdf"));
    QVERIFY(exportFigure(*view, path, o, OnExisting::kReplace).ok());
    const auto list = tool(QStringLiteral("pdfimages"), {QStringLiteral("-list"), path});
    QVERIFY2(list, "pdfimages is missing: install poppler-utils, as packaging/test.sh does");
    const auto row =
        QRegularExpression(
            QStringLiteral(
                "image\\s+(\\d+)\\s+(\\d+)\\s+\\S+\\s+\\d+\\s+\\d+\\s+(\\S+)\\s+\\S+\\s+\\d+\\s+\\d+\\s+(\\d+)"))
            .match(*list);
    QVERIFY2(row.hasMatch(), qPrintable(*list));
    QCOMPARE(row.captured(3), QStringLiteral("image"));
    QVERIFY2(row.captured(4).toInt() >= 300, qPrintable(*list));
    QCOMPARE(row.captured(1).toInt() % 32, 0);  // whole pixels a cell
    // The extracted pixels are the map's colours.
    if (const auto made = tool(QStringLiteral("pdfimages"),
                               {QStringLiteral("-png"), path, folder_.filePath(QStringLiteral("cell"))})) {
        const QImage image(folder_.filePath(QStringLiteral("cell-000.png")));
        QVERIFY(!image.isNull());
        const int cell = image.width() / 32;
        const QRgb diagonal = image.pixel(5 * cell + cell / 2, 5 * cell + cell / 2);
        const QRgb expected = Theme::light().depth.at(1.0);
        QVERIFY(std::abs(qRed(diagonal) - qRed(expected)) <= 1 && std::abs(qBlue(diagonal) - qBlue(expected)) <= 1);
        QCOMPARE(image.pixel(5 * cell, 5 * cell), image.pixel(6 * cell - 1, 6 * cell - 1));  // no blur inside a cell
    }
}

void TestPlotExport::csvRoundTripIsExact() {
    const std::locale before;
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
        QFAIL("the locale de_DE.UTF-8 is missing: install locales-all");
    }
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const auto plot = curves();
    const QByteArray csv = curvesCsv(*plot, options());
    std::setlocale(LC_ALL, "C");
    QLocale::setDefault(QLocale::c());
    const SeriesState& state = plot->states().front();
    std::size_t row = 0;
    int notFinite = 0;
    for (const QByteArray& line : csv.split('\n')) {
        if (line.startsWith('#') || line.startsWith("series,") || line.isEmpty()) continue;
        const QList<QByteArray> fields = line.mid(line.lastIndexOf('"') + 1).split(',');
        if (line.startsWith("diverged")) {
            if (fields[2] == "nan" || fields[2] == "inf") ++notFinite;
            continue;
        }
        const qsizetype first = fields.size() - 5;
        QCOMPARE(parse_double(fields[first].toStdString()).value(), state.x()[row]);
        QCOMPARE(parse_double(fields[first + 1].toStdString()).value(), state.y()[row]);
        QCOMPARE(parse_double(fields[first + 3].toStdString()).value(), state.low()[row]);
        ++row;
    }
    QCOMPARE(row, std::size_t{500});  // every point, whatever was drawn
    QCOMPARE(notFinite, 2);           // never 0
    const MatrixData data = MatrixData::of(1, 3, {1.0 / 3.0, -0.1, -std::numeric_limits<double>::infinity()});
    const QByteArray text = matrixCsv(data, {});
    const QList<QByteArray> cells = text.trimmed().split(',');
    QCOMPARE(parse_double(cells[0].toStdString()).value(), 1.0 / 3.0);
    QCOMPARE(cells[2], QByteArray("-inf"));
}

void TestPlotExport::csvQuotesNames() {
    CurvePlot plot;
    CurveSeries series;
    series.name = QStringLiteral("a, \"b\"\nc");
    series.x = series.y = sharedValues({1});
    plot.setSeries({series});
    QVERIFY(curvesCsv(plot, {}).contains("\"a, \"\"b\"\"\nc\",1,1"));
    QVERIFY(curvesCsv(plot, {}, '\t').contains("a, \"b\" c\t1\t1"));
}

void TestPlotExport::pgfEscapesNames() {
    const auto plot = curves();
    const QByteArray tex = curvesPgf(*plot, options());
    QVERIFY(tex.contains("\\_a\\%b\\&c\\#d\\$e\\{f\\}\\textasciitilde{}g\\textasciicircum{}h\\textbackslash{}i"));
    QVERIFY(tex.contains("\\begin{axis}"));
    QVERIFY(!tex.contains("nan"));
    QVERIFY(tex.contains("\\definecolor{sextantA}{HTML}{C2410C}"));
    QCOMPARE(tex.count('{'), tex.count('}'));
}

void TestPlotExport::existingFiles() {
    const QString path = folder_.filePath(QStringLiteral("fig.svg"));
    const auto plot = curves();
    QVERIFY(exportFigure(*plot, path, options(), OnExisting::kRefuse).ok());
    const auto refused = exportFigure(*plot, path, options(), OnExisting::kRefuse);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, ErrorCode::kStorage);
    QVERIFY(exportFigure(*plot, path, options(), OnExisting::kSkip)->isEmpty());
    const auto renamed = exportFigure(*plot, path, options(), OnExisting::kRename);
    QVERIFY(renamed.ok());
    QVERIFY(renamed->endsWith(QStringLiteral("fig-2.svg")));
    QCOMPARE(read(*renamed), read(path));
    QVERIFY(!exportFigure(*plot, folder_.filePath(QStringLiteral("fig.gif")), options(), OnExisting::kRefuse).ok());
}

void TestPlotExport::failureLeavesNothing() {
    QTemporaryDir folder;
    const QString blocked = folder.filePath(QStringLiteral("file"));
    QFile file(blocked);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    const auto plot = curves();
    QVERIFY(!exportFigure(*plot, blocked + QStringLiteral("/fig.pdf"), options(), OnExisting::kReplace).ok());
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("dir.pdf")));
    QVERIFY(!exportFigure(*plot, folder.filePath(QStringLiteral("dir.pdf")), options(), OnExisting::kReplace).ok());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
}

void TestPlotExport::lengths_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("inches");
    QTest::newRow("in") << QStringLiteral("5.5in") << 5.5;
    QTest::newRow("plain") << QStringLiteral("3.25") << 3.25;
    QTest::newRow("mm") << QStringLiteral("139.7mm") << 5.5;
    QTest::newRow("cm") << QStringLiteral("2.54 cm") << 1.0;
    QTest::newRow("pt") << QStringLiteral("396pt") << 5.5;
    for (const char* bad : {"", "in", "-3in", "0in", "5,5in", "5.5px", "1e3", "nan"})
        QTest::newRow(bad[0] != 0 ? bad : "nothing") << QString::fromLatin1(bad) << -1.0;
}

void TestPlotExport::lengths() {
    QFETCH(QString, text);
    QFETCH(double, inches);
    const auto parsed = parseLength(text);
    QCOMPARE(parsed.ok(), inches > 0);
    if (parsed.ok()) QVERIFY(std::abs(*parsed - inches) < 1e-12);
}

// The SVG writer ignores clip rectangles: a zoomed chart once drew its lines over the labels.
void TestPlotExport::zoomedFigureStaysInItsFrame() {
    const auto plot = curves();
    plot->resize(400, 300);
    plot->show();
    QApplication::processEvents();
    plot->setXRange(100, 200);
    plot->setYRange(3.4, 3.6);
    plot->replotNow();
    QImage image(396, 187, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QSvgRenderer(*renderSvg(*plot, options())).render(&painter);
    painter.end();
    const QColor ink = Theme::light().series(1).color;
    int below = 0;
    for (int y = image.height() - 14; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            below += std::abs(qRed(pixel) - ink.red()) < 30 && std::abs(qGreen(pixel) - ink.green()) < 30 ? 1 : 0;
        }
    QCOMPARE(below, 0);
}

void TestPlotExport::badSizesAreRefused() {
    const auto plot = curves();
    for (const double size : {0.0, -1.0, std::nan(""), 1e9}) {
        FigureOptions o = options();
        o.width = size;
        QVERIFY(!renderPdf(*plot, o).ok());
        QVERIFY(!renderSvg(*plot, o).ok());
        QVERIFY(!renderPng(*plot, o).ok());
    }
    FigureOptions o = options();
    o.dotsPerInch = 100000;
    QVERIFY(!renderPng(*plot, o).ok());
    o = options();
    o.textPoints = 0.5;
    QVERIFY(!renderPdf(*plot, o).ok());
}

void TestPlotExport::specRoundTrip() {
    FigureSpec spec;
    spec.kind = "extrapolation";
    spec.project = "../位置";
    spec.venue = "iclr";
    spec.width = 5.5;
    spec.height = 2.15;
    spec.title = kHardName.toStdString();
    spec.data = R"({"arms":["rope","alibi"],"length":128})";
    const auto again = figure_spec_from_json(figure_spec_to_json(spec));
    QVERIFY(again.ok());
    QCOMPARE(again->title, spec.title);
    QCOMPARE(again->height, spec.height);
    QCOMPARE(figure_spec_to_json(*again), figure_spec_to_json(spec));
}

void TestPlotExport::specNamesUnknownKeys() {
    const auto wrong = figure_spec_from_json(R"({"schema_version":1,"kind":"loss","widht_in":3})");
    QVERIFY(!wrong.ok());
    QVERIFY2(wrong.error().sentence().find("width_in") != std::string::npos, wrong.error().sentence().c_str());
    QVERIFY(!figure_spec_from_json(R"({"schema_version":2,"kind":"loss"})").ok());
    QVERIFY(!figure_spec_from_json(R"({"schema_version":1,"kind":"loss","width_in":"wide"})").ok());
    QVERIFY(!figure_spec_from_json(R"({"schema_version":1})").ok());
    QVERIFY(!figure_spec_from_json("[").ok());
}

void TestPlotExport::clipboardHasThreeForms() {
    const auto plot = curves();
    const std::unique_ptr<QMimeData> data(figureMimeData(*plot, options(), curvesCsv(*plot, options(), '\t')));
    QVERIFY(data->hasImage());
    QVERIFY(data->hasFormat(QStringLiteral("image/svg+xml")));
    QVERIFY(data->text().contains(QLatin1Char('\t')));
}

void TestPlotExport::everyKindOfFigureRenders() {
    std::vector<std::unique_ptr<CurvePlot>> plots;
    const auto add = [&] { return plots.emplace_back(std::make_unique<CurvePlot>()).get(); };
    ExtrapolationData extrapolation;
    extrapolation.curves.push_back(
        {QStringLiteral("rope"), QStringLiteral("rope"), 0, true, {{64, 20, 19, 21, 3}, {128, 40, 38, 42, 3}}, false});
    extrapolation.metric = QStringLiteral("perplexity");
    showExtrapolation(*add(), extrapolation);
    PhaseData phase;
    for (int i = 0; i < 32; ++i)
        phase.inverseFrequencies.push_back(std::pow(10000.0, -i / 32.0));
    showPhases(*add(), phase);
    showWavelengths(*add(), phase, {}, {});
    showDecay(*add(), {{QStringLiteral("none"), {16, 8, 6, 5}, 0, false}}, 2);
    showSlopes(*add(), {{0.5, 0.25}, {0.5, 0.25}, 2});
    showReach(*add(), {0.5, 0.25}, 64, 0);
    HeatmapGrid grid;
    BiasData bias;
    bias.slopes = {0.5};
    bias.values = Array({1, 2, 2});
    bias.values.values = {0, -std::numeric_limits<double>::infinity(), -0.5, 0};
    showBias(grid, bias);
    std::vector<const FigureSource*> sources{&grid};
    for (const auto& plot : plots)
        sources.push_back(plot.get());
    for (const FigureSource* source : sources) {
        for (const double points : {7.0, 9.0}) {
            FigureOptions o = options();
            o.textPoints = points;
            const QImage image = renderImage(*source, o, 72);
            int ink = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    ink += image.pixel(x, y) != QColor(Qt::white).rgb() ? 1 : 0;
            QVERIFY(ink > 500);
            QVERIFY(renderPdf(*source, o).ok());
            QVERIFY(QSvgRenderer(*renderSvg(*source, o)).isValid());
        }
    }
}

QTEST_MAIN(TestPlotExport)
#include "tst_plot_export.moc"
