import GRDB

/// A cell as SQLite stores it, with text and blobs as unmodified bytes.
public enum StoredCell: Sendable, Hashable {
    /// NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// Text in UTF-8, which need not be valid.
    case text([UInt8])
    /// Bytes.
    case blob([UInt8])

    /// The text, if it is one.
    package var text: String? {
        if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
        return nil
    }
}

/// Reads and binds whole cells.
extension RawStatement {
    package func cell(_ column: Int) -> StoredCell {
        let index = Int32(column)
        switch storage(index) {
        case .null: return .null
        case .integer: return .integer(integer(index))
        case .real: return .real(number(index))
        case .text: return .text(Array(utf8(index)))
        case .blob: return .blob(bytes(index).map(Array.init) ?? [])
        }
    }

    package func cells(from first: Int = 0) -> [StoredCell] {
        (first..<max(first, columnCount)).map(cell)
    }

    /// Sets the parameter at an index, counted from 1.
    package func bind(_ cell: StoredCell, at index: Int) {
        let index = Int32(index)
        switch cell {
        case .null: bindNull(index)
        case .integer(let number): bind(index, number)
        case .real(let number): bind(index, number)
        case .text(let bytes): bytes.withUnsafeBufferPointer { bind(index, utf8: $0) }
        case .blob(let bytes): bytes.withUnsafeBytes { bind(index, blob: $0) }
        }
    }

    package func bind(_ cells: some Sequence<StoredCell>) {
        for (index, cell) in cells.enumerated() { bind(cell, at: index + 1) }
    }
}

extension DatabaseError {
    /// SQLite's message, without the result code.
    package var reason: String { message ?? "damaged" }

    /// Whether the statement was interrupted.
    package var isInterruption: Bool { resultCode == .SQLITE_INTERRUPT }
}
