import Geodesy
import PluginKit

/// A bare line, whose turns are its bends, in a region whose ways are known: matched to them it turns only at junctions.
enum CoveredLine {
    /// Bends beyond which the turns of the ways are proposed.
    private static let fewTurns = 6
    /// Points of the line that are looked at, and how near a way must be to each, in metres.
    private static let samples = 5
    private static let near = 40.0

    /// What to do instead; `nil` where the turns are those of ways, are few, or no region covers the line.
    static func notice(_ route: GuideRoute, file: String, _ context: Context) async -> String? {
        guard route.isBareLine, route.stops.count > fewTurns,
            let planner = context.all((any RoutePlanning).self).first
        else { return nil }
        let places = (0..<samples).map {
            route.geometry.coordinate(at: route.length * Double($0) / Double(samples - 1))
        }
        let request = planner.request(over: [places[0], places[samples - 1]], mode: route.mode)
        for place in places {
            // Without a region there is nothing to propose.
            let way = try? await planner.nearestWay(to: place, for: request, context: context)
            guard let way, way.distance(to: place) <= near else { return nil }
        }
        return "\(file): \(route.stops.count - 1) turns at the bends of a bare line; the map knows its ways: "
            + "`route match \(Literal.text(file)) | guide prompts` turns only where they do"
    }
}
