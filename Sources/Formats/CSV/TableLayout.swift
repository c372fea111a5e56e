/// A table in plain text whose cells are not separated values: a log that names its fields, a table with rules as shells of
/// databases and Markdown have it, or columns that are aligned by blanks.
///
/// It is read as separated values: each line becomes one line, so that lines keep their numbers, and one without a row becomes
/// an empty line.
public struct TableLayout: Sendable {
    /// The byte between the cells of a converted line: U+001F, which separates units.
    public static let separator: UInt8 = 0x1F

    /// What is said of the text.
    public let notes: [String]
    private let form: any TableForm
    private let skipped: Int

    /// The layout of a text that begins with these whole lines, if its own marks show it: names of fields, or rules. `skipped`
    /// lines are not of the table.
    public init?(markedIn sample: [UInt8], skipping skipped: Int = 0) {
        guard let first = Self.lines(sample, skipped, most: Self.mostAbove),
            let form: any TableForm = FieldsLog(first) ?? RuledTable(first) ?? AlignedTable(ruled: first)
        else { return nil }
        self.init(form, Self.lines(sample, skipped) ?? first, skipped)
    }

    /// The layout of a text whose columns are separated by blanks alone. Without a header the first line is a row.
    public init?(blanksIn sample: [UInt8], skipping skipped: Int = 0, hasHeader: Bool = true) {
        guard let lines = Self.lines(sample, skipped),
            let form: any TableForm = BlankTable(lines) ?? AlignedTable(lines, hasHeader: hasHeader)
        else { return nil }
        self.init(form, lines, skipped)
    }

    private init(_ form: any TableForm, _ lines: [String], _ skipped: Int) {
        (self.form, self.skipped) = (form, skipped)
        notes = form.notes(lines, from: skipped + 1)
    }

    /// The lines as separated values, up to the first that has no place in the table.
    public func converted(_ bytes: [UInt8]) -> [UInt8] {
        var lines = ConvertedLines(form, skipped)
        var result: [UInt8] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard let converted = try? lines.next(line) else { break }
            result += converted
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    /// A closure that fills buffers with the converted lines of what `read` fills buffers with. It throws `CSVFault` at a line
    /// that has no place in the table.
    public func reader(
        _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        var lines = ConvertedLines(form, skipped)
        var (input, output): ([UInt8], [UInt8]) = ([], [])
        var sent = 0
        var isAtEnd = false
        var fault: CSVFault?
        func convert(_ line: ArraySlice<UInt8>) {
            guard fault == nil else { return }
            do { output += try lines.next(line) } catch { fault = error }
            output.append(UInt8(ascii: "\n"))
        }
        return { buffer in
            while sent == output.count {
                // The lines before it have been passed on.
                if let fault { throw fault }
                if isAtEnd { return 0 }
                (sent, output) = (0, [])
                let more = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
                    count = try read(UnsafeMutableRawBufferPointer(buffer))
                }
                isAtEnd = more.isEmpty
                // What is left of a long line has no end.
                var (start, searched) = (0, input.count)
                input += more
                while let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    convert(input[start..<end])
                    start = end + 1
                    searched = start
                }
                if isAtEnd, start < input.count { convert(input[start...]) }
                input.removeFirst(isAtEnd ? input.count : start)
            }
            let count = min(buffer.count, output.count - sent)
            output[sent..<sent + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
            sent += count
            return count
        }
    }

    /// Bytes read at a time.
    private static let chunk = 1 << 16
    /// Lines among which the marks of a layout are.
    private static let mostAbove = 40

    /// The first lines; `nil` if they are not UTF-8.
    private static func lines(_ sample: [UInt8], _ skipped: Int, most: Int = .max) -> [String]? {
        let mark = sample.starts(with: UTF8Check.byteOrderMark) ? UTF8Check.byteOrderMark.count : 0
        let lines = sample[mark...].split(
            separator: UInt8(ascii: "\n"), maxSplits: most == .max ? .max : skipped + most,
            omittingEmptySubsequences: false)
        var texts: [String] = []
        for line in lines.dropFirst(skipped).prefix(most) {
            guard let text = String(validating: ConvertedLines.withoutReturn(line), as: UTF8.self) else {
                return nil
            }
            texts.append(text)
        }
        return texts
    }
}

/// A form of tables: the cells of each line, one line after the other.
protocol TableForm: Sendable {
    /// The cells of the next line; `nil` if it holds no row.
    mutating func cells(_ line: String, number: Int) throws(CSVFault) -> [String]?
    /// What is said of a text that begins with these lines, the first of which has this number.
    func notes(_ lines: [String], from number: Int) -> [String]
}

/// Converts lines in their order.
private struct ConvertedLines {
    private var form: any TableForm
    private let skipped: Int
    private var number = 0

    init(_ form: any TableForm, _ skipped: Int) { (self.form, self.skipped) = (form, skipped) }

    mutating func next(_ line: ArraySlice<UInt8>) throws(CSVFault) -> [UInt8] {
        number += 1
        if number <= skipped { return [] }
        let isMarked = number == 1 && line.starts(with: UTF8Check.byteOrderMark)
        let bytes = Self.withoutReturn(line.dropFirst(isMarked ? UTF8Check.byteOrderMark.count : 0))
        // What is not UTF-8 is reported where its cells are read.
        guard let text = String(validating: bytes, as: UTF8.self) else { return Array(bytes) }
        guard let cells = try form.cells(text, number: number) else { return [] }
        var result = CSVLine(separator: TableLayout.separator)
        for cell in cells { result.append(Array(cell.utf8)) }
        return result.bytes
    }

    static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
