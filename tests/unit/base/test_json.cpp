#include <QtTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/json.h"

using namespace sextant;

class TestJson : public QObject {
    Q_OBJECT

  private slots:
    void refusesWhatIsNotPlainJson_data();
    void refusesWhatIsNotPlainJson();
    void namesLineAndColumn();
    void deepNestingIsRefusedAtOnce();
    void devicesAndFoldersAreNotRead();
    void doublesAreExactAndNotNumbersAreText();
    void canonicalFormSortsKeys();
    void pointersEscape();
};

void TestJson::refusesWhatIsNotPlainJson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("duplicate key") << QByteArray(R"({"a":1,"a":2})");
    QTest::newRow("nested duplicate") << QByteArray(R"([{"b":{"a":1,"a":2}}])");
    QTest::newRow("NaN") << QByteArray(R"({"a":NaN})");
    QTest::newRow("infinity") << QByteArray(R"({"a":1e999})");
    QTest::newRow("comment") << QByteArray("{} // c");
    QTest::newRow("trailing comma") << QByteArray("[1,]");
    QTest::newRow("trailing text") << QByteArray("{} x");
    QTest::newRow("invalid UTF-8") << QByteArray("\"\xFF\"");
    QTest::newRow("null byte") << QByteArray("{}\0", 3);
    QTest::newRow("cut off") << QByteArray(R"({"a":)");
}

void TestJson::refusesWhatIsNotPlainJson() {
    QFETCH(QByteArray, text);
    const auto parsed = parse_json(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "f.json");
    QVERIFY(!parsed.ok());
    QCOMPARE(parsed.error().exit_status(), 4);
    QVERIFY(!parsed.error().message.empty());
}

void TestJson::namesLineAndColumn() {
    const auto parsed = parse_json("{\n  \"a\": 1,\n  \"b\": tru\n}");
    QVERIFY2(parsed.error().message.find("line 3") != std::string::npos, parsed.error().message.c_str());
}

void TestJson::deepNestingIsRefusedAtOnce() {
    QElapsedTimer timer;
    timer.start();
    const auto parsed = parse_json(std::string(100'000, '[') + std::string(100'000, ']'));
    QVERIFY(!parsed.ok());
    QVERIFY(parsed.error().message.find("nested deeper") != std::string::npos);
    QVERIFY(timer.elapsed() < 2000);
    std::string objects;
    for (int i = 0; i < 100'000; ++i)
        objects += "{\"a\":";
    QVERIFY(!parse_json(objects).ok());
    QVERIFY(parse_json(std::string(60, '[') + std::string(60, ']')).ok());
}

void TestJson::devicesAndFoldersAreNotRead() {
    for (const char* path : {"/dev/zero", "/dev/tty", "/tmp", "/nonexistent/file"}) {
        const auto read = read_json_file(path);
        QVERIFY2(!read.ok(), path);
    }
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/big.json";
    { std::ofstream file(path); }
    QVERIFY(QFile(QString::fromStdString(path)).resize(qint64{2} << 30));  // 2 GB of zeros, sparse
    QElapsedTimer timer;
    timer.start();
    const auto read = read_json_file(path);
    QVERIFY(!read.ok() && timer.elapsed() < 2000);
    QVERIFY(read.error().message.find("bytes") != std::string::npos);
}

void TestJson::doublesAreExactAndNotNumbersAreText() {
    OrderedJson json;
    json["z"] = 0.1;
    json["a"] = std::numeric_limits<double>::quiet_NaN();
    json["b"] = {-std::numeric_limits<double>::infinity()};
    QCOMPARE(dump_json(json, -1), std::string(R"({"z":0.1,"a":"nan","b":["-inf"]})"));
    QVERIFY(parse_json(dump_json(json))->at("z").get<double>() == 0.1);
}

void TestJson::canonicalFormSortsKeys() {
    QCOMPARE(canonical_json(*parse_json("{ \"b\": 1.50,\n\"a\": [ ] }")), std::string(R"({"a":[],"b":1.5})"));
}

void TestJson::pointersEscape() {
    QCOMPARE(json_pointer("/a", "b/c~d"), std::string("/a/b~1c~0d"));
    QCOMPARE(json_pointer("", std::size_t{3}), std::string("/3"));
}

QTEST_APPLESS_MAIN(TestJson)
#include "test_json.moc"
