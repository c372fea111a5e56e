import Foundation
import GRDBSQLite
import TrailStores

/// The rows of a table in the order of their keys, compared in place: no cell is copied that is the same.
final class RowCursor {
    private let row: CellStatement
    private var statement: OpaquePointer { row.statement }
    private let keys: Int
    private(set) var isAtEnd = false

    /// A statement whose first columns are the key, in SQLite's order of values.
    init(_ connection: OpaquePointer, _ sql: String, keys: Int) throws(SQLiteFailure) {
        row = try CellStatement(connection, sql)
        self.keys = keys
    }

    func advance() throws(SQLiteFailure) { isAtEnd = try !row.next() }

    /// Below zero when this row's key comes before the other's.
    func compareKey(_ other: RowCursor) -> Int {
        for index in 0..<keys {
            let order = Self.compare(statement, other.statement, Int32(index))
            if order != 0 { return order }
        }
        return 0
    }

    /// Whether a column holds the same, of the same type.
    func isSame(_ other: RowCursor, _ column: Int) -> Bool {
        let index = Int32(keys + column)
        let type = sqlite3_column_type(statement, index)
        guard type == sqlite3_column_type(other.statement, index) else { return false }
        return Self.compare(statement, other.statement, index) == 0
    }

    private static func compare(_ left: OpaquePointer, _ right: OpaquePointer, _ index: Int32) -> Int {
        let (a, b) = (sqlite3_column_type(left, index), sqlite3_column_type(right, index))
        let (rankA, rankB) = (rank(a), rank(b))
        if rankA != rankB { return rankA - rankB }
        switch a {
        case SQLITE_NULL: return 0
        case SQLITE_INTEGER where b == SQLITE_INTEGER:
            let (x, y) = (sqlite3_column_int64(left, index), sqlite3_column_int64(right, index))
            return x < y ? -1 : x > y ? 1 : 0
        case SQLITE_INTEGER, SQLITE_FLOAT:
            let (x, y) = (sqlite3_column_double(left, index), sqlite3_column_double(right, index))
            return x < y ? -1 : x > y ? 1 : 0
        default:
            // As bytes in either case; the call for blobs does not convert a text.
            let (start, other) = (sqlite3_column_blob(left, index), sqlite3_column_blob(right, index))
            let (count, length) = (sqlite3_column_bytes(left, index), sqlite3_column_bytes(right, index))
            let shared = Int(min(count, length))
            if shared > 0, let start, let other {
                let order = memcmp(start, other, shared)
                if order != 0 { return Int(order) }
            }
            return Int(count) - Int(length)
        }
    }

    /// SQLite's order of types: NULL, numbers, text, blobs.
    private static func rank(_ type: Int32) -> Int {
        switch type {
        case SQLITE_NULL: 0
        case SQLITE_INTEGER, SQLITE_FLOAT: 1
        case SQLITE_TEXT: 2
        default: 3
        }
    }

    func cell(_ column: Int) -> StoredCell { value(Int32(keys + column)) }

    /// The key in words.
    var key: String { (0..<keys).map { value(Int32($0)).shown }.joined(separator: " ") }

    private func value(_ index: Int32) -> StoredCell {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_NULL: return .null
        case let type:
            let start = sqlite3_column_blob(statement, index)
            let count = Int(sqlite3_column_bytes(statement, index))
            let bytes = start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
            return type == SQLITE_TEXT ? .text(bytes) : .blob(bytes)
        }
    }
}
