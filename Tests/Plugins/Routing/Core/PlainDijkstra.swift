import Foundation
import GRDB

@testable import RoutingPlugin

/// Dijkstra's algorithm straight over a written database, on dictionaries. It shares no code with the plugin: the
/// costs are worked out here from the rows, after the page's tables.
struct PlainDijkstra {
    struct Edge {
        var id: Int64
        var from: Int64
        var to: Int64
        var there: Double
        var back: Double
    }

    private(set) var edges: [Int64: Edge] = [:]
    private(set) var nodes: [Int64] = []
    private var around: [Int64: [(to: Int64, cost: Double)]] = [:]

    init(_ database: URL, cycling: Bool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: database.path, configuration: configuration)
        try queue.read { db in
            nodes = try Int64.fetchAll(db, sql: "SELECT id FROM routing_nodes ORDER BY id")
            let closed = try Set(Int64.fetchAll(db, sql: "SELECT edge_id FROM rutter_edges WHERE flags & 1"))
            for row in try Row.fetchAll(db, sql: "SELECT * FROM routing_edges") {
                let id: Int64 = row["id"]
                var edge = Edge(
                    id: id, from: row["from_node"], to: row["to_node"], there: row["cost"],
                    back: row["reverse_cost"])
                if cycling { (edge.there, edge.back) = Self.cycling(row, isClosed: closed.contains(id)) }
                edges[id] = edge
                if edge.there.isFinite { around[edge.from, default: []].append((edge.to, edge.there)) }
                if edge.back.isFinite { around[edge.to, default: []].append((edge.from, edge.back)) }
            }
        }
    }

    private static func cycling(_ row: Row, isClosed: Bool) -> (Double, Double) {
        let highway: String? = row["highway_type"]
        if highway == "steps" || isClosed { return (.infinity, .infinity) }
        let factor: Double =
            switch row["surface"] as String? {
            case "paved", "asphalt", "concrete": 1.0
            case "compacted", "wood": 1.2
            case "fine_gravel": 1.3
            case "gravel": 1.5
            case "pebblestone", "ground", "dirt", "earth": 2.0
            case "rock": 2.5
            case "grass", "sand": 3.0
            case "mud": 4.0
            default: 1.5
            }
        let (distance, gain, loss): (Double, Double, Double) = (
            row["distance"], row["elevation_gain"], row["elevation_loss"]
        )
        let isOneway: Bool = row["is_oneway"]
        return (distance * factor + gain * 12, isOneway ? .infinity : distance * factor + loss * 12)
    }

    /// The cost from some nodes with a cost of their own to every node that can be reached.
    func costs(from starts: [(node: Int64, cost: Double)]) -> [Int64: Double] {
        var best: [Int64: Double] = [:]
        var settled: [Int64: Double] = [:]
        var waiting: [(cost: Double, node: Int64)] = []
        func push(_ node: Int64, _ cost: Double) {
            guard cost < best[node] ?? .infinity else { return }
            best[node] = cost
            waiting.append((cost, node))
            var child = waiting.count - 1
            while child > 0, waiting[child].cost < waiting[(child - 1) / 2].cost {
                waiting.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        }
        func pop() -> (cost: Double, node: Int64) {
            waiting.swapAt(0, waiting.count - 1)
            let least = waiting.removeLast()
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < waiting.count && waiting[child].cost < waiting[least].cost { least = child }
                guard least != parent else { break }
                waiting.swapAt(parent, least)
                parent = least
            }
            return least
        }
        for start in starts { push(start.node, start.cost) }
        while !waiting.isEmpty {
            let (cost, node) = pop()
            guard settled[node] == nil else { continue }
            settled[node] = cost
            for (head, step) in around[node] ?? [] { push(head, cost + step) }
        }
        return settled
    }
}
