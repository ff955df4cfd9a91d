// Looking inside: the numbers behind the Position views are those of `sextant-cli tables`, the attention on screen is
// what an independent forward pass gives, a killed service is asked again, and what does not fit is refused.

#include <signal.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSlider>
#include <QStandardPaths>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/tensor_file/llama2c_tokenizer.h"
#include "core/tensor_file/safetensors.h"
#include "tests/gui/window/recorded_project.h"
#include "widgets/controls/inline_bar.h"
#include "widgets/controls/segments.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/main_window.h"
#include "widgets/models/position_view.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/pages/extrapolation_page.h"
#include "widgets/pages/position_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"
#include "widgets/theme/theme_controller.h"

using namespace sextant;

namespace {

const QString kModel = QStringLiteral(SEXTANT_SHARED_DIR "/models/stories260K");

// One table as the command prints it, flattened; "-inf" is minus infinity.
void flatten(const QJsonValue& value, std::vector<double>& out) {
    if (value.isArray()) {
        for (const QJsonValue& each : value.toArray())
            flatten(each, out);
    } else {
        out.push_back(value.isString() ? -std::numeric_limits<double>::infinity() : value.toDouble());
    }
}

std::vector<double> command(const QStringList& arguments) {
    QProcess process;
    process.start(qEnvironmentVariable("SEXTANT_CLI"),
                  QStringList{"tables"} + arguments + QStringList{"--format", "json"});
    if (!process.waitForFinished(120000) || process.exitCode() != 0) {
        qWarning("%s: %s", qPrintable(arguments.join(' ')), process.readAllStandardError().constData());
        return {};
    }
    std::vector<double> values;
    flatten(QJsonDocument::fromJson(process.readAllStandardOutput()).object().value("values"), values);
    return values;
}

PositionRequest requestFor(const std::string& id, std::int64_t heads, std::int64_t length) {
    PositionRequest request;
    request.encoding.id = id;
    request.site.n_head = heads;
    request.site.head_dim = 16;
    request.site.d_model = heads * 16;
    request.site.context_length = 64;
    request.length = length;
    request.matrix = length;
    return request;
}

QStringList sizes(const PositionRequest& request) {
    return {"--heads",   QString::number(request.site.n_head),  "--head-dim", QString::number(request.site.head_dim),
            "--d-model", QString::number(request.site.d_model), "--length",   QString::number(request.length)};
}

// The attention of stories260K in double, by loops over its published definition: [layer][head][query * n + key].
std::vector<std::vector<std::vector<double>>> independentAttention(const std::vector<std::int32_t>& ids) {
    constexpr std::size_t kWidth = 64, kHeads = 8, kGroups = 4, kDim = 8, kHidden = 172, kLayers = 5;
    const auto file = SafetensorsFile::open(kModel.toStdString() + "/model.safetensors");
    const auto weight = [&](const std::string& name) { return file->read_doubles(name).value(); };
    const auto product = [](const std::vector<double>& w, const std::vector<double>& x) {
        std::vector<double> y(w.size() / x.size(), 0.0);
        for (std::size_t row = 0; row < y.size(); ++row)
            for (std::size_t i = 0; i < x.size(); ++i)
                y[row] += w[row * x.size() + i] * x[i];
        return y;
    };
    const auto normed = [](const std::vector<double>& x, const std::vector<double>& w) {
        double square = 0;
        for (const double value : x)
            square += value * value / static_cast<double>(x.size());
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            y[i] = x[i] / std::sqrt(square + 1e-5) * w[i];
        return y;
    };
    // Half-split pairs (i, i + 4) turned by position * 10000^(-2i/8).
    const auto turned = [](std::vector<double> x, std::size_t position) {
        for (std::size_t head = 0; head < x.size() / kDim; ++head) {
            for (std::size_t i = 0; i < kDim / 2; ++i) {
                const double angle = static_cast<double>(position) *
                                     std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(kDim));
                double& a = x[head * kDim + i];
                double& b = x[head * kDim + i + kDim / 2];
                const double before = a;
                a = before * std::cos(angle) - b * std::sin(angle);
                b = b * std::cos(angle) + before * std::sin(angle);
            }
        }
        return x;
    };
    const std::size_t n = ids.size();
    const auto embedding = weight("model.embed_tokens.weight");
    std::vector<std::vector<double>> x(n);
    for (std::size_t t = 0; t < n; ++t)
        x[t].assign(embedding.begin() + ids[t] * static_cast<std::ptrdiff_t>(kWidth),
                    embedding.begin() + (ids[t] + 1) * static_cast<std::ptrdiff_t>(kWidth));
    std::vector<std::vector<std::vector<double>>> all;
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
        const std::string at = "model.layers." + std::to_string(layer) + ".";
        const auto inputNorm = weight(at + "input_layernorm.weight");
        const auto wq = weight(at + "self_attn.q_proj.weight"), wk = weight(at + "self_attn.k_proj.weight");
        const auto wv = weight(at + "self_attn.v_proj.weight"), wo = weight(at + "self_attn.o_proj.weight");
        const auto postNorm = weight(at + "post_attention_layernorm.weight");
        const auto gate = weight(at + "mlp.gate_proj.weight"), up = weight(at + "mlp.up_proj.weight");
        const auto down = weight(at + "mlp.down_proj.weight");
        std::vector<std::vector<double>> q(n), k(n), v(n);
        for (std::size_t t = 0; t < n; ++t) {
            const auto h = normed(x[t], inputNorm);
            q[t] = turned(product(wq, h), t);
            k[t] = turned(product(wk, h), t);
            v[t] = product(wv, h);
        }
        std::vector<std::vector<double>> heads(kHeads, std::vector<double>(n * n, 0.0));
        for (std::size_t t = 0; t < n; ++t) {
            std::vector<double> mixed(kWidth, 0.0);
            for (std::size_t head = 0; head < kHeads; ++head) {
                const std::size_t group = head / (kHeads / kGroups);
                std::vector<double> e(t + 1);
                double sum = 0;
                for (std::size_t key = 0; key <= t; ++key) {
                    double score = 0;
                    for (std::size_t i = 0; i < kDim; ++i)
                        score += q[t][head * kDim + i] * k[key][group * kDim + i];
                    e[key] = std::exp(score / std::sqrt(static_cast<double>(kDim)));
                    sum += e[key];
                }
                for (std::size_t key = 0; key <= t; ++key) {
                    heads[head][t * n + key] = e[key] / sum;
                    for (std::size_t i = 0; i < kDim; ++i)
                        mixed[head * kDim + i] += e[key] / sum * v[key][group * kDim + i];
                }
            }
            const auto out = product(wo, mixed);
            for (std::size_t i = 0; i < kWidth; ++i)
                x[t][i] += out[i];
            const auto h = normed(x[t], postNorm);
            auto g = product(gate, h);
            const auto u = product(up, h);
            for (std::size_t i = 0; i < kHidden; ++i)
                g[i] = g[i] / (1 + std::exp(-g[i])) * u[i];
            const auto added = product(down, g);
            for (std::size_t i = 0; i < kWidth; ++i)
                x[t][i] += added[i];
        }
        all.push_back(std::move(heads));
    }
    return all;
}

}  // namespace

