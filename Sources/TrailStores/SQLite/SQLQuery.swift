import Foundation
import GRDB
import GRDBSQLite
import Core

/// One statement of SQL as a user wrote it.
public struct SQLQuery: Sendable {
    /// A cell of the result, or a parameter.
    public enum Cell: Sendable, Hashable {
        /// NULL.
        case null
        /// A whole number.
        case integer(Int64)
        /// A number.
        case real(Double)
        /// Text.
        case text(String)
        /// So many bytes, which are not read.
        case blob(bytes: Int)
    }

    /// What a statement gave.
    public struct Result: Sendable {
        /// The columns' names as SQLite gives them; empty for a statement that gives no rows.
        public var columns: [String] = []
        /// The rows.
        public var rows: [[Cell]] = []
        /// How many rows it changed.
        public var changes = 0
    }

    private let sql: String
    private let parameters: [String: Cell]

    /// A statement, with values for its parameters by name (`:name`).
    public init(_ sql: String, parameters: [String: Cell] = [:]) {
        self.sql = sql
        self.parameters = parameters
    }

    /// Runs it in a transaction of its own, with functions beside SQLite's. Stops when the task is cancelled.
    ///
    /// SQLite's authorizer refuses what writes a store that is open for reading, and what reaches another file.
    public func run(
        on connection: StoreConnection, functions: [DatabaseFunction] = [],
        progress: ProgressReporter
    ) async throws -> Result {
        let isWritable = connection.access.isWritable
        let body = { @Sendable (db: Database, signal: StopSignal) in
            for function in functions { db.add(function: function) }
            defer { for function in functions { db.remove(function: function) } }
            return try execute(db, isWritable: isWritable, signal, progress)
        }
        return isWritable
            ? try await connection.stoppableWrite(body) : try await connection.stoppableRead(body)
    }

    private func execute(
        _ db: Database, isWritable: Bool, _ signal: StopSignal, _ progress: ProgressReporter
    ) throws -> Result {
        guard let handle = db.sqliteConnection else { throw StoreErrors.other("the store is closed") }
        let oldLimit = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, StoreSettings.largestCell)
        defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, oldLimit) }
        if !isWritable { StatementGuard.connectVirtualTables(handle) }
        let guardian = StatementGuard(isWritable: isWritable)
        let statement = try guardian.watching(handle) { try prepare(handle, guardian) }
        defer { sqlite3_finalize(statement) }
        // What asks the authorizer for nothing, VACUUM, tells so once it is compiled.
        guard isWritable || sqlite3_stmt_readonly(statement) != 0 else { throw StatementGuard.readOnly }
        try bind(statement)
        // A damaged or changed schema is compiled again while it runs, so the guard stays.
        let result = try guardian.watching(handle) { try step(statement, handle, guardian, signal, progress) }
        if isWritable { db.clearSchemaCache() }
        return result
    }

    // MARK: Steps

    private func prepare(_ handle: OpaquePointer, _ guardian: StatementGuard) throws -> OpaquePointer {
        var statement: OpaquePointer?
        var isAlone = true
        let bytes = Array(sql.utf8CString)
        let code = bytes.withUnsafeBufferPointer { text -> Int32 in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(handle, text.baseAddress, Int32(text.count), &statement, &tail)
            var next: OpaquePointer?
            if code == SQLITE_OK, let tail,
                sqlite3_prepare_v2(handle, tail, -1, &next, nil) != SQLITE_OK || next != nil
            {
                isAlone = false
                sqlite3_finalize(next)
            }
            return code
        }
        guard code == SQLITE_OK, isAlone, let statement else {
            let failure = code == SQLITE_OK ? nil : error(handle)
            sqlite3_finalize(statement)
            if let refused = guardian.refused { throw refused }
            throw failure
                ?? StoreErrors.statement(
                    isAlone ? "there is no statement" : "there is more than one statement")
        }
        return statement
    }

    private func bind(_ statement: OpaquePointer) throws {
        for index in 1..<(sqlite3_bind_parameter_count(statement) + 1) {
            let name = sqlite3_bind_parameter_name(statement, index).map { String(cString: $0) } ?? "?"
            switch parameters[String(name.dropFirst())] {
            case .null?: sqlite3_bind_null(statement, index)
            case .integer(let number)?: sqlite3_bind_int64(statement, index, number)
            case .real(let number)?: sqlite3_bind_double(statement, index, number)
            case .text(let text)?:
                // SQLite is told to copy the text at once (SQLITE_TRANSIENT).
                let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copy)
            case .blob?, nil:
                throw StoreErrors.statement(
                    "there is no value for \(name)",
                    fix:
                        "give it a value: `let \(name.dropFirst()) = …`, or a record with a field of this name: … | sql …"
                )
            }
        }
    }

    private func step(
        _ statement: OpaquePointer, _ handle: OpaquePointer, _ guardian: StatementGuard, _ signal: StopSignal,
        _ progress: ProgressReporter
    ) throws -> Result {
        var result = Result()
        let count = sqlite3_column_count(statement)
        result.columns = (0..<count).map { index in
            sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "column\(index + 1)"
        }
        let before = sqlite3_total_changes64(handle)
        var text = 0
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw guardian.refused ?? error(handle) }
            try signal.check()
            let row = (0..<count).map { cell(statement, $0, &text) }
            guard result.rows.count < StoreSettings.largestResult, text <= StoreSettings.largestResultText
            else {
                throw StoreErrors.tooMuch(
                    "the result is larger than \(StoreSettings.largestResult) rows or "
                        + "\(StoreSettings.largestResultText >> 20) MiB of text",
                    fix: "add LIMIT, or count and group in the statement")
            }
            result.rows.append(row)
            if result.rows.count % StoreSettings.batchStep == 0 {
                progress.report("reading rows", done: result.rows.count)
            }
        }
        result.changes = Int(sqlite3_total_changes64(handle) - before)
        return result
    }

    private func cell(_ statement: OpaquePointer, _ index: Int32, _ text: inout Int) -> Cell {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_BLOB: return .blob(bytes: Int(sqlite3_column_bytes(statement, index)))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, index) else { return .text("") }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
            text += bytes.count
            return .text(String(decoding: bytes, as: UTF8.self))
        default: return .null
        }
    }

    private func error(_ handle: OpaquePointer) -> any Error {
        let message = String(cString: sqlite3_errmsg(handle))
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(handle)), message: message)
    }
}
