import Geodesy
import PluginKit

/// A travelled part of an edge.
package struct PathEdge: Sendable, Hashable {
    /// The edge by its index in the graph.
    package var edge: Int
    /// Whether it is travelled against its stored direction.
    package var isReversed: Bool
    /// The start, as a share of the edge's length in the direction of travel, 0…1.
    package var enter: Double
    /// The end, not before `enter`.
    var leave: Double
    /// The line over the area that the edge is part of, which is travelled instead of the edge.
    var walk: AreaWalk?

    package init(edge: Int, isReversed: Bool, enter: Double = 0, leave: Double = 1) {
        self.edge = edge
        self.isReversed = isReversed
        self.enter = enter
        self.leave = leave
    }

    /// A line over the area that an edge is part of.
    init(edge: Int, walk: AreaWalk) {
        self.init(edge: edge, isReversed: false)
        self.walk = walk
    }

    /// The travelled share of the edge.
    package var share: Double { leave - enter }
    /// The start as a share of the edge in its stored direction.
    var storedEnter: Double { isReversed ? 1 - enter : enter }
    /// The end as a share of the edge in its stored direction.
    var storedLeave: Double { isReversed ? 1 - leave : leave }
}

/// A point on the network: the nearest point of the nearest edge.
package struct SnappedPoint: Sendable, Hashable {
    /// The requested coordinate.
    package var coordinate: Coordinate
    /// The nearest point on the network.
    package var point: Coordinate
    /// Metres between the two.
    package var distance: Double
    /// The edge by its index in the graph.
    package var edge: Int
    /// The position on the edge, as a share of its length in its stored direction, 0…1.
    package var fraction: Double
    /// The area that the point is in: one leaves it over the area, not along the edge.
    package var area: AreaStart?

    package init(coordinate: Coordinate, point: Coordinate, distance: Double, edge: Int, fraction: Double) {
        self.coordinate = coordinate
        self.point = point
        self.distance = distance
        self.edge = edge
        self.fraction = fraction
    }
}

/// A path through a graph, with its statistics.
package struct GraphPath: Sendable {
    /// The edges in the order of travel. The first and the last may be partial, those at via points too.
    package var edges: [PathEdge]
    /// Indices into `edges` at which a part after a via point begins, in order.
    var viaEdges: [Int]
    /// Start, via points and end as snapped.
    package var stops: [SnappedPoint]
    /// The line with altitudes where known.
    package var coordinates: [Coordinate]
    /// Metres along the edges.
    package var distance: Double
    /// The cost by the profile, in equivalent metres of easy way.
    package var cost: Double
    /// Seconds, from cost and the profile's speed.
    package var duration: Double
    /// Metres climbed along the line.
    var gain: Double
    /// Metres descended along the line.
    var loss: Double
    /// The number of nodes that the search settled.
    package var settled: Int
    /// Its mode of travel.
    package var mode: TravelMode
    /// Notices about the snapping of its coordinates.
    package var notices: [String] = []

    /// The edges that are travelled, by their index; without those of areas that are walked across.
    var wayEdges: [Int] { edges.filter { $0.walk == nil }.map(\.edge) }

    /// The number of junctions between the first edge and the last.
    package var nodeCount: Int { max(0, edges.count - 1 - viaEdges.count) }

    /// An empty path.
    static let empty = GraphPath(
        edges: [], viaEdges: [], stops: [], coordinates: [], distance: 0, cost: 0, duration: 0, gain: 0,
        loss: 0,
        settled: 0, mode: .hiking)
}
