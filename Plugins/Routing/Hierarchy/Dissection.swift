import PluginKit

/// Recursively bisects a graph by small separators.
///
/// Method: inertial flow (Schild and Sommer 2015). The nodes are sorted along a direction; the minimum cut
/// between the first quarter and the last equals the maximum flow between them. The best of four directions
/// is used.
struct Dissection {
    /// The settings of dissection.
    enum Settings {
        /// Cells of at most this many nodes are not bisected.
        static let leaf = 12
        /// The share of the nodes that is fixed on each side.
        static let held = 0.25
        /// Directions that are tried.
        static let directions = 4
    }

    /// The ordered nodes, least important first.
    private(set) var nodes: [Int32] = []
    private let graph: RoutingGraph

    init(_ graph: RoutingGraph) { self.graph = graph }

    /// Appends the order of a cell.
    mutating func order(_ cell: Cell, _ check: () throws -> Void) throws {
        var waiting: [(cell: Cell, isSeparator: Bool)] = [(cell, false)]
        while let (cell, isSeparator) = waiting.popLast() {
            try check()
            if isSeparator || cell.nodes.count <= Settings.leaf {
                nodes += cell.nodes
                continue
            }
            let sides = try halves(of: cell, check)
            let separator = Cell(nodes: cell.nodes.indices.filter { sides[$0] == 2 }.map { cell.nodes[$0] })
            waiting.append((separator, true))
            waiting.append((cell.part(sides, 1), false))
            waiting.append((cell.part(sides, 0), false))
        }
    }

    /// For each node 0 or 1 for its half, or 2 for the separator.
    private func halves(of cell: Cell, _ check: () throws -> Void) throws -> [UInt8] {
        var best: (sides: [UInt8], score: Double, cut: Int)?
        var flow = CutFlow(cell)
        for direction in 0..<Settings.directions {
            try check()
            let line = lined(cell, direction)
            let held = max(1, Int(Double(line.count) * Settings.held))
            let limit = best.map { $0.cut * 2 + 1 } ?? .max
            guard let cut = try flow.cut(line, held: held, below: limit, check) else { continue }
            for sides in [flow.sourceSide(), flow.sinkSide()] {
                let ones = sides.count { $0 == 1 }
                let score = Double(cut) / Double(min(ones, sides.count - ones))
                if score < best?.score ?? .infinity { best = (sides, score, cut) }
            }
        }
        return separated(cell, best?.sides ?? [])
    }

    /// The nodes of a cell sorted along one of four directions, by local numbers.
    private func lined(_ cell: Cell, _ direction: Int) -> [Int32] {
        let values = cell.nodes.map { node -> Double in
            let (y, x) = (graph.latitude[node], graph.longitude[node] * 0.7)
            switch direction {
            case 0: return x
            case 1: return y
            case 2: return x + y
            default: return x - y
            }
        }
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        let scale = high > low ? Double((1 << 22) - 1) / (high - low) : 0
        var keys = values.enumerated().map { index, value in
            (key: UInt64((value - low) * scale), index: UInt32(index))
        }
        RadixSort.sort(&keys)
        return keys.map { Int32($0.index) }
    }

    /// Derives the node separator from the cut's edges: their ends on the side with fewer of them.
    private func separated(_ cell: Cell, _ sides: [UInt8]) -> [UInt8] {
        var sides = sides
        var borders: [[Int]] = [[], []]
        for node in cell.nodes.indices {
            let touches = (Int(cell.first[node])..<Int(cell.first[node + 1])).contains { slot in
                sides[Int(cell.heads[slot])] != sides[node]
            }
            if touches { borders[Int(sides[node])].append(node) }
        }
        for node in borders[0].count <= borders[1].count ? borders[0] : borders[1] { sides[node] = 2 }
        return sides
    }
}

/// Maximum flow through a cell with unit capacities, by Dinic's algorithm.
struct CutFlow {
    private let count: Int
    private let first: Block<Int32>
    private let heads: Block<Int32>
    /// For each slot the slot of the same edge at its other end.
    private let reverse: Block<Int32>
    private let capacity: Block<Int8>
    private let level: Block<Int32>
    private let next: Block<Int32>
    private let queue: Block<Int32>
    private let role: Block<UInt8>
    private var path: [Int] = []

    init(_ cell: Cell) {
        count = cell.nodes.count
        first = Block(copying: cell.first)
        heads = Block(copying: cell.heads)
        reverse = Block(repeating: 0, count: cell.heads.count)
        capacity = Block(repeating: 1, count: cell.heads.count)
        level = Block(repeating: -1, count: count)
        next = Block(repeating: 0, count: count)
        queue = Block(repeating: 0, count: count)
        role = Block(repeating: 0, count: count)
        findReverses()
    }

