// `tables` and `encodings` of the real binary: tables of other code judged by --check, known conventions, bad
// parameters, lower precisions. Expected numbers come from the golden files or are worked out here.

#include <QtTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "command_line.h"

using namespace end_to_end;
using nlohmann::json;

namespace {

json golden(const char* name) {
    return read_json(QString(SEXTANT_SOURCE_DIR) + "/tests/golden/" + name + ".json");
}

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

// Numbers of a nested array, null as minus infinity.
void flatten(const json& value, std::vector<double>& out) {
    if (value.is_array()) {
        for (const json& element : value)
            flatten(element, out);
    } else {
        out.push_back(value.is_number() ? value.get<double>() : -std::numeric_limits<double>::infinity());
    }
}

std::vector<std::size_t> shape_of(const json& value) {
    std::vector<std::size_t> shape;
    for (const json* level = &value; level->is_array(); level = &level->at(0))
        shape.push_back(level->size());
    return shape;
}

json changed(json value, const std::function<double(double)>& change) {
    if (value.is_number()) return change(value.get<double>());
    if (value.is_array()) {
        for (json& element : value)
            element = changed(element, change);
    }
    return value;
}

QByteArray as_npy(const json& value) {
    std::vector<double> numbers;
    flatten(value, numbers);
    QByteArray dims;
    for (const std::size_t size : shape_of(value))
        dims += QByteArray::number(static_cast<qulonglong>(size)) + ",";
    QByteArray header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + dims + "), }";
    while ((header.size() + 11) % 64 != 0)
        header += ' ';
    header += '\n';
    QByteArray bytes = QByteArray("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() % 256);
    bytes += static_cast<char>(header.size() / 256);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(numbers.data()), static_cast<qsizetype>(numbers.size() * 8));
    return bytes;
}

// One line a value with its indices before it.
QByteArray as_indexed_csv(const json& value) {
    const auto shape = shape_of(value);
    std::vector<double> numbers;
    flatten(value, numbers);
    QByteArray out;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        out += "axis" + QByteArray::number(static_cast<qulonglong>(axis)) + ",";
    out += "value\n";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        QByteArray line;
        std::size_t rest = i;
        for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
            line = QByteArray::number(static_cast<qulonglong>(rest % shape[axis])) + "," + line;
        out += line + (std::isinf(numbers[i]) ? "-inf" : QByteArray::number(numbers[i], 'g', 17)) + "\n";
    }
    return out;
}

QByteArray as_matrix_csv(const json& rows) {
    QByteArray out;
    for (const json& row : rows) {
        QByteArrayList cells;
        std::vector<double> numbers;
        flatten(row, numbers);
        for (const double number : numbers)
            cells << (std::isinf(number) ? QByteArray("-inf") : QByteArray::number(number, 'g', 17));
        out += cells.join(", ") + "\n";
    }
    return out;
}

// To the nearest of 8 significand bits, ties to even, on the bits of a float that holds the value exactly enough.
double bf16(double value) {
    auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    bits += 0x7FFFU + (bits >> 16U & 1U);
    return static_cast<double>(std::bit_cast<float>(bits & 0xFFFF0000U));
}

}  // namespace

class TestTablesCommand : public QObject {
    Q_OBJECT

  private slots:
    void otherCodeIsJudged_data();
    void otherCodeIsJudged();
    void aVerdictIsAlsoADocument();
    void damagedTablesAreRefused();
    void knownConventionsAreComputedAndJudged();
    void badParametersAreNamedWithTheirRange_data();
    void badParametersAreNamedWithTheirRange();
    void naiveSlopesWarn();
    void minusZeroIsZero();
    void lowerPrecisionsLoseWhatTheyLose();
    void filesHoldWhatTheScreenShows();
    void batchesAnswerLineByLine();
    void everyEncodingHasItsPage();

