import Archives
import Foundation
import PluginKit

/// A ZIP archive with the tables of a feed. Nothing is unpacked to disk.
struct ZipArchive {
    /// Its name in messages; that of an archive in another one is behind it: `outer.zip/gtfs.zip`.
    let name: String
    /// The files in the archive, in its order.
    let entries: [ArchiveEntry]
    private let origin: Origin

    private enum Origin {
        case file(URL)
        /// An archive that was in another one.
        case memory(SourceBytes)
    }

    /// Whether it was in another archive.
    var isInner: Bool {
        switch origin {
        case .file: false
        case .memory: true
        }
    }

    /// How much of an archive is read: a table is read by itself, so that the ratio holds for each.
    static let limits = ArchiveLimits(
        entries: TransitSettings.mostEntries, entryBytes: TransitSettings.largestTable,
        bytes: TransitSettings.largestTable, ratio: TransitSettings.largestRatio,
        freeBytes: TransitSettings.ratioFreeSize)

    /// Opens an archive and checks its entries. Throws an error of `ArchiveErrors`, also for entries that a feed cannot
    /// have.
    init(_ url: URL) throws { try self.init(.file(url)) }

    private init(_ origin: Origin) throws {
        self.origin = origin
        let reader = try Self.reader(origin)
        name = reader.name
        var found: [ArchiveEntry] = []
        while let entry = try reader.next() {
            // Repeated names are refused if they are read.
            if entry.fault != .repeated { try entry.require() }
            found.append(entry)
        }
        entries = found
    }

    /// A file is opened for each reader, since readers of one descriptor share its position.
    private static func reader(_ origin: Origin) throws -> ArchiveReader {
        switch origin {
        case .file(let url): try ArchiveReader(SourceBytes(url), limits: limits)
        case .memory(let bytes): try ArchiveReader(bytes, limits: limits)
        }
    }

    /// The bytes of a file of the archive.
    func open(_ path: String) throws -> any ByteSource { try reader(at: path) }

    private func reader(at path: String) throws -> ArchiveReader {
        let reader = try Self.reader(origin)
        while let entry = try reader.next() {
            if entry.path == path { return reader }
        }
        throw ArchiveErrors.format("\(name): the entry `\(path)` disappeared during the import")
    }

    /// The paths of the archives in it, in order.
    var innerArchives: [String] {
        entries.map(\.path).filter { $0.lowercased().hasSuffix(".zip") }.sorted()
    }

    /// An archive in it, which is kept in memory while it is read.
    func inner(_ path: String) throws -> ZipArchive {
        let most = TransitSettings.largestInnerArchive
        let bytes = try reader(at: path).bytes(limit: most)
        guard bytes.count <= most else {
            throw ArchiveErrors.limit("\(name): the archive `\(path)` in it is larger than \(most >> 20) MB")
        }
        return try ZipArchive(.memory(SourceBytes(bytes, name: "\(name)/\(path)")))
    }
}

extension ArchiveReader: ByteSource {}
