import CivilTime
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement with direct SQLite calls, for loops over hundreds of thousands of rows. Columns count
/// from 0, parameters from 1. It must not outlive the database access that created it.
public final class RawStatement {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let connection: OpaquePointer
    /// The GRDB statement that owns the handle; `nil` if this statement owns it.
    private let statement: Statement?
    /// Why SQLite rejected a bound value, until the statement runs.
    @usableFromInline var refusal = SQLITE_OK

    /// Prepares a statement, or takes it from the connection's cache. A cached statement must not be used twice at
    /// the same time.
    public init(
        _ db: Database, _ sql: String, arguments: StatementArguments? = nil, isCached: Bool = false
    ) throws {
        let statement = isCached ? try db.cachedStatement(sql: sql) : try db.makeStatement(sql: sql)
        if let arguments { try statement.setArguments(arguments) }
        self.statement = statement
        handle = statement.sqliteStatement
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
        }
        self.connection = connection
        sqlite3_reset(handle)
    }

    /// Prepares the first statement of a text without GRDB: on a connection that is not GRDB's, or under the
    /// caller's authorizer. `rest` is the text after the statement. The connection must outlive it.
    package init(_ connection: OpaquePointer, _ sql: String, rest: inout String) throws(DatabaseError) {
        var made: OpaquePointer?
        var end = 0
        var sql = sql
        let code = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(
                    connection, text.baseAddress, CInt(clamping: text.count), &made, &tail)
                if let tail, let start = text.baseAddress { end = tail - start }
                return code
            }
        }
        guard code == SQLITE_OK, let made else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_MISUSE : code),
                message: code == SQLITE_OK
                    ? "no statement" : String(cString: sqlite3_errmsg(connection)))
        }
        rest = String(decoding: sql.utf8.dropFirst(end), as: UTF8.self)
        handle = made
        self.connection = connection
        statement = nil
    }

    /// The same for a text with a single statement.
    package convenience init(_ connection: OpaquePointer, _ sql: String) throws(DatabaseError) {
        var rest = ""
        try self.init(connection, sql, rest: &rest)
    }

    deinit { if statement == nil { sqlite3_finalize(handle) } else { sqlite3_reset(handle) } }

    /// Advances to the next row; `false` at the end.
    @inlinable @inline(__always)
    public func next() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Runs a statement without rows, and resets it for new parameters.
    @inlinable @inline(__always)
    public func run() throws(DatabaseError) {
        let code = refusal == SQLITE_OK ? sqlite3_step(handle) : refusal
        if code == SQLITE_DONE {
            sqlite3_reset(handle)
        } else {
            throw failure(code)
        }
    }

    /// The number of rows changed by the connection's last writing statement.
    public var changes: Int { Int(sqlite3_changes(connection)) }

    /// Resets the statement for new parameters.
    @inlinable @inline(__always)
    public func reset() { sqlite3_reset(handle) }

    @usableFromInline
    func failure(_ code: CInt) -> DatabaseError {
        let message = String(cString: sqlite3_errmsg(connection))
        sqlite3_reset(handle)
        refusal = SQLITE_OK
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    // MARK: Columns

    /// Whether a column is NULL.
    @inlinable @inline(__always)
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The storage classes of SQLite.
    public enum StorageClass: Sendable {
        case null, integer, real, text, blob
    }

    /// The storage class of a column's value.
    @inlinable @inline(__always)
    public func storage(_ column: Int32) -> StorageClass {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// An integer; 0 if there is none.
    @inlinable @inline(__always)
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A number; NaN if there is none.
    @inlinable @inline(__always)
    public func number(_ column: Int32) -> Double {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(handle, column)
        default: .nan
        }
    }

    /// The bytes of a text or blob, valid until the next row; `nil` for NULL.
    @inlinable @inline(__always)
    public func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard !isNull(column) else { return nil }
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a column as text in UTF-8, valid until the next row; none for NULL.
    public func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    /// The text of a column; `nil` for NULL.
    public func text(_ column: Int32) -> String? {
        isNull(column) ? nil : String(decoding: utf8(column), as: UTF8.self)
    }

    /// The number of bytes in a column's text or blob; does not read blobs.
    package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

    /// The number of columns.
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The table column that a result column returns unchanged; `nil` for an expression.
    package func origin(_ column: Int32) -> SQLQuery.Origin? {
        guard let table = sqlite3_column_table_name(handle, column),
            let name = sqlite3_column_origin_name(handle, column)
        else { return nil }
        return SQLQuery.Origin(table: String(cString: table), column: String(cString: name))
    }

    /// The name of a result column.
    package func name(_ column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "column\(column + 1)"
    }

    /// Whether it is read-only.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// The names of its parameters with their prefix character; `nil` for unnamed ones.
    package var parameters: [String?] {
        (0..<sqlite3_bind_parameter_count(handle)).map { index in
            sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
        }
    }

    // MARK: Binding

    /// Binds an integer.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Binds a number; NaN becomes NULL.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    /// Binds NULL.
    @inlinable @inline(__always)
    public func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a text, which SQLite copies.
    public func bind(_ index: Int32, _ text: String?) {
        guard var text else { return bindNull(index) }
        text.withUTF8 { bind(index, utf8: $0) }
    }

    /// Binds a text by its bytes. If not copied, they must stay valid until the statement has run.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, utf8: UnsafeBufferPointer<UInt8>, isCopied: Bool = true) {
        // A null pointer would bind NULL instead of an empty text.
        guard let base = utf8.baseAddress, !utf8.isEmpty else {
            note(sqlite3_bind_text(handle, index, "", 0, Self.transient))
            return
        }
        base.withMemoryRebound(to: CChar.self, capacity: utf8.count) { chars in
            note(
                sqlite3_bind_text64(
                    handle, index, chars, UInt64(utf8.count), isCopied ? Self.transient : nil,
                    UInt8(SQLITE_UTF8)))
        }
    }

    /// Binds bytes, which SQLite copies; no bytes become NULL.
    public func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { bindNull(index) } else { bind(index, blob: bytes) }
    }

    /// Binds a blob, which may be empty. If not copied, it must stay valid until the statement has run.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, blob: UnsafeRawBufferPointer, isCopied: Bool = true) {
        note(
            blob.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(
                    handle, index, blob.baseAddress, UInt64(blob.count), isCopied ? Self.transient : nil))
    }

    /// Records a rejected value, so that the one bound before it is not used instead.
    @inlinable @inline(__always)
    func note(_ code: CInt) { if code != SQLITE_OK { refusal = code } }

    /// Binds a number, or NULL.
    func bind(_ index: Int32, _ value: Double?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds a blob, which SQLite copies, or NULL.
    func bind(_ index: Int32, _ data: Data?) {
        guard let data else { return bindNull(index) }
        data.withUnsafeBytes { bind(index, blob: $0) }
    }

    /// Binds an identifier as text, or NULL.
    func bind(_ index: Int32, _ id: UUID?) { bind(index, id?.hexadecimal) }

    /// Binds a time as text, or NULL.
    func bind(_ index: Int32, _ moment: Timestamp?) {
        bind(index, moment.map { ISO8601.text($0, fraction: .always) })
    }

    /// Makes SQLite copy bound values.
    @usableFromInline static var transient: sqlite3_destructor_type {
        unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }
}
