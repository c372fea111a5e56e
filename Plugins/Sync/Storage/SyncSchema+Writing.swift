import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

// Writing the state of a device, each within the caller's transaction.

extension SyncSchema {
    static func save(
        _ db: Database, _ header: DeviceHeader, commits: Int64, installation: UInt64
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE header SET clock = ?, next_operation = ?, epoch = ?, number = ?, commits = ?, device = ?, witness = ?,
                witness_hash = ?, account = ?, installation = ?, owes_report = ?
                """
        ).execute(arguments: [
            Int64(bitPattern: header.clock.last), Int64(bitPattern: header.nextOperation),
            header.token.map { Int64(bitPattern: $0.epoch) }, header.token?.number, commits,
            Int64(bitPattern: header.device), header.witness?.number,
            header.witness.map { Int64(bitPattern: $0.hash) }, header.account.map { Int64(bitPattern: $0) },
            Int64(bitPattern: installation), header.owesReport,
        ])
    }

    /// The marks up to a number, newest first.
    static func historyMarks(_ db: Database, upTo number: Int64, limit: Int) throws -> [HistoryMark] {
        let rows = try RawStatement(
            db, "SELECT number, hash FROM marks WHERE number <= ? ORDER BY number DESC LIMIT ?",
            isCached: true)
        rows.bind(1, number)
        rows.bind(2, Int64(limit))
        var marks: [HistoryMark] = []
        while try rows.next() {
            marks.append(HistoryMark(number: rows.integer(0), hash: UInt64(bitPattern: rows.integer(1))))
        }
        return marks
    }

    /// Adds marks, after removing those above a number.
    static func save(_ db: Database, _ marks: [HistoryMark], forgettingAfter number: Int64?) throws {
        if let number {
            try db.execute(sql: "DELETE FROM marks WHERE number > ?", arguments: [number])
        }
        for mark in marks {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO marks VALUES (?, ?)")
                .execute(arguments: [mark.number, Int64(bitPattern: mark.hash)])
        }
    }

    /// Writes states, in key order.
    static func save(_ db: Database, _ entries: [RecordEntry]) throws {
        if entries.isEmpty { return }
        let insert = try RawStatement(
            db,
            """
            INSERT OR REPLACE INTO shadows
            (type, name, tag, epoch, base, local, parked, sent, sent_tag, sent_version, link)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, isCached: true)
        var base = ByteWriter()
        var local = ByteWriter()
        var sent = ByteWriter()
        for entry in entries {
            guard let state = entry.state else { continue }
            let pending = state.pending
            insert.bind(1, Int64(entry.key.type.rawValue))
            insert.bind(3, state.tag)
            insert.bind(4, Int64(bitPattern: state.epoch))
            switch state.parked {
            case .exhausted: insert.bind(7, "")
            case .rejected(let why): insert.bind(7, why)
            case .unplaced: insert.bind(7, unplaced)
            case nil: insert.bindNull(7)
            }
            if let pending {
                insert.bind(8, Int64(bitPattern: pending.id.number))
                insert.bind(9, pending.baseTag)
            } else {
                insert.bindNull(8)
                insert.bindNull(9)
            }
            if let link = state.link {
                LinkCoding.bytes(link).withUnsafeBytes { insert.bind(11, blob: $0) }
            } else {
                insert.bindNull(11)
            }
            write(state.base, to: &base)
            // Also for an edit undone during transmission: an operation in transit is found by it.
            write(state.isDirty || pending != nil ? state.local : nil, to: &local)
            write(pending?.version == state.local ? nil : pending?.version, to: &sent)
            try bind(insert, 5, base) {
                try bind(insert, 6, local) {
                    try bind(insert, 10, sent) { try insert.run(2, entry.key.name) }
                }
            }
        }
    }

    static func write(_ version: Version?, to writer: inout ByteWriter) {
        writer.clear()
        if let version { VersionCoding.add(version, to: &writer) }
    }

    /// Binds the bytes written, or NULL if empty, in place while `body` runs.
    static func bind(
        _ statement: RawStatement, _ index: Int32, _ content: borrowing ByteWriter, _ body: () throws -> Void
    ) rethrows {
        try content.withBytes {
            if $0.isEmpty {
                statement.bindNull(index)
            } else {
                statement.bind(index, blob: $0, isCopied: false)
            }
            defer { statement.bindNull(index) }
            try body()
        }
    }

    /// Stores the fields of records before their deletion, to restore them.
    static func saveLastContents(_ db: Database, _ versions: [(RecordKey, Version)]) throws {
        for (key, version) in versions {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO deleted VALUES (?, ?, ?)").execute(
                arguments: [
                    Int64(key.type.rawValue), key.name.text, Data(VersionCoding.bytes(version)),
                ])
        }
    }

    static func save(_ db: Database, _ losers: [(RecordKey, Loser)], now: Timestamp) throws {
        for (key, loser) in losers {
            try db.cachedStatement(
                sql: """
                    INSERT INTO conflicts (time, type, name, field, value, stamp_time, stamp_device, winner, reason)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                now.milliseconds, Int64(key.type.rawValue), key.name.text, loser.field,
                Data(VersionCoding.bytes(loser.value)), Int64(bitPattern: loser.stamp.time),
                Int64(bitPattern: loser.stamp.device), Data(VersionCoding.bytes(loser.winner)),
                Int64(loser.reason.rawValue),
            ])
        }
    }

    static func save(_ db: Database, _ notes: [(NoteKind, RecordKey, String)], now: Timestamp) throws {
        for (kind, key, detail) in notes {
            try db.cachedStatement(
                sql: "INSERT INTO notes (time, type, name, kind, detail) VALUES (?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                now.milliseconds, Int64(key.type.rawValue), key.name.text, kind.rawValue, detail,
            ])
        }
    }

    static func save(_ db: Database, _ blob: Blob) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO blobs VALUES (?, ?)",
            arguments: [blob.reference.name, Data(blob.bytes)])
    }

    /// Removes blobs, except those of values in the conflict log, which may be restored. Returns the
    /// removable ones.
    static func drop(_ db: Database, _ blobs: [BlobReference]) throws -> [BlobReference] {
        try blobs.filter { blob in
            let isLoser = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM conflicts WHERE value = ?)"),
                arguments: [Data(VersionCoding.bytes(FieldValue.blob(blob)))])
            if isLoser == true { return false }
            try db.cachedStatement(sql: "DELETE FROM blobs WHERE name = ?").execute(arguments: [blob.name])
            return true
        }
    }

    static func save(_ db: Database, _ intents: [RecordKey: Intent]) throws {
        if intents.isEmpty { return try db.execute(sql: "DELETE FROM intents") }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO intents VALUES (1, ?)")
            .execute(arguments: [Data(IntentCoding.bytes(intents))])
    }

    static func save(_ db: Database, _ marks: [RecordType: NextLogPosition]) throws {
        for (type, next) in marks {
            if let lineage = next.lineage { try save(db, lineage, type) }
            if let mark = next.mark {
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO looks VALUES (?, ?, ?)").execute(
                    arguments: [Int64(type.rawValue), mark.commit, mark.schema])
            } else {
                try db.cachedStatement(sql: "DELETE FROM looks WHERE type = ?").execute(
                    arguments: [Int64(type.rawValue)])
            }
        }
    }

    static func save(_ db: Database, _ runs: [Acknowledgements.Run]) throws {
        for run in runs {
            try db.cachedStatement(
                sql: "INSERT INTO acknowledged (first, count, tag, epoch) VALUES (?, ?, ?, ?)"
            )
            .execute(arguments: [
                Int64(bitPattern: run.operations.first), run.operations.count, run.operations.tag,
                Int64(bitPattern: run.epoch),
            ])
        }
    }

    /// Writes the runs of acknowledged operations into the records.
    static func fold(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE shadows SET base = ifnull(local, base), local = NULL, tag = a.tag + sent - a.first, epoch = a.epoch,
                    sent = NULL, sent_tag = NULL
                FROM acknowledged a WHERE sent >= a.first AND sent < a.first + a.count;
                DELETE FROM acknowledged;
                """)
    }
}
