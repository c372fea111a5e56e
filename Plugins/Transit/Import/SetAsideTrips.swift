/// What an import set aside of trips: those that it could not keep, and the stops at which lines were lost.
struct SetAsideTrips {
    /// A trip that was not kept; its route is −1 if it is unknown.
    struct Trip {
        var id: String
        var route: Int32
    }

    private(set) var trips: [Trip] = []
    /// The number of lines about calls that were not used, by stop.
    private(set) var lines: [Int32: Int] = [:]

    mutating func lose(_ id: String, route: Int32 = -1) { trips.append(Trip(id: id, route: route)) }

    mutating func lose(lines count: Int = 1, at stop: Int32) { lines[stop, default: 0] += count }

    /// Adds those of a further feed, whose rows are numbered from here on.
    mutating func add(_ other: SetAsideTrips, prefix: String, stops: Int32, routes: Int32) {
        trips += other.trips.map { Trip(id: prefix + $0.id, route: $0.route < 0 ? -1 : $0.route + routes) }
        for (stop, count) in other.lines { lines[stop + stops] = count }
    }
}
