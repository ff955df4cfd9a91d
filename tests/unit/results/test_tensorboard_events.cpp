// The expected bytes were made by a Python script that knows only TensorFlow's record format and the field numbers of
// event.proto and summary.proto.
#include <QByteArray>
#include <QtTest>

#include "core/results/tensorboard_events.h"

using namespace sextant;

namespace {
const QByteArray kExpected = QByteArray::fromHex(
    "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c1b000000000000001a0d9e130900000000"
    "0000004010ac022a0d0a0b0a046c6f7373150000003fdfc52b60");
std::string sample() {
    TensorboardWriter writer(1.5);
    writer.scalar(2.0, 300, "loss", 0.5);
    return writer.bytes();
}
}  // namespace

class TestTensorboardEvents : public QObject {
    Q_OBJECT
  private slots:
    void checksum_is_tensorflows() { QCOMPARE(masked_crc32c("123456789"), 0xC78AB0E5U); }
    void bytes_are_the_formats() { QCOMPARE(QByteArray::fromStdString(sample()), kExpected); }
    void scalars_and_hyper_parameters_round_trip() {
        TensorboardWriter writer(1.0);
        writer.hyper_parameters(1.0, "group", {{"seed", 42.0}, {"encoding", std::string("alibi")}, {"tied", true}},
                                {"train/loss"});
        for (int step = 0; step < 3; ++step)
            writer.scalar(2.0 + step, step, "train/loss", 6.0 - step);
        writer.scalar(9.0, -1, "\xe4\xbd\x8d", 1e30);
        writer.end_session(10.0, true);
        const auto file = parse_tensorboard(writer.bytes());
        QVERIFY(file.ok());
        QVERIFY(file->problems.empty());
        QCOMPARE(file->records, std::size_t{8});
        QCOMPARE(file->scalars.size(), std::size_t{2});
        const auto& points = file->scalars.at("train/loss");
        QCOMPARE(points.size(), std::size_t{3});
        QCOMPARE(points[2].step, std::int64_t{2});
        QCOMPARE(points[2].value, 4.0);
        QCOMPARE(points[2].wall_time, 4.0);
        QCOMPARE(file->scalars.at("\xe4\xbd\x8d")[0].step, std::int64_t{-1});
        QCOMPARE(std::get<double>(file->hyper_parameters.at("seed")), 42.0);
        QCOMPARE(std::get<std::string>(file->hyper_parameters.at("encoding")), std::string("alibi"));
        QCOMPARE(std::get<bool>(file->hyper_parameters.at("tied")), true);
    }
    void a_torn_end_keeps_what_came_before() {
        const std::string bytes = sample();
        const std::size_t first = 16 + 24;
        for (std::size_t cut = first; cut < bytes.size(); ++cut) {
            const auto file = parse_tensorboard(bytes.substr(0, cut));
            QVERIFY(file.ok());
            QVERIFY(file->scalars.empty());
            QCOMPARE(file->problems.empty(), cut == first);
        }
    }
    void any_flipped_bit_is_noticed() {
        const std::string bytes = sample();
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string damaged = bytes;
                damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
                const auto file = parse_tensorboard(damaged);
                QVERIFY(!file.ok() || !file->problems.empty());
            }
        }
    }
    void other_files_are_refused() {
        QVERIFY(!parse_tensorboard("").ok());
        QVERIFY(!parse_tensorboard("not an event file at all, just text").ok());
        QVERIFY(!read_tensorboard("/dev/zero").ok());
    }
};

QTEST_APPLESS_MAIN(TestTensorboardEvents)
#include "test_tensorboard_events.moc"
