#!/usr/bin/env python3
"""An independent scan of an OSM PBF file, to check Rutter's results: own PBF reader, own geometry, only the standard library.

    scan-osm.py names FILE          type, id, latitude, longitude, name, other names separated by U+001F
    scan-osm.py addresses FILE      street, number, postcode, city, latitude, longitude
    scan-osm.py reverse FILE N SEED latitude, longitude, nearest street within 500 m, its distance, all streets within 5 m
                                    of that distance, municipality
Tab-separated lines on standard output.
"""
import math
import random
import struct
import sys
import zlib

NAME_KEYS = ("name", "alt_name", "official_name", "short_name", "loc_name")
WALKABLE = {
    "footway", "path", "track", "steps", "pedestrian", "bridleway", "cycleway", "residential", "service",
    "living_street", "unclassified", "tertiary", "tertiary_link", "secondary", "secondary_link", "primary",
    "primary_link", "road",
}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    at, end = 0, len(data)
    while at < end:
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            at += size
        elif kind == 1:
            value = data[at:at + 8]
            at += 8
        else:
            value = data[at:at + 4]
            at += 4
        yield key >> 3, value


def packed(data):
    at, end, out = 0, len(data), []
    while at < end:
        byte = data[at]
        at += 1
        if byte < 0x80:
            out.append(byte)
            continue
        value, shift = byte & 0x7F, 7
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
        out.append(value)
    return out


def signed(value):
    return (value >> 1) ^ -(value & 1)


def blobs(path):
    with open(path, "rb") as file:
        while head := file.read(4):
            header = dict(fields(file.read(struct.unpack(">I", head)[0])))
            blob = dict(fields(file.read(header[3])))
            if header[1] == b"OSMData":
                yield blob[1] if 1 in blob else zlib.decompress(blob[3])


def read(path):
    """Coordinates of nodes, tagged nodes, ways and relations."""
    places, nodes, ways, relations = {}, [], [], []
    for block in blobs(path):
        strings, groups, grain, lat0, lon0 = [], [], 100, 0, 0
        for key, value in fields(block):
            if key == 1:
                strings = [text.decode("utf-8", "replace") for _, text in fields(value)]
            elif key == 2:
                groups.append(value)
            elif key == 17:
                grain = value
            elif key == 19:
                lat0 = value
            elif key == 20:
                lon0 = value

        def angle(value, start):
            return round((start + grain * value) * 1e-9, 7)

        for group in groups:
            for key, value in fields(group):
                if key == 2:
                    dense = dict(fields(value))
                    ids, lats, lons = (packed(dense[k]) for k in (1, 8, 9))
                    tags = packed(dense.get(10, b""))
                    number = lat = lon = at = 0
                    for i in range(len(ids)):
                        number += signed(ids[i])
                        lat += signed(lats[i])
                        lon += signed(lons[i])
                        places[number] = (angle(lat, lat0), angle(lon, lon0))
                        if tags:
                            found = {}
                            while tags[at]:
                                found[strings[tags[at]]] = strings[tags[at + 1]]
                                at += 2
                            at += 1
                            if found:
                                nodes.append((number, found))
                elif key == 1:
                    node = dict(fields(value))
                    number = signed(node[1])
                    places[number] = (angle(signed(node[8]), lat0), angle(signed(node[9]), lon0))
                    found = {strings[k]: strings[v] for k, v in zip(packed(node.get(2, b"")), packed(node.get(3, b"")))}
                    if found:
                        nodes.append((number, found))
                elif key in (3, 4):
                    thing = {}
                    for k, v in fields(value):
                        thing[k] = v
                    found = {strings[k]: strings[v] for k, v in zip(packed(thing.get(2, b"")), packed(thing.get(3, b"")))}
                    if key == 3:
                        refs, ref = [], 0
                        for step in packed(thing.get(8, b"")):
                            ref += signed(step)
                            refs.append(ref)
                        ways.append((thing[1], found, refs))
                    else:
                        members, ref = [], 0
                        roles = packed(thing.get(8, b""))
                        kinds = packed(thing.get(10, b""))
                        for i, step in enumerate(packed(thing.get(9, b""))):
                            ref += signed(step)
                            members.append((kinds[i], ref, strings[roles[i]]))
                        relations.append((thing[1], found, members))
    return places, nodes, ways, relations


def distance(a, b):
    north = math.radians(b[0] - a[0])
    east = math.radians(b[1] - a[1])
    h = math.sin(north / 2) ** 2 + math.cos(math.radians(a[0])) * math.cos(math.radians(b[0])) * math.sin(east / 2) ** 2
    return 2 * 6372797.6 * math.asin(min(1, math.sqrt(h)))


def names_of(tags):
    main = tags.get("name")
    others = []
    for key, value in tags.items():
        if key in NAME_KEYS[1:] or (key.startswith("name:") and not any(
                word in key for word in ("etymology", "pronunciation", "signed", "source", "prefix"))):
            others += [part.strip() for part in value.split(";")] if key != "name" else []
    if main is None and not others:
        return None
    if main is None:
        main, others = others[0], others[1:]
    return main, [other for other in others if other and other != main]


