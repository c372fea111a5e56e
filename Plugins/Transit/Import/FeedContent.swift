import CivilTime

/// The content of a feed that an import keeps, with indexes in place of identifiers.
struct FeedContent {
    /// The feeds that were merged; empty before a merge.
    var feeds: [FeedOrigin] = []
    /// The agencies' time zone, a name of the tz database.
    var zone = FeedContent.unknownZone
    var agencies: [String] = []
    /// The agencies that state another time zone than the first; their times are read as those of the first.
    var otherZones: [AgencyZone] = []
    var stopIDs = KeyTable()
    var stops: [StopRow] = []
    var routeIDs = KeyTable()
    var routes: [RouteRow] = []
    var serviceIDs = KeyTable()
    var calendar: [CalendarRow] = []
    var exceptions: [ExceptionRow] = []
    var tripIDs = KeyTable()
    var trips: [TripRow] = []
    var frequencies: [FrequencyRow] = []
    var shapes = ShapeLines()
    var transfers: [TransferRow] = []
    var transferRules: [TransferRuleRow] = []
    var pathways: [PathwayRow] = []
    var tripTransfers: [TripTransferRow] = []
    var fares: [FareRow] = []
    var fareRules: [FareRuleRow] = []
    var fareZones: [FareZoneRow] = []
    var routeNetworks: [RouteNetworkRow] = []
    var fareFrames: [FareFrameRow] = []
    var fareTransfers: [FareTransferRow] = []
    var fareJoins: [FareJoinRow] = []
    var translations: [TranslationRow] = []
    /// Calls on request, and the zones that they name.
    var requests: [RequestRow] = []
    var requestZones: [FlexZone] = []
    /// What riders have to know of calls: how to book them, that their time is approximate. Numbers of texts.
    var callNotes: [Int32] = []
    /// Headsigns, short names and blocks, deduplicated.
    var texts = KeyTable()
    var patterns: [PatternRow] = []
    var patternStops: [PatternStopRow] = []
    /// The number of rows of stop_times.txt that were kept, and of those with an interpolated time.
    var stopTimes = 0
    var interpolated = 0
    /// The number of trips that are not fixed-route and were not kept.
    var flexibleTrips = 0
    /// The number of periods of frequencies.txt that were not kept, by trip.
    var lostPeriods: [Int32: Int] = [:]
    /// What was set aside of trips.
    var setAside = SetAsideTrips()
    /// The number of rules of transfers.txt for routes or trips that the feed does not have.
    var skippedTransfers = 0
    /// The first and the last day of feed_info.txt; of several feeds those of the first.
    var validFrom: CivilDate?
    var validUntil: CivilDate?
    /// `feed_lang` and `feed_version`; of several feeds those of the first.
    var language: String?
    var version: String?

    /// The time zone of a lenient import if the feed names none.
    static let unknownZone = "UTC"
}

/// A feed of a timetable.
struct FeedOrigin: Sendable {
    /// The prefix of its identifiers.
    var prefix: String
    /// The name of the archive or folder.
    var source: String
    /// A name of the tz database.
    var zone: String
    var agencies: [String]
    /// The first and the last day of its feed_info.txt.
    var validFrom: CivilDate?
    var validUntil: CivilDate?
}

/// A row of stops.txt.
struct StopRow {
    var name: String
    var code: String?
    var description: String?
    /// Degrees; NaN for both if its place is unknown.
    var latitude: Double
    var longitude: Double
    var kind: StopKind
    /// The station, or the platform of a boarding area; −1 if it has none.
    var parent: Int32 = -1
    var wheelchair: Int8
    var platform: String?
    /// `stop_timezone`, of its station if it has one: a name of the tz database; `nil` for that of the agency.
    var zone: String?
    /// The number of patterns that call here or at a part of it, and their most frequent route type.
    var patterns: Int32 = 0
    var routeType: Int32 = -1
}

