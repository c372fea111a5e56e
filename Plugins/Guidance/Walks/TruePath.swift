import Foundation
import Geodesy
import PluginKit

/// The true path of a walk: the route with its detours.
struct TruePath: Sendable {
    let geometry: RouteGeometry
    /// For each point its distance along the route, metres.
    let routeAlong: [Double]

    /// The path of a walk along a route. Throws `E-GUIDE-SIMULATION` for detours and pauses beyond its end.
    init(_ route: RouteGeometry, _ plan: WalkPlan) throws {
        for pause in plan.pauses where pause.at > route.length {
            throw GuidanceErrors.simulation(
                "the pause at \(Self.shown(pause.at)) is beyond the end at \(Self.shown(route.length))",
                at: .parameter("pause"))
        }
        var points: [(place: Coordinate, along: Double)] = []
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
            points += Self.piece(of: route, from: from, to: detour.at)
            points += Self.corners(of: detour, on: route)
            from = detour.at + detour.length
        }
        points += Self.piece(of: route, from: from, to: route.length)
        guard let geometry = RouteGeometry(points.map(\.place)) else {
            throw GuidanceErrors.simulation("the walk has no length")
        }
        self.geometry = geometry
        routeAlong = Self.alongs(points, geometry)
    }

    /// The distance along the route of the point at a distance along the path.
    func routeAlong(at distance: Double) -> Double {
        let segment = geometry.segment(at: distance)
        let length = geometry.along[segment + 1] - geometry.along[segment]
        let share = length > 0 ? max(0, min(1, (distance - geometry.along[segment]) / length)) : 0
        return routeAlong[segment] + share * (routeAlong[segment + 1] - routeAlong[segment])
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

    private static func piece(
        of route: RouteGeometry, from: Double, to: Double
    ) -> [(place: Coordinate, along: Double)] {
        var points = [(route.coordinate(at: from), from)]
        for index in route.points.indices where route.along[index] > from && route.along[index] < to {
            points.append((route.points[index], route.along[index]))
        }
        points.append((route.coordinate(at: to), to))
        return points
    }

    /// Perpendicular to the straight line between both ends, parallel to it, and perpendicular back.
    private static func corners(
        of detour: WalkPlan.Detour, on route: RouteGeometry
    ) -> [(place: Coordinate, along: Double)] {
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

    /// The distance along the route of each point of the geometry, whose points differ from those of the route.
    private static func alongs(
        _ points: [(place: Coordinate, along: Double)], _ geometry: RouteGeometry
    ) -> [Double] {
        var alongs: [Double] = []
        var next = 0
        for point in geometry.points {
            if let found = points[next...].firstIndex(where: { $0.place == point }) {
                alongs.append(points[found].along)
                next = found
            } else {
                alongs.append(.nan)
            }
        }
        return filled(alongs, geometry.along)
    }

    /// Linear interpolation of values by distance.
    private static func filled(_ values: [Double], _ along: [Double]) -> [Double] {
        var filled = values
        var known = 0
        for index in values.indices where !values[index].isNaN {
            for gap in known..<index where values[gap].isNaN {
                let share = (along[gap] - along[known]) / (along[index] - along[known])
                filled[gap] = values[known] + share * (values[index] - values[known])
            }
            known = index
        }
        return filled
    }

    private static func shown(_ metres: Double) -> String { Literal.quantity(.metres(metres)) }
}