class TestWindowInspect : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void biasesAreTheCommands_data();
    void biasesAreTheCommands();
    void rotationsAreTheCommands_data();
    void rotationsAreTheCommands();
    void addedVectorsAreTheCommands();
    void learnedValuesReachTheTables();
    void precisionIsTheCommands();
    void twelveHeadsSayWhyTheirOrder();
    void slidersKeepTheOldCurve();
    void allKernelsBeginAtOne();
    void publishedCurvesAreDifferences();
    void chosenLengthOpensTheAttention();
    void attentionMatchesAnIndependentPass();
    void closingTheProjectForgetsItsAttention();
    void rangesAreWhatTheySay();
    void termsAddUp();
    void laterPositionsChangeNothingUnderRope();
    void aKilledServiceIsAskedAgain();
    void whatDoesNotFitIsRefusedWithNumbers();

  private:
    AttentionPage* openStories(const QString& text);
    std::unique_ptr<ThemeController> themes_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void TestWindowInspect::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    themes_ = std::make_unique<ThemeController>(*qApp);
    themes_->setChoice(ThemeChoice::kLight);
}

void TestWindowInspect::init() {
    session_ = std::make_unique<Session>();
    window_ = std::make_unique<MainWindow>(*session_);
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void TestWindowInspect::cleanup() {
    window_.reset();
    session_.reset();
}

void TestWindowInspect::biasesAreTheCommands_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("heads");
    for (const int heads : {4, 8, 12, 32})
        QTest::addRow("alibi-%d", heads) << "alibi" << heads;
    QTest::addRow("kerple-log") << "kerple-log" << 4;
    QTest::addRow("sandwich") << "sandwich" << 4;
}

