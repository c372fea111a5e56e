"""Recordings against independent readers: fitdecode and Garmin's SDK for FIT, gpxpy for GPX, plain XML for TCX and for what GPX
holds beside points. `Tests/Oracles/run` calls it. Prints a line a file; fails where a point differs, a round trip loses
something, or something is lost without a notice."""

import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import fitdecode
import garmin_fit_sdk
import gpxpy

PROGRAM = os.path.abspath(sys.argv[1])
DATA = os.path.abspath(sys.argv[2])
SEMICIRCLE = 180 / 2**31
UTC = datetime.timezone.utc
failures = []


def fail(file, words):
    failures.append(f"{file}: {words}")


def rutter(folder, *entries):
    arguments = [PROGRAM, "--workspace", os.path.join(folder, "ws"), "--clock", "2026-02-06T08:00:00Z"]
    for entry in entries:
        arguments += ["-c", entry]
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300)


def number(value):
    """The number of a JSON value, whose unit may follow it."""
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return number(value.get("value"))
    return float(re.match(r"-?[\d.]+(e-?\d+)?", value).group(0))


def seconds(text):
    if not text:
        return None
    moment = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def points(folder, name):
    """The points that the hike of an import has, with unknown values as None."""
    result = rutter(folder, f"hike track {name} | to json")
    rows = json.loads(result.stdout) if result.stdout.strip() else []
    found = []
    for row in rows:
        at = row["at"]
        if isinstance(at, str):
            place = [float(part) for part in at.split(",")[:2]]
        elif isinstance(at, dict):
            place = [at.get("latitude", at.get("lat")), at.get("longitude", at.get("lon"))]
        else:
            place = at[:2]
        found.append({
            "lat": place[0], "lon": place[1], "ele": number(row["altitude"]), "time": seconds(row["time"]),
            "hr": number(row["heartRate"]), "cad": number(row["cadence"]), "power": number(row["power"]),
        })
    return found


def compare(file, oracle, ours, theirs, tolerance=None):
    limits = {"lat": 1e-7, "lon": 1e-7, "ele": 0.011, "time": 0.0011, "hr": 0, "cad": 0, "power": 0} | (tolerance or {})
    if len(ours) != len(theirs):
        return fail(file, f"{len(ours)} points, {len(theirs)} in {oracle}")
    for index, (mine, other) in enumerate(zip(ours, theirs)):
        for key, limit in limits.items():
            a, b = mine[key], other.get(key, mine[key])
            if (a is None) != (b is None) or (a is not None and abs(a - b) > limit):
                return fail(file, f"point {index + 1}, {key}: {a}, {b} in {oracle}")


def moment(value):
    return None if value is None else value.replace(tzinfo=value.tzinfo or UTC).timestamp()


def fit_records(path):
    """The records with a position, by both readers."""
    decoded = []
    with fitdecode.FitReader(path) as reader:
        for frame in reader:
            if not isinstance(frame, fitdecode.FitDataMessage) or frame.name != "record":
                continue
            get = lambda name: frame.get_value(name, fallback=None)
            if get("position_lat") is None or get("position_long") is None:
                continue
            altitude = get("enhanced_altitude") if get("enhanced_altitude") is not None else get("altitude")
            decoded.append({
                "lat": get("position_lat") * SEMICIRCLE, "lon": get("position_long") * SEMICIRCLE, "ele": altitude,
                "time": moment(get("timestamp")), "hr": get("heart_rate"), "cad": get("cadence"), "power": get("power"),
            })
    stream = garmin_fit_sdk.Stream.from_file(path)
    messages, _ = garmin_fit_sdk.Decoder(stream).read()
    official = []
    for record in messages.get("record_mesgs", []):
        if record.get("position_lat") is None or record.get("position_long") is None:
            continue
        altitude = record.get("enhanced_altitude")
        official.append({
            "lat": record["position_lat"] * SEMICIRCLE, "lon": record["position_long"] * SEMICIRCLE,
            "ele": altitude if altitude is not None else record.get("altitude"), "time": moment(record.get("timestamp")),
            "hr": record.get("heart_rate"), "cad": record.get("cadence"), "power": record.get("power"),
        })
    return decoded, official


def local(tag):
    return tag.rsplit("}", 1)[-1]


def tcx_points(path):
    found = []
    for point in (node for node in ET.parse(path).iter() if local(node.tag) == "Trackpoint"):
        values = {}
        for node in point.iter():
            if node.text and node.text.strip():
                parent = "hr" if local(node.tag) == "Value" else local(node.tag)
                values[parent] = node.text.strip()
        if "LatitudeDegrees" not in values:
            continue
        pick = lambda name: float(values[name]) if name in values else None
        cadence = pick("Cadence")
        found.append({
            "lat": float(values["LatitudeDegrees"]), "lon": float(values["LongitudeDegrees"]),
            "ele": pick("AltitudeMeters"), "time": seconds(values.get("Time")), "hr": pick("hr"),
            "cad": cadence if cadence is not None else pick("RunCadence"), "power": pick("Watts"),
        })
    return found


