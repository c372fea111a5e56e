import Core
import Foundation
import GRDB

/// Properties of a file, determined without opening it as a database.
package enum SQLiteFile {
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let headerSize = 100

    /// Throws if there is no regular, non-empty file. An empty file is an empty database to SQLite, but not a
    /// store.
    static func requireContent(_ url: URL) throws(RutterError) {
        guard try State(url).size > 0 else {
            throw StoreErrors.notADatabase("not a SQLite database: \(url.lastPathComponent) is empty")
        }
    }

    /// The first 100 bytes of a database; throws if there is no regular file that begins like one.
    static func header(of url: URL) throws(RutterError) -> [UInt8] {
        try requireContent(url)
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: url)
            bytes = try handle.read(upToCount: headerSize).map(Array.init) ?? []
            try handle.close()
        } catch {
            throw CommonErrors.unreadable(url.lastPathComponent, error)
        }
        guard bytes.starts(with: magic) else { throw notADatabase(url) }
        return bytes
    }

    /// Whether a file begins like a database.
    static func hasMagic(_ url: URL) -> Bool {
        FileBytes(url).map { $0.bytes(at: 0, count: magic.count) == Array(magic) } ?? false
    }

    /// The error for a file that is not a database, with its actual format if recognised.
    static func notADatabase(_ url: URL) -> RutterError {
        let name = url.lastPathComponent
        let diagnosis = FileDiagnosis.of(url).first
        guard let diagnosis else { return StoreErrors.notADatabase("not a SQLite database: \(name)") }
        return StoreErrors.notADatabase(
            "not a SQLite database: \(name): \(diagnosis.what)", fix: diagnosis.fix)
    }

    /// Whether the header states a write-ahead log. For reading, SQLite checks only the read version (the
    /// second byte).
    static func hasWriteAheadLog(_ header: [UInt8]) -> Bool { header.count > 19 && header[19] == 2 }

    /// The identity, size and modification time of a file, which change when it is written.
    package struct State: Equatable, Sendable {
        package var size = 0
        private var device: UInt = 0
        private var file: UInt = 0
        private var seconds = 0
        private var nanoseconds = 0

        /// The state of a regular file; never blocks on a device or pipe.
        package init(_ url: URL) throws(RutterError) {
            var info = stat()
            guard stat(url.path, &info) == 0 else {
                let name = url.lastPathComponent
                if errno == EACCES { throw CommonErrors.fileAccess("\(name) may not be read") }
                throw CommonErrors.fileMissing("no such file: \(name)")
            }
            try self.init(info, url)
        }

        /// The state of a file that may be missing.
        init?(ifPresent url: URL) throws(RutterError) {
            var info = stat()
            guard stat(url.path, &info) == 0 else { return nil }
            try self.init(info, url)
        }

        private init(_ info: stat, _ url: URL) throws(RutterError) {
            guard info.st_mode & S_IFMT == S_IFREG else {
                let what = info.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
                throw CommonErrors.fileAccess("\(url.lastPathComponent) is \(what)")
            }
            size = Int(info.st_size)
            device = UInt(info.st_dev)
            file = UInt(info.st_ino)
            seconds = info.st_mtim.tv_sec
            nanoseconds = info.st_mtim.tv_nsec
        }
    }
}

