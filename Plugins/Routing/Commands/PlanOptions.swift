import Geodesy
import PluginKit

/// The options that all planning commands share.
struct PlanOptions {
    let mode: TravelMode
    let profile: String?
    let limit: SACScale?
    let region: String?

    static let parameters = Parameter<PlanOptions>.group(
        Parameter<TravelMode>.option(
            "mode", .choice(of: TravelMode.self) { $0 == .hiking ? "on foot" : "by bicycle" },
            default: "hiking", "how one travels"),
        .option("profile", .text, "a cost profile by name or a JSON file; it tells the mode too")
            .completing(ProfileWords.completion),
        .option(
            "sac-limit",
            .choice(SACScale.allCases.map { .init("T\($0.grade)", $0.rawValue) }),
            "the hardest SAC grade that may be walked; harder ways are blocked, those at it are warned of"),
        .option("region", .text, "the region; else the one around the places")
            .completing(RegionWords.completion)
    ) { (mode: TravelMode, profile: String?, limit: String?, region: String?) in
        let grade = limit.flatMap { Int($0.dropFirst()) }
        return PlanOptions(
            mode: mode, profile: profile, limit: grade.flatMap(SACScale.init(grade:)), region: region)
    }
    static let via = Parameter.options(
        "via", ParameterType<Coordinate>.place, "a place to pass; may be given several times")

    /// The cost profile that mode, profile and limit tell.
    func costs(_ context: Context) throws -> CostProfile {
        let costs = try profile.map { try CostProfiles.named($0, context) } ?? .standard(mode)
        return limit.map(costs.limited(to:)) ?? costs
    }

    /// What a route over places is planned by.
    func plan(_ places: [Coordinate], _ context: Context) throws -> RoutePlan {
        RoutePlan(places: places, profile: try costs(context), region: region)
    }
}

extension SearchMethod {
    /// What it is, beside its name in completion.
    var summary: String {
        switch self {
        case .dijkstra: "in the order of cost alone"
        case .aStar: "towards the end first"
        case .bidirectional: "from both ends"
        case .hierarchy: "over precomputed shortcuts"
        }
    }
}
