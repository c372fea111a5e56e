import Foundation
import Geodesy
import PluginKit

/// The options that all planning commands have.
enum PlanOptions {
    static let via = Parameter.options(
        "via", ParameterType<Coordinate>.place, "a place to pass; may be given several times")
    static let mode = Parameter.option(
        "mode",
        ParameterType.choice(of: TravelMode.self) { $0 == .hiking ? "on foot" : "by bicycle" },
        default: "hiking", "how one travels")
    static let profile = Parameter.option(
        "profile", ParameterType<String>.text, "a cost profile by name or a JSON file; it tells the mode too"
    ).completing(ProfileWords.completion)
    static let limit = Parameter.option(
        "sac-limit",
        ParameterType<String>.choice(SACScale.allCases.map { .init("T\($0.grade)", $0.rawValue) }),
        "the hardest SAC grade that may be walked; harder ways are blocked, those at it are warned of")
    static let method = Parameter.option(
        "method", ParameterType.choice(of: SearchMethod.self, \.summary),
        "how it is searched for; all find a cheapest route. Under trace and step it is a-star, else hierarchy"
    )
    static let region = Parameter.option(
        "region", ParameterType<String>.text, "the region; else the one around the places"
    ).completing(RegionWords.completion)
    static let name = Parameter.option("name", ParameterType<String>.text, "a name for the route")

    /// The options as help shows them.
    static let costs: [ParameterSpec] = [mode.spec, profile.spec, limit.spec, region.spec]

    /// The cost profile that mode, profile and limit tell.
    static func costs(_ arguments: Arguments, _ context: Context) throws -> CostProfile {
        var costs = CostProfile.standard(try arguments[mode])
        if let named = try arguments[profile] { costs = try CostProfiles.named(named, context) }
        guard let grade = try arguments[limit].flatMap({ Int($0.dropFirst()) }) else { return costs }
        return costs.limited(to: SACScale(grade: grade))
    }

    /// What a route between two places is planned by.
    static func plan(
        from: Coordinate, to: Coordinate, _ arguments: Arguments, _ context: Context
    ) throws -> RoutePlan {
        RoutePlan(
            places: [from] + (try arguments[via]) + [to], profile: try costs(arguments, context),
            region: try arguments[region])
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
