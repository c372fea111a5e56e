import CivilTime
import Foundation
import GRDB
import PluginKit

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
            try GRDB.Row.fetchAll(db, sql: "SELECT * FROM conflicts ORDER BY id").compactMap { row in
                guard let type = UInt8(exactly: row["type"] as Int64).flatMap({ RecordType(rawValue: $0) }),
                    let name = RecordName(text: row["name"]),
                    let value = VersionCoding.value(Array(row["value"] as Data)),
                    let winner = VersionCoding.value(Array(row["winner"] as Data)),
                    let reason = UInt8(exactly: row["reason"] as Int64).flatMap({ Loser.Reason(rawValue: $0) }
                    )
                else { return nil }
                let stamp = Stamp(
                    time: UInt64(bitPattern: row["stamp_time"]),
                    device: UInt64(bitPattern: row["stamp_device"]))
                return Conflict(
                    id: row["id"], time: Timestamp(milliseconds: row["time"]),
                    key: RecordKey(type: type, name: name),
                    loser: Loser(
                        field: row["field"], value: value, stamp: stamp, winner: winner, reason: reason),
                    isRestored: row["restored"])
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
            try GRDB.Row.fetchAll(db, sql: "SELECT * FROM notes ORDER BY id").map { row in
                let type = (row["type"] as Int64?).flatMap { UInt8(exactly: $0) }.flatMap {
                    RecordType(rawValue: $0)
                }
                let name = (row["name"] as String?).flatMap { RecordName(text: $0) }
                let key = type.flatMap { type in name.map { RecordKey(type: type, name: $0) } }
                return Note(
                    time: Timestamp(milliseconds: row["time"]), key: key, kind: row["kind"],
                    detail: row["detail"])
            }
        }
    }
}
