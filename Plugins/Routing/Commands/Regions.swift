import Foundation
import Geodesy
import PluginKit

/// `region list`
struct ListRegions: CommandProvider {
    let regions: RegionChoice
    private static let columns = ["name", "nodes", "edges", "length", "source", "box"]

    var name: String { "region list" }

    var command: Command {
        Command(
            name, "list regions",
            details:
                "Lists the workspace's regions, or the one in use. Unreadable regions are listed with their error.",
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "one", "region list | select name nodes edges", after: Samples.sketch,
                    gives: """
                        name     nodes  edges
                        village      4      4
                        """)
            ],
            searchTerms: [
                "area covered", "what does my map cover",
                "which maps are loaded", "which regions", "which maps", "installed maps", "maps i have",
                "which areas", "maps on this computer",
            ]
        ) { context in
            var rows: [Value] = []
            var hasErrors = false
            let databases = try regions.databases(context)
            for name in databases.names {
                try context.checkCancelled()
                do {
                    let region = try regions.region(name, of: databases)
                    rows.append(.record(Record(keys: Self.columns, values: RegionFacts.values(region))))
                } catch let error as RutterError {
                    hasErrors = true
                    var record = Record(keys: Self.columns + ["error"], values: [.text(name)])
                    record["error"] = .text(error.message)
                    rows.append(.record(record))
                }
            }
            return .table(columns: Self.columns + (hasErrors ? ["error"] : []), rows: rows)
        }
    }
}

/// The columns of a region.
enum RegionFacts {
    /// Name, nodes, edges, length, source, box.
    static func values(_ region: RoutingRegion) -> [Value] {
        [
            .text(region.name), .integer(region.graph.nodeCount), .integer(region.graph.edgeCount),
            .quantity(.metres(length(region.graph))), Value(region.metadata["source"], Value.text),
            Value(region.graph.bounds, Value.box),
        ]
    }

    static func length(_ graph: RoutingGraph) -> Double {
        (0..<graph.edgeCount).reduce(0) { $0 + Double(graph.distance[$1]) }
    }
}

/// `region show NAME`
struct ShowRegion: CommandProvider {
    let regions: RegionChoice

    var name: String { "region show" }

    var command: Command {
        Command(
            name, "show what a region contains",
            .optional("name", .text, "name of the region; default: the only one").completing(
                RegionCompletions.completion),
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "ways by kind", "region show village | get highways", after: Samples.sketch,
                    gives: """
                        highway      edges  length
                        residential      3    600m
                        track            1    400m
                        """),
                .init(
                    "an unknown one", "expect-error E-REGION-NONE region show vilage", after: Samples.sketch,
                    gives: "unknown region vilage"),
            ],
            searchTerms: [
                "dead ends",
                "roads of a region", "what is in a region", "what is in the map", "how big is the map",
                "map contents", "what kinds of roads", "map data age", "how old is the map", "map up to date",
                "how old is the map data",
            ]
        ) { context, name in
            let region = try regions.region(named: name, around: [], context)
            let keys = ["name", "nodes", "edges", "length", "source", "box"]
            var record = Record(keys: keys, values: RegionFacts.values(region))
            let graph = region.graph
            record["components"] = .integer(ShowRegion.components(graph))
            record["tiles"] = .list(
                (region.metadata["elevation_tiles"] ?? "").split(separator: " ").map { .text(String($0)) })
            record["missing"] = Value(
                region.metadata["missing_node_references"].flatMap(Int.init), Value.integer)
            record["unknownHeights"] = .integer((0..<graph.nodeCount).count { graph.elevation[$0].isNaN })
            // A region of an earlier version did not count them.
            record["unknown"] = Value(region.metadata[RegionMetadata.unknownValues]) {
                UnknownValues(text: $0).table
            }
            record["account"] = Value(
                region.metadata[RegionMetadata.account].flatMap(SourceAccount.init(text:))
            ) { .object(AccountObject($0)) }
            record["highways"] = Self.kinds(graph, "highway") { $0.highway }
            record["grades"] = Self.kinds(graph, "sac") { $0.sacScale }
            record["file"] = .text(region.database.lastPathComponent)
            return .record(record)
        }
    }

    /// Edges and lengths by the value of a tag.
    private static func kinds(
        _ graph: RoutingGraph, _ name: String, _ tag: (EdgeKind) -> String?
    ) -> Value {
        var sums: [String: (edges: Int, length: Double)] = [:]
        for edge in 0..<graph.edgeCount {
            guard let text = tag(graph.kind(of: edge)) else { continue }
            sums[text, default: (0, 0)].edges += 1
            sums[text, default: (0, 0)].length += Double(graph.distance[edge])
        }
        return .table(
            columns: [name, "edges", "length"],
            cells: sums.keys.sorted().map { key in
                let sum = sums[key] ?? (0, 0)
                return [.text(key), .integer(sum.edges), .quantity(.metres(sum.length))]
            })
    }

    /// The number of connected components, ignoring directions.
    static func components(_ graph: RoutingGraph) -> Int {
        var seen = [Bool](repeating: false, count: graph.nodeCount)
        var count = 0
        for start in 0..<graph.nodeCount where !seen[start] {
            count += 1
            seen[start] = true
            var waiting = [start]
            while let node = waiting.popLast() {
                for index in graph.arcRange(of: node) {
                    let head = Int(graph.arcs[index].head)
                    if !seen[head] {
                        seen[head] = true
                        waiting.append(head)
                    }
                }
            }
        }
        return count
    }
}

/// `region delete NAME`
struct DeleteRegion: CommandProvider {
    let regions: RegionChoice

    var name: String { "region delete" }

    var command: Command {
        Command(
            name, "delete a region from the workspace",
            details:
                "Saved routes stay. `undo` restores the region until the session ends.",
            .positional("name", .text, "name of the region").completing(RegionCompletions.completion),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "delete a region", "region delete village", after: Samples.sketch,
                    gives: "deleted region village")
            ],
            searchTerms: [
                "remove an area", "free space", "remove", "free disk space", "map no longer needed",
            ]
        ) { context, name in
            let folder = try regions.folder(context)
            let database = try folder.database(name)
            regions.close(database)
            let kept = folder.url.appendingPathComponent(
                ".\(name).\(context.random.uuid().uuidString).removed")
            guard rename(database.path, kept.path) == 0 else {
                throw CommonErrors.fileAccess("\(database.lastPathComponent) cannot be deleted")
            }
            regions.keep(kept)
            for file in RegionFiles(database: database).derived {
                FileManager.default.discard(file)
            }
            context.journal.record("deleted region \(name)") {
                guard !FileManager.default.fileExists(atPath: database.path) else {
                    throw RegionErrors.exists("another region \(name) exists now")
                }
                guard rename(kept.path, database.path) == 0 else {
                    throw CommonErrors.fileAccess("\(database.lastPathComponent) cannot be restored")
                }
            }
            return .text("deleted region \(name)")
        }
    }
}
