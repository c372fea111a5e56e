import PluginKit
import Synchronization

/// A hierarchy with the costs of a profile.
///
/// First every arc gets the cost of the best path over lower ranks (basic customisation); then arcs that
/// are beaten by a path over higher ranks are removed from the search graph (perfect customisation), which
/// leaves only a few of them.
package final class HierarchyCosts: Sendable {
    package let hierarchy: Hierarchy
    package let weighted: WeightedGraph
    /// The arcs that searches use.
    let climb: UpwardArcs
    /// The edges of the arcs that searches use.
    let ways: UnpackedArcs
    private let spaces = Mutex(IdleSpaces())

    private struct IdleSpaces: Sendable {
        var all: [HierarchySpace] = []
    }

    /// Customises a hierarchy: computes the costs of all arcs. `check` throws to cancel.
    package init(
        _ hierarchy: Hierarchy, _ weighted: WeightedGraph, check: () throws -> Void
    ) rethrows {
        self.hierarchy = hierarchy
        self.weighted = weighted
        let origins: Block<ArcOrigin>
        (climb, origins) = try Self.customised(hierarchy, weighted, check)
        try check()
        ways = try UnpackedArcs(origins: origins, used: climb, check)
    }

    /// Selects the arcs for searches and expands all arcs; releases the intermediate data.
    private static func customised(
        _ hierarchy: Hierarchy, _ weighted: WeightedGraph, _ check: () throws -> Void
    ) rethrows -> (UpwardArcs, Block<ArcOrigin>) {
        let customising = Customisation(hierarchy)
        try customising.takeEdges(weighted, check)
        try customising.closeTriangles(check)
        try customising.nameEdges(check)
        let basic = (Block(copying: customising.up.column), Block(copying: customising.down.column))
        try customising.beatArcs(check)
        try check()
        let climb = try withExtendedLifetime(basic) {
            try UpwardArcs(
                hierarchy, basic: (basic.0.column, basic.1.column), best: customising,
                dearest: weighted.dearestEdge, check)
        }
        return (climb, customising.origins)
    }

    /// The same without cancellation.
    package convenience init(_ hierarchy: Hierarchy, _ weighted: WeightedGraph) {
        self.init(hierarchy, weighted, check: {})
    }

    /// The costs of a file.
    init(_ hierarchy: Hierarchy, _ weighted: WeightedGraph, stored: StoredCosts) {
        (self.hierarchy, self.weighted) = (hierarchy, weighted)
        (climb, ways) = (stored.climb, stored.ways)
    }

    /// Throws if any data that was read is damaged.
    func checkSound() throws(RutterError) {
        try hierarchy.image.checkSound()
        try weighted.checkSound()
    }

    /// Runs a body with the memory of a query, which is reused.
    func withSpace<T>(_ body: (HierarchySpace) throws -> T) rethrows -> T {
        let space = spaces.withLock { $0.all.popLast() } ?? HierarchySpace(depths: climb.depths)
        defer { spaces.withLock { $0.all.append(space) } }
        return try body(space)
    }
}
