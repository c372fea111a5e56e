import GRDB
import PluginKit

/// A row of a database that another program may have written, read with the storage class of each cell checked.
///
/// GRDB's subscripts that convert end the process where a cell holds text, a blob or NULL instead of a number. Here such a
/// cell is an error that names table, column and row.
public struct TypedRow {
    private let row: Row
    private let table: String

    /// A row of a table or, in errors, of what the name says.
    public init(_ row: Row, of table: String) {
        self.row = row
        self.table = table
    }

    /// All rows of a statement.
    public static func all(
        _ db: Database, _ sql: String, of table: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [TypedRow] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { TypedRow($0, of: table) }
    }

    /// The first row of a statement.
    public static func first(
        _ db: Database, _ sql: String, of table: String, arguments: StatementArguments = StatementArguments()
    ) throws -> TypedRow? {
        try Row.fetchOne(db, sql: sql, arguments: arguments).map { TypedRow($0, of: table) }
    }

    /// The value of a column. Throws `E-STORE-ROW` for NULL, and for a value of another type or outside its range.
    public func require<Value: DatabaseValueConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(RutterError) -> Value {
        guard let value: Value = try allow(column) else { throw wrong(column, "is missing") }
        return value
    }

    /// The same, with `nil` for NULL.
    public func allow<Value: DatabaseValueConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(RutterError) -> Value? {
        let cell = cell(column)
        if cell.isNull { return nil }
        guard let value = Value.fromDatabaseValue(cell) else {
            throw wrong(column, "is \(Self.shown(cell))")
        }
        return value
    }

    /// The value of a column made into something else, such as a case of an enumeration. Throws `E-STORE-ROW` where that is `nil`.
    public func require<Value: DatabaseValueConvertible, Result>(
        _ column: String, _ make: (Value) -> Result?
    ) throws(RutterError) -> Result {
        guard let result = make(try require(column)) else {
            throw wrong(column, "is \(Self.shown(cell(column)))")
        }
        return result
    }

    private func cell(_ column: String) -> DatabaseValue { row[column] ?? .null }

    private func wrong(_ column: String, _ what: String) -> RutterError {
        let first = row.columnNames.first
        let name = first.map { "\($0) \(Self.shown(cell($0)))" } ?? "a row"
        return StoreErrors.row(
            "\(table), \(name): \(column) \(what)", fix: "`store check` lists all such rows")
    }

    /// A short text of a cell: other programs' cells can be long.
    private static func shown(_ cell: DatabaseValue) -> String {
        switch cell.storage {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): Literal.number(number)
        case .string(let text): "the text '\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
        case .blob(let bytes): "a blob of \(bytes.count) bytes"
        }
    }
}
