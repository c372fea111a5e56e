import Foundation
import Geodesy
import Pictures

/// The trail network as lines of a map.
struct NetworkDrawing {
    let graph: RoutingGraph

    /// The style of a kind of way. The legend names each kind once.
    struct Look: Sendable {
        let highways: Set<String>
        let style: MapLineStyle
    }

    /// The styles, the lowest first; the last one is for all other ways.
    static let looks: [Look] = [
        Look(highways: ["trunk", "primary"], style: line(0xC9A227, 3, "main road")),
        Look(
            highways: [
                "secondary", "tertiary", "unclassified", "residential", "living_street", "service",
                "pedestrian",
            ],
            style: line(0xA0A7B0, 2, "road")),
        Look(highways: ["track"], style: line(0x9C7A4D, 1.6, "track", dash: [7, 3])),
        Look(highways: ["steps"], style: line(0x8E5B3A, 2, "steps", dash: [2, 2])),
        Look(highways: [], style: line(0x7A8F5A, 1.2, "path", dash: [4, 2])),
    ]

    private static func line(_ color: UInt32, _ width: Double, _ label: String, dash: [Double] = [])
        -> MapLineStyle
    {
        MapLineStyle(
            stroke: Stroke(Color(color), width: width, dash: dash), layer: MapLayer.network, label: label)
    }

    /// The opacity of the network as a base map.
    private static let opacity = 0.6
    /// The maximum width in metres of boxes drawn with full line widths; wider ones have thinner lines.
    private static let nearWidth = 5000.0
    /// The minimum share of the full line widths.
    private static let thinnest = 0.4
    /// In boxes wider than this many metres all ways together would be a grey area: only roads between
    /// settlements are drawn.
    private static let overviewWidth = 25_000.0
    private static let overviewRoads: Set = ["trunk", "primary", "secondary", "tertiary"]

    /// The ways in the frame of a picture around some coordinates, with `margin` as a share of its size on each
    /// side.
    func features(around places: [Coordinate], margin: Double) -> [MapFeature] {
        BoundingBox(around: places).map { features(in: Self.frame(around: $0.padded(by: margin))) } ?? []
    }

    /// The ways inside a box, clipped at its edge.
    func features(in box: BoundingBox) -> [MapFeature] {
        let styles = Self.styles(for: box)
        let isOverview = Self.width(of: box) > Self.overviewWidth
        var byLook = [[MapFeature]](repeating: [], count: Self.looks.count)
        for edge in 0..<graph.edgeCount {
            let highway = graph.kind(of: edge).highway ?? ""
            if isOverview, !Self.overviewRoads.contains(highway) { continue }
            let line = graph.line(of: edge).map(\.withoutAltitude)
            let pieces =
                box.crossesAntimeridian ? (line.allSatisfy(box.contains) ? [line] : []) : box.parts(of: line)
            guard !pieces.isEmpty else { continue }
            let look = Self.looks.firstIndex { $0.highways.contains(highway) } ?? Self.looks.count - 1
            byLook[look] += pieces.map { .line($0, styles[look]) }
        }
        return byLook.flatMap { $0 }
    }

    /// The width of a box in metres, at the latitude of its centre.
    private static func width(of box: BoundingBox) -> Double {
        let west = Coordinate(latitude: box.center.latitude, longitude: box.west)
        return 2 * west.distance(to: box.center)
    }

    /// The styles of the looks, thinner for a wide box.
    private static func styles(for box: BoundingBox) -> [MapLineStyle] {
        let scale = max(thinnest, min(1, nearWidth / max(1, width(of: box))))
        return looks.map { look in
            var style = look.style
            style.stroke.width *= scale
            style.stroke.dash = style.stroke.dash.map { $0 * scale }
            return style
        }
    }

    /// The smallest box with a picture's aspect ratio that contains another, so that the network fills the
    /// picture.
    static func frame(around box: BoundingBox) -> BoundingBox {
        let shape = MapView.defaultSize.width / MapView.defaultSize.height
        let narrowing = max(0.01, cos(box.center.latitude.radians))
        let (width, height) = (box.longitudeSpan * narrowing, box.latitudeSpan)
        let missing = (
            width: max(0, height * shape - width) / narrowing, height: max(0, width / shape - height)
        )
        guard box.longitudeSpan + missing.width < 360 else { return box }
        return BoundingBox(
            south: max(-90, box.south - missing.height / 2),
            west: Angle.longitude(box.west - missing.width / 2),
            north: min(90, box.north + missing.height / 2),
            east: Angle.longitude(box.east + missing.width / 2))
    }
}

extension BoundingBox {
    /// The parts of a line inside a box that does not cross the antimeridian.
    ///
    /// Method: Liang and Barsky 1984, piece by piece.
    fileprivate func parts(of line: [Coordinate]) -> [[Coordinate]] {
        var parts: [[Coordinate]] = []
        var present: [Coordinate] = []
        for (from, to) in zip(line, line.dropFirst()) {
            guard let inside = part(from, to) else {
                if present.count > 1 { parts.append(present) }
                present = []
                continue
            }
            if present.last != inside.from {
                if present.count > 1 { parts.append(present) }
                present = [inside.from]
            }
            present.append(inside.to)
        }
        if present.count > 1 { parts.append(present) }
        return parts
    }

    private func part(_ from: Coordinate, _ to: Coordinate) -> (from: Coordinate, to: Coordinate)? {
        let dx = to.longitude - from.longitude
        let dy = to.latitude - from.latitude
        guard abs(dx) < 180 else { return nil }
        var (enter, leave) = (0.0, 1.0)
        let edges = [
            (-dx, from.longitude - west), (dx, east - from.longitude), (-dy, from.latitude - south),
            (dy, north - from.latitude),
        ]
        for (step, room) in edges {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                enter = max(enter, room / step)
            } else {
                leave = min(leave, room / step)
            }
        }
        guard enter < leave else { return nil }
        func point(_ share: Double) -> Coordinate {
            if share == 0 { return from }
            if share == 1 { return to }
            return Coordinate(latitude: from.latitude + share * dy, longitude: from.longitude + share * dx)
        }
        return (point(enter), point(leave))
    }
}
