import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// Legs of a plan that are straight lines, off the ways.
enum StraightLegs {
    /// What they are called where ways have their names.
    static let title = "a straight line off the ways"

    /// The numbers, if a route of so many legs has them.
    static func checked(_ numbers: [Int], of count: Int) throws -> Set<Int> {
        if let number = numbers.first(where: { $0 > count }) {
            throw CommonErrors.argumentRange(
                "the route has no leg \(number)", at: .parameter("straight"),
                fix: count == 1 ? "it has one leg, 1; --via makes more" : "it has legs 1 to \(count)")
        }
        return Set(numbers)
    }

    /// The numbers of the same legs from the end to the start.
    static func reversed(_ numbers: Set<Int>, of count: Int) -> Set<Int> {
        Set(numbers.map { count + 1 - $0 })
    }

    /// A straight line with points as near as the ground's height is sampled, both ends included.
    static func line(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
        let steps = (start.distance(to: end) / RoutingSettings.straightStep).rounded(.up)
        let count = max(1, min(RoutingSettings.straightPoints, Int(steps)))
        let ends = [start.withoutAltitude, end.withoutAltitude]
        let east = Angle.difference(from: start.longitude, to: end.longitude)
        let inner = (1..<count).map { index in
            let share = Double(index) / Double(count)
            return Coordinate(
                latitude: start.latitude + share * (end.latitude - start.latitude),
                longitude: Angle.longitude(start.longitude + share * east))
        }
        return [ends[0]] + inner + [ends[1]]
    }
}

/// Consecutive legs of a plan: along ways, or one straight line.
private struct PlanPart {
    /// Indexes of its places in the plan.
    var places: ClosedRange<Int>
    var isStraight: Bool
    /// The path of legs along ways.
    var path: GraphPath?

    /// The number of its first leg.
    var number: Int { places.lowerBound + 1 }

    static func all(of plan: RoutePlan) -> [PlanPart] {
        var parts: [PlanPart] = []
        for leg in 1..<max(2, plan.places.count) {
            let isStraight = plan.straight.contains(leg)
            if !isStraight, let last = parts.last, !last.isStraight {
                parts[parts.count - 1].places = last.places.lowerBound...leg
            } else {
                parts.append(PlanPart(places: (leg - 1)...leg, isStraight: isStraight))
            }
        }
        return parts
    }
}

extension RouteService {
    /// The route of a plan some legs of which are straight. Only the others need a region.
    func routeWithStraightLegs(_ plan: RoutePlan, _ context: Context) throws -> Route {
        let parts = PlanPart.all(of: plan)
        var wayPlan = plan
        wayPlan.places = parts.filter { !$0.isStraight }.flatMap { plan.places[$0.places] }
        if wayPlan.places.isEmpty {
            return try PartedRoute(parts, plan, nil, context, regions).route(context)
        }
        let answer = try answer(wayPlan, context) { region in
            let found = try parts.map { part in
                var part = part
                if !part.isStraight {
                    var piece = plan
                    (piece.straight, piece.places) = ([], Array(plan.places[part.places]))
                    part.path = try path(piece, region, context)
                }
                return part
            }
            let route = try PartedRoute(found, plan, region, context, regions).route(context)
            try region.graph.image.checkSound()
            return route
        }
        return dressed(answer.named(answer.value), context)
    }
}

/// A route that is put together of its parts.
private struct PartedRoute {
    private let plan: RoutePlan
    private let region: RoutingRegion?
    private var line: [Coordinate] = []
    private var edges: [RouteEdge] = []
    private var nodes: [Int] = []
    private var legs: [TurnLeg] = []
    private var junctions: [TurnJunction] = []
    private var (distance, cost, duration) = (0.0, 0.0, 0.0)
    private var notices: [String] = []

    init(
        _ parts: [PlanPart], _ plan: RoutePlan, _ region: RoutingRegion?, _ context: Context,
        _ regions: RegionChoice
    ) throws {
        (self.plan, self.region) = (plan, region)
        for (index, part) in parts.enumerated() {
            if let path = part.path, let region {
                append(path, of: part, region)
            } else {
                let next = index + 1 < parts.count ? parts[index + 1].path?.coordinates.first : nil
                try append(part, to: next, context, regions)
            }
        }
    }

