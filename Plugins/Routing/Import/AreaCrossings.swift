import Geodesy

/// Adds ways across areas, such as squares: between the places where other ways meet the edge, and around corners that
/// stand in the way.
///
/// Method: visibility graph of the edge.
struct AreaCrossings {
    enum Settings {
        /// The most places of an area that are joined; areas with more are left with their edge.
        static let mostPlaces = 48
        /// The most nodes of an edge.
        static let mostNodes = 2000
    }

    private let ring: [Int32]
    private let points: [PlanePoint]

    /// Adds the crossings of all areas; `check` throws to cancel.
    static func add(
        to ways: inout WayTable, _ nodes: NodeTable, _ check: () throws -> Void
    ) rethrows {
        guard ways.verdicts.contains(where: \.isArea) else { return }
        var uses = [UInt8](repeating: 0, count: nodes.ids.count)
        for node in ways.nodes where node >= 0 { uses[Int(node)] = min(3, uses[Int(node)] + 1) }
        for way in ways.ways where ways.verdicts[Int(way.verdict)].isArea {
            try check()
            guard let area = AreaCrossings(ways.nodes[way.nodes], nodes) else { continue }
            for (from, to) in area.crossings(uses) {
                let start = ways.nodes.count
                ways.nodes += [from, to]
                ways.ways.append(
                    WayTable.Way(
                        id: way.id, verdict: way.verdict, name: way.name, nodes: start..<start + 2))
            }
        }
    }

    /// The area inside a closed way; `nil` for one that is open or incomplete.
    private init?(_ line: ArraySlice<Int32>, _ nodes: NodeTable) {
        guard line.count > 3, line.count <= Settings.mostNodes, line.first == line.last, !line.contains(-1),
            Set(line).count == line.count - 1, let first = line.first
        else { return nil }
        ring = Array(line.dropLast())
        let plane = LocalPlane(at: nodes.coordinate(first))
        points = ring.map {
            let place = nodes.coordinate($0)
            return plane.point(place.latitude, place.longitude)
        }
    }

    /// Pairs of nodes that see each other across the area.
    private func crossings(_ uses: [UInt8]) -> [(Int32, Int32)] {
        let isLeft = area > 0
        let places = ring.indices.filter { index in
            // The first node of a closed way is in it twice.
            let isMet = uses[Int(ring[index])] > (index == 0 ? 2 : 1)
            return isMet || isReflex(index, isLeft)
        }
        guard (2...Settings.mostPlaces).contains(places.count) else { return [] }
        var found: [(Int32, Int32)] = []
        for (number, from) in places.enumerated() {
            for to in places[(number + 1)...] where isVisible(from, to) {
                found.append((ring[from], ring[to]))
            }
        }
        return found
    }

    /// Twice the area, positive if the edge runs counterclockwise.
    private var area: Double {
        ring.indices.reduce(0) { sum, index in
            let (a, b) = (points[index], points[next(index)])
            return sum + a.x * b.y - b.x * a.y
        }
    }

    private func next(_ index: Int) -> Int { index + 1 < ring.count ? index + 1 : 0 }

    private static func turn(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// Whether the area has more than half of the surroundings of a corner.
    private func isReflex(_ index: Int, _ isLeft: Bool) -> Bool {
        let before = index > 0 ? index - 1 : ring.count - 1
        let turn = Self.turn(points[before], points[index], points[next(index)])
        return isLeft ? turn < 0 : turn > 0
    }

    private func isVisible(_ from: Int, _ to: Int) -> Bool {
        guard next(from) != to, next(to) != from else { return false }
        let (a, b) = (points[from], points[to])
        for index in ring.indices {
            let end = next(index)
            guard index != from, index != to, end != from, end != to else { continue }
            let (c, d) = (points[index], points[end])
            if Self.turn(a, b, c) * Self.turn(a, b, d) <= 0, Self.turn(c, d, a) * Self.turn(c, d, b) <= 0 {
                return false
            }
        }
        return contains(PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2))
    }

    /// Whether a point is inside, by the crossings of a ray to the east.
    private func contains(_ point: PlanePoint) -> Bool {
        var isInside = false
        for index in ring.indices {
            let (a, b) = (points[index], points[next(index)])
            if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                isInside.toggle()
            }
        }
        return isInside
    }
}
