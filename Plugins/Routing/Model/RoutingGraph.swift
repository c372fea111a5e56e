import Core
import Geodesy
import Synchronization

/// An edge out of a node: the node at its other end, and the edge with its direction.
package struct Arc: BitwiseCopyable, Sendable {
    /// The node it leads to.
    package var head: Int32
    /// Twice the edge's index, plus one when the arc runs against the edge's stored direction.
    package var edgeAndDirection: Int32

    package var edge: Int { Int(edgeAndDirection >> 1) }
    package var isReversed: Bool { edgeAndDirection & 1 == 1 }
}

/// A point between the ends of an edge, as stored in the database, with its height.
package struct GraphPoint: BitwiseCopyable, Sendable {
    package var latitude: Float
    package var longitude: Float
    /// Metres; NaN where unknown.
    package var elevation: Float
}

extension GraphPoint {
    var coordinate: Coordinate {
        Coordinate(
            latitude: Double(latitude), longitude: Double(longitude), altitude: elevation.knownHeight)
    }
}

extension Float {
    /// The height in metres; `nil` if unknown.
    var knownHeight: Double? { isNaN ? nil : Double(self) }
}

/// A region's network in memory: compact arrays, nodes and edges by index.
///
/// Nodes are in the order of a space-filling curve, so that neighbours are close in memory. Edges keep the
/// order of the database. Each edge is an arc at both of its ends, whatever directions are allowed.
package final class RoutingGraph: Sendable {
    /// The sections of the image.
    enum Tag: UInt32 {
        case nodeID = 1, latitude, longitude, space, elevation, firstArc, arcs, nodesByID
        case source = 20, target, edgeID, wayID, distance, gain, loss, cost, reverseCost, kind, name
        case firstPoint, points
        case texts = 40, textOffsets, kinds, trailSet, trails
        case boxes = 50, boxItems
        case limits = 60, metadata
        case areas = 70, areaCorners, areaWays
        case turns = 80
    }

    package let image: MemoryImage
    /// OSM ids.
    let nodeID: Column<Int64>
    package let latitude: Column<Double>
    package let longitude: Column<Double>
    /// Geocentric coordinates in metres, for straight-line distances without trigonometry.
    package let space: Column<Double>
    /// Metres; NaN where unknown.
    package let elevation: Column<Float>
    /// The start of each node's arcs in `arcs`; one more than there are nodes.
    package let firstArc: Column<Int32>
    package let arcs: Column<Arc>
    let nodesByID: Column<Int32>

    package let source: Column<Int32>
    package let target: Column<Int32>
    /// Row ids.
    let edgeID: Column<Int64>
    /// OSM ids; 0 if unknown.
    package let wayID: Column<Int64>
    package let distance: Column<Float>
    let gain: Column<Float>
    let loss: Column<Float>
    /// The stored costs of hiking from → to, and back.
    package let cost: Column<Double>
    let reverseCost: Column<Double>
    package let kind: Column<Int32>
    let nameIndex: Column<Int32>
    let firstPoint: Column<Int32>
    package let points: Column<GraphPoint>
    /// For each edge the text with the ids of the trails along it; −1 for none.
    let trailSet: Column<Int32>
    let trailRows: Column<TrailRow>
    /// The areas that are walked across, their corners, and the OSM ids of their ways.
    let areas: Column<CrossedAreaRow>
    let areaCorners: Column<CrossedAreaCorner>
    let areaWays: Column<Int64>
    let boxes: Column<IndexBox>
    let boxItems: Column<Int32>

    /// South, west, north and east of all nodes; empty without any.
    let limits: Column<Double>
    private let metadataText: Column<UInt8>
    private let turnText: Column<UInt8>
    private let knownTurns = Mutex<(moment: LocalMoment?, turns: TurnRestrictions?)?>(nil)
    private let kindRows: Column<KindRow>
    private let knownKinds = Mutex<[Int: EdgeKind]>([:])
    let texts: ImageTexts

    package var nodeCount: Int { nodeID.count }
    package var edgeCount: Int { source.count }

    /// The graph in an image.
    init(image: MemoryImage) {
        func column<T: BitwiseCopyable>(_ tag: Tag, _ type: T.Type) -> Column<T> {
            image.column(tag.rawValue, as: type)
        }
        self.image = image
        nodeID = column(.nodeID, Int64.self)
        latitude = column(.latitude, Double.self)
        longitude = column(.longitude, Double.self)
        space = column(.space, Double.self)
        elevation = column(.elevation, Float.self)
        firstArc = column(.firstArc, Int32.self)
        arcs = column(.arcs, Arc.self)
        nodesByID = column(.nodesByID, Int32.self)
        source = column(.source, Int32.self)
        target = column(.target, Int32.self)
        edgeID = column(.edgeID, Int64.self)
        wayID = column(.wayID, Int64.self)
        distance = column(.distance, Float.self)
        gain = column(.gain, Float.self)
        loss = column(.loss, Float.self)
        cost = column(.cost, Double.self)
        reverseCost = column(.reverseCost, Double.self)
        kind = column(.kind, Int32.self)
        nameIndex = column(.name, Int32.self)
        firstPoint = column(.firstPoint, Int32.self)
        points = column(.points, GraphPoint.self)
        trailSet = column(.trailSet, Int32.self)
        trailRows = column(.trails, TrailRow.self)
        areas = column(.areas, CrossedAreaRow.self)
        areaCorners = column(.areaCorners, CrossedAreaCorner.self)
        areaWays = column(.areaWays, Int64.self)
        boxes = column(.boxes, IndexBox.self)
        boxItems = column(.boxItems, Int32.self)
        texts = ImageTexts(bytes: column(.texts, UInt8.self), offsets: column(.textOffsets, Int32.self))
        kindRows = column(.kinds, KindRow.self)
        limits = column(.limits, Double.self)
        metadataText = column(.metadata, UInt8.self)
        turnText = column(.turns, UInt8.self)
    }
}

