import Geodesy

/// Constants of the plugin.
enum TransitSettings {
    // MARK: Reading feeds

    /// Bytes per read.
    static let chunk = 1 << 18
    /// The longest record of a table, in bytes: a longer one indicates an unclosed quote.
    static let longestRecord = 1 << 20
    /// The largest number of columns of a table.
    static let mostColumns = 256
    /// The largest table, unpacked, in bytes.
    static let largestTable = 8 << 30
    /// The largest ratio of unpacked to packed size: real timetables stay below 60, deflate's limit is
    /// 1032.
    static let largestRatio = 200.0
    /// Size in bytes up to which any ratio is allowed.
    static let ratioFreeSize = 1 << 20
    /// The largest number of entries of an archive.
    static let mostEntries = 10_000
    /// The largest archive in an archive, in bytes: it is kept in memory.
    static let largestInnerArchive = 512 << 20
    /// How deep archives in archives are read.
    static let archiveDepth = 3
    /// Rows between two checks for progress and Ctrl-C.
    static let rowStep = 1 << 15
    /// Steps of SQLite's virtual machine between two checks for Ctrl-C.
    static let stepsBetweenChecks: Int32 = 50_000
    /// The latest time of day in a table, in seconds: ten days. GTFS sets no limit; a later one is an
    /// error.
    static let latestTime = 10 * 86_400
    /// The seconds of a day without a clock change.
    static let day = 86_400
    /// Until this time, in seconds of the day, a period that ends before it begins ends on the next day.
    static let endOfNight = 5 * 3600
    /// Problems of a lenient import that are listed; the rest is counted.
    static let listedProblems = 1000

    /// Metres per second beyond which a vehicle's speed is an error of its producer: no train in service is as fast.
    static let fastestVehicle = 150.0

    /// Metres beyond which a vehicle is not at the stop at which its message has it: large stations are less long, and positions
    /// are less wrong.
    static let farthestAtStop = 2000.0

    /// Metres between two calls from which on a speed beyond `fastestVehicle` is impossible, and the least seconds between them:
    /// times in whole minutes make short ways fast.
    static let farHop = 10_000.0
    static let leastHop = 60
    /// Metres for which no vehicle takes half a day, in seconds: clocks of twelve hours are read wrongly by so much.
    static let nearHop = 50_000.0
    static let halfDay = 43_200

    /// Metres within which stops of one name are platforms of one place, even if the feed has no station for them.
    static let samePlatforms = 300.0

    /// Metres from which a stop counts as moved between feeds: smaller differences are rounding of
    /// coordinates.
    static let movedStop = 1.0

    // MARK: Checks, with the limits of the canonical validator

    /// Metres from a shape beyond which a stop is too far; four times as many at the ends of a trip by
    /// rail.
    static let farFromShape = 100.0
    static let largeStation = 4.0
    /// Matches of a stop along a shape above which there are too many.
    static let mostMatches = 20
    /// Metres up to which two points of a shape with the same distance are a near duplicate.
    static let samePoint = 1.11
    /// Metres up to which a trip may extend beyond its shape.
    static let shapeEnd = 11.1
    /// Metres between stops that are far from each other.
    static let farStops = 10_000.0
    /// Calls with times compared for travel between far stops.
    static let farCalls = 256
    /// Days of a gap in a service above which it is reported.
    static let longestGap = 13
    /// Days ahead after which a service ends far in the future.
    static let farAhead = 730
    /// Days by which a feed's validity may exceed its services.
    static let feedMargin = 14
    /// Rows of calendar.txt about services that an earlier row has, which are used, and their days: each of these is one row.
    static let mostFurtherPeriods = 2000
    static let mostFurtherDays = 1_000_000
    /// Days of a service that are checked, a hundred years.
    static let checkedDays = 36_525
    /// Segments of a shape with a common box.
    static let shapeBox = 32
    /// Zones of a trip that are compared with each other.
    static let checkedZonesOfTrip = 200
    /// The largest locations.geojson, bytes.
    static let largestLocations = 256 << 20
    /// Pairs of edges of zones that are compared in total.
    static let comparedEdges = 200_000_000

    // MARK: Stops

    /// Ranks of stations and train stops, and of other stops, in `place find`: 0 is a city, 9 a footpath.
    static let stationRank = 4
    static let stopRank = 6
    /// Stops of the last regions that are cached, about 200 bytes each.
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

