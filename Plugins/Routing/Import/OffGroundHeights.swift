import Geodesy

/// The heights of bridges, tunnels, galleries and ferries: those of the way, not of the ground below or above it.
///
/// Connected ways off the ground are a run. Where it meets ways on the ground it has the ground's height; between
/// these places it rises evenly (with several, as the potential between fixed ones).
struct OffGroundHeights {
    enum Settings {
        /// The steepest slope, rise over length, of a way off the ground that is believed.
        static let steepest = 0.15
        /// Metres of rise that errors of a terrain model explain.
        static let leastRise = 10.0
        /// Metres by which a height may still change when the search for the heights ends.
        static let precision = 0.001
        /// Rounds of that search, and of the search for ways that lack a tag.
        static let rounds = 5000
        static let mostMerges = 8
    }

    /// An edge of a run.
    private struct Piece {
        var edge: Int
        var from: Int32
        var to: Int32
        /// Metres, at least a little.
        var length: Double
    }

    private struct Node {
        /// The pieces that end here.
        var pieces: [Int] = []
        /// The edges on the ground that end here.
        var ground: [Int] = []
        /// Whether it has the ground's height.
        var isFixed = false
    }

    private var pieces: [Piece] = []
    private var isInRun: [Bool]
    private var nodes: [Int32: Node] = [:]
    /// The original of each copy of a node at an obstacle.
    private var original: [Int32: Int32] = [:]
    private var heights: [Int32: Double] = [:]
    /// Nodes that do not have the ground's height although ways on the ground meet there.
    private var loosened: Set<Int32> = []

    /// Sets the heights of all nodes off the ground, and marks the ways that lack a tag; `check` throws to cancel.
    static func level(_ network: inout RegionNetwork, _ check: () throws -> Void) rethrows {
        var work = OffGroundHeights(network)
        guard work.isInRun.contains(true) else { return }
        for _ in 0..<Settings.mostMerges {
            try check()
            work.connect(network)
            work.solve(network)
            guard work.merge(network) else { break }
        }
        work.write(to: &network)
    }

    private init(_ network: RegionNetwork) {
        let verdicts = network.ways.verdicts
        isInRun = network.edges.map {
            verdicts[Int(network.ways.ways[Int($0.way)].verdict)].kind.flags.contains(.offGround)
        }
        guard isInRun.contains(true) else { return }
        for edge in network.edges where network.ways.ways[Int(edge.way)].id == 0 && edge.line.count == 2 {
            original[network.line[edge.line.upperBound - 1]] = network.line[edge.line.lowerBound]
        }
        addLayered(network)
    }

    private func end(_ node: Int32) -> Int32 { original[node] ?? node }

    private func ends(_ edge: RegionNetwork.Edge, _ network: RegionNetwork) -> (from: Int32, to: Int32) {
        (end(network.line[edge.line.lowerBound]), end(network.line[edge.line.upperBound - 1]))
    }

    /// Ways with a layer belong to the run that they meet, directly or over others with a layer.
    private mutating func addLayered(_ network: RegionNetwork) {
        var reached: Set<Int32> = []
        var layered: [Int32: [Int]] = [:]
        for (index, edge) in network.edges.enumerated() {
            let ends = ends(edge, network)
            if isInRun[index] {
                reached.formUnion([ends.from, ends.to])
            } else if network.ways.verdicts[Int(network.ways.ways[Int(edge.way)].verdict)].isLayered {
                layered[ends.from, default: []].append(index)
                layered[ends.to, default: []].append(index)
            }
        }
        var waiting = reached.sorted()
        while let node = waiting.popLast() {
            for index in layered[node] ?? [] where !isInRun[index] {
                isInRun[index] = true
                let ends = ends(network.edges[index], network)
                for other in [ends.from, ends.to] where reached.insert(other).inserted {
                    waiting.append(other)
                }
            }
        }
    }

    /// Collects the pieces of runs, and the edges at their ends.
    private mutating func connect(_ network: RegionNetwork) {
        (pieces, nodes) = ([], [:])
        for (index, edge) in network.edges.enumerated() where isInRun[index] {
            let ends = ends(edge, network)
            let length = EdgeMeasures(network.line[edge.line], network.nodes).distance
            for node in [ends.from, ends.to] { nodes[node, default: Node()].pieces.append(pieces.count) }
            pieces.append(Piece(edge: index, from: ends.from, to: ends.to, length: max(0.1, length)))
        }
        for (index, edge) in network.edges.enumerated() where !isInRun[index] {
            let ends = ends(edge, network)
            guard ends.from != ends.to || edge.line.count > 2 else { continue }
            for node in Set([ends.from, ends.to]) where nodes[node] != nil {
                nodes[node]?.ground.append(index)
            }
        }
        fix(network)
    }

    private mutating func fix(_ network: RegionNetwork) {
        for (id, node) in nodes {
            let areSteps = node.ground.allSatisfy {
                let way = network.ways.ways[Int(network.edges[$0].way)]
                return network.ways.verdicts[Int(way.verdict)].kind.isSteps
            }
            // Steps lead down from a bridge; two pieces go on above them.
            let goesOn = node.pieces.count > 1 && (areSteps || loosened.contains(id))
            nodes[id]?.isFixed = !node.ground.isEmpty && !goesOn
        }
        // A run that meets no ground, as at the border of a region, has it at its ends.
        var seen: Set<Int32> = []
        for start in nodes.keys.sorted() where seen.insert(start).inserted {
            var run = [start]
            var next = 0
            while next < run.count {
                for piece in nodes[run[next]]?.pieces ?? [] {
                    for other in [pieces[piece].from, pieces[piece].to] where seen.insert(other).inserted {
                        run.append(other)
                    }
                }
                next += 1
            }
            guard run.allSatisfy({ nodes[$0]?.isFixed == false }) else { continue }
            let ends = run.filter { nodes[$0]?.pieces.count == 1 }
            for node in ends.isEmpty ? run : ends { nodes[node]?.isFixed = true }
        }
    }

