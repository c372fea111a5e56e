import Geodesy

/// Constants of the plugin.
package enum TransitSettings {
    // MARK: Reading feeds

    /// Bytes read at once.
    static let chunk = 1 << 18
    /// The longest record of a table, in bytes: a longer one is an unclosed quote.
    static let longestRecord = 1 << 20
    /// The largest number of columns of a table.
    static let mostColumns = 256
    /// The largest table, unpacked, in bytes.
    static let largestTable = 8 << 30
    /// The largest ratio of unpacked to packed size: real timetables stay below 60, deflate ends at 1032.
    static let largestRatio = 200.0
    /// Size in bytes up to which any ratio is allowed.
    static let ratioFreeSize = 1 << 20
    /// The largest number of entries of an archive.
    static let mostEntries = 10_000
    /// Rows between two checks for progress and Ctrl-C.
    static let rowStep = 1 << 15
    /// Steps of SQLite's virtual machine between two checks for Ctrl-C.
    static let stepsBetweenChecks: Int32 = 50_000
    /// The latest time of day of a table, in seconds: ten days. GTFS sets no limit; a later one is an error.
    static let latestTime = 10 * 86_400
    /// Problems of a lenient import that are listed; more are counted.
    static let listedProblems = 1000

    /// Metres from which a stop of another feed was moved: less is how many digits its coordinate has.
    static let movedStop = 1.0

    // MARK: Checks, with the limits of the canonical validator

    /// Metres from a shape beyond which a stop is too far; at the ends of a trip by rail four times as many.
    static let farFromShape = 100.0
    static let largeStation = 4.0
    /// Places of a shape near a stop, more of which are too many.
    static let mostMatches = 20
    /// Metres up to which two points of a shape with one distance are nearly one.
    static let samePoint = 1.11
    /// Metres up to which a trip that goes beyond its shape ends there.
    static let shapeEnd = 11.1
    /// Metres between stops that are far from each other.
    static let farStops = 10_000.0
    /// Calls with times between two stops that are compared as far stops.
    static let farCalls = 256
    /// Days of a gap in a service, more of which are many.
    static let longestGap = 13
    /// Days ahead beyond which a service ends far in the future.
    static let farAhead = 730
    /// Days by which a feed may outlive its services.
    static let feedMargin = 14
    /// Days of a service that are looked at, a hundred years.
    static let checkedDays = 36_525
    /// Segments of a shape with a common box.
    static let shapeBox = 32
    /// Zones of a trip that are compared with each other.
    static let checkedZonesOfTrip = 200
    /// The largest locations.geojson, bytes.
    static let largestLocations = 256 << 20
    /// Pairs of edges of zones that are compared in all.
    static let comparedEdges = 200_000_000

    // MARK: Stops

    /// Ranks of stations and train stops, and of other stops, in place search: 0 a city … 9 a footpath.
    static let stationRank = 4
    static let stopRank = 6
    /// Stops of the last regions that are kept in memory, some 200 bytes each.
    static let stopsKept = 50_000
    /// Default limit of the stops of a region.
    static let regionLimit = 200
    /// The largest limit of the stops of a region.
    static let mostStops = 100_000
    /// Default radius of a search around a coordinate, metres.
    static let nearRadius = 500.0
    /// Largest error of the R*Tree's 32-bit coordinates, metres: they are rounded downward by up to 2⁻¹⁵ degrees.
    static let treeSlack = 5.0
    /// Their largest error in degrees.
    static let treeMargin = 4e-5

    // MARK: Search

    /// Default limit of a search.
    static let searchLimit = 20
    /// Candidates of each class of match that are ranked.
    static let searchPool = 200
    /// Words of a query that are used.
    static let searchWords = 8

    // MARK: Departures

    /// Days of `transit service`.
    static let mostServiceDays = 1000
    /// Shapes between two checks for Ctrl-C.
    static let shapeStep = 256
    /// Shapes that the map draws at most.
    static let drawnShapes = 60
    /// Default limit of departures.
    static let departureLimit = 20
    /// The largest limit of departures.
    static let mostDepartures = 10_000
    /// Default length of a search for departures, seconds.
    static let window = 86_400.0
    /// Runs of patterns that are kept in memory, 16 bytes each.
    static let runsKept = 1_000_000
    /// Days with service searched for the next departure; a valid timetable requires only a few.
    static let daysOfService = 400

    // MARK: Realtime

    /// Age in seconds from which predictions are not used any more.
    static let staleAfter = 600
    /// The largest delay with which boards find a trip that should have left, seconds.
    static let mostLateness = 4 * 3600
    /// The largest distance in seconds of a message from the run that it is about, if it does not name the day.
    static let undatedReach = 12 * 3600
    /// The largest message, bytes.
    static let largestMessage = 256 << 20
    /// The largest message from the network, bytes, and how long an address may take, seconds.
    static let largestFetched = 64 << 20
    static let networkTimeout = 15.0

    // MARK: Clusters

    /// Clusters are made when more stops than this are in view.
    static let clusterAbove = 100
    /// Number of stops that a cluster must exceed.
    package static let clusterMore = 5
    /// Radius of a cluster around the stop where it forms, metres.
    package static let clusterRadius = 100.0

    // MARK: Screen

    /// Stops that a map loads at most: nearest to its centre first.
    static let screenLimit = 100_000
    /// Radius of a cluster on the screen, points: four columns and two rows of a terminal.
    static let screenRadius = 32.0
    /// The largest number of pins for which the lines that serve them are read.
    static let describedStops = 400
    /// Zoom from which streets are drawn beneath.
    static let streetZoom = 13.0
    /// Shortest and longest time between two frames of the player, seconds.
    static let shortestFrame = 0.1
    static let longestFrame = 30.0
    /// Speeds of the player's clock, as multiples of real time.
    static let rates = [1.0, 10, 60, 300, 1800]
    /// Rows of the map that the player keeps.
    static let leastMapRows = 4
    /// Stops that the player's search shows.
    static let playResults = 6
    /// The longest text of the player's search.
    static let longestQuery = 60
    /// The colour of the ring around the selected stop.
    static let selectionColor = "E03131"
    /// Cells of the map of the app's screen, each 8 × 16 points.
    static let mapColumns = 80
    static let mapRows = 18
    /// Where a map opens without a timetable: the centre of Sydney, as the app's does.
    static let defaultCenter = Coordinate(latitude: -33.8688, longitude: 151.2093)
    /// Zoom of a map that opens at a stop.
    static let stopZoom = 16.0
    /// Range of zoom levels.
    static let zooms = 1.0...20.0
    /// Milliseconds without a further move before stops are loaded.
    static let settleMilliseconds: Int64 = 300
    /// A map loads stops when less than this share of its region is loaded.
    static let reloadShare = 0.5
    /// The number of events that a map keeps.
    static let keptEvents = 200
    /// Departures of the half drawer.
    static let halfDepartures = 3
    /// Departures of the full drawer.
    static let fullDepartures = 20
    /// Rows of departures that the full drawer shows at a time.
    static let fullRows = 8
}
