import TrailStores

/// The kinds of finding in a transit schedule.
enum TransitFindings {
    static let stop = FindingKind(
        .error, "F-TRANSIT-STOP", "a stop's coordinate is out of range",
        why: "Latitudes are numbers between -90 and 90, longitudes between -180 and 180.",
        fix: "import the feed again, or correct the coordinate")
    static let call = FindingKind(
        .error, "F-TRANSIT-CALL", "a pattern refers to a missing stop",
        why: "pattern_stops.sid refers to a row of stops.", fix: "import the feed again")
    static let pattern = FindingKind(
        .error, "F-TRANSIT-PATTERN", "a pattern is missing, or has fewer than two stops",
        why: "Trips and calls refer to a row of patterns, and a pattern has at least two stops.",
        fix: "import the feed again")
    static let order = FindingKind(
        .error, "F-TRANSIT-ORDER", "a pattern runs back in time",
        why:
            "Along a pattern, no arrival is before the previous departure, and no departure before its arrival.",
        fix: "correct the offsets from the feed's stop times")
    static let route = FindingKind(
        .error, "F-TRANSIT-ROUTE", "a pattern's route is missing",
        why: "patterns.rid refers to a row of routes.", fix: "import the feed again")
    static let service = FindingKind(
        .warning, "F-TRANSIT-SERVICE", "a trip's service is missing",
        why: "The service is in neither calendar nor calendar_dates, so the trip never runs.",
        fix: "add the service's days, or delete the trip")
    static let start = FindingKind(
        .error, "F-TRANSIT-START", "a trip's start is out of range",
        why: "start_time_secs are seconds after the service day's reference, not negative, or NULL.",
        fix: "take it from the feed's stop times")
    static let calendar = FindingKind(
        .error, "F-TRANSIT-CALENDAR", "a service's days are invalid",
        why:
            "days has a bit for each weekday (0 to 127); dates are YYYY-MM-DD, the end not before the start.",
        fix: "take them from the feed's calendar")
    static let exception = FindingKind(
        .error, "F-TRANSIT-EXCEPTION", "an exception of a service is invalid",
        why: "The date is YYYY-MM-DD; the type is 1 for added and 2 for removed.",
        fix: "take it from the feed's calendar_dates")
    static let identifier = FindingKind(
        .error, "F-TRANSIT-ID", "a number has no identifier",
        why: "dict_stop, dict_route and dict_pattern map each number to the feed's identifier.",
        fix: "import the feed again")
    static let search = FindingKind(
        .warning, "F-TRANSIT-SEARCH", "the search index differs from the stops",
        why:
            "stops_fts and stops_rtree are derived from stops. A stop that they lack, or know by another name, is not found.",
        fix: "rebuild the index, for example with `store repair`")
    static let zone = FindingKind(
        .info, "F-TRANSIT-ZONE", "the time zone is unknown",
        why: "Without metadata('timezone'), times are shown in the session's zone.",
        fix: "write the agency's zone, such as Europe/Zurich, into metadata")
    static let zero = FindingKind(
        .warning, "F-TRANSIT-ZERO", "a stop's coordinate is 0,0",
        why: "A feed without the coordinate has 0,0, a point in the Atlantic.", fix: "correct the coordinate")
    static let swapped = FindingKind(
        .warning, "F-TRANSIT-SWAPPED", "a stop's latitude and longitude look swapped",
        why: "No other stop is near; with both values exchanged the stop lies among the others.",
        fix: "exchange stop_lat and stop_lon")
    static let parent = FindingKind(
        .warning, "F-TRANSIT-PARENT", "a stop's parent station is missing",
        why:
            "parent_station refers to no stop, or to the stop itself, so platforms and entrances are not grouped.",
        fix: "add the station, or clear parent_station")
    static let offset = FindingKind(
        .error, "F-TRANSIT-OFFSET", "an offset is out of range",
        why:
            "Offsets count from the departure at the first stop, and only the arrival there may lie before it; no trip takes weeks.",
        fix: "take them from the feed's stop times")
    static let tripRoute = FindingKind(
        .warning, "F-TRANSIT-TRIPROUTE", "a trip's route is not its pattern's",
        why: "A pattern belongs to one route; departures show either name.", fix: "import the feed again")
    static let text = FindingKind(
        .warning, "F-TRANSIT-NUL", "a text has a NUL, invalid bytes or HTML",
        why:
            "Readers in C end a text at a NUL, and drop or replace bytes that are not UTF-8. Lists show the tags and references of HTML as they stand.",
        fix: "import the feed again in its encoding")
    static let index = FindingKind(
        .info, "F-TRANSIT-INDEX", "an index is missing",
        why: "Without the index on stops and offsets each query of departures reads all patterns.",
        fix: "create the index")
    static let far = FindingKind(
        .warning, "F-TRANSIT-FAR", "a stop is too far from its neighbours",
        why:
            "No vehicle on the ground travels the distance in the time of the timetable: the coordinate is wrong.",
        fix: "correct the coordinate")
    static let ended = FindingKind(
        .warning, "F-TRANSIT-ENDED", "the timetable has ended",
        why: "No service runs on any day from now on: every query of departures is empty.",
        fix: "import the current feed")
    static let never = FindingKind(
        .warning, "F-TRANSIT-NEVER", "a service never runs",
        why: "It has no weekday and no added date, so that none of its trips runs.",
        fix: "take its days from the feed's calendar")
    static let code = FindingKind(
        .warning, "F-TRANSIT-CODE", "a code is not one of GTFS",
        why: "The reference of GTFS lists the codes; what readers do with others differs.",
        fix: "take the code from the feed")
    static let color = FindingKind(
        .warning, "F-TRANSIT-COLOR", "a colour is not six hexadecimal digits",
        why: "route_color and route_text_color are RRGGBB or empty; readers draw others black or fail.",
        fix: "take the colour from the feed")
    static let contrast = FindingKind(
        .info, "F-TRANSIT-CONTRAST", "a route's text has the colour of its background",
        why: "Where readers draw the route's name in route_text_color on route_color, it cannot be read.",
        fix: "take both colours from the feed")
    static let twice = FindingKind(
        .info, "F-TRANSIT-TWICE", "a trip is there twice",
        why:
            "Pattern, service and start are those of another trip: boards show both, though they may be one vehicle.",
        fix: "import the feed again, if it has one of them only")
    static let name = FindingKind(
        .warning, "F-TRANSIT-NAME", "a stop has no name",
        why: "Stops, stations and entrances have a name; lists show an empty line.",
        fix: "take the name from the feed")
    static let onePlace = FindingKind(
        .warning, "F-TRANSIT-ONEPLACE", "all stops are at one place",
        why: "Stops differ: a statement or an import wrote one coordinate over all.",
        fix: "import the feed again")
    static let instant = FindingKind(
        .warning, "F-TRANSIT-INSTANT", "a pattern takes no time",
        why:
            "All its stops have one and the same offset, though they are kilometres apart: journeys over it arrive when they depart.",
        fix: "take the offsets from the feed's stop times")
    static let all = [
        onePlace, instant, far, ended, never, code, color, contrast, twice, name, zero, swapped, parent,
        offset, tripRoute,
        text, index, stop,
        call, pattern, order, route, service,
        start, calendar, exception, identifier, search, zone,
    ]
}
