#include "tests/gui/gallery/gallery_data.h"

#include <cmath>
#include <complex>
#include <random>

using namespace sextant;

namespace gallery {

std::vector<double> steps(int count, double stride) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        x[static_cast<std::size_t>(i)] = i * stride;
    return x;
}

std::vector<double> loss(const std::vector<double>& x, double start, double end, double scale, double noise,
                         unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0.0, noise);
    std::vector<double> y;
    y.reserve(x.size());
    for (const double at : x)
        y.push_back(end + (start - end) * (0.7 * std::exp(-at / scale) + 0.3 * std::exp(-at / (scale * 7))) +
                    normal(engine));
    return y;
}

std::vector<CurveSeries> arms(int seeds) {
    struct Arm {
        const char* name;
        double end, scale;
    };
    const Arm kArms[] = {
        {"rope", 3.02, 2.2e5}, {"alibi", 3.15, 2.5e5}, {"sinusoidal", 3.32, 3.0e5}, {"none", 3.52, 3.2e5}};
    const std::vector<double> x = steps(121, 25600);
    std::vector<CurveSeries> result;
    int slot = 0;
    const int slotOf[] = {0, 1, 2, 4};
    for (const Arm& arm : kArms) {
        std::vector<std::vector<double>> runs;
        std::vector<SeedCurve> curves;
        for (int s = 0; s < seeds; ++s) {
            auto y = loss(x, 6.3, arm.end + 0.012 * (s - 2.5), arm.scale, 0.012, static_cast<unsigned>(100 * slot + s));
            runs.push_back(std::move(y));
        }
        for (const auto& run : runs)
            curves.push_back({x, run});
        const Aggregate all = aggregate(curves, BandKind::kInterval95);
        CurveSeries series;
        series.id = series.name = QString::fromLatin1(arm.name);
        series.slot = slotOf[slot];
        series.baseline = slot == 0;
        series.n = seeds;
        series.x = sharedValues(all.x);
        series.y = sharedValues(all.mean);
        series.low = sharedValues(all.low);
        series.high = sharedValues(all.high);
        if (slot == 1) series.resumes.push_back({1.22e6, QStringLiteral("alibi s2 resumed")});
        result.push_back(std::move(series));
        ++slot;
    }
    return result;
}

CurveSeries diverged() {
    const std::vector<double> x = steps(121, 25600);
    std::vector<double> y = loss(x, 6.3, 3.6, 1.6e5, 0.02, 7);
    for (std::size_t i = 22; i < y.size(); ++i)
        y[i] += 0.02 * std::pow(static_cast<double>(i) - 21, 1.9);
    for (std::size_t i = 33; i < y.size(); ++i)
        y[i] = std::nan("");
    CurveSeries series;
    series.id = series.name = QStringLiteral("rope-lr1e-1");
    series.slot = 3;
    series.x = sharedValues(x);
    series.y = sharedValues(y);
    return series;
}

std::vector<double> naiveSlopes(int heads) {
    std::vector<double> result;
    for (int h = 1; h <= heads; ++h)
        result.push_back(std::exp2(-8.0 * h / heads));
    return result;
}

std::vector<double> slopes(int heads) {
    int power = 1;
    while (power * 2 <= heads)
        power *= 2;
    std::vector<double> result = naiveSlopes(power);
    const std::vector<double> twice = naiveSlopes(2 * power);
    for (int h = 0; power + h < heads; ++h)
        result.push_back(twice[static_cast<std::size_t>(2 * h)]);
    return result;
}

Array biasOf(const std::vector<double>& slopes, int length) {
    Array bias({static_cast<std::int64_t>(slopes.size()), length, length});
    std::size_t i = 0;
    for (const double slope : slopes)
        for (int q = 0; q < length; ++q)
            for (int k = 0; k < length; ++k)
                bias.values[i++] = k > q ? -std::numeric_limits<double>::infinity() : -slope * (q - k);
    return bias;
}

