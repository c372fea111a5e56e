import Archives
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
        guard !content.isCut,
            let tile = try ElevationTile(
                corner: corner, bytes: content.bytes, check: { try Interruption.check() })
        else {
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
        let limit = RoutingSettings.largestTile
        let source = try SourceBytes(url)
        func content(_ name: String, _ bytes: [UInt8]) -> Content {
            Content(name: name, bytes: Array(bytes.prefix(limit)), isCut: bytes.count > limit)
        }
        if !NativeLibrary.archive.isAvailable, file.lowercased().hasSuffix(".hgt") {
            return content(file, try source.bytes(at: 0, count: limit + 1))
        }
        let archive = try ArchiveReader(source, as: [.zip, .compressed, .single])
        while let entry = try archive.next() {
            let name = entry.path.split(separator: "/").last.map(String.init) ?? ""
            guard archive.isSingle || name.lowercased().hasSuffix(".hgt") else { continue }
            return content(archive.isSingle ? file : name, try archive.bytes(limit: limit))
        }
        return content(file, [])
    }
}
