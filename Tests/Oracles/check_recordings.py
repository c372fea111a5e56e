"""Recordings against independent readers: fitdecode and Garmin's SDK for FIT, gpxpy for GPX, plain XML for TCX and for what GPX
holds beside points, gpsbabel for all of them. `Tests/Oracles/run` calls it. Prints a line a file; fails where a point differs,
a round trip loses something, or a loss has no notice."""

import os
import re
import sys
import tempfile

import gpxpy

import distances
import gpsbabel
import readers
import rutter

rutter.program = os.path.abspath(sys.argv[1])
DATA = os.path.abspath(sys.argv[2])
HAS_GPSBABEL = gpsbabel.is_there()
# Fields of FIT records that are read, timestamps included, and messages whose content is kept or listed field by field.
KEPT_FIELDS = {0, 1, 2, 3, 4, 5, 6, 7, 13, 31, 53, 73, 78, 253}
KEPT_MESSAGES = {0, 18, 19, 20, 21, 31, 32, 34, 206, 207}
# The words of a notice for an element whose name says nothing to people.
NOTICE_WORDS = {"hr": "heart rate", "cad": "cadence", "number": "number", "fix": "fix", "text": "link"}
failures = []
tally = distances.Tally()
seen = {"points": 0, "losses": 0}


def fail(file, words):
    failures.append(f"{file}: {words}")


def compare(file, oracle, ours, theirs, tolerance=None, keys=None):
    """Compares point by point what both know of: an unknown value is only equal to an unknown value."""
    # Two numbers rounded to 1e-7 may differ by a step, and by what a Double adds.
    limits = {
        "lat": 1.0001e-7, "lon": 1.0001e-7, "ele": 0.011, "time": 0.0011, "hr": 0, "cad": 0, "power": 0, "temperature": 0,
        "speed": 0.00051, "accuracy": 0, "distance": 0.0051,
    } | (tolerance or {})
    if len(ours) != len(theirs):
        return fail(file, f"{len(ours)} points, {len(theirs)} in {oracle}")
    for index, (mine, other) in enumerate(zip(ours, theirs)):
        for key in keys or [key for key in limits if key in mine and key in other]:
            a, b = mine[key], other[key]
            # A time that runs backwards is unknown, and said.
            if key == "time" and a is None and b is not None and index > 0 and b < (theirs[index - 1][key] or 0):
                continue
            if (a is None) != (b is None) or (a is not None and abs(a - b) > limits[key]):
                return fail(file, f"point {index + 1}, {key}: {a}, {b} in {oracle}")
    seen["points"] += len(ours)


def by_gpsbabel(file, path, kind, ours, keys, tolerance=None):
    """Compares what gpsbabel finds in a file with our points."""
    if not HAS_GPSBABEL:
        return
    theirs = gpsbabel.points(path, kind, rutter.seconds)
    if isinstance(theirs, str):
        return fail(file, f"gpsbabel: {theirs}")
    # gpsbabel counts times before 1901 wrongly.
    for mine, other in zip(ours, theirs):
        if "time" in keys and mine["time"] is not None and mine["time"] < -(2**31) + 86400 * 2:
            other["time"] = mine["time"]
    compare(file, "gpsbabel", ours, theirs, tolerance, keys)


def check(path):
    file = os.path.basename(path)
    kind = os.path.splitext(path)[1][1:]
    with tempfile.TemporaryDirectory() as folder:
        (check_gpx if kind == "gpx" else check_device)(folder, path, file, kind)


# FIT and TCX


