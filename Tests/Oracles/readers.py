"""The content of files according to independent readers: fitdecode and Garmin's SDK in FIT, plain XML in TCX, and in GPX what it holds beside
points."""

import re
import xml.etree.ElementTree as ET

import fitdecode
import garmin_fit_sdk

from rutter import UTC, seconds

SEMICIRCLE = 180 / 2**31
# Fields of a FIT record, by the names of the profile.
FIT_FIELDS = {
    "hr": "heart_rate", "cad": "cadence", "power": "power", "temperature": "temperature", "accuracy": "gps_accuracy",
    "distance": "distance",
}
LAP_FIELDS = [
    "start_time", "total_elapsed_time", "total_timer_time", "total_distance", "total_calories", "avg_heart_rate",
    "max_heart_rate", "avg_cadence",
]


def moment(value):
    return None if value is None else value.replace(tzinfo=value.tzinfo or UTC).timestamp()


def local(tag):
    return tag.rsplit("}", 1)[-1]


def fit_record(get):
    if get("position_lat") is None or get("position_long") is None:
        return None

    def better(name):
        return get("enhanced_" + name) if get("enhanced_" + name) is not None else get(name)

    point = {key: get(name) for key, name in FIT_FIELDS.items()}
    point |= {
        "lat": get("position_lat") * SEMICIRCLE, "lon": get("position_long") * SEMICIRCLE, "ele": better("altitude"),
        "speed": better("speed"), "time": moment(get("timestamp")),
    }
    return point


class FITFile:
    """A FIT file by fitdecode: points, samples without a position, laps, and the numbers of what else it says."""

    def __init__(self, path):
        self.points, self.unplaced, self.laps = [], [], []
        self.sport = None
        # How often each field of records has a value, and how often each message occurs, by number.
        self.fields, self.messages = {}, {}
        with fitdecode.FitReader(path) as reader:
            for frame in reader:
                if not isinstance(frame, fitdecode.FitDataMessage):
                    continue
                self.messages[frame.global_mesg_num] = self.messages.get(frame.global_mesg_num, 0) + 1
                get = lambda name: frame.get_value(name, fallback=None)
                if frame.name == "record":
                    for field in frame.fields:
                        known = field.raw_value is not None and field.field_def is not None
                        if known and not isinstance(field.field_def, fitdecode.types.DevFieldDefinition):
                            number = field.field_def.def_num
                            self.fields[number] = self.fields.get(number, 0) + 1
                    point = fit_record(get)
                    if point:
                        self.points.append(point)
                    else:
                        self.unplaced.append((moment(get("timestamp")), get("heart_rate"), get("distance")))
                elif frame.name == "lap":
                    values = [get(name) for name in LAP_FIELDS]
                    self.laps.append([moment(value) if hasattr(value, "tzinfo") else value for value in values])
                elif frame.name == "session":
                    self.sport = str(get("sport"))


def sdk_points(path):
    """The records with a position, by Garmin's own reader."""
    messages, _ = garmin_fit_sdk.Decoder(garmin_fit_sdk.Stream.from_file(path)).read()
    found = (fit_record(record.get) for record in messages.get("record_mesgs", []))
    return [point for point in found if point]


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
            "speed": pick("Speed"), "distance": pick("DistanceMeters"),
        })
    return found


def tcx_laps(path):
    """The laps with their numbers, and the activity."""
    root = ET.parse(path).getroot()
    laps = []
    for lap in (node for node in root.iter() if local(node.tag) == "Lap" and node.get("StartTime")):
        values = {"start": seconds(lap.get("StartTime"))}
        for node in lap:
            if local(node.tag) in ("TotalTimeSeconds", "DistanceMeters", "MaximumSpeed", "Calories", "Cadence"):
                values[local(node.tag)] = round(float(node.text), 3)
            elif local(node.tag) in ("Intensity", "TriggerMethod"):
                values[local(node.tag)] = node.text.strip()
            elif local(node.tag) in ("AverageHeartRateBpm", "MaximumHeartRateBpm"):
                values[local(node.tag)] = float(node[0].text)
        laps.append(values)
    sports = [node.get("Sport") for node in root.iter() if local(node.tag) == "Activity"]
    return laps, sports


def leaves(path):
    """What a GPX file says, as a count for each value of each point and of the document, and the places of the points.
    Numbers are compared to a millimetre. GPX 1.0 keeps words of the document elsewhere than 1.1, so their place is left out, and
    it calls links `url` and `urlname`. A segment counts with its number of points; one without is no fact of a recording."""
    found = {}
    places = {}
    names = {"url": "link", "urlname": "text"}

    def value(text):
        text = " ".join(text.split())
        if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text):
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
            # Waypoints have no order; points of a line have. Seven decimals are what is written.
            place = f"wpt {known[-1][0]:.7f},{known[-1][1]:.7f}" if name == "wpt" else f"{name} {len(known)}"
        if name == "trkseg":
            size = sum(local(child.tag) == "trkpt" for child in node)
            if size:
                count(f"segment from point {len(places.get('trkpt', [])) + 1}={size}")
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
