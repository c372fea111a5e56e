import Foundation
import GRDB
import PluginKit
import TrailStores

/// A device of the session: a folder with its own stores.
struct DeviceEntry: Sendable, Hashable {
    /// The kind of device.
    enum Kind: String, Sendable, CaseIterable {
        case phone, watch, tablet, mac
    }

    /// Whether its app runs.
    enum State: String, Sendable {
        case running, suspended, killed
    }

    var name: String
    var kind: Kind
    var state = State.running
    var isOnline = true
    /// Offset of its clock in milliseconds; positive is ahead.
    var offset: Int64 = 0
    /// A random number; a reinstallation draws a new one.
    var identifier: UInt64
    var rule = SyncRule.merge
}

/// The devices of a workspace, in `devices.db`.
final class DeviceRegister: Sendable {
    let connection: StoreConnection
    let home: URL

    init(home: URL) throws {
        self.home = home
        connection = try StoreConnection(StoreKind.link.url(in: home), access: .own)
        try connection.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS devices (
                        name TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, online INTEGER NOT NULL,
                        clock_offset INTEGER NOT NULL, identifier INTEGER NOT NULL, rule TEXT NOT NULL);
                    """)
        }
    }

    func folder(_ name: String) -> URL {
        home.appendingPathComponent("devices", isDirectory: true).appendingPathComponent(
            name, isDirectory: true)
    }

    func all() throws -> [DeviceEntry] {
        try connection.read { db in
            try TypedRow.all(db, "SELECT * FROM devices ORDER BY rowid", of: "devices").map { row in
                DeviceEntry(
                    name: try row.require("name"),
                    kind: try row.require("kind") { DeviceEntry.Kind(rawValue: $0) },
                    state: try row.require("state") { DeviceEntry.State(rawValue: $0) },
                    isOnline: try row.require("online"), offset: try row.require("clock_offset"),
                    identifier: UInt64(bitPattern: try row.require("identifier")),
                    rule: try row.require("rule") { SyncRule(rawValue: $0) })
            }
        }
    }

    func device(_ name: String, parameter: String = "name") throws -> DeviceEntry {
        let all = try all()
        if let found = all.first(where: { $0.name == name }) { return found }
        throw SyncErrors.device(
            "unknown device `\(name)`", at: .parameter(parameter), fix: "device add phone \(name)",
            suggestion: Suggestion.nearest(to: name, in: all.map(\.name)))
    }

    func save(_ device: DeviceEntry) throws {
        try connection.write { db in
            try db.execute(
                sql: """
                    INSERT INTO devices(name, kind, state, online, clock_offset, identifier, rule)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                    state = excluded.state, online = excluded.online, clock_offset = excluded.clock_offset,
                    identifier = excluded.identifier, rule = excluded.rule
                    """,
                arguments: [
                    device.name, device.kind.rawValue, device.state.rawValue, device.isOnline, device.offset,
                    Int64(bitPattern: device.identifier), device.rule.rawValue,
                ])
        }
    }
}