def objects(path):
    places, nodes, ways, relations = read(path)
    at = {number: refs for number, _, refs in ways}
    for number, tags in nodes:
        yield "n", number, places[number], tags
    for number, tags, refs in ways:
        known = [places[ref] for ref in refs if ref in places]
        if known:
            yield "w", number, known[len(known) // 2], tags
    for number, tags, members in relations:
        known = []
        for kind, ref, _ in members:
            if kind == 0 and ref in places:
                known.append(places[ref])
            elif kind == 1:
                known += [places[node] for node in at.get(ref, []) if node in places]
        if known:
            yield "r", number, known[len(known) // 2], tags


def names(path):
    for kind, number, place, tags in objects(path):
        found = names_of(tags)
        if found and any(c.isalnum() for c in found[0]):
            texts = [found[0], "\x1f".join(found[1])]
            print(kind, number, place[0], place[1], *(text.replace("\t", " ").replace("\n", " ") for text in texts), sep="\t")


def addresses(path):
    for _, _, place, tags in objects(path):
        street = tags.get("addr:street") or tags.get("addr:place")
        if street and tags.get("addr:housenumber"):
            values = [street, tags["addr:housenumber"], tags.get("addr:postcode", ""), tags.get("addr:city", "")]
            print(*(value.replace("\t", " ") for value in values), *place, sep="\t")


def rings(members, at, places):
    """Rings of a boundary's ways, or None if one is missing or open."""
    pieces = []
    for kind, ref, role in members:
        if kind != 1:
            continue
        if ref not in at or any(node not in places for node in at[ref]):
            return None
        pieces.append(list(at[ref]))
    result = []
    while pieces:
        ring = pieces.pop()
        while ring[0] != ring[-1]:
            for index, piece in enumerate(pieces):
                if piece[0] == ring[-1]:
                    ring += piece[1:]
                elif piece[-1] == ring[-1]:
                    ring += piece[-2::-1]
                else:
                    continue
                pieces.pop(index)
                break
            else:
                return None
        result.append([places[node] for node in ring])
    return result or None


def inside(place, outline):
    """The winding test by crossings, over all rings."""
    odd = False
    for ring in outline:
        for (lat1, lon1), (lat2, lon2) in zip(ring, ring[1:]):
            if (lat1 > place[0]) != (lat2 > place[0]) and place[1] < (lon2 - lon1) * (place[0] - lat1) / (lat2 - lat1) + lon1:
                odd = not odd
    return odd


def reverse(path, count, seed):
    places, nodes, ways, relations = read(path)
    at = {number: refs for number, _, refs in ways}
    towns = []
    for _, tags, members in relations:
        if tags.get("boundary") == "administrative" and tags.get("name") and tags.get("admin_level") in ("6", "7", "8"):
            outline = rings(members, at, places)
            if outline:
                towns.append((tags["admin_level"], tags["name"], outline))
    segments, vertices = {}, []
    cell = 0.005
    for _, tags, refs in ways:
        name = tags.get("name")
        if not name or tags.get("highway") not in WALKABLE:
            continue
        if tags.get("access") in ("no", "private") or tags.get("foot") in ("no", "private") or tags.get("area") == "yes":
            continue
        line = [places.get(ref) for ref in refs]
        for a, b in zip(line, line[1:]):
            if a is None or b is None:
                continue
            vertices.append(a)
            for row in range(int(min(a[0], b[0]) // cell), int(max(a[0], b[0]) // cell) + 1):
                for column in range(int(min(a[1], b[1]) // cell), int(max(a[1], b[1]) // cell) + 1):
                    segments.setdefault((row, column), []).append((name, a, b))
    if not vertices:
        return
    source = random.Random(seed)
    for _ in range(count):
        # Random points up to 300 m from a street.
        start = source.choice(vertices)
        place = (round(start[0] + source.uniform(-0.0027, 0.0027), 6), round(start[1] + source.uniform(-0.004, 0.004), 6))
        near = {}
        east = math.cos(math.radians(place[0]))
        row, column = int(place[0] // cell), int(place[1] // cell)
        for r in range(row - 1, row + 2):
            for c in range(column - 2, column + 3):
                for name, a, b in segments.get((r, c), ()):
                    ax, ay, bx, by = (a[1] - place[1]) * east, a[0] - place[0], (b[1] - place[1]) * east, b[0] - place[0]
                    dx, dy = bx - ax, by - ay
                    size = dx * dx + dy * dy
                    share = max(0, min(1, -(ax * dx + ay * dy) / size)) if size else 0
                    metres = math.hypot(ax + share * dx, ay + share * dy) * math.pi / 180 * 6372797.6
                    if metres < near.get(name, 500):
                        near[name] = metres
        best = min(near.items(), key=lambda item: item[1], default=("", 0))
        others = "\x1f".join(sorted(name for name, metres in near.items() if metres <= best[1] + 5))
        town = ""
        for level in ("8", "7", "6"):
            found = sorted(name for one, name, outline in towns if one == level and inside(place, outline))
            if found:
                town = found[0]
                break
        print(place[0], place[1], best[0], round(best[1], 1), others, town, sep="\t")


if __name__ == "__main__":
    command, file, *rest = sys.argv[1:]
    if command == "names":
        names(file)
    elif command == "addresses":
        addresses(file)
    else:
        reverse(file, int(rest[0]), int(rest[1]))
