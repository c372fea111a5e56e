import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement used through SQLite's own calls: for the loops over all rows of a region.
final class RawStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let statement: Statement

    /// Prepares a statement; it lives as long as the database access it was made in.
    init(_ db: Database, _ sql: String) throws {
        statement = try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
        }
        self.connection = connection
    }

    deinit { sqlite3_reset(handle) }

    /// Goes to the next row; `false` at the end.
    @inline(__always)
    func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Runs a statement without rows, and makes it ready to be bound again.
    @inline(__always)
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        if code != SQLITE_DONE { throw failure(code) }
    }

    private func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    // MARK: Columns

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A number; not a number where there is none.
    @inline(__always)
    func number(_ column: Int32) -> Double {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(handle, column)
        default: .nan
        }
    }

    /// The bytes of a text or blob, valid until the next row; `nil` for NULL.
    @inline(__always)
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard !isNull(column) else { return nil }
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    // MARK: Binding

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Binds a number; what is not a number becomes NULL.
    @inline(__always)
    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a text, which SQLite copies.
    func bind(_ index: Int32, _ text: String?) {
        guard var text else { return bindNull(index) }
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { chars in
                _ = sqlite3_bind_text(handle, index, chars.baseAddress, CInt(chars.count), Self.transient)
            }
        }
    }

    /// Binds bytes, which SQLite copies; none becomes NULL.
    func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return bindNull(index) }
        sqlite3_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count), Self.transient)
    }

    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }
}
