import Geodesy

/// The edge of an area, outer and inner.
struct AreaEdge: Sendable {
    /// The indexes of its ways.
    var ways: [Int]
    /// Whether the file has all of them.
    var isComplete = true
}

/// Adds ways across areas, such as squares: between the places where other ways meet the edge, and around corners that
/// stand in the way, of the edge and of what is cut out of the area.
///
/// Method: visibility graph of the edges.
struct AreaCrossings {
    enum Settings {
        /// Up to as many places of an area are joined with all that they see; of more only those that a shortest way
        /// across may use.
        static let joinedPlaces = 48
        /// The most places of an area that are joined; areas with more are left with their edge.
        static let mostPlaces = 240
        /// The most nodes of the edges.
        static let mostNodes = 2000
    }

    /// The corners of all rings: their nodes, positions, and neighbours on the ring.
    private var nodes: [Int32] = []
    private var points: [PlanePoint] = []
    private var next: [Int] = []
    private var previous: [Int] = []
    /// Whether more than half of the surroundings of a corner belong to the area.
    private var isReflex: [Bool] = []
    /// How often the edges use a node themselves.
    private let ownUses: [Int32: Int]

    /// Adds the crossings of areas: those of one closed way, and those of several ways, `relations`.
    /// Returns how many could not be added; `check` throws to cancel.
    static func add(
        to ways: inout WayTable, _ nodes: NodeTable, relations: [AreaEdge] = [], _ check: () throws -> Void
    ) rethrows -> Int {
        guard !relations.isEmpty || ways.verdicts.contains(where: \.isArea) else { return 0 }
        var uses = [UInt8](repeating: 0, count: nodes.ids.count)
        for node in ways.nodes where node >= 0 { uses[Int(node)] = min(.max - 1, uses[Int(node)]) + 1 }
        let ofRelations = Set(relations.flatMap(\.ways))
        let closed = ways.ways.indices.filter {
            ways.verdicts[Int(ways.ways[$0].verdict)].isArea && !ofRelations.contains($0)
        }
        var left = 0
        for (number, area) in (closed.map { AreaEdge(ways: [$0]) } + relations).enumerated() {
            try check()
            guard let first = area.ways.first else {
                left += 1
                continue
            }
            let lines = area.ways.map { Array(ways.nodes[ways.ways[$0].nodes]) }
            // A way that is open is a way, whatever its tags; an area may be outside the requested box.
            let isOpen = number < closed.count && lines[0].first != lines[0].last
            if isOpen || lines.joined().allSatisfy({ $0 < 0 }) { continue }
            // What is cut out of it may be what the file does not have.
            guard area.isComplete, let pairs = AreaCrossings(lines, nodes)?.crossings(uses) else {
                left += 1
                continue
            }
            let way = ways.ways[first]
            for (from, to) in pairs {
                let start = ways.nodes.count
                ways.nodes += [from, to]
                ways.ways.append(
                    WayTable.Way(
                        id: way.id, verdict: way.verdict, name: way.name, nodes: start..<start + 2))
            }
        }
        return left
    }

    /// The area between lines; `nil` if they are incomplete, form no rings, or have too many nodes.
    private init?(_ lines: [[Int32]], _ table: NodeTable) {
        guard lines.reduce(0, { $0 + $1.count }) <= Settings.mostNodes,
            let rings = AreaRings.joined(lines), let first = rings.first?.first
        else { return nil }
        ownUses = lines.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let plane = LocalPlane(at: table.coordinate(first))
        for ring in rings {
            let start = nodes.count
            for (offset, node) in ring.enumerated() {
                let place = table.coordinate(node)
                nodes.append(node)
                points.append(plane.point(place.latitude, place.longitude))
                next.append(start + (offset + 1) % ring.count)
                previous.append(start + (offset + ring.count - 1) % ring.count)
            }
        }
        isReflex = [Bool](repeating: false, count: nodes.count)
        var start = 0
        for ring in rings {
            let range = start..<start + ring.count
            start += ring.count
            let isLeft = isAreaLeft(of: range)
            for corner in range {
                let turn = Self.turn(points[previous[corner]], points[corner], points[next[corner]])
                isReflex[corner] = isLeft ? turn < 0 : turn > 0
            }
        }
    }

    /// Pairs of nodes that see each other across the area; `nil` if there are too many places.
    private func crossings(_ uses: [UInt8]) -> [(Int32, Int32)]? {
        let isMet = nodes.map { Int(uses[Int($0)]) > ownUses[$0] ?? 0 }
        let places = nodes.indices.filter { isMet[$0] || isReflex[$0] }
        guard places.count <= Settings.mostPlaces else { return nil }
        let isDense = places.count > Settings.joinedPlaces
        func mayBend(_ corner: Int, seenFrom other: Int) -> Bool {
            !isDense || isMet[corner] || isTangent(corner, from: other)
        }
        var found: [(Int32, Int32)] = []
        for (number, from) in places.enumerated() {
            for to in places[(number + 1)...]
            where mayBend(from, seenFrom: to) && mayBend(to, seenFrom: from) && isVisible(from, to) {
                found.append((nodes[from], nodes[to]))
            }
        }
        return found
    }

    /// Whether the area is to the left of a ring: inside one that runs counterclockwise, unless the ring is a hole.
    private func isAreaLeft(of ring: Range<Int>) -> Bool {
        let twiceArea = ring.reduce(0) { sum, index in
            let (a, b) = (points[index], points[next[index]])
            return sum + a.x * b.y - b.x * a.y
        }
        let (a, b) = (points[ring.lowerBound], points[next[ring.lowerBound]])
        let middle = PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        let isHole = contains(middle, except: ring)
        return (twiceArea > 0) != isHole
    }

    /// Twice the area of a triangle, positive if it runs counterclockwise.
    private static func turn(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// Whether a line to a corner passes it: a shortest way bends only there.
    private func isTangent(_ corner: Int, from other: Int) -> Bool {
        let before = Self.turn(points[other], points[corner], points[previous[corner]])
        let after = Self.turn(points[other], points[corner], points[next[corner]])
        return before * after >= 0
    }

    private func isVisible(_ from: Int, _ to: Int) -> Bool {
        guard next[from] != to, next[to] != from, nodes[from] != nodes[to] else { return false }
        let (a, b) = (points[from], points[to])
        let ends = [nodes[from], nodes[to]]
        for index in nodes.indices {
            let end = next[index]
            // Rings may touch at a node.
            guard !ends.contains(nodes[index]), !ends.contains(nodes[end]) else { continue }
            let (c, d) = (points[index], points[end])
            if Self.turn(a, b, c) * Self.turn(a, b, d) <= 0, Self.turn(c, d, a) * Self.turn(c, d, b) <= 0 {
                return false
            }
        }
        return contains(PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2))
    }

    /// Whether a point is in the area, by the crossings of a ray to the east with its rings, without one of them.
    private func contains(_ point: PlanePoint, except ring: Range<Int> = 0..<0) -> Bool {
        var isInside = false
        for index in nodes.indices where !ring.contains(index) {
            let (a, b) = (points[index], points[next[index]])
            if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                isInside.toggle()
            }
        }
        return isInside
    }
}
