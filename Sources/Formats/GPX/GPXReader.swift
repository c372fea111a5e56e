import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads GPX 1.0 and 1.1 as a stream, in bounded memory.
public enum GPXReader {
    /// An object or value found by the reader, in file order.
    public enum Event: Sendable {
        /// A `wpt` is complete.
        case waypoint(GPXPoint)
        /// A `rte` is complete.
        case route(GPXLine)
        /// A `trk` is complete.
        case track(GPXLine)
        /// The name in the metadata.
        case name(String)
        /// The description in the metadata.
        case description(String)
        /// The author's name in the metadata.
        case author(String)
        /// The time in the metadata.
        case time(Timestamp)
        /// The keywords in the metadata.
        case keywords(String)
        /// The author's email address.
        case authorEmail(String)
        /// The author's link.
        case authorLink(WebLink)
        /// A link in the metadata.
        case link(WebLink)
        /// The text of the last link in the metadata of GPX 1.0.
        case linkText(String)
        /// The copyright in the metadata.
        case copyright(FileCopyright)
        /// The program that wrote the file.
        case creator(String)
        /// Elements of other namespaces in the metadata or below the root.
        case extensions(String)
        /// Dropped content, with its count.
        case dropped(String, count: Int)
        /// What is doubtful, in words.
        case doubt(String)
        /// What became of the points, at the end.
        case account(PointAccount)
    }

    /// Reads a whole file; `progress` receives the number of points read.
    public static func document(
        _ url: URL, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        try document(SourceBytes(url), check: check, progress: progress)
    }

    /// Reads a whole file that is opened or in memory.
    public static func document(
        _ source: SourceBytes, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        var document = GPXDocument()
        try read(source, check: check, progress: progress) { event in
            switch event {
            case .waypoint(let point): document.waypoints.append(point)
            case .route(let line): document.routes.append(line)
            case .track(let line): document.tracks.append(line)
            case .name(let name): document.name = name
            case .description(let text): document.description = text
            case .author(let author): document.author = author
            case .time(let time): document.time = time
            case .keywords(let words): document.keywords = words
            case .authorEmail(let address): document.authorEmail = address
            case .authorLink(let link): document.authorLink = link
            case .link(let link): document.links.append(link)
            case .linkText(let text):
                if let last = document.links.indices.last { document.links[last].text = text }
            case .copyright(let copyright): document.copyright = copyright
            case .creator(let creator): document.creator = creator
            case .extensions(let markup): document.extensions = (document.extensions ?? "") + markup
            case .dropped(let what, let count):
                document.notices.append("\(what) was ignored" + (count > 1 ? " (\(count) times)" : ""))
            case .doubt(let words): document.doubts.append(words)
            case .account(let account): document.account = account
            }
        }
        return document
    }

    /// Reads a file and passes its content to `handle`. Throws an error of `GPXErrors` with line and column,
    /// of `check` (called every thousand points, as is `progress`), or of `handle`. An empty file is
    /// `E-GPX-XML` as well.
    public static func read(
        _ source: SourceBytes, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in },
        handle: (Event) throws -> Void
    ) throws {
        try withoutActuallyEscaping(handle) { handle in
            try withoutActuallyEscaping(check) { check in
                try withoutActuallyEscaping(progress) { progress in
                    let builder = GPXBuilder(handle: handle) { points in
                        try check()
                        progress(points)
                    }
                    let repair = XMLRepair()
                    do {
                        try XMLPushParser.read(source, into: builder, repair: repair, check: check)
                        for words in repair.doubts { try handle(.doubt(words)) }
                        try handle(.account(builder.account))
                    } catch let error as RutterError where error.code == GPXErrors.xml.code {
                        // What is whole before the damage is kept, and the damage is said.
                        guard try builder.salvage() > 0 else { throw error }
                        for words in [error.endOfFile] + repair.doubts { try handle(.doubt(words)) }
                        try handle(.account(builder.account))
                    }
                }
            }
        }
    }
}
