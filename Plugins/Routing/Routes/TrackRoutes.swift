import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// Planned routes of imported lines; no graph is needed. Turn instructions are derived from the bends of a line.
struct TrackRoutes: RouteTaking {
    /// The planned route of a line; `nil` for fewer than two points.
    func route(along line: GPXLine, name: String, mode: TravelMode, id: UUID, now: Timestamp) -> PlannedRoute?
    {
        let places = Polyline.withoutRepetition(line.segments.joined().map(\.coordinate))
        guard places.count > 1 else { return nil }
        let distance = Polyline.length(places)
        let profile = Self.profile(of: places)
        var generator = TurnGenerator(trace: NoTrace())
        var route = PlannedRoute(
            id: id, name: name, mode: mode, start: places[0].withoutAltitude,
            end: places[places.count - 1].withoutAltitude, coordinates: places.map(\.withoutAltitude),
            turns: generator.turns(alongLine: places), distance: distance,
            duration: Self.duration(distance, profile, mode), gain: profile?.gain ?? 0,
            loss: profile?.loss ?? 0, createdAt: now)
        route.profile = profile?.points
        return route
    }

    func object(of route: PlannedRoute, _ context: Context) -> any DomainObject { Route(route) }

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
