import Foundation
import Photos
import Pictures
import PluginKit

/// `photo compress`
struct CompressPhotos: CommandProvider {
    private static let columns = ["file", "pixels", "bytes", "written", "writtenBytes", "result"]
    /// Shortest and longest side that can be asked for, in pixels.
    private static let sides = 16...PhotoSettings.maximumSide
    /// The quality of a written photo, 0…1.
    private static let qualities = 0.1...1.0

    var name: String { "photo compress" }

    var command: Command {
        Command(
            name, "write smaller copies of photos",
            details: """
                Writes an upright JPEG of each photo into the folder --out, of quality \
                \(Literal.number(PhotoSettings.fullQuality)) as in the apps, and no longer than --side if it is given; a smaller \
                photo keeps its size. The copies have no EXIF data: no position, no time, no camera. A file that is no photo \
                is listed with the reason. All copies are written, or none.
                """,
            PhotoOptions.folder,
            .requiredOption("out", .outputFile, "folder to write the copies to"),
            .option(
                "side", .integer(Self.sides), "longest side of a copy in pixels; default: that of the photo"),
            .option(
                "quality", .number(Self.qualities), default: Literal.number(PhotoSettings.fullQuality),
                "quality of a copy, 0.1 to 1"),
            .flag("force", "overwrite existing files"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "not a photo", "photo compress walk.gpx --out small | get result",
                    after: HikeExample.setup, gives: "not a JPEG, PNG or HEIC image"),
                .init(
                    "no such quality",
                    "expect-error E-ARG-RANGE photo compress walk.gpx --out small --quality 2",
                    after: HikeExample.setup),
            ],
            searchTerms: [
                "make photos smaller", "size of photos", "space", "downsample", "shrink", "resize", "smaller",
                "jpeg", "quality", "pictures too big", "resize photos",
            ]
        ) { context, folder, out, side, quality, force in
            let photos = try CompressedPhoto.all(in: folder)
            let files = try StagedFolder(out, names: photos.map(\.output), force: force)
            var rows: [[Value]] = []
            var written = 0
            for (index, photo) in photos.enumerated() {
                try context.checkCancelled()
                context.progress.report("compressing photos", done: index, of: photos.count)
                var row = [Value.text(photo.name)]
                do {
                    let data = try FolderPhoto.data(of: photo.url)
                    try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
                    let before = try Photos.info(data)
                    let copy =
                        try side.map {
                            try Photos.uprightJPEG(data, longestSide: $0, quality: quality)
                        } ?? Photos.uprightJPEG(data, quality: quality)
                    let after = try Photos.info(copy)
                    try files.add(photo.output, copy)
                    written += 1
                    row += [
                        .text("\(before.width)×\(before.height)"), .integer(data.count),
                        .text("\(after.width)×\(after.height)"), .integer(copy.count),
                        .text(copy.count < data.count ? "written" : "written, not smaller than the photo"),
                    ]
                } catch let error as PhotoError {
                    row += [.nothing, .nothing, .nothing, .nothing, .text(error.description)]
                }
                rows.append(row)
            }
            if written > 0 { try files.finish() }
            return .table(columns: Self.columns, cells: rows)
        }
    }
}

/// A file of the folder, and the name of its copy.
private struct CompressedPhoto {
    let name: String
    let url: URL
    private(set) var output: String

    /// The files of a folder and its subfolders, or a single one, by name. Throws `E-HIKE-PHOTOS` if there is none, or if two
    /// copies would have one name.
    static func all(in folder: URL) throws -> [CompressedPhoto] {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        var photos = [Self(folder.lastPathComponent, folder)]
        if isFolder.boolValue {
            guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
                throw CommonErrors.fileAccess("\(folder.lastPathComponent) cannot be read")
            }
            photos = names.sorted().compactMap { name in
                let url = folder.appendingPathComponent(name)
                var isBelow: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isBelow)
                return isBelow.boolValue || url.lastPathComponent.hasPrefix(".") ? nil : Self(name, url)
            }
        }
        guard !photos.isEmpty else {
            throw HikeErrors.photos("\(folder.lastPathComponent) holds no files", at: .parameter("folder"))
        }
        // A phone keeps a photo as HEIC and as JPEG under one name.
        let shared = Dictionary(grouping: photos, by: \.output).filter { $0.value.count > 1 }
        for index in photos.indices where shared[photos[index].output] != nil {
            let url = photos[index].url
            if !["jpg", "jpeg"].contains(url.pathExtension.lowercased()) {
                photos[index].output = url.lastPathComponent + ".jpg"
            }
        }
        let twice = Dictionary(grouping: photos, by: \.output).filter { $0.value.count > 1 }.keys.min()
        if let twice {
            throw HikeErrors.photos(
                "two copies would be named \(twice): the copies share a folder", at: .parameter("folder"),
                fix: "compress one subfolder at a time")
        }
        return photos
    }

    private init(_ name: String, _ url: URL) {
        (self.name, self.url) = (name, url)
        output = url.deletingPathExtension().lastPathComponent + ".jpg"
    }
}
