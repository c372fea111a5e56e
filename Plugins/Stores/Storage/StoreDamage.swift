import Foundation
import GRDB
import PluginKit
import TrailStores

/// Damage of a database's pages. SQLite reads such a file without an error: some rows are missing then, or come twice.
enum StoreDamage {
    /// What is damaged, in words; `nil` if nothing is, or if that is not known: of a large file only `store check` tells.
    static func words(_ connection: StoreConnection) throws(RutterError) -> String? {
        guard connection.recognition == nil,
            let size = try? connection.url.resourceValues(forKeys: [.fileSizeKey]).fileSize,
            size <= StoreSettings.largestCopied
        else { return nil }
        let messages: [String]
        do throws(RutterError) {
            messages = try connection.read { db in
                try String.fetchAll(db, sql: "PRAGMA quick_check(\(CheckSettings.integrityMessages))")
            }
        } catch {
            if error.code == Interruption.stopped.code { throw error }
            // The commands that read its rows report it, or a part of its app is missing here.
            return nil
        }
        let found = messages.flatMap { $0.split(separator: "\n") }.filter(isStructural)
        guard let first = found.first else { return nil }
        let more = found.count > 1 ? ", and \(found.count - 1) more" : ""
        return
            "\(first)\(more): rows may be missing or come twice; `store check` lists all, `store repair` recovers them"
    }

    /// Whether a message of SQLite's check is about pages, not about a value that the schema does not allow.
    private static func isStructural(_ line: Substring) -> Bool {
        line != "ok" && !line.hasPrefix("***") && !line.contains(" value in ")
            && !line.hasPrefix("CHECK constraint failed")
    }
}