def check_device(folder, path, file, kind):
    formats = ["fit", "tcx", "gpx", "kml"]
    # A course is a plan, unless it is asked for as a hike.
    printed, complaints = rutter.run(
        folder, f"let a = import '{path}' --name Sample --no-waypoints --as hikes", "$a | first | get result",
        "$a | first | get dropped | to json", "hike points Sample | to json",
        *[f"export back.{name} Sample | get warnings | to json" for name in formats])
    if printed[1] != "imported":
        return fail(file, f"is not imported: {printed} {complaints}")
    dropped = "; ".join(rutter.read(printed[2], []))
    notices = dict(zip(formats, ("; ".join(rutter.read(text, [])) for text in printed[4:])))
    ours = rutter.points(rutter.read(printed[3], []))
    back = {name: os.path.join(folder, f"back.{name}") for name in formats}
    for name in formats:
        if not os.path.exists(back[name]):
            return fail(file, f"export back.{name} wrote nothing: {complaints}")
    if kind == "fit":
        check_fit(path, file, ours, back["fit"], dropped, notices["fit"])
    else:
        check_tcx(path, file, ours, back["tcx"])
    # gpsbabel reads no temperatures, and as many points as we do.
    known = ["lat", "lon", "ele", "time", "hr", "cad"]
    by_gpsbabel(file, path, kind, ours, known)
    # A FIT file has steps of 0.2 m and a second.
    by_gpsbabel(file + " as FIT", back["fit"], "fit", ours, known, {"ele": 0.101, "time": 0.5})
    by_gpsbabel(file + " as TCX", back["tcx"], "tcx", ours, known)
    by_gpsbabel(file + " as GPX", back["gpx"], "gpx", ours, known + ["temperature"])
    by_gpsbabel(file + " as KML", back["kml"], "kml", ours, ["lat", "lon", "ele"])
    print(f"{file}: {len(ours)} points agree, and back")


def check_fit(path, file, ours, back, dropped, notices):
    original, written = readers.FITFile(path), readers.FITFile(back)
    compare(file, "fitdecode", ours, original.points)
    compare(file, "garmin-fit-sdk", ours, readers.sdk_points(path))
    compare(file + " and back", "fitdecode", original.points, written.points, {"ele": 0.101, "time": 0.5})
    if original.unplaced != written.unplaced:
        fail(file, f"{len(original.unplaced)} samples without a position, {len(written.unplaced)} of them back")
    same = len(original.laps) == len(written.laps) and all(
        (a is None) == (b is None) and (a is None or abs(a - b) <= 0.5)
        for lap, other in zip(original.laps, written.laps) for a, b in zip(lap, other))
    if not same:
        fail(file, f"laps {original.laps}, {written.laps} back")
    if original.sport not in (written.sport, "generic", "None", None):
        fail(file, f"sport {original.sport}, {written.sport} back")
    # Whatever else has a value is in a notice, with its name or number and how often.
    unkept = "".join(re.findall(r"values of records that are not kept[^;]*", dropped))
    listed = sorted(re.findall(r"\((\d+) times?\)", unkept))
    other = {str(n): str(count) for n, count in original.fields.items() if n not in KEPT_FIELDS}
    if listed != sorted(other.values()):
        fail(file, f"record fields {other}, in the notices {listed}")
    seen["losses"] += sum(map(int, other.values()))
    listed = dict(re.findall(r"(\d+) \((\d+)\)", "".join(re.findall(r"ignored messages[^;]*", dropped))))
    other = {str(n): str(count) for n, count in original.messages.items() if n not in KEPT_MESSAGES}
    if listed != other:
        fail(file, f"messages {other}, in the notices {listed}")
    seen["losses"] += sum(map(int, other.values()))


def check_tcx(path, file, ours, back):
    original = readers.tcx_points(path)
    compare(file, "the XML", ours, original)
    compare(file + " and back", "the XML", original, readers.tcx_points(back))
    laps, sports = readers.tcx_laps(path)
    written, sports_back = readers.tcx_laps(back)
    if laps and laps != written:
        fail(file, f"laps {laps}, {written} back")
    if sports and sports != sports_back:
        fail(file, f"activities {sports}, {sports_back} back")


# GPX


def check_gpx(folder, path, file, kind):
    with open(path, encoding="utf-8-sig") as text:
        document = gpxpy.parse(text)
    theirs = [point for track in document.tracks for segment in track.segments for point in segment.points]
    # Through the value of an import, and through a stored hike.
    printed, complaints = rutter.run(
        folder, f"let j = import '{path}' --dry-run", "$j | get warnings | to json",
        "$j | export value.gpx | get warnings | to json")
    ways = [("", "value.gpx", printed[1:3])]
    # With `--as hikes` routes are hikes of their own.
    if theirs and len(document.tracks) == 1 and not document.routes:
        hike, words = rutter.run(
            folder, f"let a = import '{path}' --as hikes", "$a | first | get result", "$a | first | get dropped | to json",
            "let n = hike list | first | get name", "hike points $n | to json", "hike stats $n | to json",
            "hike list | export hike.gpx | get warnings | to json",
            *[f"hike list | export hike.{name} | get bytes" for name in ["kml", "fit", "tcx"]])
        complaints += words
        if hike[1] != "imported":
            return fail(file, f"is not imported: {hike} {complaints}")
        check_track(folder, path, file, document, theirs, hike)
        ways.append((" as a hike", "hike.gpx", [hike[2], hike[6]]))
    lost = 0
    for what, name, notices in ways:
        back = os.path.join(folder, name)
        if not os.path.exists(back):
            if "E-IMPORT-NOTHING" in complaints and not theirs and not document.waypoints and not document.routes:
                return print(f"{file}: it has no point")
            return fail(file + what, f"export wrote nothing: {complaints.splitlines()[:1]}")
        words = "; ".join(sum((rutter.read(text, []) for text in notices), []))
        lost += round_trip(file + what, path, back, words)
    seen["losses"] += lost
    kept = f"{lost} values lost with a notice" if lost else "nothing is lost"
    print(f"{file}: {len(theirs)} points agree, and {kept}")


