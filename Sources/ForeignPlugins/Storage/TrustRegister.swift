import Core
import Formats
import Foundation
import PluginKit

/// The plugins that the user trusts: for each its folder, the hash of its files, and its declarations. A
/// session reads only this file, without starting plugins, to register all their commands.
struct TrustRegister: Sendable {
    /// A trusted plugin.
    struct Entry: Sendable {
        /// Its folder.
        let folder: String
        /// The hash of its files.
        let hash: String
        /// Its answer to `initialize`.
        let declaration: JSONTree
        /// The hash of each of its files; empty in registers of earlier versions.
        let files: [String: String]
    }

    private static let file = "trusted.json"
    private static let version = 1
    /// The folder of the register, where plugins are installed.
    let folder: URL

    private var url: URL { folder.appendingPathComponent(Self.file) }

    /// The entries. Empty without a register; throws `E-FILE-ACCESS` for one that cannot be read.
    func entries() throws -> [Entry] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        guard let bytes = FileManager.default.contents(atPath: url.path) else {
            throw CommonErrors.fileAccess("\(Self.file) of plugins cannot be read")
        }
        do {
            return try JSONTree.read(bytes) { tree in
                try tree.list("plugins") { (item) throws(JSONFault) in
                    Entry(
                        folder: try item.read("folder"), hash: try item.read("hash"),
                        declaration: try item.read("declaration"),
                        files: Dictionary(
                            (item["files"]?.members ?? []).map { ($0.key, $0.value.text ?? "") },
                            uniquingKeysWith: { $1 }))
                }
            }
        } catch let fault as JSONFault {
            throw fault.error(
                ForeignErrors.manifest, file: Self.file,
                fix: "delete \(url.path), then trust your plugins again")
        }
    }

    /// Adds an entry; it replaces that of the same folder.
    func add(_ entry: Entry) throws {
        try write(try entries().filter { $0.folder != entry.folder } + [entry])
    }

    /// Removes the entry of a folder, and those of folders with the same files.
    func remove(folder: String, hash: String?) throws {
        try write(try entries().filter { $0.folder != folder && $0.hash != hash })
    }

    private func write(_ all: [Entry]) throws {
        let tree = JSONTree(members: [
            "version": JSONTree(Self.version),
            "plugins": .list(
                all.sorted { $0.folder < $1.folder }.map { entry in
                    JSONTree(members: [
                        "folder": .text(entry.folder), "hash": .text(entry.hash),
                        "declaration": entry.declaration,
                        "files": .object(
                            entry.files.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) }),
                    ])
                }),
        ])
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommonErrors.fileAccess("the folder \(folder.path) cannot be created")
        }
        try OutputFile.write(Data(JSONWriter(.fitted).text(tree).utf8), to: url, force: true)
    }
}