void TestWindowInspect::biasesAreTheCommands() {
    QFETCH(QString, id);
    QFETCH(int, heads);
    const PositionRequest request = requestFor(id.toStdString(), heads, 24);
    const PositionView view = positionView(request);
    QVERIFY2(view.ok(), qPrintable(view.problem));
    const std::vector<double> table = command(QStringList{id, "--what", "bias"} + sizes(request));
    QCOMPARE(table.size(), static_cast<std::size_t>(heads * 24 * 24));
    std::size_t at = 0;
    for (const Matrix& matrix : view.biases) {
        for (const double value : matrix.values())
            QCOMPARE(value, table[at++]);
    }
    // What the last query sees, distance by distance.
    for (std::size_t head = 0; head < view.heads.size(); ++head) {
        for (std::size_t distance = 0; distance < 24; ++distance)
            QCOMPARE(view.heads[head].byDistance[distance], table[(head * 24 + 23) * 24 + 23 - distance]);
    }
    if (id != "alibi") return;
    const std::vector<double> slopes = command(QStringList{id, "--what", "slopes"} + sizes(request));
    for (std::size_t head = 0; head < view.heads.size(); ++head) {
        QCOMPARE(view.interleaved[head], slopes[head]);
        QVERIFY(std::abs(*view.heads[head].slope - slopes[head]) < 1e-15);
        QVERIFY(std::abs(*view.heads[head].halfDistance - std::numbers::ln2 / slopes[head]) < 1e-9);
    }
    const std::vector<double> naive =
        command(QStringList{id, "--what", "slopes", "--param", "slopes=naive"} + sizes(request));
    QCOMPARE(view.naive, naive);
}

void TestWindowInspect::rotationsAreTheCommands_data() {
    QTest::addColumn<QString>("scaling");
    for (const char* scaling : {"none", "linear", "ntk", "yarn", "llama3", "dynamic-ntk"})
        QTest::addRow("%s", scaling) << scaling;
}

void TestWindowInspect::rotationsAreTheCommands() {
    QFETCH(QString, scaling);
    PositionRequest request = requestFor("rope", 4, 100);
    request.site.head_dim = 32;
    request.encoding.parameters["scaling"] = scaling.toStdString();
    request.encoding.parameters["factor"] = 4.0;
    const PositionView view = positionView(request);
    QVERIFY2(view.ok(), qPrintable(view.problem));
    // Trained at 64 tokens, whatever length is drawn.
    const QStringList common =
        QStringList{"rope", "--param", "scaling=" + scaling, "--param", "factor=4", "--param", "original_length=64"} +
        sizes(request);
    QCOMPARE(view.inverseFrequencies, command(common + QStringList{"--what", "inverse-frequencies"}));
    const std::vector<double> cosines = command(common + QStringList{"--what", "cos"});
    QCOMPARE(cosines.size(), std::size_t{1600});
    for (std::int64_t position = 0; position < 100; ++position) {
        for (std::int64_t pair = 0; pair < 16; ++pair)
            QCOMPARE(view.cosines(pair, position), cosines[static_cast<std::size_t>(position * 16 + pair)]);
    }
    const std::vector<double> decay = command(common + QStringList{"--what", "decay"});
    for (std::size_t distance = 0; distance < 100; ++distance)
        QCOMPARE(view.decay[distance], decay[distance]);
}

