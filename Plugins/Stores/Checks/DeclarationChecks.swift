import GRDB
import PluginKit
import TrailStores

/// Declarations of a table by which it accepts what its format forbids, or refuses or changes what apps write. They come from
/// programs that rebuild tables: editors, converters, and scripts that fill a table from a query.
struct DeclarationChecks {
    static let key = FindingKind(
        .warning, "F-SCHEMA-KEY", "the table accepts an identifier twice",
        why:
            "Its key is neither a primary key nor unique, as in a table that was filled from a query or a text file.",
        fix: "copy the rows into a table with the format's declaration")
    static let refuses = FindingKind(
        .warning, "F-SCHEMA-REFUSES", "the table refuses rows that the format allows",
        why: "Apps fail to write a row that breaks a constraint which their own table does not have.",
        fix: "find out which program added it, and copy the rows into a table with the format's declaration")
    static let reference = FindingKind(
        .warning, "F-SCHEMA-REFERENCE", "a column refers to another table",
        why:
            "The format has no foreign keys: where they are enforced, rows are refused, or deleted with another row.",
        fix: "find out which program added it, and copy the rows into a table with the format's declaration")
    static let computed = FindingKind(
        .warning, "F-SCHEMA-COMPUTED", "a column is computed",
        why: "Apps fail to write a generated column.",
        fix: "copy the rows into a table with the format's declaration")
    static let type = FindingKind(
        .warning, "F-SCHEMA-TYPE", "a column changes the texts written to it",
        why: "SQLite stores a text that looks like a number as that number in such a column: 007 becomes 7.",
        fix: "copy the rows into a table whose column is declared TEXT")
    static let all = [key, refuses, reference, computed, type]

    let run: CheckRun
    let table: StoreFormat.Table

    /// A column as SQLite lists it.
    private struct Column {
        let name: String
        let type: String
        let isRequired: Bool
        let hasDefault: Bool
        let keyIndex: Int
        let isComputed: Bool
    }

    /// Checks the declaration of one table.
    func check() throws {
        guard try run.db.tableExists(table.name) else { return }
        let columns = try columns()
        if columns.isEmpty { return }
        types(columns)
        // Routing graphs and timetables are written once, by importers; apps write only tables with UUIDs.
        guard table.hasUUIDKey, run.profile.reader == .ios else { return }
        try key(columns)
        required(columns)
        for column in columns where column.isComputed && table.columns.contains(column.name) {
            add(Self.computed, "\(column.name) is a generated column")
        }
        try references()
        try conditions()
    }

    private func add(_ kind: FindingKind, _ what: String) { run.add(kind, table: table.name, what) }

    private func columns() throws -> [Column] {
        let sql =
            "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)"
        return try Row.fetchAll(run.db, sql: sql, arguments: [table.name]).map { row in
            Column(
                name: String.fromDatabaseValue(row[0]) ?? "", type: String.fromDatabaseValue(row[1]) ?? "",
                isRequired: Int.fromDatabaseValue(row[2]) == 1,
                hasDefault: Int.fromDatabaseValue(row[3]) == 1,
                keyIndex: Int.fromDatabaseValue(row[4]) ?? 0,
                // 2 is a virtual generated column, 3 a stored one.
                isComputed: [2, 3].contains(Int.fromDatabaseValue(row[5]) ?? 0))
        }
    }

    private func key(_ columns: [Column]) throws {
        let key = Set(table.key)
        guard key.isSubset(of: columns.map(\.name)) else { return }
        if Set(columns.filter { $0.keyIndex > 0 }.map(\.name)) == key { return }
        let unique = try String.fetchAll(
            run.db,
            sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1 AND partial = 0",
            arguments: [table.name])
        let isUnique = try unique.contains { index in
            let parts = try String.fetchAll(
                run.db, sql: "SELECT coalesce(name, '') FROM pragma_index_info(?)", arguments: [index])
            return Set(parts) == key
        }
        if isUnique { return }
        add(Self.key, "\(table.key.joined(separator: ", ")) is neither the primary key nor unique")
    }

    /// Columns that must have a value, although apps may leave them empty or do not know them.
    private func required(_ columns: [Column]) {
        for column in columns where column.isRequired && column.keyIndex == 0 {
            let isKnown = table.columns.contains(column.name)
            // A column that apps do not know is filled by its default; one that they write is not.
            if isKnown ? !table.optional.contains(column.name) : column.hasDefault { continue }
            add(
                Self.refuses,
                "\(column.name) must not be NULL, \(isKnown ? "which apps write" : "and apps do not know it")"
            )
        }
    }

    private func references() throws {
        let sql = "SELECT \"table\", \"from\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"
        for row in try Row.fetchAll(run.db, sql: sql, arguments: [table.name]) {
            let (parent, column, action) = (
                String.fromDatabaseValue(row[0]) ?? "", String.fromDatabaseValue(row[1]) ?? "",
                String.fromDatabaseValue(row[2]) ?? ""
            )
            let effect = action == "CASCADE" ? ", and rows are deleted with that row" : ""
            add(Self.reference, "\(column) refers to \(parent)\(effect)")
        }
    }

    private func conditions() throws {
        let sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
        guard let text = try String.fetchOne(run.db, sql: sql, arguments: [table.name]),
            SQLWords(text).contains("check")
        else { return }
        add(Self.refuses, "the table has a CHECK constraint")
    }

    /// Columns of texts that store numbers: SQLite derives this from the declared type (Datatypes in SQLite, 3.1).
    private func types(_ columns: [Column]) {
        for column in columns where table.texts.contains(column.name) {
            let type = column.type.uppercased()
            if type.contains("INT") || !["CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains),
                !type.isEmpty
            {
                add(Self.type, "\(column.name) is declared \(column.type)")
            }
        }
    }
}

/// The words of a statement outside of quotes and comments, in lower case.
struct SQLWords {
    private let words: Set<String>

    init(_ sql: String) {
        var words: Set<String> = []
        var word = ""
        var rest = Substring(sql)
        while let character = rest.first {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                rest = rest.dropFirst()
                continue
            }
            if !word.isEmpty { words.insert(word.lowercased()) }
            word = ""
            rest = Self.afterQuote(rest)
        }
        if !word.isEmpty { words.insert(word.lowercased()) }
        self.words = words
    }

    /// Whether a word, in lower case, is among them.
    func contains(_ word: String) -> Bool { words.contains(word) }

    /// The text behind its first character, or behind the quoted text or comment that begins there.
    private static func afterQuote(_ text: Substring) -> Substring {
        let ends: [(start: String, end: String)] = [
            ("'", "'"), ("\"", "\""), ("`", "`"), ("[", "]"), ("--", "\n"), ("/*", "*/"),
        ]
        for (start, end) in ends where text.hasPrefix(start) {
            let inside = text.dropFirst(start.count)
            return inside.firstRange(of: end).map { inside[$0.upperBound...] } ?? ""
        }
        return text.dropFirst()
    }
}
