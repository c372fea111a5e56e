/// An arc and the direction it is travelled in, or an edge and its direction.
struct ArcPiece: BitwiseCopyable {
    /// Twice the arc, plus one for downward travel; negative values are −1 − (twice the edge, plus one
    /// against its direction).
    var code: Int32

    static func up(_ arc: Int) -> ArcPiece { ArcPiece(code: Int32(truncatingIfNeeded: 2 &* arc)) }
    static func down(_ arc: Int) -> ArcPiece { ArcPiece(code: Int32(truncatingIfNeeded: 2 &* arc &+ 1)) }
    static func edge(_ edge: Int, isReversed: Bool) -> ArcPiece {
        ArcPiece(code: Int32(truncatingIfNeeded: -1 &- 2 &* edge &- (isReversed ? 1 : 0)))
    }

    static let none = ArcPiece(code: .min)

    var isEdge: Bool { code < 0 }
    /// Of an edge, as in `Arc.edgeAndDirection`.
    var edgeAndDirection: Int32 { -1 &- code }
}

/// The pieces of an arc: an edge alone, or a path down to a lower rank and one up again.
struct ArcOrigin: BitwiseCopyable {
    var first: ArcPiece
    var second = ArcPiece.none

    /// Whether there is only the first piece.
    var isEdge: Bool { second.code == ArcPiece.none.code }
}

/// The costs of arcs during customisation.
struct Customisation {
    let up: Block<Double>
    let down: Block<Double>
    /// By the codes of pieces: two for each arc.
    let origins: Block<ArcOrigin>
    private let hierarchy: Hierarchy

    init(_ hierarchy: Hierarchy) {
        self.hierarchy = hierarchy
        up = Block(repeating: .infinity, count: hierarchy.arcCount)
        down = Block(repeating: .infinity, count: hierarchy.arcCount)
        origins = Block(repeating: ArcOrigin(first: .none), count: 2 * hierarchy.arcCount)
    }

    /// Sets each arc to the cost of its cheapest edge.
    func takeEdges(_ weighted: WeightedGraph, _ check: () throws -> Void) rethrows {
        let graph = weighted.graph
        let origins = origins.base
        for edge in 0..<graph.edgeCount {
            if edge % RoutingSettings.rowStep == 0 { try check() }
            let arc = Int(hierarchy.edgeArc[edge])
            guard arc >= 0 else { continue }
            let there = (cost: weighted.forward[edge], piece: ArcPiece.edge(edge, isReversed: false))
            let back = (cost: weighted.backward[edge], piece: ArcPiece.edge(edge, isReversed: true))
            let rises = hierarchy.rank[graph.source[edge]] < hierarchy.rank[graph.target[edge]]
            let (rising, falling) = rises ? (there, back) : (back, there)
            if rising.cost < up.base[arc] {
                up.base[arc] = rising.cost
                origins[2 * arc].first = rising.piece
            }
            if falling.cost < down.base[arc] {
                down.base[arc] = falling.cost
                origins[2 * arc + 1].first = falling.piece
            }
        }
    }

    /// For each node, lowest rank first, relaxes the paths over it between its higher neighbours.
    func closeTriangles(_ check: () throws -> Void) rethrows {
        let (first, heads) = (hierarchy.firstUp.base, hierarchy.heads.base)
        let (up, down, origins) = (up.base, down.base, origins.base)
        for node in 0..<hierarchy.nodeCount {
            if node % RoutingSettings.rowStep == 0 { try check() }
            let end = Int(first[node + 1])
            var low = Int(first[node])
            while low < end {
                let (rise, fall) = (up[low], down[low])
                guard rise < .infinity || fall < .infinity else {
                    low += 1
                    continue
                }
                var arc = Int(first[Int(heads[low])])
                var high = low + 1
                while high < end {
                    let head = heads[high]
                    while heads[arc] < head { arc &+= 1 }
                    let there = fall + up[high]
                    if there < up[arc] {
                        up[arc] = there
                        origins[2 &* arc] = ArcOrigin(first: .down(low), second: .up(high))
                    }
                    let back = down[high] + rise
                    if back < down[arc] {
                        down[arc] = back
                        origins[2 &* arc &+ 1] = ArcOrigin(first: .down(high), second: .up(low))
                    }
                    high &+= 1
                }
                low += 1
            }
        }
    }

    /// Replaces arcs that consist of one edge by that edge, which halves the look-ups of unpacking.
    func nameEdges(_ check: () throws -> Void) rethrows {
        let origins = origins.base
        for code in 0..<2 * hierarchy.arcCount {
            if code % RoutingSettings.arrayStep == 0 { try check() }
            guard !origins[code].isEdge else { continue }
            let (first, second) = (
                origins[Int(origins[code].first.code)], origins[Int(origins[code].second.code)]
            )
            if first.isEdge { origins[code].first = first.first }
            if second.isEdge { origins[code].second = second.first }
        }
    }

    /// For each node, highest rank first, lowers the costs of its arcs by paths over higher nodes. Then the
    /// costs are shortest-path costs, and arcs whose cost was lowered are not needed by searches.
    func beatArcs(_ check: () throws -> Void) rethrows {
        let (first, heads) = (hierarchy.firstUp.base, hierarchy.heads.base)
        let (up, down) = (up.base, down.base)
        for node in stride(from: hierarchy.nodeCount - 1, through: 0, by: -1) {
            if node % RoutingSettings.rowStep == 0 { try check() }
            let end = Int(first[node + 1])
            var low = Int(first[node])
            while low < end {
                var arc = Int(first[Int(heads[low])])
                var high = low + 1
                while high < end {
                    let head = heads[high]
                    while heads[arc] < head { arc &+= 1 }
                    let (rise, fall) = (up[arc], down[arc])
                    up[high] = min(up[high], up[low] + rise)
                    down[high] = min(down[high], fall + down[low])
                    up[low] = min(up[low], up[high] + fall)
                    down[low] = min(down[low], rise + down[high])
                    high &+= 1
                }
                low += 1
            }
        }
    }
}
