import Foundation
import GRDB
import RoutingPlugin

/// A graph of a million nodes: copies of a region beside each other, joined at their borders.
enum TiledGraph {
    /// Nodes at a border that are joined with those of the next tile.
    private static let joints = 12

    static func write(from source: URL, nodes: Int, to url: URL) throws {
        try FileManager.default.copyItem(at: source, to: url)
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM routing_nodes") ?? 1
            let side = Int(Double(nodes / max(1, count)).squareRoot().rounded(.up))
            try db.execute(
                sql: """
                    DROP INDEX idx_nodes_lat_lon; DROP INDEX idx_edges_from; DROP INDEX idx_edges_to;
                    CREATE TEMP TABLE n AS SELECT * FROM routing_nodes;
                    CREATE TEMP TABLE e AS SELECT * FROM routing_edges;
                    DELETE FROM routing_nodes; DELETE FROM routing_edges; DELETE FROM rutter_edges;
                    """)
            for row in 0..<side { for column in 0..<side { try tile(db, row, column, side) } }
        }
        try queue.close()
    }

    private static func tile(_ db: Database, _ row: Int, _ column: Int, _ side: Int) throws {
        let offset = Int64(row * side + column) << 36
        let size = try Row.fetchOne(
            db,
            sql: """
                SELECT max(latitude) - min(latitude), max(longitude) - min(longitude) FROM n
                """)
        guard let size else { return }
        let (height, width): (Double, Double) = (size[0], size[1])
        try db.execute(
            sql: "INSERT INTO routing_nodes SELECT id + ?, latitude + ?, longitude + ?, elevation FROM n",
            arguments: [offset, Double(row) * height * 1.02, Double(column) * width * 1.02])
        // Without geometry, which would have to be moved too; searches do not use it.
        try db.execute(
            sql: """
                INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, elevation_loss, surface,
                  highway_type, sac_scale, trail_visibility, name, osm_way_id, cost, reverse_cost, is_oneway)
                SELECT from_node + ?1, to_node + ?1, distance, elevation_gain, elevation_loss, surface,
                  highway_type, sac_scale, trail_visibility, name, osm_way_id, cost, reverse_cost, is_oneway FROM e
                """, arguments: [offset])
        if column > 0 { try join(db, offset, Int64(row * side + column - 1) << 36, "longitude") }
        if row > 0 { try join(db, offset, Int64((row - 1) * side + column) << 36, "latitude") }
    }

    private static func join(_ db: Database, _ here: Int64, _ before: Int64, _ axis: String) throws {
        let near = try Int64.fetchAll(db, sql: "SELECT id FROM n ORDER BY \(axis) LIMIT \(joints)")
        let far = try Int64.fetchAll(db, sql: "SELECT id FROM n ORDER BY \(axis) DESC LIMIT \(joints)")
        for (a, b) in zip(far, near) {
            try db.execute(
                sql: """
                    INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, elevation_loss, cost,
                      reverse_cost, is_oneway) VALUES (?, ?, 40000, 0, 0, 52000, 52000, 0)
                    """, arguments: [a + before, b + here])
        }
    }
}
