import Foundation
import Geodesy
import PluginKit

/// A graph under construction: plain arrays in the order of the database.
struct GraphArrays: Sendable {
    var nodeID: [Int64] = []
    var latitude: [Double] = []
    var longitude: [Double] = []
    var elevation: [Float] = []

    var source: [Int32] = []
    var target: [Int32] = []
    var edgeID: [Int64] = []
    var wayID: [Int64] = []
    var distance: [Float] = []
    var gain: [Float] = []
    var loss: [Float] = []
    var cost: [Double] = []
    var reverseCost: [Double] = []
    var kind: [Int32] = []
    var name: [Int32] = []
    var firstPoint: [Int32] = [0]
    var points: [GraphPoint] = []

    var texts = TextTable()
    var kinds: [KindRow] = []
    /// For each edge the text with the ids of the trails along it; −1 for none.
    var trailSet: [Int32] = []
    var trails: [TrailRow] = []
    var areas: [StoredArea] = []
    var turns: [TurnRestriction] = []
    /// Keys and values of `routing_metadata`.
    var metadata: [String] = []

    /// Reserves memory for all nodes and edges.
    mutating func reserve(nodes: Int, edges: Int) {
        nodeID.reserveCapacity(nodes)
        latitude.reserveCapacity(nodes)
        longitude.reserveCapacity(nodes)
        elevation.reserveCapacity(nodes)
        source.reserveCapacity(edges)
        target.reserveCapacity(edges)
        edgeID.reserveCapacity(edges)
        wayID.reserveCapacity(edges)
        distance.reserveCapacity(edges)
        gain.reserveCapacity(edges)
        loss.reserveCapacity(edges)
        cost.reserveCapacity(edges)
        reverseCost.reserveCapacity(edges)
        kind.reserveCapacity(edges)
        name.reserveCapacity(edges)
        trailSet.reserveCapacity(edges)
        firstPoint.reserveCapacity(edges + 1)
    }

    /// Builds the graph in memory; consumes the arrays, each as soon as it is no longer needed. `check`
    /// throws to cancel.
    mutating func graph(stamp: UInt64, check: () throws -> Void) rethrows -> RoutingGraph {
        var builder = try takeSections(check)
        return RoutingGraph(image: try builder.takeImage(stamp: stamp, check: check))
    }

    /// Builds the graph in a file; `nil` if the file cannot be written. The arrays are empty
    /// afterwards.
    mutating func mappedGraph(_ url: URL, check: () throws -> Void) throws -> RoutingGraph? {
        var builder = try takeSections(check)
        return try builder.takeMapped(url, check: check).map { RoutingGraph(image: $0) }
    }

    private mutating func takeSections(_ check: () throws -> Void) rethrows -> MemoryImage.Builder {
        let order = try hilbertOrder(check)
        var place = [Int32](repeating: 0, count: order.count)
        for (index, node) in order.enumerated() { place[Int(node)] = Int32(index) }
        typealias Tag = RoutingGraph.Tag
        let boxes = try edgeBoxes(check)
        let tree = try PackedTree.build(boxes, check)
        let around = extent
        var ground = areaSections()
        for index in ground.corners.indices where ground.corners[index].node >= 0 {
            ground.corners[index].node = place[Int(ground.corners[index].node)]
        }
        var builder = MemoryImage.Builder()
        builder.add(Tag.nodeID.rawValue, order.map { nodeID[Int($0)] })
        builder.add(Tag.latitude.rawValue, order.map { latitude[Int($0)] })
        builder.add(Tag.longitude.rawValue, order.map { longitude[Int($0)] })
        builder.add(Tag.space.rawValue, try space(order, check))
        builder.add(Tag.elevation.rawValue, order.map { elevation[Int($0)] })
        (nodeID, latitude, longitude, elevation) = ([], [], [], [])
        for edge in source.indices {
            source[edge] = place[Int(source[edge])]
            target[edge] = place[Int(target[edge])]
        }
        try check()
        let adjacency = Self.adjacency(nodes: order.count, source, target)
        builder.add(Tag.nodesByID.rawValue, place)
        builder.add(Tag.firstArc.rawValue, adjacency.first)
        builder.add(Tag.arcs.rawValue, adjacency.arcs)
        addEdges(&builder)
        builder.add(Tag.boxes.rawValue, tree.boxes)
        builder.add(Tag.boxItems.rawValue, tree.order)
        builder.add(
            Tag.limits.rawValue, around.map { [$0.south, $0.west, $0.north, $0.east] } ?? [])
        if !ground.rows.isEmpty {
            builder.add(Tag.areas.rawValue, ground.rows)
            builder.add(Tag.areaCorners.rawValue, ground.corners)
            builder.add(Tag.areaWays.rawValue, ground.ways)
        }
        if !turns.isEmpty {
            builder.add(Tag.turns.rawValue, Array(turns.map(\.line).joined(separator: "\n").utf8))
        }
        builder.add(Tag.metadata.rawValue, Array(metadata.joined(separator: "\0").utf8))
        self = GraphArrays()
        return builder
    }

