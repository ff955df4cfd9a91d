// The two engine paths against each other, for every encoding: the fused one in float32, the reference one (autograd)
// in double precision from the same float values.

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

QTEST_APPLESS_MAIN(FusedAgainstReferenceTest)
#include "tst_fused_against_reference.moc"
