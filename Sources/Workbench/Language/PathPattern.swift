import Foundation
import PluginKit

/// A path with `*`, `?` or `[…]` in it, as in a shell; `**` is any number of folders. Hidden files match only a part that
/// begins with a dot.
struct PathPattern {
    private let parts: [Substring]
    private let isAbsolute: Bool
    private let text: String
    private var ignoresCase = false
    /// Most files that one pattern names.
    private static let most = 100_000

    /// `nil` for a path without such signs.
    init?(_ path: String) {
        guard path.contains(where: { "*?[".contains($0) }) else { return nil }
        text = path
        let whole = path.hasPrefix("~/") ? FileAccess.homeDirectory + path.dropFirst() : path
        isAbsolute = whole.hasPrefix("/")
        parts = whole.split(separator: "/")
    }

    /// The matching paths, in the order of their bytes, as `files` spells relative ones. Throws `E-FILE-MISSING` if there is
    /// none.
    func matches(in files: FileAccess) throws(RutterError) -> [String] {
        let found = try all(in: files)
        guard !found.isEmpty else {
            var anyCase = self
            anyCase.ignoresCase = true
            let other = try anyCase.all(in: files)
            throw CommonErrors.fileMissing(
                "no file matches \(text)",
                fix: other.first.map {
                    "\(other.count, of: "file") \(other.count == 1 ? "matches" : "match") in letters of another case: \($0)"
                } ?? "`*` is any name in one folder, `**` any folders: **/\(parts.last ?? "*")")
        }
        return found
    }

    private func all(in files: FileAccess) throws(RutterError) -> [String] {
        var found: [String] = []
        for root in isAbsolute ? ["/"] : files.searchFolders.map({ $0.path + "/" }) {
            try walk(root: root, below: "", parts[...], &found)
            if !found.isEmpty { break }
        }
        let sorted = Set(found).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return isAbsolute ? sorted.map { "/" + $0 } : sorted
    }

    private func walk(
        root: String, below: String, _ rest: ArraySlice<Substring>, _ found: inout [String]
    ) throws(RutterError) {
        try Interruption.check()
        guard let part = rest.first else {
            guard found.count < Self.most else {
                throw CommonErrors.fileAccess(
                    "over \(Self.most) files match \(text)", fix: "name a folder, or a narrower pattern")
            }
            found.append(below)
            return
        }
        let isLast = rest.count == 1
        if part == "**" {
            // No folder, or one and the same again.
            if isLast {
                try walk(root: root, below: below, ["*"], &found)
            } else {
                try walk(root: root, below: below, rest.dropFirst(), &found)
            }
            for name in names(root + below) where !name.hasPrefix(".") && isFolder(root + join(below, name)) {
                try walk(root: root, below: join(below, name), rest, &found)
            }
            return
        }
        // A part without signs is taken as it is: its folder need not be listed, and may be a link, or `..`.
        let isLiteral = !part.contains { "*?[".contains($0) }
        for name in isLiteral ? [String(part)] : names(root + below).filter({ fits($0, String(part)) }) {
            let path = join(below, name)
            var info = stat()
            guard stat(root + path, &info) == 0, isLast || info.st_mode & S_IFMT == S_IFDIR else { continue }
            try walk(root: root, below: path, rest.dropFirst(), &found)
        }
    }

    private func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder + "/" + name
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// Links are not followed below `**`: a link to a folder above would never end.
    private func isFolder(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private func fits(_ name: String, _ pattern: String) -> Bool {
        fnmatch(
            ignoresCase ? pattern.lowercased() : pattern, ignoresCase ? name.lowercased() : name, FNM_PERIOD)
            == 0
    }
}
