import Formats
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
                "input from both the pipe and --file", at: .parameter("file"), fix: "remove one")
        case (nil, .nothing):
            throw DataErrors.source(
                "no text to parse", fix: "… | from FORMAT, or from FORMAT --file FILE")
        case (nil, _):
            throw CommonErrors.inputKind("`from` reads text, not \(input.article)")
        }
    }

    func json() throws -> Value { try read(JSONValues.value) }

    /// The features of GeoJSON as rows.
    func geojson() throws -> Value { try read(GeoJSONRows.rows) }

    private func read(_ body: (JSONTree) throws -> Value) throws -> Value {
        do {
            return try JSONTree.read(try bytes(), check: { try Interruption.check() }, body)
        } catch let fault as JSONFault {
            throw origin.error(fault)
        }
    }

    func text() throws -> String { try origin.text(try bytes()) }

    func csv() -> CSVSource { CSVSource(open: { try reader() }, origin: origin) }

    func lines() -> Value {
        .rows(
            Rows {
                let next = FileText.lines(try reader(), origin: origin)
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

    private func reader() throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
        switch content {
        case .file(let url): try FileText.reader(of: url)
        case .text(let text): CSVTokenizer.reader(of: Array(text.utf8))
        }
    }
}
