import GRDBSQLite

/// A cell as SQLite stores it, with text and blobs as bytes: whatever is in them is kept.
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
}

/// A statement through SQLite's own calls, whose cells are read and set whole.
package final class CellStatement {
    /// For calls of SQLite that this type has not.
    package let statement: OpaquePointer
    private let connection: OpaquePointer
    /// The number of columns that it gives.
    package let count: Int

    package init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteFailure) {
        var made: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &made, nil) == SQLITE_OK, let made else {
            let failure = SQLiteFailure(connection)
            sqlite3_finalize(made)
            throw failure
        }
        statement = made
        self.connection = connection
        count = Int(sqlite3_column_count(made))
    }

    deinit { sqlite3_finalize(statement) }

    /// Goes to the next row; `false` at the end.
    package func next() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteFailure(connection)
        }
    }

    /// Runs it without rows, and makes it ready to be used again.
    package func run() throws(SQLiteFailure) {
        let code = sqlite3_step(statement)
        let failure = SQLiteFailure(connection)
        sqlite3_reset(statement)
        if code != SQLITE_DONE && code != SQLITE_ROW { throw failure }
    }

    package func reset() { sqlite3_reset(statement) }

    package func name(_ index: Int) -> String {
        sqlite3_column_name(statement, Int32(index)).map { String(cString: $0) } ?? ""
    }

    package func cell(_ index: Int) -> StoredCell {
        let index = Int32(index)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let start = UnsafeRawPointer(sqlite3_column_text(statement, index))
            return .text(bytes(start, index))
        case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(statement, index), index))
        default: return .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ index: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, index))
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    package func cells(from first: Int = 0) -> [StoredCell] { (first..<max(first, count)).map(cell) }

    /// Sets the parameter at an index, counted from 1.
    package func bind(_ cell: StoredCell, at index: Int) {
        let index = Int32(index)
        // SQLite is told to copy what it is given (SQLITE_TRANSIENT).
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch cell {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let bytes):
            bytes.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress, !buffer.isEmpty else {
                    sqlite3_bind_text(statement, index, "", 0, copied)
                    return
                }
                start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                    _ = sqlite3_bind_text64(
                        statement, index, $0, UInt64(buffer.count), copied, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { buffer in
                _ =
                    buffer.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, buffer.baseAddress, UInt64(buffer.count), copied)
            }
        }
    }

    package func bind(_ cells: some Sequence<StoredCell>) {
        for (index, cell) in cells.enumerated() { bind(cell, at: index + 1) }
    }
}

/// What SQLite refused.
package struct SQLiteFailure: Error, CustomStringConvertible {
    package let code: Int32
    package let description: String

    package init(_ connection: OpaquePointer?) {
        code = sqlite3_extended_errcode(connection)
        description = String(cString: sqlite3_errmsg(connection))
    }

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the work was stopped, not wrong.
    package var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }
}

/// A connection through SQLite's own calls, closed with its owner.
package final class PlainConnection {
    package let handle: OpaquePointer

    package init(_ path: String, flags: Int32) throws(SQLiteFailure) {
        var made: OpaquePointer?
        let code = sqlite3_open_v2(path, &made, flags, nil)
        guard code == SQLITE_OK, let made else {
            let failure = SQLiteFailure(made)
            sqlite3_close_v2(made)
            throw failure
        }
        handle = made
    }

    deinit { sqlite3_close_v2(handle) }

    package func execute(_ sql: String) throws(SQLiteFailure) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw SQLiteFailure(handle) }
    }

    package func integer(_ sql: String) -> Int64? {
        guard let statement = try? CellStatement(handle, sql), (try? statement.next()) == true,
            case .integer(let number) = statement.cell(0)
        else { return nil }
        return number
    }

    package func texts(_ sql: String) -> [String] {
        guard let statement = try? CellStatement(handle, sql) else { return [] }
        var all: [String] = []
        while (try? statement.next()) == true {
            if case .text(let bytes) = statement.cell(0) {
                all.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        return all
    }
}