/// What to open so that nothing is written beside another program's store.
package struct ForeignSource {
    /// A database that is read directly, with a copy of its log: it must stay unchanged.
    struct Watched: Sendable {
        private let file: URL
        private let state: SQLiteFile.State

        init(_ file: URL, _ state: SQLiteFile.State) {
            self.file = file
            self.state = state
        }

        /// Throws if the database has changed since it was opened.
        func check() throws(RutterError) {
            // A missing file has changed too.
            guard (try? SQLiteFile.State(file)) != state else { return }
            throw StoreErrors.locked(
                "\(file.lastPathComponent) was written to after it was opened",
                fix: "run `store close` and open it again, or run `store copy` directly after opening")
        }
    }

    /// A path or URI for SQLite.
    package let path: String
    /// The folder of a copy; its owner deletes it.
    package let scratch: URL?
    /// The first bytes of the database.
    let header: [UInt8]
    /// The database, if only its log was copied.
    let watched: Watched?

    private static let companions = ["-wal", "-journal"]

    package init(_ url: URL) throws {
        // SQLite looks for the log beside the file itself, not beside a symbolic link.
        let file = url.resolvingSymlinksInPath()
        if let log = try LoneLog(file) {
            guard log.isComplete else {
                throw StoreErrors.notADatabase(
                    "\(file.lastPathComponent) is \(log.words)",
                    fix: "`store repair` recovers the rows of these pages")
            }
            let folder = try FileManager.default.scratchFolder(Self.scratchName)
            let copy = folder.appendingPathComponent("store.db")
            do {
                try log.write(to: copy)
                header = try SQLiteFile.header(of: copy)
            } catch {
                FileManager.default.discard(folder)
                throw error
            }
            (path, scratch, watched) = (copy.path, folder, nil)
            return
        }
        header = try SQLiteFile.header(of: file)
        let present = try Self.companions.filter { try SQLiteFile.State(ifPresent: file + $0)?.size ?? 0 > 0 }
        if present.isEmpty {
            // Without a log there is no writer at present; `immutable` keeps SQLite from creating a log.
            let isPlain = !SQLiteFile.hasWriteAheadLog(header)
            path = isPlain ? file.path : "file:\(Self.escaped(file.path))?immutable=1"
            scratch = nil
            watched = nil
            return
        }
        let size = try SQLiteFile.State(file).size
        // A log is applied to the database while reading; a journal has to be rolled back, which writes.
        let isLarge =
            size > StoreSettings.largestCopied && present == ["-wal"] && SQLiteFile.hasWriteAheadLog(header)
        guard isLarge || size <= StoreSettings.largestRolledBack else {
            throw StoreErrors.disk(
                "\(file.lastPathComponent) has a journal to roll back, which requires a copy of all \(size >> 20) MB",
                fix: "copy it with its journal, and open the copy with --write: SQLite rolls it back there")
        }
        let folder = try FileManager.default.scratchFolder(Self.scratchName)
        let copy = folder.appendingPathComponent("store.db")
        do {
            if isLarge, LogCopyVFS.isThere {
                let log = copy + "-wal"
                // SQLite takes the permissions of a log from the database beside it.
                try Data().write(to: copy)
                watched = try Self.copyLog(of: file, to: log)
                path =
                    "file:\(Self.escaped(file.path))?vfs=\(LogCopyVFS.name)&mode=ro"
                    + "&\(LogCopyVFS.parameter)=\(Self.escaped(log.path))"
            } else {
                try Self.copyWhole(file, to: copy)
                watched = nil
                path = copy.path
            }
        } catch {
            FileManager.default.discard(folder)
            throw error
        }
        scratch = folder
    }

    /// The name of scratch folders with copies of stores; it tells the process.
    package static var scratchName: String { "store-\(getpid())" }

    /// Copies the log of a database, consistent with the database.
    private static func copyLog(of file: URL, to copy: URL) throws -> Watched {
        try retrying(file) {
            let before = try states(file)
            try copyFile(file + "-wal", to: copy)
            return try states(file) == before ? Watched(file, try SQLiteFile.State(file)) : nil
        }
    }

    /// Copies a database with its log or journal. Concurrent writes would mix two states in the copy, so it
    /// is repeated until it is consistent.
    private static func copyWhole(_ file: URL, to copy: URL) throws {
        _ = try retrying(file) { () -> Bool? in
            let before = try states(file)
            for (suffix, state) in zip([""] + companions, before) {
                FileManager.default.discard(copy + suffix)
                if state?.size ?? 0 > 0 { try copyFile(file + suffix, to: copy + suffix) }
            }
            let after = try states(file)
            if after == before { return true }
            guard after[2]?.size ?? 0 == 0, before[2]?.size ?? 0 == 0 else { return nil }
            // If a log only grew during the copy, all concurrent writes to the database are in the log as
            // well: with the current log, the copy is the state of the log's last commit, however busy the
            // writer is.
            let start = WriteAheadLog.headerSize
            let copied = FileBytes(copy + "-wal")?.bytes(at: 0, count: start)
            try copyFile(file + "-wal", to: copy + "-wal")
            let now = FileBytes(copy + "-wal")?.bytes(at: 0, count: start)
            let still = FileBytes(file + "-wal")?.bytes(at: 0, count: start)
            return now?.count == start && now == copied && now == still ? true : nil
        }
    }

    private static func copyFile(_ file: URL, to copy: URL) throws {
        FileManager.default.discard(copy)
        // The target of a link, as SQLite would read it; the link itself would be broken in the copy.
        try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: copy)
    }

    /// Repeats until it succeeds, for as long as a writer would wait for a lock.
    private static func retrying<T>(_ file: URL, _ body: () throws -> T?) throws -> T {
        var tries = 0
        repeat {
            do {
                if let result = try body() { return result }
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                // The writer has just deleted its log or journal.
            }
            tries += 1
        } while StoreInterruption.mayWait(afterTries: tries)
        if StoreInterruption.isRequested { throw Interruption.stopped }
        throw StoreErrors.locked(
            "\(file.lastPathComponent) is written continuously",
            fix: "stop the program that writes it, or copy the store with that program")
    }

    /// The states of a database, its log and its journal.
    static func states(_ file: URL) throws -> [SQLiteFile.State?] {
        try ([""] + companions).map { try SQLiteFile.State(ifPresent: file + $0) }
    }

    private static func escaped(_ path: String) -> String {
        // A parameter's value ends at an ampersand.
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["&"])) ?? path
    }
}

/// The file with a suffix appended to its name.
private func + (url: URL, suffix: String) -> URL { URL(fileURLWithPath: url.path + suffix) }
