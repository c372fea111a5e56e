import CivilTime
import Core
import Foundation

/// The accounts of what was imported into a workspace, in the file `accounts.json`: also of what has no record of its own that could
/// keep one, such as photos, contacts and waypoints.
public struct AccountLog: Sendable {
    /// An account with its import.
    public struct Entry: Sendable, Hashable, Codable {
        /// When the import ended, in ISO 8601.
        public let time: String
        /// The command that imported.
        public let command: String
        /// The account, with its source.
        public let account: SourceAccount

        /// The time of the import.
        public var moment: Timestamp? { ISO8601.timestamp(time) }
    }

    /// The name of the file in a workspace.
    public static let fileName = "accounts.json"
    private static let lock = ".accounts.lock"
    /// The newest that are kept.
    static let most = 500
    /// Bytes of a file that is read; a longer one was not written here.
    private static let longest = 64 << 20

    private let folder: URL

    /// The log of a workspace.
    public init(in workspace: URL) { folder = workspace }

    private var url: URL { folder.appendingPathComponent(Self.fileName) }

    /// The kept accounts, oldest first; none without a file. Throws `E-FILE-ACCESS` for a file that cannot be read.
    public func entries() throws(RutterError) -> [Entry] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        guard size <= Self.longest, let data = try? Data(contentsOf: url),
            let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else {
            throw CommonErrors.fileAccess(
                "\(Self.fileName) of the workspace cannot be read",
                fix: "move it away; imports begin a new one")
        }
        return entries
    }

    /// Adds accounts behind those that are kept.
    func add(_ accounts: [SourceAccount], by command: String, at time: Timestamp) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lock = try FileLock(folder.appendingPathComponent(Self.lock))
        try withExtendedLifetime(lock) {
            let words = ISO8601.text(time, fraction: .never)
            let new = accounts.map { Entry(time: words, command: command, account: $0) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var kept = Array((try entries() + new).suffix(Self.most))
            var data = try encoder.encode(kept)
            // Of large ones fewer are kept: a longer file could not be read again.
            while data.count > Self.longest, !kept.isEmpty {
                kept.removeFirst((kept.count + 1) / 2)
                data = try encoder.encode(kept)
            }
            try OutputFile.write(data, to: url, force: true)
        }
    }
}

extension Context {
    /// Keeps the accounts of an import in the workspace. What was imported stays if they cannot be written, which is said.
    public func keep(_ accounts: [SourceAccount], by command: String) {
        let accounts = accounts.filter { !$0.parts.isEmpty || !$0.remarks.isEmpty }
        guard !accounts.isEmpty else { return }
        do {
            try AccountLog(in: workspace).add(accounts, by: command, at: clock.now)
        } catch let error as RutterError {
            log.notice("the account of the import is not kept: \(error.message)")
        } catch {
            log.notice("the account of the import is not kept: \(AccountLog.fileName) cannot be written")
        }
    }
}
