import Geodesy
import Pictures
import PluginKit
import TrailStores

/// The style of routes on maps.
enum RouteDrawingSettings {
    /// The margin around a route in which the trail network is drawn, as a share of its size.
    static let margin = 0.12
    /// Colour of via points.
    static let via = Color(0xF08C00)
}

extension Route: MapDrawable {
    /// The network around it, its line, and its pins.
    var mapFeatures: [MapFeature] {
        var features: [MapFeature] = []
        if let surroundings, let box = BoundingBox(around: planned.coordinates) {
            features += surroundings(
                NetworkDrawing.frame(around: box.padded(by: RouteDrawingSettings.margin)))
        }
        features.append(.route(planned.coordinates))
        features.append(.milestones([planned.coordinates], MapTheme.routeMark))
        for place in planned.via { features.append(Self.pin(place, RouteDrawingSettings.via, "V", "")) }
        return features + WayEnds.signs([[planned.start, planned.end]], finish: "end")
    }

    private static func pin(_ coordinate: Coordinate, _ color: Color, _ symbol: Character, _ label: String)
        -> MapFeature
    {
        .point(coordinate, MapPointStyle(color: color, radius: 5, symbol: symbol, label: label))
    }
}

extension Route: MeasuredTrack {
    /// The heights of its profile; a plan has no speed.
    func measuredSegments(_ measure: TrackMeasure) -> [[MeasuredPoint]]? {
        measure == .grade ? [line.map { MeasuredPoint($0) }] : nil
    }
}

extension Route: ProfileDrawable {
    var profileTitle: String {
        let interpolated = OffGroundStretches(self)
        guard !interpolated.isEmpty else { return planned.name }
        return "\(planned.name) (\(Literal.quantity(.metres(interpolated.length))) interpolated)"
    }
    var profileParts: [[ProfilePoint]] {
        let points = RouteProfile.of(self)?.points ?? []
        let interpolated = OffGroundStretches(self)
        guard !points.isEmpty else { return [] }
        return [
            points.map {
                ProfilePoint(
                    distance: $0.distance, elevation: $0.elevation,
                    isInterpolated: interpolated.contain($0.distance))
            }
        ]
    }
}

extension Route: ClimbingObject {
    /// Climbs under 3 m are noise. `appGain` and `appLoss` are sums over the ends of edges, as an app may show them: less on a
    /// way that rises and falls in between, more where ends alternate slightly.
    var climbFacts: Record {
        let profile = RouteProfile.of(self)
        let steepest = profile?.steepest
        let ends = found?.climbOfEnds
        let interpolated = OffGroundStretches(self)
        var facts = Record([
            ("average", Value(profile?.average) { .quantity(.altitude($0)) }),
            ("gain", Value(climb?.gain) { .quantity(.climb($0)) }),
            ("loss", Value(climb?.loss) { .quantity(.climb($0)) }),
            ("steepest", Value(steepest) { .quantity(.share($0.grade)) }),
            ("steepestFrom", Value(steepest) { .quantity(.metres($0.from)) }),
            ("steepestTo", Value(steepest) { .quantity(.metres($0.to)) }),
            ("appGain", Value(ends) { .quantity(.climb($0.gain)) }),
            ("appLoss", Value(ends) { .quantity(.climb($0.loss)) }),
        ])
        if !interpolated.isEmpty { facts["interpolated"] = .quantity(.metres(interpolated.length)) }
        return facts
    }
}

/// Computes the profile of routes.
enum RouteProfile {
    /// The heights along a route: as saved, else those of its line.
    static func of(_ route: Route) -> ElevationProfile? {
        if let kept = route.planned.profile, let profile = ElevationProfile(points: kept) { return profile }
        return of(line: route.line, length: route.distance)
    }

    /// The heights along a line whose length is given.
    static func of(line: [Coordinate], length: Double) -> ElevationProfile? {
        guard let profile = ElevationProfile(line: line) else { return nil }
        let drawn = Polyline.length(line)
        guard drawn > 0, length > 0 else { return profile }
        let scale = length / drawn
        return ElevationProfile(
            points: profile.points.map {
                ElevationPoint(distance: $0.distance * scale, elevation: $0.elevation)
            })
    }

    /// The line of a saved route with the altitudes of its profile.
    static func line(of route: PlannedRoute) -> [Coordinate] {
        guard let kept = route.profile, let profile = ElevationProfile(points: kept) else {
            return route.coordinates
        }
        let along = Polyline.cumulativeDistances(route.coordinates)
        let drawn = along.last ?? 0
        let scale = drawn > 0 ? route.distance / drawn : 1
        let heights = profile.elevations(at: along.map { $0 * scale })
        return zip(route.coordinates, heights).map {
            Coordinate(latitude: $0.latitude, longitude: $0.longitude, altitude: $1)
        }
    }
}
