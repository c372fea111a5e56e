import Archives
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The index of a phone's backup, which stores its files under the digests of their names: it gives the names back.
struct BackupManifest {
    /// The path of each file in its app, by the name of the file in the backup.
    private let paths: [String: String]
    private let folder: URL
    /// Those of which the index says that they are files.
    private let files: Set<String>

    private static let file = "Manifest.db"

    /// Reads the index of a folder, or of the only folder in it; `nil` if there is none that can be read.
    init?(_ root: URL) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [])
            .filter { !SystemFiles.contains($0) }
        let folder =
            names.contains(Self.file) ? root : root.appendingPathComponent(names.count == 1 ? names[0] : "")
        let url = folder.appendingPathComponent(Self.file)
        guard FileManager.default.fileExists(atPath: url.path),
            let connection = try? StoreConnection(url, access: .foreign),
            let rows = try? connection.read({ db in
                let flags = try db.columns(in: "Files").contains { $0.name == "flags" } ? "flags" : "NULL"
                return try Row.fetchAll(
                    db, sql: "SELECT fileID, domain, relativePath, \(flags) FROM Files ORDER BY fileID")
            })
        else { return nil }
        var paths: [String: String] = [:]
        var files: Set<String> = []
        for row in rows {
            guard let id = String.fromDatabaseValue(row[0]), let path = String.fromDatabaseValue(row[2])
            else { continue }
            let domain = String.fromDatabaseValue(row[1]) ?? ""
            // A path of a foreign file must not lead out of the folder that it is laid out in.
            let parts = "\(domain)/\(path)".split(separator: "/").filter { $0 != "." && $0 != ".." }
            if path.isEmpty || parts.isEmpty || path.utf8.contains(0) { continue }
            paths[id.lowercased()] = parts.joined(separator: "/")
            // 2 is a folder, 4 a link: neither has a file in the backup.
            if Int.fromDatabaseValue(row[3]) == 1 { files.insert(id.lowercased()) }
        }
        guard !paths.isEmpty else { return nil }
        self.paths = paths
        self.folder = folder
        self.files = files
    }

    /// Number of files that it names.
    var count: Int { paths.count }

    /// Whether a file is the index.
    static func isOne(_ path: String) -> Bool { path == file }

    /// What of the backup is missing: the first few files, and the number of further ones.
    func missing(_ places: [String: String]) -> [String] {
        let stored = Set(
            places.values.map { ($0.split(separator: "/").last.map(String.init) ?? $0).lowercased() })
        let gone = files.subtracting(stored).sorted { (paths[$0] ?? "", $0) < (paths[$1] ?? "", $1) }
        let shown = gone.prefix(Self.shown).map {
            "\(paths[$0] ?? $0): its file \($0.prefix(2))/\($0) is not in the backup"
        }
        return shown
            + (gone.count > shown.count
                ? [
                    "\(gone.count - shown.count, of: "further file") that \(Self.file) names: not in the backup"
                ] : [])
    }

    /// Number of missing files that are named.
    private static let shown = 5

    /// Why nothing of an encrypted backup can be read; `nil` of any other folder.
    static func encryption(_ root: URL) -> String? {
        let names = Self.names(in: root)
        let folder = names.count == 1 ? root.appendingPathComponent(names[0]) : root
        guard
            let data = FileManager.default.contents(
                atPath: folder.appendingPathComponent("Manifest.plist").path),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            list["IsEncrypted"] as? Bool == true
        else { return nil }
        return
            "a phone's backup that is encrypted (Manifest.plist: IsEncrypted): make one without encryption, or decrypt it with the password in a tool for such backups"
    }

    /// Lays the files of the backup out in a new folder as they are in their apps, so that a log stands beside its store and a
    /// folder of documents is one: links to the files, and copies of those that SQLite looks for beside others. Returns where in the
    /// backup each of them is stored.
    func layOut(in target: URL, check: () throws -> Void) throws -> [String: String] {
        let files = try stored(check)
        let named = Set(files.map(\.path))
        var places: [String: String] = [:]
        for (path, place) in files {
            try check()
            // SQLite resolves a link before it looks for the log of a database.
            let isCopied = Self.belongsTogether(path, named)
            do { try put(place, at: target.appendingPathComponent(path), isCopied: isCopied) } catch {
                // A name that is another's too, or that of another's folder: the file stays visible under its own.
                try put(place, at: target.appendingPathComponent(place), isCopied: false)
                places[place] = place
                continue
            }
            places[path] = place
        }
        return places
    }

    private func put(_ place: String, at url: URL, isCopied: Bool) throws {
        let source = folder.appendingPathComponent(place)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        if isCopied {
            try FileManager.default.copyItem(at: source, to: url)
        } else {
            try FileManager.default.createSymbolicLink(
                at: url, withDestinationURL: source.absoluteURL.standardizedFileURL)
        }
    }

    private static func belongsTogether(_ path: String, _ named: Set<String>) -> Bool {
        ContainerScan.companions.contains { suffix in
            named.contains(path + suffix)
                || (path.hasSuffix(suffix) && named.contains(String(path.dropLast(suffix.count))))
        }
    }

    /// The regular files of the backup, with their paths in the app, or in the backup if the index does not name them.
    private func stored(_ check: () throws -> Void) throws -> [(path: String, place: String)] {
        var found: [(path: String, place: String)] = []
        func add(_ place: String) {
            let name = place.split(separator: "/").last.map(String.init) ?? place
            var info = stat()
            guard lstat(folder.appendingPathComponent(place).path, &info) == 0 else { return }
            if info.st_mode & S_IFMT == S_IFREG { found.append((paths[name.lowercased()] ?? place, place)) }
        }
        for name in Self.names(in: folder) {
            try check()
            let below = Self.names(in: folder.appendingPathComponent(name))
            if below.isEmpty { add(name) } else { for file in below { add("\(name)/\(file)") } }
        }
        return found
    }

    /// The entries of a folder; none of a file.
    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { !SystemFiles.contains($0) }.sorted()
    }
}
