import Core
import Foundation
import GRDB
import GRDBSQLite

/// A SQL statement entered by a user.
public struct SQLQuery: Sendable {
    /// A cell of the result, or a parameter.
    public enum Cell: Sendable, Hashable {
        /// NULL.
        case null
        /// An integer.
        case integer(Int64)
        /// A number.
        case real(Double)
        /// Text.
        case text(String)
        /// A number of bytes, which are not read.
        case blob(bytes: Int)
    }

    /// A column of a table.
    public struct Origin: Sendable, Hashable {
        /// The table.
        public let table: String
        /// The column.
        public let column: String
    }

    /// The result of a statement.
    public struct Result: Sendable {
        /// The columns' names as SQLite returns them; empty for a statement without rows.
        public var columns: [String] = []
        /// The table columns that they return unchanged; `nil` for expressions.
        public var origins: [Origin?] = []
        /// The rows.
        public var rows: [[Cell]] = []
        /// The number of rows changed.
        public var changes = 0
    }

    private let sql: String
    private let parameters: [String: Cell]

    /// A statement, with values for its parameters by name (`:name`).
    public init(_ sql: String, parameters: [String: Cell] = [:]) {
        self.sql = sql
        self.parameters = parameters
    }

    /// Runs it in its own transaction, with functions in addition to SQLite's. Stops when the task is
    /// cancelled. SQLite's authorizer rejects writes to a store open for reading, or to any with
    /// `isReadOnly`, and access to other files.
    public func run(
        on connection: StoreConnection, functions: [DatabaseFunction] = [], isReadOnly: Bool = false,
        progress: ProgressReporter
    ) async throws -> Result {
        let isWritable = connection.access.isWritable && !isReadOnly
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
        // VACUUM does not call the authorizer; it is recognised after compilation.
        guard isWritable || statement.isReadOnly else { throw StatementGuard.readOnly }
        try bind(statement)
        progress.report("running the statement", done: 0)
        // A statement with a damaged or changed schema is recompiled while it runs, so the guard stays
        // active.
        let result = try guardian.watching(handle) { try step(statement, handle, guardian, signal, progress) }
        if isWritable { db.clearSchemaCache() }
        return result
    }

    // MARK: Steps

    private func prepare(_ handle: OpaquePointer, _ guardian: StatementGuard) throws -> RawStatement {
        var rest = ""
        let statement: RawStatement
        do {
            statement = try RawStatement(handle, sql, rest: &rest)
        } catch {
            if let refused = guardian.refused { throw refused }
            if error.resultCode == .SQLITE_MISUSE { throw StoreErrors.statement("no statement") }
            throw error
        }
        // The rest may be a comment.
        do {
            _ = try RawStatement(handle, rest)
        } catch  where error.resultCode == .SQLITE_MISUSE {
            return statement
        } catch {}
        throw guardian.refused ?? StoreErrors.statement("more than one statement")
    }

    private func bind(_ statement: RawStatement) throws {
        for (index, name) in zip(Int32(1)..., statement.parameters) {
            let word = name.map { String($0.dropFirst()) } ?? ""
            switch parameters[word] {
            case .null?: statement.bindNull(index)
            case .integer(let number)?: statement.bind(index, number)
            case .real(let number)?: statement.bind(index, number)
            case .text(let text)?: statement.bind(index, text)
            case .blob?, nil:
                throw StoreErrors.statement(
                    "no value for \(name ?? "?")",
                    fix:
                        "set it with `let \(word) = …`, or pipe a record with this field: … | sql …"
                )
            }
        }
    }

    private func step(
        _ statement: RawStatement, _ handle: OpaquePointer, _ guardian: StatementGuard, _ signal: StopSignal,
        _ progress: ProgressReporter
    ) throws -> Result {
        var result = Result()
        let columns = 0..<Int32(statement.columnCount)
        result.columns = columns.map(statement.name)
        result.origins = columns.map(statement.origin)
        let before = sqlite3_total_changes64(handle)
        var text = 0
        func next() throws -> Bool {
            do { return try statement.next() } catch { throw (guardian.refused as (any Error)?) ?? error }
        }
        while try next() {
            try signal.check()
            let row = columns.map { cell(statement, $0, &text) }
            guard result.rows.count < StoreSettings.largestResult, text <= StoreSettings.largestResultText
            else {
                throw StoreErrors.tooMuch(
                    "the result is larger than \(StoreSettings.largestResult) rows or "
                        + "\(StoreSettings.largestResultText >> 20) MiB of text",
                    fix: "add LIMIT, or count or group in the statement")
            }
            result.rows.append(row)
            if result.rows.count % StoreSettings.batchStep == 0 {
                progress.report("reading rows", done: result.rows.count)
            }
        }
        result.changes = Int(sqlite3_total_changes64(handle) - before)
        return result
    }

    private func cell(_ statement: RawStatement, _ index: Int32, _ text: inout Int) -> Cell {
        switch statement.storage(index) {
        case .null: return .null
        case .integer: return .integer(statement.integer(index))
        case .real: return .real(statement.number(index))
        case .blob: return .blob(bytes: statement.byteCount(index))
        case .text:
            let bytes = statement.utf8(index)
            text += bytes.count
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
