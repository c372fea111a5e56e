import Foundation
import PluginKit
import TrailStores

/// A damaged database, read both by SQLite as far as possible and by page.
final class DamagedDatabase {
    /// A row of the schema.
    struct Part: Hashable {
        let type: String
        let name: String
        let table: String
        let root: Int
        let sql: String

        var isVirtual: Bool {
            type == "table"
                && sql.uppercased().split(whereSeparator: \.isWhitespace).prefix(2) == ["CREATE", "VIRTUAL"]
        }
    }

    let pages: PageFile
    /// SQLite's connection; `nil` if SQLite cannot even open the file to read the schema.
    let connection: PlainConnection?
    let parts: [Part]
    /// Damage of the schema's own pages.
    let schemaDamage: TreeWalk.Damage
    /// Messages of SQLite's integrity check.
    let messages: [String]
    private let source: ForeignSource
    private let work: StopSignal

    init(_ url: URL, _ work: StopSignal) throws {
        self.work = work
        source = try ForeignSource(url)
        // If SQLite does not open the file, or rejects a PRAGMA, its pages are still read.
        let opened = try? PlainConnection(source.path, isWritable: source.scratch != nil)
        if let opened {
            // A copied log or journal is applied to the copy, so that its pages can be read directly.
            if source.scratch != nil { try? opened.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            // As sqlite3's `.dump` does: a schema that SQLite would not write can still be used for reading.
            try? opened.execute("PRAGMA writable_schema = ON; PRAGMA trusted_schema = OFF")
        }
        guard let pages = PageFile(source.scratch.map { $0.appendingPathComponent("store.db") } ?? url) else {
            throw StoreErrors.notADatabase("not a SQLite database: \(url.lastPathComponent)")
        }
        self.pages = pages
        // In a cyclic tree SQLite would step through empty pages without checking for cancellation.
        var shape = TreeShape(pages)
        try shape.follow(root: 1) { try work.check() }
        let readable = shape.repeats.isEmpty ? opened : nil
        (parts, schemaDamage) = try Self.parts(readable, pages, work)
        for part in parts where part.root > 1 { try shape.follow(root: part.root) { try work.check() } }
        connection = shape.repeats.isEmpty ? readable : nil
        messages = connection?.texts("PRAGMA integrity_check(\(CheckSettings.integrityMessages))") ?? []
        try work.check()
    }

    deinit { if let scratch = source.scratch { FileManager.default.discard(scratch) } }

    /// The schema as read by SQLite, and further rows on its pages.
    private static func parts(
        _ connection: PlainConnection?, _ pages: PageFile, _ work: StopSignal
    ) throws -> ([Part], TreeWalk.Damage) {
        var found: [Part] = []
        let sql = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master"
        for cells in connection?.rows(sql) ?? AnyIterator({ nil }) {
            if let part = part(cells), !found.contains(part) { found.append(part) }
        }
        var walk = TreeWalk(pages, .table) { try work.check() }
        try walk.walk(root: 1) { entry in
            if let part = part(entry.cells), !found.contains(part) { found.append(part) }
        }
        return (found, walk.damage)
    }

    static func part(_ cells: [StoredCell]) -> Part? {
        guard cells.count >= 5, let type = cells[0].text, let name = cells[1].text else { return nil }
        var root = 0
        if case .integer(let number) = cells[3] { root = Int(clamping: number) }
        return Part(
            type: type, name: name, table: cells[2].text ?? "", root: root, sql: cells[4].text ?? "")
    }

    func walker(_ kind: TreeWalk.Kind) -> TreeWalk {
        let work = work
        return TreeWalk(pages, kind) { try work.check() }
    }
}
