import Archives
import Foundation
import PluginKit

/// A ZIP archive with the tables of a feed. Nothing is unpacked to disk.
struct ZipArchive {
    let url: URL
    /// The files in the archive, in its order.
    let entries: [ArchiveEntry]

    /// How much of an archive is read: a table is read by itself, so that the ratio holds for each.
    static let limits = ArchiveLimits(
        entries: TransitSettings.mostEntries, entryBytes: TransitSettings.largestTable,
        bytes: TransitSettings.largestTable, ratio: TransitSettings.largestRatio,
        freeBytes: TransitSettings.ratioFreeSize)

    /// Opens an archive and checks its entries. Throws an error of `ArchiveErrors`, also for entries that a feed cannot
    /// have.
    init(_ url: URL) throws {
        self.url = url
        let reader = try ArchiveReader(SourceBytes(url), limits: Self.limits)
        var found: [ArchiveEntry] = []
        while let entry = try reader.next() {
            // Repeated names are refused if they are read.
            if entry.fault != .repeated { try entry.require() }
            found.append(entry)
        }
        entries = found
    }

    /// The bytes of a file of the archive.
    func open(_ path: String) throws -> any ByteSource {
        let reader = try ArchiveReader(SourceBytes(url), limits: Self.limits)
        while let entry = try reader.next() {
            if entry.path == path { return reader }
        }
        throw ArchiveErrors.format("\(reader.name): the entry `\(path)` disappeared during the import")
    }
}

extension ArchiveReader: ByteSource {}
