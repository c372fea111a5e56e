import PluginKit

/// Kinds of error of feeds and of what is asked of them.
enum TransitErrors {
    static let archive = ErrorKind(
        "E-GTFS-ARCHIVE", "the archive cannot be used",
        explanation: """
            A feed is a ZIP archive or a folder with the tables of GTFS Schedule. Archives that are damaged or \
            encrypted, that hold links or paths leading out of them, or that unpack to far more than they are, are \
            refused. The message names the entry. Nothing was written.
            """)
    static let missing = ErrorKind(
        "E-GTFS-FILE", "a table is missing",
        explanation: """
            A feed needs agency.txt, stops.txt, routes.txt, trips.txt, stop_times.txt, and calendar.txt or \
            calendar_dates.txt. With --lenient a feed that has stops at least is imported all the same.
            """)
    static let header = ErrorKind(
        "E-GTFS-HEADER", "a table's header is not right",
        explanation: """
            The first line of each table names its columns. The message tells which one is missing, or stands there \
            twice. Unknown columns do no harm.
            """)
    static let row = ErrorKind(
        "E-GTFS-ROW", "a line of the feed is wrong",
        explanation: """
            The message names the table and the line, and what is wrong with it. With --lenient the import goes on \
            without the line and lists what it left out. Without it nothing is written.
            """)
    static let zone = ErrorKind(
        "E-GTFS-ZONE", "there is no such time zone",
        explanation: """
            agency_timezone is a name of the tz database, such as Europe/Zurich, and the same for all agencies. \
            Without it no departure can be placed in time.
            """)
    static let noFeed = ErrorKind(
        "E-TRANSIT-NOFEED", "there is no timetable",
        explanation: """
            Make one with `transit import FEED.zip`, or open one that an app ships with `transit open gtfs.db`. \
            `transit sample` writes a small feed to try.
            """)
    static let schema = ErrorKind(
        "E-TRANSIT-SCHEMA", "the database is no timetable in the pattern model",
        explanation:
            "The message names the table or column that is missing; `store schema` shows what is there.")
    static let noStop = ErrorKind(
        "E-TRANSIT-STOP", "no stop is given",
        explanation: """
            The command needs a stop: by name or id (`departures Central`), or through the pipe from a search or \
            from departures (`stops search Central | first | departures`).
            """)
    static let noMap = ErrorKind(
        "E-TRANSIT-NOMAP", "no map is open",
        explanation: "`map view PLACE` opens the map of stops, `stops show STOP` opens it at a stop.")
    static let noDrawer = ErrorKind(
        "E-TRANSIT-NODRAWER", "no drawer is open",
        explanation: "`drawer open STOP` opens the drawer of a stop.")

    static let all = [
        archive, missing, header, row, zone, noFeed, schema, noStop, noMap, noDrawer,
    ]
}
