import GRDB
import Geodesy
import PluginKit
import TrailStores

/// What journeys are searched in, whatever the day: lines, and the walks between stops.
struct JourneyNetwork: Sendable {
    /// A pattern: all its trips call at the same stops with the same offsets, so none overtakes another.
    struct Line: Sendable {
        var pattern: Int64
        var route: Int64
        /// Indexes of stops, and seconds after the trip leaves its first one.
        var stops: [Int32] = []
        var arrivals: [Int32] = []
        var departures: [Int32] = []
        /// Where one may get on and off.
        var boards: [Bool] = []
        var alights: [Bool] = []
        /// `stop_sequence` in the database.
        var sequences: [Int32] = []
        var trips: [Trip] = []
    }

    /// A trip, or one run of a trip of frequencies.
    struct Trip: Sendable {
        var row: Int64
        /// Seconds of the service day.
        var start: Int32
        /// The service's number in the calendar.
        var service: Int32
        var isFrequency: Bool
        /// `wheelchair_accessible`; 0 if nothing is known.
        var wheelchair: UInt8
    }

    /// A walk from one stop to another, or the change at a stop.
    struct Walk: Sendable, Hashable {
        var stop: Int32
        /// With the time for the change.
        var seconds: Int32
    }

    /// The numbers of the stops at which trips call, and their coordinates.
    private(set) var numbers: [Int64] = []
    private(set) var coordinates: [Coordinate] = []
    private(set) var index: [Int64: Int32] = [:]
    private(set) var lines: [Line] = []
    /// The walks from each stop, itself included unless no change is possible there.
    private(set) var walks: [[Walk]] = []
    /// The stops by their coordinates.
    private(set) var grid = StopGrid([], cell: JourneySettings.changeWalk)

    init(_ feed: Feed) throws {
        try readLines(feed)
        try readTrips(feed)
        lines.removeAll { $0.trips.isEmpty }
        for line in lines.indices { lines[line].trips.sort { ($0.start, $0.row) < ($1.start, $1.row) } }
        try makeWalks(feed)
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
            // Times of a file that was not checked may go backwards: then the trip waits.
            let arrival = max(latest, Int32(Feed.seconds(call.values[0])))
            lines[line].stops.append(stop)
            lines[line].arrivals.append(arrival)
            lines[line].departures.append(max(arrival, Int32(Feed.seconds(call.values[1]))))
            lines[line].boards.append(call.values[2] != 1)
            lines[line].alights.append(call.values[3] != 1)
            lines[line].sequences.append(Int32(clamping: call.values[4]))
        }
        let places = Dictionary(
            try feed.stops(numbers).map { ($0.number, $0.coordinate) },
            uniquingKeysWith: { first, _ in first })
        coordinates = numbers.map { places[$0] ?? Coordinate(latitude: 0, longitude: 0) }
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
                        row: rows.integer(0), start: Int32(Feed.seconds(rows.integer(2))),
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
                let headway = Feed.seconds(runs.integer(4))
                guard headway > 0, let line = byPattern[runs.integer(1)],
                    let service = runs.bytes(5).flatMap(feed.calendar.services.find)
                else { continue }
                for start in stride(
                    from: Feed.seconds(runs.integer(2)), to: Feed.seconds(runs.integer(3)), by: headway)
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

    /// Walks to the stops around, unless transfers.txt has a rule for them. A rule of a station holds for its platforms.
    private mutating func makeWalks(_ feed: Feed) throws {
        grid = StopGrid(coordinates, cell: JourneySettings.changeWalk)
        var found = numbers.indices.map { stop -> [Int32: Int32] in
            var near = [Int32(stop): JourneySettings.change]
            for other in grid.near(coordinates[stop], JourneySettings.changeWalk) where other.stop != stop {
                near[Int32(other.stop)] = JourneySettings.change + JourneySettings.seconds(other.metres)
            }
            return near
        }
        for rule in try rules(feed) {
            for from in rule.from {
                for to in rule.to where found.indices.contains(Int(from)) {
                    switch rule.type {
                    case 3: found[Int(from)][to] = nil
                    case 2:
                        found[Int(from)][to] = rule.seconds ?? found[Int(from)][to] ?? JourneySettings.change
                    case 1: found[Int(from)][to] = rule.seconds ?? 0
                    default:
                        let metres = coordinates[Int(from)].distance(to: coordinates[Int(to)])
                        found[Int(from)][to] =
                            rule.seconds ?? found[Int(from)][to]
                            ?? JourneySettings.change + JourneySettings.seconds(metres)
                    }
                }
            }
        }
        walks = found.map { near in
            near.map { Walk(stop: $0.key, seconds: $0.value) }.sorted {
                ($0.seconds, $0.stop) < ($1.seconds, $1.stop)
            }
        }
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
                        rows.isNull(3) ? nil : Int32(Feed.seconds(rows.integer(3)))
                    ))
            }
            return found
        }
        var parts: [Int64: (stops: [Int32], isStation: Bool)] = [:]
        func stops(_ number: Int64) throws -> (stops: [Int32], isStation: Bool) {
            if let known = parts[number] { return known }
            guard let record = try feed.stops([number]).first else { return ([], false) }
            let made = (try feed.parts(of: record).compactMap { index[$0] }, record.kind == .station)
            parts[number] = made
            return made
        }
        // A rule between stops precedes one between their stations, so it is applied later.
        return try rows.map { row in
            let (from, to) = (try stops(row.from), try stops(row.to))
            return (from.stops, to.stops, row.type, row.seconds, from.isStation || to.isStation)
        }.sorted { $0.4 && !$1.4 }.map { ($0.0, $0.1, $0.2, $0.3) }
    }
}

/// Stops in square cells, to find those around a place.
struct StopGrid: Sendable {
    private struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    private let coordinates: [Coordinate]
    private let size: Double
    private var cells: [Cell: [Int]] = [:]

    /// Cells of about so many metres; longitudes shrink with the latitude, so that cells only get narrower.
    init(_ coordinates: [Coordinate], cell metres: Double) {
        self.coordinates = coordinates
        size = (metres / GeodesySettings.earthRadius).degrees
        for (index, place) in coordinates.enumerated() { cells[cell(place), default: []].append(index) }
    }

    private func cell(_ place: Coordinate) -> Cell {
        Cell(x: Int((place.longitude / size).rounded(.down)), y: Int((place.latitude / size).rounded(.down)))
    }

    /// The stops within some metres of a place, in order of their indexes.
    func near(_ place: Coordinate, _ metres: Double) -> [(stop: Int, metres: Double)] {
        let reach = (metres / GeodesySettings.earthRadius).degrees
        let wide = reach / max(0.01, place.latitude.radians.cosine)
        var found: [(stop: Int, metres: Double)] = []
        let low = cell(Coordinate(latitude: place.latitude - reach, longitude: place.longitude - wide))
        let high = cell(Coordinate(latitude: place.latitude + reach, longitude: place.longitude + wide))
        for y in low.y...high.y {
            for x in low.x...high.x {
                for stop in cells[Cell(x: x, y: y)] ?? [] {
                    let distance = place.distance(to: coordinates[stop])
                    if distance <= metres { found.append((stop, distance)) }
                }
            }
        }
        return found.sorted { $0.stop < $1.stop }
    }
}