void TestWindowInspect::addedVectorsAreTheCommands() {
    const PositionRequest request = requestFor("sinusoidal", 4, 20);
    const PositionView view = positionView(request);
    QVERIFY(view.ok());
    const std::vector<double> table = command(QStringList{"sinusoidal", "--what", "additive"} + sizes(request));
    QCOMPARE(view.additive.values(), table);
    // The dot product of two rows is a sum of cosines of the distance: the diagonal is 1 and every row is symmetric.
    for (std::int64_t position = 0; position < 20; ++position)
        QVERIFY(std::abs(view.similarity(position, position) - 1) < 1e-12);
    double expected = 0;
    for (int i = 0; i < 32; ++i)
        expected += std::cos(7 * std::pow(10000.0, -2.0 * i / 64)) / 32;
    QVERIFY(std::abs(view.similarity(15, 8) - expected) < 1e-12);
}

void TestWindowInspect::learnedValuesReachTheTables() {
    PositionRequest request = requestFor("t5", 2, 40);
    nlohmann::json values = nlohmann::json::array();
    for (int bucket = 0; bucket < 32; ++bucket)
        values.push_back({0.125 * bucket, -0.5 * bucket});
    request.values = std::make_shared<const nlohmann::json>(values);
    const PositionView view = positionView(request);
    QVERIFY2(view.ok(), qPrintable(view.problem));
    QVERIFY(!view.untrained);
    QTemporaryDir folder;
    QFile file(folder.path() + "/values.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(values.dump().c_str());
    file.close();
    const std::vector<double> table =
        command(QStringList{"t5", "--what", "bias", "--values", file.fileName()} + sizes(request));
    QCOMPARE(table.size(), std::size_t{2 * 40 * 40});
    QCOMPARE(view.biases[1](39, 0), table[(40 + 39) * 40]);
    const std::vector<double> buckets = command(QStringList{"t5", "--what", "buckets"} + sizes(request));
    QCOMPARE(view.buckets, buckets);
    // Raffel et al.: the first half are single distances, the rest grow; distance 16 opens bucket 16.
    QCOMPARE(view.buckets[7], 7.0);
    QCOMPARE(view.buckets[16], 16.0);
    QCOMPARE(view.heads[0].byDistance[7], 0.125 * 7);
}

void TestWindowInspect::precisionIsTheCommands() {
    PositionRequest request = requestFor("rope", 4, 1024);
    const PrecisionView view = precisionView(request);
    QCOMPARE(view.lines.size(), std::size_t{3});
    for (const PrecisionLine& line : view.lines) {
        QCOMPARE(line.distinct.back(), line.report.distinct_positions);
        QCOMPARE(line.report.by_position.size(), std::size_t{1024});
    }
    // bf16 holds whole numbers to 256; above, 2 by 2 to 512 and 4 by 4 to 1,024: 513 of 1,024 stay apart.
    const PrecisionLine& bf16 = view.lines.back();
    QCOMPARE(bf16.precision, Precision::kBf16);
    QCOMPARE(bf16.report.distinct_positions, 513);
    QCOMPARE(bf16.firstLost.value_or(-1), 257);
    QVERIFY(!view.lines.front().firstLost.has_value());
    // Position 257 becomes 256: pair 0 turns one radian less.
    QVERIFY(std::abs(bf16.report.by_position[257] - 1.0) < 1e-12);
    QVERIFY(precisionView(requestFor("none", 4, 64)).lines.empty());
}

void TestWindowInspect::twelveHeadsSayWhyTheirOrder() {
    const test::RecordedProject project({"alibi"}, {0});
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr);
    QVERIFY(window_->showPage("position"));
    auto* page = static_cast<PositionPage*>(window_->workspace()->page("position"));
    page->encodingBox()->setCurrentText("alibi");
    page->setHeads(12);
    QCOMPARE(page->view().interleaved.size(), std::size_t{12});
    for (int head = 0; head < 12; ++head) {
        const double slope = head < 8 ? std::exp2(-(head + 1.0)) : std::exp2(-(2.0 * (head - 8) + 1) / 2);
        QVERIFY(std::abs(page->view().interleaved[static_cast<std::size_t>(head)] - slope) < 1e-15);
        QVERIFY(std::abs(page->view().naive[static_cast<std::size_t>(head)] - std::exp2(-8.0 * (head + 1) / 12)) <
                1e-15);
    }
    bool said = false;
    for (const InlineBar* bar : page->findChildren<InlineBar*>())
        said = said || (bar->isVisible() && bar->text().contains("12") && bar->text().contains("16"));
    QVERIFY(said);
    QCOMPARE(page->headGrid()->cells().size(), std::size_t{12});
}

