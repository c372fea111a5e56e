import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The queues between devices, stored in `devices.db`, so that they survive a restart.
struct LinkStore {
    let register: DeviceRegister

    init(_ register: DeviceRegister) throws {
        self.register = register
        try register.connection.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS link_items (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, place REAL NOT NULL, message TEXT NOT NULL, sender TEXT NOT NULL,
                        receiver TEXT NOT NULL, channel TEXT NOT NULL, payload TEXT NOT NULL, file TEXT,
                        state TEXT NOT NULL, detail TEXT NOT NULL, time INTEGER NOT NULL);
                    CREATE TABLE IF NOT EXISTS link_applied (receiver TEXT, message TEXT, PRIMARY KEY (receiver, message));
                    CREATE TABLE IF NOT EXISTS link_stuck (sender TEXT, receiver TEXT, channel TEXT,
                        PRIMARY KEY (sender, receiver, channel));
                    CREATE TABLE IF NOT EXISTS link_queued (device TEXT PRIMARY KEY, time INTEGER NOT NULL);
                    CREATE TABLE IF NOT EXISTS link_settings (id INTEGER PRIMARY KEY CHECK (id = 1), mode TEXT NOT NULL);
                    INSERT OR IGNORE INTO link_settings VALUES (1, 'strict');
                    """)
        }
    }

    /// The logical time up to which a device's edits are queued; `nil` before the first call.
    func queuedUpTo(_ device: String) throws -> UInt64? {
        try register.connection.read { db in
            try Int64.fetchOne(db, sql: "SELECT time FROM link_queued WHERE device = ?", arguments: [device])
        }.map { UInt64(bitPattern: $0) }
    }

    func setQueued(_ device: String, upTo time: UInt64) throws {
        try register.connection.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO link_queued VALUES (?, ?)",
                arguments: [device, Int64(bitPattern: time)])
        }
    }

    var files: URL { register.home.appendingPathComponent("link", isDirectory: true) }

    func mode() throws -> String {
        try register.connection.read { db in try String.fetchOne(db, sql: "SELECT mode FROM link_settings") }
            ?? "strict"
    }

    func set(mode: String) throws {
        try register.connection.write { db in
            try db.execute(sql: "UPDATE link_settings SET mode = ?", arguments: [mode])
        }
    }

    /// Queues an item. In the context slot it replaces an undelivered one.
    func add(
        _ message: String, from sender: String, to receiver: String, _ channel: LinkChannel,
        _ payload: String,
        file: String?, at time: Timestamp
    ) throws {
        try register.connection.write { db in
            if channel == .context {
                try db.execute(
                    sql: """
                        UPDATE link_items SET state = 'replaced' WHERE sender = ? AND receiver = ? AND channel = 'context'
                        AND state = 'queued'
                        """, arguments: [sender, receiver])
            }
            // A stuck queue continues with the next item sent.
            try db.execute(
                sql: "DELETE FROM link_stuck WHERE sender = ? AND receiver = ? AND channel = ?",
                arguments: [sender, receiver, channel.rawValue])
            try db.execute(
                sql: """
                    INSERT INTO link_items (place, message, sender, receiver, channel, payload, file, state, detail, time)
                    VALUES ((SELECT ifnull(max(place), 0) + 1 FROM link_items), ?, ?, ?, ?, ?, ?, 'queued', '', ?)
                    """,
                arguments: [message, sender, receiver, channel.rawValue, payload, file, time.milliseconds])
        }
    }

    func items(queuedOnly: Bool) throws -> [LinkItem] {
        try register.connection.read { db in
            let condition = queuedOnly ? "WHERE state = 'queued'" : ""
            let sql = "SELECT * FROM link_items \(condition) ORDER BY place, id"
            return try TypedRow.all(db, sql, of: "link_items").map { row in
                LinkItem(
                    id: try row.require("id"), message: try row.require("message"),
                    sender: try row.require("sender"), receiver: try row.require("receiver"),
                    channel: try row.require("channel") { LinkChannel(rawValue: $0) },
                    payload: try row.require("payload") { LinkPayload.read($0) }, file: try row.allow("file"),
                    state: try row.require("state") { LinkItem.State(rawValue: $0) },
                    detail: try row.require("detail"))
            }
        }
    }

    func set(_ item: LinkItem, _ state: LinkItem.State, _ detail: String) throws {
        try register.connection.write { db in
            try db.execute(
                sql: "UPDATE link_items SET state = ?, detail = ? WHERE id = ?",
                arguments: [state.rawValue, detail, item.id])
            if state == .applied {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO link_applied VALUES (?, ?)",
                    arguments: [item.receiver, item.message])
            }
        }
    }

    func wasApplied(_ item: LinkItem) throws -> Bool {
        try register.connection.read { db in
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM link_applied WHERE receiver = ? AND message = ?",
                arguments: [item.receiver, item.message]) != nil
        }
    }

    func isStuck(_ item: LinkItem) throws -> Bool {
        try register.connection.read { db in
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM link_stuck WHERE sender = ? AND receiver = ? AND channel = ?",
                arguments: [item.sender, item.receiver, item.channel.rawValue]) != nil
        }
    }

    func stick(_ item: LinkItem) throws {
        try register.connection.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO link_stuck VALUES (?, ?, ?)",
                arguments: [item.sender, item.receiver, item.channel.rawValue])
        }
    }

    /// Restarts stuck queues after a restart of the device.
    func free(_ device: String) throws {
        try register.connection.write { db in
            try db.execute(sql: "DELETE FROM link_stuck WHERE sender = ?", arguments: [device])
        }
    }

    /// Queues the item a second time, as the system may deliver it twice.
    func duplicate(_ item: LinkItem) throws {
        try register.connection.write { db in
            try db.execute(
                sql: """
                    INSERT INTO link_items (place, message, sender, receiver, channel, payload, file, state, detail, time)
                    SELECT (SELECT max(place) + 1 FROM link_items), message, sender, receiver, channel, payload, file,
                    'queued', '', time FROM link_items WHERE id = ?
                    """, arguments: [item.id])
        }
    }

    /// Moves a queued item to the front. The platform guarantees no order across channels.
    func moveToFront(_ item: LinkItem) throws {
        try register.connection.write { db in
            try db.execute(
                sql: """
                    UPDATE link_items SET place = (SELECT min(place) - 1 FROM link_items WHERE state = 'queued')
                    WHERE id = ?
                    """, arguments: [item.id])
        }
    }
}
