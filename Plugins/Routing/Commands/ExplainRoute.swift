import PluginKit

/// `route explain [ROUTE]`
struct ExplainRoute: CommandProvider {
    let service: RouteService
    private static let stretches = ["way", "distance", "cost", "per metre", "rules"]
    private static let rules = ["rule", "distance", "cost", "without", "differs", "route"]

    var name: String { "route explain" }

    var command: Command {
        Command(
            name, "show the cost of a route by stretch and rule",
            details: """
                Cost is in equivalent metres of easy way. Each row is a stretch of the same kind of way, with the rules of the cost \
                profile that applied there and the cost of each, and why other planners may not go there: a ferry, a cycleway or bridleway \
                without `foot`, a grade above T1, a condition, a square that is crossed off its edge, access that is not certain. With --rules each rule of the route is a row: its \
                total cost, and the best route without it: its length, and how much it differs from the route (0 % for the same \
                way). With --by the route is summed by the value of a property: what it consists of, in the order of length; \
                `value` is `nothing` where the map does not state it.
                """,
            RouteInput.parameter,
            .flag("rules", "return the rules that applied, each with the best route without it"),
            .option(
                "by", .choice(of: RouteMakeup.self, \.summary), "sum the route by surface, grade or way"),
            input: .optional(.value("route")), output: .rows(Self.stretches), effect: .reads,
            examples: [
                .init(
                    "its surfaces",
                    "route plan $q.A $q.C | route explain --by surface | select value distance share",
                    after: [
                        "let q = region sketch why 'A---B---C-----D' --way 'AB surface=asphalt' --way 'BC surface=gravel' --way CD"
                    ],
                    gives: """
                        value    distance  share
                        asphalt      200m    50%
                        gravel       200m    50%
                        """),
                .init(
                    "a way that others may not take",
                    "route plan $q.A $q.B | route explain | get rules | first",
                    after: ["let q = region sketch why 'A---B' --way 'AB highway=cycleway surface=asphalt'"],
                    gives: "no `foot` on a cycleway: other planners may keep walkers off"),
                .init(
                    "an unpaved detour",
                    "route plan $q.A $q.C | route explain | select way distance cost",
                    after: [
                        "let q = region sketch why 'A---B---C' --way 'AB highway=primary' --way 'BC surface=gravel'"
                    ],
                    gives: """
                        way      distance  cost
                        primary      200m   800
                        path         200m   240
                        """),
            ],
            searchTerms: [
                "is this path allowed", "may i walk here",
                "why not the other way", "reason",
                "why", "cost", "rule", "how steep", "why this way", "cost of a route", "surfaces of a route",
                "paved", "share of road", "heavy climb", "which surface", "steepest part", "why a detour",
                "how steep is it", "types of road", "paved or unpaved", "stairs on a route",
            ]
        ) { input, context, named, asksRules, makeup in
            let route = try RouteInput.route(named, input, for: "route explain")
            guard let found = route.found else {
                throw SavedRouteErrors.fixed(
                    "the route comes from a file, which has no data about its ways",
                    fix: "plan it: route plan A B | route explain")
            }
            if asksRules, makeup != nil {
                throw CommonErrors.argumentRange(
                    "--rules and --by cannot be combined", at: .parameter("by"), fix: "omit one")
            }
            if let makeup { return makeup.table(found.edges) }
            if asksRules { return try Self.rules(route, found, service, context) }
            let rows = Self.stretches(found).map { stretch -> [Value] in
                [
                    .text(stretch.label), .quantity(.metres(stretch.distance)),
                    .number(stretch.cost.rounded()),
                    // Obstacles have no length.
                    stretch.distance > 0
                        ? .number((stretch.cost / max(stretch.distance, 0.1) * 100).rounded() / 100)
                        : .nothing,
                    .text(stretch.words),
                ]
            }
            return .table(columns: Self.stretches, cells: rows)
        }
    }

    /// Consecutive edges of the same name and kind.
    private struct Stretch {
        var label: String
        var kind: EdgeKind
        var distance = 0.0
        var parts: [CostBreakdown.Part] = []
        /// Why other planners may not use it; `nil` for a way that all use.
        var reserve: String?
        var cost: Double { parts.reduce(0) { $0 + $1.cost } }

        /// The cost of each part except the distance, and why other planners may not use the stretch.
        var words: String {
            let costs = parts.dropFirst().filter { abs($0.cost) >= 0.5 }.map { part in
                "\(part.rule) \(part.cost > 0 ? "+" : "−")\(Literal.number(abs(part.cost).rounded()))"
            }
            return (costs + [reserve].compactMap { $0 }).joined(separator: "; ")
        }
    }

    private static func stretches(_ found: Route.Found) -> [Stretch] {
        var stretches: [Stretch] = []
        for edge in found.edges {
            let label = edge.name ?? edge.highway ?? edge.kind.obstacle ?? "way"
            if stretches.last?.label != label || stretches.last?.kind != edge.kind {
                stretches.append(
                    Stretch(
                        label: label, kind: edge.kind,
                        reserve: OtherPlanners.reserve(edge, found.plan.profile.mode)))
            }
            stretches[stretches.count - 1].distance += edge.distance
            for part in parts(of: edge, found.plan.profile) {
                let known = stretches[stretches.count - 1].parts.firstIndex { $0.rule == part.rule }
                if let known {
                    stretches[stretches.count - 1].parts[known].cost += part.cost
                } else {
                    stretches[stretches.count - 1].parts.append(part)
                }
            }
        }
        return stretches
    }

    private static func parts(of edge: RouteEdge, _ profile: CostProfile) -> [CostBreakdown.Part] {
        profile.breakdown(distance: edge.distance, gain: edge.gain, loss: edge.loss, kind: edge.kind).parts
    }

    /// The rules by their costs, with the best route without each.
    private static func rules(
        _ route: Route, _ found: Route.Found, _ service: RouteService, _ context: Context
    ) throws -> Value {
        var sums: [String: (cost: Double, distance: Double)] = [:]
        for edge in found.edges {
            for part in parts(of: edge, found.plan.profile).dropFirst() {
                let old = sums[part.rule] ?? (0, 0)
                sums[part.rule] = (old.cost + part.cost, old.distance + edge.distance)
            }
        }
        let ordered = sums.sorted { (-abs($0.value.cost), $0.key) < (-abs($1.value.cost), $1.key) }
        let ways = Set(found.edges.compactMap(\.way))
        var rows: [Value] = []
        for (rule, sum) in ordered {
            try context.checkCancelled()
            var other: Route?
            if let profile = found.plan.profile.without(rule) {
                var plan = found.plan
                (plan.profile, plan.method) = (profile, .aStar)
                (plan.region, plan.name) = (route.planned.regionID, "without \(rule)")
                other = try service.route(plan, context)
            }
            let left = other.map { other -> Double in
                let shared = (other.found?.edges ?? []).filter { $0.way.map(ways.contains) ?? false }
                return 1 - shared.reduce(0) { $0 + $1.distance } / max(other.distance, 1)
            }
            rows.append(
                .record(
                    Record(
                        keys: Self.rules,
                        values: [
                            .text(rule), .quantity(.metres(sum.distance)), .number(sum.cost.rounded()),
                            Value(other) { .quantity(.metres($0.distance)) },
                            Value(left) { .quantity(.share(max(0, ($0 * 100).rounded() / 100))) },
                            Value(other) { .object($0) },
                        ])))
        }
        return .table(columns: Self.rules, rows: rows)
    }
}