    private mutating func append(_ path: GraphPath, of part: PlanPart, _ region: RoutingRegion) {
        let pieces = PathTurns(graph: region.graph, path: path)
        let closures = pieces.closures(plan, after: duration)
        let turns = pieces.turnPath()
        join(turns.legs, at: part.places.lowerBound)
        junctions += turns.junctions.map { junction in
            var junction = junction
            junction.via?.number += part.places.lowerBound
            return junction
        }
        edges += pieces.edges(plan.profile)
        nodes += pieces.nodes
        line += line.isEmpty ? path.coordinates[...] : path.coordinates.dropFirst()
        distance += path.distance
        cost += path.cost
        duration += path.duration
        notices += path.notices.map { "from leg \(part.number) on: \($0)" }
        notices += closures
    }

    /// A straight line through its places, from where the way before it ends to where the next one begins.
    private mutating func append(
        _ part: PlanPart, to next: Coordinate?, _ context: Context, _ regions: RegionChoice
    ) throws {
        let corners = Polyline.withoutRepetition(
            ([line.last] + plan.places[part.places].map(Optional.some) + [next])
                .compactMap { $0?.withoutAltitude })
        var points: [Coordinate] = [corners[0]]
        for (from, to) in zip(corners, corners.dropFirst()) {
            points += StraightLegs.line(from: from, to: to).dropFirst()
        }
        if let known = try RegionHeights(regions: regions).heights(at: points, context: context) {
            for (index, height) in known.heights.enumerated() { points[index].altitude = height }
        }
        let length = Polyline.length(points)
        let heights = points.compactMap(\.altitude)
        let hasHeights = heights.count == points.count
        let climb = hasHeights ? ClimbMeter.sums(heights) : (gain: 0, loss: 0)
        let kind = plan.profile.kindCost(EdgeKind())
        let costs = plan.profile.cost(distance: length, gain: climb.gain, loss: climb.loss, kind)
        let seconds = plan.profile.seconds(distance: length, gain: climb.gain, loss: climb.loss, kind)
        edges.append(
            RouteEdge(
                distance: length, gain: climb.gain, loss: climb.loss, cost: costs, duration: seconds,
                hasHeights: hasHeights))
        join([TurnLeg(points, name: StraightLegs.title, length: length)], at: part.places.lowerBound)
        line += line.isEmpty ? points[...] : points.dropFirst()
        distance += length
        cost += costs
        duration += seconds
        notices.append(
            "leg \(part.number) is a straight line of \(Literal.inMessage(.metres(length))): what lies on it is "
                + "unknown, and its time is a guess")
    }

    /// Appends legs after the place with this index.
    private mutating func join(_ more: [TurnLeg], at place: Int) {
        if !legs.isEmpty, !more.isEmpty {
            junctions.append(TurnJunction(via: TurnJunction.Via(number: place)))
        }
        legs += more
    }

    func route(_ context: Context) throws -> Route {
        let heights = line.compactMap(\.altitude)
        let hasHeights = heights.count == line.count && edges.allSatisfy(\.hasHeights)
        let climb = hasHeights ? ClimbMeter.sums(heights) : (gain: 0, loss: 0)
        let places = plan.places
        var planned = PlannedRoute(
            id: context.random.uuid(), name: plan.name ?? RouteNaming.name(edges, from: places),
            mode: plan.profile.mode, start: places[0].withoutAltitude,
            end: places[places.count - 1].withoutAltitude,
            via: places.dropFirst().dropLast().map(\.withoutAltitude),
            coordinates: line.map(\.withoutAltitude), distance: distance, duration: duration,
            gain: climb.gain, loss: climb.loss, createdAt: context.clock.now)
        planned.regionID = region?.name
        planned.profile = RouteProfile.of(line: line, length: distance)?.points
        let turnPath = TurnPath(legs: legs, junctions: junctions)
        let found = Route.Found(
            cost: cost, nodes: nodes, edges: edges, line: line, turnPath: { turnPath },
            thresholds: TurnThresholds(context.settings),
            warnings: notices + RouteWarnings.of(edges, plan.profile) + RouteWarnings.of(weight: plan.weight)
                + (region.map { RouteWarnings.of(plan.departure, $0.graph) } ?? []),
            hasHeights: hasHeights, plan: plan)
        return Route(planned, found: found)
    }
}
