"""gpsbabel as an independent reader: the content of a file, through the GPX that it writes. Debian's package `gpsbabel`."""

import re
import shutil
import subprocess
import tempfile
import os
import xml.etree.ElementTree as ET

TYPES = {"fit": "garmin_fit", "tcx": "gtrnctr", "gpx": "gpx", "kml": "kml"}


def is_there():
    return shutil.which("gpsbabel") is not None


def convert(source, kind, target, output="gpx,garminextensions"):
    """Converts tracks. Returns the error of gpsbabel if it fails."""
    result = subprocess.run(
        ["gpsbabel", "-t", "-i", TYPES[kind], "-f", source, "-o", output, "-F", target],
        capture_output=True, text=True, errors="replace", timeout=120)
    return None if result.returncode == 0 else result.stderr.strip() or f"status {result.returncode}"


def points(path, kind, seconds):
    """The track points that gpsbabel finds, with unknown values as None, or its complaint as text."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out.gpx")
        complaint = convert(path, kind, target)
        if complaint:
            return complaint
        return gpx_points(target, seconds)


def gpx_points(path, seconds):
    with open(path, encoding="utf-8", errors="replace") as file:
        # gpsbabel copies elements of other programs without the declaration of their prefix.
        text = re.sub(r"<(/?)(\w+):(\w+)", r"<\1\3", file.read())
    found = []
    for point in (node for node in ET.fromstring(text).iter() if node.tag.rsplit("}", 1)[-1] == "trkpt"):
        values = {node.tag.rsplit("}", 1)[-1]: node.text for node in point.iter() if node.text and node.text.strip()}
        pick = lambda name: float(values[name]) if name in values else None
        found.append({
            "lat": float(point.get("lat")), "lon": float(point.get("lon")), "ele": pick("ele"),
            "time": seconds(values.get("time")), "hr": pick("hr"), "cad": pick("cad"), "temperature": pick("atemp"),
        })
    return found
