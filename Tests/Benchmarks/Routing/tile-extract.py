#!/usr/bin/env python3
"""Makes a large extract from a small one: adjacent copies of it, with their own ids and coordinates.

    tile-extract.py EXTRACT.osm.pbf COPIES OUT.osm.pbf

The copies do not touch. A PBF stores ids as differences, so that only the first of a group changes, and coordinates
relative to an offset of the block, so that only the offset changes.
"""
import struct
import sys
import zlib

# More than any id, and less than the id distance between copies of nodes at obstacles.
ID_STEP = 1 << 35
# Copies per row, and nanodegrees between them.
ROW, STEP = 8, 1_000_000_000


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def packed(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def fields(data):
    """Number, type, and bytes or value of each field."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 2:
            size, at = varint(data, at)
            yield key >> 3, 2, data[at:at + size]
            at += size
        else:
            value, at = varint(data, at)
            yield key >> 3, key & 7, value


def field(number, content):
    if isinstance(content, int):
        return packed(number << 3) + packed(content)
    return packed(number << 3 | 2) + packed(len(content)) + content


def first_moved(data, by):
    """A delta-coded list with an offset on its first value."""
    if not data:
        return data
    value, at = varint(data, 0)
    return packed(zigzag(unzigzag(value) + by)) + data[at:]


def object_moved(data, references, by):
    """A way or relation with another id and references."""
    out = bytearray()
    for number, _, content in fields(data):
        if number == 1:
            content += by
        elif number == references:
            content = first_moved(content, by)
        out += field(number, content)
    return bytes(out)


def group_moved(data, by):
    out = bytearray()
    for number, _, content in fields(data):
        if number == 2:
            content = b"".join(
                field(inner, first_moved(value, by) if inner == 1 else value) for inner, _, value in fields(content))
        elif number == 3:
            content = object_moved(content, 8, by)
        elif number == 4:
            content = object_moved(content, 9, by)
        out += field(number, content)
    return bytes(out)


def block_moved(data, copy):
    out = bytearray()
    offsets = {19: 0, 20: 0}
    for number, _, content in fields(data):
        if number in offsets:
            offsets[number] = content - (1 << 64) if content >> 63 else content
        else:
            out += field(number, group_moved(content, copy * ID_STEP) if number == 2 else content)
    out += field(19, offsets[19] + copy // ROW * STEP) + field(20, offsets[20] + copy % ROW * STEP)
    return bytes(out)


def kind(data):
    """The number of elements of the first type in a block: nodes, ways, relations."""
    for number, _, content in fields(data):
        if number == 2:
            for inner, _, _ in fields(content):
                return inner
    return 0


def blobs(path):
    with open(path, "rb") as file:
        while length := file.read(4):
            header = dict((number, content) for number, _, content in fields(file.read(struct.unpack(">I", length)[0])))
            blob = dict((number, content) for number, _, content in fields(file.read(header[3])))
            yield header[1], blob[1] if 1 in blob else zlib.decompress(blob[3])


def write(out, name, data):
    blob = field(2, len(data)) + field(3, zlib.compress(data, 6))
    header = field(1, name) + field(3, len(blob))
    out.write(struct.pack(">I", len(header)) + header + blob)


def main(source, copies, target):
    all_blobs = list(blobs(source))
    with open(target, "wb") as out:
        for name, data in all_blobs:
            if name == b"OSMHeader":
                # Without the box of the original.
                write(out, name, b"".join(field(number, value) for number, _, value in fields(data) if number != 1))
        for wanted in (2, 3, 4):
            for copy in range(copies):
                for name, data in all_blobs:
                    found = kind(data) if name == b"OSMData" else 0
                    if (2 if found == 1 else found) == wanted:
                        write(out, name, block_moved(data, copy))


if __name__ == "__main__":
    if len(sys.argv) != 4 or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
