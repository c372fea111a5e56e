import PluginKit

/// Why other planners may not use a piece of way that a route uses: a map does not say everything that they assume.
///
/// What the profiles of common planners leave out, by their documentation; which one leaves out what is not said.
enum OtherPlanners {
    /// Ways that walkers may use by law or habit, which a map does not say.
    private static let walkedByDefault: Set<String> = ["cycleway", "bridleway", "trunk", "trunk_link"]
    /// The same for bicycles. Those on which they are pushed are doubtful already.
    private static let riddenByDefault: Set<String> = ["path", "trunk", "trunk_link"]
    /// What other planners may not know as ways, with the word for several.
    private static let unusual = [
        "ferry": ("ferry", "ferries"), "corridor": ("corridor", "corridors"),
        "elevator": ("lift", "lifts"), "platform": ("platform", "platforms"),
    ]
    /// Barriers at which no planner stops.
    private static let common: Set<String> = [
        "gate", "bollard", "entrance", "kerb", "block", "cattle_grid", "cycle_barrier", "border_control",
        "toll_booth", "sally_port", "no", "obstacle", "ford", "hazard",
    ]
    /// The hardest grade that all planners for walkers use.
    private static let usualGrade = SACScale.hiking
    private static let unsharedPaths: Set<String> = ["path", "footway"]
    private static let poorVisibility: Set<String> = ["bad", "horrible", "no"]

    /// The reason; `nil` for a way that all use.
    static func reserve(_ edge: RouteEdge, _ mode: TravelMode) -> String? {
        if let doubt = edge.restriction { return doubt }
        let kind = edge.kind
        if let highway = kind.highway {
            if let (one, several) = unusual[highway] {
                return "a \(one): other planners may leave \(several) out"
            }
            let (key, kinds, who) =
                mode == .hiking
                ? ("foot", walkedByDefault, "walkers") : ("bicycle", riddenByDefault, "bicycles")
            if kinds.contains(highway), kind.value(key) == nil, kind.value("access") == nil {
                return "no `\(key)` on a \(highway): other planners may keep \(who) off"
            }
        }
        if let tag = condition(kind, mode) { return "\(tag): other planners may not read it" }
        if let tag = difficulty(kind, mode) { return "\(tag): other planners may leave it out" }
        if let barrier = kind.value("barrier"), !common.contains(barrier),
            kind.value(mode == .hiking ? "foot" : "bicycle") == nil, kind.value("access") == nil
        {
            return "barrier=\(barrier): other planners may not pass it"
        }
        if kind.flags.contains(.area) { return "across or along a square" }
        return costly(kind)
    }

    /// A condition that does not close the way at the time of the route.
    private static func condition(_ kind: EdgeKind, _ mode: TravelMode) -> String? {
        let own = mode == .hiking ? ["foot"] : ["bicycle", "vehicle"]
        let keys = (own + ["access"]).map { $0 + ":conditional" } + ["opening_hours"]
        return keys.lazy.compactMap { key in kind.value(key).map { "\(key)=\($0)" } }
            .first { $0 != "opening_hours=24/7" }
    }

    private static func difficulty(_ kind: EdgeKind, _ mode: TravelMode) -> String? {
        if mode == .cycling, let scale = kind.value("mtb:scale") { return "mtb:scale=\(scale)" }
        if let grade = kind.sac, grade > usualGrade { return "T\(grade.grade)" }
        if let visibility = kind.value("trail_visibility"), poorVisibility.contains(visibility) {
            return "trail_visibility=\(visibility)"
        }
        if kind.value("informal") == "yes" { return "informal=yes" }
        // On what only walkers and cyclists use, some read it for both.
        if mode == .hiking, unsharedPaths.contains(kind.highway ?? ""), kind.value("oneway:foot") == nil,
            let oneway = kind.value("oneway"), oneway != "no"
        {
            return "oneway=\(oneway)"
        }
        return kind.value("service") == "driveway" ? "service=driveway" : nil
    }

    /// What other planners use but make dear, so that they go a longer way round: steps, the easiest grade, and alleys, aisles
    /// of car parks and the like.
    private static func costly(_ kind: EdgeKind) -> String? {
        if kind.isSteps { return "steps: other planners may go round them" }
        if kind.sac == usualGrade { return "T1: other planners may go round it" }
        return kind.value("service").map { "service=\($0): other planners may go round it" }
    }
}
