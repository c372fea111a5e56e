import PluginKit

extension FeedReader {
    /// Reads stop_times.txt as a stream and builds patterns. Rows of a trip may be scattered.
    mutating func readStopTimes() throws {
        let required = ["trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time"]
        guard var rows = try open(.stopTimes, required: required, isNeeded: true) else { return }
        var columns = StopTimeColumns()
        try readRows(&rows, required.map(rows.column), into: &columns)
        content.stopTimes = columns.count
        var builder = PatternBuilder(columns, trips: content.trips.count)
        try builder.build(&content, &problems, progress: progress)
    }

    private mutating func readRows(
        _ rows: inout TableReader, _ places: [Int], into columns: inout StopTimeColumns
    ) throws {
        let (pickup, headsign) = (rows.column("pickup_type"), rows.column("stop_headsign"))
        let distance = rows.column("shape_dist_traveled")
        var trip = -1
        while try rows.next(&problems, progress: progress) {
            let id = rows[places[0]]
            // The rows of a trip are usually consecutive.
            if trip < 0 || !content.tripIDs.equals(trip, UnsafeRawBufferPointer(id)) {
                trip = content.tripIDs.find(id) ?? -1
            }
            guard trip >= 0 else {
                if droppedTrips.find(id) != nil { continue }
                try problems.add(
                    .stopTimes, line: rows.line, Self.invalid("trip_id", rows.text(places[0]), "unknown"))
                continue
            }
            guard let stop = content.stopIDs.find(rows[places[1]]) else {
                try problems.add(
                    .stopTimes, line: rows.line, Self.invalid("stop_id", rows.text(places[1]), "unknown"))
                continue
            }
            guard let sequence = FieldParser.integer(rows[places[2]]) else {
                try problems.add(
                    .stopTimes, line: rows.line, Self.invalid("stop_sequence", rows.text(places[2])))
                continue
            }
            guard let arrival = time(rows[places[3]]), let departure = time(rows[places[4]]) else {
                let isArrival = time(rows[places[3]]) == nil
                try problems.add(
                    .stopTimes, line: rows.line,
                    "\(isArrival ? "arrival_time" : "departure_time") is `\(rows.text(places[isArrival ? 3 : 4]).prefix(40))`, not HH:MM:SS"
                )
                continue
            }
            let kind = content.stops[stop].kind
            guard kind == .stop || kind == .boardingArea else {
                try problems.add(
                    .stopTimes, line: rows.line,
                    "the stop \(rows.text(places[1])) is a \(kind.word): no trip can stop there")
                continue
            }
            if rows.hasExcess {
                try problems.add(.stopTimes, line: rows.line, "there are more values than columns")
                continue
            }
            columns.trip.append(Int32(trip))
            columns.stop.append(Int32(stop))
            columns.sequence.append(Int32(sequence))
            columns.arrival.append(arrival)
            columns.departure.append(departure)
            columns.distance.append(number(rows[distance]))
            columns.pickup.append(try pickupType(rows[pickup], line: rows.line))
            columns.headsign.append(text(rows[headsign]))
            columns.line.append(Int32(clamping: rows.line))
        }
    }

    /// Seconds, −1 for an empty field, `nil` for an invalid one.
    @inline(__always)
    private func time(_ field: FieldBytes) -> Int32? {
        if field.isEmpty { return -1 }
        return FieldParser.time(field).map { Int32($0) }
    }

    @inline(__always)
    private func number(_ field: FieldBytes) -> Double {
        field.isEmpty ? .nan : FieldParser.number(field) ?? .nan
    }

    @inline(__always)
    private mutating func pickupType(_ field: FieldBytes, line: Int) throws -> UInt8 {
        if field.isEmpty { return 0 }
        if field.count == 1, field[0] >= 0x30, field[0] <= 0x33 { return field[0] - 0x30 }
        try problems.add(
            .stopTimes, line: line,
            Self.invalid("pickup_type", String(decoding: field, as: UTF8.self)), .repaired)
        return 0
    }
}
