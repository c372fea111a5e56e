#!/usr/bin/env python3
"""Runs Valhalla and OSRM on the pairs of coordinates that routing-bench measured, and prints ratios.

    swift run -c release routing-bench --only liechtenstein --export pairs.json
    python3 Tests/Benchmarks/Routing/compare-routers.py pairs.json

    swift run -c release routing-bench --peers pairs
    python3 Tests/Benchmarks/Routing/compare-routers.py --shortest pairs/*.json

The first compares times. The second compares routes between coordinates beside the network: which router finds one,
whether the shortest is as short on the network of ways that the other may use, and how much of the default profile's
route runs along roads. For it, OSRM's foot profile minimizes distance, and includes the kinds of ways that Rutter
includes.

Both come from PyPI for Python 3.12 and later: pip install pyvalhalla osrm-bindings. A package that is not installed is named
and skipped. All times are of one process at a time: of a query its median over all pairs, of a build the whole process.
"""

import argparse
import importlib.util
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

# The Python packages, and the names they are installed by.
PACKAGES = {"valhalla": "pyvalhalla", "osrm": "osrm-bindings"}
LEAST_PYTHON = (3, 12)


class Failure(Exception):
    """A reason why a router cannot be measured."""


def read_export(path):
    """Reads and checks a file of routing-bench --export."""
    try:
        export = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path} cannot be read: {error}") from None
    if not isinstance(export, dict) or not export.get("pairs") or "planMedianSeconds" not in export:
        raise Failure(f"{path} was not written by routing-bench --export")
    if not pathlib.Path(export.get("extract", "")).is_file():
        raise Failure(f"the extract {export.get('extract')} is not there any more")
    return export


def read_peers(path):
    """Reads and checks a file of routing-bench --peers."""
    try:
        export = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path} cannot be read: {error}") from None
    if not isinstance(export, dict) or not export.get("answers"):
        raise Failure(f"{path} was not written by routing-bench --peers")
    if not pathlib.Path(export.get("extract", "")).is_file():
        raise Failure(f"the extract {export.get('extract')} is not there any more")
    return export


def missing(module):
    """The reason why a package cannot be used; None if it can."""
    if importlib.util.find_spec(module) is not None:
        return None
    text = f"not installed: pip install {PACKAGES[module]}"
    if sys.version_info < LEAST_PYTHON:
        wanted, present = (".".join(map(str, v[:2])) for v in (LEAST_PYTHON, sys.version_info))
        text += f" (its packages need Python {wanted} or later, this is {present})"
    return text


def run(*words):
    """Runs a program to its end; returns its seconds."""
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise Failure(f"{' '.join(map(str, words[:4]))} … failed: {last[0]}")
    return seconds


def median_query(pairs, query):
    """The median seconds of a query over all pairs, and the number of failures."""
    times, failures = [], 0
    for start, end in pairs:
        began = time.perf_counter()
        try:
            query(start, end)
        except Exception:  # Each router has its own errors for pairs without a route.
            failures += 1
            continue
        times.append(time.perf_counter() - began)
    if not times:
        raise Failure("it found no route for any pair")
    return statistics.median(times), failures


class Valhalla:
    """Its tiles, and pedestrian routes without instructions."""

    def __init__(self, extract, folder, shortest=False):
        import valhalla

        del shortest  # It is an option of each query.
        tiles = folder / "tiles"
        tiles.mkdir()
        config = valhalla.get_config(tile_extract="", tile_dir=str(tiles), verbose=False)
        file = folder / "valhalla.json"
        file.write_text(json.dumps(config), encoding="utf-8")
        # The package's own way to start the program looks for it in the path alone.
        program = pathlib.Path(valhalla.__file__).parent / "bin" / "valhalla_build_tiles"
        words = [program] if program.is_file() else [sys.executable, "-m", "valhalla", "valhalla_build_tiles"]
        self.build = run(*words, "-c", file, extract)
        self.actor = valhalla.Actor(config)

    def route(self, places, options=None):
        return self.actor.route(
            {
                "locations": [{"lat": lat, "lon": lon, "node_snap_tolerance": 0} for lat, lon in places],
                "costing": "pedestrian",
                "costing_options": {"pedestrian": options or {}},
                "directions_type": "none",
            }
        )

    def query(self, start, end):
        self.route((start, end))

    def line(self, places, options=None):
        """The shortest line between two coordinates."""
        answer = self.route(places, options or {"shortest": True, "max_hiking_difficulty": 6})
        answer = json.loads(answer) if isinstance(answer, str) else answer
        return [point for leg in answer["trip"]["legs"] for point in decoded(leg["shape"])]

    def stretches(self, places):
        """Metres on each way of a hiker's route, by the ids of the ways."""
        line = self.line(places, HIKING)
        answer = self.actor.trace_attributes(
            {
                "shape": [{"lat": lat, "lon": lon} for lat, lon in line],
                "costing": "pedestrian",
                "costing_options": {"pedestrian": HIKING},
                "shape_match": "edge_walk",
                "filters": {"attributes": ["edge.way_id", "edge.length"], "action": "include"},
            }
        )
        answer = json.loads(answer) if isinstance(answer, str) else answer
        return [(str(edge["way_id"]), edge["length"] * 1000) for edge in answer["edges"]]


