import Foundation
import PluginKit

/// Bytes of a field, valid until the next record is read.
typealias FieldBytes = UnsafeBufferPointer<UInt8>

/// Reads comma-separated values (RFC 4180) from a stream of bytes, record by record.
///
/// A byte-order mark, LF and CR LF, quoted fields with commas, quotes and line breaks in them, and empty lines are
/// right. Records are read in place from one buffer; nothing is made for a field until it is asked for.
final class CSVReader {
    /// Fields of the present record.
    private(set) var count = 0
    /// The line that the present record begins at, from 1.
    private(set) var line = 0
    /// The name of the file, for messages.
    let file: String

    private struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var hasEscapes: Bool
    }

    private let source: any ByteSource
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var filled = 0
    private var position = 0
    private var isAtEnd = false
    private var nextLine = 1
    private let fields = UnsafeMutablePointer<Field>.allocate(capacity: TransitSettings.mostColumns)

    private static let newline = UInt8(ascii: "\n")
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A reader of a file's bytes.
    init(_ source: any ByteSource, file: String, chunk: Int = TransitSettings.chunk) throws {
        self.source = source
        self.file = file
        capacity = max(16, chunk)
        // One byte more than is filled: a line end behind the last byte spares a comparison for each byte.
        buffer = .allocate(capacity: capacity + 1)
        try fill()
        if filled >= 3, Self.byteOrderMark.indices.allSatisfy({ buffer[$0] == Self.byteOrderMark[$0] }) {
            position = 3
        }
    }

    deinit {
        buffer.deallocate()
        fields.deallocate()
    }

    /// Goes to the next record; `false` at the end.
    func next() throws -> Bool {
        while true {
            guard try readRecord() else { return false }
            // An empty line is no record.
            if count == 1, fields[0].start == fields[0].end, !fields[0].isQuoted { continue }
            return true
        }
    }

    /// A field's bytes without blanks around them; empty where the record is shorter.
    @inline(__always)
    subscript(_ index: Int) -> FieldBytes {
        guard index < count, index >= 0 else { return FieldBytes(start: nil, count: 0) }
        var start = fields[index].start
        var end = fields[index].end
        while start < end, buffer[start] == 0x20 { start += 1 }
        while end > start, buffer[end - 1] == 0x20 { end -= 1 }
        return FieldBytes(start: buffer + start, count: end - start)
    }

    /// Leaves the line out that could not be read.
    func skipLine() throws {
        while true {
            var at = position
            while buffer[at] != Self.newline { at += 1 }
            if at < filled || isAtEnd {
                position = min(at + 1, filled)
                nextLine += 1
                return
            }
            position = filled
            try fill()
        }
    }

    /// The line that could not be read.
    var failedLine: Int { nextLine }

    // MARK: Records

    private func readRecord() throws -> Bool {
        while true {
            if position == filled, isAtEnd { return false }
            if let end = try scan() {
                position = end
                return true
            }
            try fill()
        }
    }

    /// Finds the fields of the record at the present position; gives the position after it, or `nil` when the
    /// buffer ends before it does.
    private func scan() throws -> Int? {
        let bytes = buffer
        let limit = filled
        var at = position
        var found = 0
        var lines = 0
        while true {
            guard found < TransitSettings.mostColumns else {
                throw wrong("has more than \(TransitSettings.mostColumns) fields")
            }
            var field = Field(start: at, end: at, isQuoted: false, hasEscapes: false)
            if at < limit, bytes[at] == Self.quote {
                guard try scanQuoted(&field, &at, &lines) else { return nil }
            } else {
                while bytes[at] != Self.comma, bytes[at] != Self.newline { at += 1 }
                field.end = at
            }
            fields[found] = field
            found += 1
            if at < limit, bytes[at] == Self.comma {
                at += 1
                continue
            }
            // A line end, or the sentinel behind the last byte.
            if at >= limit, !isAtEnd { return nil }
            finish(found, lines: lines + 1)
            return min(at + 1, limit)
        }
    }

    /// A field between quotes; `false` when the buffer ends in it.
    private func scanQuoted(_ field: inout Field, _ at: inout Int, _ lines: inout Int) throws -> Bool {
        let bytes = buffer
        let limit = filled
        field.isQuoted = true
        at += 1
        field.start = at
        while true {
            while at < limit, bytes[at] != Self.quote {
                if bytes[at] == Self.newline { lines += 1 }
                at += 1
            }
            // Whether a quote ends the field is told by the byte behind it.
            if at + 1 >= limit, !isAtEnd { return false }
            if at >= limit { throw wrong("has a quote that is never closed") }
            if at + 1 < limit, bytes[at + 1] == Self.quote {
                field.hasEscapes = true
                at += 2
                continue
            }
            field.end = at
            at += 1
            if at < limit, bytes[at] == 0x0D { at += 1 }
            while at < limit, bytes[at] == 0x20 { at += 1 }
            if at >= limit { return isAtEnd }
            guard bytes[at] == Self.comma || bytes[at] == Self.newline else {
                throw wrong("has text behind a closing quote")
            }
            return true
        }
    }

    /// Takes over the fields found; they are whole now, so that they can be changed in place.
    private func finish(_ found: Int, lines: Int) {
        count = found
        line = nextLine
        nextLine += lines
        let last = found - 1
        if !fields[last].isQuoted, fields[last].end > fields[last].start,
            buffer[fields[last].end - 1] == 0x0D
        {
            fields[last].end -= 1
        }
        for index in 0..<found where fields[index].hasEscapes { unescape(&fields[index]) }
    }

    /// Makes one quote of two.
    private func unescape(_ field: inout Field) {
        var to = field.start
        var from = field.start
        while from < field.end {
            buffer[to] = buffer[from]
            to += 1
            from += buffer[from] == Self.quote ? 2 : 1
        }
        field.end = to
        field.hasEscapes = false
    }

    private func wrong(_ what: String) -> RutterError {
        TransitErrors.row(
            "\(file), line \(nextLine): the record \(what)",
            at: .file(path: file, line: nextLine, column: nil))
    }

    // MARK: Buffer

    /// Moves what is not yet read to the front and reads on.
    private func fill() throws {
        let rest = filled - position
        if position > 0, rest > 0 { memmove(buffer, buffer + position, rest) }
        position = 0
        filled = rest
        if rest == capacity {
            guard capacity < TransitSettings.longestRecord else {
                throw wrong("is longer than \(TransitSettings.longestRecord) bytes: a quote is not closed")
            }
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + 1)
            memcpy(larger, buffer, rest)
            buffer.deallocate()
            buffer = larger
            capacity *= 2
        }
        let room = UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - filled)
        let read = try source.read(into: room)
        filled += read
        isAtEnd = read == 0
        buffer[filled] = Self.newline
    }
}
