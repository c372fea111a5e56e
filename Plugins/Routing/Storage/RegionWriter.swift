import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Writes a network as a routing graph.
struct RegionWriter {
    private var network: RegionNetwork
    private let progress: ProgressReporter
    /// The app's costs for each verdict.
    private let costs: [CostProfile.KindCost]
    /// The total length of edges in metres.
    private(set) var length = 0.0
    private(set) var nodeCount = 0
    /// A reused buffer for the points of an edge.
    private var points: [UInt32] = []
    /// The graph of the written network, if requested.
    private var graph: NetworkGraph?
    private let gathers: Bool

    /// Writes a new database to a path that does not exist; `rest` adds to it when the network is written
    /// and released. `gathered` receives the graph of the rows as soon as all are written, so that it need
    /// not be read back.
    static func write(
        _ network: inout RegionNetwork, metadata: [String: String], to url: URL, progress: ProgressReporter,
        gathered: ((consuming sending GraphArrays) -> Void)? = nil, rest: (Database) throws -> Void
    ) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // Otherwise building the indexes would continue after an interruption.
            StoreInterruption.watch(db.sqliteConnection)
            // The file is used only once it is complete and renamed, so no journal is needed.
            try db.execute(
                sql: """
                    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA cache_size = -\(RoutingSettings.writingCache)
                    """)
        }
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = 4096")
            try db.inTransaction {
                try db.execute(sql: RegionSchema.tables + RegionSchema.extras)
                var writer = RegionWriter(network: network, progress: progress, gathers: gathered != nil)
                network = RegionNetwork()
                try writer.writeNodes(db)
                try writer.writeKinds(db)
                try writer.writeTrails(db)
                try writer.writeEdges(db)
                try writer.writeAreas(db)
                try writer.writeTurns(db)
                let all = writer.all(metadata)
                if let gathered, let graph = writer.graph.take() { gathered(graph.finished(metadata: all)) }
                writer.network = RegionNetwork()
                try writeIndexes(db)
                try writer.write(all, db)
                try rest(db)
                return .commit
            }
        }
        try queue.close()
    }

    /// SQLite sorts as much at once as its cache holds, without a check for cancellation. A small cache makes it sort a
    /// piece of a few milliseconds at a time, and merge the pieces.
    private static func writeIndexes(_ db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = -\(RoutingSettings.sortingCache)")
        try db.execute(sql: RegionSchema.indexes)
        try db.execute(sql: "PRAGMA cache_size = -\(RoutingSettings.writingCache)")
    }

    private init(network: RegionNetwork, progress: ProgressReporter, gathers: Bool) {
        self.network = network
        self.gathers = gathers
        costs = network.ways.verdicts.map { CostProfile.appHiking.kindCost($0.kind) }
        self.progress = progress
    }

    private mutating func writeNodes(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertNode)
        let nodes = network.nodes
        let used = network.used
        var junctions: [Int32] = []
        for node in nodes.ids.indices where network.isJunction[node] && used[node] {
            if gathers { junctions.append(Int32(node)) }
            insert.bind(1, nodes.ids[node])
            insert.bind(2, nodes.latitude[node])
            insert.bind(3, nodes.longitude[node])
            insert.bind(4, Double(nodes.elevation[node]))
            try insert.run()
            nodeCount += 1
            if nodeCount % RoutingSettings.rowStep == 0 { try look("writing nodes", nodeCount, of: nil) }
        }
        if gathers { graph = NetworkGraph(network, junctions: junctions) }
    }

    private func writeKinds(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertKind)
        for (index, verdict) in network.ways.verdicts.enumerated() {
            insert.bind(1, Int64(index + 1))
            insert.bind(2, TagText.text((verdict.kind.tags ?? [:]).map { ($0.key, $0.value) }))
            try insert.run()
        }
    }

    private func writeTrails(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertTrail)
        for trail in network.trails {
            insert.bind(1, trail.id)
            insert.bind(2, trail.name)
            insert.bind(3, trail.ref)
            insert.bind(4, trail.network)
            insert.bind(5, trail.symbol)
            try insert.run()
        }
    }

    private func writeAreas(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertArea)
        for shape in network.areas {
            try Interruption.check()
            let area = StoredArea(shape, network.nodes)
            area.wayBytes.withUnsafeBytes { insert.bind(1, bytes: $0) }
            area.bytes.withUnsafeBytes { insert.bind(2, bytes: $0) }
            try insert.run()
        }
    }

    private func writeTurns(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertTurn)
        for restriction in network.turns {
            insert.bind(1, restriction.relation)
            insert.bind(2, restriction.line)
            try insert.run()
        }
    }

    private mutating func writeEdges(_ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertEdge)
        let extra = try RawStatement(db, RegionSchema.insertExtra)
        for (index, edge) in network.edges.enumerated() {
            let id = Int64(index + 1)
            let way = network.ways.ways[Int(edge.way)]
            let trails = self.trails(along: way)
            try write(edge, id: id, way, trails, insert)
            try writeExtra(edge, id: id, way, trails, extra)
            if index % RoutingSettings.rowStep == 0 {
                try look("writing edges", index, of: network.edges.count)
            }
        }
    }

    /// The ids of the trails along a way, in their stored form.
    private func trails(along way: WayTable.Way) -> String? {
        guard way.id != 0, let trails = network.trailsOfWay[way.id] else { return nil }
        return trails.map { "\(network.trails[Int($0)].id)" }.joined(separator: " ")
    }

    private mutating func write(
        _ edge: RegionNetwork.Edge, id: Int64, _ way: WayTable.Way, _ trails: String?, _ insert: RawStatement
    ) throws {
        let line = network.line[edge.line]
        guard let first = line.first, let last = line.last else { return }
        let verdict = network.ways.verdicts[Int(way.verdict)]
        let measures = EdgeMeasures(line, network.nodes)
        length += measures.distance
        let profile = CostProfile.appHiking
        let cost = costs[Int(way.verdict)]
        let there = profile.storedCost(
            distance: measures.distance, gain: measures.gain, loss: measures.loss, cost)
        let back = profile.storedCost(
            distance: measures.distance, gain: measures.loss, loss: measures.gain, cost)
        insert.bind(1, id)
        insert.bind(2, network.nodes.ids[Int(first)])
        insert.bind(3, network.nodes.ids[Int(last)])
        insert.bind(4, measures.distance)
        insert.bind(5, measures.gain)
        insert.bind(6, measures.loss)
        insert.bind(7, verdict.kind.surface)
        insert.bind(8, verdict.kind.highway)
        insert.bind(9, verdict.kind.sacScale)
        insert.bind(10, verdict.kind.trailVisibility)
        if way.name < 0 {
            insert.bindNull(11)
        } else {
            network.ways.names.withText(way.name) { insert.bind(11, utf8: $0) }
        }
        insert.bind(12, way.id)
        let stored = NetworkGraph.Edge(
            id: id, measures: measures, cost: verdict.walksForward ? there : .infinity,
            reverseCost: verdict.walksBackward ? back : .infinity, trails: trails)
        graph?.add(stored, line, way, network)
        insert.bind(13, stored.cost)
        insert.bind(14, stored.reverseCost)
        insert.bind(15, verdict.kind.isOneway ? Int64(1) : 0)
        points.removeAll(keepingCapacity: true)
        for node in line.dropFirst().dropLast() {
            points.append(Float(network.nodes.latitude[Int(node)]).bitPattern.littleEndian)
            points.append(Float(network.nodes.longitude[Int(node)]).bitPattern.littleEndian)
        }
        points.withUnsafeBytes { insert.bind(16, bytes: $0) }
        try insert.run()
    }

    private func writeExtra(
        _ edge: RegionNetwork.Edge, id: Int64, _ way: WayTable.Way, _ trails: String?, _ insert: RawStatement
    ) throws {
        let flags = network.ways.verdicts[Int(way.verdict)].kind.flags.rawValue
        let heights = network.line[edge.line].dropFirst().dropLast().map { network.nodes.elevation[Int($0)] }
        let areKnown = heights.contains { !$0.isNaN }
        let isPlain = network.ways.verdicts[Int(way.verdict)].kind.tags?.isEmpty ?? true
        guard flags != 0 || areKnown || !isPlain || trails != nil else { return }
        insert.bind(4, Int64(way.verdict) + 1)
        insert.bind(5, trails)
        insert.bind(1, id)
        insert.bind(2, Int64(flags))
        if areKnown {
            heights.map(\.bitPattern.littleEndian).withUnsafeBytes { insert.bind(3, bytes: $0) }
        } else {
            insert.bindNull(3)
        }
        try insert.run()
    }

    /// The metadata of the whole network, in the order of the keys.
    private func all(_ metadata: [String: String]) -> [(key: String, value: String)] {
        var all = metadata
        all[RegionMetadata.format] = RegionMetadata.currentFormat
        all[RegionMetadata.nodes] = "\(nodeCount)"
        all[RegionMetadata.edges] = "\(network.edges.count)"
        all[RegionMetadata.length] = "\(Int(length.rounded()))"
        return all.sorted { $0.key < $1.key }
    }

    private func write(_ metadata: [(key: String, value: String)], _ db: Database) throws {
        let insert = try RawStatement(db, RegionSchema.insertMetadata)
        for (key, value) in metadata {
            insert.bind(1, key)
            insert.bind(2, value)
            try insert.run()
        }
    }

    private func look(_ label: String, _ done: Int, of total: Int?) throws {
        try Interruption.check()
        progress.report(label, done: done, of: total)
    }
}

/// The length and climb of an edge along all of its points.
struct EdgeMeasures {
    private(set) var distance = 0.0
    private(set) var gain = 0.0
    private(set) var loss = 0.0

    init(_ line: some Sequence<Int32>, _ nodes: NodeTable) {
        var climb = ClimbMeter()
        var last: Coordinate?
        for node in line {
            let place = nodes.coordinate(node)
            if let last { distance += last.distance(to: place) }
            climb.add(Double(nodes.elevation[Int(node)]))
            last = place
        }
        (gain, loss) = climb.sums
    }
}
