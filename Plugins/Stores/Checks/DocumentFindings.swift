import TrailStores

/// The kinds of finding in planned routes.
enum PlannedRouteFindings {
    static let json = FindingKind(
        .error, "F-ROUTE-JSON", "a planned route cannot be read",
        why: "Apps skip a file that does not decode: the route is missing from their list.",
        fix: "correct the named key; the file is text")
    static let name = FindingKind(
        .warning, "F-ROUTE-FILE", "the file is not named after its route",
        why: "Apps look up a route as <UUID>.json, and would save it to a second file.",
        fix: "rename the file")
    static let twice = FindingKind(
        .error, "F-ROUTE-TWICE", "two files contain the same route",
        why: "Routes are identified by their UUID.", fix: "compare the files and delete the older one")
    static let place = FindingKind(
        .error, "F-ROUTE-PLACE", "a coordinate of the route is out of range",
        why: "Latitudes are between -90 and 90, longitudes between -180 and 180.", fix: "plan the route again"
    )
    static let empty = FindingKind(
        .error, "F-ROUTE-EMPTY", "the route has no line", why: "A line has at least two coordinates.",
        fix: "plan the route again")
    static let ends = FindingKind(
        .warning, "F-ROUTE-ENDS", "the ends of the line and of the route differ",
        why: "The line leads from startCoordinate to endCoordinate, over the last steps to the next way.",
        fix: "plan the route again")
    static let distance = FindingKind(
        .warning, "F-ROUTE-DISTANCE", "the route's length differs from its line",
        why: "totalDistance is the length of the line.", fix: "recompute it from the line")
    static let number = FindingKind(
        .error, "F-ROUTE-NUMBER", "a number of the route is out of range",
        why: "Distance, duration and climbs are not negative.", fix: "recompute it from the line")
    static let turns = FindingKind(
        .warning, "F-ROUTE-TURNS", "the turn instructions are out of order",
        why: "They run from start to arrive, each further along the line than the previous one.",
        fix: "plan the route again")
    static let profile = FindingKind(
        .warning, "F-ROUTE-PROFILE", "the elevation profile is out of order",
        why: "Its distances grow from 0 to the length of the route.", fix: "sample the elevations again")
    static let fraction = FindingKind(
        .warning, "F-ROUTE-FRACTION", "the app skips the route for its date",
        why:
            "The iOS app decodes only dates without a fraction of a second, and skips other files.",
        fix: "write the date without the fraction")
    static let jump = FindingKind(
        .warning, "F-ROUTE-JUMP", "the line jumps",
        why:
            "Points of a planned line follow ways; one that is far from both its neighbours is damaged or swapped.",
        fix: "plan the route again")
    static let year = FindingKind(
        .warning, "F-ROUTE-YEAR", "a date is implausible",
        why:
            "1970 is a clock that was never set; a date in the future has the wrong epoch, century or clock.",
        fix: "correct the date; the file is text")
    static let before = FindingKind(
        .warning, "F-ROUTE-BEFORE", "it was modified before it was created",
        why: "The newer of two versions is chosen by modifiedAt, and this one always loses.",
        fix: "set modifiedAt to createdAt or later")
    static let same = FindingKind(
        .warning, "F-ROUTE-SAME", "the same route under two identifiers",
        why: "Name and line agree, as after an import that ran twice.", fix: "delete one of the files")
    static let height = FindingKind(
        .warning, "F-ROUTE-HEIGHT", "the height is implausible",
        why: "Heights are between the shore of the Dead Sea and the summit of Mount Everest.",
        fix: "sample the elevations again")
    static let key = FindingKind(
        .warning, "F-ROUTE-KEY", "a key is there twice",
        why:
            "Which of its values counts depends on the reader: one program shows the first, another the last.",
        fix: "delete one of the two; the file is text")
    static let evicted = FindingKind(
        .warning, "F-ROUTE-EVICTED", "a route is only in the cloud",
        why:
            "The file that stands for it has no content: the route was moved to the cloud to save space, not deleted.",
        fix: "download it on the device, and copy the folder again")
    static let other = FindingKind(
        .info, "F-ROUTE-OTHER", "the folder has an item that is no route",
        why:
            "Apps read the files named <UUID>.json; routes in folders below or under other names are not in their list.",
        fix: "none needed, or move or rename a route to <UUID>.json")
    static let record = FindingKind(
        .error, "F-ROUTE-RECORD", "two routes have one record in the cloud",
        why:
            "cloudKitRecordID names the record that a route is saved to: of two with the same one overwrites the other.",
        fix: "delete cloudKitRecordID from the copy; the app creates a record of its own")
    static let unnamed = FindingKind(
        .warning, "F-ROUTE-NAME", "the route has no name", why: "Lists show an empty line.", fix: "set a name"
    )
    static let text = FindingKind(
        .warning, "F-ROUTE-NUL", "a name has a NUL, control characters or HTML",
        why: "Readers in C end a text at a NUL. Lists show the tags and references of HTML as they stand.",
        fix: "correct the name; the file is text")
    static let all = [
        text, evicted, other, record, unnamed,
        key, json, name, twice, place, empty, ends, distance, number, turns, profile, fraction, jump, year,
        before,
        same, height,
    ]
}

