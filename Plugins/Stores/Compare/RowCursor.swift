import Foundation
import GRDB
import TrailStores

/// The rows of a table in key order, compared in place: equal cells are not copied.
final class RowCursor {
    private let row: RawStatement
    private let keys: Int
    private(set) var isAtEnd = false

    /// A statement whose first columns are the key, in SQLite's order of values. Numbers of rows are its parameter, as JSON.
    init(_ db: Database, _ sql: String, keys: Int, numbers: [Int64]? = nil) throws {
        let list = numbers.map { "[\($0.map(String.init).joined(separator: ","))]" }
        row = try RawStatement(db, sql, arguments: list.map { [$0] })
        self.keys = keys
    }

    func advance() throws { isAtEnd = try !row.next() }

    /// Below zero when this row's key comes before the other's.
    func compareKey(_ other: RowCursor) -> Int {
        for index in 0..<keys {
            let order = Self.compare(row, other.row, Int32(index))
            if order != 0 { return order }
        }
        return 0
    }

    /// Whether a column has the same value, of the same type.
    func isSame(_ other: RowCursor, _ column: Int) -> Bool {
        let index = Int32(keys + column)
        return row.storage(index) == other.row.storage(index) && Self.compare(row, other.row, index) == 0
    }

    private static func compare(_ left: RawStatement, _ right: RawStatement, _ index: Int32) -> Int {
        let (a, b) = (left.storage(index), right.storage(index))
        switch (a, b) {
        case (.null, .null): return 0
        case (.integer, .integer):
            let (x, y) = (left.integer(index), right.integer(index))
            return x < y ? -1 : x > y ? 1 : 0
        case (.integer, .real), (.real, .integer), (.real, .real):
            let (x, y) = (left.number(index), right.number(index))
            return x < y ? -1 : x > y ? 1 : 0
        case (.text, .text):
            return compare(
                UnsafeRawBufferPointer(left.utf8(index)), UnsafeRawBufferPointer(right.utf8(index)))
        case (.blob, .blob):
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            return compare(left.bytes(index) ?? none, right.bytes(index) ?? none)
        default: return rank(a) - rank(b)
        }
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        if let start = left.baseAddress, let other = right.baseAddress {
            let order = memcmp(start, other, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    /// SQLite's order of types: NULL, numbers, text, blobs.
    private static func rank(_ storage: RawStatement.StorageClass) -> Int {
        switch storage {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    func cell(_ column: Int) -> StoredCell { row.cell(keys + column) }

    /// The key as text.
    var key: String { (0..<keys).map { row.cell($0).shown }.joined(separator: " ") }
}
