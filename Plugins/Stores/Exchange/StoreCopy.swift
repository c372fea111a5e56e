import Foundation
import GRDB
import PluginKit
import TrailStores

/// Copies a store: the state of one transaction, without a log or journal.
package enum StoreCopy {
    /// Copies a database through SQLite, and documents file by file; returns the size of the copy in bytes.
    package static func copy(
        _ connection: StoreConnection, to target: URL, parameter: String, progress: ProgressReporter
    ) async throws -> Int {
        try await StopSignal.work { work in
            let output = try ExclusiveOutput(target, parameter: parameter)
            if connection.recognition != nil {
                try documents(connection.url, output.temporary, work)
            } else {
                try database(connection, output.temporary, work, progress)
            }
            let size = try bytes(output.temporary)
            try output.finish()
            return size
        }
    }

    /// Copies a regular file unchanged; returns its size in bytes.
    static func copy(
        plain file: URL, to target: URL, parameter: String, progress: ProgressReporter
    ) async throws -> Int {
        try await StopSignal.work { _ in
            let output = try ExclusiveOutput(target, parameter: parameter)
            // Throws if it is not a regular file.
            let size = try SQLiteFile.State(file).size
            do {
                try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: output.temporary)
            } catch {
                throw StoreErrors.disk(
                    "the copy cannot be written: \((error as NSError).localizedDescription)")
            }
            chmod(output.temporary.path, 0o644)
            try output.finish()
            return size
        }
    }

    private static func documents(_ source: URL, _ target: URL, _ work: StopSignal) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder)
        do {
            guard isFolder.boolValue else { return try FileManager.default.copyItem(at: source, to: target) }
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
            for name in try FileManager.default.contentsOfDirectory(atPath: source.path).sorted() {
                try work.check()
                let file = source.appendingPathComponent(name)
                // Throws if it is not a regular file; stores contain only regular files.
                guard (try? SQLiteFile.State(file)) != nil else { continue }
                try FileManager.default.copyItem(at: file, to: target.appendingPathComponent(name))
            }
        } catch let error as RutterError {
            throw error
        } catch {
            throw StoreErrors.disk("the copy cannot be written: \((error as NSError).localizedDescription)")
        }
    }

    private static func database(
        _ connection: StoreConnection, _ target: URL, _ work: StopSignal, _ progress: ProgressReporter
    ) throws {
        do {
            let copy = try DatabaseQueue(path: target.path)
            try copy.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            }
            try connection.queue.backup(to: copy, pagesPerStep: Int32(StoreSettings.pagesPerStep)) { state in
                try work.check()
                progress.report("copying pages", done: state.completedPageCount, of: state.totalPageCount)
            }
            try connection.checkUnchanged()
            // A write-ahead log would have to be copied too; a plain journal exists only during a write.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            throw StoreErrors.wrap(error, path: target.lastPathComponent)
        }
    }

    private static func bytes(_ url: URL) throws -> Int {
        var info = stat()
        guard lstat(url.path, &info) == 0 else { return 0 }
        if info.st_mode & S_IFMT != S_IFDIR { return Int(info.st_size) }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).reduce(0) { sum, name in
            sum + (try SQLiteFile.State(url.appendingPathComponent(name)).size)
        }
    }
}
