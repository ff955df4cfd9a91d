#include <QtTest>
#include <fstream>

#include "core/experiment/memory_estimate.h"
#include "core/experiment/presets.h"

using namespace sextant;

class TestMemoryEstimate : public QObject {
    Q_OBJECT

  private slots:
    void countsTheSeedModelExactly();
    void growsWithWhatGrows();
    void hugeSizesSaturate();
    void availableMemoryIsBelowTheMachine();
};

static MemoryEstimate of(const Experiment& experiment) {
    return estimate_memory(experiment, experiment.baseline);
}

void TestMemoryEstimate::countsTheSeedModelExactly() {
    const MemoryEstimate estimate = of(find_preset("seed-alibi")->experiment);
    QCOMPARE(estimate.parameter_count, std::int64_t{139584});
    QCOMPARE(estimate.parameters, std::int64_t{139584} * 4 * 2);  // float32 weights and gradients
    QCOMPARE(estimate.optimizer, std::int64_t{139584} * 4 * 2);   // two moments of AdamW
    QVERIFY(estimate.total() < (std::int64_t{512} << 20));
}

void TestMemoryEstimate::growsWithWhatGrows() {
    Experiment experiment = find_preset("quick")->experiment;
    const MemoryEstimate before = of(experiment);
    experiment.training.batch_size *= 2;
    QCOMPARE(of(experiment).logits, 2 * before.logits);
    QCOMPARE(of(experiment).activations, 2 * before.activations);
    experiment.training.path = "reference";
    // The reference path keeps [B, H, T, T] scores, the fused path does not.
    QVERIFY(of(experiment).activations > 2 * before.activations);
    experiment.training.optimizer.kind = "sgd";
    QCOMPARE(of(experiment).optimizer, std::int64_t{0});
    QVERIFY(of(experiment).largest().find("MiB") != std::string::npos);
}

void TestMemoryEstimate::hugeSizesSaturate() {
    Experiment experiment = find_preset("quick")->experiment;
    experiment.model.d_model = 16384;
    experiment.model.n_layer = 256;
    experiment.model.d_ff = 131072;
    experiment.model.context_length = 1 << 20;
    experiment.training.batch_size = 65536;
    QVERIFY(of(experiment).total() > (std::int64_t{1} << 50));  // positive: no overflow
}

void TestMemoryEstimate::availableMemoryIsBelowTheMachine() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::int64_t total = 0;
    file >> key >> total;
    const std::int64_t available = available_memory_bytes();
    QVERIFY(available > 0);
    QVERIFY(available <= total * 1024);
}

QTEST_APPLESS_MAIN(TestMemoryEstimate)
#include "test_memory_estimate.moc"
