import Foundation
import GRDB
import PluginKit

/// The kinds of store, told apart by what is in them.
public enum StoreKind: String, Sendable, CaseIterable {
    /// `waypoints.db`
    case waypoints
    /// `routes.db`: recorded hikes.
    case hikes
    /// Any other SQLite database.
    case other

    /// The name used in the session.
    public var name: String { rawValue }

    /// What a database holds, by its tables.
    public static func recognise(_ connection: StoreConnection) throws(RutterError) -> StoreKind {
        try connection.read { db in
            if try db.tableExists("waypoints") { return .waypoints }
            if try db.tableExists("saved_routes") { return .hikes }
            return .other
        }
    }
}
