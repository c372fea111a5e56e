import Foundation
import GRDB
import PluginKit
import TrailStores

/// A table of the copy, and the mapping of stored cells to its columns.
final class CopyTable {
    let name: String
    /// The writable columns, in order.
    let columns: [String]
    /// For each cell of a stored record, the index in `columns`; `nil` for a computed column.
    private let columnIndexes: [Int?]
    /// The index in `columns` of the alias of the row number.
    private let alias: Int?
    let hasRowID: Bool
    /// A name of the row number that no column uses.
    let rowIDWord: String
    private(set) var saved = 0
    private(set) var aside = 0
    /// The numbers of the rows beside the table.
    private(set) var asideNumbers: Set<Int64> = []
    /// A column as declared by its table.
    private struct Column {
        let name: String
        let hidden: Int64
        let key: Int64
        let type: String
        let isRequired: Bool
        /// The default as SQL; `nil` if there is none.
        let preset: String?
        let affinity: ColumnAffinity
    }

    /// The index in `columns` of the key that no record stores, as it was the alias of the row number before its declaration
    /// was damaged: it takes the row's number.
    private(set) var numberedKey: Int?
    /// The writable columns, as declared.
    private let declared: [Column]
    private let copy: PlainConnection
    private var inserts: [Int: RawStatement] = [:]
    private var asideInsert: RawStatement?
    private var asideWidth = 0

    init(_ name: String, in copy: PlainConnection) throws(DatabaseError) {
        self.name = name
        self.copy = copy
        let info = try RawStatement(
            copy.handle,
            """
            SELECT name, hidden, pk, upper(type), "notnull", dflt_value
            FROM pragma_table_xinfo(\(name.sqlLiteral))
            """
        )
        var all: [Column] = []
        let isStrict =
            copy.integer("SELECT strict FROM pragma_table_list(\(name.sqlLiteral)) WHERE schema = 'main'")
            == 1
        while try info.next() {
            guard let column = info.text(0) else { continue }
            let type = info.text(3) ?? ""
            all.append(
                Column(
                    name: column, hidden: info.integer(1), key: info.integer(2), type: type,
                    isRequired: info.integer(4) != 0, preset: info.text(5),
                    affinity: ColumnAffinity(type, isStrict: isStrict)))
        }
        let writable = all.filter { $0.hidden == 0 }.map(\.name)
        columns = writable
        declared = all.filter { $0.hidden == 0 }
        let isWithout = copy.integer(
            "SELECT wr FROM pragma_table_list(\(name.sqlLiteral)) WHERE schema = 'main'")
        let hasRowID = isWithout != 1
        self.hasRowID = hasRowID
        var stored = all.filter { $0.hidden != 2 }
        if !hasRowID {
            // The key's columns come first, in key order.
            stored = stored.filter { $0.key > 0 }.sorted { $0.key < $1.key } + stored.filter { $0.key == 0 }
        }
        columnIndexes = stored.map { column in writable.firstIndex(of: column.name) }
        let keys = all.filter { $0.key > 0 }
        alias =
            hasRowID && keys.count == 1 && keys[0].type == "INTEGER"
            ? writable.firstIndex(of: keys[0].name) : nil
        let taken = Set(all.map { $0.name.lowercased() })
        rowIDWord = ["_rowid_", "rowid", "oid"].first { !taken.contains($0) } ?? ""
    }

    /// The column that may have been the alias of the row number before a byte of its declaration changed: the only key, one
    /// that is declared nearly as such, or the first of a table whose declaration is lost; its index in `columns` and in a
    /// stored record.
    func possibleAlias(isDeclared: Bool) -> (column: Int, cell: Int)? {
        guard hasRowID, alias == nil else { return nil }
        let keys = declared.indices.filter { declared[$0].key > 0 }
        let near = declared.indices.filter { Self.resemblesAlias(declared[$0].type) }
        let column = keys.count == 1 ? keys.first : near.count == 1 ? near.first : isDeclared ? nil : 0
        guard let column, let cell = columnIndexes.firstIndex(of: column) else { return nil }
        return (column, cell)
    }

    private static func resemblesAlias(_ type: String) -> Bool {
        let words = ["INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT"]
        return type.utf8.count > words[0].utf8.count / 2 && Suggestion.nearest(to: type, in: words) != nil
    }

