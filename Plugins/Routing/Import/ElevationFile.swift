import CArchive
import Foundation
import PluginKit

/// Reads elevation tiles from files and folders.
enum ElevationFile {
    /// The tiles of files and folders: `.hgt`, `.hgt.zip`, `.hgt.gz`, `.tif`, `.tiff`. In a folder only
    /// files with these extensions are read, and only tiles that pass a test.
    static func model(
        _ urls: [URL], wanted: (ElevationTile.Corner) -> Bool, progress: ProgressReporter
    ) throws -> ElevationModel {
        var model = ElevationModel()
        let files = try urls.flatMap { try Self.files(at: $0) }
        for (index, file) in files.enumerated() {
            try Interruption.check()
            progress.report("reading elevation", done: index, of: files.count)
            let known = ElevationTile.Corner(name: file.url.lastPathComponent)
            if let known, file.isFromFolder, !wanted(known) { continue }
            if isRaster(file.url) {
                if let raster = try ElevationRaster(
                    file.url, wanted: { !file.isFromFolder || wanted($0) })
                {
                    model.add(raster)
                }
                continue
            }
            model.add(try tile(file.url))
        }
        return model
    }

    private static func isRaster(_ url: URL) -> Bool {
        ["tif", "tiff"].contains(url.pathExtension.lowercased())
    }

    private static func files(at url: URL) throws -> [(url: URL, isFromFolder: Bool)] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CommonErrors.fileMissing("no such file: \(url.lastPathComponent)")
        }
        guard isFolder.boolValue else { return [(url, false)] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
        return names.sorted().filter { name in
            isRaster(url.appendingPathComponent(name))
                || ElevationTile.Corner(name: name) != nil
                    && [".hgt", ".hgt.zip", ".hgt.gz"].contains { name.lowercased().hasSuffix($0) }
        }.map { (url.appendingPathComponent($0), true) }
    }

    /// The tile in a file.
    static func tile(_ url: URL) throws -> ElevationTile {
        let file = url.lastPathComponent
        let content = try content(of: url)
        let name = ElevationTile.Corner(name: content.name) ?? ElevationTile.Corner(name: file)
        guard let corner = name else {
            throw RegionErrors.elevation("\(file) is not named after its south-western corner")
        }
        guard !content.isCut, let tile = ElevationTile(corner: corner, bytes: content.bytes) else {
            let sizes = RoutingSettings.tileSides.map { "\($0 * $0 * 2)" }.joined(separator: " or ")
            throw RegionErrors.elevation(
                "\(file) holds \(content.isCut ? "more than " : "")\(content.bytes.count) bytes; a tile has \(sizes)"
            )
        }
        return tile
    }

    private struct Content {
        var name: String
        var bytes: [UInt8]
        /// Whether there were more bytes than a tile can have.
        var isCut: Bool
    }

    /// The bytes of a file, unpacked if it is an archive; never more than the largest tile.
    private static func content(of url: URL) throws -> Content {
        let file = url.lastPathComponent
        try RegularFile.check(url)
        if !NativeLibrary.archive.isAvailable, file.lowercased().hasSuffix(".hgt") {
            return try bareContent(of: url)
        }
        try NativeLibrary.archive.require()
        let archive = archive_read_new()
        defer { archive_read_free(archive) }
        archive_read_support_filter_gzip(archive)
        archive_read_support_format_zip(archive)
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
        func failure() -> RutterError {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
            let position = archive_filter_bytes(archive, -1)
            return RegionErrors.elevation("\(file) at byte \(position): \(reason)")
        }
        guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else { throw failure() }
        var entry: OpaquePointer?
        while true {
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF { return Content(name: file, bytes: [], isCut: false) }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw failure() }
            let path = archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            // A bare or gzipped file has one entry named `data`.
            let isRaw = archive_format(archive) == ARCHIVE_FORMAT_RAW
            guard isRaw || name.lowercased().hasSuffix(".hgt") else { continue }
            let (bytes, isCut) = try rest(of: archive, failure)
            return Content(name: isRaw ? file : name, bytes: bytes, isCut: isCut)
        }
    }

    /// The bytes of an uncompressed file.
    private static func bareContent(of url: URL) throws -> Content {
        let limit = RoutingSettings.largestTile
        let handle = try FileHandle(forReadingFrom: url)
        let bytes = [UInt8](try handle.read(upToCount: limit + 1) ?? Data())
        return Content(
            name: url.lastPathComponent, bytes: Array(bytes.prefix(limit)), isCut: bytes.count > limit)
    }

    /// The bytes of the current entry, up to the size of the largest tile, and whether there are more.
    private static func rest(
        of archive: OpaquePointer?, _ failure: () -> RutterError
    ) throws -> (bytes: [UInt8], isCut: Bool) {
        let limit = RoutingSettings.largestTile
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let read = bytes.withUnsafeMutableBytes { buffer in
                archive_read_data(archive, buffer.baseAddress.map { $0 + count }, room)
            }
            guard read >= 0 else { throw failure() }
            if read == 0 { break }
            count += read
        }
        return (Array(bytes.prefix(min(count, limit))), count > limit)
    }
}
