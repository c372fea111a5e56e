import Geodesy
import PluginKit

/// Plans new routes off route, through the planner of another plugin.
struct Rerouting: Sendable {
    private let planner: any RoutePlanning
    private let mode: RerouteMode

    /// Rerouting by the settings for a route; `nil` when it is off. Throws `E-GUIDE-ROUTING` without a planner.
    init?(_ route: GuideRoute, _ settings: GuidanceSettings, _ context: Context) throws {
        switch settings.reroute {
        case .off: return nil
        case .automatic: mode = route.isBareLine ? .rejoin : .destination
        case .rejoin, .destination: mode = settings.reroute
        }
        guard let planner = context.all((any RoutePlanning).self).first else {
            throw GuidanceErrors.routing(
                "no new route can be planned without the Routing plugin",
                fix: "omit --reroute, or add the plugin")
        }
        self.planner = planner
    }

    /// A new route from a coordinate. Throws the errors of the planner.
    func route(from place: Coordinate, _ journey: Journey, _ context: Context) async throws -> GuideRoute? {
        let old = journey.route
        let end = old.geometry.points[old.geometry.points.count - 1]
        guard mode == .rejoin else {
            let planned = try await planner.plan(
                RouteRequest(
                    from: place, to: end.withoutAltitude, via: old.vias(after: journey.state.furthest),
                    mode: old.mode), context: context)
            return named(old.name, GuideRoute(planned))
        }
        let point = rejoinPoint(from: place, journey)
        let planned = try await planner.plan(
            RouteRequest(
                from: place, to: old.geometry.coordinate(at: point).withoutAltitude, mode: old.mode),
            context: context)
        return Self.joined(planned, old, at: point)
    }

    /// The point at which the line is rejoined: the nearest one not passed yet.
    private func rejoinPoint(from place: Coordinate, _ journey: Journey) -> Double {
        let geometry = journey.route.geometry
        let least = min(geometry.length, journey.state.furthest)
        var best = (along: least, distance: geometry.coordinate(at: least).distance(to: place))
        let ahead = geometry.passes(place, within: best.distance).filter { $0.along >= least }
        for pass in ahead where pass.distance < best.distance { best = (pass.along, pass.distance) }
        return best.along
    }

    /// The way back, followed by the rest of the old route.
    private static func joined(_ back: any TravelRoute, _ old: GuideRoute, at point: Double) -> GuideRoute? {
        let wayBack = back.line
        let rest =
            [old.geometry.coordinate(at: point)]
            + old.geometry.points.indices.filter { old.geometry.along[$0] > point }.map {
                old.geometry.points[$0]
            }
        let length = Polyline.length(wayBack)
        var turns = back.turns.filter { $0.direction != .arrive }
        if let turn = rejoin(wayBack, rest, at: length) { turns.append(turn) }
        for stop in old.stops where stop.along > point {
            var turn = stop.turn
            turn.cumulativeDistance = length + stop.along - point
            turns.append(turn)
        }
        let share = (old.length - point) / old.length
        return GuideRoute(
            name: old.name, mode: old.mode, line: wayBack + rest, turns: turns,
            duration: back.duration + old.duration * share, isBareLine: old.isBareLine,
            via: old.vias(after: point))
    }

    /// The instruction at the point where the old line is rejoined.
    private static func rejoin(
        _ back: [Coordinate], _ rest: [Coordinate], at length: Double
    ) -> TurnInstruction? {
        guard back.count > 1, rest.count > 1 else { return nil }
        let incoming = back[back.count - 2].bearing(to: back[back.count - 1])
        let outgoing = rest[0].bearing(to: rest[1])
        let direction = TurnDirection(delta: Angle.difference(from: incoming, to: outgoing))
        return TurnInstruction(
            coordinate: rest[0].withoutAltitude, direction: direction, bearing: outgoing,
            distanceFromPrevious: 0, cumulativeDistance: length, trailName: nil,
            description: "\(RejoinWords.verb(direction)) to rejoin the route")
    }

    private func named(_ name: String, _ route: GuideRoute?) -> GuideRoute? {
        guard let route else { return nil }
        return GuideRoute(
            name: name, mode: route.mode, line: route.geometry.points, turns: route.stops.map(\.turn),
            duration: route.duration, isBareLine: route.isBareLine, via: route.vias.map(\.place))
    }
}

/// The words for rejoining the old route.
enum RejoinWords {
    static func verb(_ direction: TurnDirection) -> String {
        switch direction {
        case .start, .straight, .arrive: "Continue straight"
        case .slightLeft: "Bear left"
        case .left: "Turn left"
        case .sharpLeft: "Turn sharp left"
        case .slightRight: "Bear right"
        case .right: "Turn right"
        case .sharpRight: "Turn sharp right"
        case .uTurn: "Turn round"
        }
    }
}
