import GRDB
import Geodesy
import PluginKit
import TrailStores

/// The part of the journey network that is the same on every day: lines, and the walks between stops.
struct JourneyNetwork: Sendable {
    /// A pattern: all its trips call at the same stops with the same offsets, so none overtakes another.
    struct Line: Sendable {
        var pattern: Int64
        var route: Int64
        /// Indexes of stops, and seconds after the trip leaves its first stop.
        var stops: [Int32] = []
        var arrivals: [Int32] = []
        var departures: [Int32] = []
        /// Whether boarding and alighting are allowed.
        var boards: [Bool] = []
        var alights: [Bool] = []
        /// `stop_sequence` in the database.
        var sequences: [Int32] = []
        var trips: [Trip] = []
        /// The consecutive trips of one vehicle between which riders may stay seated; empty for a single
        /// trip.
        var parts: [Part] = []
    }

    /// A pattern in a line that consists of several.
    struct Part: Sendable, Hashable {
        var pattern: Int64
        var route: Int64
        /// The indexes of its calls in the line.
        var calls: Range<Int>
    }

    /// A trip, or one run of a trip of frequencies.
    struct Trip: Sendable {
        var row: Int64
        /// Seconds of the service day.
        var start: Int32
        /// The service's number in the calendar.
        var service: Int32
        var isFrequency: Bool
        /// `wheelchair_accessible`; 0 if unknown.
        var wheelchair: UInt8
        /// The trips of a line that consists of several, the first one included.
        var chainedTrips: [ChainedTrip] = []
    }

    /// A trip in a line that consists of several.
    struct ChainedTrip: Sendable, Hashable {
        var row: Int64
        var start: Int32
        var service: Int32
        /// Services on whose days it does not follow the trip before.
        var excluded: [Int32] = []

        /// Whether it follows the trip before on a day.
        func follows(_ services: ActiveServices) -> Bool {
            services.runs[Int(service)] && !excluded.contains { services.runs[Int($0)] }
        }
    }

    /// A walk from one stop to another, or the change at a stop.
    struct Walk: Sendable, Hashable {
        /// The source of its time.
        enum Kind: UInt8, Sendable {
            /// A change at the stop itself.
            case change
            /// Estimated from straight lines, outside stations.
            case outside
            /// By the pathways of a station.
            case station
            /// By transfers.txt.
            case rule
        }

        var stop: Int32
        /// Includes the time for the change.
        var seconds: Int32
        var kind = Kind.change
        /// Outside stations: its two doors in the direction of time, and the metres between them.
        var fromDoor: Int32 = -1
        var toDoor: Int32 = -1
        var metres: Float = 0
    }

    /// An access point of a stop: the stop itself, or an entrance of its station.
    struct Door: Sendable {
        var stop: Int32
        var at: Coordinate
        /// Seconds from the door to the stop and back; `nil` if there is no path.
        var inward: Int32?
        var outward: Int32?
    }

    /// The numbers of the stops at which trips call, and their coordinates; `nil` for a stop whose place is unknown: no walk
    /// leads to it.
    private(set) var numbers: [Int64] = []
    private(set) var coordinates: [Coordinate?] = []
    private(set) var index: [Int64: Int32] = [:]
    var lines: [Line] = []
    /// Stops at which a wheelchair cannot board or alight.
    private(set) var closed: Set<Int32> = []
    /// The walks from each stop, including to itself unless no change is possible there.
    private(set) var walks: [[Walk]] = []
    private(set) var doors: [Door] = []
    /// Places beside the stops, for calls that rules of changes are about; they are numbered after the stops.
    private(set) var places: [Place] = []
    private(set) var placeIndex: [Place: Int32] = [:]
    /// The number of stops at which trips of the timetable call: the first ones.
    private(set) var served = 0
    /// The rules of changes for some routes or trips.
    private(set) var rules = TransferRules()
    var placed: [PlacedCall: Int32] = [:]
    /// The doors with their coordinates.
    private(set) var grid = CoordinateGrid([], cell: JourneySettings.changeWalk)

