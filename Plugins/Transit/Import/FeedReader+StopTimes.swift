import PluginKit

extension FeedReader {
    /// Reads stop_times.txt as a stream and builds patterns. Rows of a trip may be scattered.
    mutating func readStopTimes() throws {
        let fixed = ["stop_id", "arrival_time", "departure_time"]
        guard var rows = try open(.stopTimes, required: ["trip_id", "stop_sequence"], isNeeded: true) else {
            return
        }
        let columns = StopTimeColumns(rows)
        if let missing = fixed.first(where: { rows.column($0) < 0 }), !columns.flex.isPresent {
            throw problems.refusal(.stopTimes, .missingColumn(missing))
        }
        guard !isWithoutStops else { return }
        var kept = StopTimeRows()
        var faults = TripFaults(trips: content.trips.count)
        try readRows(&rows, columns, into: &kept, &faults)
        content.stopTimes = kept.count
        content.flexibleTrips = faults.flexible.count
        var builder = PatternBuilder(kept, faults)
        try builder.build(&content, &problems, progress: progress)
        if problems.isLenient, !keepsForeignShapes { try dropForeignShapes() }
    }

    private mutating func readRows(
        _ rows: inout TableReader, _ columns: StopTimeColumns, into kept: inout StopTimeRows,
        _ faults: inout TripFaults
    ) throws {
        let flex = columns.flex
        let rules = try bookingRules()
        var notes = CallNotes(columns, rules: rules, routes: content.routes)
        var requests = StopTimeRequests(
            columns, rules: rules, groups: flex.isPresent ? try locationGroups() : [:],
            zones: flex.isPresent ? try requestZones() : [:])
        var trip = -1
        var followers = StopFollowers(stops: content.stopIDs.count)
        var lastSign: Int32 = -1
        while try rows.next(&problems, progress: progress) {
            let id = rows[columns.trip]
            // The rows of a trip are usually consecutive.
            if trip < 0 || !content.tripIDs.equals(trip, UnsafeRawBufferPointer(id)) {
                trip = rows.find(columns.trip, in: content.tripIDs) ?? -1
                followers.begin()
            }
            guard trip >= 0 else {
                loseCall(rows, columns, &followers)
                if droppedTrips.find(id) != nil {
                    problems.skipRow(.stopTimes, line: rows.line)
                    continue
                }
                try problems.add(
                    .stopTimes, line: rows.line, .unknown("trip_id", rows.text(columns.trip)))
                continue
            }
            if flex.isPresent, flex.describes(rows) {
                faults.flexible.insert(trip)
                requests.add(rows, trip: trip, to: &content)
                continue
            }
            guard let call = try call(rows, columns, &followers) else {
                faults.lose(trip, rows.integer(columns.sequence), line: rows.line)
                loseCall(rows, columns, &followers)
                continue
            }
            let boarding = Boarding.packed(
                pickup: try boardingType(rows[columns.pickup], "pickup_type", line: rows.line),
                dropOff: try boardingType(rows[columns.dropOff], "drop_off_type", line: rows.line))
            kept.rows.append(
                StopTimeRow(
                    distance: number(rows[columns.distance]), trip: Int32(trip), stop: Int32(call.stop),
                    sequence: Int32(call.sequence), arrival: call.arrival, departure: call.departure,
                    headsign: sign(rows.label(columns.headsign), &lastSign), line: Int32(clamping: rows.line),
                    boarding: boarding,
                    note: notes.number(rows, trip: trip, boarding: boarding, in: &content)))
        }
    }

    /// The stop, its place in the trip, and the times of a row, in seconds of the service day; `nil` for a row with a fault, which
    /// is noted.
    @inline(__always)
    private mutating func call(
        _ rows: TableReader, _ columns: StopTimeColumns, _ followers: inout StopFollowers
    ) throws -> (stop: Int, sequence: Int, arrival: Int32, departure: Int32)? {
        let follower = followers.find(rows[columns.stop], in: content.stopIDs)
        guard let stop = follower ?? rows.find(columns.stop, in: content.stopIDs) else {
            return try fault(rows, .unknown("stop_id", rows.text(columns.stop)))
        }
        guard let sequence = rows.integer(columns.sequence) else {
            return try fault(rows, .invalid("stop_sequence", rows.text(columns.sequence), .whole))
        }
        guard let arrival = time(rows, columns.arrival) else {
            return try fault(rows, Self.invalidTime("arrival_time", rows.text(columns.arrival)))
        }
        guard let departure = time(rows, columns.departure) else {
            return try fault(rows, Self.invalidTime("departure_time", rows.text(columns.departure)))
        }
        let kind = content.stops[stop].kind
        guard kind == .stop || kind == .boardingArea else {
            let id = rows.text(columns.stop)
            return try fault(
                rows,
                FeedFault(
                    .locationWithUnexpectedStopTime,
                    "the stop \(id) is a \(kind.word): no trip can stop there", field: "stop_id", value: id))
        }
        if rows.hasExcess { return try fault(rows, .excess) }
        return (stop, sequence, arrival, departure)
    }

    /// Counts a row that is not used at its stop, if that is known.
    private mutating func loseCall(
        _ rows: TableReader, _ columns: StopTimeColumns, _ followers: inout StopFollowers
    ) {
        guard let stop = followers.find(rows[columns.stop], in: content.stopIDs) else { return }
        content.setAside.lose(at: Int32(stop))
    }

    /// Notes what is wrong with a row.
    private mutating func fault<T>(_ rows: TableReader, _ fault: FeedFault) throws -> T? {
        try problems.add(.stopTimes, line: rows.line, fault)
        return nil
    }

    private static func invalidTime(_ field: String, _ value: String) -> FeedFault {
        FeedFault(
            .invalidTime, "\(field) is `\(value.prefix(40))`, not HH:MM:SS", field: field, value: value)
    }

    /// A headsign, usually the same as in the row before.
    @inline(__always)
    private mutating func sign(_ field: FieldBytes, _ last: inout Int32) -> Int32 {
        if field.isEmpty { return -1 }
        if last < 0 || !content.texts.equals(Int(last), UnsafeRawBufferPointer(field)) { last = text(field) }
        return last
    }

    /// Seconds, −1 for an empty field, `nil` for an invalid one.
    @inline(__always)
    private func time(_ rows: TableReader, _ column: Int) -> Int32? {
        rows[column].isEmpty ? -1 : rows.time(column).map { Int32($0) }
    }

    @inline(__always)
    private func number(_ field: FieldBytes) -> Double {
        field.isEmpty ? .nan : FieldParser.number(field) ?? .nan
    }

    @inline(__always)
    private mutating func boardingType(_ field: FieldBytes, _ column: String, line: Int) throws -> UInt8 {
        if let type = Boarding.type(field, isLenient: problems.isLenient) { return type }
        try problems.add(
            .stopTimes, line: line,
            .invalid(column, String(decoding: field, as: UTF8.self), .choice), .repaired)
        return Boarding.unknown
    }
}
