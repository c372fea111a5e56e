import CivilTime
import Foundation
import GRDB
import GRDBSQLite
import Core

/// The cells of the row that a statement stands at, read by position with care: another program wrote them.
///
/// Reads SQLite's own values: a list of a hundred thousand rows has a million cells.
struct Cells {
    private let statement: OpaquePointer
    private let kind: String
    private let columns: [String]

    /// The present row of a statement; `kind` is the word for a row in errors, `columns` are the names of its cells.
    init(_ statement: Statement, kind: String, columns: [String]) {
        self.statement = statement.sqliteStatement
        self.kind = kind
        self.columns = columns
    }

    private func type(_ index: Int) -> Int32 { sqlite3_column_type(statement, Int32(index)) }

    func isNull(_ index: Int) -> Bool { type(index) == SQLITE_NULL }

    /// Text; numbers are written out, and what is neither is `nil`.
    func text(_ index: Int) -> String? {
        switch type(index) {
        case SQLITE_TEXT: return withText(index) { String(decoding: $0, as: UTF8.self) }
        case SQLITE_INTEGER: return String(sqlite3_column_int64(statement, Int32(index)))
        case SQLITE_FLOAT: return Literal.number(sqlite3_column_double(statement, Int32(index)))
        default: return nil
        }
    }

    func integer(_ index: Int) -> Int64 {
        type(index) == SQLITE_INTEGER ? sqlite3_column_int64(statement, Int32(index)) : 0
    }

    func optionalNumber(_ index: Int) throws(RutterError) -> Double? {
        switch type(index) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, Int32(index))
        case SQLITE_NULL: return nil
        default: throw wrong(index, "is not a number")
        }
    }

    func number(_ index: Int) throws(RutterError) -> Double {
        try required(index, try optionalNumber(index))
    }

    func optionalIdentifier(_ index: Int) throws(RutterError) -> UUID? {
        if isNull(index) { return nil }
        guard type(index) == SQLITE_TEXT, let id = withText(index, UUID.init(hexadecimal:)) else {
            throw wrong(index, "is not a UUID")
        }
        return id
    }

    func identifier(_ index: Int) throws(RutterError) -> UUID {
        try required(index, try optionalIdentifier(index))
    }

    func optionalMoment(_ index: Int) throws(RutterError) -> Timestamp? {
        if isNull(index) { return nil }
        guard type(index) == SQLITE_TEXT, let moment = withText(index, { ISO8601.timestamp(utf8: $0) }) else {
            throw wrong(index, "is not an ISO 8601 time")
        }
        return moment
    }

    func moment(_ index: Int) throws(RutterError) -> Timestamp {
        try required(index, try optionalMoment(index))
    }

    private func required<T>(_ index: Int, _ value: T?) throws(RutterError) -> T {
        guard let value else { throw wrong(index, "is missing") }
        return value
    }

    private func withText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
        let start = sqlite3_column_text(statement, Int32(index))
        let count = Int(sqlite3_column_bytes(statement, Int32(index)))
        return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func wrong(_ index: Int, _ what: String) -> RutterError {
        let id = type(0) == SQLITE_TEXT ? text(0) : nil
        return StoreErrors.row(
            "\(id.map { "\(kind) \($0)" } ?? "a \(kind) without id"): \(columns[index]) \(what)",
            fix: "`store check` lists all such rows")
    }
}

/// Sets the parameters of a statement one after the other, without a box for each value.
struct ParameterWriter {
    private let statement: OpaquePointer
    private var index: Int32 = 0
    private var status = SQLITE_OK

    /// Writes from the first parameter on.
    init(_ statement: Statement) { self.statement = statement.sqliteStatement }

    mutating func add(_ text: String?) {
        index += 1
        guard var text else { return note(sqlite3_bind_null(statement, index)) }
        note(
            text.withUTF8 {
                // A pointer to no bytes would be NULL, and NULL another value than the empty text.
                $0.isEmpty
                    ? sqlite3_bind_text(statement, index, "", 0, Self.copied)
                    : $0.withMemoryRebound(to: CChar.self) {
                        sqlite3_bind_text(
                            statement, index, $0.baseAddress, Int32(clamping: $0.count), Self.copied)
                    }
            })
    }

    mutating func add(_ number: Double?) {
        index += 1
        note(number.map { sqlite3_bind_double(statement, index, $0) } ?? sqlite3_bind_null(statement, index))
    }

    mutating func add(_ number: Int64) {
        index += 1
        note(sqlite3_bind_int64(statement, index, number))
    }

    mutating func add(_ data: Data?) {
        index += 1
        guard let data else { return note(sqlite3_bind_null(statement, index)) }
        note(
            data.withUnsafeBytes {
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copied)
            })
    }

    mutating func add(_ id: UUID?) { add(id?.hexadecimal) }

    mutating func add(_ moment: Timestamp?) { add(moment.map { ISO8601.text($0, fraction: .always) }) }

    /// Runs the statement, which gives no rows, and makes it ready for other parameters.
    func execute() throws(DatabaseError) {
        let code = status == SQLITE_OK ? sqlite3_step(statement) : status
        let message = code == SQLITE_DONE ? "" : String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Tells SQLite to copy what it is given.
    private static let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)

    private mutating func note(_ code: Int32) { if status == SQLITE_OK { status = code } }
}
