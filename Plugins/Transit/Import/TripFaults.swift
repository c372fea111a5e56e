/// The dropped rows of stop_times.txt, by trip.
struct TripFaults {
    /// Dropped calls of a trip.
    struct DroppedCalls {
        /// The smallest and the largest stop_sequence of the dropped rows.
        var first = Int.max
        var last = Int.min
        /// Whether the position of a dropped row is unknown.
        var isUnknown = false
        /// The line of the first dropped row.
        var line: Int
        var count = 0
    }

    /// The number of trips.
    let trips: Int
    /// Dropped calls by trip.
    private(set) var lost: [Int: DroppedCalls] = [:]
    /// Trips with a call in a zone or a time window instead of a stop and a time (GTFS-Flex).
    var flexible: Set<Int> = []

    init(trips: Int) { self.trips = trips }

    /// Records a dropped row.
    mutating func lose(_ trip: Int, _ sequence: Int?, line: Int) {
        var entry = lost[trip] ?? DroppedCalls(line: line)
        entry.count += 1
        if let sequence {
            entry.first = min(entry.first, sequence)
            entry.last = max(entry.last, sequence)
        } else {
            entry.isUnknown = true
        }
        lost[trip] = entry
    }

    /// The reason to skip a trip whose kept calls have these numbers: without its first call every time of
    /// a frequency-based run would shift, and without its last call it would end early.
    func reason(_ trip: Int, first: Int, last: Int) -> (text: String, line: Int)? {
        guard let lost = lost[trip] else { return nil }
        if lost.isUnknown { return ("a call at an unknown position", lost.line) }
        if lost.first < first { return ("its first call", lost.line) }
        if lost.last > last { return ("its last call", lost.line) }
        return nil
    }
}

/// The columns of GTFS-Flex in stop_times.txt.
struct FlexColumns {
    private let columns: [Int]
    /// The zone or the group of stops, and the hours.
    let zone: Int
    let group: Int
    let start: Int
    let end: Int

    init(_ rows: TableReader) {
        (zone, group) = (rows.column("location_id"), rows.column("location_group_id"))
        (start, end) = (
            rows.column("start_pickup_drop_off_window"), rows.column("end_pickup_drop_off_window")
        )
        columns = ["location_id", "location_group_id", "start_pickup_drop_off_window"].map(rows.column)
            .filter { $0 >= 0 }
    }

    /// Whether the table has any of them.
    var isPresent: Bool { !columns.isEmpty }

    /// Whether a row has a zone, a group of stops or a time window instead of a stop and a time.
    func describes(_ rows: TableReader) -> Bool { columns.contains { !rows[$0].isEmpty } }
}