    /// Gives the key that no record stores the numbers of the rows.
    func takeNumbers(as column: Int) { numberedKey = column }

    /// Maximum number of cells of a stored record.
    var width: Int { columnIndexes.count }

    /// The cell of a stored record that identifies the row besides its number; `nil` if no single column
    /// does.
    var keyCell: Int? {
        let keys = declared.indices.filter { declared[$0].key > 0 }
        guard keys.count == 1, let key = keys.first, key != alias else { return nil }
        return columnIndexes.firstIndex(of: key)
    }

    /// The form of the stored records.
    var shape: RecordCarver.Shape {
        let cells = columnIndexes.map { index in index.map { declared[$0] } }
        let optional = cells.reversed().prefix { $0.map { !$0.isRequired || $0.preset != nil } ?? true }.count
        return RecordCarver.Shape(
            affinities: cells.map { $0?.affinity ?? .blob },
            required: cells.map { $0?.isRequired ?? false },
            alias: alias.flatMap { alias in columnIndexes.firstIndex(of: alias) },
            fewest: max(1, columnIndexes.count - optional))
    }

    /// Whether a stored record can be one of this table: as many cells as its rows have, NULL only where allowed, and
    /// no numbers in columns whose type makes them texts.
    func accepts(_ entry: TreeWalk.Entry) -> Bool {
        let shape = shape
        guard hasRowID, (shape.fewest...columnIndexes.count).contains(entry.cells.count) else { return false }
        return entry.cells.enumerated().allSatisfy { index, cell in
            switch cell {
            case .null: index == shape.alias || !shape.required[index]
            case .integer, .real: index != shape.alias && shape.affinities[index] != .text
            case .text: index != shape.alias && shape.affinities[index] != .real
            case .blob: index != shape.alias
            }
        }
    }

    /// A stored record in column order. Cells missing in an older record take their defaults.
    func arranged(_ entry: TreeWalk.Entry) -> [StoredCell?]? {
        guard entry.cells.count <= columnIndexes.count else { return nil }
        var row = [StoredCell?](repeating: nil, count: columns.count)
        for (cell, index) in zip(entry.cells, columnIndexes) { if let index { row[index] = cell } }
        if let alias, let number = entry.rowID { row[alias] = .integer(number) }
        return row
    }

    /// A stored record as SQLite returns it: integers in a REAL column become reals, and columns added after
    /// the record have their defaults.
    func shown(_ entry: TreeWalk.Entry) -> [StoredCell]? {
        arranged(entry)?.enumerated().map { index, cell in
            switch cell {
            case .integer(let number)? where declared[index].affinity == .real: .real(Double(number))
            case let cell?: cell
            case nil: presets[index]
            }
        }
    }

    /// The values of columns missing in a record. SQLite adds a column to a table with rows only with a
    /// constant default; other expressions are not evaluated.
    private lazy var presets: [StoredCell] = declared.map { column in
        guard let preset = column.preset?.trimmingCharacters(in: .whitespaces), Self.isPlain(preset),
            (try? copy.execute(
                "CREATE TEMP TABLE preset(cell \(column.affinity.word) DEFAULT \(preset)); INSERT INTO preset DEFAULT VALUES"
            )) != nil
        else { return .null }
        // A created table can be dropped.
        defer { try? copy.execute("DROP TABLE temp.preset") }
        return copy.rows("SELECT cell FROM temp.preset").next()?.first ?? .null
    }

    /// Whether an expression is a number, text or blob literal.
    private static func isPlain(_ sql: String) -> Bool {
        let word = sql.lowercased()
        if Double(word) != nil || ["true", "false"].contains(word) { return true }
        for quote in ["'", "\""] {
            let inner = sql.replacing(quote + quote, with: "").drop { $0 == "x" || $0 == "X" }
            if inner.hasPrefix(quote), inner.hasSuffix(quote),
                inner.filter({ String($0) == quote }).count == 2
            {
                return true
            }
        }
        return false
    }

