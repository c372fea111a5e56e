import Geodesy

/// The boxes, and the ways by name or OSM id, that a route must not use.
struct AvoidedWays: Sendable, Hashable {
    var boxes: [BoundingBox] = []
    var names: Set<String> = []
    var ways: Set<Int64> = []

    var isEmpty: Bool { boxes.isEmpty && names.isEmpty && ways.isEmpty }

    /// Adds the boxes and ways of another value.
    mutating func formUnion(_ others: AvoidedWays) {
        boxes += others.boxes.filter { !boxes.contains($0) }
        names.formUnion(others.names)
        ways.formUnion(others.ways)
    }

    /// The avoided edges of a graph, including those with a point in a box.
    func edges(of graph: RoutingGraph) -> [Int] {
        (0..<graph.edgeCount).filter { edge in
            if ways.contains(graph.wayID[edge]) { return true }
            if !names.isEmpty, let name = graph.name(of: edge), names.contains(name) { return true }
            guard !boxes.isEmpty else { return false }
            let line = graph.line(of: edge)
            return boxes.contains { Self.crosses($0, line) }
        }
    }

    /// The first item, as it is written, that matches none of the avoided edges.
    func unmatched(by edges: [Int], of graph: RoutingGraph) -> String? {
        if let name = names.subtracting(edges.compactMap(graph.name(of:))).min() { return name }
        if let way = ways.subtracting(edges.map { graph.wayID[$0] }).min() { return "way=\(way)" }
        let box = boxes.first { box in !edges.contains { Self.crosses(box, graph.line(of: $0)) } }
        return box.map { "\($0.south),\($0.west),\($0.north),\($0.east)" }
    }

    private static func crosses(_ box: BoundingBox, _ line: [Coordinate]) -> Bool {
        zip(line, line.dropFirst()).contains { crosses(box, $0, $1) }
    }

    /// Whether a segment has a point in a box.
    ///
    /// Method: Liang and Barsky 1984, in degrees from the first point.
    static func crosses(_ box: BoundingBox, _ from: Coordinate, _ to: Coordinate) -> Bool {
        if box.contains(from) || box.contains(to) { return true }
        let (dx, dy) = (Angle.difference(from: from.longitude, to: to.longitude), to.latitude - from.latitude)
        let west = Angle.difference(from: from.longitude, to: box.west)
        let east = Angle.difference(from: from.longitude, to: box.east)
        var (enter, leave) = (0.0, 1.0)
        for (step, room) in [
            (-dx, -west), (dx, east), (-dy, from.latitude - box.south), (dy, box.north - from.latitude),
        ] {
            if step == 0 {
                if room < 0 { return false }
            } else if step < 0 {
                enter = max(enter, room / step)
            } else {
                leave = min(leave, room / step)
            }
        }
        return enter <= leave
    }
}
