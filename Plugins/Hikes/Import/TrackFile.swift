import Formats
import Foundation
import PluginKit
import TrailStores

/// A file with tracks, or an entry of an archive.
struct TrackFile: Sendable {
    /// Its name in the report: `walk.gpx`, or `week.zip/walk.fit`.
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

    /// The format of a file from its first bytes, not its name.
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
            // Anything else: the GPX reader reports the problem.
            self = .gpx
        } else if text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "{" {
            self = .geojson
        } else {
            return nil
        }
    }

    /// Rejects a file that its reader would reject for its size, before reading it. Throws `E-FIT-TOOLARGE`.
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
    /// Bytes used to recognise the format of a file.
    static let sniffed = 4096
    /// Minimum bytes of a file to hash it on another thread.
    static let leastHashedConcurrently = 4 << 20
    /// Extensions of files imported from folders and archives.
    static let extensions: Set = ["gpx", "fit", "tcx", "kml", "geojson"]
    /// Maximum files of a folder or archive.
    static let mostFiles = 10_000
    /// Number of intervals between the times at which two recordings are compared.
    static let comparedMoments = 24
    /// Maximum metres between two recordings of the same walk by different devices.
    static let sameWalk = 100.0
    /// Share of the shorter recording's time, and of the compared times, that must agree.
    static let sameShare = 0.9
}