/// A row of routes.txt.
struct RouteRow {
    var shortName: String
    var longName: String
    var type: Int32
    var color: String?
    var textColor: String?
    /// Its agency; `nil` if the feed does not tell.
    var agencyID: String?
    var agency: String?
    /// `continuous_pickup` and `continuous_drop_off` of all its calls.
    var continuous = ContinuousStopping()
    /// The index of its feed.
    var feed: Int32 = 0

    /// The displayed name.
    var name: String { shortName.isEmpty ? longName : shortName }
}

/// A row of calendar.txt.
struct CalendarRow {
    var service: Int32
    /// Monday in bit 0 … Sunday in bit 6.
    var days: UInt8
    var start: CivilDate
    var end: CivilDate
}

/// A row of calendar_dates.txt.
struct ExceptionRow {
    var service: Int32
    var date: CivilDate
    var isAdded: Bool
}

/// A row of trips.txt; texts are indexes, −1 for none.
struct TripRow {
    var route: Int32
    var service: Int32
    var headsign: Int32
    var shortName: Int32
    var block: Int32
    var direction: Int8
    var wheelchair: Int8
    /// `bikes_allowed`
    var bikes: Int8 = -1
    /// The shape, −1 for none.
    var shape: Int32 = -1
    var hasFrequencies = false
    /// The pattern, −1 for a trip without stop times.
    var pattern: Int32 = -1
    /// Seconds of the service day at which it leaves its first stop.
    var start: Int32 = 0
    /// Its line in trips.txt.
    var line: Int32 = 0
    /// How many of its calls are not used for a fault.
    var lostCalls: Int32 = 0
}

/// A row of frequencies.txt: runs leave the first stop every `headway` seconds from `start` until before `end`.
struct FrequencyRow {
    var trip: Int32
    var start: Int32
    var end: Int32
    var headway: Int32
    var isExact: Bool
}

/// A row of transfers.txt between two stops.
struct TransferRow: Hashable {
    var from: Int32
    var to: Int32
    /// 0 recommended, 1 timed, 2 requires `seconds`, 3 not possible.
    var type: Int32
    /// `min_transfer_time`, −1 for none.
    var seconds: Int32
}

/// A row of transfers.txt for some routes or trips; −1 stands for any.
struct TransferRuleRow: Hashable {
    var stops: TransferRow
    var fromRoute: Int32
    var toRoute: Int32
    var fromTrip: Int32
    var toTrip: Int32
}

/// A row of transfers.txt about staying in the vehicle from one trip to the next.
struct TripTransferRow {
    var from: Int32
    var to: Int32
    var mayStay: Bool
}

/// A row of pathways.txt.
struct PathwayRow {
    var from: Int32
    var to: Int32
    var mode: PathwayMode
    /// Seconds; −1 if unknown.
    var seconds: Int32
    var isBidirectional: Bool
}

/// `pathway_mode`
enum PathwayMode: Int, Sendable {
    case walkway = 1, stairs = 2, movingSidewalk = 3, escalator = 4, elevator = 5, fareGate = 6, exitGate = 7

    /// Whether a wheelchair can use it.
    var isLevel: Bool { self != .stairs && self != .escalator }
}

/// An ordered list of stops of one route, with offsets shared by its trips.
struct PatternRow {
    var route: Int32
    var direction: Int8
    /// Its rows in `patternStops`.
    var first: Int
    var count: Int
    /// The earliest and the latest start of its trips, frequencies included.
    var firstStart: Int32 = .max
    var lastStart: Int32 = .min
    var hasFrequencies = false
    /// Whether its trips number the same calls differently.
    var isNumberedDifferently = false
}

/// A call of a pattern; offsets count from when the trip leaves its first stop.
struct PatternStopRow {
    /// `stop_sequence` as in the feed: realtime messages refer to it.
    var sequence: Int32
    var stop: Int32
    var arrival: Int32
    var departure: Int32
    /// `Boarding`
    var boarding: Int32
    var headsign: Int32
    /// What riders have to know of the call.
    var note: Int32 = -1
}
