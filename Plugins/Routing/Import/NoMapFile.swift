import Formats
import Foundation

/// What a file that is no map of OpenStreetMap is instead.
enum NoMapFile {
    /// The words of a file that has the name of a map but is of another kind; `nil` for one that is not recognised.
    static func words(_ url: URL) -> (what: String, fix: String)? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        return words((try? file.read(upToCount: RoutingSettings.kindHead)) ?? Data())
    }

    /// The same of its first bytes.
    static func words(_ start: Data) -> (what: String, fix: String)? {
        if start.isEmpty { return ("is empty", "download it again") }
        let text = String(decoding: start, as: UTF8.self).lowercased()
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("{") || text.hasPrefix("[") {
            return ("is JSON, not a map in XML or PBF", "begin the Overpass query with [out:xml]")
        }
        if HeadText(Array(start)).isWebPage {
            return ("is a web page, not a map: the server may have refused it", "download it again")
        }
        for (element, what) in [("<gpx", "a GPX file of tracks"), ("<kml", "a KML file of places")]
        where text.contains(element) {
            return ("is \(what), not a map of ways", "`import FILE` adds it to the recordings")
        }
        return nil
    }
}
