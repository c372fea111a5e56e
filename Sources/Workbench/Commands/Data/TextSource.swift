import Formats
import Foundation
import PluginKit

/// Text to be read: from the pipe, or a file.
struct TextSource: Sendable {
    private let data: DataBytes
    private let origin: TextOrigin

    private init(data: DataBytes, origin: TextOrigin) { (self.data, self.origin) = (data, origin) }

    /// A file, opened once: a pipe cannot be read again. A text of a named encoding is converted at once.
    /// `typed` is what to type for it.
    init(_ url: URL, typed: String?, encoding: NamedEncoding? = nil) throws {
        origin = TextOrigin(file: url.lastPathComponent, typed: typed)
        let file = try DataBytes(url)
        guard let encoding else {
            data = file
            return
        }
        let bytes = try file.all(most: DataSettings.mostKept)
        do {
            data = DataBytes(try encoding.converted(bytes))
        } catch {
            let position = TextPosition(of: error.offset, in: bytes)
            throw origin.error(
                DataErrors.encoding, "invalid \(encoding.name)", line: position.line, column: position.column,
                fix:
                    "name another encoding, or see the bytes: head -n \(position.line) FILE | tail -n 1 | xxd"
            )
        }
    }

    /// A file, the text that came through the pipe, or what the process is given to read.
    init(file: URL?, input: Value, files: FileAccess, encoding: NamedEncoding? = nil) throws {
        var isGiven = false
        if case .nothing = input { isGiven = true }
        switch (file ?? (isGiven ? files.standardInput : nil), input) {
        case (let url?, .nothing):
            try self.init(url, typed: file.map(files.typedPath(of:)), encoding: encoding)
        case (nil, .text) where encoding != nil:
            throw CommonErrors.argumentRange(
                "text from the pipe has no encoding", at: .parameter("encoding"),
                fix: "from FORMAT --file FILE --encoding \(encoding?.name ?? "")")
        case (nil, .text(let text)):
            self.init(data: DataBytes(Array(text.utf8)), origin: TextOrigin(file: nil))
        case (_?, _):
            throw DataErrors.source(
                "input from both the pipe and --file", at: .parameter("file"), fix: "remove one")
        case (nil, .nothing):
            throw DataErrors.source(
                "no text to parse", fix: "from FORMAT --file FILE, or 'TEXT' | from FORMAT")
        case (nil, _):
            throw CommonErrors.inputKind("`from` reads text, not \(input.article)")
        }
    }

    /// The first bytes.
    var head: [UInt8] { data.head }

    /// A JSON value; objects one after the other are a list. `notice` gets what is said of what has no certain meaning, such as keys
    /// that repeat.
    func json(_ notice: @escaping (String) -> Void) throws -> Value {
        try read(notice, isSequence: true, JSONValues.value)
    }

    /// The features of GeoJSON as rows.
    func geojson(_ notice: @escaping (String) -> Void) throws -> Value { try read(notice, GeoJSONRows.rows) }

    /// Objects that follow each other are a list with `isSequence`.
    private func read(
        _ notice: @escaping (String) -> Void, isSequence: Bool = false, _ body: (JSONTree) throws -> Value
    ) throws -> Value {
        let bytes = try data.all()
        do {
            return try JSONTree.read(
                bytes, check: { try Interruption.check() }, keepsDamaged: false, isSequence: isSequence,
                repairs: { $0.words.forEach(notice) }, body)
        } catch let fault as JSONFault {
            var error = origin.error(fault)
            if error.fix == nil, Self.hasValuesInLines(bytes) {
                error.fix = "a value in each line: \(origin.command("jsonl"))"
            }
            throw error
        }
    }

    /// Whether the first two lines are values by themselves.
    private static func hasValuesInLines(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2)
        return lines.count == 2 && lines.allSatisfy { (try? JSONTree(parsing: Array($0))) != nil }
    }

    func text() throws -> String { try origin.text(try data.all()) }

    func csv(_ options: CSVOptions) throws -> Value { try csvSource(options).rows() }

    func csvSource(_ options: CSVOptions) -> CSVSource {
        CSVSource(bytes: data, origin: origin, options: options)
    }

    func lines() -> Value {
        .rows(
            Rows {
                let next = FileText.lines(try data.reader(), origin: origin)
                return Rows.Iterator {
                    try Interruption.check()
                    return try next().map { .text($0) }
                }
            })
    }

    /// JSON Lines: a value in each line. Those of a short text make a table when all are objects.
    ///
    /// Leniently, lines that are no JSON, such as the last one of a log whose writer was stopped, are left out and counted.
    func jsonLines(
        isLenient: Bool = false, _ notice: @escaping @Sendable (String) -> Void
    ) throws -> Value {
        let rows = Rows {
            let next = FileText.lines(try data.reader(), origin: origin)
            var line = 0
            var repeated: (count: Int, line: Int)?
            var unread: (count: Int, line: Int)?
            return Rows.Iterator {
                while let text = try next() {
                    try Interruption.check()
                    line += 1
                    if text.allSatisfy(\.isWhitespace) { continue }
                    do {
                        return try JSONTree.read(
                            Array(text.utf8), keepsDamaged: false,
                            repairs: {
                                if !$0.words.isEmpty {
                                    repeated = ((repeated?.count ?? 0) + 1, repeated?.line ?? line)
                                }
                            }, JSONValues.value)
                    } catch let fault as JSONFault {
                        if isLenient {
                            unread = ((unread?.count ?? 0) + 1, unread?.line ?? line)
                            continue
                        }
                        throw origin.error(
                            DataErrors.json, fault.explanation, line: line, column: fault.position?.column,
                            fix: fault.fix ?? "`\(origin.command("jsonl")) --lenient` leaves such lines out")
                    }
                }
                if let found = unread {
                    unread = nil
                    notice("lines that are no JSON are left out: \(found.count) (first line \(found.line))")
                }
                if let found = repeated {
                    repeated = nil
                    notice(
                        "lines with keys that repeat in an object, halves of characters, or words and numbers that JSON "
                            + "does not have: \(found.count) (first line \(found.line))")
                }
                return nil
            }
        }
        return data.isWhole ? try rows.collect().asTableIfRecords : .rows(rows)
    }
}
