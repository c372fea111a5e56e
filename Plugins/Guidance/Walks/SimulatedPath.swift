import Foundation
import Geodesy
import PluginKit

/// The true path of a walk: the route with its detours.
struct SimulatedPath: Sendable {
    let geometry: RouteGeometry
    /// For each point its distance along the route, metres; `nil` off the plan.
    let routeAlong: [Double?]

    /// The path of a walk along a route. Throws `E-GUIDE-SIMULATION` for detours and pauses beyond its end.
    init(_ route: RouteGeometry, _ plan: WalkPlan) throws {
        for pause in plan.pauses where pause.at > route.length {
            throw GuidanceErrors.simulation(
                "the pause at \(Self.shown(pause.at)) is beyond the end at \(Self.shown(route.length))",
                at: .parameter("pause"))
        }
        var script = WalkScript()
        var from = 0.0
        for detour in plan.detours.sorted(by: { ($0.at, $0.length) < ($1.at, $1.length) }) {
            guard detour.at >= from, detour.at + detour.length <= route.length else {
                throw GuidanceErrors.simulation(
                    "the detour from \(Self.shown(detour.at)) to \(Self.shown(detour.at + detour.length)) "
                        + (detour.at < from
                            ? "begins before the previous one ends"
                            : "extends beyond the end at \(Self.shown(route.length))"),
                    at: .parameter("detour"))
            }
            script.go(on: route, from: from, to: detour.at)
            script.points += Self.corners(of: detour, on: route)
            from = detour.at + detour.length
        }
        script.go(on: route, from: from, to: route.length)
        try self.init(script)
    }

    /// The path of a script.
    init(_ script: WalkScript) throws(RutterError) {
        guard let geometry = RouteGeometry(script.points.map(\.coordinate)) else {
            throw GuidanceErrors.simulation("the walk has no length")
        }
        self.geometry = geometry
        routeAlong = Self.alongs(script.points, geometry)
    }

    /// The distance along the route of the point at a distance along the path; `nil` off the plan.
    func routeAlong(at distance: Double) -> Double? {
        let segment = geometry.segment(at: distance)
        guard let low = routeAlong[segment], let high = routeAlong[segment + 1] else { return nil }
        let length = geometry.along[segment + 1] - geometry.along[segment]
        let share = length > 0 ? max(0, min(1, (distance - geometry.along[segment]) / length)) : 0
        return low + share * (high - low)
    }

    /// The distance along the path at which a distance along the route is first reached; its end if never.
    func distance(reaching along: Double) -> Double {
        for index in routeAlong.indices.dropFirst() {
            guard let low = routeAlong[index - 1], let high = routeAlong[index], low < along, high >= along
            else { continue }
            let share = (along - low) / (high - low)
            return geometry.along[index - 1] + share * (geometry.along[index] - geometry.along[index - 1])
        }
        if let start = routeAlong[0], start >= along { return 0 }
        return geometry.length
    }

    /// The slope at a distance, metres of ascent per metre; 0 without altitudes.
    func slope(at distance: Double) -> Double {
        let reach = WalkSettings.slopeLength / 2
        let (low, high) = (max(0, distance - reach), min(geometry.length, distance + reach))
        guard high > low, let from = geometry.coordinate(at: low).altitude,
            let to = geometry.coordinate(at: high).altitude
        else { return 0 }
        return (to - from) / (high - low)
    }

    /// Perpendicular to the straight line between both ends, parallel to it, and perpendicular back.
    private static func corners(
        of detour: WalkPlan.Detour, on route: RouteGeometry
    ) -> [WalkScript.Point] {
        let start = route.coordinate(at: detour.at)
        let end = route.coordinate(at: detour.at + detour.length)
        // Where both ends coincide, as on a loop, the direction of the line is used.
        let isLoop = start.distance(to: end) < abs(detour.offset) / 10
        let ahead = isLoop ? route.bearing(at: detour.at) : start.bearing(to: end)
        let aside = Angle.normalized(ahead + (detour.offset < 0 ? -90 : 90))
        return [(start, detour.at), (end, detour.at + detour.length)].map { place, along in
            var corner = place.destination(bearing: aside, distance: abs(detour.offset))
            corner.altitude = place.altitude
            return (corner, along)
        }
    }

    /// The distance along the route of each point of the geometry, which drops repeated points and inserts
    /// some between those that are far apart.
    private static func alongs(_ points: [WalkScript.Point], _ geometry: RouteGeometry) -> [Double?] {
        var alongs: [Double?] = []
        for index in geometry.points.indices {
            if let source = geometry.sourceIndex[index] {
                alongs.append(points[source].along)
            } else if let low = alongs.last ?? nil, let next = geometry.sourceIndex[index...].firstKnown,
                let high = points[next].along
            {
                // Between two points: by the distances from both.
                let before = geometry.along[index] - geometry.along[index - 1]
                let after = geometry.points[index].distance(to: points[next].coordinate)
                alongs.append(low + (high - low) * before / max(before + after, 1e-9))
            } else {
                alongs.append(nil)
            }
        }
        return alongs
    }

    private static func shown(_ metres: Double) -> String { Literal.quantity(.metres(metres)) }
}

extension ArraySlice<Int?> {
    /// The first element that is known.
    fileprivate var firstKnown: Int? { lazy.compactMap(\.self).first }
}
