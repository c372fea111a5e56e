import PluginKit

/// Reads CSV by RFC 4180, row by row, in memory for one row and one chunk of the file.
///
/// Line ends are CR LF, LF or CR; empty lines are left out; a byte order mark is skipped.
final class CSVReader {
    /// A cell, and whether it stood in quotes.
    struct Cell {
        var text: String
        var isQuoted: Bool
    }

    /// Bytes of a cell; more than this is a quote that was never closed.
    private static let longestCell = 1 << 24

    private let nextChunk: () throws -> [UInt8]?
    private let origin: TextOrigin
    private let separator: UInt8
    private var chunk: [UInt8] = []
    private var position = 0
    private var line = 1
    private(set) var rowLine = 1

    init(separator: UInt8, origin: TextOrigin, chunks: @escaping () throws -> [UInt8]?) throws {
        self.separator = separator
        self.origin = origin
        nextChunk = chunks
        // Chunks are not smaller than the mark unless the whole text is.
        if try peek() != nil, chunk.starts(with: UTF8Check.byteOrderMark) { position = 3 }
    }

    /// The cells of the next row; `nil` at the end.
    func next() throws -> [Cell]? {
        while let byte = try peek(), byte == 10 || byte == 13 { try lineEnd() }
        guard try peek() != nil else { return nil }
        rowLine = line
        var cells: [Cell] = []
        while true {
            cells.append(try cell())
            guard let byte = try peek() else { return cells }
            if byte != separator {
                try lineEnd()
                return cells
            }
            position += 1
        }
    }

    private func cell() throws -> Cell {
        if try peek() == UInt8(ascii: "\"") { return try quotedCell() }
        // Most cells end within the chunk.
        let end = plainEnd
        if end < chunk.count, chunk[end] != UInt8(ascii: "\"") {
            defer { position = end }
            return Cell(text: try text(chunk[position..<end], line), isQuoted: false)
        }
        var bytes: [UInt8] = []
        while let byte = try peek(), byte != separator, byte != 10, byte != 13 {
            if byte == UInt8(ascii: "\"") {
                throw wrong("a quote inside of a cell that does not begin with one", line)
            }
            bytes.append(byte)
            position += 1
            try check(bytes, from: line)
        }
        return Cell(text: try text(bytes, line), isQuoted: false)
    }

    /// Where the bytes of a cell without quotes end in this chunk.
    private var plainEnd: Int {
        chunk.withUnsafeBufferPointer { bytes in
            var index = position
            while index < bytes.count, bytes[index] != separator, bytes[index] != 10, bytes[index] != 13,
                bytes[index] != UInt8(ascii: "\"")
            {
                index += 1
            }
            return index
        }
    }

    private func quotedCell() throws -> Cell {
        let start = line
        var bytes: [UInt8] = []
        position += 1
        while let byte = try peek() {
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard try peek() == UInt8(ascii: "\"") else {
                    return try ended(Cell(text: text(bytes, start), isQuoted: true))
                }
                position += 1
            } else if byte == 10 {
                line += 1
            }
            bytes.append(byte)
            try check(bytes, from: start)
        }
        throw wrong("the quote is not closed", start)
    }

    /// After a closing quote comes a separator, a line end or the end.
    private func ended(_ cell: Cell) throws -> Cell {
        if let byte = try peek(), byte != separator, byte != 10, byte != 13 {
            throw wrong("something follows a closing quote", line)
        }
        return cell
    }

    private func lineEnd() throws {
        let byte = try peek()
        position += 1
        if byte == 13, try peek() == 10 { position += 1 }
        line += 1
    }

    private func peek() throws -> UInt8? {
        while position >= chunk.count {
            guard let more = try nextChunk() else { return nil }
            chunk = more
            position = 0
        }
        return chunk[position]
    }

    private func check(_ bytes: [UInt8], from start: Int) throws {
        guard bytes.count > Self.longestCell else { return }
        throw wrong("a cell longer than 16 MB; a quote may not be closed", start)
    }

    private func text(_ bytes: some Collection<UInt8>, _ start: Int) throws(RutterError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw origin.error(DataErrors.encoding, "this is not UTF-8", line: start)
    }

    private func wrong(_ message: String, _ line: Int) -> RutterError {
        origin.error(DataErrors.csv, message, line: line)
    }
}

/// A CSV text or file as rows.
struct CSVSource: Sendable {
    /// Gives the chunks of the text, anew for each pass.
    let open: @Sendable () throws -> () throws -> [UInt8]?
    let origin: TextOrigin
    var separator = UInt8(ascii: ",")
    /// Whether cells that are numbers stay text.
    var keepsText = false
    /// Whether the first line is a row like the others.
    var lacksHeader = false

    /// The rows. The first line is read at once, for the columns.
    func rows() throws -> Value {
        let reader = try CSVReader(separator: separator, origin: origin, chunks: open())
        let columns = try reader.next().map(names) ?? []
        return .rows(
            Rows(columns: columns) {
                let reader = try CSVReader(separator: separator, origin: origin, chunks: open())
                if !lacksHeader { _ = try reader.next() }
                return Rows.Iterator {
                    guard let cells = try reader.next() else { return nil }
                    try Interruption.check()
                    guard cells.count == columns.count else {
                        throw origin.error(
                            DataErrors.csv,
                            "the row has \(cells.count) cell\(cells.count == 1 ? "" : "s"), the first line "
                                + "\(columns.count)", line: reader.rowLine,
                            fix: cells.count > columns.count
                                ? "a cell with a separator stands in quotes" : nil)
                    }
                    return .record(Record(keys: columns, values: cells.map(value)))
                }
            })
    }

    /// The first line's cells as names: those without one are numbered, a name that comes again too.
    private func names(_ header: [CSVReader.Cell]) -> [String] {
        var taken = Set<String>()
        return header.enumerated().map { index, cell in
            let base = lacksHeader || cell.text.isEmpty ? "column\(index + 1)" : cell.text
            var name = base
            var number = 2
            while !taken.insert(name).inserted {
                name = base + String(number)
                number += 1
            }
            return name
        }
    }

    private func value(_ cell: CSVReader.Cell) -> Value {
        if cell.isQuoted { return .text(cell.text) }
        if cell.text.isEmpty { return .nothing }
        if keepsText { return .text(cell.text) }
        return JSONNumber.value(cell.text) ?? .text(cell.text)
    }
}
