// The data side of curves: what decimation keeps, that smoothing leaves a constant alone, seeds in bands, axis scales.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "widgets/plots/aggregate.h"
#include "widgets/plots/axis_scale.h"
#include "widgets/plots/pyramid.h"
#include "widgets/plots/smoothing.h"

using namespace sextant;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> noise(std::size_t count, unsigned seed, double holes) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<double> y(count);
    for (double& value : y)
        value = uniform(engine) < holes ? (uniform(engine) < 0.5 ? kNan : kInfinity) : normal(engine);
    return y;
}

std::vector<double> ascending(std::size_t count) {
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = static_cast<double>(i);
    return x;
}

std::vector<double> edges(double from, double to, std::size_t buckets) {
    std::vector<double> result;
    for (std::size_t i = 0; i <= buckets; ++i)
        result.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(buckets));
    return result;
}

}  // namespace

class TestPlotPyramid : public QObject {
    Q_OBJECT

  private slots:
    void reduceEqualsAScan_data();
    void reduceEqualsAScan();
    void appendingEqualsBuildingAtOnce();
    void everyBucketKeepsItsExtremes_data();
    void everyBucketKeepsItsExtremes();
    void gapsAreFound();
    void smoothingAConstantReturnsIt();
    void smoothingIsTheWeightedMean();
    void smoothingPassesOverNan();
    void bandsAgainstReferenceValues();
    void seedsWithoutAValueLeaveN();
    void rangesIgnoreInfinity();
    void scalesInvert_data();
    void scalesInvert();
    void ticksAreFewAndInside_data();
    void ticksAreFewAndInside();
    void tickLabels();
};

void TestPlotPyramid::reduceEqualsAScan_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("holes");
    for (const int count : {1, 2, 15, 16, 17, 255, 256, 257, 4097, 70000}) {
        QTest::addRow("%d", count) << count << 0.0;
        QTest::addRow("%d with holes", count) << count << 0.2;
    }
}

void TestPlotPyramid::reduceEqualsAScan() {
    QFETCH(int, count);
    QFETCH(double, holes);
    const auto y = noise(static_cast<std::size_t>(count), 11, holes);
    Pyramid pyramid;
    pyramid.extend(y);
    std::mt19937 engine(5);
    for (int trial = 0; trial < 200; ++trial) {
        std::uniform_int_distribution<std::size_t> pick(0, y.size());
        std::size_t from = pick(engine);
        std::size_t to = pick(engine);
        if (from > to) std::swap(from, to);
        const Extremes e = pyramid.reduce(y, from, to);
        std::size_t finite = 0;
        double low = kInfinity;
        double high = -kInfinity;
        std::size_t first = 0;
        std::size_t last = 0;
        for (std::size_t i = from; i < to; ++i) {
            if (!std::isfinite(y[i])) continue;
            if (finite++ == 0) first = i;
            last = i;
            low = std::min(low, y[i]);
            high = std::max(high, y[i]);
        }
        QCOMPARE(static_cast<std::size_t>(e.finite), finite);
        QCOMPARE(static_cast<std::size_t>(e.missing), to - from - finite);
        if (finite == 0) continue;
        QCOMPARE(static_cast<std::size_t>(e.first), first);
        QCOMPARE(static_cast<std::size_t>(e.last), last);
        QCOMPARE(y[e.smallest], low);
        QCOMPARE(y[e.largest], high);
    }
}

void TestPlotPyramid::appendingEqualsBuildingAtOnce() {
    const auto y = noise(9000, 3, 0.05);
    Pyramid whole;
    whole.extend(y);
    Pyramid grown;
    std::mt19937 engine(1);
    for (std::size_t at = 0; at < y.size();) {
        at = std::min(y.size(), at + std::uniform_int_distribution<std::size_t>(1, 700)(engine));
        grown.extend(std::span(y).first(at));
    }
    QCOMPARE(grown.gaps().size(), whole.gaps().size());
    for (std::size_t from = 0; from < y.size(); from += 97) {
        const Extremes a = whole.reduce(y, from, y.size());
        const Extremes b = grown.reduce(y, from, y.size());
        QCOMPARE(b.smallest, a.smallest);
        QCOMPARE(b.largest, a.largest);
        QCOMPARE(b.first, a.first);
        QCOMPARE(b.last, a.last);
        QCOMPARE(b.finite, a.finite);
    }
}

