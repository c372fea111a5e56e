import GRDB
import TrailStores

/// Inserts rows into a table by the names of its columns. The values of a row are bound in the order of the names.
struct TableInsert {
    private let statement: RawStatement
    private let count: Int32
    private var next: Int32 = 1

    /// An insert into columns of a table.
    init(_ db: Database, _ table: String, _ columns: [String]) throws {
        let marks = repeatElement("?", count: columns.count).joined(separator: ", ")
        statement = try RawStatement(
            db, "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES (\(marks))")
        count = Int32(columns.count)
    }

    /// Binds the next column; NULL for an unknown number.
    @inline(__always)
    mutating func bind(_ value: Int64?) {
        if let value { statement.bind(next, value) } else { statement.bindNull(next) }
        next += 1
    }

    /// Binds the next column, which holds 0 or 1.
    @inline(__always)
    mutating func bind(_ value: Bool) { bind(value ? 1 : 0) }

    /// Binds the next column.
    @inline(__always)
    mutating func bind(_ value: Double) {
        statement.bind(next, value)
        next += 1
    }

    /// Binds the next column; NULL for no text.
    mutating func bind(_ text: String?) {
        statement.bind(next, text)
        next += 1
    }

    /// Binds the next column to a key of a table of keys.
    @inline(__always)
    mutating func bind(_ keys: KeyTable, _ index: Int) {
        keys.withKey(index) { statement.bind(next, utf8: $0) }
        next += 1
    }

    /// Binds the next column to bytes.
    mutating func bind(blob: UnsafeRawBufferPointer) {
        statement.bind(next, blob: blob)
        next += 1
    }

    /// Inserts the row. Throws if a column has no value.
    @inline(__always)
    mutating func run() throws {
        guard next == count + 1 else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(next - 1) values for \(count) columns")
        }
        next = 1
        try statement.run()
    }
}

extension BinaryInteger {
    /// The number; `nil` for −1, which stands for an unknown value in the content of a feed.
    @inline(__always)
    var known: Int64? { self < 0 ? nil : Int64(self) }
}
