import GRDB
import PluginKit
import TrailStores

/// The texts of a timetable, and the search of its stops.
extension TransitChecks {
    private static let texts: [(table: String, noun: String, key: String, columns: [String])] = [
        ("stops", "stop", "sid", ["stop_name", "stop_code", "stop_desc", "platform_code", "parent_station"]),
        ("routes", "route", "rid", ["route_short_name", "route_long_name"]),
        ("trips", "trip", "trip_id", ["trip_id", "trip_headsign", "trip_short_name", "service_id"]),
        ("dict_stop", "stop", "sid", ["stop_id"]), ("dict_route", "route", "rid", ["route_id"]),
    ]

    /// Adds texts that a transfer or conversion damaged.
    func texts(_ run: CheckRun) throws {
        for (table, noun, key, columns) in Self.texts {
            let present = try run.columns(table)
            guard present.contains(key) else { continue }
            let columns = columns.filter(present.contains)
            try run.visit(table, [key] + columns.filter { $0 != key }) { row in
                for column in columns {
                    let fault = column == "stop_desc" ? Plausibility.damage : Plausibility.damageOfName
                    guard let damage = row.utf8(column, fault) else { continue }
                    run.add(
                        TransitFindings.text, table: table, row: row.number, id: row[key].shown,
                        "\(column) of \(noun) \(row[key].shown) has \(damage)")
                }
            }
        }
    }

    /// Adds the stops that a search for their own name does not find: the lists of words of the index can be damaged while
    /// its numbers and names are right.
    func search(_ run: CheckRun) throws {
        guard try run.has("stops", "sid", "stop_name") else { return }
        guard try run.has("stops_fts", "sid", "name") else {
            return run.add(
                TransitFindings.search, table: "stops_fts",
                "there is no search: the table stops_fts is missing")
        }
        let match: Statement
        do {
            match = try run.db.makeStatement(
                sql: "SELECT 1 FROM stops_fts WHERE stops_fts MATCH ? AND rowid = ?")
        } catch let error as DatabaseError where !error.isInterruption {
            return run.add(
                TransitFindings.search, table: "stops_fts", "it cannot be searched: \(error.reason)")
        }
        var damage: String?
        try run.visit("stops", ["sid", "stop_name"]) { row in
            guard damage == nil, let id = row.integer("sid"), let name = row.text("stop_name"),
                // A name without letters and digits has no words.
                name.contains(where: { $0.isLetter || $0.isNumber }), !name.utf8.contains(0)
            else { return }
            let phrase = "\"" + name.replacing("\"", with: "\"\"") + "\""
            do {
                if try Int.fetchOne(match, arguments: [phrase, id]) != nil { return }
                run.add(
                    TransitFindings.search, table: "stops_fts", row: id, id: "\(id)",
                    "a search for \(row["stop_name"].shown) does not find stop \(id)")
            } catch let error as DatabaseError where !error.isInterruption {
                damage = error.reason
            }
        }
        if let damage {
            run.add(TransitFindings.search, table: "stops_fts", "its lists of words are damaged: \(damage)")
        }
    }
}
