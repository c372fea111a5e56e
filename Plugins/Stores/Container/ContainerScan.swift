import Archives
import CivilTime
import Formats
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Finds the items of a container by content; does not follow links, and writes nothing.
struct ContainerScan {
    private(set) var items: [ContainerItem] = []
    /// Number of files skipped because of the limit.
    private(set) var left = 0
    /// What a phone's backup lacks, and what is not here because a cloud has it alone.
    private(set) var missing: [String] = []
    /// What the links in the folder are, in words.
    private var links: [String] = []
    private let root: URL
    /// Where in a phone's backup the files are stored that links in the folder lead to; `nil` of any other container.
    private let places: [String: String]?
    private let check: () throws -> Void

    /// The items of a folder.
    init(_ root: URL, check: @escaping () throws -> Void) throws { try self.init(root, places: nil, check) }

    /// The items of a phone's backup, under the names that they have in their apps. `root` is a folder in which its files are
    /// laid out.
    init(_ root: URL, of manifest: BackupManifest, check: @escaping () throws -> Void) throws {
        let places = try manifest.layOut(in: root, check: check)
        try self.init(root, places: places, check)
        missing += manifest.missing(places)
        for index in items.indices {
            if BackupManifest.isOne(items[index].path) {
                items[index].note = "names \(manifest.count, of: "file") of a phone's backup"
            } else if let place = places[items[index].path], place != items[index].path {
                items[index].note = [items[index].note, "stored as \(place)"].filter { !$0.isEmpty }
                    .joined(separator: ", ")
            }
        }
    }

    private init(_ root: URL, places: [String: String]?, _ check: @escaping () throws -> Void) throws {
        self.root = root
        self.places = places
        self.check = check
        try folder(root, "", depth: 0)
        if let first = links.first {
            let more = links.count > 1 ? ", and \(links.count - 1, of: "other link")" : ""
            missing.append(
                "\(first)\(more): copy the folder with what its links lead to, such as with cp -RL")
        }
        nameConflictCopies()
    }

