// The two engine paths against each other: the fused one in float32, the reference one (autograd) in double precision
// from the same float values for every encoding, and in float32 where saturated softmaxes make float32 itself the
// limit.

#include <QtTest>
#include <cmath>

#include "core/engine/reference_path.h"
#include "fused_case.h"

using namespace sextant;
using namespace sextant::test;

class FusedAgainstReferenceTest : public QObject {
    Q_OBJECT

  private slots:
    void lossAndGradientsAgree_data();
    void lossAndGradientsAgree();
    void saturatedSoftmaxesAreAsExactAsAutograd();
};

void FusedAgainstReferenceTest::lossAndGradientsAgree_data() {
    QTest::addColumn<QString>("encoding");
    for (const EncodingSpec& spec : encoding_catalog())
        QTest::newRow(spec.id.c_str()) << QString::fromStdString(spec.id);
}

void FusedAgainstReferenceTest::lossAndGradientsAgree() {
    QFETCH(QString, encoding);
    FusedCase c(small_model(), {encoding.toStdString(), {}}, 3, 29, 2);
    fused::AlignedBuffer slopes(c.layout.buffer_size);
    ReferenceOptions options;
    options.double_precision = true;
    const auto reference =
        make_reference_path(c.model, *c.encoding, c.layout, c.parameters_span(),
                            {slopes.data(), static_cast<std::size_t>(c.layout.buffer_size)}, options);
    const double expected = reference->loss_and_gradients(c.tokens, c.targets, c.batch, c.length, 0);
    const double loss = c.loss_and_gradients();
    QVERIFY2(std::abs(loss - expected) <= 2e-6 * expected, qPrintable(QString::number(loss - expected)));
    const auto gradients = reference->gradients_double();
    const auto [worst, name] = c.worst_gradient({gradients.begin(), gradients.end()});
    QVERIFY2(worst <= 1e-4, qPrintable(QString("%1: %2").arg(QString::fromStdString(name)).arg(worst)));
}

// Weights four times as large: two weights of a row nearly 0 and 1. Neither program is better than float32, and the
// fused one may not be worse than PyTorch's autograd by more than a factor, wherever its error is above the usual
// bound.
void FusedAgainstReferenceTest::saturatedSoftmaxesAreAsExactAsAutograd() {
    int beyond = 0;
    for (std::uint64_t seed = 0; seed < 48; ++seed) {
        FusedCase c = random_case(seed);
        c.wake_gradients(seed, 4.0);
        const DoubleResult expected = c.expected();
        c.loss_and_gradients();
        const auto [worst, name] = c.worst_gradient(expected.gradients);
        if (worst <= 1e-4) continue;
        ++beyond;
        fused::AlignedBuffer slopes(c.layout.buffer_size);
        const auto reference = make_reference_path(c.model, *c.encoding, c.layout, c.parameters_span(),
                                                   {slopes.data(), static_cast<std::size_t>(c.layout.buffer_size)}, {});
        reference->loss_and_gradients(c.tokens, c.targets, c.batch, c.length, 0);
        const double autograd = c.worst_gradient(expected.gradients, slopes.data()).first;
        if (autograd > 1e-2) continue;  // a gradient that float32 does not have
        const std::string what =
            c.description() + " " + name + ": " + std::to_string(worst) + ", autograd " + std::to_string(autograd);
        QVERIFY2(worst <= 10.0 * autograd, what.c_str());
    }
    QVERIFY(beyond > 0);  // else these weights test nothing
}

QTEST_APPLESS_MAIN(FusedAgainstReferenceTest)
#include "tst_fused_against_reference.moc"
