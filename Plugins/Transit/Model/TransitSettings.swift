/// What the area takes for granted.
package enum TransitSettings {
    // MARK: Reading feeds

    /// Bytes read at once.
    static let chunk = 1 << 18
    /// The longest record of a table, in bytes: more is a quote that was never closed.
    static let longestRecord = 1 << 20
    /// Columns of a table that are told apart.
    static let mostColumns = 256
    /// The largest table, unpacked, in bytes.
    static let largestTable = 8 << 30
    /// How many times its packed size a table may have: real timetables stay below 60, deflate ends at 1032.
    static let largestRatio = 200.0
    /// Bytes up to which any ratio is allowed.
    static let ratioFreeSize = 1 << 20
    /// Entries of an archive.
    static let mostEntries = 10_000
    /// Rows between two looks at progress and Ctrl-C.
    static let rowStep = 1 << 15
    /// Steps of SQLite's machine between two looks for Ctrl-C.
    static let stepsBetweenChecks: Int32 = 50_000
    /// The latest time of day of a table, in seconds: ten days. GTFS sets no limit; more is a slip of the pen.
    static let latestTime = 10 * 86_400
    /// Problems of a lenient import that are listed; more are counted.
    static let listedProblems = 1000

    // MARK: Stops

    /// How much stations and trains' stops, and other stops, matter in the search of places: 0 a city … 9 a footpath.
    static let stationRank = 4
    static let stopRank = 6
    /// Stops of a region unless told otherwise.
    static let regionLimit = 200
    /// Stops that a region gives at most.
    static let mostStops = 100_000
    /// The near-search's radius, metres.
    static let nearRadius = 500.0
    /// Metres by which the R*Tree's 32-bit coordinates can be wrong: half a unit of 2⁻¹⁶ degrees, with room.
    static let treeSlack = 2.0
    /// Degrees by which they can be wrong.
    static let treeMargin = 2e-5

    // MARK: Search

    /// Results of a search unless told otherwise.
    static let searchLimit = 20
    /// Candidates of each class of match that are ranked.
    static let searchPool = 200
    /// Words of a query that count.
    static let searchWords = 8

    // MARK: Departures

    /// Departures unless told otherwise.
    static let departureLimit = 20
    /// Departures that a board gives at most.
    static let mostDepartures = 10_000
    /// How far a board looks ahead, seconds.
    static let window = 86_400.0
    /// Days with service that are looked through for the next departure: a few are enough in any sound timetable.
    static let daysOfService = 400

    // MARK: Clusters

    /// Clusters are made when more stops than this are in view.
    static let clusterAbove = 100
    /// A cluster has more stops than this.
    package static let clusterMore = 5
    /// Metres around the stop that a cluster forms at.
    package static let clusterRadius = 100.0

    // MARK: Screen

    /// Cells of the map of the app's screen, each 8 × 16 points.
    static let mapColumns = 80
    static let mapRows = 18
    /// Zoom of a map that opens at a stop.
    static let stopZoom = 16.0
    /// Zooms.
    static let zooms = 1.0...20.0
    /// Milliseconds without a further move before stops are loaded.
    static let settleMilliseconds: Int64 = 300
    /// A map loads stops when less than this share of its region was loaded.
    static let reloadShare = 0.5
    /// Events that a map remembers.
    static let keptEvents = 200
    /// Departures of the half drawer.
    static let halfDepartures = 3
    /// Departures of the full drawer.
    static let fullDepartures = 20
    /// Rows of departures that the full drawer shows at a time.
    static let fullRows = 8
}
