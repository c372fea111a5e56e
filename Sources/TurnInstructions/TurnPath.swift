import Geodesy

/// The kind of a way for a walker; a `TurnLanguage` has the texts.
public enum WayKind: String, Sendable, Hashable, CaseIterable {
    /// A path, footway, bridleway or cycleway.
    case path
    /// A track for vehicles of farms and forests.
    case track
    /// Any road for cars.
    case road
    /// Stairs.
    case steps
    /// A ferry.
    case ferry
    /// A lift of a building.
    case lift
    /// A platform of a station.
    case platform
    /// A corridor in a building.
    case corridor

    /// The kind of a value of OSM's `highway`, or of a ferry's `route`; `nil` if unknown.
    public init?(highway: String?) {
        switch highway {
        case nil: return nil
        case "path", "footway", "bridleway", "cycleway", "pedestrian": self = .path
        case "track": self = .track
        case "steps": self = .steps
        case "ferry": self = .ferry
        case "elevator": self = .lift
        case "platform": self = .platform
        case "corridor": self = .corridor
        default: self = .road
        }
    }

    /// Whether one boards it.
    var isRide: Bool { self == .ferry || self == .lift }
    /// Whether it is announced even if it is short.
    var isAlwaysAnnounced: Bool { self == .steps || isRide }
}

/// A marked trail that follows a way.
public struct TrailMark: Sendable, Hashable {
    /// Its name on signposts; `nil` where only its waymark is painted.
    public var name: String?
    /// Its waymark, such as red-white-red.
    public var waymark: Waymark?

    /// A trail.
    public init(name: String?, waymark: Waymark? = nil) {
        self.name = name
        self.waymark = waymark
    }

    /// Name and waymark.
    func words(_ language: TurnLanguage) -> String {
        [name, waymark?.words(language)].compactMap { $0 }.joined(separator: ", ")
    }

    /// The name, else the waymark.
    func title(_ language: TurnLanguage) -> String { name ?? words(language) }
}

/// A piece of way between two possible turns, in the direction of travel.
public struct TurnLeg: Sendable, Hashable {
    /// The line, both ends included, in the direction of travel.
    public var points: [Coordinate]
    /// The name of the way, else its number.
    public var name: String?
    /// The kind of the way; `nil` if unknown.
    public var kind: WayKind?
    /// Whether it is a part of a roundabout.
    public var isRoundabout: Bool
    /// Metres: the graph's length if known, else that of the line.
    public var length: Double
    /// The importance of a road: 0 paths and tracks, 1 residential streets, 2 tertiary … 5 trunk.
    public var roadRank: Int
    /// The marked trails along it, the most important first.
    public var trails: [TrailMark]
    /// Whether the map says that it leads up, or down; `nil` where it does not.
    public var ascends: Bool?
    /// Whether a vehicle may leave a roundabout by it, so that it counts as an exit.
    public var leadsOut: Bool

    /// A leg.
    public init(
        _ points: [Coordinate], name: String? = nil, kind: WayKind? = nil, isRoundabout: Bool = false,
        length: Double? = nil, roadRank: Int = 0, trails: [TrailMark] = [], ascends: Bool? = nil,
        leadsOut: Bool = true
    ) {
        self.points = points
        self.name = name
        self.kind = kind
        self.isRoundabout = isRoundabout
        self.length = length ?? Polyline.length(points)
        self.roadRank = roadRank
        self.trails = trails
        self.ascends = ascends
        self.leadsOut = leadsOut
    }

    /// Whether it leads up or down: as the map says, else by its heights; `nil` if that is unknown. Heights of the ground are
    /// not exact enough for less than the slope of a ramp.
    var isAscent: Bool? {
        if let ascends { return ascends }
        guard let low = points.first?.altitude, let high = points.last?.altitude,
            abs(high - low) > TurnSettings.leastSlopeOfSteps * length
        else { return nil }
        return high > low
    }
}

/// A junction between two legs.
public struct TurnJunction: Sendable, Hashable {
    /// A way out of a junction that was not taken.
    public struct Exit: Sendable, Hashable {
        /// The direction it leaves in, degrees from north.
        public var bearing: Double
        /// The name of the way.
        public var name: String?
        /// Whether it is a part of a roundabout.
        public var isRoundabout: Bool
        /// The importance of a road, as for a leg.
        public var roadRank: Int
        /// Whether a vehicle may leave a roundabout by it, so that it counts as an exit.
        public var leadsOut: Bool

        /// A way out.
        public init(
            bearing: Double, name: String? = nil, isRoundabout: Bool = false, roadRank: Int = 0,
            leadsOut: Bool = true
        ) {
            self.bearing = bearing
            self.name = name
            self.isRoundabout = isRoundabout
            self.roadRank = roadRank
            self.leadsOut = leadsOut
        }
    }

    /// A via point of the route.
    public struct Via: Sendable, Hashable {
        /// Its number, from 1 on.
        public var number: Int
        /// Its name.
        public var name: String?

        /// A via point.
        public init(number: Int, name: String? = nil) {
            self.number = number
            self.name = name
        }
    }

    /// The ways except those of arrival and departure.
    public var exits: [Exit]
    /// The via point reached here.
    public var via: Via?
    /// Whether one rides a lift here, from one storey to another: it has no length.
    var hasLift: Bool

    /// A junction; without exits it is a bend.
    public init(exits: [Exit] = [], via: Via? = nil, hasLift: Bool = false) {
        self.exits = exits
        self.via = via
        self.hasLift = hasLift
    }
}

