import Geodesy
import PluginKit

/// Plans new routes off route, through another plugin's planner.
struct Rerouting: Sendable {
    private let planner: any RoutePlanning
    private let mode: RerouteMode

    /// Rerouting by the settings for a route; `nil` if it is off. Throws `E-GUIDE-ROUTING` without a
    /// planner.
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

    /// A new route from a coordinate, with the request of the first route. Throws the errors of the
    /// planner. A recorder receives each candidate route as a step.
    func route(
        from coordinate: Coordinate, _ run: GuidanceRun, _ context: Context,
        watch: ((TraceStep) -> Void)? = nil
    ) async throws -> GuideRoute? {
        let old = run.route
        var request = old.request ?? planner.request(over: [], mode: old.mode)
        let point = rejoinPoint(from: coordinate, run, watch)
        request.places = [coordinate, old.geometry.coordinate(at: point).withoutAltitude]
        let wayBack = request
        guard mode == .destination else {
            let back = try await planner.plan(wayBack, context: context)
            watch?(RerouteSteps.rejoining(back, old, from: point, .best, "the route itself is followed"))
            return Self.joined(back, old, at: point)
        }
        if old.request == nil {
            context.log.notice("the route's planning options are unknown; the new route uses the defaults")
        }
        let end = old.geometry.points[old.geometry.points.count - 1].withoutAltitude
        request.places = [coordinate] + old.vias(after: run.state.furthest) + [end]
        let newRoute = try await planner.plan(request, context: context)
        // Rejoining can fail even so: it ends at a point of the line, not at one of the plan.
        let back = try await found(wayBack, context)
        let isBack = back.map { Self.isNearlyAsShort($0, old, from: point, newRoute) } ?? false
        if let watch {
            watch(RerouteSteps.planned(newRoute, isBack ? .refused : .best))
            watch(RerouteSteps.back(back, old, from: point, isBack))
        }
        if isBack, let back { return Self.joined(back, old, at: point) }
        return named(old.name, GuideRoute(newRoute))
    }

    /// The nearest point of a way in the region of the first route; `nil` if unknown.
    func nearestWay(to coordinate: Coordinate, _ run: GuidanceRun, _ context: Context) async throws
        -> Coordinate?
    {
        let old = run.route
        let request = old.request ?? planner.request(over: [], mode: old.mode)
        return try await planner.nearestWay(to: coordinate, for: request, context: context)
    }

    /// The route for a request; `nil` if there is none.
    private func found(_ request: any RouteRequest, _ context: Context) async throws -> (any TravelRoute)? {
        do {
            return try await planner.plan(request, context: context)
        } catch let error as RutterError where error.code != CommonErrors.interrupted.code {
            return nil
        }
    }

    /// Whether rejoining the line is hardly longer than the new route, and not the same.
    private static func isNearlyAsShort(
        _ back: any TravelRoute, _ old: GuideRoute, from point: Double, _ newRoute: any TravelRoute
    ) -> Bool {
        let whole = back.distance + old.length - point
        return abs(whole - newRoute.distance) > GuidanceLimits.tie
            && whole <= newRoute.distance * WalkSettings.nearlyAsShort
    }

    /// The point at which the line is rejoined: the nearest one ahead, before the next via point.
    private func rejoinPoint(
        from coordinate: Coordinate, _ run: GuidanceRun, _ watch: ((TraceStep) -> Void)?
    ) -> Double {
        let geometry = run.route.geometry
        let least = min(geometry.length, run.state.furthest)
        let most = run.route.vias.first { $0.along > least }?.along ?? geometry.length
        var best = (along: least, distance: geometry.coordinate(at: least).distance(to: coordinate))
        let ahead = geometry.passes(coordinate, within: best.distance).filter { (least...most) ~= $0.along }
        for pass in ahead where pass.distance < best.distance { best = (pass.along, pass.distance) }
        if let watch {
            if best.along != least { watch(RerouteSteps.point(least, coordinate, geometry, isBest: false)) }
            for pass in ahead {
                watch(RerouteSteps.point(pass.along, coordinate, geometry, isBest: pass.along == best.along))
            }
            if best.along == least { watch(RerouteSteps.point(least, coordinate, geometry, isBest: true)) }
        }
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
            via: old.vias(after: point), request: old.request)
    }

    /// The instruction at the point where the old line is rejoined.
    private static func rejoin(
        _ back: [Coordinate], _ rest: [Coordinate], at length: Double
    ) -> TurnInstruction? {
        guard let coming = RouteGeometry(back), let going = RouteGeometry(rest) else { return nil }
        // Measured over some metres: the last piece of a path to a point of a line may have any direction
        // and be tiny.
        let reach = WalkSettings.turnReach
        let incoming = coming.coordinate(at: coming.length - min(reach, coming.length)).bearing(to: rest[0])
        let outgoing = rest[0].bearing(to: going.coordinate(at: min(reach, going.length)))
        let direction = TurnDirection(delta: Angle.difference(from: incoming, to: outgoing))
        return TurnInstruction(
            coordinate: rest[0].withoutAltitude, direction: direction, bearing: outgoing,
            distanceFromPrevious: 0, cumulativeDistance: length, trailName: nil,
            description: "\(RejoinWording.verb(direction)) to rejoin the route")
    }

    private func named(_ name: String, _ route: GuideRoute?) -> GuideRoute? {
        guard let route else { return nil }
        return GuideRoute(
            name: name, mode: route.mode, line: route.geometry.points, turns: route.stops.map(\.turn),
            duration: route.duration, isBareLine: route.isBareLine, via: route.vias.map(\.coordinate),
            request: route.request)
    }
}

/// The texts for rejoining the old route.
enum RejoinWording {
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
