#include <QtTest>

#include "core/base/error.h"
#include "core/base/text.h"

using namespace sextant;

class TestText : public QObject {
    Q_OBJECT

  private slots:
    void linesHaveNoControlCharacters();
    void invalidUtf8IsLocated();
    void nearestNames();
    void numbersReadBackExactly();
    void fileNamesAreSafe();
    void errorsAreOneShortLine();
};

void TestText::linesHaveNoControlCharacters() {
    QCOMPARE(single_line("a\nb\tc\x01\x7f", 100), std::string("a\\nb c\\x01\\x7f"));
    const std::string cut = single_line("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 6);  // never inside a character
    QCOMPARE(cut, std::string("\xC3\xA9..."));
    QVERIFY(single_line(std::string(100000, '\n'), 500).size() <= 500);
}

void TestText::invalidUtf8IsLocated() {
    QVERIFY(!invalid_utf8("plain, \xC3\xA9, \xE6\xBC\xA2, \xF0\x9F\x98\x80"));
    QCOMPARE(*invalid_utf8("ab\xFF"), std::size_t{2});
    QCOMPARE(*invalid_utf8("a\xC0\xAF"), std::size_t{1});         // overlong "/"
    QCOMPARE(*invalid_utf8("\xED\xA0\x80"), std::size_t{0});      // a surrogate
    QCOMPARE(*invalid_utf8("\xF4\x90\x80\x80"), std::size_t{0});  // above U+10FFFF
    QCOMPARE(*invalid_utf8("abc\xE6\xBC"), std::size_t{3});       // cut off
}

void TestText::nearestNames() {
    const std::vector<std::string> names = {"training", "model", "evaluation"};
    QCOMPARE(nearest_name("trainig", names), std::string("training"));
    QCOMPARE(nearest_name("modle", names), std::string("model"));
    QCOMPARE(nearest_name("zzzzzz", names), std::string());
}

void TestText::numbersReadBackExactly() {
    for (const double value : {0.1, 1.0 / 3.0, 1e-310, 6.02e23, -0.0, 1e300}) {
        const auto again = parse_double(format_exact(value));
        QVERIFY(again && *again == value);
    }
    QCOMPARE(format_exact(0.1), std::string("0.1"));
    QVERIFY(!parse_double("1,5") && !parse_double("1e") && !parse_double("") && !parse_double("1e999"));
    QVERIFY(!parse_integer("9223372036854775808") && !parse_integer("1.0"));
    QCOMPARE(*parse_integer(" -7 "), std::int64_t{-7});
    QCOMPARE(grouped(139584), std::string("139,584"));
    QCOMPARE(grouped(-1000), std::string("-1,000"));
    QCOMPARE(join_limited({"a", "b", "c"}, 2), std::string("a, b and 1 more"));
}

void TestText::fileNamesAreSafe() {
    QCOMPARE(escaped_file_name("rope-b.2"), std::string("rope-b.2"));
    QCOMPARE(escaped_file_name("../x"), std::string("_._x"));
    QCOMPARE(escaped_file_name("-rf *"), std::string("_rf__"));
    QCOMPARE(escaped_file_name(""), std::string("_"));
    QCOMPARE(escaped_file_name(std::string(500, 'a'), 40).size(), std::size_t{40});
}

void TestText::errorsAreOneShortLine() {
    Error error = config_error("bad\nvalue " + std::string(1000, 'x'), "/a");
    error.path = "e.json";
    QVERIFY(error.sentence().size() <= 500);
    QVERIFY(error.sentence().find('\n') == std::string::npos);
    QCOMPARE(error.sentence().substr(0, 12), std::string("e.json: /a: "));
}

QTEST_APPLESS_MAIN(TestText)
#include "test_text.moc"
