import PluginKit

/// The difference between two routes, in words.
enum RouteDifference {
    /// Differences below this, in metres of way, are ignored.
    private static let least = 50.0

    /// The main difference: less road, less climbing, fewer hard grades, more of a kind of way; else its
    /// length.
    static func words(_ route: Route, than other: Route) -> String {
        var parts: [String] = []
        func compare(_ label: String, _ length: (RouteEdge) -> Double) {
            let difference =
                (route.found?.edges ?? []).reduce(0) { $0 + length($1) }
                - (other.found?.edges ?? []).reduce(0) { $0 + length($1) }
            guard abs(difference) >= least else { return }
            let amount = Literal.quantity(.metres(abs(difference)))
            parts.append("\(amount) \(difference > 0 ? "more" : "less") \(label)")
        }
        compare("road") { $0.kind.roadRank > 0 ? $0.distance : 0 }
        compare("path") { ["path", "footway"].contains($0.highway ?? "") ? $0.distance : 0 }
        compare("track") { $0.highway == "track" ? $0.distance : 0 }
        compare("of T3 and above") { ($0.kind.sac?.grade ?? 0) >= 3 ? $0.distance : 0 }
        if let gain = route.climb?.gain, let known = other.climb?.gain, abs(gain - known) >= least {
            parts.append(
                "\(Literal.quantity(.climb(abs(gain - known)))) \(gain > known ? "more" : "less") climbing")
        }
        if parts.isEmpty {
            let names = Set((other.found?.edges ?? []).compactMap(\.name))
            let own = (route.found?.edges ?? []).first { $0.name != nil && !names.contains($0.name ?? "") }
            return own?.name.map { "by \($0)" } ?? "another way of the same kind"
        }
        return parts.joined(separator: ", ")
    }
}