/// The kinds of finding in locations and tones.
enum DocumentFindings {
    static let location = FindingKind(
        .error, "F-LOCATION-JSON", "a location cannot be read",
        why:
            "A location has id, name, coordinate, toneProfileId and isEnabled; apps fail on a missing key.",
        fix: "add or correct the named key; the file is text")
    static let locationTwice = FindingKind(
        .error, "F-LOCATION-TWICE", "two locations have the same identifier",
        why: "Locations are identified by their UUID.", fix: "delete one of them")
    static let place = FindingKind(
        .error, "F-LOCATION-PLACE", "a location's coordinate is out of range",
        why: "Latitudes are between -90 and 90, longitudes between -180 and 180.",
        fix: "correct the coordinate")
    static let tone = FindingKind(
        .warning, "F-LOCATION-TONE", "a location's tone is missing",
        why: "toneProfileId names a tone of the tones.json beside the file; without it no sound is played.",
        fix: "choose another tone")
    static let toneKey = FindingKind(
        .error, "F-TONE-JSON", "a tone cannot be read",
        why: "A tone has id, name and its numbers; apps fail on a missing key.",
        fix: "add or correct the named key; the file is text")
    static let toneTwice = FindingKind(
        .error, "F-TONE-TWICE", "two tones have the same identifier",
        why: "Tones are identified by their UUID.",
        fix: "delete one of them")
    static let range = FindingKind(
        .warning, "F-TONE-RANGE", "a number of a tone is out of range",
        why:
            "The app plays frequencies from 20 Hz to 20 kHz, amplitudes up to 10, and pings that end before the next one.",
        fix: "correct the number")
    static let zero = FindingKind(
        .warning, "F-LOCATION-ZERO", "a location's coordinate is 0,0",
        why: "A receiver without a fix reports 0,0, a point in the Atlantic.", fix: "correct the coordinate")
    static let same = FindingKind(
        .warning, "F-LOCATION-SAME", "the same location under two identifiers",
        why: "Name and coordinate agree; both are played at once.", fix: "delete one of them")
    static let key = FindingKind(
        .warning, "F-DOCUMENT-KEY", "a key is there twice",
        why:
            "Which of its values counts depends on the reader: one program shows the first, another the last.",
        fix: "delete one of the two; the file is text")
    static let swapped = FindingKind(
        .warning, "F-LOCATION-SWAPPED", "a location's latitude and longitude look swapped",
        why: "No other location is near; with both values exchanged it lies among the others.",
        fix: "exchange latitude and longitude; the file is text")
    static let onePlace = FindingKind(
        .warning, "F-LOCATION-ONEPLACE", "all locations are at one place",
        why: "Places differ: an import or edit wrote one coordinate over all.",
        fix: "restore the coordinates from a backup")
    static let text = FindingKind(
        .warning, "F-DOCUMENT-NUL", "a name has a NUL, control characters or HTML",
        why: "Readers in C end a text at a NUL. Lists show the tags and references of HTML as they stand.",
        fix: "correct the name; the file is text")
    static let all = [
        swapped, onePlace, text, key, location, locationTwice, place, tone, toneKey, toneTwice, range, zero,
        same,
    ]
}
