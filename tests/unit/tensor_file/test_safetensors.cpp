// Files are assembled here byte by byte from the format's description; the writer is judged by its bytes, and the
// reader also on a file that Hugging Face's own library wrote.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <cmath>
#include <cstring>

#include "core/base/atomic_file.h"
#include "core/tensor_file/safetensors.h"

using namespace sextant;

namespace {
std::string file(const std::string& header, const std::string& data) {
    std::string bytes(8, '\0');
    const auto length = static_cast<std::uint64_t>(header.size());
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + data;
}
}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string write(const std::string& bytes) {
        static int number = 0;
        const std::string path = folder_.filePath(QString("f%1.safetensors").arg(number++)).toStdString();
        if (!write_file_atomically(path, bytes).ok()) qFatal("cannot write");
        return path;
    }

  private slots:
    void bytes_are_the_formats() {
        const std::array<float, 2> a{1.0F, -2.0F};
        const std::array<std::int64_t, 1> b{7};
        const std::array<TensorView, 2> tensors{TensorView{"w", {1, 2}, std::span<const float>(a)},
                                                TensorView{"step", {}, std::span<const std::int64_t>(b)}};
        const std::string path = folder_.filePath("w.safetensors").toStdString();
        QVERIFY(write_safetensors(path, tensors, {{"format", "pt"}}).ok());
        std::string header =
            R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
            R"("step":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
        header.append((8 - header.size() % 8) % 8, ' ');
        const std::string data("\x00\x00\x80\x3f\x00\x00\x00\xc0\x07\x00\x00\x00\x00\x00\x00\x00", 16);
        QCOMPARE(QByteArray::fromStdString(read_file(path).value()), QByteArray::fromStdString(file(header, data)));
        const auto reread = SafetensorsFile::open(path);
        QVERIFY(reread.ok());
        QCOMPARE(reread->metadata().at("format"), std::string("pt"));
        QCOMPARE(reread->read_integers("step").value(), std::vector<std::int64_t>{7});
        QCOMPARE(reread->read_floats("w").value(), (std::vector<float>{1.0F, -2.0F}));
        std::array<float, 3> wrong{};
        QVERIFY(!reread->read("w", wrong).ok());
    }
    void wrong_counts_and_double_names_are_not_written() {
        const std::array<float, 2> a{1.0F, 2.0F};
        const std::string path = folder_.filePath("none.safetensors").toStdString();
        const std::array<TensorView, 1> wrong{TensorView{"w", {3}, std::span<const float>(a)}};
        QVERIFY(!write_safetensors(path, wrong).ok());
        const std::array<TensorView, 2> twice{TensorView{"w", {2}, std::span<const float>(a)},
                                              TensorView{"w", {2}, std::span<const float>(a)}};
        QVERIFY(!write_safetensors(path, twice).ok());
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }
    void half_and_bfloat16_become_float() {
        // binary16: 1, -2, 65504, smallest subnormal 2^-24, -0, infinity; bfloat16: 1, -2.
        const std::string data("\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x80\x00\x7c\x80\x3f\x00\xc0", 16);
        const auto opened = SafetensorsFile::open(write(file(
            R"({"h":{"dtype":"F16","shape":[6],"data_offsets":[0,12]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[12,16]}})",
            data)));
        QVERIFY(opened.ok());
        const auto h = opened->read_floats("h").value();
        QCOMPARE(h[0], 1.0F);
        QCOMPARE(h[1], -2.0F);
        QCOMPARE(h[2], 65504.0F);
        QVERIFY(h[3] == std::ldexp(1.0F, -24));
        QVERIFY(h[4] == 0.0F && std::signbit(h[4]));
        QVERIFY(std::isinf(h[5]));
        QCOMPARE(opened->read_floats("b").value(), (std::vector<float>{1.0F, -2.0F}));
        QCOMPARE(opened->read_doubles("b").value(), (std::vector<double>{1.0, -2.0}));
    }
    void empty_tensors_and_padding_are_legal() {
        const auto opened =
            SafetensorsFile::open(write(file(R"({"e":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]}}    )", "")));
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message.c_str());
        QCOMPARE(opened->read_floats("e").value().size(), std::size_t{0});
        QVERIFY(SafetensorsFile::open(write(file("{}", ""))).ok());
    }
    void hostile_files_are_refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& bytes, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << says;
        };
        const std::string four(4, '\0');
        const std::string eight(8, '\0');
        row("short", "abc", "shorter than 8");
        row("header beyond the cap", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10), "header");
        row("header beyond the file", std::string("\x40\0\0\0\0\0\0\0{}", 10), "more than the file has");
        row("not JSON", file("pickle..", ""), "'{'");
        row("broken JSON", file("{\"a\":", ""), "");
        row("duplicate",
            file(
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                four),
            "");
        row("deep", file("{\"a\":" + std::string(5000, '[') + std::string(5000, ']') + "}", ""), "");
        row("hole", file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", eight), "hole");
        row("overlap",
            file(
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                four),
            "overlap");
        row("uncovered end", file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", eight), "8 bytes");
        row("cut off", file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", four), "cut off");
        row("size", file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four), "takes 8 bytes");
        row("backwards", file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", four), "data_offsets");
        row("overflow", file(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", ""),
            "too large");
        row("wraps to four", file(R"({"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", four),
            "");
        row("negative", file(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four), "dimension");
        row("fraction", file(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", four), "dimension");
        row("dtype", file(R"({"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})", eight), "C64");
        row("missing", file(R"({"a":{"dtype":"F32","shape":[1]}})", four), "data_offsets");
        row("metadata", file(R"({"__metadata__":{"a":1}})", ""), "not text");
    }
    void hostile_files_are_refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto opened = SafetensorsFile::open(write(bytes.toStdString()));
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().exit_status(), 4);
        const QString sentence = QString::fromStdString(opened.error().sentence());
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY(!sentence.contains('\n'));
    }
    void what_is_not_a_number_is_named() {
        const auto opened =
            SafetensorsFile::open(write(file(R"({"q":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", "ab")));
        QVERIFY(opened.ok());  // the file is whole; only its values are not for us
        QVERIFY(QString::fromStdString(opened->read_floats("q").error().message).contains("F8_E4M3"));
        QVERIFY(!opened->read_floats("absent").ok());
    }
    void devices_and_folders_are_refused() {
        QCOMPARE(SafetensorsFile::open("/dev/zero").error().exit_status(), 4);
        QCOMPARE(SafetensorsFile::open(folder_.path().toStdString()).error().exit_status(), 4);
        QCOMPARE(SafetensorsFile::open("/no/such/file").error().exit_status(), 4);
    }
    void a_file_of_hugging_face_is_read() {
        const QString path = QString(SEXTANT_SHARED_DIR) + "/models/stories260K/model.safetensors";
        if (!QFile::exists(path)) QSKIP("the shared models are not on this machine");
        const auto opened = SafetensorsFile::open(path.toStdString());
        QVERIFY(opened.ok());
        const TensorEntry* embedding = opened->find("model.embed_tokens.weight");
        QVERIFY(embedding != nullptr);
        QCOMPARE(embedding->shape, (Shape{512, 64}));
        // The same weights stand after the seven header words of the llama2.c file.
        QFile other(QString(SEXTANT_SHARED_DIR) + "/models/stories260K/stories260K.bin");
        QVERIFY(other.open(QIODevice::ReadOnly));
        const QByteArray raw = other.read(28 + 512 * 64 * 4).mid(28);
        const auto values = opened->read_floats("model.embed_tokens.weight").value();
        QCOMPARE(values.size(), std::size_t{512 * 64});
        QVERIFY(std::memcmp(values.data(), raw.constData(), static_cast<std::size_t>(raw.size())) == 0);
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
