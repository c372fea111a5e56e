import PluginKit
import Synchronization

/// Builds the graph of a network while its rows are written. The result equals the graph read from the
/// rows.
struct NetworkGraph: Sendable {
    private var arrays = GraphArrays()
    private var known: [KindRow: Int32] = [:]
    /// For each verdict the text of its further tags, and its kind; −1 until an edge uses it.
    private var tagsOfVerdict: [Int32] = []
    private var kindOfVerdict: [Int32] = []
    /// For each name of a way its text; −1 until an edge uses it.
    private var textOfName: [Int32] = []
    /// For each node of the network its index in the graph; −1 for nodes that are not junctions.
    private var place: [Int32] = []

    /// Adds the nodes, in the order of their ids as in the database.
    init(_ network: RegionNetwork, junctions: [Int32]) {
        let nodes = network.nodes
        place = [Int32](repeating: -1, count: nodes.ids.count)
        arrays.reserve(nodes: junctions.count, edges: network.edges.count)
        for node in Self.byID(junctions, nodes.ids) {
            place[Int(node)] = Int32(arrays.nodeID.count)
            arrays.nodeID.append(nodes.ids[Int(node)])
            arrays.latitude.append(nodes.latitude[Int(node)])
            arrays.longitude.append(nodes.longitude[Int(node)])
            arrays.elevation.append(nodes.elevation[Int(node)])
        }
        arrays.turns = network.turns
        arrays.areas = network.areas.map { StoredArea($0, nodes) }
        textOfName = [Int32](repeating: -1, count: network.ways.names.count)
        kindOfVerdict = [Int32](repeating: -1, count: network.ways.verdicts.count)
        _ = text("")
        tagsOfVerdict = network.ways.verdicts.map {
            text(TagText.text(($0.kind.tags ?? [:]).map { ($0.key, $0.value) }))
        }
        for trail in network.trails.sorted(by: { $0.id < $1.id }) {
            let (name, ref) = (text(trail.name), text(trail.ref))
            arrays.trails.append(
                TrailRow(
                    id: trail.id, name: name, ref: ref, network: text(trail.network),
                    symbol: text(trail.symbol)))
        }
    }

    /// Nodes are in the order of their ids, except for copies at the end, whose ids are usually below all
    /// others.
    private static func byID(_ nodes: [Int32], _ ids: [Int64]) -> [Int32] {
        func isBelow(_ a: Int32, _ b: Int32) -> Bool { ids[Int(a)] < ids[Int(b)] }
        let end = zip(nodes, nodes.dropFirst()).enumerated().first { !isBelow($1.0, $1.1) }
        guard let end else { return nodes }
        let copies = nodes[(end.offset + 1)...].sorted(by: isBelow)
        guard let last = copies.last, isBelow(last, nodes[0]) else { return nodes.sorted(by: isBelow) }
        return copies + nodes[...end.offset]
    }

    /// The stored data of an edge, except that of its way.
    struct Edge {
        var id: Int64
        var measures: EdgeMeasures
        var cost: Double
        var reverseCost: Double
        /// The ids of the trails along it.
        var trails: String?
    }

    mutating func add(_ edge: Edge, _ line: ArraySlice<Int32>, _ way: WayTable.Way, _ network: RegionNetwork)
    {
        guard let first = line.first, let last = line.last else { return }
        arrays.source.append(place[Int(first)])
        arrays.target.append(place[Int(last)])
        arrays.edgeID.append(edge.id)
        arrays.wayID.append(way.id)
        arrays.distance.append(Float(edge.measures.distance))
        arrays.gain.append(Float(edge.measures.gain))
        arrays.loss.append(Float(edge.measures.loss))
        arrays.cost.append(edge.cost)
        arrays.reverseCost.append(edge.reverseCost)
        arrays.name.append(name(way.name, network))
        arrays.kind.append(kind(way.verdict, network))
        arrays.trailSet.append(text(edge.trails))
        let nodes = network.nodes
        for node in line.dropFirst().dropLast() {
            arrays.points.append(
                GraphPoint(
                    latitude: Float(nodes.latitude[Int(node)]), longitude: Float(nodes.longitude[Int(node)]),
                    elevation: nodes.elevation[Int(node)]))
        }
        arrays.firstPoint.append(Int32(arrays.points.count))
    }

    private mutating func name(_ name: Int32, _ network: RegionNetwork) -> Int32 {
        guard name >= 0 else { return -1 }
        let known = textOfName[Int(name)]
        guard known < 0 else { return known }
        let made = network.ways.names.withText(name) { arrays.texts.index(of: UnsafeRawBufferPointer($0)) }
        textOfName[Int(name)] = made
        return made
    }

    private mutating func kind(_ verdict: Int32, _ network: RegionNetwork) -> Int32 {
        let number = kindOfVerdict[Int(verdict)]
        guard number < 0 else { return number }
        let kind = network.ways.verdicts[Int(verdict)].kind
        let (highway, surface) = (text(kind.highway), text(kind.surface))
        let row = KindRow(
            highway: highway, surface: surface, sacScale: text(kind.sacScale),
            trailVisibility: text(kind.trailVisibility), isOneway: kind.isOneway ? 1 : 0,
            flags: kind.flags.rawValue, tags: tagsOfVerdict[Int(verdict)])
        let index = known[row] ?? Int32(arrays.kinds.count)
        if known[row] == nil {
            known[row] = index
            arrays.kinds.append(row)
        }
        kindOfVerdict[Int(verdict)] = index
        return index
    }

    private mutating func text(_ text: String?) -> Int32 { arrays.texts.index(of: text) }

    /// The collected arrays, with keys and values of the metadata in the order of the keys.
    consuming func finished(metadata: [(key: String, value: String)]) -> GraphArrays {
        arrays.metadata = metadata.flatMap { [$0.key, $0.value].map { $0.replacing("\0", with: "") } }
        return arrays
    }
}

/// Transfers a value to another thread.
final class SendingBox<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming sending Value) { self.value = Mutex(value) }

    /// The value on the first call, then `nil`.
    func take() -> Value? { value.withLock { $0.take() } }
}