    /// Reads a timetable; for wheelchairs skips inaccessible stops and pathways.
    init(_ feed: Feed, needsWheelchair: Bool = false) throws {
        try readLines(feed)
        served = numbers.count
        try addUnserved(feed)
        if needsWheelchair { try closeStops(feed) }
        try readTrips(feed)
        lines.removeAll { $0.trips.isEmpty }
        rules = try TransferRules(feed)
        try split(by: rules, feed)
        try addThroughLines(feed)
        for line in lines.indices { lines[line].trips.sort { ($0.start, $0.row) < ($1.start, $1.row) } }
        try makeWalks(feed, StationPaths(feed, needsWheelchair: needsWheelchair), rules)
    }

    /// Whether a wheelchair cannot board or alight at a stop or place.
    func isClosed(_ stop: Int) -> Bool {
        let stops = numbers.count - places.count
        return closed.contains(stop < stops ? Int32(stop) : places[stop - stops].stop)
    }

    /// Whether trips of the timetable call at a stop or place.
    func isServed(_ stop: Int) -> Bool {
        let stops = numbers.count - places.count
        return (stop < stops ? stop : Int(places[stop - stops].stop)) < served
    }

    /// Metres between two stops in a straight line; `nil` if the place of one of them is unknown.
    func metres(_ from: Int, _ to: Int) -> Double? {
        guard let from = coordinates[from], let to = coordinates[to] else { return nil }
        return from.distance(to: to)
    }

    /// The index of a place, which is new or known.
    mutating func add(_ place: Place) -> Int32 {
        if let known = placeIndex[place] { return known }
        let new = Int32(numbers.count)
        placeIndex[place] = new
        places.append(place)
        numbers.append(numbers[Int(place.stop)])
        coordinates.append(coordinates[Int(place.stop)])
        return new
    }

    /// Adds the stops at which no trip of the timetable calls: realtime messages send trips there, from another platform or on
    /// another way.
    private mutating func addUnserved(_ feed: Feed) throws {
        guard !lines.isEmpty else { return }
        for record in try feed.stops.all()
        where index[record.number] == nil && (record.kind == .stop || record.kind == .boardingArea) {
            _ = stop(record.number)
            coordinates.append(record.coordinate)
        }
    }

    /// The stops without their places.
    private var stopIndices: Range<Int> { 0..<numbers.count - places.count }

    /// Boarding and alighting are not possible at inaccessible stops. A platform with unknown access
    /// inherits it from its station.
    private mutating func closeStops(_ feed: Feed) throws {
        for record in try feed.stops.rows(numbers) {
            var access = record.wheelchair ?? 0
            if access == 0, let parent = try record.parent.flatMap(feed.stops.with(id:)) {
                access = parent.wheelchair ?? 0
            }
            if access == 2, let stop = index[record.number] { closed.insert(stop) }
        }
        for line in lines.indices {
            for call in lines[line].stops.indices where closed.contains(lines[line].stops[call]) {
                lines[line].boards[call] = false
                lines[line].alights[call] = false
            }
        }
    }

    private mutating func stop(_ number: Int64) -> Int32 {
        if let known = index[number] { return known }
        let new = Int32(numbers.count)
        index[number] = new
        numbers.append(number)
        return new
    }

    private mutating func readLines(_ feed: Feed) throws {
        let layout = feed.layout
        let calls = try feed.read { db -> [(pattern: Int64, route: Int64, stop: Int64, values: [Int64])] in
            let rows = try RawStatement(
                db,
                """
                SELECT c.pid, p.rid, c.sid, coalesce(\(layout.arrival), c.departure_offset_secs), c.departure_offset_secs,
                  \(layout.pickup), \(layout.dropOff), c.stop_sequence FROM main.pattern_stops c
                  JOIN \(layout.patterns) p ON p.pid = c.pid ORDER BY c.pid, c.stop_sequence
                """)
            var calls: [(pattern: Int64, route: Int64, stop: Int64, values: [Int64])] = []
            while try rows.next() {
                if calls.count % TransitSettings.rowStep == 0 { try Interruption.check() }
                guard !rows.isNull(4) else { continue }
                calls.append(
                    (rows.integer(0), rows.integer(1), rows.integer(2), (3...7).map { rows.integer($0) }))
            }
            return calls
        }
        for call in calls {
            if lines.last?.pattern != call.pattern {
                lines.append(Line(pattern: call.pattern, route: call.route))
            }
            let stop = stop(call.stop)
            let line = lines.count - 1
            let latest = lines[line].departures.last ?? 0
            // Times in an unvalidated file may decrease: then the trip waits.
            let arrival = max(latest, Int32(ServiceDay.clamped(call.values[0])))
            lines[line].stops.append(stop)
            lines[line].arrivals.append(arrival)
            lines[line].departures.append(max(arrival, Int32(ServiceDay.clamped(call.values[1]))))
            lines[line].boards.append(call.values[2] != 1)
            lines[line].alights.append(call.values[3] != 1)
            lines[line].sequences.append(Int32(clamping: call.values[4]))
        }
        let byNumber = Dictionary(
            try feed.stops.rows(numbers).map { ($0.number, $0.coordinate) },
            uniquingKeysWith: { first, _ in first })
        coordinates = numbers.map { byNumber[$0] ?? nil }
    }

