import GRDB
import GRDBSQLite

/// A connection without GRDB, closed by its owner: GRDB reads the schema when it opens a file, which fails on
/// a damaged one.
package final class PlainConnection {
    package let handle: OpaquePointer

    /// Opens a file; `isNew` creates it if missing. Stops its statements when the task is cancelled, or its
    /// signal is set.
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

    /// Creates the object described by a schema row of a foreign file. The text may be anything, even from
    /// deleted bytes: a single CREATE statement is run, as SQLite itself reads a schema, and nothing after
    /// it.
    package func define(_ sql: String) throws(DatabaseError) {
        guard sql.uppercased().split(whereSeparator: \.isWhitespace).first == "CREATE" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "not a CREATE statement")
        }
        try RawStatement(handle, sql).run()
    }

    /// The integer result of a query; `nil` if there is none, or the file is too damaged.
    package func integer(_ sql: String) -> Int64? {
        guard case .integer(let number)? = rows(sql).next()?.first else { return nil }
        return number
    }

    /// The readable texts of a query's first column.
    package func texts(_ sql: String) -> [String] { rows(sql).compactMap { $0.first?.text } }

    /// The readable rows of a query: damage ends them early.
    package func rows(_ sql: String) -> AnyIterator<[StoredCell]> {
        // A failure to prepare or continue is the damage that the caller works around.
        let statement = try? RawStatement(handle, sql)
        return AnyIterator { (try? statement?.next()) == true ? statement?.cells() : nil }
    }
}
