import CArchive
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
            if scratch != nil { try ContainerArchive.unpack(url, into: root, check: check) }
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

/// Unpacks the archive of a container.
enum ContainerArchive {
    /// Unpacks regular files into a new folder; rejects paths outside it before writing.
    static func unpack(_ url: URL, into folder: URL, check: () throws -> Void) throws {
        try NativeLibrary.archive.require()
        guard let archive = archive_read_new() else { throw CommonErrors.fileAccess("out of memory") }
        defer { archive_read_free(archive) }
        let name = url.lastPathComponent
        func failure(_ what: String? = nil) -> RutterError {
            let reason =
                what ?? archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
            return BundleErrors.archive("\(name): \(reason)", at: .parameter("file"))
        }
        archive_read_support_format_zip_seekable(archive)
        archive_read_support_format_tar(archive)
        archive_read_support_filter_gzip(archive)
        guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else { throw failure() }
        var total = 0
        var count = 0
        while true {
            try check()
            var entry: OpaquePointer?
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF { return }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw failure() }
            guard let path = BundleArchive.path(of: entry) else {
                throw failure("it contains a path, link or file that is not allowed")
            }
            if path.hasSuffix("/") { continue }
            count += 1
            guard count <= ContainerSettings.mostItems else { throw failure("it contains too many files") }
            let target = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            guard FileManager.default.createFile(atPath: target.path, contents: nil) else {
                throw failure("\(path) is duplicated, or cannot be written")
            }
            let handle = try FileHandle(forWritingTo: target)
            defer { try? handle.close() }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                try check()
                let size = archive_read_data(archive, &buffer, buffer.count)
                if size == 0 { break }
                guard size > 0 else { throw failure() }
                total += size
                guard total <= ContainerSettings.largestUnpacked else {
                    throw failure("it exceeds the size limit when unpacked")
                }
                try handle.write(contentsOf: Data(buffer[..<size]))
            }
            // The time of the app's last write instead of the time of unpacking.
            if archive_entry_mtime_is_set(entry) != 0 {
                var times = [timespec(), timespec()]
                times[0].tv_sec = archive_entry_mtime(entry)
                times[1] = times[0]
                futimens(handle.fileDescriptor, times)
            }
        }
    }
}