    private mutating func readTrips(_ feed: Feed) throws {
        let byPattern = Dictionary(
            lines.indices.map { (lines[$0].pattern, $0) }, uniquingKeysWith: { first, _ in first })
        let layout = feed.layout
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT rowid, pid, start_time_secs, service_id, frequency_based, wheelchair_accessible FROM \(layout.trips)
                  WHERE start_time_secs NOT NULL AND frequency_based = 0
                """)
            while try rows.next() {
                guard let line = byPattern[rows.integer(1)],
                    let service = rows.bytes(3).flatMap(feed.calendar.services.find)
                else { continue }
                lines[line].trips.append(
                    Trip(
                        row: rows.integer(0), start: Int32(ServiceDay.clamped(rows.integer(2))),
                        service: Int32(service),
                        isFrequency: false, wheelchair: UInt8(clamping: rows.isNull(5) ? 0 : rows.integer(5)))
                )
            }
            guard layout.hasFrequencies else { return }
            let runs = try RawStatement(
                db,
                """
                SELECT t.rowid, f.pid, f.start_secs, f.end_secs, f.headway_secs, t.service_id, t.wheelchair_accessible
                  FROM frequencies f JOIN trips t ON t.trip_id = f.trip_id
                """)
            while try runs.next() {
                try Interruption.check()
                let headway = ServiceDay.clamped(runs.integer(4))
                guard headway > 0, let line = byPattern[runs.integer(1)],
                    let service = runs.bytes(5).flatMap(feed.calendar.services.find)
                else { continue }
                for start in stride(
                    from: ServiceDay.clamped(runs.integer(2)), to: ServiceDay.clamped(runs.integer(3)),
                    by: headway)
                {
                    lines[line].trips.append(
                        Trip(
                            row: runs.integer(0), start: Int32(start), service: Int32(service),
                            isFrequency: true,
                            wheelchair: UInt8(clamping: runs.isNull(6) ? 0 : runs.integer(6))))
                }
            }
        }
    }

    // MARK: Walks

    /// Walks to nearby stops, unless transfers.txt has a rule for them. A rule of a station applies to its
    /// platforms.
    private mutating func makeWalks(_ feed: Feed, _ paths: StationPaths, _ special: TransferRules) throws {
        let ways = try makeDoors(feed, paths)
        grid = CoordinateGrid(doors.map(\.at), cell: JourneySettings.changeWalk)
        var found = stopIndices.map { stop in
            [Int32(stop): Walk(stop: Int32(stop), seconds: JourneySettings.change)]
        }
        for (from, door) in doors.enumerated() {
            if from % TransitSettings.rowStep == 0 { try Interruption.check() }
            guard let outward = door.outward else { continue }
            for near in grid.near(door.at, JourneySettings.changeWalk) {
                let other = doors[near.index]
                guard other.stop != door.stop, let inward = other.inward,
                    !paths.decides(numbers[Int(door.stop)], numbers[Int(other.stop)])
                else { continue }
                let seconds = JourneySettings.change + outward + inward + JourneySettings.seconds(near.metres)
                let known = found[Int(door.stop)][other.stop]
                guard known.map({ seconds < $0.seconds }) ?? true else { continue }
                found[Int(door.stop)][other.stop] = Walk(
                    stop: other.stop, seconds: seconds, kind: .outside, fromDoor: Int32(from),
                    toDoor: Int32(near.index), metres: Float(near.metres))
            }
        }
        for way in ways {
            found[Int(way.from)][way.to] = Walk(
                stop: way.to, seconds: JourneySettings.change + way.seconds, kind: .station)
        }
        try apply(rules(feed), to: &found)
        addPlaces(to: &found, special)
        walks = found.map { near in
            near.values.sorted { ($0.seconds, $0.stop) < ($1.seconds, $1.stop) }
        }
    }

    private func apply(
        _ rules: [(from: [Int32], to: [Int32], type: Int, seconds: Int32?)], to found: inout [[Int32: Walk]]
    ) throws {
        for rule in rules {
            for from in rule.from {
                for to in rule.to where found.indices.contains(Int(from)) {
                    let known = found[Int(from)][to]
                    func set(_ seconds: Int32) {
                        found[Int(from)][to] = Walk(stop: to, seconds: seconds, kind: .rule)
                    }
                    switch (rule.type, rule.seconds) {
                    case (3, _): found[Int(from)][to] = nil
                    case (1, let seconds): set(seconds ?? 0)
                    case (_, let seconds?): set(seconds)
                    case (2, nil): if known == nil { set(JourneySettings.change) }
                    default:
                        if known == nil, let metres = metres(Int(from), Int(to)) {
                            set(JourneySettings.change + JourneySettings.seconds(metres))
                        }
                    }
                }
            }
        }
    }

    /// The doors of all stops; returns the paths along pathways from stop to stop.
    private mutating func makeDoors(
        _ feed: Feed, _ paths: StationPaths
    ) throws -> [(from: Int32, to: Int32, seconds: Int32)] {
        var ways: [(from: Int32, to: Int32, seconds: Int32)] = []
        for (stop, number) in numbers[stopIndices].enumerated() {
            let reached = paths.distances(from: number)
            for (other, seconds) in reached {
                if let to = index[other], Int(to) != stop, paths.decides(number, other) {
                    ways.append((Int32(stop), to, seconds))
                }
            }
            let back = paths.distances(to: number)
            let entrances = Set(reached.keys).union(back.keys).intersection(paths.entrances.keys).sorted()
            for entrance in entrances {
                guard let at = paths.entrances[entrance] else { continue }
                doors.append(
                    Door(
                        stop: Int32(stop), at: at, inward: back[entrance], outward: reached[entrance]))
            }
            // Pathways that reach no entrance do not define the path outside.
            if entrances.isEmpty, let at = coordinates[stop] {
                doors.append(Door(stop: Int32(stop), at: at, inward: 0, outward: 0))
            }
        }
        return ways
    }

    private func rules(_ feed: Feed) throws -> [(from: [Int32], to: [Int32], type: Int, seconds: Int32?)] {
        guard feed.layout.hasTransfers else { return [] }
        let rows = try feed.read { db in
            let rows = try RawStatement(
                db, "SELECT from_sid, to_sid, transfer_type, min_transfer_time FROM transfers ORDER BY rowid")
            var found: [(from: Int64, to: Int64, type: Int, seconds: Int32?)] = []
            while try rows.next() {
                found.append(
                    (
                        rows.integer(0), rows.integer(1), Int(rows.integer(2)),
                        rows.isNull(3) ? nil : Int32(ServiceDay.clamped(rows.integer(3)))
                    ))
            }
            return found
        }
        var parts: [Int64: (stops: [Int32], isStation: Bool)] = [:]
        func stops(_ number: Int64) throws -> (stops: [Int32], isStation: Bool) {
            if let known = parts[number] { return known }
            guard let record = try feed.stops.rows([number]).first else { return ([], false) }
            let made = (try feed.stops.parts(of: record).compactMap { index[$0] }, record.kind == .station)
            parts[number] = made
            return made
        }
        // A rule between stops overrides one between their stations, so it is applied later.
        return try rows.map { row in
            let (from, to) = (try stops(row.from), try stops(row.to))
            return (from.stops, to.stops, row.type, row.seconds, from.isStation || to.isStation)
        }.sorted { $0.4 && !$1.4 }.map { ($0.0, $0.1, $0.2, $0.3) }
    }
}
