import Foundation
import PluginTestKit
import Testing

/// A file of Swift below `Sources` or `Plugins`.
struct SourceFile {
    /// Relative to the package, such as `Plugins/Sync/SyncPlugin.swift`.
    let path: String
    let text: String

    /// The modules that it imports.
    var imports: [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "import"), keyword < 2, keyword + 1 < words.count
            else {
                return nil
            }
            return String(words[keyword + 1])
        }
    }

    /// `Sources/Core` of `Sources/Core/Files/StagedFile.swift`.
    var module: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    /// All of them, by path.
    static func all() throws -> [SourceFile] {
        var found: [SourceFile] = []
        for folder in ["Sources", "Plugins"] {
            let root = RealData.project.appendingPathComponent(folder)
            for name in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
            where name.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
                found.append(SourceFile(path: "\(folder)/\(name)", text: text))
            }
        }
        #expect(found.count > 500)
        return found
    }
}
