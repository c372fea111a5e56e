import Core
import Foundation
import GRDB

/// How a database is opened.
public enum StoreAccess: Sendable {
    /// The session's own store: created if missing, migrated, with a write-ahead log.
    case own
    /// The session's own store, for reading beside the connection that writes it.
    case ownReading
    /// Another program's store, for reading: neither the file nor its folder is changed.
    case foreign
    /// Another program's store, for writing: missing columns are added, its journal mode is kept.
    case foreignWritable

    /// Whether it can be written.
    public var isWritable: Bool { self == .own || self == .foreignWritable }
}

/// An open SQLite database.
public final class StoreConnection: Sendable {
    /// The requested file.
    public let url: URL
    /// The access.
    public let access: StoreAccess
    /// The queue of all accesses.
    public let queue: DatabaseQueue
    /// Whether a copy is read, because another program's write-ahead log has to be included.
    public let readsCopy: Bool
    /// Whether the file itself is read with a copy of its log, because it is large.
    public var readsCopyOfLog: Bool { watched != nil }
    /// The recognised documents, if they are read as a table in memory; `nil` for a database.
    public let recognition: StoreRecognition?
    private let scratch: URL?
    private let header: [UInt8]
    private let watched: ForeignSource.Watched?
    /// The state of the files when they were copied; `nil` if the file itself is read.
    private let snapshot: [SQLiteFile.State?]?

    /// Whether another program has changed the files since they were opened.
    public var isStale: Bool {
        guard let snapshot else { return false }
        // Missing or replaced files have changed too.
        return (try? Self.states(url, recognition)) != snapshot
    }

