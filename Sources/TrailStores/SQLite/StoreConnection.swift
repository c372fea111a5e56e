import Foundation
import GRDB
import PluginKit

/// How a database is opened.
public enum StoreAccess: Sendable {
    /// The session's own store: made when it is missing, migrated, with a write-ahead log.
    case own
    /// Another program's store, for reading: neither the file nor its folder changes by a byte.
    case foreign
    /// Another program's store, for writing: migrated column by column, its journal mode left as it is.
    case foreignWritable
}

/// An open SQLite database.
public final class StoreConnection: Sendable {
    /// The file that was asked for.
    public let url: URL
    /// How it was opened.
    public let access: StoreAccess
    /// The queue that all access goes through.
    public let queue: DatabaseQueue
    /// Whether a copy is read, because another program's write-ahead log had to be taken into account.
    public let readsCopy: Bool
    private let scratch: URL?

    /// Opens a database; throws an error of `StoreErrors` or `CommonErrors`.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        self.url = url
        self.access = access
        var copy: URL?
        do {
            if access != .own { try SQLiteFile.requireDatabase(url) }
            let path: String
            switch access {
            case .own, .foreignWritable: path = url.path
            case .foreign:
                copy = try ForeignSource.copyIfNeeded(url)
                path = try copy.map(ForeignSource.file(in:)) ?? ForeignSource.untouchedPath(url)
            }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration(access))
            // Opening reads nothing yet: a damaged header shows with the first statement.
            try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
        } catch {
            if let copy { try? FileManager.default.removeItem(at: copy) }
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
        scratch = copy
        readsCopy = copy != nil
    }

    deinit {
        try? queue.close()
        if let scratch { try? FileManager.default.removeItem(at: scratch) }
    }

    private static func configuration(_ access: StoreAccess) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(StoreSettings.busyTimeout)
        configuration.readonly = access == .foreign
        if access == .own { configuration.journalMode = .wal }
        // Apps declare foreign keys without keeping them; enforcing them here would refuse what they accept.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // With a write-ahead log FULL also survives a power cut: what was acknowledged is on the disk.
            if access == .own { try db.execute(sql: "PRAGMA synchronous = FULL") }
        }
        return configuration
    }

    /// Reads in one transaction.
    public func read<T>(_ body: (Database) throws -> T) throws(RutterError) -> T {
        do {
            return try queue.read(body)
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    /// Writes in one transaction: all of it happens, or nothing.
    public func write<T>(_ body: (Database) throws -> T) throws(RutterError) -> T {
        if access == .foreign {
            throw StoreErrors.readOnly("\(url.lastPathComponent) is open for reading only")
        }
        do {
            return try queue.write(body)
        } catch {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }
}

/// Facts about a file that can be told without opening it as a database.
enum SQLiteFile {
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let headerSize = 100

    /// Throws when there is no regular file here that begins like a database. An empty file is an empty database
    /// to SQLite, but nobody's store.
    static func requireDatabase(_ url: URL) throws(RutterError) {
        guard let header = try header(of: url), header.starts(with: magic) else {
            throw StoreErrors.notADatabase("\(url.lastPathComponent) is no SQLite database")
        }
    }

    /// The first 100 bytes, or fewer; `nil` for what is no regular file. Never waits on a device or pipe.
    static func header(of url: URL) throws(RutterError) -> [UInt8]? {
        var info = stat()
        guard stat(url.path, &info) == 0 else {
            throw CommonErrors.fileMissing("there is no file \(url.lastPathComponent)")
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is no regular file")
        }
        guard let handle = try? FileHandle(forReadingFrom: url) else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) may not be read")
        }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: headerSize)).flatMap { $0 }.map(Array.init)
    }

    /// Whether the header says that the database has a write-ahead log.
    static func hasWriteAheadLog(_ header: [UInt8]) -> Bool {
        header.count > 19 && header[18] == 2 && header[19] == 2
    }
}

/// What to open so that nothing is written beside another program's store.
private enum ForeignSource {
    /// A folder with a copy of a database whose log or journal has to be taken into account; `nil` when it has none.
    static func copyIfNeeded(_ url: URL) throws -> URL? {
        let companions = ["-wal", "-journal"].filter { size(url.path + $0) > 0 }
        if companions.isEmpty { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-store-\(getpid())-\(UInt64.random(in: 0 ... .max))", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            // The log first: a checkpoint between the two copies then only repeats what the log says.
            for suffix in companions {
                try FileManager.default.copyItem(atPath: url.path + suffix, toPath: file(in: folder) + suffix)
            }
            try FileManager.default.copyItem(atPath: url.path, toPath: file(in: folder))
            try recover(file(in: folder))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        return folder
    }

    /// Lets SQLite roll back or take in what the journal or log says; it cannot in a file open for reading only.
    private static func recover(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
        try queue.close()
    }

    static func file(in folder: URL) -> String { folder.appendingPathComponent("store.db").path }

    /// Without a log nobody writes just now; `immutable` keeps SQLite from making one of its own.
    static func untouchedPath(_ url: URL) throws(RutterError) -> String {
        let header = try SQLiteFile.header(of: url) ?? []
        return SQLiteFile.hasWriteAheadLog(header) ? "file:\(escaped(url.path))?immutable=1" : url.path
    }

    private static func size(_ path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    private static func escaped(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    }
}