# Valhalla's settings for hikers: up to T3, trails rather than roads.
HIKING = {"type": "foot", "max_hiking_difficulty": 3, "walkway_factor": 0.8, "sidewalk_factor": 1.0, "use_tracks": 1.0}

# Kinds of ways that OSRM's profile for walkers excludes, and an area's outline that it treats as a way.
DISTANCE_PROFILE = """
package.path = "{folder}/?.lua;" .. package.path
local foot = dofile("{profile}")
local setup = foot.setup
foot.setup = function()
  local profile = setup()
  profile.properties.weight_name = "distance"
  for _, kind in ipairs({{"trunk", "trunk_link", "cycleway", "bridleway", "road", "corridor", "elevator"}}) do
    profile.speeds.highway[kind] = profile.default_speed
  end
  profile.speeds.amenity = {{}}
  return profile
end
return foot
"""


class OSRM:
    """Its contracted network by the profile for walkers, and routes with their whole geometry."""

    def __init__(self, extract, folder, shortest=False):
        import osrm

        self.osrm = osrm
        profile = osrm_profile()
        if shortest:
            own = folder / "distance.lua"
            own.write_text(DISTANCE_PROFILE.format(folder=profile.parent, profile=profile), encoding="utf-8")
            profile = own
        copy = folder / "map.osm.pbf"
        copy.symlink_to(extract)
        base = folder / "map.osrm"
        self.build = run(sys.executable, "-m", "osrm", "extract", "-p", profile, copy)
        self.build += run(sys.executable, "-m", "osrm", "contract", base)
        self.engine = osrm.OSRM(str(base))

    def query(self, start, end):
        places = [(lon, lat) for lat, lon in (start, end)]
        self.engine.Route(self.osrm.RouteParameters(coordinates=places, overview="full"))

    def line(self, places):
        parameters = self.osrm.RouteParameters(
            coordinates=[(lon, lat) for lat, lon in places], overview="full", geometries="polyline6"
        )
        return decoded(self.engine.Route(parameters)["routes"][0]["geometry"])


def osrm_profile():
    """The profile for walkers that comes with the package."""
    spec = importlib.util.find_spec("osrm")
    roots = [pathlib.Path(place) for place in spec.submodule_search_locations or []]
    for root in roots + [pathlib.Path(sys.prefix)]:
        for found in sorted(root.rglob("foot.lua")):
            return found
    raise Failure("the package contains no foot.lua")


def decoded(text):
    """The coordinates of an encoded polyline of six digits."""
    numbers, shift, value = [], 0, 0
    for letter in text:
        bits = ord(letter) - 63
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            shift, value = 0, 0
    places, lat, lon = [], 0, 0
    for north, east in zip(numbers[::2], numbers[1::2], strict=True):
        lat, lon = lat + north, lon + east
        places.append((lat / 1e6, lon / 1e6))
    return places


def metres(line):
    """The length of a line on the sphere that Rutter measures on."""
    whole = 0.0
    for (lat, lon), (next_lat, next_lon) in zip(line, line[1:]):
        low, high = math.radians(lat), math.radians(next_lat)
        square = math.sin((high - low) / 2) ** 2
        square += math.cos(low) * math.cos(high) * math.sin(math.radians(next_lon - lon) / 2) ** 2
        whole += 2 * 6372797.6 * math.asin(min(1.0, math.sqrt(square)))
    return whole


# The maximum snapping distance of Rutter, in metres.
SNAP_RADIUS = 500
# The maximum distance in metres between equal start points of two routers: coordinates are rounded.
SAME_PLACE = 1
# Classes of roads that count as walked along a road.
ROADS = {kind + link for kind in ("trunk", "primary", "secondary", "tertiary") for link in ("", "_link")}


