// The fused path against the double-precision model of double_model.cpp: for every encoding of the catalog and for
// random shapes, losses, every gradient, ten AdamW losses and ten SGD steps; instruction sets and thread counts agree.

#include <QtTest>
#include <cmath>
#include <cstdlib>

#include "core/encoding/registry.h"
#include "core/engine/fused/bfloat16.h"
#include "core/engine/fused/fused_path.h"
#include "core/engine/fused/isa.h"
#include "core/engine/optimizer.h"
#include "double_model.h"
#include "fused_case.h"

using namespace sextant;
using namespace sextant::test;

class FusedPathTest : public QObject {
    Q_OBJECT

  private slots:
    void everyEncodingEqualsTheDoubleModel_data() { encodingRows(); }
    void everyEncodingEqualsTheDoubleModel();
    void tenAdamWLossesEqualTheDoubleModel_data() { encodingRows(); }
    void tenAdamWLossesEqualTheDoubleModel();
    void tenSgdStepsEqualTheDoubleModel_data() { encodingRows(); }
    void tenSgdStepsEqualTheDoubleModel();
    void randomShapesEqualTheDoubleModel_data();
    void randomShapesEqualTheDoubleModel();
    void tokenLossesAndLogitsAgreeWithTraining();
    void unscoredTargetsCountNowhere();
    void sameThreadsSameBits();
    void instructionSetsAgree();
    void bfloat16ProductsStayClose();
    void longSequencesMatchShortMemory();
    void dropoutIsRefusedWithASentence();
    void tooLongForLearnedPositionsIsAnError();
    void unknownInstructionSetIsRefused();

  private:
    static void encodingRows();
};

void FusedPathTest::encodingRows() {
    QTest::addColumn<QString>("encoding");
    for (const EncodingSpec& spec : encoding_catalog())
        QTest::newRow(spec.id.c_str()) << QString::fromStdString(spec.id);
}

void FusedPathTest::everyEncodingEqualsTheDoubleModel() {
    QFETCH(QString, encoding);
    for (const int threads : {1, 2}) {
        FusedCase c(small_model(), {encoding.toStdString(), {}}, 3, 29, threads);
        const DoubleResult expected = c.expected();
        const double loss = c.loss_and_gradients();
        QVERIFY2(std::abs(loss - expected.loss) <= 2e-6 * expected.loss,
                 qPrintable(QString::number(loss - expected.loss)));
        const auto [worst, name] = c.worst_gradient(expected.gradients);
        QVERIFY2(worst <= 1e-4, qPrintable(QString("%1: %2").arg(QString::fromStdString(name)).arg(worst)));
    }
}

void FusedPathTest::tenAdamWLossesEqualTheDoubleModel() {
    QFETCH(QString, encoding);
    FusedCase c(small_model(), {encoding.toStdString(), {}}, 2, 16, 2);
    const auto size = static_cast<std::size_t>(c.layout.buffer_size);
    std::vector<double> p(c.parameters.data(), c.parameters.data() + size), m(size, 0.0), v(size, 0.0);
    Optimizer optimizer({}, {"constant", 0, 1.0}, 10, 1.0, c.layout, 2);
    for (int step = 1; step <= 10; ++step) {
        const DoubleResult expected =
            double_model(c.model, *c.encoding, c.layout, p, c.tokens, c.targets, c.batch, c.length);
        const double loss = c.loss_and_gradients();
        QVERIFY2(
            std::abs(loss - expected.loss) <= 1e-5 * expected.loss,
            qPrintable(QString("step %1: %2 against %3").arg(step).arg(loss, 0, 'g', 9).arg(expected.loss, 0, 'g', 9)));
        double square = 0.0;
        for (const double g : expected.gradients)
            square += g * g;
        const double norm = std::sqrt(square), clip = std::min(1.0, 1.0 / (norm + 1e-6));
        const double measured = optimizer.apply(step - 1, c.parameters_span(), c.gradients_span()).gradient_norm;
        QVERIFY2(std::abs(measured - norm) <= 1e-4 * norm, "gradient norm");
        for (std::size_t i = 0; i < size; ++i) {
            const double g = expected.gradients[i] * clip;
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.95 * v[i] + 0.05 * g * g;
            const double rate = 1e-3 / (1 - std::pow(0.9, step));
            if (decays(c.layout, static_cast<std::int64_t>(i))) p[i] *= 1 - 1e-3 * 0.1;
            p[i] -= rate * m[i] / (std::sqrt(v[i] / (1 - std::pow(0.95, step))) + 1e-8);
        }
        c.clamp(p);
        c.clamp(c.parameters_span());
        c.path->parameters_changed();
    }
}

