// The expected bytes are spelled out from NumPy's format description (numpy.lib.format), not made by our writer.
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <cstring>
#include <limits>

#include "core/base/atomic_file.h"
#include "core/tensor_file/npy.h"

using namespace sextant;

namespace {
std::string file(const std::string& header, const std::string& data, int major = 1) {
    std::string bytes("\x93NUMPY");
    bytes += static_cast<char>(major);
    bytes += '\0';
    const std::size_t length = header.size();
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
        bytes += static_cast<char>(length >> (8 * i) & 0xFFU);
    return bytes + header + data;
}
}  // namespace

class TestNpy : public QObject {
    Q_OBJECT
  private slots:
    void bytes_are_numpys() {
        const std::array<float, 2> values{1.0F, -2.0F};
        const std::string bytes = npy_bytes(std::span<const float>(values), {2});
        std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
        header.append(128 - 10 - header.size() - 1 - (128 - 10 - header.size() - 1 >= 64 ? 64 : 0), ' ');
        header += '\n';
        const std::string data("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
        QCOMPARE(QByteArray::fromStdString(bytes), QByteArray::fromStdString(file(header, data)));
        QCOMPARE((bytes.size() - 8) % 64, std::size_t{0});
    }
    void every_type_round_trips_exactly() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.npy").toStdString();
        const std::array<double, 4> reals{0.1, -0.0, std::numeric_limits<double>::infinity(), 5e-324};
        QVERIFY(write_npy(path, std::span<const double>(reals), {2, 2}).ok());
        auto array = read_npy(path);
        QVERIFY(array.ok());
        QCOMPARE(array->shape, (Shape{2, 2}));
        QVERIFY(std::memcmp(std::get<1>(array->values).data(), reals.data(), sizeof reals) == 0);
        const std::array<std::int64_t, 3> whole{-1, 0, std::numeric_limits<std::int64_t>::max()};
        QVERIFY(write_npy(path, std::span<const std::int64_t>(whole), {3}).ok());
        array = read_npy(path);
        QVERIFY(array.ok());
        QCOMPARE(std::get<3>(array->values), (std::vector<std::int64_t>{-1, 0, INT64_MAX}));
        const std::array<std::int32_t, 1> scalar{7};
        QVERIFY(write_npy(path, std::span<const std::int32_t>(scalar), {}).ok());
        array = read_npy(path);
        QVERIFY(array.ok());
        QVERIFY(array->shape.empty());
        QCOMPARE(std::get<2>(array->values), std::vector<std::int32_t>{7});
        QVERIFY(write_npy(path, std::span<const float>(), {0, 5}).ok());
        array = read_npy(path);
        QVERIFY(array.ok());
        QCOMPARE(array->size(), std::size_t{0});
    }
    void later_formats_and_key_orders_are_read() {
        const std::string data("\x01\x00\x00\x00\x02\x00\x00\x00", 8);
        for (const int major : {1, 2, 3}) {
            const auto array =
                parse_npy(file("{\"shape\": (2,), 'fortran_order':False, 'descr': '<i4'}  \n", data, major));
            QVERIFY2(array.ok(), array.ok() ? "" : array.error().message.c_str());
            QCOMPARE(std::get<2>(array->values), (std::vector<std::int32_t>{1, 2}));
        }
    }
    void hostile_files_are_refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const std::string eight(8, '\0');
        const auto row = [](const char* name, const std::string& bytes, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << says;
        };
        row("empty", "", "not a .npy");
        row("other", "PK\x03\x04 something", "not a .npy");
        row("cut header", file("{'descr'", "").substr(0, 9), "cut off");
        row("header longer than file", std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "cut off");
        row("pickle", file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", eight), "'|O'");
        row("big endian", file("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }\n", eight), "'>f8'");
        row("fortran", file("{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }\n", eight), "Fortran");
        row("too few", file("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", eight), "8 bytes");
        row("too many", file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", eight), "8 bytes");
        row("overflow",
            file("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }\n", eight),
            "8 bytes");
        row("overflow to zero",
            file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,), }\n", ""), "0 bytes");
        row("negative", file("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }\n", eight), "header");
        row("code", file("__import__('os').system('true')\n", eight), "header");
        row("missing key", file("{'descr': '<f8', 'shape': (1,), }\n", eight), "header");
        row("trailing", file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x\n", eight), "header");
        row("format 9", file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", eight, 9), "format 9");
    }
    void hostile_files_are_refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto array = parse_npy(bytes.toStdString(), "x.npy");
        QVERIFY(!array.ok());
        QCOMPARE(array.error().exit_status(), 4);
        const QString sentence = QString::fromStdString(array.error().sentence());
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY(sentence.startsWith("x.npy: ") && !sentence.contains('\n'));
    }
    void a_large_stranger_is_judged_by_its_beginning() {
        // Reading 2 GB to find no magic took 13 s and 2 GB of memory.
        QTemporaryDir folder;
        const QString path = folder.filePath("zeros.npy");
        QFile zeros(path);
        QVERIFY(zeros.open(QIODevice::WriteOnly));
        QVERIFY(zeros.resize(qint64{2} << 30));
        const auto array = read_npy(path.toStdString());
        QVERIFY(!array.ok());
        QVERIFY(array.error().message.find("first bytes") != std::string::npos);
        zeros.write(QByteArray::fromStdString(
            file("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296,), }\n", "")));
        zeros.close();
        const auto short_of = read_npy(path.toStdString());
        QVERIFY(!short_of.ok());
        QVERIFY(short_of.error().message.find("bytes of data") != std::string::npos);
        rusage usage{};
        QCOMPARE(::getrusage(RUSAGE_SELF, &usage), 0);
        QVERIFY2(usage.ru_maxrss < 500'000, "the file was read");  // kilobytes
    }
    void devices_are_refused() { QCOMPARE(read_npy("/dev/zero").error().exit_status(), 4); }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "test_npy.moc"
