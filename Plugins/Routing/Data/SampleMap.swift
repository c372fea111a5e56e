import Foundation
import Geodesy

/// The sample valley as an OpenStreetMap file.
struct SampleMap {
    /// Metres between the points of a curve.
    private static let step = 40.0
    /// The identifiers of the first node and the first way.
    private static let firstNode = 1001
    private static let firstWay = 501
    /// The identifier of a node that ways refer to and that is missing in the file.
    private static let missingNode = 9999
    /// The timestamp of all objects in the file.
    private static let timestamp = "2026-02-06T08:00:00Z"

    private var nodes: [(id: Int, coordinate: Coordinate)] = []
    private var shared: [String: Int] = [:]

    /// The file's text.
    static func xml() -> String {
        var map = SampleMap()
        let ways = SampleValley.ways.enumerated().map { index, way in map.element(way, id: firstWay + index) }
        let header = """
            <?xml version="1.0" encoding="UTF-8"?>
            <osm version="0.6" generator="rutter region sample">

            """
        return header + map.nodeElements + ways.joined() + "</osm>\n"
    }

    private var nodeElements: String {
        let named = Dictionary(
            SampleValley.named.compactMap { entry in shared[entry.place].map { ($0, entry) } },
            uniquingKeysWith: { first, _ in first })
        return nodes.map { node in
            let attributes =
                "id=\"\(node.id)\" version=\"1\" timestamp=\"\(Self.timestamp)\" "
                + "lat=\"\(node.coordinate.latitude)\" lon=\"\(node.coordinate.longitude)\""
            let tags = named[node.id].map { named in
                let parts = named.tag.split(separator: "=", maxSplits: 1)
                return
                    "    <tag k=\"name\" v=\"\(named.name)\"/>\n    <tag k=\"\(parts[0])\" v=\"\(parts[1])\"/>\n"
            }
            return tags.map { "  <node \(attributes)>\n\($0)  </node>\n" } ?? "  <node \(attributes)/>\n"
        }.joined()
    }

    private mutating func element(_ way: SampleValley.Way, id: Int) -> String {
        var tags = ["highway=\(way.highway)"] + way.tags
        if let name = way.name { tags.append("name=\(name)") }
        var text = "  <way id=\"\(id)\" version=\"1\" timestamp=\"\(Self.timestamp)\">\n"
        for node in references(way) { text += "    <nd ref=\"\(node)\"/>\n" }
        for tag in tags {
            let parts = tag.split(separator: "=", maxSplits: 1)
            text += "    <tag k=\"\(parts[0])\" v=\"\(parts[1])\"/>\n"
        }
        return text + "  </way>\n"
    }

    /// The nodes of a way: its points, and between them those of a curve through them. Steps and roundabouts
    /// are drawn point by point.
    private mutating func references(_ way: SampleValley.Way) -> [Int] {
        let known = way.points.compactMap(Self.position)
        let isCurve = way.highway != "steps" && !way.tags.contains("junction=roundabout")
        var result: [Int] = []
        for (index, point) in way.points.enumerated() {
            result.append(node(point))
            guard isCurve, index + 1 < known.count, let here = Self.position(point) else { continue }
            let next = known[index + 1]
            let before = index > 0 ? known[index - 1] : here
            let after = index + 2 < known.count ? known[index + 2] : next
            let length = hypot(next.x - here.x, next.y - here.y)
            let count = Int(length / Self.step)
            for piece in 1..<max(1, count) {
                let share = Double(piece) / Double(count)
                result.append(node(Self.curve(before, here, next, after, share)))
            }
        }
        return result
    }

    private static func position(_ point: SampleValley.Point) -> (x: Double, y: Double)? {
        switch point {
        case .place(let name): SampleValley.places[name]
        case .at(let x, let y): (x, y)
        }
    }

    private mutating func node(_ point: SampleValley.Point) -> Int {
        switch point {
        case .at(let x, let y): return add(x, y)
        case .place(let name):
            if let known = shared[name] { return known }
            guard let place = SampleValley.places[name] else { return Self.missingNode }
            let id = add(place.x, place.y)
            shared[name] = id
            return id
        }
    }

    private mutating func add(_ x: Double, _ y: Double) -> Int {
        let id = Self.firstNode + nodes.count
        nodes.append((id, SampleTerrain.place(x: x, y: y)))
        return id
    }

    /// A point of the curve between two points, in which the neighbours beyond them give the direction.
    ///
    /// Method: Catmull and Rom 1974, uniform.
    private static func curve(
        _ p0: (x: Double, y: Double), _ p1: (x: Double, y: Double), _ p2: (x: Double, y: Double),
        _ p3: (x: Double, y: Double), _ t: Double
    ) -> SampleValley.Point {
        func blend(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            let linear = (c - a) * t
            let square = (2 * a - 5 * b + 4 * c - d) * t * t
            let cube = (3 * b - a - 3 * c + d) * t * t * t
            return b + 0.5 * (linear + square + cube)
        }
        return .at(blend(p0.x, p1.x, p2.x, p3.x), blend(p0.y, p1.y, p2.y, p3.y))
    }
}
