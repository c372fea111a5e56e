import Geodesy

/// The edge of an area, outer and inner.
struct AreaEdge: Sendable {
    /// The indexes of its ways.
    var ways: [Int]
    /// Whether the file has all of them.
    var isComplete = true
    /// The tags and name of an area mapped as a relation, by their numbers in the table of ways.
    var own: (verdict: Int32, name: Int32)?
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

    private let polygon: AreaPolygon
    /// The nodes of its corners.
    private let nodes: [Int32]
    /// How often the edges use a node themselves.
    private let ownUses: [Int32: Int]

    /// Adds the crossings of areas: those of one closed way, and those of several ways, `relations`.
    /// Returns the areas, and how many could not be crossed; `check` throws to cancel.
    static func add(
        to ways: inout WayTable, _ nodes: NodeTable, relations: [AreaEdge] = [], _ check: () throws -> Void
    ) rethrows -> (areas: [AreaShape], left: Int) {
        guard !relations.isEmpty || ways.verdicts.contains(where: \.isArea) else { return ([], 0) }
        var uses = [UInt8](repeating: 0, count: nodes.ids.count)
        for node in ways.nodes where node >= 0 { uses[Int(node)] = min(.max - 1, uses[Int(node)]) + 1 }
        let ofRelations = Set(relations.flatMap(\.ways))
        let closed = ways.ways.indices.filter {
            ways.verdicts[Int(ways.ways[$0].verdict)].isArea && !ofRelations.contains($0)
        }
        var left = 0
        var areas: [AreaShape] = []
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
            guard area.isComplete, let rings = Self.rings(of: lines),
                let pairs = AreaCrossings(rings, lines, nodes)?.crossings(uses)
            else {
                left += 1
                continue
            }
            areas.append(AreaShape(ways: area.ways.map { ways.ways[$0].id }, rings: rings))
            let way = ways.ways[first]
            // A way of its own may be part of the edge.
            let (verdict, name) = area.own ?? (way.verdict, way.name)
            for (from, to) in pairs {
                let start = ways.nodes.count
                ways.nodes += [from, to]
                ways.ways.append(
                    WayTable.Way(
                        id: way.id, verdict: verdict, name: name, nodes: start..<start + 2))
            }
        }
        return (areas, left)
    }

    /// The rings of lines; `nil` if they are incomplete, form no rings, or have too many nodes.
    private static func rings(of lines: [[Int32]]) -> [[Int32]]? {
        guard lines.reduce(0, { $0 + $1.count }) <= Settings.mostNodes else { return nil }
        return AreaRings.joined(lines)
    }

    /// The area between rings, which lines form.
    private init?(_ rings: [[Int32]], _ lines: [[Int32]], _ table: NodeTable) {
        guard let first = rings.first?.first else { return nil }
        ownUses = lines.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let plane = LocalPlane(at: table.coordinate(first))
        nodes = Array(rings.joined())
        polygon = AreaPolygon(
            rings.map { ring in ring.map { (Int64($0), plane.point(table.coordinate($0))) } })
    }

    /// Pairs of nodes that see each other across the area; `nil` if there are too many places.
    private func crossings(_ uses: [UInt8]) -> [(Int32, Int32)]? {
        let isMet = nodes.map { Int(uses[Int($0)]) > ownUses[$0] ?? 0 }
        let places = nodes.indices.filter { isMet[$0] || polygon.isReflex[$0] }
        guard places.count <= Settings.mostPlaces else { return nil }
        let isDense = places.count > Settings.joinedPlaces
        func mayBend(_ corner: Int, seenFrom other: Int) -> Bool {
            !isDense || isMet[corner] || polygon.isTangent(corner, from: other)
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

    /// Whether two corners that are no neighbours see each other.
    private func isVisible(_ from: Int, _ to: Int) -> Bool {
        guard polygon.next[from] != to, polygon.next[to] != from, nodes[from] != nodes[to] else {
            return false
        }
        return polygon.sees(polygon.spot(corner: from), polygon.spot(corner: to))
    }
}
