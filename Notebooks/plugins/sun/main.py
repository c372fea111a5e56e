"""Sunrise and sunset for a place and a date, by the equations of NOAA's solar calculator (Meeus, Astronomical
Algorithms): within a minute between the polar circles, and for heights of the horizon of 0."""

import datetime
import math

from rutter_plugin import Error, Parameter, Plugin, Quantity, Table

# The sun's centre when its upper limb touches the horizon: half its diameter, and refraction.
ZENITH = 90.833

plugin = Plugin(
    "sun", "1.0", "sunrise and sunset",
    errors=[{"code": "E-SUN-NEVER", "title": "the sun does not rise or does not set on that day",
             "explanation": "Beyond the polar circles there are days without a sunrise, and days without a sunset."}])


def position(moment):
    """The sun's declination in degrees, and the equation of time in minutes."""
    century = (moment.timestamp() / 86400 + 2440587.5 - 2451545) / 36525
    mean = math.radians((280.46646 + century * (36000.76983 + 0.0003032 * century)) % 360)
    anomaly = math.radians(357.52911 + century * (35999.05029 - 0.0001537 * century))
    eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
    centre = ((1.914602 - century * (0.004817 + 0.000014 * century)) * math.sin(anomaly)
              + (0.019993 - 0.000101 * century) * math.sin(2 * anomaly) + 0.000289 * math.sin(3 * anomaly))
    node = math.radians(125.04 - 1934.136 * century)
    longitude = math.radians(math.degrees(mean) + centre - 0.00569 - 0.00478 * math.sin(node))
    tilt = 23 + (26 + (21.448 - century * (46.815 + century * (0.00059 - 0.001813 * century))) / 60) / 60
    tilt = math.radians(tilt + 0.00256 * math.cos(node))
    y = math.tan(tilt / 2) ** 2
    equation = (y * math.sin(2 * mean) - 2 * eccentricity * math.sin(anomaly)
                + 4 * eccentricity * y * math.sin(anomaly) * math.cos(2 * mean)
                - 0.5 * y * y * math.sin(4 * mean) - 1.25 * eccentricity ** 2 * math.sin(2 * anomaly))
    return math.degrees(math.asin(math.sin(tilt) * math.sin(longitude))), 4 * math.degrees(equation)


def crossing(place, day, sign):
    """The moment at which the sun rises (-1) or sets (+1) on the day of the place's own noon; None where it does not."""
    moment = day + datetime.timedelta(minutes=720 - 4 * place.longitude)
    for _ in range(4):  # The sun moves on between noon and the crossing; four steps converge.
        declination, equation = position(moment)
        latitude, declination = math.radians(place.latitude), math.radians(declination)
        cosine = (math.cos(math.radians(ZENITH)) / (math.cos(latitude) * math.cos(declination))
                  - math.tan(latitude) * math.tan(declination))
        if not -1 <= cosine <= 1:
            return None
        angle = math.degrees(math.acos(cosine))
        moment = day + datetime.timedelta(minutes=720 - 4 * place.longitude - equation + sign * 4 * angle)
    return moment.replace(microsecond=0)


def midnight(date):
    return date.astimezone(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)


PLACE = Parameter("place", "place", "where")
DATE = Parameter("date", "date", "the day (default: the session's)", kind="option")


@plugin.command(
    "sun times", "find sunrise and sunset of a day", parameters=[PLACE, DATE],
    details="The times are those of the sea's horizon, in the session's zone. Days are those of UTC.",
    gives="record", effect="pure", terms=["dawn", "dusk", "daylight"],
    examples=[{"title": "the length of a day", "line": "sun times 51.4769,0 --date 2026-06-21 | get daylight",
               "gives": "16h38min9s"}])
def times(call, place, date=None):
    day = midnight(date or call.clock)
    rise, set_ = crossing(place, day, -1), crossing(place, day, 1)
    if rise is None:
        raise Error("E-SUN-NEVER", f"the sun neither rises nor sets there on {day.date()}", argument="place")
    return {"at": place, "rise": rise, "set": set_, "daylight": Quantity((set_ - rise).total_seconds(), "s")}


@plugin.command(
    "sun year", "list sunrise and sunset of the days of a year", parameters=[
        PLACE, Parameter("year", "integer", "the year (default: the session's)", kind="option", min=1, max=9998),
        Parameter("step", "integer", "days between rows", kind="option", default="1", min=1, max=366)],
    gives="rows: day rise set daylight", effect="pure",
    examples=[{"title": "every tenth day", "line": "sun year 46.5,7.9 --year 2026 --step 10 | count", "gives": "37"}])
def year(call, place, year=None, step=1):
    year = year or call.clock.year
    day = datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc)
    rows = []
    while day.year == year:
        call.check()
        rise, set_ = crossing(place, day, -1), crossing(place, day, 1)
        light = None if rise is None else Quantity((set_ - rise).total_seconds(), "s")
        call.trace("day", "the sun crosses the horizon" if rise else "it does not cross the horizon", day=day)
        rows.append([day, rise, set_, light])
        day += datetime.timedelta(days=step)
    return Table(["day", "rise", "set", "daylight"], rows)


plugin.run()
