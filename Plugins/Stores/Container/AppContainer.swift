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
    /// What of an archive could not be unpacked.
    let faults: [String]
    private let scratch: URL?

    /// Reads a folder, a ZIP or a tar archive; `nil` if it contains no store.
    init?(_ url: URL, name: String, check: @escaping () throws -> Void) throws {
        var root = url
        var scratch: URL?
        var faults: [String] = []
        if Self.isArchive(url) {
            let folder = try FileManager.default.scratchFolder("container")
            scratch = folder
            root = folder
        }
        do {
            if scratch != nil {
                faults = try Self.unpack(SourceBytes(url), into: root, check: check)
            }
            let scan: ContainerScan
            if let manifest = BackupManifest(root) {
                let folder = try scratch ?? FileManager.default.scratchFolder("container")
                scratch = folder
                let target = folder.appendingPathComponent(Self.laidOut, isDirectory: true)
                scan = try ContainerScan(target, of: manifest, check: check)
            } else {
                scan = try ContainerScan(root, check: check)
            }
            items = scan.items
            left = scan.left
            faults += scan.missing
            if let encryption = BackupManifest.encryption(root) { faults.append(encryption) }
        } catch {
            if let scratch { FileManager.default.discard(scratch) }
            throw error
        }
        self.faults = faults
        self.url = url
        self.name = name
        self.scratch = scratch
        if items.contains(where: { $0.storeKind != nil || $0.role == .damaged }) { return }
        // What could not be unpacked may have been the store.
        if Self.isArchive(url), let fault = faults.first {
            throw ArchiveErrors.format(
                "no store could be unpacked from \(url.lastPathComponent): \(fault)",
                at: .file(path: url.lastPathComponent, line: nil, column: nil),
                fix: "copy or download the archive again, or unpack it by hand and open the folder")
        }
        return nil
    }

    /// What became of its files: a store, what stands beside it, preferences, regions and pictures are used by commands.
    var account: SourceAccount {
        func names(_ role: ContainerItem.Role) -> [String] {
            items.lazy.filter { $0.role == role }.prefix(Self.examples).map(\.path)
        }
        let (damaged, stray) = (items.count { $0.role == .damaged }, items.count { $0.role == .stray })
        return SourceAccount(
            source: name,
            parts: [
                .init(
                    item: "file", seen: items.count + left, used: items.count - damaged - stray,
                    entries: [
                        .init(.setAside, "damaged", count: damaged, first: names(.damaged)),
                        .init(.unknown, "no store", count: stray, first: names(.stray)),
                        .init(.setAside, "more than are read", count: left),
                    ])
            ], remarks: faults)
    }

    /// Files of one kind that the account names.
    private static let examples = 5

    /// The folder of a phone's backup whose files are laid out under their names.
    private static let laidOut = ".laid-out"

    /// Unpacks an archive; returns what could not be unpacked. Of a ZIP archive that is cut off, its complete files are
    /// unpacked. Throws if nothing can be.
    private static func unpack(
        _ source: SourceBytes, into folder: URL, check: @escaping () throws -> Void
    ) throws -> [String] {
        let limits = ContainerSettings.unpacking
        if source.isCutZip {
            let (files, cut) = try ArchiveReader(
                source, as: .zip, limits: limits, isCut: true, check: check
            ).unpackComplete(into: folder)
            let within = cut.map { " within `\($0)`" } ?? ""
            return ["\(source.name) is cut off\(within): \(files.count, of: "complete file") before that"]
        }
        var skipped: [(entry: ArchiveEntry?, error: RutterError)] = []
        let files = try ArchiveReader(
            source, as: [.zip, .tar, .compressed], limits: limits, isJoined: true, check: check
        ).unpack(into: folder) { skipped.append(($0, $1)) }
        // An archive of which nothing can be unpacked is no container.
        if files.isEmpty, let first = skipped.first { throw first.error }
        return skipped.map { $0.entry?.obstacle ?? $0.error.message }
    }

    deinit { if let scratch { FileManager.default.discard(scratch) } }

    /// The readable stores, the most requested kinds first, and conflict copies of a kind last.
    var stores: [ContainerItem] {
        let order: [StoreKind] = StoreKind.allCases
        func rank(_ item: ContainerItem) -> Int {
            item.storeKind.flatMap { order.firstIndex(of: $0) } ?? order.count
        }
        return items.filter { $0.storeKind != nil }.enumerated()
            .sorted { first, second in
                let copies = (first.element.isConflictCopy ? 1 : 0, second.element.isConflictCopy ? 1 : 0)
                return (rank(first.element), copies.0, first.offset) < (
                    rank(second.element), copies.1, second.offset
                )
            }.map(\.element)
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
            || isZipBehindOthers(url)
    }

    /// Whether a file ends with the end record of a ZIP archive (APPNOTE 4.3.16): a program that unpacks itself is in front of its
    /// archive.
    private static func isZipBehindOthers(_ url: URL) -> Bool {
        guard let file = FileBytes(url), file.size > endRecord,
            file.bytes(at: 0, count: 6) != Array("SQLite".utf8)
        else { return false }
        let start = max(0, file.size - endRecord - longestComment)
        let tail = file.bytes(at: start, count: file.size - start)
        return (0...(tail.count - endRecord)).contains { index in
            tail[index] == 0x50 && tail[index + 1] == 0x4B && tail[index + 2] == 5 && tail[index + 3] == 6
                && index + endRecord + Int(tail[index + 20]) + Int(tail[index + 21]) << 8 == tail.count
        }
    }

    /// Bytes of the end record of a ZIP archive, and at most of the comment behind it.
    private static let (endRecord, longestComment) = (22, 65_535)
}
