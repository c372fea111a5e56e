import Geodesy
import Pictures

/// The trail network as lines of a map.
struct NetworkDrawing {
    let graph: RoutingGraph

    /// How a kind of way is drawn. The legend names each kind once.
    struct Look: Sendable {
        let highways: Set<String>
        let style: MapLineStyle
    }

    /// The looks, the lowest first; the last one is for all other ways.
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
            stroke: Stroke(Color(color), width: width, dash: dash), layer: MapLayer.base, label: label)
    }

    /// The ways that lie wholly inside of a box.
    func features(in box: BoundingBox) -> [MapFeature] {
        var byLook = [[MapFeature]](repeating: [], count: Self.looks.count)
        for edge in 0..<graph.edgeCount {
            guard isInside(Int(graph.source[edge]), box), isInside(Int(graph.target[edge]), box) else {
                continue
            }
            let line = graph.line(of: edge)
            guard line.allSatisfy(box.contains) else { continue }
            let highway = graph.kind(of: edge).highway ?? ""
            let look = Self.looks.firstIndex { $0.highways.contains(highway) } ?? Self.looks.count - 1
            byLook[look].append(.line(line.map(\.withoutAltitude), Self.looks[look].style))
        }
        return byLook.flatMap { $0 }
    }

    private func isInside(_ node: Int, _ box: BoundingBox) -> Bool {
        box.contains(Coordinate(latitude: graph.latitude[node], longitude: graph.longitude[node]))
    }
}
