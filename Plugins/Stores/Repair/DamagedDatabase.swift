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
        /// The root page as stated.
        let root: Int
        let sql: String
        /// The root page established from the pages, if another one is stated; 0 if there is none.
        var established: Int?

        /// The page to read it from; 0 if there is none.
        var tree: Int { established ?? root }
        /// Whether SQLite would read the wrong pages.
        var isMisplaced: Bool { established != nil }

        var isVirtual: Bool {
            type == "table"
                && sql.uppercased().split(whereSeparator: \.isWhitespace).prefix(2) == ["CREATE", "VIRTUAL"]
        }
    }

    let pages: PageFile
    /// The last page of the database: that of the header, unless pages of trees follow it, as those of a transaction whose journal
    /// is missing.
    let last: Int
    /// Whether the file ends within the last page, whose missing bytes read as zeros.
    var lacksBytes: Bool { last == pages.count && pages.isCut }
    /// SQLite's connection for reading whole tables; `nil` if SQLite cannot even open the file to read the schema, or
    /// might never end.
    let connection: PlainConnection?
    /// SQLite's connection for looking up single rows; `nil` if SQLite cannot open the file.
    let lookup: PlainConnection?
    let parts: [Part]
    /// Damage of the schema's own pages.
    let schemaDamage: TreeWalk.Damage
    /// The schema's own pages.
    let schemaPages: Set<Int>
    /// Messages of SQLite's integrity check.
    let messages: [String]
    /// What was done to make the file readable at all.
    let remarks: [RepairReport.Part]
    private let source: ForeignSource
    private let prepared: SourceCopy?
    private let work: StopSignal

    init(_ requested: URL, _ work: StopSignal) throws {
        self.work = work
        prepared = try SourceCopy(requested) { try work.check() }
        remarks = prepared?.remarks ?? []
        let url = prepared?.url ?? requested
        source = try ForeignSource(url)
        // If SQLite does not open the file, or rejects a PRAGMA, its pages are still read.
        let opened = try? PlainConnection(source.path, isWritable: source.scratch != nil)
        if let opened {
            // A copied log or journal is applied to the copy, so that its pages can be read directly.
            if source.scratch != nil { try? opened.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            // As sqlite3's `.dump` does: a schema that SQLite would not write can still be used for reading.
            try? opened.execute("PRAGMA writable_schema = ON; PRAGMA trusted_schema = OFF")
        }
        let file = source.scratch.map { $0.appendingPathComponent("store.db") } ?? url
        guard let pages = PageFile(file) else {
            throw StoreErrors.notADatabase("not a SQLite database: \(url.lastPathComponent)")
        }
        self.pages = pages
        let reading = FileBytes(file).flatMap { HeaderReading($0) }
        last = reading?.hasTreePages(from: pages.counted + 1) == true ? pages.count : pages.counted
        // In a cyclic tree SQLite would step through empty pages without checking for cancellation.
        var shape = TreeShape(pages)
        try shape.follow(root: 1) { try work.check() }
        let readable = shape.repeats.isEmpty ? opened : nil
        let (stated, schema) = try Self.parts(readable, pages, work)
        (schemaDamage, schemaPages) = (schema.damage, schema.visited)
        let parents = try TreeParents(pages) { try work.check() }
        parts = parents.established(stated)
        for part in parts where part.tree > 1 { try shape.follow(root: part.tree) { try work.check() } }
        connection = shape.repeats.isEmpty ? readable : nil
        // Looking up single rows ends in a cyclic tree, too.
        lookup = opened
        messages = connection?.texts("PRAGMA integrity_check(\(CheckSettings.integrityMessages))") ?? []
        try work.check()
    }

    deinit { if let scratch = source.scratch { FileManager.default.discard(scratch) } }

    /// The schema as read by SQLite, and further rows on its pages.
    private static func parts(
        _ connection: PlainConnection?, _ pages: PageFile, _ work: StopSignal
    ) throws -> ([Part], TreeWalk) {
        var found: [Part] = []
        let sql = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master"
        for cells in connection?.rows(sql) ?? AnyIterator({ nil }) {
            if let part = part(cells), !found.contains(part) { found.append(part) }
        }
        var walk = TreeWalk(pages, .table) { try work.check() }
        try walk.walk(root: 1) { entry in
            if let part = part(entry.cells), !found.contains(part) { found.append(part) }
        }
        return (found, walk)
    }

    static func part(_ cells: [StoredCell]) -> Part? {
        guard cells.count >= 5, let stated = cells[0].text, let name = cells[1].text else { return nil }
        var root = 0
        if case .integer(let number) = cells[3] { root = Int(clamping: number) }
        // What the statement creates decides about a damaged type.
        let type = types.contains(stated) ? stated : created(cells[4].text ?? "") ?? stated
        return Part(
            type: type, name: name, table: cells[2].text ?? "", root: root, sql: cells[4].text ?? "")
    }

    private static let types: Set = ["table", "index", "view", "trigger"]

    /// What a CREATE statement creates.
    private static func created(_ sql: String) -> String? {
        let words = sql.lowercased().split(whereSeparator: \.isWhitespace).prefix(3).map(String.init)
        guard words.first == "create" else { return nil }
        return words.dropFirst().first { types.contains($0) }
    }

    func walker(_ kind: TreeWalk.Kind) -> TreeWalk {
        let work = work
        return TreeWalk(pages, kind) { try work.check() }
    }
}
