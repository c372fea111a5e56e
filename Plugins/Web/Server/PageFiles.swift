import Core
import Foundation
import Pages

/// The files of the page. Requests are looked up in this table: no path of a request ever reaches the file
/// system.
struct PageFiles: Sendable {
    /// A file and its content type.
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
        /// Changes with the content.
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

    /// The files compiled into the program, compacted once.
    private static let compiled = {
        var files: [String: File] = [:]
        for (name, bytes) in PageResources.all {
            files[name == "index.html" ? "/" : "/page/" + name] = file(
                name, String(decoding: bytes, as: UTF8.self))
        }
        // The trace player and the questions of lessons are shared with the pages written by commands.
        for (name, text) in [("player.js", WebPage.playerScript), ("exercise.js", WebPage.exerciseScript)] {
            files["/page/" + name] = file(name, text)
        }
        return files
    }()

    /// The files compiled into the program, and those of Debian's Leaflet package.
    init(leafletFolder: String = WebSettings.leafletFolder) {
        var files = Self.compiled
        for name in ["leaflet.esm.min.js", "leaflet.css"] {
            guard let data = FileManager.default.contents(atPath: leafletFolder + "/" + name) else {
                continue
            }
            files["/leaflet/" + name] = File(type: Self.type(of: name), bytes: Array(data))
        }
        self.files = files
    }

    /// Whether the map library is available.
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