    /// The heights of the ends of all pieces.
    ///
    /// Method: Gauss and Seidel on the even rise between neighbours; exact on a run without branches.
    private mutating func solve(_ network: RegionNetwork) {
        heights = [:]
        var free: [(id: Int32, beside: [(node: Int32, weight: Double)])] = []
        for id in nodes.keys.sorted() {
            guard let node = nodes[id] else { continue }
            heights[id] = Double(network.nodes.elevation[Int(id)])
            guard !node.isFixed else { continue }
            let beside = node.pieces.compactMap { index -> (Int32, Double)? in
                let piece = pieces[index]
                return piece.from == piece.to
                    ? nil : (piece.from == id ? piece.to : piece.from, 1 / piece.length)
            }
            if !beside.isEmpty { free.append((id, beside)) }
        }
        for _ in 0..<Settings.rounds where !free.isEmpty {
            var change = 0.0
            for (id, beside) in free {
                let sum = beside.reduce(0) { $0 + $1.weight * (heights[$1.node] ?? .nan) }
                let height = sum / beside.reduce(0) { $0 + $1.weight }
                let step = abs(height - (heights[id] ?? .nan))
                if step > change { change = step }
                heights[id] = height
            }
            if change < Settings.precision { break }
        }
    }

    /// Whether a way of this rise is steeper than any off the ground, beyond what errors of heights explain.
    private func isUnbelievable(_ rise: Double, over length: Double) -> Bool {
        abs(rise) > Settings.leastRise && abs(rise) > Settings.steepest * length
    }

    /// Adds ways that lack a tag, as between two parts of one tunnel, and loosens places where a run goes on past a way
    /// to the ground; whether there were any. They show by pieces of unbelievable slope.
    private mutating func merge(_ network: RegionNetwork) -> Bool {
        var found = false
        for id in nodes.keys.sorted() {
            guard let node = nodes[id], node.isFixed, let height = heights[id] else { continue }
            let isSteep = node.pieces.contains { index in
                let piece = pieces[index]
                let other = heights[piece.from == id ? piece.to : piece.from] ?? .nan
                return isUnbelievable(other - height, over: piece.length) && !isSteps(piece.edge, network)
            }
            guard isSteep else { continue }
            if node.pieces.count > 1 {
                found = loosened.insert(id).inserted || found
            } else if node.ground.count == 1, let index = node.ground.first, !isSteps(index, network) {
                let edge = network.edges[index]
                let ends = ends(edge, network)
                let other = ends.from == id ? ends.to : ends.from
                let measures = EdgeMeasures(network.line[edge.line], network.nodes)
                let rise = Double(network.nodes.elevation[Int(other)]) - height
                guard nodes[other] != nil || isUnbelievable(rise, over: measures.distance) else { continue }
                isInRun[index] = true
                found = true
            }
        }
        return found
    }

    private func isSteps(_ edge: Int, _ network: RegionNetwork) -> Bool {
        let way = network.ways.ways[Int(network.edges[edge].way)]
        return network.ways.verdicts[Int(way.verdict)].kind.isSteps
    }

    private func write(to network: inout RegionNetwork) {
        var copies: [Int32: [Int32]] = [:]
        for (copy, node) in original { copies[node, default: []].append(copy) }
        for (id, height) in heights {
            for node in [id] + (copies[id] ?? []) { network.nodes.elevation[Int(node)] = Float(height) }
        }
        var lifted: [Int32: Int32] = [:]
        for piece in pieces {
            let edge = network.edges[piece.edge]
            let line = network.line[edge.line]
            let (from, to) = (heights[piece.from] ?? .nan, heights[piece.to] ?? .nan)
            var along = 0.0
            for (node, next) in zip(line, line.dropFirst().dropLast()) {
                along += network.nodes.coordinate(node).distance(to: network.nodes.coordinate(next))
                network.nodes.elevation[Int(next)] = Float(from + min(1, along / piece.length) * (to - from))
            }
            lift(edge, piece.edge, &network, &lifted)
        }
    }

    /// Marks an edge as off the ground whose way is not.
    private func lift(
        _ edge: RegionNetwork.Edge, _ index: Int, _ network: inout RegionNetwork,
        _ lifted: inout [Int32: Int32]
    ) {
        var way = network.ways.ways[Int(edge.way)]
        var verdict = network.ways.verdicts[Int(way.verdict)]
        guard verdict.kind.flags.insert(.offGround).inserted else { return }
        let number = lifted[way.verdict] ?? Int32(network.ways.verdicts.count)
        if lifted.updateValue(number, forKey: way.verdict) == nil { network.ways.verdicts.append(verdict) }
        way.verdict = number
        network.ways.ways.append(way)
        network.edges[index] = RegionNetwork.Edge(way: Int32(network.ways.ways.count - 1), line: edge.line)
    }
}
