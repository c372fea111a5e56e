import TrailStores

/// The kinds of finding in planned routes.
enum PlannedRouteFindings {
    static let json = FindingKind(
        .error, "F-ROUTE-JSON", "a planned route cannot be read",
        why: "Apps leave out a file that does not decode: the route vanishes from their list.",
        mend: "correct the key that is named; the file is text")
    static let name = FindingKind(
        .warning, "F-ROUTE-FILE", "the file is not named after its route",
        why: "Apps look a route up as <UUID>.json, and would save it to a second file.",
        mend: "rename the file")
    static let twice = FindingKind(
        .error, "F-ROUTE-TWICE", "two files hold the same route",
        why: "Routes are told apart by their UUID.", mend: "compare the files and delete the older one")
    static let place = FindingKind(
        .error, "F-ROUTE-PLACE", "a place of the route is not on Earth",
        why: "Latitudes are between -90 and 90, longitudes between -180 and 180.", mend: "plan the route anew"
    )
    static let empty = FindingKind(
        .error, "F-ROUTE-EMPTY", "the route has no line", why: "A line has two places at least.",
        mend: "plan the route anew")
    static let ends = FindingKind(
        .warning, "F-ROUTE-ENDS", "the line does not begin or end where the route does",
        why: "The line leads from startCoordinate to endCoordinate, over the last steps to the next way.",
        mend: "plan the route anew")
    static let distance = FindingKind(
        .warning, "F-ROUTE-DISTANCE", "length and line of the route disagree",
        why: "totalDistance is the length of the line.", mend: "compute it anew from the line")
    static let number = FindingKind(
        .error, "F-ROUTE-NUMBER", "a figure of the route cannot be",
        why: "Distance, duration and climbs are not negative.", mend: "compute it anew from the line")
    static let turns = FindingKind(
        .warning, "F-ROUTE-TURNS", "the turn instructions are out of order",
        why: "They go from start to arrive, each further along the line than the one before.",
        mend: "plan the route anew")
    static let profile = FindingKind(
        .warning, "F-ROUTE-PROFILE", "the elevation profile is out of order",
        why: "Its distances grow from 0 to the length of the route.", mend: "sample the heights anew")
    static let all = [json, name, twice, place, empty, ends, distance, number, turns, profile]
}

/// The kinds of finding in locations and tones.
enum DocumentFindings {
    static let location = FindingKind(
        .error, "F-LOCATION-JSON", "a location cannot be read",
        why:
            "A location has id, name, coordinate, toneProfileId and isEnabled; one that lacks a key stops the reader.",
        mend: "add or correct the key that is named; the file is text")
    static let locationTwice = FindingKind(
        .error, "F-LOCATION-TWICE", "two locations have the same identifier",
        why: "Locations are told apart by their UUID.", mend: "delete one of them")
    static let place = FindingKind(
        .error, "F-LOCATION-PLACE", "a location is not on Earth",
        why: "Latitudes are between -90 and 90, longitudes between -180 and 180.", mend: "correct the place")
    static let tone = FindingKind(
        .warning, "F-LOCATION-TONE", "a location's tone is not there",
        why: "toneProfileId names a tone of the tones.json beside the file; without it nothing sounds.",
        mend: "choose another tone")
    static let toneKey = FindingKind(
        .error, "F-TONE-JSON", "a tone cannot be read",
        why: "A tone has id, name and its numbers; one that lacks a key stops the reader.",
        mend: "add or correct the key that is named; the file is text")
    static let toneTwice = FindingKind(
        .error, "F-TONE-TWICE", "two tones have the same identifier",
        why: "Tones are told apart by their UUID.",
        mend: "delete one of them")
    static let range = FindingKind(
        .warning, "F-TONE-RANGE", "a number of a tone cannot be heard",
        why: "Frequencies are between 20 Hz and 20 kHz, times above zero, amplitudes not negative.",
        mend: "correct the number")
    static let all = [location, locationTwice, place, tone, toneKey, toneTwice, range]
}
