import Foundation

/// What stands in a folder for a store that is not there.
struct StoreRemains {
    let what: String
    let fix: String

    /// Items of the folder and those below it that are looked at.
    private static let mostItems = 2_000

    /// The first of a file that only the system's cloud has, a link that leads nowhere, and a log or journal without its
    /// database; `nil` if there is none.
    init?(in folder: URL) {
        var paths: [String] = []
        let all = FileManager.default.enumerator(atPath: folder.path)
        while paths.count < Self.mostItems, let path = all?.nextObject() as? String { paths.append(path) }
        let isWhole = paths.count < Self.mostItems
        paths.sort()
        let name = folder.lastPathComponent
        for path in paths {
            let parts = path.split(separator: "/")
            if let owner = parts.last.flatMap({ EvictedFile.owner(String($0)) }) {
                let owner = (parts.dropLast().map(String.init) + [owner]).joined(separator: "/")
                what = "\(owner) in \(name) is in the system's cloud and not on this device"
                fix = "download it on the device, then copy the folder again"
                return
            }
        }
        for path in paths {
            if let target = DanglingLink.target(of: folder.appendingPathComponent(path).path) {
                what = "\(path) in \(name) is a link to \(target), which is not there"
                fix = "copy the folder with what its links lead to, such as with cp -RL"
                return
            }
        }
        // A database beyond the limit is no missing one.
        guard isWhole else { return nil }
        let present = Set(paths)
        for path in paths {
            for ending in ["-journal", "-wal"] where path.hasSuffix(ending) {
                let database = String(path.dropLast(ending.count))
                if present.contains(database) || !Self.isLog(folder.appendingPathComponent(path), database) {
                    continue
                }
                what = "\(name) has \(path), but not its database \(database)"
                fix = "pull both from the device, together"
                return
            }
        }
        return nil
    }

    /// Endings of databases.
    private static let endings: Set<String> = ["db", "sqlite", "sqlite3"]
    /// The first bytes of a journal (https://www.sqlite.org/fileformat2.html, section 3).
    private static let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Whether a file is a log or journal by its content, or by the name of its database; a folder is none.
    private static func isLog(_ url: URL, _ database: String) -> Bool {
        guard let file = FileBytes(url) else { return false }
        return LoneLog.isOne(url) || file.bytes(at: 0, count: journal.count) == journal
            || endings.contains((database as NSString).pathExtension.lowercased())
    }
}
