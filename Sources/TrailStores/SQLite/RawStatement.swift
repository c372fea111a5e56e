import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement used through SQLite's own calls: for the loops over hundreds of thousands of rows.
///
/// Columns count from 0, parameters from 1. It lives as long as the database access it was made in.
public final class RawStatement {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let connection: OpaquePointer
    private let statement: Statement

    /// Prepares a statement, or takes it from the connection's cache. A cached statement must not be used twice at
    /// the same time.
    public init(_ db: Database, _ sql: String, isCached: Bool = false) throws {
        statement = isCached ? try db.cachedStatement(sql: sql) : try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
        }
        self.connection = connection
        sqlite3_reset(handle)
    }

    deinit { sqlite3_reset(handle) }

    /// Goes to the next row; `false` at the end.
    @inlinable @inline(__always)
    public func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Runs a statement without rows, and makes it ready to be bound again.
    @inlinable @inline(__always)
    public func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        if code != SQLITE_DONE { throw failure(code) }
    }

    /// How many rows the connection's last statement that writes has changed.
    public var changes: Int { Int(sqlite3_changes(connection)) }

    /// Makes the statement ready to be bound and stepped again.
    @inlinable @inline(__always)
    public func reset() { sqlite3_reset(handle) }

    @usableFromInline
    func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    // MARK: Columns

    /// Whether a column is NULL.
    @inlinable @inline(__always)
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// How SQLite stores a value.
    public enum StorageClass: Sendable {
        case null, integer, real, text, blob
    }

    /// How the value of a column is stored.
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

    /// A whole number; 0 where there is none.
    @inlinable @inline(__always)
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A number; not a number where there is none.
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

    /// The text of a column; `nil` for NULL.
    public func text(_ column: Int32) -> String? {
        guard !isNull(column), let start = sqlite3_column_text(handle, column) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))),
            as: UTF8.self)
    }

    // MARK: Binding

    /// Binds a whole number.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Binds a number; what is not a number becomes NULL.
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

    /// Binds a text by its bytes. Those that are not copied must stay where they are until the statement has run.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, utf8: UnsafeBufferPointer<UInt8>, isCopied: Bool = true) {
        // A pointer to no bytes would be NULL, and NULL another value than the empty text.
        guard let base = utf8.baseAddress, !utf8.isEmpty else {
            sqlite3_bind_text(handle, index, "", 0, Self.transient)
            return
        }
        base.withMemoryRebound(to: CChar.self, capacity: utf8.count) { chars in
            _ = sqlite3_bind_text(
                handle, index, chars, CInt(clamping: utf8.count), isCopied ? Self.transient : nil)
        }
    }

    /// Binds bytes, which SQLite copies; none becomes NULL.
    public func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { bindNull(index) } else { bind(index, blob: bytes) }
    }

    /// Binds a blob; one without bytes stays one. What is not copied must stay where it is until the statement has run.
    @inlinable @inline(__always)
    public func bind(_ index: Int32, blob: UnsafeRawBufferPointer, isCopied: Bool = true) {
        if blob.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            sqlite3_bind_blob64(
                handle, index, blob.baseAddress, UInt64(blob.count), isCopied ? Self.transient : nil)
        }
    }

    /// Tells SQLite to copy what it is given.
    @usableFromInline static var transient: sqlite3_destructor_type {
        unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }
}