  private:
    QString file(const QString& name, const QByteArray& bytes) const {
        const QString path = folder_.filePath(name);
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) qFatal("cannot write a test file");
        return path;
    }
    // The answers to many requests at one start.
    std::vector<json> batch(const std::vector<QStringList>& requests, int code = 0) const {
        QByteArray lines;
        for (const QStringList& request : requests) {
            json words = json::array();
            for (const QString& word : request)
                words.push_back(word.toStdString());
            lines += QByteArray::fromStdString(words.dump() + "\n");
        }
        const Finished finished = call({"tables", "--batch", file("batch.jsonl", lines)});
        if (finished.code != code) qWarning("exit %d: %s", finished.code, finished.err.constData());
        std::vector<json> answers;
        for (const QByteArray& line : finished.out.trimmed().split('\n'))
            answers.push_back(json::parse(line.toStdString()));
        return answers;
    }
    QTemporaryDir folder_;
};

void TestTablesCommand::otherCodeIsJudged_data() {
    QTest::addColumn<QStringList>("request");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("says");
    const auto row = [](const char* title, const QStringList& request, const char* name, const QByteArray& bytes,
                        int code, const QStringList& says) {
        QTest::newRow(title) << request << QString(name) << bytes << code << says;
    };
    const json alibi = golden("alibi_bias_small");
    const json& causal = alibi.at("expected").at("causal");
    const QString heads = text(alibi.at("inputs").at("heads").dump());
    const QString length = text(alibi.at("inputs").at("len").dump());
    const QStringList bias{"alibi", "--what", "bias", "--heads", heads, "--length", length};
    const auto bytes = [](const json& value) { return QByteArray::fromStdString(value.dump()); };
    row("golden JSON", bias, "t.json", bytes(causal), 0, {"equal\n"});
    row("golden under values", bias, "t.json", bytes({{"values", causal}}), 0, {"equal\n"});
    row("golden CSV with indices", bias, "t.csv", as_indexed_csv(causal), 0, {"equal\n"});
    row("golden npy", bias, "t.npy", as_npy(causal), 0, {"equal\n"});
    row("one head as a matrix", {"alibi", "--what", "bias", "--heads", "1", "--length", "2"}, "t.csv",
        "0, -inf\n-0.00390625, 0\n", 0, {"equal\n"});
    row("key only", bias, "t.json", bytes(alibi.at("expected").at("key_position_only_causal_equivalent")), 0,
        {"equal up to a constant a row"});
    row("Falcon", bias + QStringList{"--head-dim", "100"}, "t.npy",
        as_npy(changed(causal, [](double value) { return value / 10.0; })), 0,
        {"scaled", "times 0.1", "1/sqrt(head_dim)", "Falcon"});
    row("doubled", bias, "t.json", bytes(changed(causal, [](double value) { return value * 2.0; })), 0,
        {"scaled", "times 2"});
    json one_off = causal;
    one_off[1][3][2] = one_off[1][3][2].get<double>() - 0.5;
    row("one cell off", bias, "t.csv", as_indexed_csv(one_off), 4,
        {"different: first at [1, 3, 2]", "should be " + text(causal[1][3][2].dump()),
         "is " + text(one_off[1][3][2].dump()), "1 of ", "at most 0.5"});
    const json slopes = golden("alibi_slopes").at("expected");
    const QStringList twelve{"alibi", "--what", "slopes", "--heads", "12"};
    const json& right = slopes.at("slopes").at("12");
    const json& naive = slopes.at("naive_formula_2^(-8k/n)_DIFFERENT_for_non_power_of_two").at("12");
    row("slopes as one line", twelve, "t.csv", as_matrix_csv(json::array({right})), 0, {"equal\n"});
    QByteArray column = "slope\n";
    for (const json& slope : right)
        column += QByteArray::fromStdString(slope.dump()) + "\n";
    row("slopes as a column", twelve, "t.csv", column, 0, {"equal\n"});
    row("naive slopes", twelve, "t.json", bytes(naive), 0, {"naive slopes", "interleaves"});
    row("the official ones where naive were asked", twelve + QStringList{"--param", "slopes=naive"}, "t.json",
        bytes(right), 4, {"different", "interleaved slopes"});
    json sorted = right;
    std::sort(sorted.begin(), sorted.end());
    row("sorted slopes", twelve, "t.json", bytes(sorted), 0, {"permuted: the same heads in the order"});
    const json tables = golden("rope_tables");
    const json& rope = tables.at("expected").at("d16_base10000");
    QStringList positions;
    for (const json& position : tables.at("inputs").at("positions"))
        positions << text(position.dump());
    QStringList vector;
    for (const json& number : rope.at("vector"))
        vector << text(number.dump());
    const QStringList rotate{"rope",
                             "--what",
                             "rotate",
                             "--head-dim",
                             "16",
                             "--positions",
                             positions.join(','),
                             "--vector=" + vector.join(',')};
    row("the layout asked for", rotate, "t.csv", as_matrix_csv(rope.at("rotated_half_split")), 0, {"equal\n"});
    row("the other layout", rotate, "t.npy", as_npy(rope.at("rotated_interleaved")), 0,
        {"permuted (layout)", "this is the interleaved layout, half-split was asked for"});
    json woven = rope.at("rotated_half_split");
    for (json& turned : woven) {
        const json before = turned;
        for (std::size_t i = 0; i < 8; ++i) {
            turned[2 * i] = before[i];
            turned[2 * i + 1] = before[i + 8];
        }
    }
    row("channels woven", rotate, "t.json", bytes(woven), 0, {"permuted (layout): the same channels"});
    json doubled = rope.at("cos");
    for (json& cosines : doubled) {
        const json once = cosines;
        cosines.insert(cosines.end(), once.begin(), once.end());
    }
    row("cosines twice", {"rope", "--what", "cos", "--head-dim", "16", "--positions", positions.join(',')}, "t.npy",
        as_npy(doubled), 0, {"equal\n"});
}

