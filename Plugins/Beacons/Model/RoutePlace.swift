import Geodesy

/// A place of a route that is heard until it is reached.
package struct RoutePlace: Sendable, Hashable {
    package let name: String
    package let coordinate: Coordinate

    init(_ beacon: Beacon) {
        name = beacon.name
        coordinate = beacon.coordinate
    }
}

/// How far a route is followed by ear.
struct RouteStep: Sendable, Hashable {
    /// The place that is heard.
    private(set) var index = 0
    /// When it was reached, in seconds of the walk; `nil` before.
    private(set) var reachedAt: Double?

    /// Updates with the listener's coordinate. A reached place is heard as an arrival for a while, then the next one follows,
    /// and the next one may be reached first, where a corner is cut.
    mutating func update(_ places: [RoutePlace], at coordinate: Coordinate, _ time: Double) {
        func isReached(_ place: RoutePlace) -> Bool {
            place.coordinate.distance(to: coordinate) <= BeaconSettings.arrivalRadius
        }
        let hasNext = index + 1 < places.count
        let isOver = reachedAt.map { time - $0 >= BeaconSettings.arrivalCue } ?? false
        if hasNext, isOver || isReached(places[index + 1]) {
            index += 1
            reachedAt = nil
        }
        if reachedAt == nil, isReached(places[index]) { reachedAt = time }
    }
}

extension BeaconSet {
    /// The beacons of a group that is followed, in their order; none without a group. Throws `E-BEACON-GROUP` for an unknown one.
    func following(_ group: String?) throws -> [Int] {
        guard let group else { return [] }
        return try members(of: group)
    }
}
