import CivilTime
import Core

/// A departure as found by the query.
struct DepartureRow: Sendable {
    /// Seconds since 1970.
    var time: Int
    /// Rank of its route in the order of names.
    var rank: Int32
    /// The row of the trip.
    var trip: Int64
    /// Seconds of the service day at which this run leaves its first stop.
    var start: Int
    /// The call.
    var call: StopCall
    /// The service day.
    var day: CivilDate
    /// The headway in seconds, for a frequency-based trip.
    var headway: Int?
    /// Whether its runs keep the times of the headway exactly (`exact_times`).
    var isExact = true

    /// The order of boards: by time, then route, then trip.
    static func precedes(_ left: DepartureRow, _ right: DepartureRow) -> Bool {
        (left.time, left.rank, left.trip, left.start, left.call.sequence)
            < (right.time, right.rank, right.trip, right.start, right.call.sequence)
    }
}

/// A call of a pattern at one of the stops searched, with boarding allowed.
struct StopCall: Sendable, Hashable {
    var pattern: Int64
    var sequence: Int64
    var stop: Int64
    /// Seconds after the start of the trip.
    var offset: Int
    /// The offset of the previous call of its visit: of the calls at these stops with no other stop between them; `nil` for the
    /// first.
    var before: Int?
    var route: Int64
    var rank: Int32
    /// The earliest and the latest start of the pattern's trips.
    var firstStart: Int
    var lastStart: Int
    var hasFrequencies: Bool
}

/// The best of the rows seen so far, in order.
struct BestDepartures {
    private(set) var rows: [DepartureRow] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Rows later than this cannot be among the best.
    var latest: Int? { rows.count >= limit ? rows.last?.time : nil }

    /// Inserts a row if it is among the best.
    mutating func add(_ row: DepartureRow) {
        if rows.count >= limit, let last = rows.last, !DepartureRow.precedes(row, last) { return }
        let index = rows.partitionIndex { !DepartureRow.precedes($0, row) }
        // The same run by two overlapping periods, in an unvalidated file.
        if index < rows.count, !DepartureRow.precedes(row, rows[index]), rows[index].day == row.day { return }
        rows.insert(row, at: index)
        if rows.count > limit { rows.removeLast() }
    }
}