void TestTablesCommand::otherCodeIsJudged() {
    QFETCH(QStringList, request);
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    QFETCH(QStringList, says);
    const Finished finished = call(QStringList{"tables"} + request + QStringList{"--check", file(name, bytes)});
    QVERIFY2(finished.code == code, (finished.out + finished.err).constData());
    QCOMPARE(finished.error_lines(), code == 0 ? 0 : 1);
    QCOMPARE(finished.out.count('\n'), 1);
    for (const QString& words : says)
        QVERIFY2(QString::fromUtf8(finished.out).contains(words), finished.out.constData());
    QVERIFY2(says.front() != "equal\n" || finished.out == "equal\n", finished.out.constData());
}

void TestTablesCommand::aVerdictIsAlsoADocument() {
    const QString path = file("off.json", "[0.0625, 0.5]");  // two heads: 1/16, 1/256
    const Finished finished = call({"tables", "alibi", "--what", "slopes", "--heads", "2", "--check", path, "--json"});
    QCOMPARE(finished.code, 4);
    const json verdict = json::parse(finished.out.toStdString());
    QCOMPARE(verdict.at("verdict").get<std::string>(), std::string("different"));
    QCOMPARE(verdict.at("index"), json::array({1}));
    QCOMPARE(verdict.at("expected").get<double>(), 1.0 / 256.0);
    QCOMPARE(verdict.at("found").get<double>(), 0.5);
    QCOMPARE(verdict.at("differing").get<int>(), 1);
    QVERIFY2(finished.last_line().contains("off.json"), finished.err.constData());
}