def check_track(folder, path, file, document, theirs, hike):
    ours = rutter.points(rutter.read(hike[4], []))
    compare(file, "gpxpy", ours, [
        {"lat": p.latitude, "lon": p.longitude, "ele": p.elevation, "time": readers.moment(p.time)} for p in theirs])
    segments = [[(p.latitude, p.longitude) for p in s.points] for t in document.tracks for s in t.segments]
    length = rutter.number(rutter.read(hike[5])["distance"])
    peer = sum(segment.length_2d() or 0 for track in document.tracks for segment in track.segments)
    tally.add(file, length, peer, distances.geodesic(segments))
    if abs(length - peer) > max(distances.TOLERANCE * peer, distances.NOISE):
        fail(file, f"distance {length}, {peer} in gpxpy")
    known = ["lat", "lon", "ele", "time"]
    by_gpsbabel(file, path, "gpx", ours, known + ["hr", "cad"])
    by_gpsbabel(file + " back", os.path.join(folder, "hike.gpx"), "gpx", ours, known + ["hr", "cad"])
    # gpsbabel refuses a line of one point.
    if all(len(segment) > 1 for segment in segments if segment):
        by_gpsbabel(file + " as KML", os.path.join(folder, "hike.kml"), "kml", ours, ["lat", "lon", "ele"])
    timed = [point for point in ours if point["time"] is not None]
    for kind, tolerance in [("fit", {"ele": 0.101, "time": 0.5}), ("tcx", {})]:
        target = os.path.join(folder, f"hike.{kind}")
        # FIT counts seconds since 1989 and has no other times.
        if timed and (kind == "tcx" or timed[0]["time"] > 700_000_000):
            by_gpsbabel(f"{file} as {kind.upper()}", target, kind, timed, known + ["hr", "cad"], tolerance)


def round_trip(file, path, back, notices):
    """How many values are lost; fails where one is not named in a notice."""
    (before, there), (after, here) = readers.leaves(path), readers.leaves(back)
    for name in there:
        old, new = there[name], here.get(name, [])
        if name == "wpt":
            # Waypoints of a hike are in the order of their times.
            old, new = sorted(old), sorted(new)
        same = len(old) == len(new) and all(
            abs(a[0] - b[0]) <= 1e-7 and abs(abs(a[1]) - abs(b[1])) <= 1e-7 for a, b in zip(old, new))
        if not same and name not in notices and not (name == "rtept" and "route" in notices):
            fail(file, f"{name}: points are missing or elsewhere")
    lost = {key: count - after.get(key, 0) for key, count in before.items() if count > after.get(key, 0)}
    unnamed = []
    for key in lost:
        place, _, name = key.partition("=")[0].rpartition(" ")
        if key.startswith("rtept") and "route" in notices:
            continue
        if not name or NOTICE_WORDS.get(name, name) not in notices:
            unnamed.append(key)
    if unnamed:
        fail(file, f"{len(unnamed)} values lost without a notice of them, such as {unnamed[:3]}; notices: {notices}")
    return sum(lost.values())


for base, folders, names in os.walk(DATA):
    folders.sort()
    if os.path.basename(base) == "malformed":
        folders[:] = []
        continue
    for name in sorted(names):
        if name.endswith((".fit", ".tcx", ".gpx")) and ("/fit" in base or "/gpx" in base):
            check(os.path.join(base, name))
tally.report()
print(f"{seen['points']} points compared; {seen['losses']} losses, each with a notice" if not failures else "")
if not HAS_GPSBABEL:
    print("SKIPPED: what gpsbabel reads and writes: install the package gpsbabel")
for line in failures:
    print("FAILED:", line)
sys.exit(1 if failures else 0)