void TestPlotPyramid::everyBucketKeepsItsExtremes_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("buckets");
    QTest::addColumn<double>("holes");
    QTest::newRow("all points fit") << 300 << 100 << 0.0;
    QTest::newRow("10 k in 300") << 10000 << 300 << 0.0;
    QTest::newRow("100 k in 500, holes") << 100000 << 500 << 0.1;
    QTest::newRow("100 k in 7") << 100000 << 7 << 0.0;
}

void TestPlotPyramid::everyBucketKeepsItsExtremes() {
    QFETCH(int, count);
    QFETCH(int, buckets);
    QFETCH(double, holes);
    const auto x = ascending(static_cast<std::size_t>(count));
    const auto y = noise(x.size(), 23, holes);
    Pyramid pyramid;
    pyramid.extend(y);
    const auto borders = edges(count * 0.1, count * 0.83, static_cast<std::size_t>(buckets));
    const Decimated kept = decimate(pyramid, x, y, borders);
    const Decimated again = decimate(pyramid, x, y, borders);
    QVERIFY(kept.samples == again.samples);  // deterministic
    std::set<std::size_t> drawn(kept.samples.begin(), kept.samples.end());
    std::size_t last = 0;
    for (const std::size_t i : kept.samples) {
        if (i == Decimated::kBreak) continue;
        QVERIFY(i >= last);
        last = i;
        QVERIFY(std::isfinite(y[i]));
    }
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        std::vector<std::size_t> inside;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const bool end = b + 2 == borders.size() && x[i] == borders[b + 1];
            if (x[i] >= borders[b] && (x[i] < borders[b + 1] || end) && std::isfinite(y[i])) inside.push_back(i);
        }
        if (inside.empty()) continue;
        const auto by = [&](std::size_t a, std::size_t c) { return y[a] < y[c]; };
        QVERIFY(drawn.count(inside.front()) == 1);
        QVERIFY(drawn.count(inside.back()) == 1);
        const double low = y[*std::min_element(inside.begin(), inside.end(), by)];
        const double high = y[*std::max_element(inside.begin(), inside.end(), by)];
        QVERIFY(std::any_of(inside.begin(), inside.end(),
                            [&](std::size_t i) { return drawn.count(i) == 1 && y[i] == low; }));
        QVERIFY(std::any_of(inside.begin(), inside.end(),
                            [&](std::size_t i) { return drawn.count(i) == 1 && y[i] == high; }));
    }
    QVERIFY(kept.samples.size() <= static_cast<std::size_t>(4 * buckets + 2) || !kept.reduced);
}

void TestPlotPyramid::gapsAreFound() {
    std::vector<double> y{1, kNan, kInfinity, 2, 3, -kInfinity};
    Pyramid pyramid;
    pyramid.extend(std::span(y).first(2));
    pyramid.extend(y);
    QCOMPARE(pyramid.gaps().size(), std::size_t{2});
    QCOMPARE(pyramid.gaps()[0].first, std::size_t{1});
    QCOMPARE(pyramid.gaps()[0].last, std::size_t{2});
    QCOMPARE(pyramid.gaps()[1].first, std::size_t{5});
}

void TestPlotPyramid::smoothingAConstantReturnsIt() {
    std::mt19937 engine(2);
    for (const double constant : {0.0, 3.141592653589793, -1e-300, 1e308, -7.25e17}) {
        for (const double half : {1.0, 17.5, 1e6}) {
            std::vector<double> x;
            double at = 0.0;
            for (int i = 0; i < 5000; ++i)
                x.push_back(at += std::uniform_real_distribution<double>(0, 3)(engine));
            const std::vector<double> y(x.size(), constant);
            for (const double value : smooth(x, y, half))
                QVERIFY(std::abs(value - constant) <= 1e-12 * std::abs(constant));
        }
    }
}