void TestTablesCommand::damagedTablesAreRefused() {
    struct Damaged {
        const char* extension;
        QByteArray bytes;
        const char* says;
    };
    const std::vector<Damaged> all = {
        {"json", "[1, 2, 3]", "[3]"},
        {"json", "[[1, 2], [3]]", "a row has 1 entries"},
        {"json", "[1, [2]]", "nested unevenly"},
        {"json", "[0.0625, \"small\"]", "\"small\""},
        {"json", "{\"numbers\": []}", "no array"},
        {"json", "[]", "[0]"},
        {"csv", "0.0625\nsmall\n", "line 2"},
        {"csv", "1,2\n3\n", "line 2"},
        {"csv", "slope\n", "holds no numbers"},
        {"csv", "head,pair,value\n0,0,1\n1,1,2\n", "indices span 4"},
        {"npy", as_npy({0.0625, 0.00390625}).chopped(3), "npy"},
    };
    std::vector<QStringList> requests;
    for (std::size_t n = 0; n < all.size(); ++n) {
        const QString name = QString("damaged%1.%2").arg(n).arg(all[n].extension);
        requests.push_back({"alibi", "--what", "slopes", "--heads", "2", "--check", file(name, all[n].bytes)});
    }
    const auto answers = batch(requests, 4);
    QCOMPARE(answers.size(), all.size());
    for (std::size_t n = 0; n < all.size(); ++n) {
        const json& error = answers[n].at("error");
        QCOMPARE(error.at("code").get<int>(), 4);
        const std::string message = error.at("message");
        QVERIFY2(text(message).contains(all[n].says), message.c_str());
        QVERIFY2(text(message).contains(QString("damaged%1.").arg(n)), message.c_str());
    }
}

void TestTablesCommand::knownConventionsAreComputedAndJudged() {
    // Six heads: 1/4, 1/16, 1/64, 1/256 of four, then the first two odd ones of eight.
    const std::vector<double> slopes = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    constexpr int kLength = 5;
    struct Expected {
        const char* name;
        bool symmetric;
        double (*factor)(int i, int j);
        const char* verdict;
    };
    const std::vector<Expected> all = {
        {"official-key-only", false, [](int, int j) { return 1.0 * j; }, "equal up to a constant a row"},
        {"bloom", false, [](int, int j) { return 1.0 * j; }, "equal up to a constant a row"},
        {"mpt", false, [](int, int j) { return 1.0 * (j - 4); }, "equal up to a constant a row"},
        {"falcon-scaled", false, [](int, int j) { return j / 8.0; },
         "scaled: every value times 0.125, which is 1/sqrt"},
        {"modernbert-symmetric", true, [](int i, int j) { return -std::abs(1.0 * (i - j)); }, "equal"},
        {"jaketae", false, [](int i, int j) { return 1.0 * (j - i); }, "naive slopes"},
        {"jaketae", true, [](int i, int j) { return 1.0 * (j - i); }, "different"},
    };
    std::vector<QStringList> requests;
    for (const Expected& one : all) {
        requests.push_back(
            {"alibi", "--what", "bias", "--heads", "6", "--length", "5", "--head-dim", "64", "--convention", one.name});
        if (one.symmetric) requests.back() << "--symmetric";
    }
    requests.push_back({"alibi", "--what", "bias", "--heads", "6", "--length", "5", "--queries", "1", "--convention",
                        "bloom", "--left-padding", "2"});
    const auto answers = batch(requests);
    QCOMPARE(answers.size(), all.size() + 1);
    for (std::size_t n = 0; n < all.size(); ++n) {
        const json& convention = answers[n].at("convention");
        QCOMPARE(convention.at("name").get<std::string>(), std::string(all[n].name));
        for (const char* key : {"computes", "right", "wrong"})
            QVERIFY(convention.at(key).get<std::string>().size() > 20);
        const std::string against = convention.at("against_ours");
        QVERIFY2(text(against).startsWith(all[n].verdict), against.c_str());
        for (std::size_t h = 0; h < slopes.size(); ++h) {
            const bool naive = std::strcmp(all[n].name, "jaketae") == 0;
            const double slope = naive ? std::pow(2.0, -8.0 * static_cast<double>(h + 1) / 6.0) : slopes[h];
            for (int i = 0; i < kLength; ++i) {
                for (int j = 0; j < kLength; ++j) {
                    const json& found =
                        answers[n].at("values").at(h).at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
                    if (j > i && !all[n].symmetric) {
                        QCOMPARE(found, json("-inf"));
                    } else {
                        QVERIFY(std::abs(found.get<double>() - slope * all[n].factor(i, j)) < 1e-15);
                    }
                }
            }
        }
    }
    // cumsum(0 0 1 1 1) - 1, times the mask: 0 0 0 1 2
    QCOMPARE(answers.back().at("values").at(0).at(0), json({0.0, 0.0, 0.0, 0.25, 0.5}));
}