    private static func states(_ url: URL, _ documents: StoreRecognition?) throws -> [SQLiteFile.State?] {
        if documents == nil { return try ForeignSource.states(url.resolvingSymlinksInPath()) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue
        else {
            return [try SQLiteFile.State(url)]
        }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().map {
            // Folders beside the documents do not count.
            try? SQLiteFile.State(url.appendingPathComponent($0))
        }
    }

    /// Opens a database; throws an error of `StoreErrors` or `CommonErrors`. `pageSize` is that of a new file
    /// in bytes, a power of two up to 65,536; SQLite's default is 4,096.
    public init(_ url: URL, access: StoreAccess, pageSize: Int? = nil) throws(RutterError) {
        self.url = url
        self.access = access
        recognition = nil
        var copy: URL?
        var taken: [SQLiteFile.State?]?
        do {
            switch access {
            case .own, .ownReading, .foreignWritable:
                // Reading the header here would, on closing the file, drop the locks that another connection
                // of this process holds on it: SQLite must recognise it.
                if access != .own { try SQLiteFile.requireContent(url) }
                if access == .own, let target = DanglingLink.target(of: url.path) {
                    throw CommonErrors.fileAccess(
                        "\(url.lastPathComponent) is a link to \(target), which is not there",
                        fix: "mount or restore what the link leads to, or remove the link")
                }
                let configuration = Self.configuration(access, pageSize: pageSize)
                queue = try DatabaseQueue(path: url.path, configuration: configuration)
                scratch = nil
                header = []
                watched = nil
            case .foreign:
                // Before the copy: a write between this and the copy causes it to be reread.
                taken = try ForeignSource.states(url.resolvingSymlinksInPath())
                let source = try ForeignSource(url)
                copy = source.scratch
                scratch = source.scratch
                header = source.header
                watched = source.watched
                let configuration = Self.configuration(
                    access, isCopy: source.scratch != nil && source.watched == nil,
                    isAlone: source.watched != nil)
                queue = try DatabaseQueue(path: source.path, configuration: configuration)
            }
            readsCopy = scratch != nil && watched == nil
            // A file in rollback mode without a journal is read directly, always in its current state.
            let isPlain = scratch == nil && !SQLiteFile.hasWriteAheadLog(header)
            snapshot = isPlain ? nil : taken
            // Opening reads nothing yet: a damaged header is detected by the first statement.
            try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
        } catch {
            // A connection that was not opened is never closed, so its copy is deleted here.
            if let copy { FileManager.default.discard(copy) }
            throw Self.explained(StoreErrors.wrap(error, path: url.lastPathComponent), url)
        }
    }

    /// Extends an error of opening with the cause found in the file's bytes: truncated, another page size, a
    /// newer format.
    private static func explained(_ error: RutterError, _ url: URL) -> RutterError {
        let kinds = [StoreErrors.corrupt.code, StoreErrors.other.code]
        // A file without the first bytes of a database has its words already; SQLite refuses others by their header.
        let isRefused = error.code == StoreErrors.notADatabase.code && SQLiteFile.hasMagic(url)
        guard kinds.contains(error.code) || isRefused, let diagnosis = FileDiagnosis.of(url).first else {
            return error
        }
        let what = "\(url.lastPathComponent): \(diagnosis.what)"
        let isOther = [.encrypted, .compressed, .otherFile].contains(diagnosis.cause)
        return isOther
            ? StoreErrors.notADatabase("not a SQLite database: \(what)", fix: diagnosis.fix)
            : StoreErrors.corrupt(what, fix: diagnosis.fix)
    }

    /// An empty database in memory, for statements without a store.
    public init(emptyNamed name: String) throws(RutterError) {
        url = URL(fileURLWithPath: name)
        access = .ownReading
        do {
            queue = try DatabaseQueue(configuration: Self.configuration(.ownReading, isCopy: true))
        } catch {
            throw StoreErrors.wrap(error, path: name)
        }
        recognition = nil
        readsCopy = false
        scratch = nil
        header = []
        watched = nil
        snapshot = nil
    }

    /// JSON documents as a table in memory, for reading.
    public init(_ documents: DocumentFiles) throws(RutterError) {
        url = documents.url
        access = .foreign
        recognition = documents.recognition
        readsCopy = true
        scratch = nil
        header = []
        watched = nil
        do {
            snapshot = try Self.states(documents.url, documents.recognition)
            queue = try DatabaseQueue(configuration: Self.configuration(.foreign, isCopy: true))
            try queue.write { db in try DocumentImage.fill(db, documents) }
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    /// A store for reading, of any kind: a database, a folder of documents or a file of them.
    public static func reading(_ url: URL, access: StoreAccess = .foreign) throws(RutterError)
        -> StoreConnection
    {
        if DocumentFiles.mayBe(url) { return try StoreConnection(try DocumentFiles(url)) }
        return try StoreConnection(url, access: access)
    }

    deinit {
        // A queue that is still in use closes with its last reader.
        try? queue.close()
        if let scratch { FileManager.default.discard(scratch) }
    }

    private static func configuration(
        _ access: StoreAccess, isCopy: Bool = false, isAlone: Bool = false, pageSize: Int? = nil
    ) -> Configuration {
        var configuration = Configuration()
        let waits = LockWaits()
        configuration.busyMode = .callback { waits.mayWait(afterTries: $0) }
        // A copied journal must be rolled back, which writes to the copy.
        configuration.readonly = !access.isWritable && !isCopy
        // Apps declare foreign keys without enforcing them; enforcing them here would reject rows that they
        // accept.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            StoreInterruption.watch(db.sqliteConnection)
            // The index of a log that is read without locks is in memory, as for an exclusive connection.
            // This must come first: any other statement would already open the log.
            if isAlone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            if let pageSize { try db.execute(sql: "PRAGMA page_size = \(pageSize)") }
            if access == .own { try waits.whileLocked { try useWriteAheadLog(db) } }
            try db.execute(sql: "PRAGMA cache_size = -\(StoreSettings.pageCache)")
            // With a write-ahead log, FULL also survives a power failure: acknowledged commits are on the
            // disk.
            if access == .own { try db.execute(sql: "PRAGMA synchronous = FULL") }
            // A foreign schema must not run functions, nor damaged pages cause errors.
            if access == .foreign || access == .foreignWritable {
                try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            }
        }
        return configuration
    }

    /// Writes only to a database without a log: GRDB's own setting writes a transaction at each opening, and
    /// reading a store must not change it.
    private static func useWriteAheadLog(_ db: Database) throws {
        // Read to the end: the statement returns `wal` before the file is written, and only its last step
        // reports a disk failure.
        guard try String.fetchAll(db, sql: "PRAGMA journal_mode = WAL") == ["wal"] else {
            throw DatabaseError(message: "a write-ahead log cannot be created here")
        }
    }

    /// The journal mode in the header: `wal` or `rollback`.
    public func journalMode() throws(RutterError) -> String {
        if !header.isEmpty { return SQLiteFile.hasWriteAheadLog(header) ? "wal" : "rollback" }
        let mode = try read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
        return mode == "wal" ? "wal" : "rollback"
    }

    /// Reads in one transaction.
    public func read<T>(_ body: (Database) throws -> T) throws(RutterError) -> T {
        var result: Result<T, any Error>?
        do {
            return try queue.read { db in
                let value = Result {
                    try checkUnchanged()
                    let value = try body(db)
                    // If the file changed during the read, the result mixes two states.
                    try checkUnchanged()
                    return value
                }
                result = value
                return try value.get()
            }
        } catch {
            // In a damaged file even the end of a read transaction can fail; the result is still valid.
            if case .success(let value) = result { return value }
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    /// Throws `E-STORE-LOCKED` if a file that is read with a copy of its log has changed since it was opened.
    package func checkUnchanged() throws(RutterError) { try watched?.check() }

    /// Reads a few rows without a transaction, whose start and end cost more than the read and make SQLite
    /// prepare its statements again. `body` must not write.
    public func look<T>(_ body: (Database) throws -> T) throws(RutterError) -> T {
        do { return try queue.unsafeRead(body) } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    /// Writes in one transaction: everything or nothing, also when the task is cancelled before the end.
    public func write<T>(_ body: (Database) throws -> T) throws(RutterError) -> T {
        if !access.isWritable {
            throw StoreErrors.readOnly("\(url.lastPathComponent) is open for reading only")
        }
        do {
            return try queue.write { db in
                let value = try body(db)
                // The last point before anything is committed.
                if StoreInterruption.isRequested { throw Interruption.stopped }
                return value
            }
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }
}
