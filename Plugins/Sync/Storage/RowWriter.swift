import Foundation
import GRDB
import TrailStores

/// Writes rows of an app's table, with one cached statement per shape: consecutive rows mostly have the same. A constraint that is
/// declared to replace or ignore rows refuses the write instead: SQLite would delete the other row without a trace.
struct RowWriter {
    private let db: Database
    private let table: AppTable
    /// Refuses writes by which other rows are deleted; `nil` allows them.
    private let watch: DeletionWatch?
    private var shape: Shape?
    private var statement: RawStatement?
    private var cells: [Cell] = []

    /// The shape of a statement.
    private struct Shape: Equatable {
        let isNew: Bool
        /// Whether a new row gets the name of its record.
        let isNamed: Bool
        let columns: [Int]
    }

    private struct Cell {
        let column: Int
        let value: FieldValue
        /// The bytes of a blob.
        let content: BlobCell?
    }

    init(_ db: Database, _ table: AppTable, watch: DeletionWatch? = nil) {
        self.db = db
        self.watch = watch
        self.table = table
    }

    /// Writes the difference between the two rows of a plan. `content` returns the bytes of a blob; a missing
    /// one is skipped.
    mutating func write(_ plan: AppTable.Plan, _ content: (BlobReference) throws -> BlobCell?) throws {
        let name = plan.key.name
        let (text, other) = table.spellings(of: name)
        guard let after = plan.after else {
            try db.cachedStatement(sql: "DELETE FROM \(table.table) WHERE id IN (?, ?)")
                .execute(arguments: [text, other])
            try requireChange()
            return try watch?.requireNoOther(than: name) ?? ()
        }
        try choose(plan.before, after, content)
        let isNew = plan.before == nil
        if cells.isEmpty, !isNew { return }
        // SQLite writes zeros without keeping them in memory only if nothing stands behind them in the row.
        let isNamed = isNew && table.hasRecordColumn && !cells.contains(where: isFilled)
        let statement = try statement(
            Shape(isNew: isNew, isNamed: isNamed, columns: cells.map(\.column)))
        var index: Int32 = 1
        if isNew {
            statement.bind(index, name)
            index += 1
            if isNamed {
                statement.bind(index, name)
                index += 1
            }
        }
        for cell in cells {
            try bind(cell, statement, index)
            index += 1
        }
        if !isNew {
            statement.bind(index, text)
            statement.bind(index + 1, other)
        }
        try statement.run()
        try requireChange()
        try watch?.requireNoOther(than: name)
        try fill(plan.key, isNew: isNew)
    }

    /// A trigger may drop a write without an error: then the row is not as it was sent.
    private func requireChange() throws {
        guard db.changesCount == 0 else { return }
        throw DatabaseError(
            resultCode: .SQLITE_CONSTRAINT, message: "a trigger of \(table.table) ignores the write")
    }

    /// Writes the bytes of large blobs, for which the statement has written zeros.
    private func fill(_ key: RecordKey, isNew: Bool) throws {
        let large = cells.filter(isFilled)
        if large.isEmpty { return }
        let number =
            isNew
            ? db.lastInsertedRowID
            : try Int64.fetchOne(
                db, sql: "SELECT _rowid_ FROM \(table.table) WHERE id IN (?, ?)",
                arguments: [table.spellings(of: key.name).0, table.spellings(of: key.name).1])
        // No row: the user has deleted it.
        guard let number else { return }
        for cell in large {
            guard let content = cell.content,
                let stream = try BlobStream(
                    db, table: table.table, column: table.columns[cell.column].name, row: number,
                    isWritable: true)
            else { throw SyncErrors.store("a photo or track cannot be written in parts") }
            try content.read(from: 0) { try stream.write($0, at: $1) }
        }
    }

    private func isFilled(_ cell: Cell) -> Bool {
        guard table.hasRowNumbers, let content = cell.content else { return false }
        return content.count > SyncSettings.blobPart
    }

    /// Selects the cells to write.
    private mutating func choose(
        _ before: Row?, _ after: Row, _ content: (BlobReference) throws -> BlobCell?
    ) throws {
        cells.removeAll(keepingCapacity: true)
        for (index, field) in after.enumerated() {
            if let before, before.indices.contains(index), before[index] == field { continue }
            // A required column keeps its default if the record has no value.
            if field.value == .absent, before == nil || table.columns[index].isRequired { continue }
            let data = try field.value.blob.map(content)
            if case .some(nil) = data { continue }
            cells.append(Cell(column: index, value: field.value, content: data ?? nil))
        }
    }

    private mutating func statement(_ wanted: Shape) throws -> RawStatement {
        if let statement, shape == wanted { return statement }
        let names = wanted.columns.map { table.columns[$0].name.sqlIdentifier }
        let clause = try ConflictClause.refusing(db, table.table)
        let made: RawStatement
        if wanted.isNew {
            // A new row is that of a record of the cloud.
            let all = ["id"] + (wanted.isNamed ? [AppTable.recordColumn] : []) + names
            let marks = Array(repeating: "?", count: all.count).joined(separator: ", ")
            let list = all.joined(separator: ", ")
            made = try RawStatement(
                db, "INSERT\(clause) INTO \(table.table) (\(list)) VALUES (\(marks))", isCached: true)
        } else {
            let list = names.map { "\($0) = ?" }.joined(separator: ", ")
            made = try RawStatement(
                db, "UPDATE\(clause) \(table.table) SET \(list) WHERE id IN (?, ?)", isCached: true)
        }
        statement = made
        shape = wanted
        return made
    }

    private func bind(_ cell: Cell, _ statement: RawStatement, _ index: Int32) throws {
        switch cell.value {
        case .absent: statement.bindNull(index)
        case .integer(let number): statement.bind(index, number)
        case .number(let number): statement.bind(index, number)
        case .text(let text): statement.bind(index, text)
        case .bytes(let bytes): bytes.withUnsafeBytes { statement.bind(index, blob: $0) }
        case .blob:
            if isFilled(cell) {
                statement.bind(index, zeros: cell.content?.count ?? 0)
            } else {
                try (cell.content?.bytes() ?? []).withUnsafeBytes { statement.bind(index, blob: $0) }
            }
        }
    }
}