    /// Adds a row; a row that violates constraints is added to a table beside it. Missing cells take defaults.
    func insert(_ rowID: Int64?, _ stored: [StoredCell?]) throws {
        var row = stored
        if let numberedKey, let rowID { row[numberedKey] = .integer(rowID) }
        let present = row.indices.filter { row[$0] != nil }
        let isShort = present.count < row.count
        let key = isShort ? present.reduce(1) { $0 &* 31 &+ $1 } &+ 1 : 0
        let statement: RawStatement
        if let known = inserts[key] {
            statement = known
        } else {
            statement = try prepared(sql(present, withNumber: usesNumber))
            inserts[key] = statement
        }
        var cells = present.compactMap { row[$0] }
        if usesNumber { cells.insert(rowID.map { .integer($0) } ?? .null, at: 0) }
        statement.bind(cells)
        do {
            try statement.run()
            saved += 1
        } catch  where error.isInterruption {
            throw error
        } catch {
            try putAside(rowID, row.map { $0 ?? .null })
        }
    }

    /// A statement with the table's checks; if one of their functions is not defined, a statement without
    /// checks.
    private func prepared(_ sql: String) throws -> RawStatement {
        do { return try RawStatement(copy.handle, sql) } catch {
            try copy.execute("PRAGMA ignore_check_constraints = ON")
            // A flag that could be set can be reset.
            defer { try? copy.execute("PRAGMA ignore_check_constraints = OFF") }
            return try RawStatement(copy.handle, sql)
        }
    }

    private var usesNumber: Bool { hasRowID && alias == nil && !rowIDWord.isEmpty }

    /// A constraint that is declared to replace or ignore rows fails instead: the other row would go without a word.
    private func sql(_ present: [Int], withNumber: Bool) -> String {
        let names = (withNumber ? [rowIDWord] : []) + present.map { columns[$0].sqlIdentifier }
        if names.isEmpty { return "INSERT OR ABORT INTO \(name.sqlIdentifier) DEFAULT VALUES" }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return
            "INSERT OR ABORT INTO \(name.sqlIdentifier)(\(names.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// Stores a row in a table without constraints.
    func putAside(_ rowID: Int64?, _ cells: [StoredCell]) throws {
        let insert: RawStatement
        if let known = asideInsert, asideWidth >= cells.count {
            insert = known
        } else {
            insert = try Self.aside(name, in: copy, width: max(cells.count, columns.count))
            asideInsert = insert
            asideWidth = max(cells.count, columns.count)
        }
        insert.bind([rowID.map { .integer($0) } ?? .null] + cells)
        for missing in cells.count..<max(cells.count, asideWidth) { insert.bind(.null, at: missing + 2) }
        try insert.run()
        aside += 1
        if let rowID { asideNumbers.insert(rowID) }
    }

    /// Moves a row from the table to the one beside it.
    func withdraw(_ rowID: Int64) throws {
        guard !rowIDWord.isEmpty else { return }
        let source = name.sqlIdentifier
        let names = columns.map { "\(source).\($0.sqlIdentifier)" }.joined(separator: ", ")
        let find = try RawStatement(
            copy.handle, "SELECT \(names) FROM \(source) WHERE \(rowIDWord) = \(rowID)")
        guard try find.next() else { return }
        try putAside(rowID, find.cells(from: 0))
        try copy.execute("DELETE FROM \(source) WHERE \(rowIDWord) = \(rowID)")
        saved -= 1
    }

    /// The statement that fills a table without constraints; creates or widens the table.
    static func aside(_ name: String, in copy: PlainConnection, width: Int) throws -> RawStatement {
        let table = "lost_\(name)"
        let names = (0...width).map { $0 == 0 ? "row" : "c\($0)" }
        try copy.execute(
            "CREATE TABLE IF NOT EXISTS \(table.sqlIdentifier)(\(names.joined(separator: ", ")))")
        let present = Set(copy.texts("SELECT name FROM pragma_table_xinfo(\(table.sqlLiteral))"))
        for column in names where !present.contains(column) {
            try copy.execute("ALTER TABLE \(table.sqlIdentifier) ADD COLUMN \(column)")
        }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return try RawStatement(
            copy.handle,
            "INSERT INTO \(table.sqlIdentifier)(\(names.joined(separator: ", "))) VALUES (\(marks))")
    }
}
