import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The reports of a device from `sync.db`.
extension FolderStore {
    /// A value that lost.
    struct Conflict: Sendable {
        let id: Int
        let time: Timestamp
        let key: RecordKey
        let loser: Loser
        let isRestored: Bool
    }

    func conflicts() throws -> [Conflict] {
        try database.read { db in
            try TypedRow.all(db, "SELECT * FROM conflicts ORDER BY id", of: "conflicts").map { row in
                func value(_ column: String) throws(RutterError) -> FieldValue {
                    try row.require(column) { (bytes: Data) in VersionCoding.value(Array(bytes)) }
                }
                let key = RecordKey(
                    type: try row.require("type") { (raw: UInt8) in RecordType(rawValue: raw) },
                    name: try row.require("name") { RecordName(text: $0) })
                let stamp = Stamp(
                    time: UInt64(bitPattern: try row.require("stamp_time")),
                    device: UInt64(bitPattern: try row.require("stamp_device")))
                return Conflict(
                    id: try row.require("id"), time: Timestamp(milliseconds: try row.require("time")),
                    key: key,
                    loser: Loser(
                        field: try row.require("field"), value: try value("value"), stamp: stamp,
                        winner: try value("winner"),
                        reason: try row.require("reason") { (raw: UInt8) in Loser.Reason(rawValue: raw) }),
                    isRestored: try row.require("restored"))
            }
        }
    }

    func markRestored(_ id: Int) throws {
        try database.write { db in
            try db.execute(sql: "UPDATE conflicts SET restored = 1 WHERE id = ?", arguments: [id])
        }
    }

    /// A stored decision.
    struct Note: Sendable {
        let time: Timestamp
        let key: RecordKey?
        let kind: String
        let detail: String
    }

    func log() throws -> [Note] {
        try database.read { db in
            try TypedRow.all(db, "SELECT * FROM notes ORDER BY id", of: "notes").map { row in
                let type = try row.allow("type", as: UInt8.self).flatMap { RecordType(rawValue: $0) }
                let name = try row.allow("name", as: String.self).flatMap { RecordName(text: $0) }
                let key = type.flatMap { type in name.map { RecordKey(type: type, name: $0) } }
                return Note(
                    time: Timestamp(milliseconds: try row.require("time")), key: key,
                    kind: try row.require("kind"), detail: try row.require("detail"))
            }
        }
    }
}
