import Foundation
import GRDB

@testable import RoutingPlugin

/// Dijkstra's algorithm directly over a written database, with dictionaries. It shares no code with the
/// plugin: the costs are computed here from the rows, by the tables of the README.
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
            let tags = try Dictionary(
                uniqueKeysWithValues: Row.fetchAll(
                    db,
                    sql: "SELECT e.edge_id, k.tags FROM rutter_edges e JOIN rutter_kinds k ON k.id = e.kind"
                ).map { ($0[0] as Int64, Self.tags($0[1])) })
            for row in try Row.fetchAll(db, sql: "SELECT * FROM routing_edges") {
                let id: Int64 = row["id"]
                var edge = Edge(
                    id: id, from: row["from_node"], to: row["to_node"], there: row["cost"],
                    back: row["reverse_cost"])
                if cycling { (edge.there, edge.back) = Self.cycling(row, tags: tags[id] ?? [:]) }
                edges[id] = edge
                if edge.there.isFinite { around[edge.from, default: []].append((edge.to, edge.there)) }
                if edge.back.isFinite { around[edge.to, default: []].append((edge.from, edge.back)) }
            }
        }
    }

    private static func tags(_ text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }, uniquingKeysWith: { $1 })
    }

    /// How many times as long a way counts for a cyclist; infinite where closed. After the README's section on access.
    private static func access(_ tags: [String: String], _ highway: String) -> Double {
        let closed: Set<String> = [
            "no", "private", "military", "forestry", "agricultural", "customers", "permit", "delivery",
            "residents", "emergency", "employees", "staff",
        ]
        let open: Set<String> = [
            "yes", "designated", "permissive", "official", "public", "optional_sidepath",
        ]
        let conditions = ["bicycle:conditional", "vehicle:conditional", "access:conditional"]
        let always = isAlwaysThere(tags) ? 1.0 : 2
        if let value = tags["bicycle"] ?? tags["vehicle"] {
            if closed.contains(value) { return .infinity }
            return !open.contains(value) || tags[conditions[0]] != nil ? 2 : always
        }
        let pushes = ["footway", "pedestrian"].contains(highway)
        if tags["motorroad"] == "yes" || tags["locked"] == "yes" || tags["military"] != nil {
            return .infinity
        }
        if let value = tags["access"] {
            if closed.contains(value) { return .infinity }
            if !open.contains(value) { return 2 }
            return always
        }
        if pushes { return 2 }
        return conditions.contains { tags[$0] != nil } ? 2 : always
    }

    /// Whether nothing says that a way is there at some times only, or without a known direction.
    private static func isAlwaysThere(_ tags: [String: String]) -> Bool {
        let absences = ["tidal", "ice_road", "winter_road", "seasonal"].filter { (tags[$0] ?? "no") != "no" }
        let hours = tags["opening_hours"] ?? "24/7"
        let belt = tags["conveying"] ?? "no"
        let neglect = [
            "abandoned", "disused", "construction", "overgrown", "obstacle", "impassable",
            "abandoned:highway", "disused:highway", "construction:highway", "demolished:highway",
            "razed:highway", "removed:highway", "destroyed:highway", "locked",
        ].filter { (tags[$0] ?? "no") != "no" }
        // A key for both directions overrides the more general ones.
        let keys = ["bicycle", "vehicle", "access"]
        let relevant = keys.prefix((keys.firstIndex { tags[$0] != nil } ?? keys.count) + 1)
        let directions = relevant.flatMap { ["\($0):forward:conditional", "\($0):backward:conditional"] }
        let timed =
            (directions + ["oneway:conditional", "oneway:bicycle:conditional", "locked:conditional"])
            .filter { tags[$0] != nil }
        return absences.isEmpty && hours == "24/7" && ["no", "forward", "backward"].contains(belt)
            && neglect.isEmpty && timed.isEmpty
    }

    /// How many times as long a rough way counts; infinite where closed.
    private static func roughness(_ tags: [String: String]) -> Double {
        if tags["ladder"] == "yes" { return .infinity }
        let smoothness: Double =
            switch tags["smoothness"] {
            case "impassable": .infinity
            case "horrible", "very_horrible": 2
            default: 1
            }
        let scale: Double =
            switch tags["mtb:scale"] {
            case nil, "0", "0+", "0-": 1
            case "1", "1+", "1-": 1.5
            case "2", "2+", "2-": 3
            case .some(let text) where "3456".contains(text.prefix(1)) && text.count < 3: .infinity
            default: 2
            }
        return smoothness * scale
    }

    /// The cost of a ford, of any length.
    private static func ford(_ tags: [String: String]) -> Double {
        switch tags["ford"] {
        case nil, "no": 0
        case "boat": .infinity
        case "stepping_stones": 20 * 4.17
        default: 60 * 4.17
        }
    }

    private static func cycling(_ row: Row, tags: [String: String]) -> (Double, Double) {
        let highway: String? = row["highway_type"]
        let access = access(tags, highway ?? "") * roughness(tags)
        let ford = ford(tags)
        if highway == "steps" || access == .infinity || ford == .infinity { return (.infinity, .infinity) }
        let hard: Set<String> = [
            "demanding_mountain_hiking", "alpine_hiking", "demanding_alpine_hiking",
            "difficult_alpine_hiking",
        ]
        if let grade: String = row["sac_scale"], hard.contains(grade) { return (.infinity, .infinity) }
        if tags["via_ferrata_scale"] != nil { return (.infinity, .infinity) }
        if let barrier = tags["barrier"] {
            let lifted: Set<String> = [
                "stile", "kissing_gate", "turnstile", "full-height_turnstile", "horse_stile", "log",
                "squeeze",
            ]
            let solid: Set<String> = [
                "fence", "wall", "hedge", "city_wall", "guard_rail", "ditch", "retaining_wall",
                "cable_barrier",
            ]
            let hasGap = tags["bicycle"] != nil || tags["access"] != nil
            return lifted.contains(barrier) || solid.contains(barrier) && !hasGap
                ? (.infinity, .infinity) : (ford, ford)
        }
        if highway == "ferry" {
            let cost = (row["distance"] as Double) * 4.17 / 4.2 * access
            return (cost, row["is_oneway"] ? .infinity : cost)
        }
        if highway == "elevator" { return (60 * 4.17, 60 * 4.17) }
        let factor: Double =
            switch (tags["bicycle"] ?? (highway == "footway" || highway == "pedestrian" ? "dismount" : "")) {
            case "dismount": 4.17 / 1.33
            default: surface(row["surface"])
            }
        let (distance, gain, loss): (Double, Double, Double) = (
            row["distance"], row["elevation_gain"], row["elevation_loss"]
        )
        let isOneway: Bool = row["is_oneway"]
        let flat = distance * factor * access + ford
        return (flat + gain * 12, isOneway ? .infinity : flat + loss * 12)
    }

    /// Of several surfaces the worst; one that is not known makes all unknown.
    private static func surface(_ names: String?) -> Double {
        let factors = (names ?? "").split(separator: ";").map { one($0.trimmingPrefix(" ").description) }
        return factors.contains(nil) ? 1.5 : factors.compactMap(\.self).max() ?? 1.5
    }

    private static func one(_ name: String) -> Double? {
        switch name {
        case "paved", "asphalt", "concrete", "concrete:plates", "chipseal", "tartan", "rubber", "acrylic",
            "plastic":
            1.0
        case "paving_stones", "concrete:lanes", "bricks", "brick", "metal": 1.1
        case "compacted", "wood": 1.2
        case "fine_gravel", "metal_grid", "sett", "cobblestone:flattened", "carpet": 1.3
        case "gravel", "artificial_turf", "unpaved": 1.5
        case "cobblestone": 1.6
        case "pebblestone", "ground", "dirt", "earth", "unhewn_cobblestone", "grass_paver", "clay", "stone":
            2.0
        case "rock", "woodchips": 2.5
        case "grass", "sand": 3.0
        case "mud": 4.0
        default: nil
        }
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
