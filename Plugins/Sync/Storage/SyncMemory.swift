import Foundation
import PluginKit
import TrailStores

/// A device's `sync.db` when it is damaged. Everything in it can be found again: the rows are in the apps' stores, the
/// other side of each is in the cloud.
enum SyncMemory {
    private static let file = "sync.db"
    private static let companions = ["-wal", "-shm"]

    /// Errors that say that the file itself is at fault.
    private static let damage: Set<String> = [
        StoreErrors.notADatabase.code, StoreErrors.corrupt.code, StoreErrors.schema.code,
        StoreErrors.other.code,
        SyncErrors.store.code,
    ]

    /// The error with a fix that works for `sync.db`: pulling it again or repairing it does not.
    static func explained(_ error: any Error, isOfMemory: Bool = true) -> any Error {
        guard let known = error as? RutterError, damage.contains(known.code),
            isOfMemory || known.message.contains(file)
        else { return error }
        // Explained already, where it was opened.
        let start = "\(file) is damaged"
        if known.message.hasPrefix(start) { return error }
        return SyncErrors.store(
            "\(start): \(known.message)", fix: "sync restore \(RestoreConflict.memory)")
    }

    /// Renames the file. Returns its new name.
    static func moveAside(in folder: URL) throws -> String {
        var number = 1
        func name() -> String { "\(file).damaged\(number)" }
        while FileManager.default.fileExists(atPath: folder.appendingPathComponent(name()).path) {
            number += 1
        }
        for ending in companions + [""] {
            let old = folder.appendingPathComponent(file + ending)
            guard FileManager.default.fileExists(atPath: old.path) else { continue }
            try FileManager.default.moveItem(at: old, to: folder.appendingPathComponent(name() + ending))
        }
        return name()
    }
}
