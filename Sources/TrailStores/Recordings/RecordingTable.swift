import Core
import Formats
import Foundation
import GRDB

/// The table of recordings beside the app's hikes. Apps ignore it; it is created when the first recording is
/// stored.
enum RecordingTable {
    static let name = "rutter_recordings"
    private static let create = """
        CREATE TABLE IF NOT EXISTS rutter_recordings (
            hike_id TEXT PRIMARY KEY, version INTEGER NOT NULL,
            track_check TEXT NOT NULL, facts INTEGER NOT NULL, sha256 TEXT,
            points BLOB NOT NULL, details TEXT NOT NULL,
            original_points BLOB, original_details TEXT
        )
        """

    /// Unknown values of a recording, as bits of `facts`: the app's row has no NULL for these.
    enum Unknown {
        static let climb = 1
        static let times = 2
        static let place = 4
    }

    static func exists(_ db: Database) throws -> Bool { try db.tableExists(name) }

    /// A checksum of the app's track (length and 64-bit FNV-1a): a recording is used only while the track is
    /// unchanged.
    static func check(of track: Data) -> String {
        "\(track.count):" + String(track.withUnsafeBytes { FNV1a.hash($0) }, radix: 16)
    }

    static func facts(of recording: Recording) -> Int {
        let hasClimb = HikeStatistics.knowsClimb(
            recording.line.segments.lazy.map { $0.lazy.map(\.coordinate) })
        let hasTimes = recording.hasTimes || !recording.line.unplaced.isEmpty
        return (hasClimb ? 0 : Unknown.climb) | (hasTimes ? 0 : Unknown.times)
            | (recording.line.pointCount > 0 ? 0 : Unknown.place)
    }

    /// Stores a recording.
    static func insert(_ recording: PackedRecording, of id: UUID, _ db: Database) throws {
        try db.execute(sql: create)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO rutter_recordings (hike_id, version, track_check, facts, sha256, points, details, \
                original_points, original_details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.uuidString, RecordingSettings.version, check(of: recording.track), recording.facts,
                recording.sha256, recording.points, recording.details, recording.original?.points,
                recording.original?.details,
            ])
    }

    /// The recording of a hike, or the one before its first edit; `nil` if there is none, or if the app
    /// changed the track since.
    static func recording(
        of id: UUID, track: Data, original: Bool, source: String, _ db: Database
    ) throws -> Recording? {
        guard try exists(db),
            let row = try TypedRow.first(
                db,
                """
                SELECT version, track_check, points, details, original_points, original_details \
                FROM rutter_recordings WHERE hike_id = ?
                """, of: "rutter_recordings", arguments: [id.uuidString])
        else { return nil }
        guard let version: Int = try row.allow("version"), RecordingSettings.versions.contains(version),
            try row.allow("track_check") == check(of: track)
        else { return nil }
        func cell<Value: DatabaseValueConvertible>(_ name: String) throws(RutterError) -> Value? {
            if original, let value: Value = try row.allow("original_\(name)") { return value }
            return try row.allow(name)
        }
        let (blob, text): (Data?, String?) = (try cell("points"), try cell("details"))
        guard let blob, let text else { return nil }
        return try RecordingDetails.recording(
            text, RecordingCodec.segments(blob, source: source), source: source)
    }

    /// The facts by hike, for recordings whose track has the stored length, and the rows whose facts cannot be read: these hikes are
    /// shown with the figures of the app.
    static func facts(_ db: Database) throws -> (known: [UUID: Int], problems: [RowProblem]) {
        guard try exists(db) else { return ([:], []) }
        let rows = try TypedRow.all(
            db,
            """
            SELECT r.rowid AS number, r.hike_id, r.facts FROM rutter_recordings r JOIN saved_routes s ON s.id = r.hike_id \
            WHERE r.facts != 0 AND r.version BETWEEN ? AND ? \
            AND r.track_check LIKE length(s.track_data) || ':%'
            """, of: "rutter_recordings",
            arguments: [RecordingSettings.versions.lowerBound, RecordingSettings.version])
        var known: [UUID: Int] = [:]
        var problems: [RowProblem] = []
        for row in rows {
            var id: String?
            do throws(RutterError) {
                let text: String = try row.require("hike_id")
                id = text
                let facts: Int = try row.require("facts")
                if let hike = UUID(uuidString: text), known[hike] == nil { known[hike] = facts }
            } catch {
                problems.append(RowProblem(row: try row.require("number"), id: id, what: error.message))
            }
        }
        return (known, problems)
    }

    /// The hikes imported from a file with this hash.
    static func hikes(from sha256: String, _ db: Database) throws -> [UUID] {
        guard try exists(db) else { return [] }
        return try String.fetchAll(
            db,
            sql: """
                SELECT r.hike_id FROM rutter_recordings r JOIN saved_routes s ON s.id = r.hike_id \
                WHERE r.sha256 = ? ORDER BY r.hike_id
                """, arguments: [sha256]
        ).compactMap(UUID.init(uuidString:))
    }

    /// The row of a hike.
    static func row(of id: UUID, _ db: Database) throws -> Int64? {
        guard try exists(db) else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT rowid FROM rutter_recordings WHERE hike_id = ?", arguments: [id.uuidString])
    }
}