void TestTablesCommand::badParametersAreNamedWithTheirRange_data() {
    QTest::addColumn<QStringList>("request");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("says");
    const auto row = [](const char* name, const char* request, int code, const QStringList& says) {
        QTest::newRow(name) << QString(request).split(' ') << code << says;
    };
    row("base 0", "rope --what angles --param base=0", 3, {"base is 0", "above 1"});
    row("factor below 1", "rope --what angles --param scaling=linear --param factor=0.5", 3,
        {"factor is 0.5", "at least 1"});
    row("odd rotary dimension", "rope --what angles --head-dim 20 --param rotary_fraction=0.25", 3,
        {"rotary_fraction 0.25", "20", "5 channels", "even"});
    row("no buckets", "t5 --what buckets --param num_buckets=0", 3, {"num_buckets is 0", "at least 2"});
    row("negative window", "alibi --what bias --window -1", 3, {"window is -1", "at least 0"});
    row("unknown slope rule", "alibi --what slopes --param slopes=steep", 3, {"slopes is steep", "interleave, naive"});
    row("exponent above 2", "kerple-power --what bias --param r2=2.5", 3, {"r2 is 2.5", "at most 2"});
    row("below the bound", "kerple-log --what bias --param r1=0.001 --param r2=1", 3, {"r1 is 0.001", "at least 0.01"});
    row("odd d_bar", "sandwich --what bias --param d_bar=7", 3, {"d_bar is 7", "even"});
    row("gamma 0", "xpos --what angles --param gamma=0", 3, {"gamma is 0", "above 0"});
    row("not a number", "rope --what angles --param base=ten", 3, {"base is ten", "a number above 1"});
    row("unknown parameter", "alibi --what slopes --param bias_mx=4", 3, {"bias_mx", "bias_max"});
    row("unknown encoding", "alibl --what slopes", 2, {"alibl", "alibi"});
    row("no such table", "alibi --what angles", 2, {"angles", "slopes"});
    row("no encoding", "--what slopes", 2, {"ENCODING"});
}

void TestTablesCommand::badParametersAreNamedWithTheirRange() {
    QFETCH(QStringList, request);
    QFETCH(int, code);
    QFETCH(QStringList, says);
    const Finished finished = call(QStringList{"tables"} + request);
    QVERIFY2(finished.code == code, finished.err.constData());
    QVERIFY(finished.out.isEmpty());
    QVERIFY2(finished.error_lines() == 1 && finished.err.size() <= 500, finished.err.constData());
    for (const QString& words : says)
        QVERIFY2(finished.last_line().contains(words), finished.err.constData());
}

void TestTablesCommand::naiveSlopesWarn() {
    const Finished finished = call({"tables", "alibi", "--what", "slopes", "--heads", "12", "--param", "slopes=naive"});
    QCOMPARE(finished.code, 0);
    QVERIFY2(finished.last_line().startsWith("warning: ") && finished.last_line().contains("naive slopes"),
             finished.err.constData());
    QCOMPARE(json::parse(finished.out.toStdString()).at("notes").size(), std::size_t{1});
}

void TestTablesCommand::minusZeroIsZero() {
    std::vector<QStringList> requests;
    for (const char* id : {"alibi", "kerple-log", "kerple-power", "sandwich"}) {
        requests.push_back({id, "--what", "bias", "--heads", "2", "--length", "3"});
        if (QString(id).startsWith("kerple"))
            requests.back() << "--param"
                            << "r1=0.5"
                            << "--param"
                            << "r2=0.5";
    }
    requests.push_back({"alibi", "--what", "bias", "--length", "2", "--convention", "mpt"});
    requests.push_back({"alibi", "--what", "bias", "--length", "2", "--precision", "bf16"});
    for (const json& answer : batch(requests)) {
        std::vector<double> values;
        flatten(answer.at("values"), values);
        QVERIFY(std::count(values.begin(), values.end(), 0.0) > 0);
        for (const double value : values)
            QVERIFY2(value != 0.0 || !std::signbit(value), answer.dump().substr(0, 200).c_str());
    }
}

