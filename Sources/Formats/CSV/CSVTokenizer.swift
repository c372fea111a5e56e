import Foundation

/// The variant of comma-separated values, and its limits.
public struct CSVDialect: Sendable {
    /// The byte between fields.
    public var separator = UInt8(ascii: ",")
    /// Whether quotes may only enclose whole fields, as RFC 4180 requires. Otherwise a quote inside an
    /// unquoted field is text, and spaces may follow a closing quote.
    public var isStrict = true
    /// Whether what other programs write in quotes is read, too, where `isStrict` is off: blanks before an opening quote, a
    /// backslash before a quote that is text, and text after a closing quote, with which the cell is kept as it stands.
    public var takesOddQuotes = false
    /// Whether quotes within a field in quotes that are not doubled are text, up to the next quote on its line behind which the
    /// field ends. `hasInnerQuotes` says it of a record: whether its fields are what was meant is seen by their number.
    public var takesInnerQuotes = false
    /// Whether a quote that is never closed is text, with the rest of its field; otherwise it is a fault.
    public var takesUnclosedQuotes = false
    /// Whether blanks may stand around a field in quotes.
    public var takesBlanksAroundQuotes = false
    /// The first byte of lines that are no records; `nil` if all are.
    public var comment: UInt8?
    /// Whether empty lines are skipped.
    public var skipsEmptyLines = true
    /// Maximum bytes of a record; exceeded by an unclosed quote.
    public var longestRecord = 1 << 26
    /// Maximum fields of a record.
    public var mostFields = 1 << 16
    /// Bytes read at a time, at least 16.
    public var chunk = 1 << 16

    /// RFC 4180.
    public init() {}
}

/// An error in a text of comma-separated values, with its line.
public struct CSVFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem.
    public let message: String
    /// The line, counted from 1.
    public let line: Int
    /// Both.
    public var description: String { "line \(line): \(message)" }

    /// A fault.
    public init(message: String, line: Int) {
        self.message = message
        self.line = line
    }
}

/// Reads comma-separated values (RFC 4180) from a stream of bytes, record by record.
///
/// Lines end with CR LF, LF or CR; a byte order mark is skipped. Records are parsed in place in one buffer,
/// without allocations per field. A field's bytes are valid until the next record is read. Its variables are
/// not checked for overlapping access at run time, which would take a seventh of an import: no method exposes
/// one for writing.
public final class CSVTokenizer {
    /// Fields of the current record.
    @exclusivity(unchecked) public private(set) var count = 0
    /// First line of the current record, counted from 1.
    @exclusivity(unchecked) public private(set) var line = 0
    /// The line of the first quote that was never closed and was read as text, counted from 1; `nil` if there is none.
    @exclusivity(unchecked) public private(set) var unclosedLine: Int?
    /// The first line, behind the first of all, that begins with a byte order mark, as where files were joined; `nil` if none does.
    @exclusivity(unchecked) public private(set) var innerMarkLine: Int?

    /// Whether a field of the current record has quotes within its quotes that were read as text.
    @exclusivity(unchecked) public private(set) var hasInnerQuotes = false

    @usableFromInline
    struct Field {
        @usableFromInline var start: Int
        @usableFromInline var end: Int
        @usableFromInline var isQuoted: Bool
        var hasEscapes: Bool
    }

    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private let dialect: CSVDialect
    @exclusivity(unchecked) @usableFromInline private(set) var buffer: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private var filled = 0
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var isAtEnd = false
    @exclusivity(unchecked) private var nextLine = 1
    @exclusivity(unchecked) @usableFromInline private(set) var fields: UnsafeMutablePointer<Field>
    @exclusivity(unchecked) private var fieldCapacity = 64
    /// The bytes that end an unquoted field.
    private let stops: UnsafeMutablePointer<Bool>

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let blank = UInt8(ascii: " ")
    /// The first byte of a byte order mark.
    private static let markStart: UInt8 = 0xEF

    /// A reader of the bytes with which `read` fills a buffer from its start; `read` returns their number, 0
    /// at the end. The first bytes are read immediately.
    public init(
        _ dialect: CSVDialect = CSVDialect(), read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        self.read = read
        self.dialect = dialect
        capacity = max(16, dialect.chunk)
        // One extra byte: a line end after the last byte saves a comparison for each byte.
        buffer = .allocate(capacity: capacity + 1)
        fields = .allocate(capacity: fieldCapacity)
        stops = .allocate(capacity: 256)
        stops.initialize(repeating: false, count: 256)
        for byte in [dialect.separator, Self.newline, Self.carriageReturn] { stops[Int(byte)] = true }
        if dialect.isStrict { stops[Int(Self.quote)] = true }
        try fill()
        let start = UnsafeBufferPointer(start: buffer, count: filled)
        if start.starts(with: UTF8Check.byteOrderMark) { position = UTF8Check.byteOrderMark.count }
    }

    /// A reader of bytes in memory.
    public convenience init(_ dialect: CSVDialect = CSVDialect(), bytes: [UInt8]) throws {
        try self.init(dialect, read: Self.reader(of: bytes))
    }

