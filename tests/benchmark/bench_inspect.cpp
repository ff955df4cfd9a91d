// Looking inside, against the stated limits, one line each: 4,096 x 4,096 attention from the request to the screen with
// its forward pass, pan and zoom, memory of the window, 8 x 8 heads of 512 tokens, a slider of the Position page.
// `bench_inspect --small` asserts ten times the limits at a quarter of the length.
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QSlider>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>

#include "widgets/forms/parameter_form.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/pages/attention_page.h"
#include "widgets/pages/position_page.h"
#include "widgets/pages/workspace.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

using namespace sextant;

namespace {

bool failed = false;

double milliseconds(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void report(const char* what, double value, double limit, const char* unit = "ms") {
    std::printf("%-58s %9.1f %s   limit %5.0f %s%s\n", what, value, unit, limit, unit, value > limit ? "   OVER" : "");
    std::fflush(stdout);
    if (value > 10.0 * limit) failed = true;
}

bool waitFor(const std::function<bool()>& ready) {
    QElapsedTimer clock;
    clock.start();
    while (!ready() && clock.elapsed() < 120000)
        QApplication::processEvents(QEventLoop::AllEvents, 1);
    return ready();
}

// VmRSS and VmHWM of this process, MB; 0 where /proc tells nothing.
double memory(const char* name) {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) return 0.0;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(name))
            return line.mid(static_cast<int>(std::strlen(name)) + 1).trimmed().split(' ')[0].toDouble() / 1024;
    }
    return 0.0;
}