    /// Marks stores that a program for files shared by devices made beside the one that the app uses.
    private mutating func nameConflictCopies() {
        let paths = Set(items.map(\.path))
        for index in items.indices where items[index].storeKind != nil {
            guard let original = ConflictCopy.original(items[index].path), paths.contains(original) else {
                continue
            }
            items[index].isConflictCopy = true
            let words = "by its name a copy of \(original), as programs make of conflicts"
            items[index].note = [items[index].note, words].filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    static let companions = ["-wal", "-shm", "-journal"]

    private mutating func folder(_ url: URL, _ path: String, depth: Int) throws {
        // An unreadable folder counts as empty.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
        for name in names where !SystemFiles.contains(name) {
            try check()
            let item = url.appendingPathComponent(name)
            let below = path.isEmpty ? name : "\(path)/\(name)"
            var info = stat()
            // The links of a laid-out backup are the scan's own; others may lead anywhere.
            guard (places == nil ? lstat(item.path, &info) : stat(item.path, &info)) == 0 else { continue }
            guard items.count < ContainerSettings.mostItems else {
                left += 1
                continue
            }
            if info.st_mode & S_IFMT == S_IFDIR {
                if try isDocuments(item, below) { continue }
                if depth < ContainerSettings.deepest { try folder(item, below, depth: depth + 1) }
            } else if info.st_mode & S_IFMT == S_IFREG {
                items.append(file(item, below, info, Set(names)))
                if EvictedFile.owner(name) != nil {
                    missing.append(
                        "\(below) stands for a file that only the cloud has: download it on the device, and copy it again"
                    )
                }
            } else if info.st_mode & S_IFMT == S_IFLNK, !isKnown(item, below) {
                links.append(Self.words(ofLink: item, below))
            }
        }
    }

    /// Whether a link leads to what is looked at anyway, or to a folder of the user's, as in the containers of macOS.
    private func isKnown(_ link: URL, _ path: String) -> Bool {
        if Self.usersFolders.contains(path) { return true }
        let (end, top) = (link.resolvingSymlinksInPath().path, root.resolvingSymlinksInPath().path)
        return FileManager.default.fileExists(atPath: end) && (end == top || end.hasPrefix(top + "/"))
    }

    /// The folders of the user to which containers of macOS have links.
    private static let usersFolders = Set(
        ["Desktop", "Downloads", "Movies", "Music", "Pictures"].flatMap { [$0, "Data/\($0)"] })

    /// Adds a folder of planned routes as one store.
    private mutating func isDocuments(_ url: URL, _ path: String) throws -> Bool {
        guard let documents = try? DocumentFiles(url), documents.recognition.kind == .plannedRoutes else {
            return false
        }
        let files = documents.documents.map { url.appendingPathComponent($0.file) }
        var item = ContainerItem(
            path: path, url: url, role: .store(.plannedRoutes), bytes: files.reduce(0) { $0 + Self.size($1) },
            written: files.compactMap(Self.written).max())
        item.rows = documents.documents.count
        let bad = documents.documents.count { $0.tree == nil }
        item.note = bad > 0 ? "\(bad) cannot be read" : ""
        items.append(item)
        return true
    }

    private func file(_ url: URL, _ path: String, _ info: stat, _ names: Set<String>) -> ContainerItem {
        let name = url.lastPathComponent
        if let suffix = Self.companions.first(where: { name.hasSuffix($0) }) {
            let owner = String(name.dropLast(suffix.count))
            if suffix == "-wal", !names.contains(owner), LoneLog.isOne(url) { return store(url, path) }
            var item = plain(url, path, .companion)
            item.isOrphan = !names.contains(owner)
            item.note = item.isOrphan ? "without \(owner)" : "of \(owner)"
            return item
        }
        if let owner = EvictedFile.owner(name) {
            var item = plain(url, path, .stray)
            item.note = "\(owner) is not here: only the cloud has it"
            return item
        }
        let head = FileBytes(url)?.bytes(at: 0, count: 16) ?? []
        if head.starts(with: Array("SQLite format 3".utf8)) { return store(url, path) }
        if head.starts(with: Array("bplist".utf8)) || name.hasSuffix(".plist") {
            return preferences(url, path)
        }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) || head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return plain(url, path, .picture)
        }
        if name.lowercased().hasSuffix(".json"), let item = document(url, path) { return item }
        if [".db", ".sqlite", ".sqlite3", ".mbtiles"].contains(where: { name.lowercased().hasSuffix($0) }) {
            var item = plain(url, path, .damaged)
            item.note = FileDiagnosis.of(url).first?.what ?? "not a database"
            return item
        }
        return plain(url, path, .stray)
    }

    private func plain(_ url: URL, _ path: String, _ role: ContainerItem.Role) -> ContainerItem {
        ContainerItem(
            path: path, url: url, role: role, bytes: Self.size(url), written: Self.written(url))
    }

    // MARK: Stores

