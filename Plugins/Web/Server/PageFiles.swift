import Core
import Foundation
import Pages

/// The files of the page. A request names one of these or none: no path of a request ever reaches the file system.
struct PageFiles: Sendable {
    /// A file and what a browser takes it for.
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
        /// Changes with the bytes.
        let tag: String

        init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            tag = "\"" + String(FNV1a.hash(bytes), radix: 36) + "\""
        }
    }

    private let files: [String: File]

    /// The paths, in order.
    var paths: [String] { files.keys.sorted() }

    subscript(path: Substring) -> File? { files[String(path)] }

    /// What is compiled into the program, and what Debian's package of Leaflet has.
    init(leafletFolder: String = WebSettings.leafletFolder) {
        var files: [String: File] = [:]
        for (name, bytes) in PageResources.all {
            files[name == "index.html" ? "/" : "/page/" + name] = Self.file(
                name, String(decoding: bytes, as: UTF8.self))
        }
        // The player of traces and the questions of lessons are those of pages that commands write.
        for (name, text) in [("player.js", WebPage.playerScript), ("exercise.js", WebPage.exerciseScript)] {
            files["/page/" + name] = Self.file(name, text)
        }
        for name in ["leaflet.esm.min.js", "leaflet.css"] {
            guard let data = FileManager.default.contents(atPath: leafletFolder + "/" + name) else {
                continue
            }
            files["/leaflet/" + name] = File(type: Self.type(of: name), bytes: Array(data))
        }
        self.files = files
    }

    /// Whether the map's library is there.
    var hasLeaflet: Bool { files["/leaflet/leaflet.esm.min.js"] != nil }

    private static func file(_ name: String, _ text: String) -> File {
        let sent =
            name.hasSuffix(".js")
            ? BrowserCode.script(text) : name.hasSuffix(".css") ? BrowserCode.style(text) : text
        return File(type: type(of: name), bytes: Array(sent.utf8))
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
