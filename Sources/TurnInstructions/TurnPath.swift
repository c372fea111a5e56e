import Geodesy

/// A piece of way between two places where one could turn, in the direction of travel.
public struct TurnLeg: Sendable, Hashable {
    /// The line, both ends included. An edge travelled against its stored direction comes reversed.
    public var points: [Coordinate]
    /// The name of the way.
    public var name: String?
    /// Whether it is a part of a roundabout.
    public var isRoundabout: Bool
    /// Metres; where the graph knows them better than the drawn line, the graph's.
    public var length: Double

    /// A leg.
    public init(
        _ points: [Coordinate], name: String? = nil, isRoundabout: Bool = false, length: Double? = nil
    ) {
        self.points = points
        self.name = name
        self.isRoundabout = isRoundabout
        self.length = length ?? Polyline.length(points)
    }
}

/// A place between two legs.
public struct TurnJunction: Sendable, Hashable {
    /// A way out that was not taken.
    public struct Exit: Sendable, Hashable {
        /// The direction it leaves in, degrees from north.
        public var bearing: Double
        /// The name of the way.
        public var name: String?
        /// Whether it is a part of a roundabout.
        public var isRoundabout: Bool

        /// A way out.
        public init(bearing: Double, name: String? = nil, isRoundabout: Bool = false) {
            self.bearing = bearing
            self.name = name
            self.isRoundabout = isRoundabout
        }
    }

    /// The ways out that are neither the one taken nor the one come by.
    public var exits: [Exit]

    /// A junction; without exits it is a bend.
    public init(exits: [Exit] = []) { self.exits = exits }
}

/// A route as turn instructions see it: legs, and a junction between each two.
public struct TurnPath: Sendable, Hashable {
    /// The legs in order.
    public private(set) var legs: [TurnLeg]
    /// The junction after each leg but the last.
    public private(set) var junctions: [TurnJunction]

    /// A path. Missing junctions are bends; legs without length are passed over, unless there is no other.
    public init(legs: [TurnLeg], junctions: [TurnJunction] = []) {
        self.legs = []
        self.junctions = []
        var pending = TurnJunction()
        for (index, leg) in legs.enumerated() {
            if leg.length >= TurnSettings.shortestLeg {
                if !self.legs.isEmpty { self.junctions.append(pending) }
                self.legs.append(leg)
                pending = TurnJunction()
            }
            if index < junctions.count { pending.exits += junctions[index].exits }
        }
        if self.legs.isEmpty, let only = legs.first { self.legs = [only] }
    }
}

/// Directions near a junction, over a stretch long enough that single points do not matter.
public enum LegBearing {
    /// The direction in which a line arrives at its last point.
    public static func arriving(_ points: [Coordinate]) -> Double {
        guard let end = points.last else { return 0 }
        return Angle.normalized(end.bearing(to: anchor(from: points.reversed())) + 180)
    }

    /// The direction in which a line leaves its first point.
    public static func leaving(_ points: [Coordinate]) -> Double {
        guard let start = points.first else { return 0 }
        return start.bearing(to: anchor(from: points))
    }

    /// The first point at least 15 m along the line, no farther than 50 m; the last point of a shorter line.
    private static func anchor(from points: some Collection<Coordinate>) -> Coordinate {
        var along = 0.0
        var previous = points.first ?? Coordinate(latitude: 0, longitude: 0)
        for point in points.dropFirst() {
            let step = previous.distance(to: point)
            if along + step > TurnSettings.longestBearing {
                let rest = TurnSettings.longestBearing - along
                return previous.destination(bearing: previous.bearing(to: point), distance: rest)
            }
            along += step
            previous = point
            if along >= TurnSettings.shortestBearing { return point }
        }
        return previous
    }
}
