import CivilTime
import Core
import Foundation
import GRDB
import Geodesy

/// `routes.db`: the recorded hikes of an app or of a session.
public final class HikeStore: Sendable {
    /// The connection, for checks and queries.
    public let connection: StoreConnection
    /// How unreadable rows in lists are handled.
    public let unreadable: UnreadablePolicy? = UnreadablePolicy()
    private let columns: String
    private static let table = "saved_routes"

    /// Opens a store; a writable one is created or migrated.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        let connection = try StoreConnection(url, access: access)
        func columns() throws(RutterError) -> Set<String> {
            try connection.read { db in try HikeSchema.columns(db, path: url.lastPathComponent) }
        }
        // A foreign database of another kind gets neither our table nor our columns.
        let exists = try connection.read { db in try db.tableExists(Self.table) }
        if access == .foreignWritable || (access == .own && exists) { _ = try columns() }
        if access != .foreign, try connection.read({ try HikeSchema.needsMigration($0) }) {
            try connection.write { db in try HikeSchema.migrate(db) }
        }
        self.columns = HikeRow.columns(try columns())
        if access != .own {
            try connection.read { try StoreErrors.requireRowNumbers(Self.table, $0, url.lastPathComponent) }
        }
        self.connection = connection
    }

    // MARK: Reading

    /// All hikes, newest first.
    public func all() throws(RutterError) -> [Hike] {
        let hikes = try fetch("ORDER BY start_time DESC, id", [])
        // SQLite sorts times as text, in which those with and without a fraction are not in order.
        func isBefore(_ left: Hike, _ right: Hike) -> Bool {
            left.startTime == right.startTime
                ? left.id < right.id : left.startTime > right.startTime
        }
        let isInOrder = zip(hikes, hikes.dropFirst()).allSatisfy { !isBefore($1, $0) }
        return isInOrder ? hikes : hikes.sorted(by: isBefore)
    }

    /// All readable hikes, newest first, and the problems of the other rows.
    public func readable() throws(RutterError) -> (hikes: [Hike], problems: [RowProblem]) {
        try connection.read { db in
            let row = try RawStatement(
                db, "SELECT rowid, \(columns) FROM saved_routes ORDER BY start_time DESC, id", isCached: true)
            var found: [Hike] = []
            var problems: [RowProblem] = []
            while try row.next() {
                do throws(RutterError) { found.append(try HikeRow.hike(row, from: 1)) } catch {
                    problems.append(RowProblem(row: row.integer(0), id: row.text(1), what: error.message))
                }
            }
            found.sort { ($1.startTime, $0.id) < ($0.startTime, $1.id) }
            problems += try RecordingTable.facts(db).problems
            return (try marked(found, db), problems)
        }
    }

    /// A hike by its identifier.
    public func hike(_ id: UUID) throws(RutterError) -> Hike? {
        try connection.read { db in try hike(db, id)?.hike }
    }

    /// The hikes whose identifier begins with a prefix.
    public func hikes(idPrefix: String, limit: Int) throws(RutterError) -> [Hike] {
        guard !idPrefix.isEmpty, idPrefix.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
        return try fetch("WHERE id LIKE ? ORDER BY id LIMIT ?", [idPrefix + "%", limit])
    }

    /// The hikes with exactly this name; if there are none, ignoring case and accents.
    public func hikes(named name: String) throws(RutterError) -> [Hike] {
        let hikes = try all()
        let exact = hikes.filter { $0.name == name }
        if !exact.isEmpty || name.isEmpty { return exact }
        let folded = name.foldedForSearch
        return hikes.filter { $0.name.foldedForSearch == folded }
    }

    /// The points of the app's track of a hike. Throws `E-STORE-TRACK` if they cannot be decoded, or (unless
    /// `checksCoordinates` is off) if one is out of range.
    public func track(of hike: Hike, checksCoordinates: Bool = true) throws(RutterError) -> [TrackPoint] {
        try TrackCodec.decode(trackData(of: hike), source: source(hike), checksCoordinates: checksCoordinates)
    }

    /// The recording of a hike: the one stored beside it, or else the app's track. Throws as
    /// `track(of:checksCoordinates:)` does.
    public func recording(of hike: Hike, checksCoordinates: Bool = true) throws(RutterError) -> Recording {
        let blob = try trackData(of: hike)
        let source = source(hike)
        let stored = try connection.read { db in
            try RecordingTable.recording(of: hike.id, track: blob, original: false, source: source, db)
        }
        if let stored { return stored }
        return Recording(
            track: try TrackCodec.decode(blob, source: source, checksCoordinates: checksCoordinates), of: hike
        )
    }

    /// The recording of a hike before its first edit.
    public func original(of hike: Hike) throws(RutterError) -> Recording {
        let blob = try trackData(of: hike)
        let source = source(hike)
        let stored = try connection.read { db in
            try RecordingTable.recording(of: hike.id, track: blob, original: true, source: source, db)
        }
        if let stored { return stored }
        return try recording(of: hike)
    }

    /// The hikes imported from a file with this SHA-256.
    public func hikes(from sha256: String) throws(RutterError) -> [Hike] {
        let ids = try connection.read { db in try RecordingTable.hikes(from: sha256, db) }
        var found: [Hike] = []
        for id in ids { if let hike = try hike(id) { found.append(hike) } }
        return found
    }

    private func source(_ hike: Hike) -> String {
        "\(connection.url.lastPathComponent), hike \(hike.id.uuidString)"
    }

    private func trackData(of hike: Hike) throws(RutterError) -> Data {
        try connection.read { db in
            guard let row = try RowIdentifier.find(db, Self.table, hike.id) else { return Data() }
            return try Data.fetchOne(
                db, sql: "SELECT track_data FROM saved_routes WHERE rowid = ?", arguments: [row]) ?? Data()
        }
    }

    /// An identifier that the store does not have yet. A session with the seed of an earlier one generates
    /// the same identifiers again.
    public func freshID(_ next: () -> UUID) throws(RutterError) -> UUID {
        while true {
            let id = next()
            let isTaken = try connection.read { db in try RowIdentifier.exact(db, Self.table, id) != nil }
            if !isTaken { return id }
        }
    }

    // MARK: Writing

    /// Adds a hike with its points.
    public func insert(_ hike: Hike, track: [TrackPoint]) throws(RutterError) {
        try insertAll([(hike, track)])
    }

    /// Adds hikes with their points, all or none.
    public func insertAll(_ hikes: [(hike: Hike, points: [TrackPoint])]) throws(RutterError) {
        try NativeLibrary.zlib.require()
        var rows: [(Hike, Data)] = []
        for (hike, points) in hikes {
            try Interruption.check()
            rows.append((hike, TrackCodec.encode(points, start: hike.startTime)))
        }
        try connection.write { db in
            let statement = try RawStatement(db, HikeRow.insertion)
            for (hike, track) in rows {
                try HikeRow.insert(hike, track: track, by: statement)
            }
        }
    }

    /// A new hike with its recording; `points` if they are already being packed.
    public typealias NewHike = (hike: Hike, recording: Recording, points: PackingPoints?)

    /// Adds hikes with their recordings and app tracks, all or none.
    public func insertAll(_ hikes: [(hike: Hike, recording: Recording)]) throws(RutterError) {
        try insertAll(hikes.map { NewHike($0.hike, $0.recording, nil) })
    }

    /// Adds hikes with their recordings and app tracks, all or none.
    public func insertAll(_ hikes: [NewHike]) throws(RutterError) {
        var rows: [(hike: Hike, recording: PackedRecording)] = []
        for (hike, recording, points) in hikes {
            try Interruption.check()
            rows.append((hike, try PackedRecording(recording, start: hike.startTime, points: points)))
        }
        try connection.write { db in
            let statement = try RawStatement(db, HikeRow.insertion)
            for (hike, recording) in rows {
                try HikeRow.insert(hike, track: recording.track, by: statement)
                try RecordingTable.insert(recording, of: hike.id, db)
            }
        }
    }

    /// Replaces the recording of a hike, the figures derived from it, and name and comment where they differ; keeps the
    /// recording before its first edit. Returns the previous rows, which `restore` brings back once the current ones are removed;
    /// returns `nil` and writes nothing if the hike differs from `before`.
    public func replace(
        _ before: Hike, with after: Hike, recording: Recording
    ) throws(RutterError) -> [StoredRow]? {
        let packed = try PackedRecording(
            recording, start: after.startTime, original: try original(of: before))
        return try connection.write { db in
            guard let present = try hike(db, before.id), present.hike.isStored(as: before)
            else { return nil }
            let old = try takeRows(db, present.row, before.id)
            for row in old { try row.restore(db) }
            // The row was restored under another number.
            guard let row = try RowIdentifier.find(db, Self.table, before.id) else { return nil }
            try HikeRow.updateMeasures(after, track: packed.track, row: row, db)
            if after.name != before.name || after.comment != before.comment {
                try HikeRow.updateTexts(after, row: row, db)
            }
            try RecordingTable.insert(packed, of: before.id, db)
            return old
        }
    }

    /// Writes a hike's name and comment. Returns `false` and writes nothing if the hike differs from
    /// `before`.
    @discardableResult
    public func update(_ before: Hike, to after: Hike) throws(RutterError) -> Bool {
        try connection.write { db in
            guard let present = try hike(db, before.id), present.hike.isStored(as: before)
            else { return false }
            try HikeRow.updateTexts(after, row: present.row, db)
            return true
        }
    }

    /// The outcome of a removal.
    public enum Removal: Sendable {
        /// They were removed; these rows restore them.
        case removed([StoredRow])
        /// Nothing was done, because this one is missing or changed.
        case changed(Hike)
    }

    /// Removes hikes with their tracks, all or none. With `onlyUnchanged` they must equal the given values.
    public func remove(_ hikes: [Hike], onlyUnchanged: Bool = false) throws(RutterError) -> Removal {
        try connection.write { db in
            var found: [Int64] = []
            for wanted in hikes {
                guard let present = try hike(db, wanted.id),
                    !onlyUnchanged || present.hike.isStored(as: wanted)
                else {
                    return .changed(wanted)
                }
                found.append(present.row)
            }
            return .removed(try zip(found, hikes).flatMap { try takeRows(db, $0, $1.id) })
        }
    }

    /// Removes the app's row and the recording beside it.
    private func takeRows(_ db: Database, _ row: Int64, _ id: UUID) throws -> [StoredRow] {
        var rows = [try StoredRow.take(db, Self.table, rowID: row)]
        if let recording = try RecordingTable.row(of: id, db) {
            rows.append(try StoredRow.take(db, RecordingTable.name, rowID: recording))
        }
        return rows.compactMap { $0 }
    }

    /// Restores hikes with all columns, all or none. Returns `false` if one of them exists.
    public func restore(_ rows: [StoredRow]) throws(RutterError) -> Bool {
        try connection.write { db in
            for row in rows {
                if let id = row.id, try RowIdentifier.find(db, Self.table, id) != nil { return false }
            }
            for row in rows { try row.restore(db) }
            return true
        }
    }

    // MARK: Parts

    private func hike(_ db: Database, _ id: UUID) throws -> (row: Int64, hike: Hike)? {
        guard let row = try RowIdentifier.find(db, Self.table, id) else { return nil }
        return try fetch(db, "WHERE rowid = ?", [row]).first.map { (row, $0) }
    }

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws(RutterError) -> [Hike] {
        try connection.read { db in
            let sql = "SELECT rowid, \(columns) FROM saved_routes \(condition)"
            let row = try RawStatement(db, sql, arguments: arguments, isCached: true)
            let found = try UnreadablePolicy.reading(unreadable, connection.url.lastPathComponent, row) {
                (row) throws(RutterError) in
                try HikeRow.hike(row, from: 1)
            }
            return try marked(found, db)
        }
    }

    private func fetch(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [Hike]
    {
        let sql = "SELECT \(columns) FROM saved_routes \(condition)"
        let row = try RawStatement(db, sql, arguments: arguments, isCached: true)
        var found: [Hike] = []
        while try row.next() { found.append(try HikeRow.hike(row)) }
        return try marked(found, db)
    }

    /// Marks the values unknown to the hikes' recordings: their rows have zeros there, which the app
    /// requires.
    private func marked(_ hikes: [Hike], _ db: Database) throws -> [Hike] {
        let facts = try RecordingTable.facts(db).known
        if facts.isEmpty { return hikes }
        var found = hikes
        for index in found.indices {
            guard let bits = facts[found[index].id] else { continue }
            found[index].isClimbKnown = bits & RecordingTable.Unknown.climb == 0
            found[index].areTimesKnown = bits & RecordingTable.Unknown.times == 0
            found[index].isPlaceKnown = bits & RecordingTable.Unknown.place == 0
        }
        return found
    }
}
