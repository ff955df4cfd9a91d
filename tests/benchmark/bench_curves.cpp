// Open, pan and refresh times of the curve plot and the matrix view, one line each. `bench_curves --small` is what the
// continuous check runs: it asserts ten times the stated limits only.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "widgets/plots/curve_plot.h"
#include "widgets/plots/heatmap_grid.h"
#include "widgets/plots/heatmap_view.h"

using namespace sextant;

namespace {

CurveSeries noisy(const QString& id, std::size_t count, int slot, double halfLife) {
    std::mt19937 engine(static_cast<unsigned>(slot) + 1);
    std::normal_distribution<double> normal(0.0, 0.1);
    std::vector<double> x(count), y(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<double>(i);
        y[i] = 3.0 + 3.0 * std::exp(-static_cast<double>(i) / static_cast<double>(count) * 8.0) + normal(engine);
    }
    CurveSeries series;
    series.id = series.name = id;
    series.slot = slot;
    series.halfLife = halfLife;
    series.x = sharedValues(std::move(x));
    series.y = sharedValues(std::move(y));
    return series;
}

double milliseconds(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void frame(QWidget& widget) {
    QApplication::processEvents();
    (void)widget.grab();
}

bool failed = false;

void report(const char* what, double value, double limit) {
    std::printf("%-48s %9.1f ms   limit %7.0f ms%s\n", what, value, limit, value > limit ? "   OVER" : "");
    if (value > 10.0 * limit) failed = true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    const std::vector<std::size_t> sizes = small ? std::vector<std::size_t>{10'000, 100'000}
                                                 : std::vector<std::size_t>{10'000, 100'000, 1'000'000, 5'000'000};
    char name[96];
    for (const std::size_t count : sizes) {
        const CurveSeries series = noisy(QStringLiteral("a"), count, 1, static_cast<double>(count) / 50.0);
        QElapsedTimer timer;
        timer.start();
        CurvePlot plot;
        plot.resize(1200, 700);
        plot.setSeries({series});
        plot.show();
        frame(plot);
        std::snprintf(name, sizeof name, "open %zu points, raw and EMA", count);
        report(name, milliseconds(timer), 1000.0);
        plot.zoom(4.0);
        double worst = 0.0;
        double total = 0.0;
        constexpr int kFrames = 20;
        for (int i = 0; i < kFrames; ++i) {
            timer.restart();
            plot.pan(i % 2 == 0 ? 0.05 : -0.04, 0.0);
            frame(plot);
            worst = std::max(worst, milliseconds(timer));
            total += milliseconds(timer);
        }
        std::snprintf(name, sizeof name, "pan %zu points, mean frame", count);
        report(name, total / kFrames, 1000.0 / 30.0);
        std::snprintf(name, sizeof name, "pan %zu points, longest frame", count);
        report(name, worst, 100.0);
        plot.reset();
        timer.restart();
        std::vector<double> x{static_cast<double>(count), static_cast<double>(count + 1)};
        plot.append(QStringLiteral("a"), x, std::vector<double>{3.0, 3.1});
        plot.replotNow();
        frame(plot);
        std::snprintf(name, sizeof name, "append and refresh at %zu points", count);
        report(name, milliseconds(timer), 100.0);
    }
    {
        const std::size_t each = small ? 2'000 : 20'000;
        std::vector<CurveSeries> series;
        for (int i = 0; i < 50; ++i)
            series.push_back(noisy(QStringLiteral("run %1").arg(i), each, i % 8, static_cast<double>(each) / 40.0));
        CurvePlot plot;
        plot.resize(1200, 700);
        plot.setSeries(std::move(series));
        plot.show();
        frame(plot);
        QElapsedTimer timer;
        double total = 0.0;
        for (int round = 0; round < 5; ++round) {
            timer.restart();
            for (int i = 0; i < 50; ++i)
                plot.append(QStringLiteral("run %1").arg(i), std::vector<double>{static_cast<double>(each) + round},
                            std::vector<double>{3.0});
            plot.replotNow();
            frame(plot);
            total += milliseconds(timer);
        }
        std::snprintf(name, sizeof name, "refresh 50 series x %zu points", each);
        report(name, total / 5, 100.0);
    }
    {
        const std::int64_t size = small ? 1024 : 4096;
        auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(size * size));
        for (std::size_t i = 0; i < values->size(); ++i)
            (*values)[i] = static_cast<float>(i * 2654435761U % 1000U) / 1000.0F;
        MatrixData matrix(size, size, std::shared_ptr<const std::vector<float>>(values));
        matrix.setCausal();
        QElapsedTimer timer;
        timer.start();
        HeatmapView view;
        view.resize(900, 900);
        view.setMatrix(matrix);
        view.show();
        frame(view);
        std::snprintf(name, sizeof name, "matrix %lld x %lld, first picture", static_cast<long long>(size),
                      static_cast<long long>(size));
        report(name, milliseconds(timer), 300.0);
        view.zoom(8.0);
        double total = 0.0;
        for (int i = 0; i < 10; ++i) {
            timer.restart();
            view.centreOn(QPoint(static_cast<int>(size) / 12 * (i + 1), static_cast<int>(size) / 12 * (i + 1)));
            frame(view);
            total += milliseconds(timer);
        }
        report("matrix, pan while zoomed in, mean frame", total / 10, 1000.0 / 30.0);
    }
    {
        std::vector<GridCell> cells;
        const std::int64_t size = small ? 128 : 512;
        auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(size * size), 0.1F);
        for (int i = 0; i < 64; ++i) {
            GridCell cell;
            cell.matrix = MatrixData(size, size, std::shared_ptr<const std::vector<float>>(values));
            cell.matrix.setCausal();
            cells.push_back(std::move(cell));
        }
        QElapsedTimer timer;
        timer.start();
        HeatmapGrid grid;
        grid.resize(900, 700);
        GridOptions options;
        options.columns = 8;
        grid.setCells(std::move(cells), options);
        grid.show();
        frame(grid);
        std::snprintf(name, sizeof name, "grid 8 x 8 of %lld tokens", static_cast<long long>(size));
        report(name, milliseconds(timer), 500.0);
    }
    return failed ? 1 : 0;
}
