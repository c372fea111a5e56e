import CivilTime
import Core
import Foundation
import GRDB
import Geodesy

/// `routes.db`: the recorded hikes of an app or of a session.
public final class HikeStore: Sendable {
    private let records: RecordTable<Hike>
    /// The connection, for checks and queries.
    public var connection: StoreConnection { records.connection }
    /// How unreadable rows in lists are handled.
    public var unreadable: UnreadablePolicy? { records.unreadable }

    /// Opens a store; a writable one is created or migrated.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        records = try RecordTable(url, access: access)
    }

    // MARK: Reading

    /// All hikes, newest first.
    public func all() throws(RutterError) -> [Hike] { try records.all() }

    /// All readable hikes, newest first, and the problems of the other rows.
    public func readable() throws(RutterError) -> (hikes: [Hike], problems: [RowProblem]) {
        try connection.read { db in
            let (hikes, problems) = try records.readable(db)
            return (hikes, problems + (try RecordingTable.facts(db).problems))
        }
    }

    /// A hike by its identifier.
    public func hike(_ id: UUID) throws(RutterError) -> Hike? { try records.record(id) }

    /// The hikes whose identifier begins with a prefix.
    public func hikes(idPrefix: String, limit: Int) throws(RutterError) -> [Hike] {
        try records.records(idPrefix: idPrefix, limit: limit)
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
            guard let row = try RowIdentifier.find(db, HikeSchema.table, hike.id) else { return Data() }
            return try Data.fetchOne(
                db, sql: "SELECT track_data FROM saved_routes WHERE rowid = ?", arguments: [row]) ?? Data()
        }
    }

    /// An identifier that the store does not have yet.
    public func freshID(_ next: () -> UUID) throws(RutterError) -> UUID { try records.freshID(next) }

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
            let statement = try records.insertion(db, further: [Hike.trackColumn])
            for (hike, track) in rows { try insert(hike, track, by: statement) }
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
            let statement = try records.insertion(db, further: [Hike.trackColumn])
            for (hike, recording) in rows {
                try insert(hike, recording.track, by: statement)
                try RecordingTable.insert(recording, of: hike.id, db)
            }
        }
    }

    private func insert(_ hike: Hike, _ track: Data, by statement: RawStatement) throws {
        statement.bind(RecordTable.bind(hike, to: statement), track)
        try statement.run()
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
            guard let present = try records.record(db, before.id), present.record.isStored(as: before)
            else { return nil }
            let old = try takeRows(db, present.row, before.id)
            for row in old { try row.restore(db) }
            // The row was restored under another number.
            guard let row = try RowIdentifier.find(db, HikeSchema.table, before.id) else { return nil }
            try records.write(
                db, row, before, to: after, further: [(Hike.trackColumn, packed.track.databaseValue)])
            try RecordingTable.insert(packed, of: before.id, db)
            return old
        }
    }

    /// Writes the differences between two states of a hike. Returns `false` and writes nothing if the hike differs from
    /// `before`.
    @discardableResult
    public func update(_ before: Hike, to after: Hike) throws(RutterError) -> Bool {
        try connection.write { db in try records.update(db, before, to: after) }
    }

    /// Removes hikes with their tracks, all or none. With `onlyUnchanged` they must equal the given values.
    public func remove(
        _ hikes: [Hike], onlyUnchanged: Bool = false
    ) throws(RutterError) -> RecordRemoval<Hike> {
        try records.remove(hikes, onlyUnchanged: onlyUnchanged, take: takeRows)
    }

    /// Removes the app's row and the recording beside it.
    private func takeRows(_ db: Database, _ row: Int64, _ id: UUID) throws -> [StoredRow] {
        var rows = [try StoredRow.take(db, HikeSchema.table, rowID: row)]
        if let recording = try RecordingTable.row(of: id, db) {
            rows.append(try StoredRow.take(db, RecordingTable.name, rowID: recording))
        }
        return rows.compactMap { $0 }
    }

    /// Restores hikes with all columns, all or none. Returns `false` if one of them exists.
    public func restore(_ rows: [StoredRow]) throws(RutterError) -> Bool { try records.restore(rows) }
}
