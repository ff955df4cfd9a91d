#!/usr/bin/env python3
"""Reads TensorBoard event files with nothing of ours: TFRecord framing with CRC32C, protobuf fields by their numbers in
TensorFlow's event.proto and summary.proto and TensorBoard's hparams plugin. Usage: check_tensorboard.py FILE..."""
import struct
import sys

TABLE = []
for byte in range(256):
    value = byte
    for _ in range(8):
        value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    TABLE.append(value)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283  # RFC 3720


def masked(data):
    crc = crc32c(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """[(number, wire type, value)]; wire type 2 gives bytes."""
    at, out = 0, []
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif wire == 5:
            value, at = struct.unpack_from("<f", data, at)[0], at + 4
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field runs past its message"
        else:
            raise ValueError("wire type %d" % wire)
        out.append((number, wire, value))
    return out


def records(data):
    at = 0
    while at < len(data):
        head = data[at:at + 8]
        (size,) = struct.unpack("<Q", head)
        assert struct.unpack_from("<I", data, at + 8)[0] == masked(head), "CRC of a length"
        body = data[at + 12:at + 12 + size]
        assert len(body) == size, "a record is cut short"
        assert struct.unpack_from("<I", data, at + 12 + size)[0] == masked(body), "CRC of a record"
        yield body
        at += 16 + size


def check(path):
    scalars, hparams, first = {}, set(), True
    for body in records(open(path, "rb").read()):
        event = fields(body)
        by = {number: value for number, _, value in event}
        assert {number: wire for number, wire, _ in event}[1] == 1, "wall_time is a double"
        if first:
            assert by.get(3) == b"brain.Event:2", "file_version"
            first = False
        for number, wire, value in event:
            if number != 5:  # summary
                continue
            assert wire == 2
            for _, _, raw in (f for f in fields(value) if f[0] == 1):
                one = fields(raw)
                tag = next(v for n, _, v in one if n == 1).decode()
                simple = [v for n, w, v in one if n == 2 and w == 5]
                tensor = [v for n, w, v in one if n == 8]
                plugin = [v for n, w, v in one if n == 9]
                if simple:
                    scalars.setdefault(tag, []).append((by.get(2, 0), simple[0]))
                elif tensor and not tag.startswith("_hparams_"):
                    dtype = next(v for n, _, v in fields(tensor[0]) if n == 1)
                    assert dtype in (1, 2), "scalars are float or double"
                    numbers = [v for n, w, v in fields(tensor[0]) if n in (4, 5, 6)]
                    assert numbers, tag
                    number_ = numbers[0]
                    if isinstance(number_, bytes):
                        number_ = struct.unpack("<f" if len(number_) == 4 else "<d", number_)[0]
                    scalars.setdefault(tag, []).append((by.get(2, 0), number_))
                if tag.startswith("_hparams_"):
                    data = next(v for n, _, v in fields(plugin[0]) if n == 1)
                    name = next(v for n, _, v in fields(data) if n == 1)
                    assert name == b"hparams", name
                    hparams.add(tag)
    assert not first, "no record"
    assert scalars.get("train/loss"), "no train/loss"
    for tag, points in scalars.items():
        steps = [step for step, _ in points]
        assert steps == sorted(steps), tag + ": steps go back"
    assert {"_hparams_/session_start_info", "_hparams_/experiment"} <= hparams, hparams
    print("%s: %d tags, %d scalars, %s" % (path, len(scalars), sum(map(len, scalars.values())), sorted(hparams)))


for name in sys.argv[1:]:
    check(name)