/// A route as input of turn instructions: legs, with a junction between each two.
public struct TurnPath: Sendable, Hashable {
    /// The legs in order.
    public private(set) var legs: [TurnLeg]
    /// The junction after each leg but the last.
    public private(set) var junctions: [TurnJunction]
    /// The angles of the classes of turns.
    var thresholds = TurnThresholds()

    /// A path. Missing junctions are bends; legs without length are skipped, unless there is no other.
    public init(legs: [TurnLeg], junctions: [TurnJunction] = []) {
        self.legs = []
        self.junctions = []
        var pending = TurnJunction()
        for (index, leg) in legs.enumerated() {
            if leg.length >= TurnSettings.shortestLeg {
                if !self.legs.isEmpty { self.junctions.append(pending) }
                self.legs.append(leg)
                pending = TurnJunction()
            } else if leg.kind == .lift {
                pending.hasLift = true
            }
            if index < junctions.count {
                pending.exits += junctions[index].exits
                pending.via = pending.via ?? junctions[index].via
                pending.hasLift = pending.hasLift || junctions[index].hasLift
            }
        }
        if self.legs.isEmpty, let only = legs.first { self.legs = [only] }
    }

    /// An announced turn: the junction after the leg with this index, and the direction of departure.
    struct AnnouncedTurn {
        var junction: Int
        var outgoing: Double
    }

    /// A short piece to the side, from the junction where it begins to the junction whose turn reverses the first
    /// one; both are given by the index of the leg before them. The turn at the first has the direction after the
    /// piece; from there to the last the route counts as straight.
    struct Aside {
        var junction: Int
        var end: Int
        var outgoing: Double

        func incoming(after index: Int) -> Double? { index > junction && index <= end ? outgoing : nil }
        func outgoing(after index: Int) -> Double? { index >= junction && index < end ? outgoing : nil }
    }

    /// The direction of arrival at the junction after a leg, across the previous legs if it is short. Not
    /// across an announced turn: then it is that turn's direction, so that no turn is announced twice.
    func arriving(after index: Int, _ announced: AnnouncedTurn? = nil) -> Double {
        var points: [Coordinate] = legs[index].points.reversed()
        var (length, earlier) = (legs[index].length, index - 1)
        while length < TurnSettings.shortestBearing, earlier >= 0, goesOn(after: earlier, from: index) {
            if let announced, announced.junction == earlier { return announced.outgoing }
            points += legs[earlier].points.reversed().dropFirst()
            length += legs[earlier].length
            earlier -= 1
        }
        return LegBearing.arriving(points.reversed())
    }

    /// The direction of departure from the junction before a leg, across the following legs if it is short.
    func leaving(before index: Int) -> Double { departure(before: index).bearing }

    /// The same, with the index of the leg before the junction whose turn the bearing extends across; `nil` if there
    /// is none. A turn that reverses the one before is not reversed itself.
    func departure(before index: Int, isReversal: Bool = false) -> (bearing: Double, across: Int?) {
        var points = legs[index].points
        var (length, last) = (legs[index].length, index)
        var across: Int?
        while length < TurnSettings.shortestBearing, last + 1 < legs.count,
            goesOn(after: last, from: index - 1)
        {
            // The turns into and out of a hook ahead are ignored.
            let isHookAhead = isHook(last + 1) || (last > index && isHook(last))
            if !isHookAhead, abs(turn(after: last)) >= thresholds.slight {
                // A turn is reversed by a single turn.
                guard across == nil, !isReversal else { break }
                across = last
            }
            last += 1
            points += legs[last].points.dropFirst()
            length += legs[last].length
        }
        return (LegBearing.leaving(points), across)
    }

    /// Whether the bearing at the junction after the leg `here` may extend across the junction after another leg. It
    /// does not extend across a via point, a roundabout, or a U-turn, where the line overlaps itself, unless the next
    /// turn reverses the U-turn. It extends across a turn only if that turn reverses the one at `here`; other turns
    /// are announced at their own junctions.
    private func goesOn(after index: Int, from here: Int) -> Bool {
        guard isOpen(after: index) else { return false }
        let delta = turn(after: index)
        if abs(delta) < thresholds.slight || isHook(index) || isHook(index + 1) { return true }
        guard abs(delta) < thresholds.turn, here >= 0, here + 1 < legs.count else { return false }
        let own = turn(after: here)
        return (own > 0) != (delta > 0) && abs(own + delta) < TurnSettings.reversal
    }

    /// Whether a leg is a few metres to the side, or back, that the next turn reverses: a way drawn to the centre line
    /// of another one, from which it continues. It is not announced, whatever its name.
    func isHook(_ index: Int) -> Bool {
        guard index > 0, index + 1 < legs.count, legs[index].length <= TurnSettings.hook,
            legs[index].kind?.isAlwaysAnnounced != true, isOpen(after: index - 1), isOpen(after: index)
        else { return false }
        let (first, second) = (turn(after: index - 1), turn(after: index))
        guard (first > 0) != (second > 0), min(abs(first), abs(second)) >= thresholds.slight else {
            return false
        }
        let whole = Angle.difference(
            from: LegBearing.arriving(legs[index - 1].points), to: LegBearing.leaving(legs[index + 1].points))
        return abs(whole) < thresholds.slight
    }

    /// Whether neither a via point nor a roundabout is at the junction after a leg.
    private func isOpen(after index: Int) -> Bool {
        junctions[index].via == nil && !legs[index].isRoundabout && !legs[index + 1].isRoundabout
    }

    /// Degrees between the leg before a junction and the leg after it, by these alone.
    private func turn(after index: Int) -> Double {
        Angle.difference(
            from: LegBearing.arriving(legs[index].points), to: LegBearing.leaving(legs[index + 1].points))
    }
}

/// Directions near a junction, over a stretch long enough that single points have little effect.
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
