import PluginKit

/// Kinds of error of feeds and timetables.
enum TransitErrors {
    static let archive = ErrorKind(
        "E-GTFS-ARCHIVE", "the files cannot be used as a feed",
        explanation: """
            A feed is a ZIP archive or a folder with the tables of GTFS Schedule, in one place, each a regular file of at \
            most 8 GiB. Nothing was written.
            """)
    static let missing = ErrorKind(
        "E-GTFS-FILE", "a table is missing",
        explanation: """
            A feed needs agency.txt, stops.txt, routes.txt, trips.txt, stop_times.txt, and calendar.txt or \
            calendar_dates.txt. With --lenient, stops.txt is enough.
            """)
    static let header = ErrorKind(
        "E-GTFS-HEADER", "invalid header of a table",
        explanation: """
            The first line of each table names its columns. The message names the column that is missing or repeated. \
            Unknown columns are ignored.
            """)
    static let row = ErrorKind(
        "E-GTFS-ROW", "invalid line in the feed",
        explanation: """
            The message names the table, the line and the fault. Without --strict the import skips the line and lists it. \
            With --strict nothing is written.
            """)
    static let encoding = ErrorKind(
        "E-GTFS-ENCODING", "a table is not UTF-8",
        explanation: """
            GTFS requires UTF-8. The message names the line and the probable encoding. Convert the table, for example with \
            `iconv -f WINDOWS-1252 -t UTF-8`, or import without --strict, which reads UTF-16, and invalid bytes as Windows-1252, \
            and reports them.
            """)
    static let zone = ErrorKind(
        "E-GTFS-ZONE", "unknown time zone",
        explanation: """
            agency_timezone is a name of the tz database, such as Europe/Zurich, and the same for all agencies. \
            Departure times depend on it.
            """)
    static let merge = ErrorKind(
        "E-GTFS-MERGE", "feeds cannot be merged",
        explanation: """
            Identifiers are unique within a feed only: the stops `1` of two feeds are two stops. With --prefix \
            each feed's identifiers get a prefix. Nothing was written.
            """)
    static let noFeed = ErrorKind(
        "E-TRANSIT-NOFEED", "there is no timetable",
        explanation: """
            Import a feed with `feed import FEED.zip`, or open the database of an app with `store open gtfs.db`. \
            `feed sample` writes a small feed to try.
            """)
    static let schema = ErrorKind(
        "E-TRANSIT-SCHEMA", "not a timetable in the pattern model",
        explanation:
            "The message names the missing table or column; `store show --schema` shows the tables of the file."
    )
    static let noStop = ErrorKind(
        "E-TRANSIT-STOP", "a stop is missing",
        explanation: """
            The command needs a stop: by name or id (`departures Central`), or through the pipe from a search or \
            from departures (`stop find Central | first | departures`).
            """)
    static let unplaced = ErrorKind(
        "E-TRANSIT-NOPLACE", "the place of a stop is unknown",
        explanation: """
            stops.txt gives the stop no coordinate, or none that can be one (zeros, a number out of range, words), and it has no \
            station with one. It has departures; it is on no map, and no walk leads to it.
            """)
    static let realtime = ErrorKind(
        "E-TRANSIT-REALTIME", "the realtime message cannot be used",
        explanation: """
            `feed realtime` reads whole GTFS-realtime messages (protobuf, JSON or text form): trip updates, vehicle positions, \
            alerts. The error names the offset or the line of the fault. The messages in use are unchanged.
            """)
    static let network = ErrorKind(
        "E-TRANSIT-NETWORK", "the request for a realtime message failed",
        explanation: """
            `feed realtime https://…` fetches one message from an address. The error names the cause. Notebooks may use the \
            network only with --allow-network. The messages in use are unchanged.
            """)
    static let noTrip = ErrorKind(
        "E-TRANSIT-TRIP", "a trip is missing",
        explanation:
            "`departures STOP | first | trip show` shows the trip of a departure; `trip show ID` one by its id."
    )
    static let language = ErrorKind(
        "E-TRANSIT-LANGUAGE", "no names in this language",
        explanation: "`feed language` lists the languages of the timetable's translations."
    )
    static let journey = ErrorKind(
        "E-TRANSIT-JOURNEY", "contradictory options for journeys",
        explanation:
            "`journey plan FROM TO` takes one of --at and --arrive-by; --until is a later departure than --at, within a day."
    )
    static let noMap = ErrorKind(
        "E-TRANSIT-NOMAP", "no map is open",
        explanation: "`stop map PLACE` opens the map of stops, `stop show STOP` opens it at a stop.")
    static let noDrawer = ErrorKind(
        "E-TRANSIT-NODRAWER", "no drawer is open",
        explanation: "`stop drawer STOP` opens the drawer of a stop.")

    static let all = [
        archive, missing, header, row, encoding, zone, merge, noFeed, schema, noStop, unplaced, realtime,
        network,
        noTrip,
        journey,
        noMap,
        noDrawer,
    ]
}