/// A kind of edge as stored in an image: texts by index.
struct KindRow: BitwiseCopyable, Hashable, Sendable {
    var highway: Int32
    var surface: Int32
    var sacScale: Int32
    var trailVisibility: Int32
    var isOneway: Int32
    var flags: Int32
    /// The text of the further tags; −1 if unknown.
    var tags: Int32

    func kind(_ text: (Int32) -> String?) -> EdgeKind {
        EdgeKind(
            highway: text(highway), surface: text(surface), sacScale: text(sacScale),
            trailVisibility: text(trailVisibility), isOneway: isOneway != 0,
            flags: EdgeKind.Flags(rawValue: flags), tags: text(tags).map(TagText.tags))
    }
}

/// A marked trail as stored in an image: texts by index.
struct TrailRow: BitwiseCopyable, Hashable, Sendable {
    var id: Int64
    var name: Int32
    var ref: Int32
    var network: Int32
    var symbol: Int32
}

// MARK: Looking at nodes and edges

extension RoutingGraph {
    /// The coordinate of a node, with its altitude if known.
    package func coordinate(of node: Int) -> Coordinate {
        Coordinate(
            latitude: latitude[node], longitude: longitude[node], altitude: elevation[node].knownHeight)
    }

    /// The node of an OSM id.
    package func node(id: Int64) -> Int? {
        let index = (0..<nodesByID.count).partitionIndex { nodeID[nodesByID[$0]] >= id }
        guard index < nodesByID.count, nodeID[nodesByID[index]] == id else { return nil }
        return Int(nodesByID[index])
    }

    /// The arcs of a node by their index in `arcs`.
    @inline(__always)
    func arcRange(of node: Int) -> Range<Int> { firstArc.part(node) }

    /// Whether an edge's way has a name.
    func hasName(_ edge: Int) -> Bool { nameIndex[edge] >= 0 }

    /// The name of an edge's way.
    package func name(of edge: Int) -> String? { texts[nameIndex[edge]] }

    /// The marked trails of the region, by their ids.
    var trails: [Trail] {
        trailRows.buffer.map { row in
            Trail(
                id: row.id, name: texts[row.name], ref: texts[row.ref], network: texts[row.network],
                symbol: texts[row.symbol])
        }
    }

    /// The ids of the trails along an edge, the most important first.
    func trailIDs(of edge: Int) -> [Int64] {
        guard trailSet.count > edge else { return [] }
        let text = texts[trailSet[edge]] ?? ""
        return text.split(separator: " ").compactMap { Int64($0) }
    }

    /// The kind of an edge.
    package func kind(of edge: Int) -> EdgeKind { kind(number: Int(kind[edge])) }

    /// The flags of an edge, without its tags.
    func flags(of edge: Int) -> EdgeKind.Flags { EdgeKind.Flags(rawValue: kindRows[Int(kind[edge])].flags) }

    /// The number of kinds.
    var kindCount: Int { kindRows.count }

    /// The kinds of edges; an edge's `kind` is an index into it.
    var kinds: [EdgeKind] { (0..<kindCount).map(kind(number:)) }

    /// A kind by its number; its texts are read on first use.
    private func kind(number: Int) -> EdgeKind {
        if let known = knownKinds.withLock({ $0[number] }) { return known }
        let kind = kindRows[number].kind { texts[$0] }
        knownKinds.withLock { $0[number] = kind }
        return kind
    }

    /// The rows of `routing_metadata`, which are also in the graph's file.
    package var metadata: [String: String] {
        let words = String(decoding: metadataText.buffer, as: UTF8.self).split(
            separator: "\0", omittingEmptySubsequences: false)
        return Dictionary(
            stride(from: 0, to: words.count - 1, by: 2).map { (String(words[$0]), String(words[$0 + 1])) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The turn restrictions that bind bicycles.
    var turnRestrictions: [TurnRestriction] {
        String(decoding: turnText.buffer, as: UTF8.self).split(separator: "\n").compactMap(
            TurnRestriction.init(line:))
    }

    /// The turns that bicycles must not take at a time; `nil` for none.
    func turns(at moment: LocalMoment?) -> TurnRestrictions? {
        guard turnText.count > 0 else { return nil }
        return knownTurns.withLock { known in
            if let known, known.moment == moment { return known.turns }
            let made = TurnRestrictions(self, at: moment)
            known = (moment, made)
            return made
        }
    }

    /// The line of an edge with both ends, from → to, or to → from when reversed.
    package func line(of edge: Int, isReversed: Bool = false) -> [Coordinate] {
        var line = [coordinate(of: Int(source[edge]))]
        for index in firstPoint.part(edge) { line.append(points[index].coordinate) }
        line.append(coordinate(of: Int(target[edge])))
        return isReversed ? line.reversed() : line
    }

    /// The box around all nodes; `nil` for an empty graph.
    var bounds: BoundingBox? {
        guard limits.count == 4 else { return nil }
        return BoundingBox(south: limits[0], west: limits[1], north: limits[2], east: limits[3])
    }
}

extension Column<Int32> {
    /// The elements of a section that belong to an index, by an array of offsets.
    @inline(__always)
    func part(_ index: Int) -> Range<Int> {
        let start = Int(self[index])
        return start..<Swift.max(start, Int(self[index + 1]))
    }
}
