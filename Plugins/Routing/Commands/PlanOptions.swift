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
            default: "hiking", "mode of travel"),
        .option("profile", .text, "cost profile by name or JSON file; also sets the mode")
            .completing(ProfileCompletions.completion),
        .option(
            "sac-limit",
            .choice(SACScale.allCases.map { .init("T\($0.grade)", $0.rawValue) }),
            "hardest SAC grade allowed; harder ways are blocked, ways of that grade cause a warning"),
        .option("region", .text, "region to use; default: the one around the coordinates")
            .completing(RegionCompletions.completion)
    ) { (mode: TravelMode, profile: String?, limit: String?, region: String?) in
        let grade = limit.flatMap { Int($0.dropFirst()) }
        return PlanOptions(
            mode: mode, profile: profile, limit: grade.flatMap(SACScale.init(grade:)), region: region)
    }
    static let via = Parameter.options(
        "via", ParameterType<Coordinate>.place, "coordinate to pass through; repeatable")

    /// The cost profile selected by mode, profile and limit.
    func costs(_ context: Context) throws -> CostProfile {
        let costs = try profile.map { try CostProfiles.named($0, context) } ?? .standard(mode)
        return limit.map(costs.limited(to:)) ?? costs
    }

    /// The plan of a route over coordinates.
    func plan(_ places: [Coordinate], _ context: Context) throws -> RoutePlan {
        RoutePlan(places: places, profile: try costs(context), region: region)
    }
}

extension SearchMethod {
    /// The description shown beside its name in completion.
    var summary: String {
        switch self {
        case .dijkstra: "by cost alone"
        case .aStar: "by cost plus the estimated rest"
        case .bidirectional: "from both ends"
        case .hierarchy: "over precomputed shortcuts"
        }
    }
}