// A llama2.c model of 2 layers, d = 64, 4 heads with random weights, and a tokenizer of bytes beside it.
void writeModel(const QString& folder, std::int32_t sequence) {
    std::mt19937 engine(7);
    std::normal_distribution<float> normal(0.0F, 0.06F);
    constexpr std::int32_t kWidth = 64, kHidden = 172, kLayers = 2, kHeads = 4, kVocabulary = 512;
    QFile file(folder + "/bench.bin");
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write the model");
    const std::int32_t header[] = {kWidth, kHidden, kLayers, kHeads, kHeads, kVocabulary, sequence};
    file.write(reinterpret_cast<const char*>(header), sizeof header);
    const auto put = [&](std::int64_t count, bool ones) {
        std::vector<float> values(static_cast<std::size_t>(count), 1.0F);
        if (!ones) std::generate(values.begin(), values.end(), [&] { return normal(engine); });
        file.write(reinterpret_cast<const char*>(values.data()), static_cast<qint64>(values.size() * sizeof(float)));
    };
    put(kVocabulary * kWidth, false);
    put(kLayers * kWidth, true);
    for (int matrix = 0; matrix < 4; ++matrix)
        put(kLayers * kWidth * kWidth, false);
    put(kLayers * kWidth, true);
    for (int matrix = 0; matrix < 3; ++matrix)
        put(kLayers * kWidth * kHidden, false);
    put(kWidth, true);
    put(std::int64_t{2} * sequence * (kWidth / kHeads / 2), false);
    QFile tokens(folder + "/tok512.bin");
    if (!tokens.open(QIODevice::WriteOnly)) qFatal("cannot write the tokenizer");
    const auto number = [&](std::int32_t value) { tokens.write(reinterpret_cast<const char*>(&value), 4); };
    number(8);
    for (std::int32_t id = 0; id < kVocabulary; ++id) {
        QByteArray piece = id == 0 ? "<unk>" : id == 1 ? "\n<s>\n" : id == 2 ? "\n</s>\n" : QByteArray();
        if (id >= 3 && id < 259) piece = "<0x" + QByteArray::number(id - 3, 16).rightJustified(2, '0').toUpper() + ">";
        if (id >= 259 && id < 259 + 95) piece = QByteArray(1, static_cast<char>(32 + id - 259));
        if (piece.isEmpty()) piece = "#" + QByteArray::number(id);
        const float score = static_cast<float>(-id);
        tokens.write(reinterpret_cast<const char*>(&score), 4);
        number(static_cast<std::int32_t>(piece.size()));
        tokens.write(piece);
    }
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    const int length = small ? 1024 : 4096;
    QTemporaryDir folder;
    writeModel(folder.path(), length);
    Session session;
    MainWindow window(session);
    window.resize(1600, 1000);
    window.show();
    window.showPage("attention");
    auto* page = static_cast<AttentionPage*>(window.workspace()->page("attention"));
    AttentionModel& model = page->model();
    char name[96];

    // The service and the model are warm, as they are after the first look; then a new text.
    page->setText("warm");
    page->openModel(folder.path() + "/bench.bin");
    if (!waitFor([&] { return model.weights(AttentionModel::Side::kA) != nullptr || !model.problem().isEmpty(); }) ||
        !model.problem().isEmpty()) {
        std::printf("no attention: %s\n", qPrintable(model.problem()));
        return 1;
    }
    const double before = memory("VmRSS:");
    QElapsedTimer beat, timer;
    qint64 gap = 0;
    QTimer heart;
    QObject::connect(&heart, &QTimer::timeout, &heart, [&] { gap = std::max(gap, beat.restart()); });
    heart.start(1);
    std::mt19937 engine(3);
    QString text;
    while (text.size() < length + 200)
        text += QChar(static_cast<char16_t>('a' + static_cast<int>(engine() % 26)));
    text.truncate(length);  // the beginning token included, one token more is cut off
    timer.start();
    beat.start();
    page->setText(text);
    const bool there = waitFor([&] {
        const auto maps = model.weights(AttentionModel::Side::kA);
        return (maps && maps->length >= length) || !model.problem().isEmpty();
    });
    if (!there || !model.problem().isEmpty()) {
        std::printf("no attention: %s\n", qPrintable(model.problem()));
        return 1;
    }
    window.repaint();
    (void)page->matrix()->grab();
    std::snprintf(name, sizeof name, "%d x %d attention, request to screen", length, length);
    report(name, milliseconds(timer), 2000.0);
    heart.stop();
    report("longest gap of the GUI thread meanwhile", static_cast<double>(gap), 100.0);
    HeatmapView* view = page->matrix();
    const auto frames = [&](const char* what, const std::function<void(int)>& move) {
        double total = 0.0, worst = 0.0;
        constexpr int kFrames = 20;
        for (int i = 0; i < kFrames; ++i) {
            timer.restart();
            move(i);
            QApplication::processEvents();
            (void)view->grab();
            total += milliseconds(timer);
            worst = std::max(worst, milliseconds(timer));
        }
        std::snprintf(name, sizeof name, "%s, mean frame", what);
        report(name, total / kFrames, 1000.0 / 30.0);
        std::snprintf(name, sizeof name, "%s, longest frame", what);
        report(name, worst, 100.0);
    };
    frames("zoom", [&](int i) { view->zoom(i % 8 < 6 ? 1.6 : 0.25); });
    view->fit();
    view->zoom(16.0);
    frames("pan while zoomed in", [&](int i) { view->centreOn(QPoint(length / 24 * (i + 1), length / 24 * (i + 1))); });
    report("memory of the window with the matrix", memory("VmRSS:"), 400.0, "MB");
    std::printf("%-58s %9.1f MB, at most %.1f MB\n", "  before it", before, memory("VmHWM:"));

    {
        const std::int64_t size = small ? 256 : 512;
        std::vector<std::shared_ptr<const std::vector<float>>> cached;
        for (int head = 0; head < 64; ++head) {
            std::vector<float> values(static_cast<std::size_t>(size * size));
            for (float& value : values)
                value = static_cast<float>(engine() % 1000U) / 1000.0F;
            cached.push_back(std::make_shared<const std::vector<float>>(std::move(values)));
        }
        timer.restart();
        HeatmapGrid grid;
        grid.resize(900, 700);
        std::vector<GridCell> cells;
        for (const auto& values : cached) {
            MatrixData matrix(size, size, values);
            matrix.setCausal();
            GridCell cell;
            cell.matrix = reduced(matrix, (size + 127) / 128);
            cells.push_back(std::move(cell));
        }
        GridOptions options;
        options.columns = 8;
        grid.setCells(std::move(cells), options);
        grid.show();
        QApplication::processEvents();
        (void)grid.grab();
        std::snprintf(name, sizeof name, "8 x 8 heads of %lld tokens from cached data", static_cast<long long>(size));
        report(name, milliseconds(timer), 500.0);
    }
    {
        window.showPage("position");
        auto* position = static_cast<PositionPage*>(window.workspace()->page("position"));
        double worst = 0.0, total = 0.0;
        int count = 0;
        for (const char* id : {"rope", "alibi"}) {
            position->encodingBox()->setCurrentText(QString::fromLatin1(id));
            position->setLength(4096);
            QApplication::processEvents();
            const auto sliders = position->form()->findChildren<QSlider*>();
            int redrawn = 0;
            QObject::connect(position, &PositionPage::redrawn, position, [&] { ++redrawn; });
            for (int i = 0; i < 6 && !sliders.isEmpty(); ++i) {
                const int seen = redrawn;
                timer.restart();
                sliders.front()->setValue(sliders.front()->value() + (i % 2 == 0 ? 23 : -11));
                waitFor([&] { return redrawn > seen; });
                window.repaint();
                const double spent = milliseconds(timer);
                worst = std::max(worst, spent);
                total += spent;
                ++count;
            }
            position->disconnect(position);
        }
        report("slider to redraw at 4,096 positions, mean", total / std::max(count, 1), 50.0);
        report("slider to redraw at 4,096 positions, longest", worst, 50.0);
    }
    return failed ? 1 : 0;
}
