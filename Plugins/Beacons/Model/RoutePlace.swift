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
    /// Places that were not reached before the next one was sought: passed at a distance, or left out where a corner was cut.
    private(set) var passed: [Int] = []
    /// Metres to it at the nearest so far.
    private var nearest = Double.infinity
    /// Whether the listener has been away from the next place since this one is heard: on a way there and back the one before the tip
    /// and the one after it are the same.
    private var wasAway = true
    /// How many places were reached.
    private var reached = 0
    /// The place at which the route was joined, while no other one was reached.
    private var joined: Int?

    /// Updates with the listener's coordinate. A reached place is heard as an arrival for a while, then the next one follows,
    /// and the next one may be reached first, where a corner is cut. A place that is passed at a distance, as on the other side
    /// of a street, is followed by the next one without an arrival.
    mutating func update(_ places: [RoutePlace], at coordinate: Coordinate, _ time: Double) {
        func isReached(_ place: RoutePlace) -> Bool {
            place.coordinate.distance(to: coordinate) <= BeaconSettings.arrivalRadius
        }
        if let other = joining(places, at: coordinate) {
            passed = Array(0..<other)
            joined = joined == nil ? other : nil
            (index, reachedAt, nearest, wasAway) = (other, nil, .infinity, false)
        }
        let hasNext = index + 1 < places.count
        let isOver = reachedAt.map { time - $0 >= BeaconSettings.arrivalCue } ?? false
        let distance = places[index].coordinate.distance(to: coordinate)
        nearest = min(nearest, distance)
        let isPassed = hasNext && reachedAt == nil && isPassed(places, at: coordinate, distance)
        if hasNext, places[index + 1].coordinate.distance(to: coordinate) > BeaconSettings.departureRadius {
            wasAway = true
        }
        if hasNext, isOver || isPassed || wasAway && isReached(places[index + 1]) {
            if reachedAt == nil { passed.append(index) }
            index += 1
            reachedAt = nil
            wasAway = false
            nearest = places[index].coordinate.distance(to: coordinate)
        }
        if reachedAt == nil, isReached(places[index]) {
            reachedAt = time
            reached += 1
            if reached > 1 { joined = nil }
        }
    }

    /// The first place after the next one, for a listener who comes to it before any other and so joins the route on the way; an
    /// earlier one for who comes to that afterwards, as to the start of a round that is approached from its end.
    private func joining(_ places: [RoutePlace], at coordinate: Coordinate) -> Int? {
        func isReached(_ index: Int) -> Bool {
            places[index].coordinate.distance(to: coordinate) <= BeaconSettings.arrivalRadius
        }
        if let joined { return (0..<joined).first(where: isReached) }
        guard reached == 0, index == 0, !isReached(0) else { return nil }
        // Nobody arrives at the end without having walked.
        return places.indices.dropFirst(2).dropLast().first(where: isReached)
    }

    /// Whether the place is behind a listener who came near it and goes on towards the next one.
    private func isPassed(_ places: [RoutePlace], at coordinate: Coordinate, _ distance: Double) -> Bool {
        let next = places[index + 1].coordinate
        return nearest <= BeaconSettings.passingRadius && distance >= nearest + BeaconSettings.passedBy
            && next.distance(to: coordinate) < next.distance(to: places[index].coordinate)
    }
}

extension BeaconSet {
    /// The beacons of a group that is followed, in their order; none without a group. Throws `E-BEACON-GROUP` for an unknown one.
    func following(_ group: String?) throws -> [Int] {
        guard let group else { return [] }
        return try members(of: group)
    }
}
