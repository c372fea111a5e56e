import Foundation
import GRDB
import PluginKit

/// The kinds of store, told apart by what is in them.
public enum StoreKind: String, Sendable, CaseIterable {
    /// `waypoints.db`
    case waypoints
    /// `routes.db`: recorded hikes.
    case hikes
    /// `gtfs.db`: a transit schedule in the pattern model.
    case transit
    /// Any other SQLite database.
    case other

    /// The name used in the session.
    public var name: String { rawValue }

    /// What a database holds, by its tables.
    public static func recognise(_ connection: StoreConnection) throws(RutterError) -> StoreKind {
        try StoreRecognition(connection).kind
    }

    /// The table that a store of this kind has, and its columns: those without which it is none, then the others.
    var layout: (table: String, needed: [String], further: [String])? {
        switch self {
        case .waypoints: ("waypoints", WaypointSchema.needed, WaypointSchema.further)
        case .hikes: ("saved_routes", HikeRow.needed, HikeRow.further)
        case .transit: ("pattern_stops", TransitColumns.needed, [])
        case .other: nil
        }
    }
}

/// Columns by which a transit schedule is known.
enum TransitColumns {
    static let needed = [
        "pid", "stop_sequence", "sid", "arrival_offset_secs", "departure_offset_secs",
    ]
}

/// What a database holds, and how sure that is.
public struct StoreRecognition: Sendable {
    /// The kind of store.
    public let kind: StoreKind
    /// Whether all columns are there without which a store of the kind cannot be read.
    public let isCertain: Bool
    /// What it was recognised by.
    public let reason: String

    /// Looks at the tables of a database.
    public init(_ connection: StoreConnection) throws(RutterError) {
        self = try connection.read { db in
            do {
                return try Self.recognise(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return Self(
                    .other, isCertain: false, "damaged: \(error.message ?? "its schema cannot be read")")
            }
        }
    }

    private init(_ kind: StoreKind, isCertain: Bool, _ reason: String) {
        self.kind = kind
        self.isCertain = isCertain
        self.reason = reason
    }

    private static func recognise(_ db: Database) throws -> StoreRecognition {
        var reason = "no table of a format that Rutter knows"
        for kind in StoreKind.allCases {
            guard let layout = kind.layout, try db.tableExists(layout.table) else { continue }
            let present = Set(try db.columns(in: layout.table).map(\.name))
            let missing = layout.needed.filter { !present.contains($0) }
            let lacks = "without " + missing.joined(separator: ", ")
            // A table of the same name with other columns is somebody else's.
            guard missing.count * 2 < layout.needed.count else {
                reason = "a table \(layout.table), but \(lacks)"
                continue
            }
            guard missing.isEmpty else {
                return StoreRecognition(kind, isCertain: false, "table \(layout.table) \(lacks)")
            }
            let older = layout.further.filter { !present.contains($0) }
            let detail = older.isEmpty ? "with all its columns" : "of an older version"
            return StoreRecognition(kind, isCertain: true, "table \(layout.table) \(detail)")
        }
        return StoreRecognition(.other, isCertain: true, reason)
    }
}