void TestPlotPyramid::smoothingIsTheWeightedMean() {
    const std::vector<double> x{0, 10, 20, 50, 50, 90};
    const std::vector<double> y{5, 1, 4, -2, 8, 3};
    const double half = 20;
    const auto smoothed = smooth(x, y, half);
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = 0.0;
        double weight = 0.0;
        for (std::size_t k = 0; k <= i; ++k) {
            const double w = std::pow(2.0, -(x[i] - x[k]) / half);
            sum += w * y[k];
            weight += w;
        }
        QVERIFY(std::abs(smoothed[i] - sum / weight) < 1e-12);
    }
    QVERIFY(smooth(x, y, 0.0) == y);
}

void TestPlotPyramid::smoothingPassesOverNan() {
    const std::vector<double> x{0, 1, 2, 3};
    const auto smoothed = smooth(x, std::vector<double>{2, kNan, kInfinity, 2}, 1.0);
    QCOMPARE(smoothed[0], 2.0);
    QVERIFY(std::isnan(smoothed[1]));
    QVERIFY(std::isnan(smoothed[2]));
    QCOMPARE(smoothed[3], 2.0);
}

void TestPlotPyramid::bandsAgainstReferenceValues() {
    // scipy.stats.t.ppf(0.975, n)
    const std::pair<double, double> kQuantiles[] = {
        {1, 12.706204736432095},  {2, 4.302652729911275},   {3, 3.182446305284263},    {5, 2.5705818356363146},
        {10, 2.2281388519649385}, {30, 2.0422724563012373}, {1000, 1.9623390808264074}};
    for (const auto& [degrees, expected] : kQuantiles)
        QVERIFY(std::abs(student_t(0.95, degrees) - expected) < 1e-9);
    const std::vector<double> values{3.025, 3.011, 3.018, 3.053, 3.026, 3.019};
    const Summary t = summarise(values, BandKind::kInterval95);
    QCOMPARE(t.n, 6);
    QVERIFY(std::abs(t.mean - 3.0253333333333332) < 1e-12);
    QVERIFY(std::abs(t.sd - 0.014596803303006639) < 1e-12);  // Python statistics.stdev
    QVERIFY(std::abs((t.high - t.mean) - 2.5705818356363146 * 0.014596803303006639 / std::sqrt(6.0)) < 1e-12);
    const Summary range = summarise(values, BandKind::kMinMax);
    QCOMPARE(range.low, 3.011);
    QCOMPARE(range.high, 3.053);
    const Summary one = summarise(std::vector<double>{4.0}, BandKind::kInterval95);
    QCOMPARE(one.n, 1);
    QVERIFY(std::isnan(one.low));
    QVERIFY(std::isnan(one.sd));
}

void TestPlotPyramid::seedsWithoutAValueLeaveN() {
    const std::vector<double> xa{0, 100, 200};
    const std::vector<double> ya{6, 4, 3};
    const std::vector<double> xb{0, 100, 100, 200};  // step 100 written twice: after a resume
    const std::vector<double> yb{6, 9, 5, kNan};
    const std::vector<SeedCurve> seeds{{xa, ya}, {xb, yb}};
    const Aggregate all = aggregate(seeds, BandKind::kMinMax);
    QCOMPARE(all.x.size(), std::size_t{3});
    QCOMPARE(all.n[0], 2);
    QCOMPARE(all.mean[1], 4.5);
    QCOMPARE(all.n[2], 1);
    QCOMPARE(all.mean[2], 3.0);
    QVERIFY(aggregate({}, BandKind::kNone).x.empty());
}

void TestPlotPyramid::rangesIgnoreInfinity() {
    const std::vector<double> values{kNan, kInfinity, -2, 5, -kInfinity, 0};
    QVERIFY(finite_range(values) == Range(-2.0, 5.0));
    QVERIFY(finite_range(values, true) == Range(5.0, 5.0));
    QVERIFY(!finite_range(std::vector<double>{kNan, kInfinity}));
    std::vector<double> spiked(1000, 1.0);
    for (std::size_t i = 0; i < spiked.size(); ++i)
        spiked[i] += static_cast<double>(i) * 1e-3;
    spiked[500] = 1e9;
    const auto range = percentile_range(spiked, 0.01);
    QVERIFY(range && range->second < 2.1 && range->first > 1.0);
}