    private func store(_ url: URL, _ path: String) -> ContainerItem {
        let files = [url] + Self.companions.dropLast().map { URL(fileURLWithPath: url.path + $0) }
        let bytes = files.reduce(0) { $0 + Self.size($1) }
        let written = files.prefix(2).compactMap(Self.written).max()
        do {
            let connection = try StoreConnection(url, access: .foreign)
            let recognised = try StoreRecognition(connection)
            var item = ContainerItem(
                path: path, url: url, role: .store(recognised.kind), bytes: bytes, written: written)
            try connection.read { db in
                let table = StoreFormat.of(recognised.kind)?.tables.first?.name
                if let table {
                    let columns = Set(
                        try String.fetchAll(
                            db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table]))
                    item.version = FormatProfile.version(of: table, columns: columns)
                    item.rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.sqlIdentifier)")
                }
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                if version != 0 {
                    item.version = [item.version, "schema \(version)"].compactMap(\.self).joined(
                        separator: ", ")
                }
            }
            item.note = LoneLog.isOne(url) ? "read from a log alone" : Self.log(url)
            return item
        } catch {
            var item = ContainerItem(path: path, url: url, role: .damaged, bytes: bytes, written: written)
            item.note = error.message
            return item
        }
    }

    private static func words(ofLink url: URL, _ path: String) -> String {
        if let target = DanglingLink.target(of: url.path) {
            return "\(path) is a link to \(target), which is not there"
        }
        return "\(path) is a link, which is not followed"
    }

    private static func log(_ url: URL) -> String {
        guard let file = FileBytes(URL(fileURLWithPath: url.path + "-wal")), file.size > 0 else { return "" }
        // The only error is cancellation, which the next step reports.
        guard let log = try? WriteAheadLog.read(file) else { return "a log that SQLite ignores" }
        let count = log.commits.count
        return "\(count, of: "commit") in the log"
    }

    // MARK: Documents

    private func document(_ url: URL, _ path: String) -> ContainerItem? {
        if let documents = try? DocumentFiles(url), documents.recognition.kind != .other {
            var item = plain(url, path, .store(documents.recognition.kind))
            item.rows = documents.documents.count
            return item
        }
        let regions = StoredRegionFacts.read(url)
        guard !regions.isEmpty else { return nil }
        var item = plain(url, path, .regions)
        item.rows = regions.count
        item.note = regions.map(\.name).prefix(3).joined(separator: ", ")
        return item
    }

    private func preferences(_ url: URL, _ path: String) -> ContainerItem {
        var item = plain(url, path, .preferences)
        guard item.bytes <= ContainerSettings.largestMetadata,
            let data = FileManager.default.contents(atPath: url.path),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else {
            item.note = "cannot be read as a property list"
            return item
        }
        item.rows = list.count
        let documents = list.keys.sorted().compactMap { key -> String? in
            // Apps store small collections as JSON in their preferences.
            guard let data = list[key] as? Data, let tree = try? JSONTree(parsing: data),
                let items = tree.items
            else { return nil }
            return "\(key): \(items.count, of: "item")"
        }
        item.note = documents.joined(separator: ", ")
        return item
    }

    // MARK: Files

    private static func size(_ url: URL) -> Int {
        var info = stat()
        return stat(url.path, &info) == 0 ? Int(info.st_size) : 0
    }

    private static func written(_ url: URL) -> Timestamp? {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return nil }
        return Timestamp(
            milliseconds: Int64(info.st_mtim.tv_sec) * 1000 + Int64(info.st_mtim.tv_nsec) / 1_000_000)
    }
}

/// An app's metadata of a region, stored beside its tiles and routing graph.
struct StoredRegionFacts {
    /// The name of its files.
    let id: String
    /// The name shown to users.
    let name: String
    /// Whether it should have a routing graph; `nil` if the file does not specify it.
    let hasRouting: Bool?

    private static let marks: Set<String> = [
        "boundingBox", "minZoom", "maxZoom", "tileCount", "hasRoutingData",
    ]

    /// The regions in a JSON file; empty for any other file.
    static func read(_ url: URL) -> [StoredRegionFacts] {
        guard let size = FileBytes(url)?.size, size <= ContainerSettings.largestMetadata,
            let data = FileManager.default.contents(atPath: url.path), let tree = try? JSONTree(parsing: data)
        else { return [] }
        return (tree.items ?? tree["regions"]?.items ?? [tree]).compactMap { item in
            guard let keys = item.keys, let id = item["id"]?.text, keys.contains(where: marks.contains) else {
                return nil
            }
            var hasRouting: Bool?
            if case .boolean(let flag)? = item["hasRoutingData"] { hasRouting = flag }
            return StoredRegionFacts(id: id, name: item["name"]?.text ?? id, hasRouting: hasRouting)
        }
    }

    /// Whether a file name matches this region.
    func names(_ stem: String) -> Bool { [id.lowercased(), name.lowercased()].contains(stem.lowercased()) }
}