def leaves(path):
    """What a GPX file says, as a count for each value of each point and of the document, and the places of the points.
    Numbers are compared to a millimetre. GPX 1.0 keeps words of the document elsewhere than 1.1, so their place is left out, and
    it calls links `url` and `urlname`."""
    found = {}
    places = {}
    names = {"url": "link", "urlname": "text"}

    def value(text):
        text = " ".join(text.split())
        if re.fullmatch(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?", text):
            return f"{round(float(text), 3) + 0.0:.3f}"
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*", text):
            try:
                return f"{seconds(text):.3f}"
            except ValueError:
                return text
        return text

    def count(key):
        found[key] = found.get(key, 0) + 1

    def walk(node, place):
        name = names.get(local(node.tag), local(node.tag))
        if name in ("trkpt", "wpt", "rtept"):
            known = places.setdefault(name, [])
            known.append((float(node.get("lat")), float(node.get("lon"))))
            place = f"{name} {len(known)}"
        if node.text and node.text.strip():
            count(f"{place} {name if place or name == 'link' else ''}={value(node.text)}")
        if name == "email" and node.get("id"):
            count(f"{place} ={node.get('id')}@{node.get('domain')}")
        if name == "link" and node.get("href"):
            count(f"{place} link={node.get('href')}")
        for child in node:
            walk(child, place)

    root = ET.parse(path).getroot()
    for child in root:
        walk(child, "")
    return found, places


def check(path):
    file = os.path.basename(path)
    kind = os.path.splitext(path)[1][1:]
    with tempfile.TemporaryDirectory() as folder:
        account = rutter(folder, f"hike import '{path}' --name Sample --no-waypoints | to json")
        rows = json.loads(account.stdout) if account.stdout.strip().startswith("[") else []
        imported = rows and "imported" in str(rows[0].get("result"))
        if kind == "gpx":
            return check_gpx(folder, path, file, imported)
        if not imported:
            return fail(file, f"is not imported: {account.stdout} {account.stderr}")
        ours = points(folder, "Sample")
        if kind == "fit":
            for oracle, theirs in zip(("fitdecode", "garmin-fit-sdk"), fit_records(path)):
                compare(file, oracle, ours, theirs)
        else:
            compare(file, "the XML", ours, tcx_points(path))
        # Back into the same format: elevations in steps of 0.2 m, times in seconds where it is FIT.
        rutter(folder, f"export {kind} Sample --out back.{kind}")
        back = os.path.join(folder, f"back.{kind}")
        if not os.path.exists(back):
            return fail(file, f"export {kind} wrote nothing")
        if kind == "fit":
            compare(file + " and back", "fitdecode", ours, fit_records(back)[0], {"ele": 0.101, "time": 0.5, "lat": 1e-7})
        else:
            compare(file + " and back", "the XML", ours, tcx_points(back))
        print(f"{file}: {len(ours)} points agree, and back")


def check_gpx(folder, path, file, imported):
    with open(path, encoding="utf-8-sig") as text:
        document = gpxpy.parse(text)
    theirs = [point for track in document.tracks for segment in track.segments for point in segment.points]
    if imported and len(document.tracks) == 1:
        ours = points(folder, "Sample")
        compare(file, "gpxpy", ours, [
            {"lat": p.latitude, "lon": p.longitude, "ele": p.elevation, "time": moment(p.time)} for p in theirs])
        shown = rutter(folder, "hike stats Sample | to json").stdout
        ours_length = number(json.loads(shown)["distance"])
        # gpxpy's sphere has the radius of the equator, 6,378,137 m, 0.112 % more than the mean radius that is used here.
        length = 6371008.8 / 6378137 * sum(segment.length_2d() or 0 for track in document.tracks for segment in track.segments)
        if abs(ours_length - length) > max(0.0002 * length, 0.5):
            fail(file, f"distance {ours_length}, {length} in gpxpy")
    # GPX to GPX, through the value of an import: what is not there again must be in a notice.
    result = rutter(folder, f"let j = import gpx '{path}'", "$j | export gpx --out back.gpx --force | to json", "$j | get warnings | to json")
    back = os.path.join(folder, "back.gpx")
    if not os.path.exists(back):
        if "E-EXPORT-NOTHING" in result.stderr and not theirs and not document.waypoints and not document.routes:
            return print(f"{file}: it has no point")
        return fail(file, f"export gpx wrote nothing: {result.stderr.splitlines()[:1]}")
    (before, there), (after, here) = leaves(path), leaves(back)
    for name in there:
        same = len(there[name]) == len(here.get(name, [])) and all(
            abs(a[0] - b[0]) <= 1e-7 and abs(abs(a[1]) - abs(b[1])) <= 1e-7 for a, b in zip(there[name], here[name]))
        if not same:
            fail(file, f"{name}: points are missing or elsewhere")
    lost = {key: count - after.get(key, 0) for key, count in before.items() if count > after.get(key, 0)}
    notices = re.sub(r"\s", "", result.stdout).replace('"warnings":[]', "").removesuffix("null")
    if lost:
        example = sorted(lost)[0]
        if '"warnings":[' in notices or notices.endswith('"]'):
            print(f"{file}: {sum(lost.values())} values lost with a notice, such as {example[:90]}")
        else:
            fail(file, f"{sum(lost.values())} values lost without a notice, such as {example}")
    else:
        print(f"{file}: {len(theirs)} points agree, and nothing is lost")


for base, folders, names in os.walk(DATA):
    if os.path.basename(base) == "malformed":
        folders[:] = []
        continue
    for name in sorted(names):
        if name.endswith((".fit", ".tcx", ".gpx")) and ("/fit" in base or "/gpx" in base):
            check(os.path.join(base, name))
for line in failures:
    print("FAILED:", line)
sys.exit(1 if failures else 0)
