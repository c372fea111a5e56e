import Foundation
import GRDB
import Geodesy

/// The named things of a region.
enum RegionPlaces {
    /// The kind of named ways.
    static let way = "way"

    /// The places of a database; none where it has no table of them.
    static func read(_ database: URL) throws -> [NamedPlace] {
        try RegionDatabase.read(database) { db in
            guard try db.tableExists(RegionSchema.places) else { return [] }
            return try Row.fetchAll(db, sql: RegionSchema.selectPlaces).compactMap { row in
                guard let id = Int64.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1]),
                    let kind = String.fromDatabaseValue(row[2]),
                    let latitude = Double.fromDatabaseValue(row[3]),
                    let longitude = Double.fromDatabaseValue(row[4])
                else { return nil }
                let at = Coordinate(latitude: latitude, longitude: longitude)
                return at.isValid ? NamedPlace(id: id, name: name, kind: kind, at: at) : nil
            }
        }
    }

    /// Each named way once: in the middle of the longest edge that bears the name.
    static func ways(_ graph: RoutingGraph) -> [NamedPlace] {
        var longest: [String: Int] = [:]
        for edge in 0..<graph.edgeCount {
            guard let name = graph.name(of: edge), !name.isEmpty else { continue }
            if let known = longest[name], graph.distance[known] >= graph.distance[edge] { continue }
            longest[name] = edge
        }
        return longest.sorted { $0.key < $1.key }.map { name, edge in
            let half = PathEdge(edge: edge, isReversed: false, leave: 0.5)
            let at = graph.line(of: half).last ?? graph.coordinate(of: Int(graph.source[edge]))
            return NamedPlace(id: graph.wayID[edge], name: name, kind: way, at: at.withoutAltitude)
        }
    }
}