    private var extent: BoundingBox? {
        BoundingBox(
            around: nodeID.indices.lazy.map {
                Coordinate(latitude: latitude[$0], longitude: longitude[$0])
            })
    }

    private func addEdges(_ builder: inout MemoryImage.Builder) {
        typealias Tag = RoutingGraph.Tag
        builder.add(Tag.source.rawValue, source)
        builder.add(Tag.target.rawValue, target)
        builder.add(Tag.edgeID.rawValue, edgeID)
        builder.add(Tag.wayID.rawValue, wayID)
        builder.add(Tag.distance.rawValue, distance)
        builder.add(Tag.gain.rawValue, gain)
        builder.add(Tag.loss.rawValue, loss)
        builder.add(Tag.cost.rawValue, cost)
        builder.add(Tag.reverseCost.rawValue, reverseCost)
        builder.add(Tag.kind.rawValue, kind)
        builder.add(Tag.name.rawValue, name)
        builder.add(Tag.firstPoint.rawValue, firstPoint)
        builder.add(Tag.points.rawValue, points)
        builder.add(Tag.texts.rawValue, texts.bytes)
        builder.add(Tag.textOffsets.rawValue, texts.offsets)
        builder.add(Tag.kinds.rawValue, kinds)
        builder.add(Tag.trailSet.rawValue, trailSet)
        if !trails.isEmpty { builder.add(Tag.trails.rawValue, trails) }
    }

    /// The nodes in order of a Hilbert curve; those of one cell by id.
    private func hilbertOrder(_ check: () throws -> Void) rethrows -> [Int32] {
        let (south, north) = (latitude.min() ?? 0, latitude.max() ?? 0)
        let (west, east) = (longitude.min() ?? 0, longitude.max() ?? 0)
        var keys = try nodeID.indices.map { index in
            if index % RoutingSettings.rowStep == 0 { try check() }
            return (
                key: Hilbert.key(
                    x: Hilbert.cell(longitude[index], from: west, to: east),
                    y: Hilbert.cell(latitude[index], from: south, to: north)),
                index: UInt32(index)
            )
        }
        try RadixSort.sort(&keys, check)
        return keys.map { Int32($0.index) }
    }

    private func space(_ order: [Int32], _ check: () throws -> Void) rethrows -> [Double] {
        var space: [Double] = []
        space.reserveCapacity(3 * order.count)
        let radius = GeodesySettings.earthRadius
        for (index, node) in order.enumerated() {
            if index % RoutingSettings.rowStep == 0 { try check() }
            let (lat, lon) = (latitude[Int(node)].radians, longitude[Int(node)].radians)
            let ring = cos(lat) * radius
            space.append(ring * cos(lon))
            space.append(ring * sin(lon))
            space.append(sin(lat) * radius)
        }
        return space
    }

    /// The arcs of each node in the order of the edges.
    private static func adjacency(nodes: Int, _ from: [Int32], _ to: [Int32]) -> (first: [Int32], arcs: [Arc])
    {
        var first = [Int32](repeating: 0, count: nodes + 1)
        for edge in from.indices {
            first[Int(from[edge]) + 1] += 1
            first[Int(to[edge]) + 1] += 1
        }
        for node in 0..<nodes { first[node + 1] += first[node] }
        var arcs = [Arc](repeating: Arc(head: 0, edgeAndDirection: 0), count: 2 * from.count)
        var next = first
        for edge in from.indices {
            let (a, b) = (Int(from[edge]), Int(to[edge]))
            arcs[Int(next[a])] = Arc(head: Int32(b), edgeAndDirection: Int32(2 * edge))
            next[a] += 1
            arcs[Int(next[b])] = Arc(head: Int32(a), edgeAndDirection: Int32(2 * edge + 1))
            next[b] += 1
        }
        return (first, arcs)
    }

    private func edgeBoxes(_ check: () throws -> Void) rethrows -> [IndexBox] {
        try source.indices.map { edge in
            if edge % RoutingSettings.rowStep == 0 { try check() }
            var box = IndexBox.empty
            // Over the 180th meridian the box goes on beyond 180°.
            let start = longitude[Int(source[edge])]
            func unwrapped(_ degrees: Double) -> Double { start + Angle.difference(from: start, to: degrees) }
            for node in [Int(source[edge]), Int(target[edge])] {
                box.include(latitude: latitude[node], longitude: unwrapped(longitude[node]))
            }
            for index in Int(firstPoint[edge])..<Int(firstPoint[edge + 1]) {
                box.include(
                    latitude: Double(points[index].latitude),
                    longitude: unwrapped(Double(points[index].longitude)))
            }
            return box
        }
    }
}
