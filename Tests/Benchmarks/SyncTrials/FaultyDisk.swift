import CFaultyDisk
import Foundation
import PluginTestKit
import SyncPlugin
import Synchronization

/// A folder on a failing disk.
public final class FaultyDisk {
    /// The kind of failure.
    public enum Kind: Int32, CaseIterable, Sendable {
        case kill, power, full, write, flush

        /// In words.
        public var words: String {
            switch self {
            case .kill: "processes killed in the middle of a write"
            case .power: "power failures that lost unflushed data"
            case .full: "full disks"
            case .write: "torn writes"
            case .flush: "flushes that failed and lost their pages"
            }
        }

        /// How often it has occurred in this process.
        public var count: Int { Int(faulty_disk_failures(rawValue)) }
    }

    private static let failedFiles = Atomic(0)
    /// How often a fault affected a file not written by SQLite, in this process.
    public static var filesThatFailed: Int { failedFiles.load(ordering: .relaxed) }

    /// The ways in which disks fail.
    public static var kinds: [Kind] { Kind.allCases }

    package let folder: TemporaryFolder
    private let number: Int32

    package init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        number = faulty_disk_make(folder.url.path, seed)
        if number < 0 { throw PostgresServer.Failure(description: "SQLite accepts no further disk") }
    }

    deinit { faulty_disk_forget(number) }

    /// Fails after this many further writes and flushes.
    package func arm(_ kind: Kind, after count: Int) { faulty_disk_arm(number, kind.rawValue, Int32(count)) }
    /// Cancels a failure that has not occurred yet.
    package func disarm() { faulty_disk_arm(number, 0, -1) }
    /// Called before a file not written by SQLite is changed. Throws the disk's error, if the process
    /// survives.
    package func changeFile() throws {
        guard let kind = Kind(rawValue: faulty_disk_change(number)) else { return }
        Self.failedFiles.add(1, ordering: .relaxed)
        throw CocoaError(kind == .full ? .fileWriteOutOfSpace : .fileWriteUnknown)
    }
    /// Ends all processes on it at once.
    package func end(_ kind: Kind) { faulty_disk_end(number, kind.rawValue) }
    /// Repairs the disk. All files must be closed.
    package func repair() { faulty_disk_repair(number) }
    /// Flushes everything on it.
    package func flush() { faulty_disk_flush(number) }
    package var hasFailed: Bool { faulty_disk_has_failed(number) != 0 }
    /// Whether the processes on it have ended.
    package var isDead: Bool { faulty_disk_is_dead(number) != 0 }
    /// A planted fault: it reports flushes that it did not do.
    package func lie() { faulty_disk_lie(number, 1) }
}

/// A row of an app's store, under a name that differs from GRDB's.
package typealias AppRow = Row
