import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Reads GPX 1.0 and 1.1 as a stream, in bounded memory.
public enum GPXReader {
    /// One thing that the reader came across, in the order of the file.
    public enum Event: Sendable {
        /// A `wpt` is complete.
        case waypoint(GPXPoint)
        /// A `rte` is complete.
        case route(GPXLine)
        /// A `trk` is complete.
        case track(GPXLine)
        /// The name in the metadata.
        case name(String)
        /// The time in the metadata.
        case time(Timestamp)
    }

    /// Reads a whole file; `progress` is told the number of points read so far.
    public static func document(
        _ url: URL, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        var document = GPXDocument()
        try read(url, check: check, progress: progress) { event in
            switch event {
            case .waypoint(let point): document.waypoints.append(point)
            case .route(let line): document.routes.append(line)
            case .track(let line): document.tracks.append(line)
            case .name(let name): document.name = name
            case .time(let time): document.time = time
            }
        }
        return document
    }

    /// Reads a file and hands over what it finds. Throws an error of `GPXErrors` with line and column, what
    /// `check` throws (called every thousand points, as `progress` is), or what `handle` throws. A file without a byte
    /// is `E-GPX-XML` as well.
    public static func read(
        _ url: URL, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in },
        handle: (Event) throws -> Void
    ) throws {
        let file = try open(url)
        defer { try? file.close() }
        try withoutActuallyEscaping(handle) { handle in
            try withoutActuallyEscaping(check) { check in
                try withoutActuallyEscaping(progress) { progress in
                    let builder = GPXBuilder(handle: handle) { points in
                        try check()
                        progress(points)
                    }
                    let parser = try XMLPushParser(path: url.lastPathComponent, delegate: builder)
                    var isEmpty = true
                    while let chunk = try chunk(of: file, url) {
                        isEmpty = false
                        try check()
                        try parser.feed(chunk)
                    }
                    if isEmpty {
                        throw GPXErrors.xml(
                            "the file is empty",
                            at: .file(path: url.lastPathComponent, line: 1, column: 1),
                            fix: "export it again from where it came")
                    }
                    try parser.finish()
                }
            }
        }
    }

    /// Opens regular files only: nobody should wait for the other end of a pipe.
    private static func open(_ url: URL) throws(RutterError) -> FileHandle {
        var info = stat()
        guard stat(url.path, &info) == 0 else {
            throw CommonErrors.fileMissing("there is no file \(url.lastPathComponent)")
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is no regular file")
        }
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
        return file
    }

    private static func chunk(of file: FileHandle, _ url: URL) throws(RutterError) -> Data? {
        do {
            let chunk = try file.read(upToCount: GPXSettings.chunk)
            return chunk?.isEmpty == false ? chunk : nil
        } catch {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent) cannot be read: \((error as NSError).localizedDescription)")
        }
    }
}