void TestWindowInspect::slidersKeepTheOldCurve() {
    const test::RecordedProject project({"rope"}, {0});
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr);
    QVERIFY(window_->showPage("position"));
    auto* page = static_cast<PositionPage*>(window_->workspace()->page("position"));
    QTRY_VERIFY(page->view().hasRotation());
    page->setLength(4096);
    const std::vector<double> before = page->view().inverseFrequencies;
    QSlider* base = nullptr;
    for (QSlider* slider : page->form()->findChildren<QSlider*>()) {
        if (slider->accessibleName() == "base") base = slider;
    }
    QVERIFY(base != nullptr);
    QElapsedTimer timer;
    int drawn = 0;
    connect(page, &PositionPage::redrawn, this, [&] { ++drawn; });
    timer.start();
    base->setValue(base->value() + 40);
    QTRY_COMPARE(drawn, 1);
    window_->grab();
    qInfo("slider to redraw at 4,096 positions: %lld ms (limit 50 on an idle machine, judged at 1000)",
          static_cast<long long>(timer.elapsed()));
    QVERIFY(timer.elapsed() < 1000);
    QVERIFY(page->kept().has_value());
    QCOMPARE(page->kept()->inverseFrequencies, before);
    QVERIFY(page->view().inverseFrequencies.back() < before.back());  // a larger base turns slower
}

void TestWindowInspect::allKernelsBeginAtOne() {
    EncodingSite site;
    site.n_head = 4;
    site.head_dim = 16;
    site.d_model = 64;
    const std::vector<KernelLine> lines = allKernels(site, 64);
    QVERIFY(lines.size() >= 8);
    for (const KernelLine& line : lines) {
        QVERIFY2(std::abs(line.values.front() - 1) < 1e-12, qPrintable(line.name));
        if (line.name == "alibi") QVERIFY(std::abs(line.values[10] - std::exp(-10.0 / 64)) < 1e-12);  // head 3 of 4
    }
}

