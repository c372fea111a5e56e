import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// `route move N TO`
struct MoveRoutePin: CommandProvider {
    let service: RouteService

    var name: String { "route move" }

    var command: Command {
        Command(
            name, "move a pin of a route and replan it",
            details: "The route keeps its name and identifier, so that `route save` replaces the old one.",
            .positional(
                "pin", .integer(1...1000), "pin number: 1 is the start, then the via points, then the end"),
            .positional("to", .coordinate, "new coordinate of the pin"),
            RouteInput.parameter, PlanOptions.parameters,
            input: .optional(.value("route")), output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "another end", "route plan $p.A $p.D | route move 2 $p.C | get distance",
                    after: Samples.sketch,
                    gives: "400m")
            ], searchTerms: ["reposition", "drag", "drag a pin", "change a stopover"]
        ) { input, context, pin, to, named, options in
            let route = try RouteInput.route(named, input, for: "route move")
            var places = route.pins
            guard places.indices.contains(pin - 1) else {
                throw SavedRouteErrors.pin(
                    "the route has no pin \(pin)", at: .parameter("pin"),
                    fix: "it has pins 1 to \(places.count)")
            }
            places[pin - 1] = to
            return .object(try Replanning.route(route, over: places, options, service, context))
        }
    }
}

/// `route reverse`
struct ReverseRoute: CommandProvider {
    let service: RouteService

    var name: String { "route reverse" }

    var command: Command {
        Command(
            name, "reverse a route",
            details: """
                A route planned in a region is replanned from its end to its start and may use other ways where climbing \
                or one-way streets make them cheaper. An imported line is reversed unchanged.
                """,
            RouteInput.parameter, PlanOptions.parameters,
            input: .optional(.value("route")),
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "the way back", "route plan $p.A $p.D | route reverse | route turns | first | get text",
                    after: Samples.sketch, gives: "Head west on Main Street")
            ],
            searchTerms: [
                "the other way", "walk the other way",
                "turn around", "way back", "back", "return", "swap start and end",
                "from the end to the start", "the way home",
            ]
        ) { input, context, named, options in
            let route = try RouteInput.route(named, input, for: "route reverse")
            if route.planned.regionID == nil, !route.isOfStraightLegs {
                return .object(Self.turned(route, context))
            }
            var turned = route
            turned.found?.plan.straight = StraightLegs.reversed(
                route.found?.plan.straight ?? [], of: route.pins.count - 1)
            var back = try Replanning.route(turned, over: route.pins.reversed(), options, service, context)
            back.planned.id = context.random.uuid()
            return .object(back)
        }
    }

    /// An imported line, reversed.
    private static func turned(_ route: Route, _ context: Context) -> Route {
        var back = route.planned
        (back.warnings, back.doubts) = (route.planning, [])
        back.id = context.random.uuid()
        back.createdAt = context.clock.now
        back.modifiedAt = nil
        (back.start, back.end) = (back.end, back.start)
        (back.gain, back.loss) = (back.loss, back.gain)
        back.via.reverse()
        back.coordinates.reverse()
        back.profile = back.profile.map { points in
            points.reversed().map {
                ElevationPoint(distance: back.distance - $0.distance, elevation: $0.elevation)
            }
        }
        back.duration = TrackRoutes.duration(
            back.distance, back.profile.flatMap { ElevationProfile(points: $0) }, back.mode)
        var generator = TurnGenerator(trace: NoTrace(), thresholds: TurnThresholds(context.settings))
        back.turns = generator.turns(alongLine: back.coordinates)
        return Route(back)
    }
}

/// Replanning of a route.
enum Replanning {
    /// The same route over other coordinates, in its region and mode unless the options override them.
    static func route(
        _ route: Route, over places: [Coordinate], _ options: PlanOptions, _ service: RouteService,
        _ context: Context
    ) throws -> Route {
        let region = options.region ?? route.planned.regionID
        // Straight lines need no region.
        guard region != nil || route.isOfStraightLegs else {
            throw SavedRouteErrors.fixed(
                "the route was not planned in a region", fix: "name a region with --region to replan it there"
            )
        }
        // With the original settings, except for those in the options.
        var plan = route.found?.plan ?? RoutePlan(places: places, profile: .standard(route.mode))
        let old = (moment: plan.profile.moment, departure: plan.departure)
        let fresh = try options.plan(places, context)
        if options.profile == nil {
            plan.profile.sacLimit = options.limit ?? plan.profile.sacLimit
            plan.profile.allowed.formUnion(fresh.profile.allowed)
        } else {
            plan.profile = fresh.profile
        }
        (plan.profile.moment, plan.departure) =
            options.moment == nil ? (old.moment, old.departure) : (fresh.profile.moment, fresh.departure)
        plan.avoided.formUnion(options.avoided)
        (plan.places, plan.region, plan.name) = (places, region, route.name)
        var planned = try service.route(plan, context)
        planned.planned.id = route.id
        planned.planned.createdAt = route.planned.createdAt
        planned.planned.modifiedAt = context.clock.now
        return planned
    }
}

extension Route {
    /// Start, via points, end.
    var pins: [Coordinate] { [planned.start] + planned.via + [planned.end] }

    /// Whether it was planned as straight lines only.
    var isOfStraightLegs: Bool { found.map { $0.plan.straight.count == pins.count - 1 } ?? false }
}