    /// Returns a function that fills buffers with bytes in memory.
    public static func reader(of bytes: [UInt8]) -> (UnsafeMutableRawBufferPointer) -> Int {
        var rest = bytes[...]
        return { buffer in
            let count = min(buffer.count, rest.count)
            rest.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
            rest = rest.dropFirst(count)
            return count
        }
    }

    deinit {
        buffer.deallocate()
        fields.deallocate()
        stops.deallocate()
    }

    /// Advances to the next record; `false` at the end. Throws `CSVFault`, or the error of `read`.
    public func next() throws -> Bool {
        while true {
            if let comment = dialect.comment {
                while try isNext(comment) { try skipLine() }
            }
            guard try readRecord() else { return false }
            if dialect.skipsEmptyLines, count == 1, fields[0].start == fields[0].end, !fields[0].isQuoted {
                continue
            }
            return true
        }
    }

    /// A field's bytes; none if the record is shorter.
    @inlinable
    public subscript(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        guard index < count, index >= 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
        let field = fields[index]
        return UnsafeBufferPointer(start: buffer + field.start, count: field.end - field.start)
    }

    /// Whether a field was quoted.
    public func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

    /// Skips the line that could not be read.
    public func skipLine() throws {
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

    private func isNext(_ byte: UInt8) throws -> Bool {
        if position == filled, !isAtEnd { try fill() }
        return position < filled && buffer[position] == byte
    }

    // MARK: Records

    private func readRecord() throws -> Bool {
        while true {
            if position == filled, isAtEnd { return false }
            skipMark()
            if let end = try scan() {
                position = end
                return true
            }
            try fill()
        }
    }

    /// Skips the byte order mark of a file that was joined to the one before.
    private func skipMark() {
        guard position < filled, buffer[position] == Self.markStart else { return }
        let mark = UTF8Check.byteOrderMark
        guard position + mark.count <= filled,
            UnsafeBufferPointer(start: buffer + position, count: mark.count).elementsEqual(mark)
        else { return }
        position += mark.count
        innerMarkLine = innerMarkLine ?? nextLine
    }

    /// Finds the fields of the record at the current position; returns the position after it, or `nil` if the
    /// buffer ends first.
    private func scan() throws(CSVFault) -> Int? {
        let bytes = buffer
        let limit = filled
        let stops = stops
        let separator = dialect.separator
        let takesBlanks = takesBlanks
        var at = position
        var found = 0
        var lines = 0
        hasInnerQuotes = false
        while true {
            if found == fieldCapacity { try growFields() }
            var field = Field(start: at, end: at, isQuoted: false, hasEscapes: false)
            if takesBlanks {
                var next = at
                while next < limit, bytes[next] == Self.blank { next += 1 }
                if next < limit, bytes[next] == Self.quote { at = next }
            }
            if at < limit, bytes[at] == Self.quote {
                guard try scanQuoted(&field, &at, &lines) else { return nil }
            } else {
                while !stops[Int(bytes[at])] { at += 1 }
                if at < limit, bytes[at] == Self.quote {
                    throw fault("a quote inside an unquoted field", lines)
                }
                field.end = at
            }
            fields[found] = field
            found += 1
            if at < limit, bytes[at] == separator {
                at += 1
                continue
            }
            // A line end, or the sentinel after the last byte. A line feed may follow a carriage return.
            let isReturn = at < limit && bytes[at] == Self.carriageReturn
            if !isAtEnd, at + (isReturn ? 1 : 0) >= limit { return nil }
            finish(found, lines: lines + 1)
            if isReturn, at + 1 < limit, bytes[at + 1] == Self.newline { at += 1 }
            return min(at + 1, limit)
        }
    }

    /// Whether blanks around a field in quotes are left out. A blank that separates fields is none of them.
    private var takesBlanks: Bool {
        (dialect.takesOddQuotes || dialect.takesBlanksAroundQuotes) && dialect.separator != Self.blank
    }

    /// A quoted field; `false` if the buffer ends in it.
    private func scanQuoted(
        _ field: inout Field, _ at: inout Int, _ lines: inout Int
    ) throws(CSVFault) -> Bool {
        let bytes = buffer
        let limit = filled
        let linesBefore = lines
        field.isQuoted = true
        at += 1
        field.start = at
        // Whether quotes in this field are escaped by backslashes.
        var usesBackslash = false
        while true {
            while at < limit, bytes[at] != Self.quote {
                if bytes[at] == Self.newline { lines += 1 }
                at += 1
            }
            // The byte after a quote determines whether it ends the field.
            if at + 1 >= limit, !isAtEnd { return false }
            if at >= limit {
                guard dialect.takesUnclosedQuotes else { throw fault("the quote is not closed") }
                lines = linesBefore
                unclosedLine = unclosedLine ?? nextLine + lines
                (field.isQuoted, field.hasEscapes) = (false, false)
                field.start -= 1
                at = field.start
                while !stops[Int(bytes[at])] { at += 1 }
                field.end = at
                return true
            }
            if at + 1 < limit, bytes[at + 1] == Self.quote {
                field.hasEscapes = true
                at += usesBackslash && bytes[at - 1] == Self.backslash ? 1 : 2
                continue
            }
            field.end = at
            at += 1
            if !dialect.isStrict && dialect.separator != Self.blank || takesBlanks {
                while at < limit, bytes[at] == Self.blank { at += 1 }
            }
            if at >= limit { return isAtEnd }
            let isEscape =
                usesBackslash && field.end > field.start && bytes[field.end - 1] == Self.backslash
            if stops[Int(bytes[at])], bytes[at] != Self.quote, !isEscape { return true }
            if dialect.takesInnerQuotes, lines == linesBefore, let end = innerEnd(from: field.end) {
                guard end < limit || isAtEnd else { return false }
                hasInnerQuotes = true
                field.end = end
                at = end + 1
                while takesBlanks, at < limit, bytes[at] == Self.blank { at += 1 }
                return at < limit || isAtEnd
            }
            guard dialect.takesOddQuotes else {
                throw fault("unexpected text after a closing quote", lines)
            }
            if field.end > field.start, bytes[field.end - 1] == Self.backslash {
                (field.hasEscapes, usesBackslash) = (true, true)
                at = field.end + 1
                continue
            }
            // As it stands, from the opening quote on.
            while !stops[Int(bytes[at])] { at += 1 }
            (field.start, field.end) = (field.start - 1, at)
            (field.isQuoted, field.hasEscapes) = (false, false)
            return at < limit || isAtEnd
        }
    }

    /// The quote that ends a field with a quote at `start` that does not: the next one on the line behind which the field ends,
    /// unless another field in quotes begins before it. The end of the buffer, if that comes first; `nil` if there is none.
    private func innerEnd(from start: Int) -> Int? {
        var at = start + 1
        while at < filled, buffer[at] != Self.newline, buffer[at] != Self.carriageReturn {
            guard buffer[at] == Self.quote else {
                at += 1
                continue
            }
            if buffer[at - 1] == dialect.separator { return nil }
            var next = at + 1
            while takesBlanks, next < filled, buffer[next] == Self.blank { next += 1 }
            if next >= filled { return isAtEnd ? at : filled }
            if stops[Int(buffer[next])], buffer[next] != Self.quote { return at }
            at += 1
        }
        return at < filled || isAtEnd ? nil : filled
    }

    /// Accepts the fields found; they are complete now, so that they can be changed in place.
    private func finish(_ found: Int, lines: Int) {
        count = found
        line = nextLine
        nextLine += lines
        for index in 0..<found where fields[index].hasEscapes { unescape(&fields[index]) }
    }

    /// Replaces doubled quotes.
    private func unescape(_ field: inout Field) {
        var to = field.start
        var from = field.start
        while from < field.end {
            if dialect.takesOddQuotes, isEscaped(from, field.end) { from += 1 }
            buffer[to] = buffer[from]
            to += 1
            from += isDoubled(from, field.end) ? 2 : 1
        }
        field.end = to
        field.hasEscapes = false
    }

    /// Whether a backslash stands before a single quote.
    private func isEscaped(_ index: Int, _ end: Int) -> Bool {
        buffer[index] == Self.backslash && index + 1 < end && buffer[index + 1] == Self.quote
            && !isDoubled(index + 1, end)
    }

    private func isDoubled(_ index: Int, _ end: Int) -> Bool {
        buffer[index] == Self.quote && index + 1 < end && buffer[index + 1] == Self.quote
    }

    private func fault(_ message: String, _ lines: Int = 0) -> CSVFault {
        CSVFault(message: message, line: nextLine + lines)
    }

    // MARK: Buffers

    private func growFields() throws(CSVFault) {
        guard fieldCapacity < dialect.mostFields else {
            throw fault("the record has more than \(dialect.mostFields) fields")
        }
        let larger = UnsafeMutablePointer<Field>.allocate(
            capacity: min(fieldCapacity * 2, dialect.mostFields))
        larger.moveInitialize(from: fields, count: fieldCapacity)
        fields.deallocate()
        fields = larger
        fieldCapacity = min(fieldCapacity * 2, dialect.mostFields)
    }

    /// Moves the unread bytes to the front and continues reading.
    private func fill() throws {
        let rest = filled - position
        if position > 0, rest > 0 { memmove(buffer, buffer + position, rest) }
        position = 0
        filled = rest
        if rest == capacity {
            guard capacity < dialect.longestRecord else {
                throw fault("the record is longer than \(dialect.longestRecord) bytes: a quote is not closed")
            }
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + 1)
            memcpy(larger, buffer, rest)
            buffer.deallocate()
            buffer = larger
            capacity *= 2
        }
        let room = UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - filled)
        let read = try read(room)
        filled += read
        isAtEnd = read == 0
        buffer[filled] = Self.newline
    }
}
