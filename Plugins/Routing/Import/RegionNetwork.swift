import Geodesy
import PluginKit

/// Ways of a map, with nodes by their number in a `NodeTable`.
struct WayTable: Sendable {
    /// The properties of each way.
    struct Way: BitwiseCopyable, Sendable {
        var id: Int64
        /// An index into `verdicts`.
        var verdict: Int32
        /// An index into `names`; −1 for none.
        var name: Int32
        private var firstNode: UInt32
        private var nodeCount: UInt32

        init(id: Int64, verdict: Int32, name: Int32, nodes: Range<Int>) {
            (self.id, self.verdict, self.name) = (id, verdict, name)
            (firstNode, nodeCount) = (UInt32(nodes.lowerBound), UInt32(nodes.count))
        }

        /// Its nodes in `nodes`.
        var nodes: Range<Int> { Int(firstNode)..<Int(firstNode) + Int(nodeCount) }
    }

    /// The maximum number of references of ways in a table.
    static let mostNodes = Int(UInt32.max)

    var ways: [Way] = []
    /// The nodes of all ways; −1 for one that is missing.
    var nodes: [Int32] = []
    var verdicts: [WayVerdict] = []
    var names = TextTable()

    /// The number of a name, which is added if it is new; −1 for none.
    mutating func number(ofName name: String?) -> Int32 {
        guard var name = name?.inOneLine, !name.isEmpty else { return -1 }
        return name.withUTF8 { names.index(of: UnsafeRawBufferPointer($0)) }
    }

    func name(of way: Way) -> String? {
        way.name < 0 ? nil : names.withText(way.name) { String(decoding: $0, as: UTF8.self) }
    }
}

/// Latitudes or longitudes of many nodes: in integer units of 1e-7 degrees, as in a file, or arbitrary.
struct DegreeList: Sendable {
    private var units: [Int32] = []
    private var others: [Double] = []

    init() {}

    init(units: [Int32]) { self.units = units }

    subscript(index: Int) -> Double { others.isEmpty ? Double(units[index]) / 1e7 : others[index] }

    /// Adds an arbitrary coordinate.
    mutating func append(_ degrees: Double) { others.append(degrees) }

    /// Adds a coordinate in the form of the others.
    mutating func append(alike degrees: Double) {
        if others.isEmpty {
            units.append(Int32((degrees * 1e7).rounded()))
        } else {
            others.append(degrees)
        }
    }

    /// Adds copies of its coordinates.
    mutating func append(again indices: [Int]) {
        if others.isEmpty {
            units.reserveCapacity(units.count + indices.count)
            for index in indices { units.append(units[index]) }
        } else {
            for index in indices { others.append(others[index]) }
        }
    }
}

/// The nodes that ways use, in the order of their ids.
struct NodeTable: Sendable {
    var ids: [Int64] = []
    var latitude = DegreeList()
    var longitude = DegreeList()
    /// Metres; NaN where unknown.
    var elevation: [Float] = []

    func coordinate(_ node: Int32) -> Coordinate {
        Coordinate(latitude: latitude[Int(node)], longitude: longitude[Int(node)])
    }
}

/// The network of a region, ready to be written: ways split at their junctions.
struct RegionNetwork: Sendable {
    struct Edge: BitwiseCopyable, Sendable {
        var way: Int32
        private var first: UInt32
        private var count: UInt32

        init(way: Int32, line: Range<Int>) {
            (self.way, first, count) = (way, UInt32(line.lowerBound), UInt32(line.count))
        }

        /// Its nodes in `line`, both ends included.
        var line: Range<Int> { Int(first)..<Int(first) + Int(count) }
    }

    var nodes = NodeTable()
    var ways = WayTable()
    var edges: [Edge] = []
    /// The nodes of all edges.
    var line: [Int32] = []
    /// Whether a node is a junction.
    var isJunction: [Bool] = []
    /// Marked trails, and for each way by its id the trails along it.
    var trails: [Trail] = []
    var trailsOfWay: [Int64: [Int32]] = [:]
    /// The turn restrictions of its ways, each relation once, by id.
    var turns: [TurnRestriction] = []
    /// The areas that are crossed.
    var areas: [AreaShape] = []
    /// The number of areas that cannot be crossed, as their edges touch themselves or have too many corners.
    var uncrossedAreas = 0

    /// An empty network.
    init() {}

    /// Splits ways at junctions: where two ways meet, where one crosses itself, and at ends.
    ///
    /// A way is interrupted at a missing node. Pieces of a single node are dropped.
    ///
    /// At an obstacle the ways are separated: each but the first ends in its own copy of the node, which an
    /// edge without length joins to the node. So an obstacle closes the passage between ways, not the ways
    /// themselves.
    ///
    /// `check` throws to cancel.
    init(
        ways: consuming WayTable, nodes: consuming NodeTable, obstacles: [Int32: [String: String]] = [:],
        check: () throws -> Void
    ) rethrows {
        let runs = try Self.runs(of: ways, check)
        self.nodes = nodes
        self.ways = ways
        var uses = [UInt8](repeating: 0, count: self.nodes.ids.count)
        for (number, run) in runs.ranges.enumerated() {
            if number % RoutingSettings.rowStep == 0 { try check() }
            for (index, node) in runs.nodes[run.nodes].enumerated() {
                let isEnd = index == 0 || index == run.nodes.count - 1
                uses[Int(node)] = min(2, uses[Int(node)] + (isEnd ? 2 : 1))
            }
        }
        for node in obstacles.keys where uses[Int(node)] == 1 { uses[Int(node)] = 2 }
        isJunction = uses.map { $0 > 1 }
        line.reserveCapacity(runs.nodes.count * 5 / 4)
        for (number, run) in runs.ranges.enumerated() {
            if number % RoutingSettings.rowStep == 0 { try check() }
            var start = line.count
            for (index, node) in runs.nodes[run.nodes].enumerated() {
                line.append(node)
                guard index > 0, isJunction[Int(node)] else { continue }
                edges.append(Edge(way: run.way, line: start..<line.count))
                start = line.count
                if index < run.nodes.count - 1 { line.append(node) }
            }
        }
        try check()
        cutApart(obstacles)
    }

