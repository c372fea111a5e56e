import Foundation
import PluginKit

/// Completes file names below the folders that a session may read.
struct FileCandidates {
    let files: FileAccess

    func candidates(_ begun: String) -> [CompletionResult.Candidate] {
        let quote = begun.first.flatMap { $0 == "'" || $0 == "\"" ? $0 : nil }
        let path = quote == nil ? begun : String(begun.dropFirst())
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let partial = slash.map { String(path[path.index(after: $0)...]) } ?? path
        var seen: Set<String> = []
        var result: [CompletionResult.Candidate] = []
        for root in roots(folder) {
            for (name, isFolder) in entries(of: root)
            where name.hasPrefix(partial) && seen.insert(name).inserted {
                if name.hasPrefix(".") && !partial.hasPrefix(".") { continue }
                let whole = folder + name + (isFolder ? "/" : "")
                result.append(
                    .init(
                        Self.written(whole, isFolder: isFolder), isFolder ? "folder" : "",
                        isComplete: !isFolder))
            }
        }
        return Array(result.prefix(CompletionSettings.limit))
    }

    /// A folder that may not be read has no candidates.
    private func roots(_ folder: String) -> [URL] {
        if let allowed = try? files.input(folder.isEmpty ? "." : folder) { return [allowed] }
        return []
    }

    /// A folder that cannot be read has no candidates.
    private func entries(of folder: URL) -> [(String, Bool)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
            return (name, isFolder.boolValue)
        }
    }

    /// The path as one word, quoted if it contains blanks or signs. The quote of a folder stays open: a name follows.
    private static func written(_ path: String, isFolder: Bool) -> String {
        let plain = path.allSatisfy { !" '\"()[]|;#$".contains($0) }
        if plain { return path }
        let quote = path.contains("'") ? "\"" : "'"
        return quote + path + (isFolder ? "" : quote)
    }
}