void FusedPathTest::tenSgdStepsEqualTheDoubleModel() {
    QFETCH(QString, encoding);
    FusedCase c(small_model(), {encoding.toStdString(), {}}, 2, 16, 1);
    const auto size = static_cast<std::size_t>(c.layout.buffer_size);
    std::vector<double> p(c.parameters.data(), c.parameters.data() + size);
    for (int step = 0; step < 10; ++step) {
        const DoubleResult expected =
            double_model(c.model, *c.encoding, c.layout, p, c.tokens, c.targets, c.batch, c.length);
        c.loss_and_gradients();
        for (std::size_t i = 0; i < size; ++i) {
            p[i] -= 0.1 * expected.gradients[i];
            c.parameters.data()[i] -= 0.1f * c.gradients.data()[i];
        }
        c.path->parameters_changed();
    }
    for (const ParameterInfo& info : c.layout.parameters) {
        double worst = 0.0, largest = 0.0;
        for (std::int64_t i = info.offset; i < info.offset + info.count; ++i) {
            worst =
                std::max(worst, std::abs(static_cast<double>(c.parameters.data()[i]) - p[static_cast<std::size_t>(i)]));
            largest = std::max(largest, std::abs(p[static_cast<std::size_t>(i)]));
        }
        QVERIFY2(worst <= 1e-4 * largest,
                 qPrintable(QString("%1: %2").arg(QString::fromStdString(info.name)).arg(worst)));
    }
}

void FusedPathTest::randomShapesEqualTheDoubleModel_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 96; ++seed)
        QTest::newRow(qPrintable(QString("seed %1").arg(seed))) << seed;
}

void FusedPathTest::randomShapesEqualTheDoubleModel() {
    QFETCH(int, seed);
    FusedCase c = random_case(static_cast<std::uint64_t>(seed));
    c.wake_gradients(static_cast<std::uint64_t>(seed), 1.0);
    const DoubleResult expected = c.expected();
    const double loss = c.loss_and_gradients();
    QVERIFY2(std::abs(loss - expected.loss) <= 1e-5 * expected.loss, c.description().c_str());
    const auto [worst, name] = c.worst_gradient(expected.gradients);
    QVERIFY2(worst <= 1e-4, qPrintable(QString("%1 %2: %3")
                                           .arg(QString::fromStdString(c.description()), QString::fromStdString(name))
                                           .arg(worst)));
}

void FusedPathTest::tokenLossesAndLogitsAgreeWithTraining() {
    for (const std::int64_t batch : {1, 5}) {
        FusedCase c(small_model(), {"alibi", {}}, batch, 37, 2);
        const DoubleResult expected = c.expected();
        std::vector<float> losses(c.tokens.size()),
            logits(c.tokens.size() * static_cast<std::size_t>(c.model.vocab_size));
        c.path->token_losses(c.tokens, c.targets, batch, 37, losses);
        c.path->logits(c.tokens, batch, 37, logits);
        for (std::size_t r = 0; r < losses.size(); ++r) {
            QVERIFY(std::abs(static_cast<double>(losses[r]) - expected.token_losses[r]) <= 1e-5);
            const float* row = logits.data() + r * static_cast<std::size_t>(c.model.vocab_size);
            double sum = 0.0;
            for (std::int64_t i = 0; i < c.model.vocab_size; ++i)
                sum += std::exp(static_cast<double>(row[i]));
            QVERIFY(std::abs(std::log(sum) - static_cast<double>(row[c.targets[r]]) - expected.token_losses[r]) <=
                    1e-5);
        }
    }
}

void FusedPathTest::unscoredTargetsCountNowhere() {
    FusedCase c(small_model(), {"rope", {}}, 2, 20, 2);
    for (std::size_t i = 0; i < c.targets.size(); i += 3)
        c.targets[i] = -1;
    const DoubleResult expected = c.expected();
    const double loss = c.loss_and_gradients();
    QVERIFY(std::abs(loss - expected.loss) <= 2e-6 * expected.loss);
    QVERIFY(c.worst_gradient(expected.gradients).first <= 1e-4);
    std::vector<float> losses(c.tokens.size(), 7.0f);
    c.path->token_losses(c.tokens, c.targets, 2, 20, losses);
    QCOMPARE(losses[0], 0.0f);
    QVERIFY(losses[1] > 0.0f);
    std::fill(c.targets.begin(), c.targets.end(), -1);
    QCOMPARE(c.loss_and_gradients(), 0.0);
    QVERIFY(
        std::all_of(c.gradients.data(), c.gradients.data() + c.layout.buffer_size, [](float g) { return g == 0.0f; }));
}

void FusedPathTest::sameThreadsSameBits() {
    // Every encoding and many steps: fire's threads once shared one gradient buffer, and only a race told.
    for (const EncodingSpec& spec : encoding_catalog()) {
        FusedCase first(small_model(), {spec.id, {}}, 5, 64, 2), second(small_model(), {spec.id, {}}, 5, 64, 2);
        for (int step = 0; step < 12; ++step) {
            const double a = first.loss_and_gradients(), b = second.loss_and_gradients();
            QCOMPARE(a, b);
            QVERIFY(std::equal(first.gradients.data(), first.gradients.data() + first.layout.buffer_size,
                               second.gradients.data()));
        }
    }
}

