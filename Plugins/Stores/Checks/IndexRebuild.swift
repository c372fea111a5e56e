import GRDB
import TrailStores

/// The indexes that can be rebuilt from their tables without loss.
///
/// They lack rows, and nothing else is wrong with the file. An index with more entries than its table has rows is the last witness of
/// what the table lost, and one whose entries should be unique and are not needs a decision.
struct IndexRebuild {
    private var statements: [String: String] = [:]

    /// Reads all that SQLite's integrity check says of a file.
    init(_ lines: [String], _ db: Database) {
        let indexes = lines.map(Self.index(of:))
        guard !indexes.contains(nil) else { return }
        for index in Set(indexes.compactMap { $0 }) where (try? Self.isComplete(index, db)) == true {
            statements[index] = "REINDEX \(index.sqlIdentifier)"
        }
    }

    /// The statement for a line of the check; `nil` if its index is better left alone.
    func statement(for line: String) -> String? { Self.index(of: line).flatMap { statements[$0] } }

    /// The index of which a line says that it lacks rows, or has another number of them.
    private static func index(of line: String) -> String? {
        let (lacks, differs) = (" missing from index ", "wrong # of entries in index ")
        if line.hasPrefix(differs) { return String(line.dropFirst(differs.count)) }
        guard line.hasPrefix("row "), let words = line.range(of: lacks) else { return nil }
        return String(line[words.upperBound...])
    }

    /// Whether the table has at least as many rows as its index has entries.
    private static func isComplete(_ index: String, _ db: Database) throws -> Bool {
        let name = try String.fetchOne(
            db, sql: "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND name = ?",
            arguments: [index])
        guard let table = name?.sqlIdentifier else { return false }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT (SELECT count(*) FROM \(table) NOT INDEXED)
                  >= (SELECT count(*) FROM \(table) INDEXED BY \(index.sqlIdentifier))
                """) ?? false
    }
}
