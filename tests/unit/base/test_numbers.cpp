#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/base/hash.h"
#include "core/base/random.h"

using namespace sextant;

class TestNumbers : public QObject {
    Q_OBJECT

  private slots:
    void sha256IsTheStandardOne();
    void generatorIsPcg32();
    void normalHasItsMoments();
    void seedsDependOnTheName();
    void stateResumesExactly();
};

void TestNumbers::sha256IsTheStandardOne() {
    // FIPS 180-2, appendix B.
    QCOMPARE(sha256_hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(sha256_hex(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/f";
    std::ofstream(path) << std::string(1'000'000, 'a');
    QCOMPARE(*sha256_file(path), std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    QVERIFY(!sha256_file(path + ".none").ok());
}

void TestNumbers::generatorIsPcg32() {
    // The first outputs of the reference implementation's demo (pcg32-demo, seed 42, sequence 54).
    Random random(42, 54);
    for (const std::uint32_t expected : {0xa15c02b7U, 0x7b47f409U, 0xba1d3330U, 0x83d2f293U, 0xbfa4784bU, 0xcbed606eU})
        QCOMPARE(random.next(), expected);
    for (int i = 0; i < 1000; ++i)
        QVERIFY(random.below(7) < 7U);
}

void TestNumbers::normalHasItsMoments() {
    Random random(7);
    double sum = 0.0;
    double squares = 0.0;
    constexpr int kDraws = 200'000;
    for (int i = 0; i < kDraws; ++i) {
        const double value = random.normal();
        sum += value;
        squares += value * value;
    }
    QVERIFY(std::abs(sum / kDraws) < 0.012);  // five standard errors
    QVERIFY(std::abs(squares / kDraws - 1.0) < 0.016);
}

void TestNumbers::seedsDependOnTheName() {
    QVERIFY(derive_seed(1, "a") != derive_seed(1, "b"));
    QVERIFY(derive_seed(1, "a") != derive_seed(2, "a"));
    // sha256("42/x") begins with these eight bytes, little-endian.
    const std::string hex = sha256_hex("42/x");
    std::uint64_t expected = 0;
    for (int i = 7; i >= 0; --i)
        expected = expected << 8U | std::stoul(hex.substr(static_cast<std::size_t>(i) * 2, 2), nullptr, 16);
    QCOMPARE(derive_seed(42, "x"), expected);
}

void TestNumbers::stateResumesExactly() {
    Random random(3);
    (void)random.normal();  // leaves a spare
    const Random::State state = random.state();
    const double next = random.normal();
    Random other(99);
    other.restore(state);
    QCOMPARE(other.normal(), next);
}

QTEST_APPLESS_MAIN(TestNumbers)
#include "test_numbers.moc"