void TestWindowInspect::publishedCurvesAreDifferences() {
    const auto curves = publishedLengths(kNonOverlapping);
    QCOMPARE(curves.size(), std::size_t{4});
    for (const PublishedLengths& curve : curves) {
        QCOMPARE(curve.ratio.front(), 1.0);
        QCOMPARE(curve.change.front(), 0.0);
        // Press et al., table 2: rotary 20.07 at 512 and 25.99 at 1,512 tokens.
        if (curve.encoding != "rope") continue;
        for (std::size_t i = 0; i < curve.ratio.size(); ++i) {
            if (curve.ratio[i] == 1512.0 / 512) QVERIFY(std::abs(curve.change[i] - std::log(25.99 / 20.07)) < 1e-12);
        }
    }
    const test::RecordedProject project({"rope", "alibi"}, {0, 1});
    for (std::size_t run = 0; run < 4; ++run)
        project.finish(run, 3.0 + 0.1 * static_cast<double>(run), 3.5 + 0.1 * static_cast<double>(run));
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr && session_->snapshot()->runs.size() == 4);
    QVERIFY(window_->showPage("extrapolation"));
    auto* page = static_cast<ExtrapolationPage*>(window_->workspace()->page("extrapolation"));
    QCOMPARE(page->plot(0)->series().size(), std::size_t{2});
    page->setPublished(true);  // only as changes
    QCOMPARE(page->plot(0)->series().size(), std::size_t{6});
    const CurveSeries own = page->plot(0)->series().front();
    QCOMPARE(own.y->front(), 0.0);
    QVERIFY(std::abs(own.y->back() - 0.5) < 1e-12);
    QCOMPARE(own.x->back(), 2.0);
    page->setMetric(ExtrapolationPage::Metric::kPerplexity);
    QCOMPARE(page->plot(0)->series().size(), std::size_t{2});
}

void TestWindowInspect::chosenLengthOpensTheAttention() {
    const test::RecordedProject project({"rope"}, {0});
    project.finish(0, 3.0, 3.5);
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() != nullptr && session_->snapshot()->runs.size() == 1);
    QVERIFY(window_->showPage("extrapolation"));
    auto* page = static_cast<ExtrapolationPage*>(window_->workspace()->page("extrapolation"));
    Q_EMIT page->plot(0)->cursorMoved(120);
    QCOMPARE(page->chosenLength(), 128);
    Q_EMIT page->attentionRequested(page->chosenLength());
    QCOMPARE(window_->workspace()->currentName(), QStringLiteral("attention"));
    auto* attention = static_cast<AttentionPage*>(window_->workspace()->page("attention"));
    QTRY_VERIFY(attention->model().text().size() > 128);
}

AttentionPage* TestWindowInspect::openStories(const QString& text) {
    window_->showPage("attention");
    auto* page = static_cast<AttentionPage*>(window_->workspace()->page("attention"));
    page->setText(text);
    page->openModel(kModel);
    return page;
}

void TestWindowInspect::attentionMatchesAnIndependentPass() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    const QString text = "Once upon a time, there was a little girl named Lily.";
    AttentionPage* page = openStories(text);
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    const auto tokenizer = Llama2cTokenizer::load(kModel.toStdString() + "/tok512.bin");
    const std::vector<std::int32_t> ids = tokenizer->encode(text.toStdString());
    const auto expected = independentAttention(ids);
    const auto n = static_cast<std::int64_t>(ids.size());
    for (int layer = 0; layer < 5; ++layer) {
        for (int head = 0; head < 8; ++head) {
            session_->selection().setLayer(layer);
            session_->selection().setHead(head);
            const MatrixData& shown = page->matrix()->shown();
            QCOMPARE(shown.rows(), n);
            for (std::int64_t query = 0; query < n; ++query) {
                double sum = 0;
                for (std::int64_t key = 0; key < n; ++key) {
                    const double value = shown.at(query, key);
                    sum += value;
                    const double right = expected[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)]
                                                 [static_cast<std::size_t>(query * n + key)];
                    QVERIFY2(std::abs(value - right) < 1e-5,
                             qPrintable(QStringLiteral("layer %1 head %2 cell %3, %4: %5, not %6")
                                            .arg(layer)
                                            .arg(head)
                                            .arg(query)
                                            .arg(key)
                                            .arg(value)
                                            .arg(right)));
                }
                QVERIFY(std::abs(sum - 1) < 1e-5);
            }
        }
    }
    QCOMPARE(page->grid()->cells().size(), std::size_t{40});
    // Byte-exact labels: a space is a sign.
    QVERIFY(page->model().weights(AttentionModel::Side::kA)->tokens.join("").contains(QChar(0x2423)));
}

