import Foundation
import GRDB
import PluginKit
import TrailStores

/// Recovers readable rows of a damaged database into a new one. Each table is read twice: by SQLite from both
/// ends up to the damage, as sqlite3's own `.dump` does, and by page, so that a bad page loses only its own
/// rows. Indexes are rebuilt; search tables and R*Trees only from complete rows.
package final class StoreRepair {
    let source: DamagedDatabase
    let copy: PlainConnection
    private let work: StopSignal
    private let progress: ProgressReporter
    var report = RepairReport()
    /// Pages with a known owner.
    var owned: Set<Int> = []
    /// Tables with generated column names.
    private var unnamed: Set<String> = []
    /// The tables of the copy in order of creation.
    private var recoveries: [TableRecovery] = []
    var witnesses: [String: IndexWitness] = [:]
    var indexDamage: [String: TreeWalk.Damage] = [:]

    /// Repairs a file into a new one and returns what was recovered. The copy appears atomically.
    package static func repair(
        _ url: URL, into target: URL, progress: ProgressReporter
    ) async throws -> RepairReport {
        try await StopSignal.work { work in
            let output = try ExclusiveOutput(target, parameter: "out")
            do {
                let report = try repair(url, output.temporary, work, progress)
                try output.finish()
                return report
            } catch let failure as DatabaseError {
                if failure.isInterruption { throw Interruption.stopped }
                throw StoreErrors.disk("the copy cannot be written: \(failure.reason)")
            }
        }
    }

    private static func repair(
        _ url: URL, _ target: URL, _ work: StopSignal, _ progress: ProgressReporter
    ) throws -> RepairReport {
        let repair = try StoreRepair(url, target, work, progress)
        try repair.run()
        var report = repair.report
        if let unread = try FileFindings.unreadLog(url) {
            let log = RepairReport.Part(
                kind: RepairReport.log, name: "\(url.lastPathComponent)-wal", outcome: .lost, detail: unread)
            report.parts.insert(log, at: 0)
        }
        return report
    }

    private init(_ url: URL, _ target: URL, _ work: StopSignal, _ progress: ProgressReporter) throws {
        self.work = work
        self.progress = progress
        source = try DamagedDatabase(url, work)
        owned = source.schemaPages
        copy = try PlainConnection(target.path, isWritable: true, isNew: true)
    }

    private func run() throws {
        let encodings = ["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]
        // The copy is temporary until it is renamed: a crash leaves nothing to keep.
        try copy.execute(
            """
            PRAGMA page_size = \(source.pages.pageSize); PRAGMA encoding = '\(encodings[source.pages.encoding])';
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
            PRAGMA trusted_schema = OFF; BEGIN
            """)
        report.parts += source.remarks
        if !source.schemaDamage.isNone {
            report.parts.append(
                .init(
                    kind: "schema", name: "sqlite_schema", outcome: .unsure,
                    detail: "there may have been more tables than listed here"))
        }
        let shadows = ShadowTables(source.parts)
        let tables = source.parts.filter { $0.type == "table" && !$0.isVirtual }
        for part in source.parts where part.type == "index" { try ownIndex(part) }
        for part in tables where !shadows.owns(part.name) { try table(part) }
        for part in tables where shadows.owns(part.name) { try ownPages(part) }
        let isAccounted = try orphans()
        report.parts += recoveries.map(\.item)
        report.parts += isAccounted
        for part in source.parts where part.type == "index" && !part.sql.isEmpty { try index(part) }
        try references()
        for part in source.parts where part.isVirtual { try derived(part) }
        for part in source.parts where part.type == "view" || part.type == "trigger" { try plain(part) }
        try copy.execute("COMMIT")
        for (name, offset) in [("user_version", 60), ("application_id", 68)] {
            let value = Int32(truncatingIfNeeded: source.pages.header.number(at: offset, bytes: 4))
            try copy.execute("PRAGMA \(name) = \(value)")
        }
    }

    // MARK: Tables

    func table(_ part: DamagedDatabase.Part) throws {
        progress.report("recovering \(part.name)", done: 0)
        guard let table = try make(part) else { return try ownPages(part) }
        let isDeclared = !unnamed.contains(table.name)
        if let key = table.possibleAlias(isDeclared: isDeclared), try isStoredNowhere(key.cell, part) {
            table.takeNumbers(as: key.column)
        }
        var recovery = TableRecovery(part: part, table: table)
        if table.hasRowID { recovery.witness = witnesses[part.name.lowercased()] ?? IndexWitness() }
        var bySQLite: [Int64: Int] = [:]
        recovery.stop =
            part.isMisplaced ? "its root is wrong" : try readBySQLite(part, table, &bySQLite)
        var walk = source.walker(table.hasRowID ? .table : .index)
        var without: Set<[StoredCell]> = []
        let readAll = recovery.stop == nil
        if part.tree > 0 {
            try walk.walk(root: part.tree) { entry in
                guard let row = table.arranged(entry) else {
                    // More cells than the table has columns: another table's page, or a lost schema.
                    try table.putAside(entry.rowID, entry.cells)
                    return
                }
                if let number = entry.rowID {
                    let hash = entry.cells.hashValue
                    if let before = recovery.rows[number] {
                        if before != hash { try table.putAside(number, row.map { $0 ?? .null }) }
                        return
                    }
                    recovery.rows[number] = hash
                    if bySQLite[number] == nil { try table.insert(number, row) }
                } else if !readAll, without.insert(entry.cells).inserted {
                    try insertUnlessThere(table, row)
                }
            }
        }
        owned.formUnion(walk.visited)
        recovery.damage = walk.damage
        for number in bySQLite.keys.sorted() where recovery.rows[number] == nil {
            // Where a page's pointers are wrong, SQLite takes any bytes for a row.
            if !walk.damage.mended.isEmpty, recovery.witness.denies(number, besides: recovery.rows) {
                try table.withdraw(number)
            } else {
                recovery.rows[number] = 0
            }
        }
        try lookUp(&recovery)
        recoveries.append(recovery)
    }

    /// Whether a table has rows, and none of them stores a cell.
    private func isStoredNowhere(_ cell: Int, _ part: DamagedDatabase.Part) throws -> Bool {
        guard part.tree > 0 else { return false }
        var (rows, stored) = (0, 0)
        var walk = source.walker(.table)
        try walk.walk(root: part.tree) { entry in
            rows += 1
            if cell < entry.cells.count, entry.cells[cell] != .null { stored += 1 }
        }
        return rows > 0 && stored == 0
    }

    /// Asks SQLite for single rows that are there but were not read: it reads some that the format does not define.
    private func lookUp(_ recovery: inout TableRecovery) throws {
        let wanted = recovery.damage.rows.union(recovery.witness.named).subtracting(recovery.rows.keys)
        guard !wanted.isEmpty, !recovery.part.isMisplaced, let connection = source.lookup,
            !recovery.table.rowIDWord.isEmpty
        else { return }
        let numbered = "\(selection(recovery.part, recovery.table)) WHERE \(recovery.table.rowIDWord) = ?"
        for number in wanted.sorted() {
            try work.check()
            do {
                let statement = try RawStatement(connection.handle, numbered)
                statement.bind([.integer(number)])
                guard try statement.next() else { continue }
                let row = statement.cells(from: 1)
                guard row.count == recovery.table.columns.count, statement.cell(0) == .integer(number) else {
                    continue
                }
                try recovery.table.insert(number, row)
                recovery.rows[number] = 0
            } catch let failure as DatabaseError {
                if failure.isInterruption { throw failure }
            }
        }
    }

    /// Creates a table of the copy with its original statement, or else with generated column names.
    private func make(_ part: DamagedDatabase.Part) throws -> CopyTable? {
        if part.name.hasPrefix("sqlite_") {
            // SQLite creates these itself: for AUTOINCREMENT, and for ANALYZE. Others are not needed.
            if part.name.hasPrefix("sqlite_stat") { try? copy.execute("ANALYZE sqlite_master") }
            guard let table = try? CopyTable(part.name, in: copy), !table.columns.isEmpty else { return nil }
            try copy.execute("DELETE FROM \(part.name.sqlIdentifier)")
            return table
        }
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
        let known = Set(copy.texts(tables))
        // Parts of a damaged schema that SQLite rejects are created differently, or omitted.
        let isMade = (try? copy.define(part.sql)) != nil
        if isMade, let table = try? CopyTable(part.name, in: copy), !table.columns.isEmpty { return table }
        // A statement with a name other than its schema row created an unrelated table.
        for stray in copy.texts(tables) where isMade && !known.contains(stray) {
            // SQLite's own tables, and shadow tables created before their virtual table, cannot be dropped.
            try? copy.execute("DROP TABLE \(stray.sqlIdentifier)")
        }
        if !isMade, let table = makePlain(part) { return table }
        // The statement is damaged too: use the number of columns of the widest record.
        var width = 1
        if let connection = source.connection,
            let all = try? RawStatement(connection.handle, "SELECT * FROM \(part.name.sqlIdentifier)")
        {
            width = max(width, all.columnCount)
        }
        var walk = source.walker(.table)
        if part.tree > 0 { try walk.walk(root: part.tree) { width = max(width, $0.cells.count) } }
        var name = part.name.isEmpty ? "unnamed" : part.name
        // SQL text ends at a NUL. If the copy cannot be queried for the name, creating the table fails below.
        name = name.replacing("\0", with: "")
        while copy.integer("SELECT 1 FROM sqlite_master WHERE name = \(name.sqlLiteral)") != nil {
            try work.check()
            name += "_2"
        }
        let columns = (1...width).map { "c\($0)" }.joined(separator: ", ")
        // A name that cannot be written in SQL creates no table.
        guard (try? copy.execute("CREATE TABLE \(name.sqlIdentifier)(\(columns))")) != nil else {
            return nil
        }
        unnamed.insert(name)
        return try CopyTable(name, in: copy)
    }

    /// Creates a table by the columns that SQLite finds in the source: the copy cannot have it as declared where a collation or
    /// function of its app is missing. `nil` if SQLite cannot read the declaration either.
    private func makePlain(_ part: DamagedDatabase.Part) -> CopyTable? {
        let name = part.name.sqlLiteral
        guard let connection = source.connection,
            let info = try? RawStatement(
                connection.handle,
                "SELECT name, hidden, pk, type, \"notnull\" FROM pragma_table_xinfo(\(name))")
        else { return nil }
        var columns: [String] = []
        var keys: [(number: Int64, name: String)] = []
        while (try? info.next()) == true {
            // Computed columns need the declaration.
            guard let column = info.text(0)?.sqlIdentifier, info.integer(1) == 0 else { return nil }
            columns.append("\(column) \(info.text(3) ?? "")" + (info.integer(4) == 0 ? "" : " NOT NULL"))
            if info.integer(2) > 0 { keys.append((info.integer(2), column)) }
        }
        if columns.isEmpty { return nil }
        let order = keys.sorted { $0.number < $1.number }.map(\.name).joined(separator: ", ")
        let wr = connection.integer("SELECT wr FROM pragma_table_list(\(name)) WHERE schema = 'main'")
        let sql =
            "CREATE TABLE \(part.name.sqlIdentifier)(\(columns.joined(separator: ", "))"
            + (order.isEmpty ? ")" : ", PRIMARY KEY (\(order)))") + (wr == 1 ? " WITHOUT ROWID" : "")
        guard (try? copy.execute(sql)) != nil, let table = try? CopyTable(part.name, in: copy) else {
            return nil
        }
        return table.columns.isEmpty ? nil : table
    }

    /// Reads with SQLite from the start and, if it stops, from the end. Returns why it stopped.
    private func readBySQLite(
        _ part: DamagedDatabase.Part, _ table: CopyTable, _ seen: inout [Int64: Int]
    ) throws -> String? {
        guard let connection = self.source.connection else { return "it cannot open the file" }
        let numbered = table.hasRowID && !table.rowIDWord.isEmpty
        let start = selection(part, table)
        var stop: String?
        for order in [""] + (numbered ? [" ORDER BY \(table.rowIDWord) DESC"] : []) {
            do {
                let statement = try RawStatement(connection.handle, start + order)
                while try statement.next() {
                    try work.check()
                    let row = statement.cells(from: 1)
                    guard row.count == table.columns.count else {
                        try table.putAside(nil, row)
                        continue
                    }
                    if case .integer(let number) = statement.cell(0), numbered {
                        let hash = row.hashValue
                        if let before = seen[number] {
                            if before != hash { try table.putAside(number, row) }
                            continue
                        }
                        seen[number] = hash
                        try table.insert(number, row)
                    } else {
                        try table.insert(nil, row)
                    }
                }
                if stop == nil { return nil }
            } catch let failure as DatabaseError {
                if failure.isInterruption { throw failure }
                stop = stop ?? failure.reason
            }
        }
        return stop
    }

    /// The statement that selects the number and the columns of a table's rows.
    private func selection(_ part: DamagedDatabase.Part, _ table: CopyTable) -> String {
        let numbered = table.hasRowID && !table.rowIDWord.isEmpty
        // Qualified with the table's name, so that a missing column is not interpreted as text.
        let source = part.name.sqlIdentifier
        let named = table.columns.map { "\(source).\($0.sqlIdentifier)" }.joined(separator: ", ")
        let list = unnamed.contains(table.name) ? "*" : named
        return "SELECT \(numbered ? table.rowIDWord : "NULL"), \(list) FROM \(source)"
    }

    /// Inserts a row of a table without numbers, unless SQLite returned it before.
    private func insertUnlessThere(_ table: CopyTable, _ row: [StoredCell?]) throws {
        let tests = table.columns.map { "\($0.sqlIdentifier) IS ?" }.joined(separator: " AND ")
        let find = try RawStatement(
            copy.handle, "SELECT 1 FROM \(table.name.sqlIdentifier) WHERE \(tests) LIMIT 1")
        find.bind(row.map { $0 ?? .null })
        if try !find.next() { try table.insert(nil, row) }
    }

    // MARK: The rest

    /// Counts for each table the rows whose foreign keys refer to missing rows. They are kept: an app that
    /// does not enforce its keys shows them, and SQLite does not enforce them by default.
    private func references() throws {
        for index in report.parts.indices where report.parts[index].kind == "table" {
            try work.check()
            let name = report.parts[index].name.sqlLiteral
            guard copy.integer("SELECT count(*) FROM pragma_foreign_key_list(\(name))") ?? 0 > 0 else {
                continue
            }
            var words = [report.parts[index].detail].filter { !$0.isEmpty }
            do {
                let violations = try RawStatement(copy.handle, "PRAGMA foreign_key_check(\(name))")
                var count = 0
                while try violations.next() {
                    if count & 0xFF == 0 { try work.check() }
                    count += 1
                }
                if count == 0 { continue }
                words.append("\(count) \(count == 1 ? "refers" : "refer") to missing rows")
            } catch let failure as DatabaseError where !failure.isInterruption {
                words.append("its references cannot be checked: \(failure.reason)")
            }
            report.parts[index].detail = words.joined(separator: ", ")
        }
    }

    private func plain(_ part: DamagedDatabase.Part) throws {
        do {
            try copy.define(part.sql)
        } catch {
            report.parts.append(
                .init(
                    kind: part.type, name: part.name, outcome: .lost,
                    detail: "cannot be created: \(error.reason)"))
        }
    }

    private func ownPages(_ part: DamagedDatabase.Part) throws {
        for kind in [TreeWalk.Kind.table, .index] where part.tree > 0 {
            var walk = source.walker(kind)
            try walk.walk(root: part.tree) { _ in }
            owned.formUnion(walk.visited)
        }
    }

    /// Leaves outside all trees, such as below a lost page. A row that belongs to just one incomplete table is added to
    /// it, others are kept in `lost_and_found`. Returns what remains unexplained.
    private func orphans() throws -> [RepairReport.Part] {
        let free = source.pages.freePages()
        let system = source.pages.systemPages
        let verdicts = recoveries.map(\.verdict)
        var saved = 0
        // Overflow pages may lie before the row that leads to them.
        var (empty, overflow): (Set<Int>, Set<Int>) = ([], [])
        for number in stride(from: 2, through: source.last, by: 1)
        where !owned.contains(number) && !free.contains(number) && !system.contains(number) {
            try work.check()
            var walk = source.walker(.table)
            var found: [TreeWalk.Entry] = []
            try walk.leaf(number) { found.append($0) }
            owned.formUnion(walk.visited)
            if found.isEmpty { empty.insert(number) }
            overflow.formUnion(walk.visited.subtracting([number]))
            var adopting: Set<Int> = []
            for entry in found {
                if let index = try adopt(entry, verdicts) {
                    adopting.insert(index)
                    continue
                }
                if try isKnown(entry) { continue }
                let insert = try CopyTable.aside("and_found", in: copy, width: entry.cells.count)
                insert.bind([entry.rowID.map { .integer($0) } ?? .null] + entry.cells)
                try insert.run()
                saved += 1
            }
            for index in adopting { recoveries[index].adopted += 1 }
        }
        let unread = empty.subtracting(overflow).count
        var parts: [RepairReport.Part] = []
        if saved > 0 {
            parts.append(
                .init(
                    kind: "table", name: "lost_and_found", outcome: .rebuilt, saved: saved,
                    detail: "rows of pages that belong to no table, perhaps deleted ones"))
        }
        let isProven =
            !recoveries.isEmpty && source.schemaDamage.isNone && recoveries.allSatisfy { $0.item.isProven }
        if unread > 0, !isProven {
            parts.append(
                .init(
                    kind: "pages", name: "pages", outcome: .unsure,
                    detail: "\(unread, of: "page") of no table, index or list of free pages"))
        } else if unread > 0 || source.lacksBytes {
            // SQLite loses no pages: these were a row's, and a row with other bytes in their place may be whole otherwise.
            parts.append(
                .init(
                    kind: RepairReport.values, name: "pages", outcome: .rebuilt,
                    detail: [
                        unread > 0 ? "\(unread, of: "page") of no row, index or list of free pages" : nil,
                        source.lacksBytes ? "the file ends within its last page" : nil,
                    ].compactMap(\.self).joined(separator: "; ")))
        }
        return parts
    }

    /// Adds a row of a page outside all trees to the only incomplete table that it fits, unless an index proves that it
    /// was deleted; returns the table's index.
    private func adopt(_ entry: TreeWalk.Entry, _ verdicts: [IndexWitness.Verdict]) throws -> Int? {
        guard let number = entry.rowID else { return nil }
        let fitting = recoveries.indices.filter {
            recoveries[$0].isIncomplete(verdicts[$0]) && recoveries[$0].table.accepts(entry)
        }
        guard fitting.count == 1, let index = fitting.first, recoveries[index].rows[number] == nil,
            !verdicts[index].isProven || verdicts[index].missing.contains(number),
            let row = recoveries[index].table.arranged(entry)
        else { return nil }
        try recoveries[index].table.insert(number, row)
        recoveries[index].rows[number] = entry.cells.hashValue
        return index
    }

    /// Whether a table of the copy has this row already: SQLite leaves copies of rows in pages that it no longer uses.
    private func isKnown(_ entry: TreeWalk.Entry) throws -> Bool {
        guard let number = entry.rowID else { return false }
        return recoveries.contains { $0.rows[number] == entry.cells.hashValue }
    }

    private func derived(_ part: DamagedDatabase.Part) throws {
        report.parts.append(try DerivedTable(source, copy).rebuild(part))
    }
}
