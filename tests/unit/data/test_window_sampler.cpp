// The order of training windows: complete, in range, a function of seed and step alone.
#include <QtTest>
#include <algorithm>
#include <set>

#include "core/base/hash.h"
#include "core/data/window_sampler.h"

using namespace sextant;

class TestWindowSampler : public QObject {
    Q_OBJECT
  private slots:
    void everyWindowOnceAnEpoch() {
        const WindowSampler sampler(10007, 64, 8, 42);
        const std::int64_t windows = sampler.windows_per_epoch();
        QCOMPARE(windows, std::int64_t{155});  // (10007 - 64) / 64
        std::vector<std::int64_t> all;
        for (std::int64_t step = 0; static_cast<std::int64_t>(all.size()) < 3 * windows; ++step) {
            for (const std::int64_t offset : sampler.offsets(step))
                all.push_back(offset);
        }
        std::set<std::int64_t> phases;
        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
            std::vector<std::int64_t> one(all.begin() + epoch * windows, all.begin() + (epoch + 1) * windows);
            QVERIFY(!std::is_sorted(one.begin(), one.end()));
            std::sort(one.begin(), one.end());
            QVERIFY(one.front() >= 0 && one.back() <= 10007 - 64 - 1);
            for (std::size_t i = 1; i < one.size(); ++i)
                QCOMPARE(one[i] - one[i - 1], std::int64_t{64});  // edge to edge, none twice, none missing
            phases.insert(one.front());
        }
        QVERIFY(phases.size() > 1);
    }

    void smallCorporaStayInRange() {
        for (std::int64_t tokens = 65; tokens < 300; ++tokens) {
            const WindowSampler sampler(tokens, 64, 5, 1);
            for (std::int64_t step = 0; step < 20; ++step) {
                for (const std::int64_t offset : sampler.offsets(step))
                    QVERIFY(offset >= 0 && offset <= tokens - 64 - 1);
            }
        }
    }

    void seedAndStepDecide() {
        const WindowSampler one(400000, 64, 16, 42);
        const WindowSampler same(400000, 64, 16, 42);
        const WindowSampler other(400000, 64, 16, 43);
        QCOMPARE(one.offsets(1234), same.offsets(1234));
        QVERIFY(one.offsets(0) != other.offsets(0));
        QVERIFY(one.offsets(0) != one.offsets(1));
        QCOMPARE(one.offsets(5).size(), std::size_t{16});
        Sha256 hash;
        for (std::int64_t step = 0; step < 7; ++step) {
            for (const std::int64_t offset : one.offsets(step))
                hash.update(&offset, sizeof offset);  // little-endian machines
        }
        QCOMPARE(one.order_sha256(7), hash.hex());
    }

    void twoBatchSizesReadTheSameStream() {
        const WindowSampler eight(50000, 32, 8, 3);
        const WindowSampler four(50000, 32, 4, 3);
        auto both = four.offsets(0);
        for (const std::int64_t offset : four.offsets(1))
            both.push_back(offset);
        QCOMPARE(eight.offsets(0), both);
    }
};

QTEST_APPLESS_MAIN(TestWindowSampler)
#include "test_window_sampler.moc"
