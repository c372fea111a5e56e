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
        let present = Set(paths)
        for path in paths {
            for ending in ["-journal", "-wal"] where path.hasSuffix(ending) {
                let database = String(path.dropLast(ending.count))
                if present.contains(database) { continue }
                what = "\(name) has \(path), but not its database \(database)"
                fix = "pull both from the device, together"
                return
            }
        }
        return nil
    }
}
