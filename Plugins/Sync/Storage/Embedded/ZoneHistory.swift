import GRDB
import TrailStores

/// The marks of a zone of the embedded cloud.
struct ZoneHistory {
    private let db: Database
    private let zone: String

    init(_ db: Database, zone: String) {
        self.db = db
        self.zone = zone
    }

    func knows(_ witness: HistoryMark?) throws -> Bool {
        guard let witness else { return true }
        let find = try RawStatement(
            db, "SELECT hash FROM history WHERE zone = ? AND number = ?", isCached: true)
        defer { find.reset() }
        find.bind(1, zone)
        find.bind(2, witness.number)
        return try find.next() && UInt64(bitPattern: find.integer(0)) == witness.hash
    }

    /// The newest marks, lowest first.
    func newest(_ limit: Int) throws -> [HistoryMark] {
        let rows = try RawStatement(
            db, "SELECT number, hash FROM history WHERE zone = ? ORDER BY number DESC LIMIT ?", isCached: true
        )
        rows.bind(1, zone)
        rows.bind(2, Int64(limit))
        return try marks(rows).reversed()
    }

    /// The marks after a number, up to the one at another number or the first after it.
    func passed(after start: Int64, upTo end: Int64) throws -> [HistoryMark] {
        if start >= end { return [] }
        let rows = try RawStatement(
            db,
            """
            SELECT number, hash FROM history WHERE zone = ?1 AND number > ?2 AND number <=
            (SELECT min(number) FROM history WHERE zone = ?1 AND number >= ?3) ORDER BY number
            """, isCached: true)
        rows.bind(1, zone)
        rows.bind(2, start)
        rows.bind(3, end)
        return try marks(rows)
    }

    private func marks(_ rows: RawStatement) throws -> [HistoryMark] {
        var marks: [HistoryMark] = []
        while try rows.next() {
            marks.append(HistoryMark(number: rows.integer(0), hash: UInt64(bitPattern: rows.integer(1))))
        }
        return marks
    }

    func append(_ mark: HistoryMark) throws {
        try db.cachedStatement(sql: "INSERT INTO history VALUES (?, ?, ?)")
            .execute(arguments: [zone, mark.number, Int64(bitPattern: mark.hash)])
    }
}