    /// The distance between the ids of a node's copies at an obstacle: far beyond the ids of a map.
    static let copyStep: Int64 = 1 << 52

    /// The id of the original of a copied node; the id of any other node unchanged.
    static func original(_ id: Int64) -> Int64 {
        var id = id
        while id < -copyStep / 2 { id += copyStep }
        return id
    }

    private mutating func cutApart(_ obstacles: [Int32: [String: String]]) {
        guard !obstacles.isEmpty else { return }
        var ends: [Int32: [Int]] = [:]
        for edge in edges {
            for place in [edge.line.lowerBound, edge.line.upperBound - 1] where obstacles[line[place]] != nil
            {
                ends[line[place], default: []].append(place)
            }
        }
        let more = ends.values.reduce(0) { $0 + $1.count - 1 }
        nodes.ids.reserveCapacity(nodes.ids.count + more)
        nodes.elevation.reserveCapacity(nodes.ids.count + more)
        isJunction.reserveCapacity(nodes.ids.count + more)
        ways.ways.reserveCapacity(ways.ways.count + more)
        edges.reserveCapacity(edges.count + more)
        line.reserveCapacity(line.count + 2 * more)
        var again: [Int] = []
        var verdicts: [WayVerdict: Int32] = [:]
        for node in ends.keys.sorted() {
            guard let places = ends[node], places.count > 1, let tags = obstacles[node] else { continue }
            let verdict = WayRules.obstacle(tags)
            let known = verdicts[verdict] ?? Int32(ways.verdicts.count)
            if verdicts[verdict] == nil {
                verdicts[verdict] = known
                ways.verdicts.append(verdict)
            }
            for (index, place) in places.enumerated().dropFirst() {
                let copy = Int32(nodes.ids.count)
                nodes.ids.append(nodes.ids[Int(node)] - Int64(index) * Self.copyStep)
                again.append(Int(node))
                nodes.elevation.append(nodes.elevation[Int(node)])
                isJunction.append(true)
                line[place] = copy
                ways.ways.append(WayTable.Way(id: 0, verdict: known, name: -1, nodes: 0..<0))
                edges.append(Edge(way: Int32(ways.ways.count - 1), line: line.count..<line.count + 2))
                line.append(node)
                line.append(copy)
            }
        }
        nodes.latitude.append(again: again)
        nodes.longitude.append(again: again)
    }

    private struct Run {
        var way: Int32
        var nodes: Range<Int>
    }

    /// The pieces of ways without missing nodes, in the direction of their edges.
    private static func runs(
        of ways: WayTable, _ check: () throws -> Void
    ) rethrows -> (ranges: [Run], nodes: [Int32]) {
        var (ranges, nodes): ([Run], [Int32]) = ([], [])
        nodes.reserveCapacity(ways.nodes.count)
        for (index, way) in ways.ways.enumerated() {
            if index % RoutingSettings.rowStep == 0 { try check() }
            var start = nodes.count
            func close() {
                if nodes.count - start > 1 {
                    ranges.append(Run(way: Int32(index), nodes: start..<nodes.count))
                } else {
                    nodes.removeLast(nodes.count - start)
                }
                start = nodes.count
            }
            let isFlipped = ways.verdicts[Int(way.verdict)].isFlipped
            for offset in 0..<way.nodes.count {
                let place = isFlipped ? way.nodes.upperBound - 1 - offset : way.nodes.lowerBound + offset
                let node = ways.nodes[place]
                if node < 0 {
                    close()
                } else if nodes.count == start || nodes[nodes.count - 1] != node {
                    nodes.append(node)
                }
            }
            close()
        }
        return (ranges, nodes)
    }

    /// Takes the trails along its edges; others refer only to what the region does not have.
    mutating func take(_ trails: [Trail], ofWay: [Int64: [Int32]]) {
        var isUsed = [Bool](repeating: false, count: trails.count)
        // Most edges follow another of the same way.
        var last: Int32 = -1
        for edge in edges where edge.way != last {
            last = edge.way
            for trail in ofWay[ways.ways[Int(edge.way)].id] ?? [] { isUsed[Int(trail)] = true }
        }
        var numbers: [Int32?] = []
        for (trail, isUsed) in zip(trails, isUsed) {
            numbers.append(isUsed ? Int32(self.trails.count) : nil)
            if isUsed { self.trails.append(trail) }
        }
        trailsOfWay = ofWay.mapValues { $0.compactMap { numbers[Int($0)] } }
    }

    /// Takes the restrictions of turns from its ways.
    mutating func take(_ restrictions: [TurnRestriction]) {
        var known: Set<Int64> = []
        for edge in edges { known.insert(ways.ways[Int(edge.way)].id) }
        var byID: [Int64: TurnRestriction] = [:]
        for one in restrictions where one.from.contains(where: known.contains) { byID[one.relation] = one }
        turns = byID.keys.sorted().compactMap { byID[$0] }
    }

    /// Whether a node is on an edge.
    var used: [Bool] {
        var used = [Bool](repeating: false, count: nodes.ids.count)
        for node in line { used[Int(node)] = true }
        return used
    }
}
