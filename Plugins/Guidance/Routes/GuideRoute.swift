import Geodesy
import PluginKit

/// A route for guidance: its line and instructions.
public struct GuideRoute: Sendable {
    /// An instruction at a point of the line.
    struct Stop: Sendable, Hashable {
        /// The instruction.
        var turn: TurnInstruction
        /// Metres from the start along the line.
        var along: Double
    }

    /// The name.
    let name: String
    /// The travel mode.
    let mode: TravelMode
    /// Estimated time in seconds.
    let duration: Double
    /// Whether it is a bare line, such as a GPX file, and not a planned route.
    let isBareLine: Bool
    /// The line.
    public let geometry: RouteGeometry
    /// The instructions after the start in order; the last is the arrival at the end of the line.
    let stops: [Stop]
    /// The request that it was planned from; `nil` if unknown.
    let request: (any RouteRequest)?
    /// The via points of the plan, with their distances from the start, in order.
    let vias: [(coordinate: Coordinate, along: Double)]

    /// A route from its line and instructions; `nil` if the line has fewer than two different points.
    ///
    /// Distances of instructions are those of a graph, which may differ from the drawn line: each is moved
    /// to the nearest point of the line near its distance, never before the previous one.
    public init?(
        name: String, mode: TravelMode, line: [Coordinate], turns: [TurnInstruction], duration: Double?,
        isBareLine: Bool, via: [Coordinate] = [], request: (any RouteRequest)? = nil
    ) {
        guard let geometry = RouteGeometry(line) else { return nil }
        self.name = name
        self.mode = mode
        self.geometry = geometry
        self.isBareLine = isBareLine
        self.request = request
        let known = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.duration = known ?? geometry.length / GuidanceLimits.walkingSpeed
        stops = Self.stops(turns, on: geometry)
        vias = Self.vias(via, on: geometry)
    }

    /// Length of the line, metres.
    public var length: Double { geometry.length }

    private static func stops(_ turns: [TurnInstruction], on geometry: RouteGeometry) -> [Stop] {
        let stated = turns.map(\.cumulativeDistance).filter(\.isFinite).max() ?? 0
        let scale = stated > 0 ? geometry.length / stated : 1
        var stops: [Stop] = []
        var least = 0.0
        for turn in turns where turn.direction != .start && turn.direction != .arrive {
            let expected = max(least, min(geometry.length, max(0, turn.cumulativeDistance) * scale))
            let along = max(least, distanceAlong(to: turn.coordinate, near: expected, on: geometry))
            stops.append(Stop(turn: turn, along: along))
            least = along
        }
        stops.append(Stop(turn: arrival(turns, geometry), along: geometry.length))
        return stops
    }

    /// The via points after a distance from the start, metres.
    func vias(after along: Double) -> [Coordinate] { vias.filter { $0.along > along }.map(\.coordinate) }

    /// Each via point at the first nearest point of the line after the previous one.
    private static func vias(_ places: [Coordinate], on geometry: RouteGeometry) -> [(Coordinate, Double)] {
        var least = 0.0
        return places.map { place in
            let nearest = geometry.nearest(place).distance
            let passes = geometry.passes(place, within: nearest + GuidanceLimits.tie)
            least = passes.first { $0.along >= least }?.along ?? least
            return (place.withoutAltitude, least)
        }
    }

    /// The distance along the line of a coordinate; of several passes the one nearest to its expected distance.
    private static func distanceAlong(to point: Coordinate, near expected: Double, on geometry: RouteGeometry)
        -> Double
    {
        let passes = point.isValid ? geometry.passes(point, within: GuidanceLimits.instructionReach) : []
        let nearest = passes.map(\.distance).min() ?? 0
        return passes.filter { $0.distance <= nearest + GuidanceLimits.tie }
            .min { abs($0.along - expected) < abs($1.along - expected) }?.along ?? expected
    }

    private static func arrival(_ turns: [TurnInstruction], _ geometry: RouteGeometry) -> TurnInstruction {
        if let last = turns.last, last.direction == .arrive { return last }
        return TurnInstruction(
            coordinate: geometry.points[geometry.points.count - 1].withoutAltitude, direction: .arrive,
            bearing: geometry.bearing(at: geometry.length), distanceFromPrevious: 0,
            cumulativeDistance: geometry.length, trailName: nil, description: "Arrive")
    }
}

extension GuideRoute {
    /// The route from another plugin's value. A route without a region is a bare line.
    init?(_ route: any TravelRoute) {
        var isBareLine = true
        if case .text? = route.field("region") { isBareLine = false }
        self.init(
            name: route.name, mode: route.mode, line: route.line, turns: route.turns,
            duration: route.duration, isBareLine: isBareLine, via: Self.via(of: route), request: route.request
        )
    }

    /// The via points of another plugin's route.
    private static func via(of route: any TravelRoute) -> [Coordinate] {
        guard case .list(let places)? = route.field("via") else { return [] }
        return places.compactMap(\.asCoordinate)
    }
}
