import Foundation
import GRDB
import TrailStores

/// The index of a phone's backup, which stores its files under the digests of their names: it gives the names back.
struct BackupManifest {
    /// The path of each file in its app, by the name of the file in the backup.
    let paths: [String: String]

    private static let file = "Manifest.db"

    /// Reads the index of a folder; `nil` if it has none that can be read.
    init?(_ folder: URL) {
        let url = folder.appendingPathComponent(Self.file)
        guard FileManager.default.fileExists(atPath: url.path),
            let connection = try? StoreConnection(url, access: .foreign),
            let rows = try? connection.read({ db in
                try Row.fetchAll(db, sql: "SELECT fileID, domain, relativePath FROM Files ORDER BY fileID")
            })
        else { return nil }
        var paths: [String: String] = [:]
        for row in rows {
            guard let id = String.fromDatabaseValue(row[0]), let path = String.fromDatabaseValue(row[2]),
                !path.isEmpty
            else { continue }
            let domain = String.fromDatabaseValue(row[1]) ?? ""
            paths[id.lowercased()] = domain.isEmpty ? path : "\(domain)/\(path)"
        }
        guard !paths.isEmpty else { return nil }
        self.paths = paths
    }

    /// The path of a file of the backup in its app; `nil` if the index does not name it.
    func path(of url: URL) -> String? { paths[url.lastPathComponent.lowercased()] }

    /// Whether a file is the index.
    static func isOne(_ url: URL) -> Bool { url.lastPathComponent == file }
}
