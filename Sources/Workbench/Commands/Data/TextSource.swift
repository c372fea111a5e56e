import Foundation
import PluginKit

/// Text to be read: from the pipe, or a file.
struct TextSource: Sendable {
    private enum Content: Sendable {
        case text(String)
        case file(URL)
    }

    private let content: Content
    private let origin: TextOrigin

    /// A file.
    init(_ url: URL) {
        content = .file(url)
        origin = TextOrigin(file: url.lastPathComponent)
    }

    /// A file, or the text that came through the pipe.
    init(file: URL?, input: Value) throws(RutterError) {
        switch (file, input) {
        case (let url?, .nothing):
            content = .file(url)
            origin = TextOrigin(file: url.lastPathComponent)
        case (nil, .text(let text)):
            content = .text(text)
            origin = TextOrigin(file: nil)
        case (_?, _):
            throw DataErrors.source(
                "there is text from the pipe and a file to read", at: .parameter("file"), fix: "leave one out"
            )
        case (nil, .nothing):
            throw DataErrors.source(
                "there is no text to read", fix: "… | from FORMAT, or from FORMAT --file FILE")
        case (nil, _):
            throw CommonErrors.inputKind("`from` reads text, not \(input.article)")
        }
    }

    func json() throws -> Value { try JSONReader.value(of: try bytes(), origin: origin) }

    /// The features of GeoJSON as rows.
    func geojson() throws -> Value {
        let document = try json()
        if let rows = GeoJSONReader.rows(of: document) { return rows }
        throw origin.error(
            DataErrors.json, "this is neither a FeatureCollection nor a Feature", line: 1,
            fix: "`from json` reads any JSON")
    }

    func text() throws -> String { try origin.text(try bytes()) }

    func csv() -> CSVSource { CSVSource(open: { try chunks() }, origin: origin) }

    func lines() -> Value {
        .rows(
            Rows {
                let next = FileText.lines(try chunks(), origin: origin)
                return Rows.Iterator {
                    try Interruption.check()
                    return try next().map { .text($0) }
                }
            })
    }

    private func bytes() throws -> [UInt8] {
        switch content {
        case .text(let text): Array(text.utf8)
        case .file(let url): try FileText.bytes(of: url)
        }
    }

    private func chunks() throws -> () throws -> [UInt8]? {
        switch content {
        case .file(let url): return try FileText.chunks(of: url)
        case .text(let text):
            var rest: [UInt8]? = Array(text.utf8)
            return {
                defer { rest = nil }
                return rest.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }
}
