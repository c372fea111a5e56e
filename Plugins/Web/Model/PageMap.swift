import Formats
import Geodesy
import Pictures
import PluginKit

/// The map features of values as JSON for the page's map: one list per item.
enum PageMap {
    /// The features of an item; `nil` if it cannot be drawn. The network around a route is omitted: the
    /// page's map has its own base map.
    static func features(of item: Value) throws -> JSONTree? {
        guard case .object(let object) = item, let drawable = object as? any MapDrawable else {
            guard let point = item.asCoordinate else { return nil }
            return .list([dot(point, MapPointStyle(color: .ink))])
        }
        let isRoute = object is any TravelRoute
        return .list(
            try drawable.mapFeatures.compactMap { feature in
                if isRoute, layer(of: feature) <= MapLayer.base { return nil }
                return json(feature)
            })
    }

    /// A feature as JSON; `nil` for tiles, which have their own addresses, and for distances along a route,
    /// which the page shows with its cursor.
    static func json(_ feature: MapFeature) -> JSONTree? {
        switch feature {
        case .tile, .milestones: nil
        case .route(let points): line(points, MapTheme.route, kind: "route")
        case .track(let points): line(drawn(points), MapTheme.track, kind: "track")
        case .line(let points, let style): line(points, style, kind: "line")
        case .waypoint(let waypoint):
            JSONTree(members: [
                "type": .text("pin"), "at": coordinate(waypoint.coordinate), "label": .text(waypoint.label),
                "color": .text("#" + (Color(hex: waypoint.colorHex) ?? MapTheme.fallback).hex),
                "icon": .text(waypoint.icon),
            ])
        case .position(let at, let heading, let accuracy):
            JSONTree(members: [
                "type": .text("position"), "at": coordinate(at), "heading": heading.map { JSONTree($0) },
                "accuracy": accuracy.map { JSONTree($0) },
            ])
        case .polygon(let rings, let style):
            JSONTree(members: [
                "type": .text("area"), "rings": .list(rings.map { .list($0.map(coordinate)) }),
                "fill": style.fill.map { .text("#" + $0.color.hex) },
                "fillOpacity": style.fill.map { JSONTree($0.opacity) },
                "color": style.stroke.map { .text("#" + $0.color.hex) },
                "width": style.stroke.map { JSONTree($0.width) },
            ])
        case .point(let at, let style): dot(at, style)
        case .badge(let at, let badge):
            JSONTree(members: [
                "type": .text("badge"), "at": coordinate(at), "text": .text(badge.text),
                "ring": .boolean(badge.isRing), "color": .text("#" + badge.color.hex),
                "label": .text(badge.label),
            ])
        }
    }

    /// A recorded line with at most `WebSettings.linePoints` points; both ends are kept. Its numbers come from all its points, and
    /// planned lines stay whole, since the page finds by their points where a pin belongs.
    static func drawn(_ points: [Coordinate]) -> [Coordinate] {
        var kept = points
        var simplification = LineSimplification()
        var tolerance = WebSettings.lineTolerance.first
        while kept.count > WebSettings.linePoints {
            var rest: [Coordinate] = []
            // In parts, since the time grows with the square of the length where every point is a corner.
            for start in stride(from: 0, to: kept.count - 1, by: WebSettings.linePart) {
                let end = min(start + WebSettings.linePart, kept.count - 1)
                simplification.run(
                    count: end - start + 1, tolerance: tolerance,
                    metric: {
                        LocalPlane.distance(kept[start + $0], from: kept[start + $1], to: kept[start + $2])
                    })
                // The last point of a part is the first of the next one.
                for index in start..<end where simplification.isKept[index - start] {
                    rest.append(kept[index])
                }
            }
            kept = rest + kept.suffix(1)
            tolerance *= WebSettings.lineTolerance.factor
        }
        return kept
    }

    private static func layer(of feature: MapFeature) -> Int {
        switch feature {
        case .line(_, let style): style.layer
        case .polygon(_, let style): style.layer
        default: MapLayer.route
        }
    }

    private static func line(_ points: [Coordinate], _ style: MapLineStyle, kind: String) -> JSONTree {
        JSONTree(members: [
            "type": .text(kind), "line": .list(points.map(coordinate)),
            "color": .text("#" + style.stroke.color.hex), "width": JSONTree(style.stroke.width),
            "opacity": JSONTree(style.stroke.opacity),
            "dash": style.stroke.dash.isEmpty ? nil : .list(style.stroke.dash.map { JSONTree($0) }),
            "casing": style.casing.map { .text("#" + $0.hex) },
        ])
    }

    private static func dot(_ at: Coordinate, _ style: MapPointStyle) -> JSONTree {
        JSONTree(members: [
            "type": .text("dot"), "at": coordinate(at), "color": .text("#" + style.color.hex),
            "radius": JSONTree(style.radius), "label": .text(style.label),
            "symbol": .text(String(style.symbol)),
        ])
    }

    /// Latitude and longitude; 10⁻⁶ degrees are a tenth of a metre.
    static func coordinate(_ point: Coordinate) -> JSONTree {
        .list([point.latitude, point.longitude].map { JSONTree(($0 * 1e6).rounded() / 1e6) })
    }
}