class Score:
    """A comparison of Rutter's routes with those of another router."""

    def __init__(self):
        self.lost, self.far, self.extra, self.apart = [], 0, 0, 0
        self.both, self.longer, self.shorter = 0, [], 0

    def add(self, index, places, answer, line):
        """Adds a pair; `line` requests the other's route, and fails if there is none."""
        own = answer.get("shortest")
        try:
            found = line(places)
        except Exception:  # Each router has its own errors for pairs without a route.
            self.extra += own is not None
            return
        if own is None:
            ends = zip(places, (found[0], found[-1]), strict=True)
            if any(metres([place, end]) > SNAP_RADIUS for place, end in ends):
                self.far += 1
            else:
                self.lost.append(index)
            return
        # Lengths are compared between the same points: those that Rutter snapped to.
        try:
            found = line(answer["snapped"])
        except Exception:
            self.apart += 1
            return
        if metres([found[0], own[0]]) > SAME_PLACE or metres([found[-1], own[-1]]) > SAME_PLACE:
            self.apart += 1
            return
        self.both += 1
        mine, theirs = metres(own), metres(found)
        # Differences below a metre are rounding of coordinates.
        if mine > theirs * 1.01 + 1:
            self.longer.append((index, mine, theirs))
        elif theirs > mine * 1.01 + 1:
            self.shorter += 1

    def text(self, name, count):
        within = 100 * (1 - len(self.longer) / self.both) if self.both else 0
        text = f"{name}: {count} pairs; Rutter alone fails for {len(self.lost)}"
        text += f" (and for {self.far} where {name} begins or ends over {SNAP_RADIUS} m away), {name} alone for {self.extra}"
        text += f"; {self.both} lengths compared between the same coordinates ({self.apart} are not comparable)"
        return text + f": within 1 % of its shortest {within:.1f} %, longer {len(self.longer)}, shorter {self.shorter}"


def road_shares(export, router):
    """Of all metres walked, the part along roads and that of T4 and harder, of Rutter's routes and of the other's."""
    own, other = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]

    def add(sums, highway, grade, length):
        sums[0] += length
        sums[1] += length if highway in ROADS else 0
        sums[2] += length if grade >= 4 else 0

    for answer in export["answers"]:
        if not answer.get("hiking"):
            continue
        try:
            stretches = router.stretches(answer["places"])
        except Exception:
            continue
        for stretch in answer["hiking"]:
            add(own, stretch["highway"], stretch["sac"], stretch["metres"])
        for way, length in stretches:
            known = export["ways"].get(way, {"highway": "", "sac": 0})
            add(other, known["highway"], known["sac"], length)
    return own, other


def compare_shortest(export, name, make, output):
    """Prints the scores of one router on the routes of one region."""
    answers = export["answers"]
    region = pathlib.Path(export["extract"]).name.removesuffix(".osm.pbf")
    with tempfile.TemporaryDirectory(prefix="compare-routers-") as folder:
        router = make(pathlib.Path(export["extract"]).resolve(), pathlib.Path(folder), True)
        score = Score()
        for index, answer in enumerate(answers):
            score.add(index, answer["places"], answer["lines"][name], router.line)
        output(f"{region}, " + score.text(name, len(answers)))
        for index, mine, theirs in score.longer:
            output(f"  pair {index}: {mine:.0f} m, its shortest {theirs:.0f} m; {answers[index]['lines'][name]['snapped']}")
        for index in score.lost:
            output(f"  pair {index}: {answers[index]['lines'][name].get('failure')}; {answers[index]['places']}")
        if hasattr(router, "stretches"):
            own, other = road_shares(export, router)
            if own[0] and other[0]:
                output(
                    f"{region}, {name}, hiking: along roads {100 * own[1] / own[0]:.1f} % of {own[0] / 1000:.0f} km,"
                    f" it {100 * other[1] / other[0]:.1f} % of {other[0] / 1000:.0f} km; T4 and harder {own[2]:.0f} m,"
                    f" it {other[2]:.0f} m"
                )


ROUTERS = {"valhalla": Valhalla, "osrm": OSRM}


def line(name, export, build, query, failures):
    """The printed results of a router."""
    own = export["planMedianSeconds"]
    text = f"{name}: query {query * 1000:.3f} ms, {query / own:.1f} times as long as a plan of Rutter's ({own * 1000:.3f} ms)"
    text += f"; build {build:.2f} s"
    imported = export.get("importSeconds")
    if imported:
        text += f", {build / imported:.1f} times as long as Rutter's import ({imported:.2f} s)"
    if failures:
        text += f"; no route for {failures} of {len(export['pairs'])} pairs"
    return text


def measure(make, export):
    """Seconds of the build and of the median query, and the number of failures."""
    with tempfile.TemporaryDirectory(prefix="compare-routers-") as folder:
        router = make(pathlib.Path(export["extract"]).resolve(), pathlib.Path(folder))
        return router.build, *median_query(export["pairs"], router.query)


def main(arguments=None, output=print):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", nargs="+", help="a file that routing-bench wrote: --export, or --peers with --shortest")
    parser.add_argument("--only", choices=sorted(ROUTERS), help="only one router")
    parser.add_argument("--shortest", action="store_true", help="compare routes instead of times")
    options = parser.parse_args(arguments)
    try:
        exports = [(read_peers if options.shortest else read_export)(path) for path in options.export]
    except Failure as failure:
        output(str(failure))
        return 2
    measured = 0
    for name, make in ROUTERS.items():
        if options.only not in (None, name):
            continue
        reason = missing(name)
        if reason:
            output(f"{name}: {reason}")
            continue
        for export in exports:
            try:
                if options.shortest:
                    compare_shortest(export, name, make, output)
                else:
                    output(line(name, export, *measure(make, export)))
            except Failure as failure:
                output(f"{name}: {failure}")
                continue
            measured += 1
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