void TestPlotPyramid::scalesInvert_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("value");
    for (const int kind : {0, 1, 2, 3})
        for (const double value : {1e-308, 1e-5, 0.3, 1.0, 512.0, 7.5e9, 1e308})
            QTest::addRow("%d %g", kind, value) << kind << value;
    QTest::newRow("linear, negative") << 0 << -4.5;
    QTest::newRow("symlog, negative") << 3 << -4.5e7;
    QTest::newRow("symlog, zero") << 3 << 0.0;
}

void TestPlotPyramid::scalesInvert() {
    QFETCH(int, kind);
    QFETCH(double, value);
    const AxisScale scale = AxisScale::fitted(static_cast<AxisKind>(kind), 0, value);
    const double place = scale.forward(value);
    QVERIFY(std::isfinite(place));
    QVERIFY(std::abs(place) < 1e200);
    const double back = scale.inverse(place);
    QVERIFY2(std::abs(back - value) <= 1e-9 * std::abs(value), qPrintable(QString::number(back)));
    QVERIFY(!AxisScale(AxisKind::kLog).shows(0.0));
    QVERIFY(!AxisScale(AxisKind::kLog).shows(-1.0));
    QVERIFY(std::isnan(AxisScale(AxisKind::kLog2).forward(-1.0)));
}

void TestPlotPyramid::ticksAreFewAndInside_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("0..1") << 0 << 0.0 << 1.0;
    QTest::newRow("loss") << 0 << 2.9 << 6.3;
    QTest::newRow("1e308") << 0 << -1e308 << 1.7e308;
    QTest::newRow("denormal") << 0 << 0.0 << 5e-320;
    QTest::newRow("log, part of a decade") << 1 << 18.0 << 150.0;
    QTest::newRow("log, narrow") << 1 << 3.0 << 6.3;
    QTest::newRow("log, many decades") << 1 << 1e-12 << 1e9;
    QTest::newRow("log2") << 2 << 64.0 << 512.0;
    QTest::newRow("symlog") << 3 << -1e6 << 1e6;
    QTest::newRow("symlog, inside the linear part") << 3 << -0.5 << 0.5;
}

void TestPlotPyramid::ticksAreFewAndInside() {
    QFETCH(int, kind);
    QFETCH(double, low);
    QFETCH(double, high);
    const AxisScale scale = AxisScale::fitted(static_cast<AxisKind>(kind), low, high);
    const double from = scale.forward(low);
    const double to = scale.forward(high);
    std::vector<double> minor;
    const auto ticks = scale.ticks(from, to, 5, 1.0, &minor);
    QVERIFY2(ticks.size() >= 2 && ticks.size() <= 11, qPrintable(QString::number(ticks.size())));
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        QVERIFY(ticks[i].place >= from - 1e-9 * (to - from) && ticks[i].place <= to + 1e-9 * (to - from));
        QVERIFY(!ticks[i].label.empty());
        if (i == 0) continue;
        QVERIFY(ticks[i].place > ticks[i - 1].place);
        QVERIFY2(ticks[i].label != ticks[i - 1].label, ticks[i].label.c_str());
    }
}

void TestPlotPyramid::tickLabels() {
    QCOMPARE(tick_label(0.5, 0.5), std::string("0.5"));
    QCOMPARE(tick_label(3.0, 0.5), std::string("3"));
    QCOMPARE(tick_label(-2.0, 1.0), std::string("\u22122"));
    QCOMPARE(tick_label(100000, 0.0), std::string("100 k"));
    QCOMPARE(tick_label(1000, 0.0), std::string("1000"));
    QCOMPARE(tick_label(1e-6, 0.0), std::string("10\u207B\u2076"));
    QCOMPARE(tick_label(1e-20, 0.1), std::string("0"));
}

QTEST_APPLESS_MAIN(TestPlotPyramid)
#include "tst_plot_pyramid.moc"
