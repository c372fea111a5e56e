import Foundation
import GRDB
import Geodesy
import TrailStores

/// Merges the maps of regions into that of a joined one.
public enum MapTableJoin {
    /// Copies the map tables of attached databases, given with the names of their regions, into the main
    /// one. Duplicates are kept: they coincide. Returns notices about the joined map.
    public static func join(_ db: Database, _ parts: [(schema: String, region: String)]) throws -> [String] {
        var notices: [String] = []
        var taken: [(schema: String, region: String, facts: [String: String])] = []
        for part in parts {
            guard let facts = try facts(db, part.schema), facts[MapFact.format] == MapTableSchema.format,
                taken.isEmpty || facts[MapFact.kinds] == taken[0].facts[MapFact.kinds]
            else {
                notices.append(
                    "the map of \(part.region) is skipped; region import FILE --name \(part.region) --update adds it"
                )
                continue
            }
            taken.append((part.schema, part.region, facts))
        }
        guard let first = taken.first else { return notices }
        // The joined region is new: there is nothing to replace, and the attached regions must not be
        // changed.
        try db.execute(sql: MapTableSchema.tables)
        for part in taken { try db.execute(sql: MapTableSchema.copy(part.schema)) }
        let grids = taken.compactMap { $0.facts[MapFact.grid] }
        for part in taken {
            guard let grid = part.facts[MapFact.grid] else { continue }
            if grid == grids[0] {
                try addHeights(db, part.schema, of: part.region)
            } else {
                notices.append(
                    "the elevation of one region has a different resolution; its relief is skipped")
            }
        }
        var facts = first.facts
        let bounds = taken.compactMap { $0.facts[MapFact.bounds].flatMap(box) }
        if bounds.count == taken.count { facts[MapFact.bounds] = text(bounds) }
        facts[MapFact.grid] = grids.first
        facts[MapFact.heightSource] = joined(taken.compactMap { $0.facts[MapFact.heightSource] }, ", ")
        facts[MapFact.attribution] = joined(taken.compactMap { $0.facts[MapFact.attribution] }, " · ")
        for key in [MapFact.broken, MapFact.looseCoast, MapFact.features] {
            facts[key] = "\(taken.reduce(0) { $0 + ($1.facts[key].flatMap(Int.init) ?? 0) })"
        }
        for (key, value) in facts.sorted(by: { $0.key < $1.key }) {
            try db.execute(sql: MapTableSchema.insertFact, arguments: [key, value])
        }
        return notices
    }

    private static func facts(_ db: Database, _ schema: String) throws -> [String: String]? {
        guard try db.tableExists(MapTableSchema.facts, in: schema) else { return nil }
        let rows = try TypedRow.all(
            db, "SELECT key, value FROM \(schema).\(MapTableSchema.facts)", of: MapTableSchema.facts)
        return Dictionary(
            try rows.map { (try $0.require("key"), try $0.require("value")) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Adds heights; in pieces of both, gaps are filled from the other.
    private static func addHeights(_ db: Database, _ schema: String, of region: String) throws {
        let both = try Row.fetchAll(db, sql: MapTableSchema.selectSharedHeights(schema))
        for row in both {
            guard let own = Data.fromDatabaseValue(row[3]), let other = Data.fromDatabaseValue(row[4]),
                let merged = try HeightTable.merged(own, other)
            else {
                throw MapErrors.damaged("the heights of \(region) cannot be read")
            }
            try db.execute(
                sql: MapTableSchema.updateHeights,
                arguments: [merged] + StatementArguments(row.databaseValues.prefix(3)))
        }
        try db.execute(sql: MapTableSchema.copyHeights(schema))
    }

    /// `west,south,east,north`
    private static func box(_ text: String) -> [Double]? {
        let edges = text.split(separator: ",").compactMap { Double($0) }
        return edges.count == 4 ? edges : nil
    }

    private static func text(_ boxes: [[Double]]) -> String {
        let edges = [
            boxes.map { $0[0] }.min(), boxes.map { $0[1] }.min(), boxes.map { $0[2] }.max(),
            boxes.map { $0[3] }.max(),
        ]
        return edges.compactMap { $0.map { "\($0)" } }.joined(separator: ",")
    }

    /// Joins distinct texts; `nil` for none.
    private static func joined(_ texts: [String], _ separator: String) -> String? {
        var found: [String] = []
        for text in texts where !found.contains(text) { found.append(text) }
        return found.isEmpty ? nil : found.joined(separator: separator)
    }
}
