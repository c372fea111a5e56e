import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// Converts the tracks and routes of a GPX file to planned routes; no graph is needed.
enum TrackRoutes {
    /// The caller's values for what is missing in a file.
    struct Defaults {
        var name: String?
        var mode: TravelMode
        var fileName: String
        var now: Timestamp
    }

    /// A planned route, and whether it is named after the file, because neither the caller nor the file has
    /// a name for it.
    struct Made {
        var route: PlannedRoute
        var isNameOfFile: Bool
    }

    /// The planned routes of a file: its tracks, then its routes. Lines of fewer than two points are
    /// skipped.
    static func routes(
        _ document: GPXDocument, _ defaults: Defaults, id: () -> UUID, check: () throws -> Void
    ) throws -> [Made] {
        let lines = document.tracks + document.routes
        var made: [Made] = []
        for (index, line) in lines.enumerated() {
            try check()
            let points = line.segments.flatMap { $0 }
            let places = Polyline.withoutRepetition(points.map(\.coordinate))
            guard places.count > 1 else { continue }
            let known = name(of: line, at: index, of: lines.count, document, defaults)
            let file = lines.count > 1 ? "\(defaults.fileName) \(index + 1)" : defaults.fileName
            let route = route(places, points, name: known ?? file, defaults, id: id())
            made.append(Made(route: route, isNameOfFile: known == nil))
        }
        return made
    }

    private static func name(
        of line: GPXLine, at index: Int, of count: Int, _ document: GPXDocument, _ defaults: Defaults
    ) -> String? {
        if let name = defaults.name { return count > 1 ? "\(name) \(index + 1)" : name }
        return [line.name, count == 1 ? document.name : nil].compactMap { $0 }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.first { !$0.isEmpty }
    }

    private static func route(
        _ places: [Coordinate], _ points: [GPXPoint], name: String, _ defaults: Defaults, id: UUID
    ) -> PlannedRoute {
        let distance = Polyline.length(places)
        let profile = profile(of: places)
        var generator = TurnGenerator(trace: NoTrace())
        var route = PlannedRoute(
            id: id, name: name, mode: defaults.mode, start: places[0].withoutAltitude,
            end: places[places.count - 1].withoutAltitude, coordinates: places.map(\.withoutAltitude),
            turns: generator.turns(alongLine: places), distance: distance,
            duration: duration(distance, profile, defaults.mode), gain: profile?.gain ?? 0,
            loss: profile?.loss ?? 0, createdAt: defaults.now)
        route.profile = profile?.points
        return route
    }

    /// The heights along a line if all of its points have one; those of a part would count as the whole.
    private static func profile(of places: [Coordinate]) -> ElevationProfile? {
        guard let profile = ElevationProfile(line: places), profile.points.count == places.count else {
            return nil
        }
        return profile
    }

    /// The duration by the mode's cost profile on ways of unknown surface.
    static func duration(_ distance: Double, _ profile: ElevationProfile?, _ mode: TravelMode)
        -> Double
    {
        let costs = CostProfile.standard(mode)
        let cost = costs.cost(
            distance: distance, gain: profile?.gain ?? 0, loss: profile?.loss ?? 0, kind: EdgeKind())
        return cost / costs.speed
    }
}