    /// Maximum number of days of `feed service`.
    static let mostServiceDays = 1000
    /// Shapes between two checks for Ctrl-C.
    static let shapeStep = 256
    /// Maximum number of shapes on the map.
    static let drawnShapes = 60
    /// Default limit of departures.
    static let departureLimit = 20
    /// The largest limit of departures.
    static let mostDepartures = 10_000
    /// The departures of a stop on a day that are counted by line: those of two lines each second.
    static let mostOfDay = 200_000
    /// Default length of a search for departures, seconds.
    static let window = 86_400.0
    /// Runs of patterns that are cached, 16 bytes each.
    static let runsKept = 1_000_000
    /// Days with service searched for the next departure; a valid timetable needs only a few.
    static let daysOfService = 400

    // MARK: Realtime

    /// Seconds by which the clock of a producer may be ahead of ours.
    static let clockSkew = 5
    /// Seconds by which it may be ahead where there is no other message.
    static let mostClockSkew = 60
    /// Age in seconds from which predictions are ignored.
    static let staleAfter = 600
    /// The largest delay of departures on boards, in seconds.
    static let mostLateness = 4 * 3600
    /// The largest difference in seconds between a message and its run, if it does not name the day.
    static let undatedReach = 12 * 3600
    /// The seconds around a message within which the times of an update that does not name the day are looked for.
    static let undatedSpan = 3 * 86_400
    /// The fewest characters of a trip's identifier that are enough as the end of one of the timetable.
    static let shortestTail = 6
    /// How many times as fast as planned a late vehicle can be where messages say nothing of it.
    static let mostSpeed = 2
    /// The runs of a message, the part of them, and the seconds around a whole number of hours from which on all are late by the
    /// same hours: its times may be of another zone.
    static let shiftedRuns = 5
    static let shiftedPart = 0.9
    static let shiftSlack = 600
    /// Seconds before the timetable from which on a predicted departure is doubtful: vehicles wait for their time, and updates of
    /// the wrong run or in the wrong zone are earlier.
    static let mostEarliness = 20 * 60
    /// Seconds by which predictions of a run may run backwards: rounding of the producers.
    static let timeSlack = 60
    /// Reasons of updates that are listed with the messages; the rest is counted.
    static let listedReasons = 5
    /// The largest message, bytes.
    static let largestMessage = 256 << 20
    /// The largest message from the network, in bytes, and the timeout of a request, in seconds.
    static let largestFetched = 64 << 20
    static let networkTimeout = 15.0

    // MARK: Clusters

    /// Clusters are made when more stops than this are in view.
    static let clusterAbove = 100
    /// Number of stops that a cluster must exceed.
    static let clusterThreshold = 5
    /// Radius of a cluster around the stop where it forms, metres.
    static let clusterRadius = 100.0

    // MARK: Screen

    /// Maximum number of stops that a map loads, nearest to its centre first.
    static let screenLimit = 100_000
    /// Radius of a cluster on the screen, in points: four columns and two rows of a terminal.
    static let screenRadius = 32.0
    /// Points on the screen beyond which stops are on no screen: a point is there no longer like a metre of a plane.
    static let screenSpread = 50_000.0
    /// The largest number of pins for which the lines that serve them are read.
    static let describedStops = 400
    /// Minimum zoom at which streets are drawn.
    static let streetZoom = 13.0
    /// Shortest and longest time between two frames of the player, seconds.
    static let shortestFrame = 0.1
    static let longestFrame = 30.0
    /// Speeds of the player's clock, as multiples of real time.
    static let rates = [1.0, 10, 60, 300, 1800]
    /// The minimum number of rows of the player's map.
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
    /// The centre of a map without a timetable: Sydney, as in the app.
    static let defaultCenter = Coordinate(latitude: -33.8688, longitude: 151.2093)
    /// Zoom of a map that opens at a stop.
    static let stopZoom = 16.0
    /// Range of zoom levels.
    static let zooms = 1.0...20.0
    /// Milliseconds without a further move before stops are loaded.
    static let settleMilliseconds: Int64 = 300
    /// Seconds below which a departure counts as on time.
    static let onTime = 60
    /// Decimals of the degrees of a pin dropped on the map: a decimetre.
    static let pinDecimals = 6
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
