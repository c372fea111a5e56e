import Foundation
import GRDB
import PluginKit

/// Errors of stores.
public enum StoreErrors {
    /// The file is not a SQLite database.
    public static let notADatabase = ErrorKind(
        "E-STORE-NOTDB", "not a SQLite database",
        explanation:
            "The file does not start with the SQLite 3 header, or is encrypted. Check that it is the right file."
    )
    /// The database is damaged.
    public static let corrupt = ErrorKind(
        "E-STORE-CORRUPT", "the database is damaged",
        explanation: """
            SQLite found damage in the file. `store check` shows where; work only on a copy.
            """)
    /// Another program has locked the database.
    public static let locked = ErrorKind(
        "E-STORE-LOCKED", "the store is locked by another program",
        explanation:
            "Another session or program held a lock for longer than the timeout. Try again when it is done."
    )
    /// The store was opened for reading.
    public static let readOnly = StoreUseErrors.readOnly
    /// The database lacks tables or columns of its format.
    public static let schema = ErrorKind(
        "E-STORE-SCHEMA", "the database lacks expected tables",
        explanation: "The file is a database, but not of this kind; `store show` shows its kind.")
    /// A row violates its format.
    public static let row = ErrorKind(
        "E-STORE-ROW", "a row cannot be read",
        explanation: """
            The row has a value that the format does not allow. The message names table, row and column; \
            `store check` lists all such rows.
            """)
    /// A folder is not a store.
    public static let folder = ErrorKind(
        "E-STORE-FOLDER", "the folder is not a store",
        explanation: """
            Only planned routes are a folder, with one JSON file each. Other folders may contain \
            stores: open one of those files.
            """)
    /// The disk is full or failed.
    public static let disk = ErrorKind(
        "E-STORE-DISK", "the disk is full or failed",
        explanation: "The operating system could not write. Nothing was changed.")
    /// Any other error of SQLite.
    public static let other = ErrorKind(
        "E-STORE-SQL", "SQLite rejected the statement",
        explanation: "The message is SQLite's own.")
    /// A user's statement cannot be run.
    public static let statement = ErrorKind(
        "E-SQL-STATEMENT", "the statement cannot be run",
        explanation: """
            `sql` runs one statement at a time. Parameters such as `:id` take the field of that name from a record in \
            the pipe, or else the variable of that name.
            """)
    /// A user's statement contains something that `sql` never allows.
    public static let refused = ErrorKind(
        "E-SQL-REFUSED", "not allowed in `sql`",
        explanation: """
            A statement works on the one store and cannot reach another file: ATTACH, VACUUM, load_extension, \
            transactions and PRAGMAs that set a value are rejected, even for a store that is open for writing.
            """)
    /// The result of a query exceeds the limits.
    static let tooMuch = ErrorKind(
        "E-SQL-TOOMUCH", "the result is too large",
        explanation:
            "Results are kept in memory, and their size is limited. Count, group or LIMIT the rows in the statement."
    )
    /// A waypoint dictionary is malformed.
    public static let transfer = ErrorKind(
        "E-STORE-TRANSFER", "the transfer dictionary is malformed",
        explanation: "The message names the key that is missing or of the wrong type.")
    /// A track blob is malformed.
    public static let track = ErrorKind(
        "E-STORE-TRACK", "the track cannot be decoded",
        explanation: """
            A track is 20-byte records, deflated without a header. The message names the store, the row and the \
            number of bytes.
            """)

    /// All kinds of this list.
    public static let all = [
        notADatabase, corrupt, locked, readOnly, schema, StoreUseErrors.kind, row, folder, disk, other,
        statement, refused,
        tooMuch,
        transfer, track,
    ]

    /// The error for a store without a table, which may have a view in its place.
    static func missing(_ table: String, _ db: Database, _ path: String) throws -> RutterError {
        guard try db.viewExists(table) else { return schema("\(path) has no table \(table)") }
        return schema(
            "in \(path) \(table) is a view, not a table",
            fix: "query it: sql \"SELECT * FROM \(table)\"")
    }

    /// Throws if a table has no row numbers, by which its rows are read and changed.
    static func requireRowNumbers(_ table: String, _ db: Database, _ path: String) throws {
        if (try? RawStatement(db, "SELECT _rowid_ FROM \(table) LIMIT 0")) != nil { return }
        throw schema(
            "\(path): the table \(table) is WITHOUT ROWID, by whose row numbers these commands find rows",
            fix: "store rows \(table), or sql 'SELECT * FROM \(table)'")
    }

    /// Whether a store needs a collation, function or module that its app adds to SQLite.
    private static func lacksPartOfApp(_ message: String) -> Bool {
        ["no such collation sequence", "no such function", "no such module", "unknown tokenizer"]
            .contains(where: message.contains)
    }

    /// Converts an error of SQLite, or of the file system under it.
    public static func wrap(_ error: any Error, path: String) -> RutterError {
        if let known = error as? RutterError { return known }
        guard let failure = error as? DatabaseError else {
            return CommonErrors.fileAccess("\(path): \((error as NSError).localizedDescription)")
        }
        let message = "\(path): \(failure.message ?? "\(failure.resultCode)")"
        switch failure.resultCode {
        case .SQLITE_NOTADB: return notADatabase("not a SQLite database: \(path)")
        case .SQLITE_CORRUPT:
            return corrupt(
                message,
                fix:
                    "`store check FILE` shows where, `store repair FILE` recovers the readable rows into another file"
            )
        case .SQLITE_BUSY where StoreInterruption.isRequested: return Interruption.stopped
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return locked(
                message, fix: "close the program that writes it or wait until it is done, then run it again")
        case .SQLITE_READONLY:
            return readOnly(
                message, fix: "check the permissions of the file and its folder, or work on a copy")
        case .SQLITE_FULL:
            return disk(message, fix: "free disk space, then run it again")
        case .SQLITE_IOERR:
            return disk(message, fix: "check the disk and its free space, then run it again")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            return CommonErrors.fileAccess(message, fix: "check that the folder exists, and its permissions")
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: return Interruption.stopped
        case .SQLITE_ERROR where lacksPartOfApp(message):
            return other(
                message, fix: "only its app has that part: read the store, or change a copy without it")
        default: return other(message)
        }
    }
}