// Another project may have a folder of the same name, and the service holds a model in memory.
void TestWindowInspect::closingTheProjectForgetsItsAttention() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    const test::RecordedProject project({"rope"}, {0});
    QVERIFY(window_->openProject(project.path()));
    QTRY_VERIFY(session_->snapshot() && !session_->snapshot()->runs.empty());
    AttentionPage* page = openStories("Lily saw a dog.");
    AttentionModel& model = page->model();
    QTRY_VERIFY_WITH_TIMEOUT(model.weights(AttentionModel::Side::kA) != nullptr, 60000);
    QVERIFY(model.client().processId() > 0);
    const auto kept = std::weak_ptr<const AttentionMapsOf>(model.weights(AttentionModel::Side::kA));
    session_->close();
    QVERIFY(model.weights(AttentionModel::Side::kA) == nullptr);
    QCOMPARE(model.client().processId(), 0);
    QTRY_VERIFY(kept.expired());
}

void TestWindowInspect::rangesAreWhatTheySay() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    AttentionPage* page = openStories("Lily and Tom went to the park and saw a big dog.");
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    const auto maps = page->model().weights(AttentionModel::Side::kA);
    session_->selection().setLayer(1);
    session_->selection().setHead(2);
    const auto largest = [&](int layer, int head) {
        double value = 0;
        const MatrixData matrix = maps->matrix(layer, head);
        for (std::int64_t query = 0; query < matrix.rows(); ++query)
            for (std::int64_t key = 0; key <= query; ++key)
                value = std::max(value, matrix.at(query, key));
        return value;
    };
    double layer = 0, all = 0;
    for (int l = 0; l < 5; ++l) {
        for (int h = 0; h < 8; ++h) {
            all = std::max(all, largest(l, h));
            if (l == 1) layer = std::max(layer, largest(l, h));
        }
    }
    const auto shown = [&](ColourRangeMode mode) {
        ColourRange range = session_->selection().range();
        range.mode = mode;
        range.locked = false;
        session_->selection().setRange(range);
        return page->matrix()->range().second;
    };
    QCOMPARE(shown(ColourRangeMode::kFixed), 1.0);
    QCOMPARE(shown(ColourRangeMode::kHead), largest(1, 2));
    QCOMPARE(shown(ColourRangeMode::kLayer), layer);
    QCOMPARE(shown(ColourRangeMode::kAll), all);
    QVERIFY(shown(ColourRangeMode::kPercentile) <= largest(1, 2));
    // Masked cells are in no statistic: all n (n - 1) / 2 of them.
    const std::int64_t n = maps->length;
    QCOMPARE(page->matrix()->numbers().masked, n * (n - 1) / 2);
    // A locked range stays when the head changes.
    shown(ColourRangeMode::kHead);
    ColourRange range = session_->selection().range();
    range.locked = true;
    range.low = 0.0;
    range.high = 0.125;
    session_->selection().setRange(range);
    session_->selection().setHead(3);
    QCOMPARE(page->matrix()->range().second, 0.125);
}

