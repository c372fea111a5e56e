import Foundation
import GRDB
import PluginKit

/// The recognised kind of a store, with certainty and evidence.
public struct StoreRecognition: Sendable {
    /// How certain it is.
    public enum Certainty: String, Sendable, CaseIterable {
        /// All required parts of the kind are present.
        case certain
        /// Most required parts are present.
        case likely
        /// Unknown: the file is damaged, or lacks distinguishing parts.
        case unsure
    }

    /// The kind of store.
    public let kind: StoreKind
    /// The certainty.
    public let certainty: Certainty
    /// The evidence.
    public let reason: String

    /// A result.
    public init(_ kind: StoreKind, _ certainty: Certainty, _ reason: String) {
        self.kind = kind
        self.certainty = certainty
        self.reason = reason
    }

    /// Whether all required parts of the kind are present.
    var isCertain: Bool { certainty == .certain }

    /// Recognises a database or documents from a connection.
    public init(_ connection: StoreConnection) throws(RutterError) {
        if let known = connection.recognition {
            self = known
            return
        }
        let found = try connection.read { db in
            do {
                return try Self.recognise(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return Self(.other, .unsure, "damaged: \(error.message ?? "its schema cannot be read")")
            }
        }
        let isLog = connection.access == .foreign && LoneLog.isOne(connection.url)
        self = isLog ? Self(found.kind, found.certainty, found.reason + "; read from a log alone") : found
    }

    // MARK: Databases

    private struct Match {
        let format: StoreFormat
        var present = 0
        var missing: [String] = []
        var older: [String] = []
        /// The app and version with these columns.
        var version: String?
        /// Whether a view is in the place of the main table, as map tiles often have it, and apps' stores do not.
        var isView = false

        var isPlausible: Bool { missing.count < present }
    }

    static func recognise(_ db: Database) throws -> StoreRecognition {
        let application = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        var near = "no table of a known format"
        var found: [Match] = []
        for format in StoreFormat.all {
            guard let main = format.tables.first else { continue }
            let isNamed = format.applicationID != 0 && format.applicationID == application
            guard try exists(main.name, db) || isNamed else { continue }
            var match = try match(format, db)
            match.isView = try format.kind != .mbtiles && db.viewExists(main.name)
            let first = match.missing.filter { $0.hasPrefix(main.name + ".") }
            // A table of the same name with other columns belongs to another format.
            guard first.count * 2 < main.needed.count, match.isPlausible else {
                if isNamed {
                    return Self(format.kind, .likely, "recognised by its header; its tables differ")
                }
                near =
                    "a table \(main.name), but without \(names(first.isEmpty ? match.missing : first, format))"
                continue
            }
            found.append(match)
        }
        guard let best = found.min(by: { ($0.missing.count, -$0.present) < ($1.missing.count, -$1.present) })
        else { return Self(.other, .certain, try ForeignSchema.name(db).map { "\($0); \(near)" } ?? near) }
        let others = found.filter { $0.format.kind != best.format.kind }.map(\.format.kind.name)
        let also = others.isEmpty ? "" : "; also \(others.joined(separator: ", "))"
        return verdict(best, also)
    }

    private static func verdict(_ match: Match, _ also: String) -> StoreRecognition {
        let tables = match.format.tables
        if match.isView {
            return Self(
                match.format.kind, .likely,
                "\(tables[0].name) is a view, which only `sql` and `store` commands read\(also)")
        }
        let subject = tables.count == 1 ? "table \(tables[0].name)" : "\(tables.count) tables"
        guard match.missing.isEmpty else {
            return Self(
                match.format.kind, .likely, "\(subject) without \(names(match.missing, match.format))\(also)")
        }
        let whole = tables.count == 1 ? "with all its columns" : "with all their columns"
        // Columns that one app never had are no sign of age.
        let isAndroid = match.version == "Android"
        let detail = match.older.isEmpty ? whole : isAndroid ? "of the Android app" : "of an older version"
        return Self(match.format.kind, .certain, "\(subject) \(detail)\(also)")
    }

    private static func match(_ format: StoreFormat, _ db: Database) throws -> Match {
        var match = Match(format: format)
        for table in format.tables {
            let present = try columns(table.name, db)
            for column in table.needed {
                if present.contains(column) {
                    match.present += 1
                } else {
                    match.missing.append("\(table.name).\(column)")
                }
            }
            let known = FormatProfile.known(in: present)
            match.older += table.further.filter { !known.contains($0) }
            if match.version == nil {
                match.version = FormatProfile.version(of: table.name, columns: present)
            }
        }
        return match
    }

    /// Column names without the table name if the format has only one table.
    private static func names(_ missing: [String], _ format: StoreFormat) -> String {
        let short = format.tables.count == 1
        let words = missing.map { short ? String($0.drop { $0 != "." }.dropFirst()) : $0 }
        return words.joined(separator: ", ")
    }

    private static func exists(_ table: String, _ db: Database) throws -> Bool {
        try db.tableExists(table) || db.viewExists(table)
    }

    private static func columns(_ table: String, _ db: Database) throws -> Set<String> {
        guard try exists(table, db) else { return [] }
        return Set(
            try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table]))
    }
}