std::vector<double> frequencies(int headDim, double base) {
    std::vector<double> result;
    for (int i = 0; i < headDim / 2; ++i)
        result.push_back(std::pow(base, -2.0 * i / headDim));
    return result;
}

std::vector<double> decay(const std::vector<double>& f, int length) {
    std::vector<double> result;
    for (int d = 0; d < length; ++d) {
        std::complex<double> sum = 0.0;
        double total = 0.0;
        for (const double one : f) {
            sum += std::polar(1.0, d * one);
            total += std::abs(sum);
        }
        result.push_back(total / static_cast<double>(f.size()));
    }
    return result;
}

MatrixData attention(int length, double slope, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0.0, 1.4);
    std::vector<float> values(static_cast<std::size_t>(length) * static_cast<std::size_t>(length), 0.0F);
    for (int q = 0; q < length; ++q) {
        double sum = 0.0;
        std::vector<double> row(static_cast<std::size_t>(q + 1));
        for (int k = 0; k <= q; ++k) {
            row[static_cast<std::size_t>(k)] = std::exp(normal(engine) - slope * (q - k) + (k == 0 ? 1.0 : 0.0));
            sum += row[static_cast<std::size_t>(k)];
        }
        for (int k = 0; k <= q; ++k)
            values[static_cast<std::size_t>(q * length + k)] =
                static_cast<float>(row[static_cast<std::size_t>(k)] / sum);
    }
    MatrixData matrix(length, length, std::make_shared<const std::vector<float>>(std::move(values)));
    matrix.setCausal();
    return matrix;
}

QStringList tokens() {
    QStringList result;
    for (const char* word :
         {"Once", " upon", " a",   " time", ",",   " there", " was",  " a",   " little", " girl", " named", " L",
          "ily",  ".",     " She", " lo",   "ved", " to",    " play", " out", "side",    " in",   " the",   " park",
          ".",    "\n",    "One",  " day",  ",",   " she",   " saw",  " a",   " big",    ",",     " red",   " ball",
          ".",    " She",  " wan", "ted",   " to", " play",  " with", " it",  ",",       " but"}) {
        QString shown = QString::fromLatin1(word);
        shown.replace(QLatin1Char(' '), QChar(0x2423)).replace(QLatin1Char('\n'), QChar(0x23CE));
        result << shown;
    }
    return result;
}

ExtrapolationData extrapolation(bool sliding) {
    ExtrapolationData data;
    data.lengths = {64, 128, 256, 512};
    data.trainingLength = 64;
    data.metric = QStringLiteral("perplexity");
    struct Arm {
        const char* name;
        int slot;
        double values[4];
    };
    const Arm plain[] = {{"rope", 0, {20.6, 24.1, 43.1, 68.8}},
                         {"alibi", 1, {23.4, 23.2, 23.1, 23.0}},
                         {"sinusoidal", 2, {27.7, 39.3, 49.5, 55.1}},
                         {"none", 4, {33.8, 35.9, 38.1, 40.0}}};
    const Arm slid[] = {{"rope", 0, {20.6, 45.6, 87.0, 124.0}},
                        {"alibi", 1, {23.4, 22.9, 22.6, 22.4}},
                        {"sinusoidal", 2, {27.0, 55.0, 78.0, 88.0}},
                        {"none", 4, {33.8, 40.0, 49.0, 56.0}}};
    for (const Arm& arm : sliding ? slid : plain) {
        LengthCurve curve;
        curve.id = curve.name = QString::fromLatin1(arm.name);
        curve.slot = arm.slot;
        for (std::size_t i = 0; i < 4; ++i) {
            const double spread = std::exp(0.02 + 0.03 * static_cast<double>(i));
            curve.points.push_back({data.lengths[i], arm.values[i], arm.values[i] / spread, arm.values[i] * spread, 6});
        }
        data.curves.push_back(std::move(curve));
    }
    if (!sliding)
        data.curves.push_back(
            {QStringLiteral("learned"), QStringLiteral("learned"), 3, false, {{64, 23.9, 23.5, 24.3, 6}}, false});
    if (sliding) data.compared = 128;
    return data;
}

}  // namespace gallery
