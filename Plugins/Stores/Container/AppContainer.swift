import Archives
import Foundation
import PluginKit
import TrailStores

/// An app container: a folder, or an unpacked archive.
final class AppContainer: Sendable {
    /// Its name in the session.
    let name: String
    /// The requested folder or archive.
    let url: URL
    /// Everything in it.
    let items: [ContainerItem]
    /// Number of files skipped because of the limit.
    let left: Int
    private let scratch: URL?

    /// Reads a folder, a ZIP or a tar archive; `nil` if it contains no store.
    init?(_ url: URL, name: String, check: @escaping () throws -> Void) throws {
        var root = url
        var scratch: URL?
        if Self.isArchive(url) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "rutter-container-\(getpid())-\(UInt64.random(in: 0 ... .max))", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            scratch = folder
            root = folder
        }
        do {
            if scratch != nil {
                _ = try ArchiveReader(
                    SourceBytes(url), as: [.zip, .tar, .compressed], limits: ContainerSettings.unpacking,
                    check: check
                ).unpack(into: root)
            }
            let scan = try ContainerScan(root, check: check)
            items = scan.items
            left = scan.left
        } catch {
            if let scratch { FileManager.default.discard(scratch) }
            throw error
        }
        self.url = url
        self.name = name
        self.scratch = scratch
        if !items.contains(where: { $0.storeKind != nil || $0.role == .damaged }) { return nil }
    }

    deinit { if let scratch { FileManager.default.discard(scratch) } }

    /// The readable stores, the most requested kinds first.
    var stores: [ContainerItem] {
        let order: [StoreKind] = StoreKind.allCases
        func rank(_ item: ContainerItem) -> Int {
            item.storeKind.flatMap { order.firstIndex(of: $0) } ?? order.count
        }
        return items.filter { $0.storeKind != nil }.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }

    /// Whether a path may be a container: a folder, or an archive.
    static func mayBe(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return false }
        return isFolder.boolValue || isArchive(url)
    }

    private static func isArchive(_ url: URL) -> Bool {
        guard let head = FileBytes(url)?.bytes(at: 0, count: 264) else { return false }
        return head.starts(with: [0x50, 0x4B, 0x03, 0x04])
            || head.dropFirst(257).starts(with: Array("ustar".utf8))
            || (head.starts(with: [0x1F, 0x8B]) && ["tgz", "gz"].contains(url.pathExtension.lowercased())
                && !url.lastPathComponent.lowercased().contains(".db"))
    }
}
