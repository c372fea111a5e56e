"""Lengths of tracks by three measures: ours, gpxpy's, and geodesics on the WGS 84 ellipsoid (geographiclib)."""

from geographiclib.geodesic import Geodesic

MEAN_RADIUS = 6372797.6
# gpxpy measures on a sphere with the radius of the equator.
GPXPY_RADIUS = 6378137.0
# How far a distance may be from gpxpy's, as a part of it.
TOLERANCE = 0.001
# What a rounded coordinate and a rounded sum may add, in metres.
NOISE = 0.01


def geodesic(segments):
    """Metres within segments along geodesics."""
    inverse = Geodesic.WGS84.Inverse
    total = 0.0
    for segment in segments:
        for (a, b), (c, d) in zip(segment, segment[1:]):
            total += inverse(a, b, c, d, Geodesic.DISTANCE)["s12"]
    return total


class Tally:
    """The largest relative differences, with the file of each."""

    def __init__(self):
        self.largest = {}
        self.count = 0

    def add(self, file, ours, gpxpy, true):
        self.count += 1
        # Shorter tracks say more of rounding than of the measure.
        if true < 10:
            return
        for name, difference in {
            "ours from gpxpy's": ours / gpxpy - 1,
            "ours from gpxpy's on the same sphere": ours / (gpxpy * MEAN_RADIUS / GPXPY_RADIUS) - 1,
            "ours from the geodesic": ours / true - 1, "gpxpy's from the geodesic": gpxpy / true - 1,
        }.items():
            here = (difference, file)
            low, high, total, number = self.largest.get(name, (here, here, 0, 0))
            low, high = min(low, here), max(high, here)
            self.largest[name] = low, high, total + abs(difference), number + 1

    def report(self):
        print(f"distances of {self.count} tracks, relative differences:")
        for name, (low, high, total, number) in self.largest.items():
            print(
                f"  {name}: {low[0]:+.3%} ({low[1]}) to {high[0]:+.3%} ({high[1]}), {total / number:.3%} in the mean")