void TestWindowInspect::termsAddUp() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    AttentionPage* page = openStories("She loved to play outside.");
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    session_->selection().setCell(4, 2);
    const auto term = [&](const QString& name) { return page->model().term(AttentionModel::Side::kA, 0, 0, name); };
    for (const char* name : {"scores", "content", "bias", "unrotated"})
        page->model().loadTerm(AttentionModel::Side::kA, 0, 0, name);
    QTRY_VERIFY_WITH_TIMEOUT(term("scores") && term("content") && term("bias") && term("unrotated"), 60000);
    const MatrixData scores = term("scores")->matrix(0, 0), content = term("content")->matrix(0, 0);
    const MatrixData bias = term("bias")->matrix(0, 0),
                     weights = page->model().weights(AttentionModel::Side::kA)->matrix(0, 0);
    bool turned = false;
    for (std::int64_t query = 0; query < scores.rows(); ++query) {
        double sum = 0;
        for (std::int64_t key = 0; key <= query; ++key) {
            QVERIFY(std::abs(scores.at(query, key) - content.at(query, key) - bias.at(query, key)) < 1e-5);
            sum += std::exp(scores.at(query, key));
            turned = turned || std::abs(content.at(query, key) - term("unrotated")->matrix(0, 0).at(query, key)) > 1e-3;
        }
        for (std::int64_t key = 0; key <= query; ++key)
            QVERIFY(std::abs(std::exp(scores.at(query, key)) / sum - weights.at(query, key)) < 1e-5);
    }
    QVERIFY(turned);  // the rotation does something
}

void TestWindowInspect::laterPositionsChangeNothingUnderRope() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    AttentionPage* page = openStories("Lily had a red ball.");
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    page->model().loadShift({3, 100});
    QTRY_COMPARE_WITH_TIMEOUT(page->model().shift().size(), std::size_t{2}, 60000);
    for (const ShiftPoint& point : page->model().shift()) {
        QCOMPARE(point.largest.size(), std::size_t{40});
        QVERIFY2(*std::max_element(point.largest.begin(), point.largest.end()) < 1e-4, qPrintable(point.problem));
    }
}

void TestWindowInspect::aKilledServiceIsAskedAgain() {
    if (!QFile::exists(kModel + "/model.safetensors")) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
    AttentionPage* page = openStories("One day, Lily met a cat.");
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    const qint64 first = page->model().client().processId();
    QVERIFY(first > 0);
    page->setText("One day, Tom met a dog.");
    QVERIFY(page->model().busy());
    QCOMPARE(::kill(static_cast<pid_t>(first), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(page->model().weights(AttentionModel::Side::kA) != nullptr, 60000);
    QVERIFY2(page->model().problem().isEmpty(), qPrintable(page->model().problem()));
    QVERIFY(page->model().weights(AttentionModel::Side::kA)->tokens.join("").contains("dog"));
    QVERIFY(page->model().client().processId() != first);
}

void TestWindowInspect::whatDoesNotFitIsRefusedWithNumbers() {
    QTemporaryDir folder;
    const QString run = folder.path() + "/step-00000001";
    QVERIFY(QDir().mkpath(run));
    // Weights of 4 TB (a file of holes): refused before anything of them is read.
    QFile weights(run + "/model.safetensors");
    QVERIFY(weights.open(QIODevice::WriteOnly));
    if (!weights.resize(qint64{4} << 40)) QSKIP("this file system cannot hold a file of holes of 4 TB");
    weights.close();
    QFile config(run + "/config.json");
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":16384,
        "intermediate_size":65536,"num_hidden_layers":200,"num_attention_heads":128,"num_key_value_heads":128,
        "vocab_size":32000,"max_position_embeddings":4096,"rms_norm_eps":1e-5,"rope_theta":10000.0,
        "tie_word_embeddings":true,"hidden_act":"silu"})");
    config.close();
    AttentionModel model;
    model.setText("anything");
    model.setModel(AttentionModel::Side::kA, AttentionSource{run, {}});
    model.load(AttentionModel::Side::kA);
    QTRY_VERIFY_WITH_TIMEOUT(!model.problem().isEmpty(), 60000);
    QVERIFY2(model.problem().contains("MB"), qPrintable(model.problem()));
    QVERIFY(model.weights(AttentionModel::Side::kA) == nullptr);
}

QTEST_MAIN(TestWindowInspect)
#include "tst_window_inspect.moc"
