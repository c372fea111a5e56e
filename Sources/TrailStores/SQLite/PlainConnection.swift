import GRDB
import GRDBSQLite

/// A connection past GRDB, closed with its owner: GRDB reads the schema as it opens a file, and a damaged one has none.
package final class PlainConnection {
    package let handle: OpaquePointer

    /// Opens a file; `isNew` makes one where there is none. Stops its statements when the task is cancelled, or the signal
    /// asks that the thread works under.
    package init(_ path: String, isWritable: Bool, isNew: Bool = false) throws(DatabaseError) {
        var made: OpaquePointer?
        let flags =
            (isWritable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
            | (isNew ? SQLITE_OPEN_CREATE : SQLITE_OPEN_URI)
        let code = sqlite3_open_v2(path, &made, flags, nil)
        guard code == SQLITE_OK, let made else {
            let message = String(cString: sqlite3_errmsg(made))
            sqlite3_close_v2(made)
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
        handle = made
        StoreInterruption.watch(made)
    }

    deinit { sqlite3_close_v2(handle) }

    package func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Makes what a line of the schema in a file of others describes. Its text may be anything, and may have been found among
    /// deleted bytes: one CREATE statement runs, as SQLite itself reads a schema, and nothing behind it.
    package func define(_ sql: String) throws(DatabaseError) {
        guard sql.uppercased().split(whereSeparator: \.isWhitespace).first == "CREATE" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "not a CREATE statement")
        }
        try RawStatement(handle, sql).run()
    }

    /// The number that a query returns; `nil` if it returns none, or the file is too damaged.
    package func integer(_ sql: String) -> Int64? {
        guard case .integer(let number)? = rows(sql).next()?.first else { return nil }
        return number
    }

    /// The texts of a query's first column, as far as they can be read.
    package func texts(_ sql: String) -> [String] { rows(sql).compactMap { $0.first?.text } }

    /// The rows of a query, as far as they can be read: a damaged file ends them early.
    package func rows(_ sql: String) -> AnyIterator<[StoredCell]> {
        // What cannot be prepared, or read on, is the damage that the caller works around.
        let statement = try? RawStatement(handle, sql)
        return AnyIterator { (try? statement?.next()) == true ? statement?.cells() : nil }
    }
}
