import Cartography
import Foundation
import GRDB
import PluginKit
import TrailStores

extension RegionFolder {
    /// The result of a join.
    struct JoinReport {
        var nodes: Int
        var edges: Int
        /// The number of nodes in both regions.
        var shared: Int
        /// Notices about the joined map.
        var notices: [String] = []
    }

    /// Writes a region with all nodes and edges of two others. Either it is written completely, or nothing
    /// is changed.
    func join(
        _ databases: [URL], names: [String], as name: String, replaces: Bool, progress: ProgressReporter
    ) throws -> JoinReport {
        try check(name, replaces: replaces)
        let files = files(name)
        let temporary = url.appendingPathComponent(".\(name).\(getpid()).tmp")
        defer { FileManager.default.discard(temporary) }
        FileManager.default.discard(temporary)
        do {
            let places = try PlaceTables(joining: databases)
            let report = try Self.write(databases, places, names: names, as: name, to: temporary)
            try finish(temporary, places, as: files, progress: progress)
            return report
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: files.database.lastPathComponent)
        }
    }

    private static func write(
        _ sources: [URL], _ places: PlaceTables, names: [String], as name: String, to url: URL
    ) throws -> JoinReport {
        for (source, name) in zip(sources, names) {
            try RegionDatabase.read(source) { db in
                guard try db.tableExists("rutter_kinds") else {
                    throw RegionErrors.join(
                        "the region \(name) was imported by an earlier version", fix: "import it again")
                }
            }
        }
        let queue = try DatabaseQueue(path: url.path)
        return try queue.writeWithoutTransaction { db in
            try db.execute(sql: RegionSchema.tables + RegionSchema.extras)
            for (index, source) in sources.enumerated() {
                try db.execute(sql: "ATTACH DATABASE ? AS part\(index)", arguments: [source.path])
            }
            let shared = try Int.fetchOne(db, sql: RegionJoinSQL.shared) ?? 0
            guard shared > 0 else {
                throw RegionErrors.join(
                    "\(names[0]) and \(names[1]) have no common node, so no route could cross",
                    fix: "import extracts that overlap or share a border")
            }
            var notices: [String] = []
            let differing = try Int.fetchOne(db, sql: RegionJoinSQL.differing) ?? 0
            if differing > 0 {
                notices.append(
                    "\(differing, of: "way") with other tags in \(names[1]): those of \(names[0]) are used")
            }
            try db.inTransaction {
                for index in sources.indices {
                    try Interruption.check()
                    try db.execute(sql: RegionJoinSQL.copy(index))
                    // Regions imported by an earlier version have none.
                    if try db.tableExists("rutter_squares", in: "part\(index)") {
                        try db.execute(sql: RegionJoinSQL.copyAreas(index))
                    }
                    if try db.tableExists("rutter_turns", in: "part\(index)") {
                        try db.execute(sql: RegionJoinSQL.copyTurns(index))
                    }
                }
                try db.execute(sql: RegionSchema.indexes + "DROP INDEX join_edges;")
                try writeMetadata(db, name, names)
                try places.write(to: db)
                notices += try MapTableJoin.join(
                    db, zip(sources.indices, names).map { ("part\($0)", $1) })
                return .commit
            }
            for index in sources.indices { try db.execute(sql: "DETACH DATABASE part\(index)") }
            return JoinReport(
                nodes: try Int.fetchOne(db, sql: "SELECT count(*) FROM routing_nodes") ?? 0,
                edges: try Int.fetchOne(db, sql: "SELECT count(*) FROM routing_edges") ?? 0, shared: shared,
                notices: notices)
        }
    }

    private static func writeMetadata(_ db: Database, _ name: String, _ names: [String]) throws {
        for (key, value) in [
            (RegionMetadata.name, name), (RegionMetadata.source, names.joined(separator: " + ")),
            (RegionMetadata.format, RegionMetadata.currentFormat),
        ] {
            try db.execute(sql: RegionSchema.insertMetadata, arguments: [key, value])
        }
    }
}

