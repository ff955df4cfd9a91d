// Verdicts on tables of other code, and what known conventions compute.

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/encoding/alibi_slopes.h"
#include "core/encoding/conformance.h"
#include "core/encoding/conventions.h"

using namespace sextant;

namespace {

TableRequest request_for(const std::string& id, const std::string& what) {
    TableRequest request;
    request.encoding.id = id;
    request.what = what;
    request.heads = 6;
    request.length = 7;
    return request;
}

Array as_array(const NamedTable& table) {
    Array array;
    array.shape = table.shape;
    array.values = table.values;
    return array;
}

}  // namespace

class ConformanceTest : public QObject {
    Q_OBJECT

  private slots:
    void conventions_get_their_verdict_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("symmetric");
        QTest::addColumn<int>("agreement");
        const auto row = [](const char* name, bool symmetric, Agreement agreement) {
            QTest::addRow("%s %s", name, symmetric ? "symmetric" : "causal")
                << QString(name) << symmetric << static_cast<int>(agreement);
        };
        row("official-key-only", false, Agreement::kRowConstant);
        row("official-key-only", true, Agreement::kDifferent);
        row("bloom", false, Agreement::kRowConstant);
        row("mpt", false, Agreement::kRowConstant);
        row("falcon-scaled", false, Agreement::kScaled);
        row("modernbert-symmetric", true, Agreement::kEqual);
        row("jaketae", false, Agreement::kNaiveSlopes);
        row("jaketae", true, Agreement::kDifferent);
    }
    void conventions_get_their_verdict() {
        QFETCH(QString, name);
        QFETCH(bool, symmetric);
        QFETCH(int, agreement);
        TableRequest request = request_for("alibi", "bias");
        request.symmetric = symmetric;
        const auto table = convention_bias(name.toStdString(), request, 0);
        QVERIFY(table.ok());
        const auto verdict = check_conformance(request, as_array(*table));
        QVERIFY(verdict.ok());
        QVERIFY2(static_cast<int>(verdict->agreement) == agreement, verdict->sentence.c_str());
    }

    void bloom_follows_left_padding() {
        const std::vector<std::int64_t> expected = {0, 0, 0, 1, 2, 3};  // golden left_padding_positions
        QCOMPARE(bloom_key_positions(6, 2), expected);
    }

    void slopes_naive_scaled_and_shuffled() {
        const TableRequest request = request_for("alibi", "slopes");
        const auto check = [&](const std::vector<double>& values) {
            Array array;
            array.shape = {6};
            array.values = values;
            return check_conformance(request, array)->agreement;
        };
        std::vector<double> slopes = interleaved_slopes(6);
        QVERIFY(check(slopes) == Agreement::kEqual);
        QVERIFY(check(naive_slopes(6)) == Agreement::kNaiveSlopes);
        std::vector<double> sorted = slopes;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(check(sorted) == Agreement::kPermuted);
        for (double& slope : slopes)
            slope *= 0.5;
        QVERIFY(check(slopes) == Agreement::kScaled);
    }

    void other_layouts_are_recognised() {
        TableRequest request = request_for("rope", "rotate");
        request.vector = {0.3, -1.0, 2.0, 0.7, 1.5, -0.2};
        request.positions = {0, 3, 50};
        TableRequest other = request;
        other.encoding.parameters["layout"] = std::string("interleaved");
        const auto verdict = check_conformance(request, as_array(*make_table(other)));
        QVERIFY(verdict->agreement == Agreement::kPermuted);
        QVERIFY(verdict->sentence.find("interleaved") != std::string::npos);
    }

    void doubled_angles_are_the_same() {
        TableRequest request = request_for("rope", "angles");
        request.head_dim = 4;
        request.positions = {0, 1, 5};
        const auto table = make_table(request);
        Array joined;
        joined.shape = {3, 4};
        for (std::size_t row = 0; row < 3; ++row) {
            for (int copy = 0; copy < 2; ++copy) {
                joined.values.push_back(table->values[2 * row]);
                joined.values.push_back(table->values[2 * row + 1]);
            }
        }
        QVERIFY(check_conformance(request, joined)->agreement == Agreement::kEqual);
    }

    void the_first_difference_is_named() {
        const TableRequest request = request_for("alibi", "bias");
        Array array = as_array(*make_table(request));
        array.values[7 * 7 + 7 * 3 + 1] -= 0.25;  // head 1, query 3, key 1
        const auto verdict = check_conformance(request, array);
        QVERIFY(verdict->agreement == Agreement::kDifferent);
        QCOMPARE(verdict->index, (std::vector<std::int64_t>{1, 3, 1}));
        QCOMPARE(verdict->expected, -0.0625 * 2);
        QCOMPARE(verdict->found, -0.0625 * 2 - 0.25);
        QCOMPARE(verdict->differing, std::int64_t{1});
    }

    void finite_masks_count_as_masks() {
        const TableRequest request = request_for("alibi", "bias");
        Array array = as_array(*make_table(request));
        for (double& value : array.values) {
            if (std::isinf(value)) value = -10000.0;
        }
        QVERIFY(check_conformance(request, array)->agreement == Agreement::kEqual);
    }

    void another_shape_is_an_error() {
        Array array;
        array.shape = {5};
        array.values.assign(5, 0.0);
        const auto verdict = check_conformance(request_for("alibi", "slopes"), array);
        QVERIFY(!verdict.ok());
        QVERIFY(verdict.error().message.find("[5]") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ConformanceTest)
#include "conformance_test.moc"