void TestTablesCommand::lowerPrecisionsLoseWhatTheyLose() {
    const auto last_query = [](int length, const char* precision) {
        return QStringList{"alibi",     "--what", "bias",        "--heads", "3", "--length", QString::number(length),
                           "--queries", "1",      "--precision", precision};
    };
    const QStringList angle{"rope", "--what", "angles", "--head-dim", "64", "--positions", "0,257,4095", "--precision"};
    const auto answers = batch({last_query(1024, "bf16"), last_query(4096, "bf16"), last_query(8192, "bf16"),
                                last_query(4096, "fp16"), last_query(8192, "fp32"), angle + QStringList{"bf16"},
                                angle + QStringList{"fp16"}, angle + QStringList{"fp32"}});
    QCOMPARE(answers.size(), std::size_t{8});
    // fp16: all of 0 .. 2047, then the even ones to 4096.
    const std::vector<int> distinct = {513, 769, 897, 2048 + 1025, 8192};
    for (std::size_t n = 0; n < distinct.size(); ++n)
        QCOMPARE(answers[n].at("distinct_positions").get<int>(), distinct[n]);
    // Three heads: 1/16, 1/256, 1/4. Every cell of the bf16 table, rounded here on the bits.
    const std::vector<double> slopes = {1.0 / 16.0, 1.0 / 256.0, 0.25};
    double worst = 0.0;
    for (std::size_t h = 0; h < 3; ++h) {
        for (std::size_t j = 0; j < 1024; ++j) {
            const auto distance = static_cast<double>(1023 - j);
            const double expected = -bf16(bf16(slopes[h]) * bf16(distance));
            QCOMPARE(answers[0].at("values").at(h).at(0).at(j).get<double>(), expected);
            worst = std::max(worst, std::abs(expected + slopes[h] * distance));
        }
    }
    QCOMPARE(answers[0].at("error").at("max").get<double>(), worst);
    QCOMPARE(answers[0].at("error").at("unit").get<std::string>(), std::string("logits"));
    QCOMPARE(answers[0].at("error").at("by_position").size(), std::size_t{1024});
    QCOMPARE(answers[0].at("error").at("by_position").at(256).get<double>(), 0.0);
    QCOMPARE(answers[0].at("error").at("by_position").at(257).get<double>(), 0.25);  // 257 becomes 256
    QCOMPARE(answers[5].at("error").at("unit").get<std::string>(), std::string("radians"));
    // Pair 0 turns by the position itself: 257 -> 256, and 4095 -> 4096.
    QCOMPARE(answers[5].at("values").at(1).at(0).get<double>(), 256.0);
    QCOMPARE(answers[5].at("values").at(2).at(0).get<double>(), 4096.0);
    QVERIFY(answers[5].at("error").at("max").get<double>() >= 1.0);
    const double half = answers[6].at("error").at("max");
    const double single = answers[7].at("error").at("max");
    QVERIFY(single > 1e-6 && single < 1e-3 && half > 100.0 * single);
}

