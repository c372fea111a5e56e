import Formats
import Foundation
import PluginKit
import TrailStores

/// A file with tracks, or an entry of an archive.
struct TrackFile: Sendable {
    /// Its name in the account: `walk.gpx`, or `week.zip/walk.fit`.
    let name: String
    let url: URL
    /// Its name without folders and extension.
    let stem: String

    init(name: String, url: URL, stem: String? = nil) {
        self.name = name
        self.url = url
        self.stem = stem ?? url.deletingPathExtension().lastPathComponent
    }
}

/// The formats of recordings.
enum TrackFormat: String, CaseIterable {
    case gpx, fit, tcx, kml, geojson

    /// The format of a file by its first bytes; its name does not count.
    init?(sniffing url: URL) throws {
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
        defer { try? file.close() }
        let head = (try? file.read(upToCount: HikeSettings.sniffed)) ?? Data()
        if head.count >= 12, head[head.startIndex + 8..<head.startIndex + 12].elementsEqual(".FIT".utf8) {
            self = .fit
            return
        }
        let text = String(decoding: head, as: UTF8.self)
        if text.contains("<TrainingCenterDatabase") {
            self = .tcx
        } else if text.contains("<kml") {
            self = .kml
        } else if text.contains("<") {
            // Whatever it is: the reader of GPX says what is wrong with it.
            self = .gpx
        } else if text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "{" {
            self = .geojson
        } else {
            return nil
        }
    }

    /// Refuses a file that its reader would refuse for its size, before all of it is read. Throws `E-FIT-TOOLARGE`.
    func checkSize(_ url: URL) throws {
        if self == .fit { try FITReader.checkSize(url) }
    }

    /// Reads a file. Throws an error of the format's reader, or what `check` throws.
    func document(_ url: URL, _ context: Context, check: () throws -> Void) throws -> GPXDocument {
        func progress(_ points: Int) { context.progress.report("reading points", done: points) }
        switch self {
        case .gpx: return try GPXReader.document(url, check: check, progress: progress)
        case .fit: return try FITReader.document(url, check: check, progress: progress)
        case .tcx: return try TCXReader.document(url, check: check, progress: progress)
        case .kml: return Self.tracks(try KMLReader.document(url, check: check))
        case .geojson:
            guard let data = FileManager.default.contents(atPath: url.path) else {
                throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
            }
            do {
                return Self.tracks(
                    try JSONTree.read(data, check: check) { try GeoJSONReader.document($0, check: check) })
            } catch let fault as JSONFault {
                throw fault.error(HikeErrors.format, file: url.lastPathComponent)
            }
        }
    }

    private static func tracks(_ file: MapDocument) -> GPXDocument {
        var document = GPXDocument()
        document.name = file.name
        document.description = file.description
        document.author = file.author
        document.time = file.time
        for feature in file.features {
            switch feature {
            case .place(let place): document.waypoints.append(place.point)
            case .line(let line, .track, _): document.tracks.append(line)
            case .line(let line, .route, _): document.routes.append(line)
            }
        }
        return document
    }
}

/// Constants of the hike commands.
enum HikeSettings {
    /// Bytes of a file that its format is recognised by.
    static let sniffed = 4096
    /// Bytes from which on hashing a file on another thread saves more than the thread costs.
    static let leastHashedBeside = 4 << 20
    /// Extensions of files that are looked for in folders and archives.
    static let extensions: Set = ["gpx", "fit", "tcx", "kml", "geojson"]
    /// Files of a folder or archive that are imported at most.
    static let mostFiles = 10_000
    /// Moments at which two recordings are compared.
    static let comparedMoments = 24
    /// Metres between two recordings of the same walk by different devices.
    static let sameWalk = 100.0
    /// Share of the shorter recording's time, and of the moments compared, that have to agree.
    static let sameShare = 0.9
}
