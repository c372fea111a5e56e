/// Writes comma-separated values (RFC 4180), or those of another separator by the same rules.
public struct CSVLine: Sendable {
    /// The end of a line.
    public static let end = "\r\n"

    /// The cells so far.
    public private(set) var bytes: [UInt8] = []
    private var isEmpty = true
    private let separator: UInt8

    /// A line without cells.
    public init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

    /// Whether a byte around a cell belongs to it only in quotes: a blank or a tab.
    public static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Adds a cell, in quotes if necessary or if `isQuoted` is set.
    public mutating func append(_ cell: some BidirectionalCollection<UInt8>, isQuoted: Bool = false) {
        let quote = UInt8(ascii: "\"")
        if !isEmpty { bytes.append(separator) }
        isEmpty = false
        // Readers leave out blanks around a cell that is not quoted.
        let hasEdge = cell.first.map(Self.isBlank) == true || cell.last.map(Self.isBlank) == true
        guard
            isQuoted || hasEdge
                || cell.contains(where: { $0 == quote || $0 == separator || $0 == 10 || $0 == 13 })
        else {
            bytes += cell
            return
        }
        bytes.append(quote)
        for byte in cell {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// The line as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