    /// The slots of a node.
    @inline(__always)
    private func slots(_ node: Int) -> Range<Int> { Int(first.base[node])..<Int(first.base[node + 1]) }

    private func findReverses() {
        for node in 0..<count {
            for slot in slots(node) {
                let head = Int(heads.base[slot])
                guard head > node else { continue }
                for other in slots(head) where Int(heads.base[other]) == node {
                    reverse.base[slot] = Int32(other)
                    reverse.base[other] = Int32(slot)
                }
            }
        }
    }

    /// The size of the minimum cut between the first and the last `held` nodes of a line; `nil` if it is
    /// not below a limit. `check` throws to cancel.
    mutating func cut(
        _ line: [Int32], held: Int, below limit: Int, _ check: () throws -> Void
    ) rethrows -> Int? {
        capacity.base.update(repeating: 1, count: capacity.count)
        role.base.update(repeating: 0, count: count)
        for node in line.prefix(held) { role.base[Int(node)] = 1 }
        for node in line.suffix(held) { role.base[Int(node)] = 2 }
        let sources = Array(line.prefix(held))
        var flow = 0
        while spread(from: sources) {
            next.base.update(from: first.base, count: count)
            for (index, source) in sources.enumerated() {
                if index % RoutingSettings.rowStep == 0 { try check() }
                while push(from: source) {
                    flow += 1
                    if flow >= limit { return nil }
                }
            }
        }
        return flow
    }

    /// After `cut`: 0 for nodes the sources still reach, 1 for the others.
    func sourceSide() -> [UInt8] { (0..<count).map { level.base[$0] >= 0 ? 0 : 1 } }

    /// After `cut`: 1 for nodes from which the sinks can still be reached, 0 for the others.
    func sinkSide() -> [UInt8] {
        var side = [UInt8](repeating: 0, count: count)
        var waiting: [Int] = []
        for node in 0..<count where role.base[node] == 2 {
            side[node] = 1
            waiting.append(node)
        }
        while let node = waiting.popLast() {
            for slot in slots(node) {
                let head = Int(heads.base[slot])
                guard side[head] == 0, capacity.base[Int(reverse.base[slot])] > 0 else { continue }
                side[head] = 1
                waiting.append(head)
            }
        }
        return side
    }

    /// Sets levels by distance from the sources; returns whether a sink was reached.
    private func spread(from sources: [Int32]) -> Bool {
        let (level, queue, heads) = (level.base, queue.base, heads.base)
        level.update(repeating: -1, count: count)
        var (index, end, found) = (0, 0, false)
        for source in sources {
            level[Int(source)] = 0
            queue[end] = source
            end += 1
        }
        while index < end {
            let node = Int(queue[index])
            index += 1
            let above = level[node] + 1
            for slot in slots(node) where capacity.base[slot] > 0 {
                let head = Int(heads[slot])
                guard level[head] < 0 else { continue }
                level[head] = above
                if role.base[head] == 2 {
                    found = true
                } else {
                    queue[end] = Int32(head)
                    end += 1
                }
            }
        }
        return found
    }

    /// Sends one unit from a source to any sink along increasing levels; returns `false` if no path is
    /// left.
    private mutating func push(from source: Int32) -> Bool {
        let (level, next, heads, capacity) = (level.base, next.base, heads.base, capacity.base)
        path.removeAll(keepingCapacity: true)
        var node = Int(source)
        while role.base[node] != 2 {
            var slot = Int(next[node])
            let end = Int(first.base[node + 1])
            // A dead end gets a level above all others.
            let above = level[node] &+ 1
            while slot < end, capacity[slot] <= 0 || level[Int(heads[slot])] != above { slot += 1 }
            next[node] = Int32(slot)
            if slot < end {
                path.append(slot)
                node = Int(heads[slot])
                continue
            }
            level[node] = .max
            guard let back = path.popLast() else { return false }
            node = Int(heads[Int(reverse.base[back])])
        }
        for slot in path {
            capacity[slot] -= 1
            capacity[Int(reverse.base[slot])] += 1
        }
        return true
    }
}

extension Block {
    fileprivate convenience init(copying values: [Element]) where Element == Int32 {
        self.init(repeating: 0, count: values.count)
        values.withUnsafeBufferPointer { values in
            if let start = values.baseAddress { base.update(from: start, count: values.count) }
        }
    }
}
