// Requests that cannot be answered, sizes taken from values, and the written forms.

#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/encoding/table_request.h"
#include "core/encoding/table_writer.h"

using namespace sextant;
using nlohmann::json;

class TableRequestTest : public QObject {
    Q_OBJECT

  private slots:
    void bad_requests_have_a_code_and_a_sentence_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* options, ErrorCode code, const QStringList& words) {
            QTest::newRow(options) << QString(options) << static_cast<int>(code) << words;
        };
        row(R"({"encoding": "alibl", "what": "slopes"})", ErrorCode::kUsage, {"alibl", "alibi"});
        row(R"({"encoding": "alibi", "what": "angles"})", ErrorCode::kUsage, {"angles", "slopes", "bias"});
        row(R"({"encoding": "alibi", "what": "slope"})", ErrorCode::kUsage, {"slope", "slopes"});
        row(R"({"encoding": "none", "what": "bias"})", ErrorCode::kUsage, {"none", "bias"});
        row(R"({"encoding": "alibi", "what": "bias", "window": -1})", ErrorCode::kConfig,
            {"window", "-1", "at least 0"});
        row(R"({"encoding": "alibi", "what": "slopes", "heads": 0})", ErrorCode::kConfig, {"heads", "0", "at least 1"});
        row(R"({"encoding": "alibi", "what": "bias", "length": 0})", ErrorCode::kConfig, {"length", "0"});
        row(R"({"encoding": "alibi", "what": "bias", "length": 3, "queries": 4})", ErrorCode::kConfig,
            {"queries", "4"});
        row(R"({"encoding": "alibi", "what": "bias", "length": 300000})", ErrorCode::kConfig, {"2 GB"});
        row(R"({"encoding": "rope", "what": "angles", "length": 4611686018427387904})", ErrorCode::kConfig, {"length"});
        row(R"({"encoding": "rope", "what": "angles", "head-dim": 7})", ErrorCode::kConfig, {"7", "even"});
        row(R"({"encoding": "rope", "what": "angles", "param": {"base": 0}})", ErrorCode::kConfig, {"base", "is 0"});
        row(R"({"encoding": "rope", "what": "rotate"})", ErrorCode::kUsage, {"--vector"});
        row(R"({"encoding": "rope", "what": "rotate", "head-dim": 4, "vector": [1, 2]})", ErrorCode::kConfig,
            {"vector", "2", "4"});
        row(R"({"encoding": "t5", "what": "bias"})", ErrorCode::kUsage, {"--values", "[32][8]"});
        row(R"({"encoding": "t5", "what": "buckets", "positions": [-1]})", ErrorCode::kConfig, {"-1", "bidirectional"});
        row(R"({"encoding": "t5", "what": "bias", "heads": 3, "values": [[1, 2], [3, 4]]})", ErrorCode::kData,
            {"table", "4 values", "6"});
        row(R"({"encoding": "learned", "what": "additive", "positions": [2], "values": [[1, 2], [3, 4]]})",
            ErrorCode::kConfig, {"2", "below 2"});
        row(R"({"encoding": "sinusoidal", "what": "additive", "positions": [-1]})", ErrorCode::kConfig, {"-1"});
        row(R"({"encoding": "sinusoidal", "what": "additive", "d-model": 11, "param": {"variant": "half-split"}})",
            ErrorCode::kConfig, {"11", "even"});
        row(R"({"encoding": "alibi", "what": "bias", "length": 70000, "heads": 1, "queries": 1, "precision": "fp16"})",
            ErrorCode::kConfig, {"fp16", "65504"});
        row(R"({"encoding": "alibi", "what": "bias", "lenght": 3})", ErrorCode::kUsage, {"lenght", "length"});
    }
    void bad_requests_have_a_code_and_a_sentence() {
        QFETCH(QString, options);
        QFETCH(int, code);
        QFETCH(QStringList, words);
        const auto request = table_request_from_json(json::parse(options.toStdString()));
        const auto table = request.ok() ? make_table(*request) : Result<NamedTable>(request.error());
        QVERIFY(!table.ok());
        QVERIFY2(static_cast<int>(table.error().code) == code, table.error().message.c_str());
        for (const QString& word : words)
            QVERIFY2(QString::fromStdString(table.error().message).contains(word), table.error().message.c_str());
    }

    void sizes_follow_the_values() {
        TableRequest request;
        request.encoding.id = "t5";
        request.what = "bias";
        request.length = 4;
        request.values = std::make_shared<const json>(json::parse("[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]"));
        request.encoding.parameters["max_distance"] = std::int64_t{16};
        const auto table = make_table(request);
        QVERIFY(table.ok());
        QCOMPARE(table->shape, (std::vector<std::int64_t>{3, 4, 4}));
        QCOMPARE(table->values[0], 1.0);       // head 0, distance 0: bucket 0
        QCOMPARE(table->values[16 + 4], 5.0);  // head 1, query 1, key 0: distance 1, bucket 1
    }

    void odd_widths_where_the_variant_allows_them() {
        for (const char* variant : {"interleaved", "fairseq"}) {
            TableRequest request;
            request.encoding = {"sinusoidal", {{"variant", std::string(variant)}}};
            request.what = "additive";
            request.d_model = 11;
            request.length = 3;
            const auto table = make_table(request);
            QVERIFY(table.ok());
            QCOMPARE(table->shape, (std::vector<std::int64_t>{3, 11}));
            if (std::string(variant) == "fairseq") QCOMPARE(table->values[21], 0.0);  // the padding column
        }
    }

    void csv_names_its_axes() {
        TableRequest request;
        request.encoding.id = "alibi";
        request.what = "bias";
        request.heads = 1;
        request.length = 2;
        std::string text;
        write_table_csv(*make_table(request), [&text](std::string_view piece) { text += piece; });
        QCOMPARE(text, std::string("head,query,key,value\n0,0,0,0\n0,0,1,-inf\n0,1,0,-0.00390625\n0,1,1,0\n"));
    }
};

QTEST_APPLESS_MAIN(TableRequestTest)
#include "table_request_test.moc"