void TestTablesCommand::filesHoldWhatTheScreenShows() {
    const QString csv = folder_.filePath("out.csv");
    const QString npy = folder_.filePath("out.npy");
    const QString tensors = folder_.filePath("out.safetensors");
    const QStringList request{"fire",
                              "--what",
                              "bias",
                              "--heads",
                              "2",
                              "--length",
                              "4",
                              "--values",
                              file("fire.json", R"({"w1": [1, -2], "b1": [0.5, 1], "w2": [[1, 2], [3, -4]],
                                                    "b2": [0, 1]})")};
    const auto answers = batch({request, request + QStringList{"--format", "csv", "--out", csv},
                                request + QStringList{"--format", "npy", "--out", npy},
                                request + QStringList{"--check", csv}, request + QStringList{"--check", npy},
                                request + QStringList{"--format", "safetensors", "--out", tensors}});
    QCOMPARE(answers[0].at("shape"), json({2, 4, 4}));
    QCOMPARE(answers[1], json({{"out", csv.toStdString()}}));
    QCOMPARE(answers[3].at("verdict"), json("equal"));
    QCOMPARE(answers[4].at("verdict"), json("equal"));
    std::vector<double> shown;
    flatten(answers[0].at("values"), shown);
    for (const QString& path : {npy, tensors}) {  // both end in the values
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        std::vector<double> stored(shown.size());
        const QByteArray bytes = written.readAll();
        const auto size = static_cast<qsizetype>(8 * stored.size());
        QVERIFY(bytes.size() > size);
        std::memcpy(stored.data(), bytes.constData() + bytes.size() - size, static_cast<std::size_t>(size));
        QCOMPARE(stored, shown);
        if (path == tensors) QVERIFY(bytes.contains("\"shape\":[2,4,4]"));
    }
}

void TestTablesCommand::batchesAnswerLineByLine() {
    const QString path = file("mixed.jsonl",
                              "[\"alibi\", \"--what\", \"slopes\", \"--heads\", \"1\"]\n\n{}\n"
                              "[\"alibi\", \"--what\", \"slopes\", \"--format\", \"csv\"]\n"
                              "[\"rope\", \"--what\", \"angles\", \"--param\", \"base=0\"]\nnot JSON\n");
    const Finished finished = call({"tables", "--batch", path});
    QCOMPARE(finished.code, 2);
    QVERIFY2(finished.last_line().contains("4 of 5 requests failed; the first at line 3"), finished.err.constData());
    const QList<QByteArray> lines = finished.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    QCOMPARE(json::parse(lines[0].toStdString()).at("values"), json::array({1.0 / 256.0}));
    const std::vector<int> codes = {2, 2, 3};
    for (std::size_t n = 0; n < codes.size(); ++n) {
        const json answer = json::parse(lines[static_cast<qsizetype>(n) + 1].toStdString());
        QCOMPARE(answer.at("error").at("code").get<int>(), codes[n]);
    }
    QCOMPARE(call({"tables", "alibi", "--batch", path}).code, 2);
    QCOMPARE(call({"tables", "--batch", "/dev/null"}).code, 4);
}

// The page holds the paragraph, the formula and the reference of resources/help/encodings.md.
void TestTablesCommand::everyEncodingHasItsPage() {
    QFile help(QString(SEXTANT_SOURCE_DIR) + "/resources/help/encodings.md");
    QVERIFY(help.open(QIODevice::ReadOnly | QIODevice::Text));
    const QStringList sections = QString::fromUtf8(help.readAll()).split("\n## ").mid(1);
    QVERIFY(sections.size() >= 11);
    QStringList ids;
    for (const QString& section : sections) {
        const QString id = section.section('\n', 0, 0).trimmed();
        const QString body = section.section('\n', 1).trimmed();
        QVERIFY(body.contains("\nFormula: ") && body.contains("\nReference: ") && body.contains("arXiv "));
        const Finished page = call({"encodings", id});
        QCOMPARE(page.code, 0);
        QVERIFY2(QString::fromUtf8(page.out).contains(body), page.out.constData());
        ids << id;
    }
    const Finished list = call({"encodings", "--json"});
    const json listed = json::parse(list.out.toStdString());  // named: the loop would outlive a temporary
    for (const json& entry : listed.at("encodings"))
        QVERIFY2(ids.contains(text(entry.at("id"))), entry.at("id").dump().c_str());
    QCOMPARE(call({"encodings", "alibl"}).code, 2);
}

QTEST_GUILESS_MAIN(TestTablesCommand)
#include "test_tables_command.moc"