void FusedPathTest::instructionSetsAgree() {
    std::vector<double> losses;
    std::vector<std::vector<double>> gradients;
    const QByteArray before = qgetenv("SEXTANT_MAX_ISA");
    for (const fused::Isa isa : fused::supported_isas()) {
        qputenv("SEXTANT_MAX_ISA", fused::isa_name(isa));
        QCOMPARE(fused::selected_isa().value(), isa);
        FusedCase c(small_model(), {"alibi", {}}, 2, 70, 1);
        const DoubleResult expected = c.expected();
        QVERIFY(std::abs(c.loss_and_gradients() - expected.loss) <= 2e-6 * expected.loss);
        const auto [worst, name] = c.worst_gradient(expected.gradients);
        QVERIFY2(worst <= 1e-4, qPrintable(QString("%1 %2").arg(fused::isa_name(isa)).arg(worst)));
    }
    if (before.isEmpty())
        qunsetenv("SEXTANT_MAX_ISA");
    else
        qputenv("SEXTANT_MAX_ISA", before);
}

void FusedPathTest::bfloat16ProductsStayClose() {
    if (!fused::bfloat16::supported()) QSKIP("this CPU has no AVX512_BF16");
    FusedCase exact(small_model(), {"rope", {}}, 3, 33, 2), rounded(small_model(), {"rope", {}}, 3, 33, 2, true);
    const DoubleResult expected = rounded.expected();
    const double loss = rounded.loss_and_gradients();
    QVERIFY(std::abs(loss - expected.loss) <= 5e-3 * expected.loss);
    QVERIFY(loss != exact.loss_and_gradients());
    const auto [worst, name] = rounded.worst_gradient(expected.gradients);
    QVERIFY2(worst <= 0.05, qPrintable(QString("%1 %2").arg(QString::fromStdString(name)).arg(worst)));
    Optimizer first({}, {"constant", 0, 1.0}, 100, 1.0, exact.layout),
        second({}, {"constant", 0, 1.0}, 100, 1.0, rounded.layout);
    double a = 0.0, b = 0.0;
    for (int step = 0; step < 100; ++step) {
        a = exact.loss_and_gradients();
        b = rounded.loss_and_gradients();
        first.apply(step, exact.parameters_span(), exact.gradients_span());
        second.apply(step, rounded.parameters_span(), rounded.gradients_span());
        exact.path->parameters_changed();
        rounded.path->parameters_changed();
    }
    QVERIFY2(std::abs(a - b) <= 0.02, qPrintable(QString("%1 against %2").arg(a).arg(b)));
}

// Beyond a size the wide activations are recomputed instead of kept, and a lone sequence is shared by the threads.
void FusedPathTest::longSequencesMatchShortMemory() {
    ModelConfig model = small_model();
    model.d_model = 4;
    model.n_head = model.n_kv_head = 2;
    model.d_ff = 8;
    model.n_layer = 1;
    FusedCase alone(model, {"alibi", {}}, 1, 3000, 1), together(model, {"alibi", {}}, 1, 3000, 2);
    const double a = alone.loss_and_gradients(), b = together.loss_and_gradients();
    QVERIFY(std::abs(a - b) <= 1e-6 * a);
    const std::vector<double> expected(alone.gradients.data(), alone.gradients.data() + alone.layout.buffer_size);
    QVERIFY(together.worst_gradient(expected).first <= 1e-4);
    std::vector<float> losses(3000);
    together.path->token_losses(together.tokens, together.targets, 1, 3000, losses);
    double mean = 0.0;
    for (const float loss : losses)
        mean += static_cast<double>(loss) / 3000.0;
    QVERIFY(std::abs(mean - a) <= 1e-5 * a);
}

void FusedPathTest::dropoutIsRefusedWithASentence() {
    ModelConfig model = small_model();
    const auto encoding = std::move(make_encoding({"rope", {}}, model.encoding_site())).value();
    QVERIFY(fused::unsupported_reason(model, *encoding, {}).empty());
    model.dropout = 0.1;
    QVERIFY(fused::unsupported_reason(model, *encoding, {}).find("dropout") != std::string::npos);
}

void FusedPathTest::tooLongForLearnedPositionsIsAnError() {
    FusedCase c(small_model(), {"learned", {}}, 1, 29, 1);
    const std::vector<std::int32_t> tokens(200, 1);
    std::vector<float> losses(200);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, c.path->token_losses(tokens, tokens, 1, 200, losses));
}

void FusedPathTest::unknownInstructionSetIsRefused() {
    const QByteArray before = qgetenv("SEXTANT_MAX_ISA");
    qputenv("SEXTANT_MAX_ISA", "mmx");
    QVERIFY(!fused::selected_isa().ok());
    QCOMPARE(fused::selected_isa().error().exit_status(), 2);
    if (before.isEmpty())
        qunsetenv("SEXTANT_MAX_ISA");
    else
        qputenv("SEXTANT_MAX_ISA", before);
}

QTEST_APPLESS_MAIN(FusedPathTest)
#include "tst_fused_path.moc"