/// The statements of a join.
enum RegionJoinSQL {
    static let shared = "SELECT count(*) FROM part0.routing_nodes JOIN part1.routing_nodes USING (id)"

    /// The ways of both parts that have other tags in the second.
    static let differing = """
        SELECT count(DISTINCT e.osm_way_id) FROM part1.routing_edges AS e
          JOIN part0.routing_edges AS m ON m.from_node = e.from_node AND m.to_node = e.to_node
            AND m.osm_way_id = e.osm_way_id AND abs(m.distance - e.distance) < 0.01
          LEFT JOIN part1.rutter_edges AS f ON f.edge_id = e.id LEFT JOIN part1.rutter_kinds AS k ON k.id = f.kind
          LEFT JOIN part0.rutter_edges AS n ON n.edge_id = m.id LEFT JOIN part0.rutter_kinds AS l ON l.id = n.kind
          WHERE coalesce(k.tags, '') <> coalesce(l.tags, '') OR e.surface IS NOT m.surface OR e.highway_type IS NOT m.highway_type
            OR e.sac_scale IS NOT m.sac_scale OR e.trail_visibility IS NOT m.trail_visibility
            OR e.name IS NOT m.name OR e.is_oneway IS NOT m.is_oneway
        """

    /// Copies the areas of a part that are not there yet.
    static func copyAreas(_ index: Int) -> String {
        """
        INSERT INTO main.rutter_squares(ways, corners) SELECT ways, corners FROM part\(index).rutter_squares AS a
          WHERE NOT EXISTS (SELECT 1 FROM main.rutter_squares AS m WHERE m.ways = a.ways) ORDER BY id;
        """
    }

    /// Copies the turn restrictions of a part that are not there yet.
    static func copyTurns(_ index: Int) -> String {
        "INSERT OR IGNORE INTO main.rutter_turns SELECT * FROM part\(index).rutter_turns;"
    }

    /// Copies a part: its kinds are renumbered; duplicate edges (the same way between the same nodes, of
    /// the same length) are skipped.
    static func copy(_ index: Int) -> String {
        """
        CREATE TEMP TABLE offsets AS SELECT
          (SELECT coalesce(max(id), 0) FROM main.routing_edges) AS edge,
          (SELECT coalesce(max(id), 0) FROM main.rutter_kinds) AS kind;
        INSERT OR IGNORE INTO main.routing_nodes SELECT * FROM part\(index).routing_nodes;
        INSERT OR IGNORE INTO main.rutter_trails SELECT * FROM part\(index).rutter_trails;
        INSERT INTO main.rutter_kinds SELECT id + (SELECT kind FROM offsets), tags FROM part\(index).rutter_kinds;
        CREATE TEMP TABLE added AS SELECT id FROM part\(index).routing_edges AS e WHERE NOT EXISTS (
          SELECT 1 FROM main.routing_edges AS m WHERE m.from_node = e.from_node AND m.to_node = e.to_node
            AND m.osm_way_id = e.osm_way_id AND abs(m.distance - e.distance) < 0.01);
        INSERT INTO main.routing_edges SELECT id + (SELECT edge FROM offsets), from_node, to_node, distance,
            elevation_gain, elevation_loss, surface, highway_type, sac_scale, trail_visibility, name, osm_way_id, cost,
            reverse_cost, is_oneway, geometry
          FROM part\(index).routing_edges WHERE id IN (SELECT id FROM added) ORDER BY id;
        INSERT INTO main.rutter_edges SELECT edge_id + (SELECT edge FROM offsets), flags, elevations,
            kind + (SELECT kind FROM offsets), trails
          FROM part\(index).rutter_edges WHERE edge_id IN (SELECT id FROM added) ORDER BY edge_id;
        CREATE INDEX IF NOT EXISTS main.join_edges ON routing_edges(from_node, to_node);
        DROP TABLE added;
        DROP TABLE offsets;
        """
    }
}
