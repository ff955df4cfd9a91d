// The export dialog by its controls: a figure of the records leaves at the venue's size in the formats that are ticked,
// nothing that exists is replaced unasked, and the clipboard holds picture, vectors and numbers.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPixmap>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/dialogs/export_dialog.h"

using namespace sextant;

class TestExportDialog : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void filesAreOfTheVenuesSizeAndHoldTheRecords();
    void whatExistsIsKeptRenamedOrReplacedAsAsked();
    void badNamesAndNoFormatAreRefused();
    void theClipboardHoldsPictureVectorsAndNumbers();
    void greyPreviewHasNoColour();

  private:
    template <class W>
    W* named(const QString& name) {
        for (W* widget : dialog_->findChildren<W*>()) {
            if (widget->accessibleName() == name) return widget;
        }
        return nullptr;
    }
    void tick(const QStringList& formats);
    QByteArray read(const QString& name);

    std::unique_ptr<test::RecordedProject> project_;
    std::shared_ptr<const ReportModel> report_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<ExportDialog> dialog_;
};

void TestExportDialog::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    project_ = std::make_unique<test::RecordedProject>(std::vector<std::string>{"rope", "alibi"},
                                                       std::vector<std::int64_t>{0, 1}, 20);
    for (std::size_t run = 0; run < project_->plans().size(); ++run) {
        project_->train(run, 20, [&](std::int64_t step) { return 6.0 - 0.1 * static_cast<double>(step); });
        project_->finish(run, 3.125 + 0.25 * static_cast<double>(run), 4.0);
    }
    auto report = read_report(Project{project_->path().toStdString()});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().sentence().c_str());
    report_ = std::make_shared<const ReportModel>(std::move(report).value());
}

void TestExportDialog::init() {
    FigureRequest request;
    request.kind = QStringLiteral("extrapolation");
    auto figure = makeFigure(request, *report_);
    QVERIFY2(figure.ok(), figure.ok() ? "" : figure.error().sentence().c_str());
    folder_ = std::make_unique<QTemporaryDir>();
    dialog_ = std::make_unique<ExportDialog>(std::move(figure).value(), FigureOptions(), folder_->path(),
                                             QStringLiteral("figure"));
    dialog_->offer(*report_);
    dialog_->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog_.get()));
}

void TestExportDialog::tick(const QStringList& formats) {
    for (QCheckBox* box : dialog_->findChildren<QCheckBox*>()) {
        if (!box->objectName().isEmpty() && box->isChecked() != formats.contains(box->objectName()))
            QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    }
    QCOMPARE(dialog_->formats().size(), formats.size());
}

QByteArray TestExportDialog::read(const QString& name) {
    QFile file(folder_->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestExportDialog::filesAreOfTheVenuesSizeAndHoldTheRecords() {
    auto* kind = named<QComboBox>(QStringLiteral("Figure"));
    QVERIFY(kind != nullptr);
    const int index = kind->findData(QStringLiteral("extrapolation"));
    QVERIFY(index > 0);
    kind->setCurrentIndex(index);
    auto* venue = named<QComboBox>(QStringLiteral("Venue"));
    venue->setCurrentIndex(venue->findData(QStringLiteral("icml-column")));
    tick({"pdf", "svg", "png", "csv", "tex"});
    QVERIFY(dialog_->save());
    // ICML's column is 3.25 in: 234 pt.
    const auto box =
        QRegularExpression(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]")).match(read("figure.pdf"));
    QVERIFY(box.hasMatch());
    QVERIFY2(std::abs(box.captured(1).toDouble() - 234.0) <= 0.5, qPrintable(box.captured(0)));
    QVERIFY(QString::fromUtf8(read("figure.svg")).contains(QLatin1String("width=\"3.25in\"")) ||
            QString::fromUtf8(read("figure.svg")).contains(QLatin1String("234")));
    QXmlStreamReader svg(read("figure.svg"));
    while (!svg.atEnd())
        svg.readNext();
    QVERIFY(!svg.hasError());
    QImage png;
    QVERIFY(png.loadFromData(read("figure.png")));
    QCOMPARE(png.width(), qRound(3.25 * dialog_->options().dotsPerInch));
    // The baseline's losses at 64 are 3.125 and 3.375: the mean of the losses is 3.25, its perplexity e^3.25.
    QVERIFY2(read("figure.csv").contains("\nrope,64," + QByteArray::number(std::exp(3.25), 'g', 13).left(14)),
             read("figure.csv"));
    QVERIFY(read("figure.tex").contains("\\begin{axis}") || read("figure.tex").contains("\\addplot"));
    // What is made from the records says how it is made again.
    const auto spec = parse_json(read("figure.figure.json").toStdString(), "figure.figure.json");
    QVERIFY(spec.ok());
    QCOMPARE((*spec)["kind"].get<std::string>(), std::string("extrapolation"));
    QCOMPARE((*spec)["venue"].get<std::string>(), std::string("icml-column"));
}

void TestExportDialog::whatExistsIsKeptRenamedOrReplacedAsAsked() {
    QFile old(folder_->filePath(QStringLiteral("figure.svg")));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("mine");
    old.close();
    tick({"svg"});
    QVERIFY(dialog_->save(OnExisting::kSkip));
    QVERIFY(dialog_->written().isEmpty());
    QCOMPARE(read("figure.svg"), QByteArray("mine"));
    QVERIFY(dialog_->save(OnExisting::kRename));
    QCOMPARE(dialog_->written().size(), 1);
    QCOMPARE(read("figure.svg"), QByteArray("mine"));
    QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 2);
    QVERIFY(!dialog_->save(OnExisting::kRefuse));
    QCOMPARE(read("figure.svg"), QByteArray("mine"));
    QVERIFY(dialog_->save(OnExisting::kReplace));
    QVERIFY(read("figure.svg").contains("<svg"));
}

void TestExportDialog::badNamesAndNoFormatAreRefused() {
    tick({});
    QVERIFY(!dialog_->save());
    tick({"pdf"});
    auto* name = named<QLineEdit>(QStringLiteral("Name"));
    for (const char* bad : {"", "  ", "../escape", "a/b"}) {
        name->setText(QString::fromLatin1(bad));
        QVERIFY2(!dialog_->save(), bad);
    }
    QVERIFY(QDir(folder_->path()).entryList(QDir::Files).isEmpty());
}

void TestExportDialog::theClipboardHoldsPictureVectorsAndNumbers() {
    dialog_->copy();
    const QMimeData* data = QApplication::clipboard()->mimeData();
    QVERIFY(data != nullptr && data->hasImage());
    QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    QVERIFY(data->text().contains(QLatin1Char('\t')));
}

void TestExportDialog::greyPreviewHasNoColour() {
    QLabel* picture = named<QLabel>(QStringLiteral("Preview"));
    const auto coloured = [&] {
        const QImage image = picture->pixmap().toImage().convertToFormat(QImage::Format_RGB32);
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor c = image.pixelColor(x, y);
                count += std::max({c.red(), c.green(), c.blue()}) - std::min({c.red(), c.green(), c.blue()}) > 24;
            }
        }
        return count;
    };
    QVERIFY(coloured() > 50);
    auto* vision = named<QComboBox>(QStringLiteral("Seen as"));
    vision->setCurrentIndex(1);
    QCOMPARE(coloured(), 0);
}

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
