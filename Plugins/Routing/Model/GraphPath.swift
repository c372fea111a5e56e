import Geodesy
import PluginKit

/// A piece of an edge as it is travelled.
package struct PathEdge: Sendable, Hashable {
    /// The edge by its index in the graph.
    package var edge: Int
    /// Whether it is travelled against its stored direction.
    package var isReversed: Bool
    /// Where the piece begins, as a part of the edge's length in the direction of travel, 0…1.
    package var enter: Double
    /// Where it ends, not before `enter`.
    package var leave: Double

    package init(edge: Int, isReversed: Bool, enter: Double = 0, leave: Double = 1) {
        self.edge = edge
        self.isReversed = isReversed
        self.enter = enter
        self.leave = leave
    }

    /// The part of the edge that is travelled.
    package var share: Double { leave - enter }
    /// The beginning as a part of the edge in its stored direction.
    package var storedEnter: Double { isReversed ? 1 - enter : enter }
    /// The end as a part of the edge in its stored direction.
    package var storedLeave: Double { isReversed ? 1 - leave : leave }
}

/// A place on the network: the nearest point of the nearest edge.
package struct SnappedPoint: Sendable, Hashable {
    /// The place that was asked for.
    package var place: Coordinate
    /// The nearest point on the network.
    package var point: Coordinate
    /// Metres between the two.
    package var distance: Double
    /// The edge by its index in the graph.
    package var edge: Int
    /// Where on the edge, as a part of its length in its stored direction, 0…1.
    package var fraction: Double

    package init(place: Coordinate, point: Coordinate, distance: Double, edge: Int, fraction: Double) {
        self.place = place
        self.point = point
        self.distance = distance
        self.edge = edge
        self.fraction = fraction
    }
}

/// A path through a graph, with its statistics.
package struct GraphPath: Sendable {
    /// The edges in the order of travel. The first and the last may be parts, those at a via point too.
    package var edges: [PathEdge]
    /// Indices into `edges` at which a piece after a via point begins, in order.
    package var viaEdges: [Int]
    /// Start, via points and end as they were snapped.
    package var stops: [SnappedPoint]
    /// The line with altitudes where they are known.
    package var coordinates: [Coordinate]
    /// Metres along the edges.
    package var distance: Double
    /// The cost profile's values.
    package var cost: Double
    /// Seconds, cost by the profile's speed.
    package var duration: Double
    /// Metres climbed along the line.
    package var gain: Double
    /// Metres descended along the line.
    package var loss: Double
    /// How many nodes the search settled.
    package var settled: Int
    /// The mode it is for.
    package var mode: TravelMode
    /// What is to be told of how its places were snapped.
    package var notices: [String] = []

    /// How many junctions are passed between the first edge and the last.
    package var nodeCount: Int { max(0, edges.count - 1 - viaEdges.count) }

    /// A path of no edges.
    static let empty = GraphPath(
        edges: [], viaEdges: [], stops: [], coordinates: [], distance: 0, cost: 0, duration: 0, gain: 0,
        loss: 0,
        settled: 0, mode: .hiking)
}
