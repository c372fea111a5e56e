#!/usr/bin/env python3
"""Runs Valhalla and OSRM on the pairs of places that routing-bench measured, and prints ratios.

    swift run -c release routing-bench --only liechtenstein --export pairs.json
    python3 Tests/Benchmarks/Routing/compare-routers.py pairs.json

Both come from PyPI for Python 3.12 and later: pip install pyvalhalla osrm-bindings. What is not installed is named
and skipped. All times are of one process at a time: of a query its median over all pairs, of a build the whole process.
"""

import argparse
import importlib.util
import json
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
    """Something that keeps a router from being measured."""


def read_export(path):
    """The file that routing-bench --export wrote, checked."""
    try:
        export = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path} cannot be read: {error}") from None
    if not isinstance(export, dict) or not export.get("pairs") or "planMedianSeconds" not in export:
        raise Failure(f"{path} was not written by routing-bench --export")
    if not pathlib.Path(export.get("extract", "")).is_file():
        raise Failure(f"the extract {export.get('extract')} is not there any more")
    return export


def missing(module):
    """Why a package cannot be used, in words; None when it can."""
    if importlib.util.find_spec(module) is not None:
        return None
    text = f"not installed: pip install {PACKAGES[module]}"
    if sys.version_info < LEAST_PYTHON:
        wanted, present = (".".join(map(str, v[:2])) for v in (LEAST_PYTHON, sys.version_info))
        text += f" (its packages need Python {wanted} or later, this is {present})"
    return text


def run(*words):
    """Runs a program to its end; gives the seconds it took."""
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise Failure(f"{' '.join(map(str, words[:4]))} … failed: {last[0]}")
    return seconds


def median_query(pairs, query):
    """The median seconds of a query over all pairs, and how many of them failed."""
    times, failures = [], 0
    for start, end in pairs:
        began = time.perf_counter()
        try:
            query(start, end)
        except Exception:  # Each router has its own errors for places without a way between them.
            failures += 1
            continue
        times.append(time.perf_counter() - began)
    if not times:
        raise Failure("it found no route for any pair")
    return statistics.median(times), failures


def measure_valhalla(extract, pairs, folder):
    """Builds tiles and asks for pedestrian routes without instructions."""
    import valhalla

    tiles = folder / "tiles"
    tiles.mkdir()
    config = valhalla.get_config(tile_extract="", tile_dir=str(tiles), verbose=False)
    file = folder / "valhalla.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    build = run(sys.executable, "-m", "valhalla", "valhalla_build_tiles", "-c", file, extract)
    actor = valhalla.Actor(config)

    def query(start, end):
        actor.route(
            {
                "locations": [{"lat": lat, "lon": lon} for lat, lon in (start, end)],
                "costing": "pedestrian",
                "directions_type": "none",
            }
        )

    return build, *median_query(pairs, query)


def osrm_profile():
    """The profile for walkers that comes with the package."""
    spec = importlib.util.find_spec("osrm")
    roots = [pathlib.Path(place) for place in spec.submodule_search_locations or []]
    for root in roots + [pathlib.Path(sys.prefix)]:
        for found in sorted(root.rglob("foot.lua")):
            return found
    raise Failure("the package brings no foot.lua")


def measure_osrm(extract, pairs, folder):
    """Extracts and contracts by the profile for walkers, and asks for routes with their whole geometry."""
    import osrm

    copy = folder / "map.osm.pbf"
    copy.symlink_to(extract)
    base = folder / "map.osrm"
    build = run(sys.executable, "-m", "osrm", "extract", "-p", osrm_profile(), copy)
    build += run(sys.executable, "-m", "osrm", "contract", base)
    engine = osrm.OSRM(str(base))

    def query(start, end):
        places = [(lon, lat) for lat, lon in (start, end)]
        engine.Route(osrm.RouteParameters(coordinates=places, overview="full"))

    return build, *median_query(pairs, query)


ROUTERS = {"valhalla": measure_valhalla, "osrm": measure_osrm}


def line(name, export, build, query, failures):
    """What is printed of a router that was measured."""
    own = export["planMedianSeconds"]
    text = f"{name}: query {query * 1000:.3f} ms, {query / own:.1f} times as long as a plan of Rutter's ({own * 1000:.3f} ms)"
    text += f"; build {build:.2f} s"
    imported = export.get("importSeconds")
    if imported:
        text += f", {build / imported:.1f} times as long as Rutter's import ({imported:.2f} s)"
    if failures:
        text += f"; no route for {failures} of {len(export['pairs'])} pairs"
    return text


def main(arguments=None, output=print):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", help="the file that routing-bench --export wrote")
    parser.add_argument("--only", choices=sorted(ROUTERS), help="one router alone")
    options = parser.parse_args(arguments)
    try:
        export = read_export(options.export)
    except Failure as failure:
        output(str(failure))
        return 2
    measured = 0
    for name, measure in ROUTERS.items():
        if options.only not in (None, name):
            continue
        reason = missing(name)
        if reason:
            output(f"{name}: {reason}")
            continue
        with tempfile.TemporaryDirectory(prefix="compare-routers-") as folder:
            try:
                result = measure(pathlib.Path(export["extract"]).resolve(), export["pairs"], pathlib.Path(folder))
            except Failure as failure:
                output(f"{name}: {failure}")
                continue
        output(line(name, export, *result))
        measured += 1
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
