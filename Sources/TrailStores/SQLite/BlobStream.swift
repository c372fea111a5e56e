import GRDB
import GRDBSQLite

/// Incremental I/O on the bytes of one cell, which are never in memory at once. It must not outlive the
/// database access that created it, and the row must not be changed otherwise while it is open.
public final class BlobStream {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    /// The number of bytes.
    public let count: Int

    /// Opens the text or blob of a cell. `nil` if it is neither, or if the table has no row numbers.
    public init?(
        _ db: Database, table: String, column: String, row: Int64, isWritable: Bool = false
    ) throws {
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
        }
        var opened: OpaquePointer?
        let code = sqlite3_blob_open(connection, "main", table, column, row, isWritable ? 1 : 0, &opened)
        if code == SQLITE_ERROR { return nil }
        guard code == SQLITE_OK, let opened else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
        }
        handle = opened
        self.connection = connection
        count = Int(sqlite3_blob_bytes(opened))
    }

    deinit { sqlite3_blob_close(handle) }

    /// Bytes from an offset, fewer at the end.
    public func read(from offset: Int, upTo limit: Int) throws -> [UInt8] {
        let length = max(0, min(limit, count - offset))
        return try [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            guard length > 0 else { return }
            try check(sqlite3_blob_read(handle, buffer.baseAddress, Int32(length), Int32(offset)))
            filled = length
        }
    }

    /// Overwrites bytes at an offset.
    public func write(_ bytes: [UInt8], at offset: Int) throws {
        try check(sqlite3_blob_write(handle, bytes, Int32(bytes.count), Int32(offset)))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
        }
    }
}

extension RawStatement {
    /// Binds a blob of zeros, whose bytes a `BlobStream` writes afterwards.
    public func bind(_ index: Int32, zeros count: Int) {
        note(sqlite3_bind_zeroblob64(handle, index, UInt64(count)))
    }
}
