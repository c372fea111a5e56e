"""Runs entries of one session, and returns their output."""

import datetime
import json
import os
import re
import subprocess

UTC = datetime.timezone.utc
MARK = "-- the next entry --"
program = "rutter"


def run(folder, *entries):
    """What each entry of a session prints, in order; and all that it says on the error stream. An error ends a session of
    entries, so those after it print nothing."""
    arguments = [program, "--workspace", os.path.join(folder, "ws"), "--clock", "2026-02-06T08:00:00Z"]
    for entry in entries:
        arguments += ["-c", entry, "-c", f"'{MARK}'"]
    result = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=600)
    printed = [part.strip() for part in result.stdout.split(MARK)][:len(entries)]
    return printed + [""] * (len(entries) - len(printed)), result.stderr


def read(text, default=None):
    """A printed JSON value."""
    return json.loads(text) if text else default


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


def points(rows):
    """The points of `hike points`, with unknown values as None."""
    return [{
        "lat": row["at"]["latitude"], "lon": row["at"]["longitude"], "ele": number(row["altitude"]),
        "time": seconds(row["time"]), "hr": number(row["heartRate"]), "cad": number(row["cadence"]),
        "power": number(row["power"]), "temperature": number(row["temperature"]), "speed": number(row["speed"]),
        "accuracy": number(row["accuracy"]), "segment": row["segment"],
    } for row in rows]
