import Foundation
import GRDB
import PluginKit
import PluginTestKit
import StoresPlugin
import TrailStores

/// Damages stores with photos on overflow pages, and compares what `store repair` recovers with what two others find in the
/// same bytes: a carver that knows the format alone, and SQLite, asked for one row after the other. What the repair says of
/// its losses is compared with the intact store.
public struct RecoveryTrial {
    /// The outcome of trials.
    public struct Outcome: Sendable {
        /// Number of damaged stores.
        public fileprivate(set) var trials = 0
        /// Number of their rows that the carver or SQLite finds.
        public fileprivate(set) var readable = 0
        /// Number of those of which rows are missing in the copy.
        public fileprivate(set) var losses = 0
        /// Number of those that are said to be complete.
        public fileprivate(set) var complete = 0
        /// Number of those of whose loss the number is said to be exact.
        public fileprivate(set) var exact = 0
        /// Violations, each with the number of its trial.
        public fileprivate(set) var violations: [String] = []
    }

    private let seed: UInt64

    /// Trials from a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// An intact store.
    private struct Intact {
        let table: String
        let columns: Int
        let alias: Int?
        let bytes: [UInt8]
        let pageSize: Int
        let rows: Set<PageCarver.Row>

        init(_ sql: String, table: String, pageSize: Int, alias: Int?) throws {
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("a.db")
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageSize)") }
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            try queue.write { try $0.execute(sql: sql) }
            columns = try queue.read { try $0.columns(in: table).count }
            try queue.close()
            bytes = Array(try Data(contentsOf: url))
            (self.table, self.pageSize, self.alias) = (table, pageSize, alias)
            rows = PageCarver(bytes: bytes, pageSize: pageSize, columns: columns, alias: alias).rows()
        }
    }

    private static let count = 60
    /// The bytes of the header that say where a page's content ends.
    private static let layout = 16..<24

    /// Photos of different sizes, from pseudorandom bytes: one hex digit in 16 is as good as any photo.
    private static func sql(_ size: Int, _ step: Int, _ table: String, _ more: String) -> String {
        """
        \(table);
        \(more);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO waypoints SELECT \(table.contains("TEXT PRIMARY KEY") ? "printf('5EED0000-0000-4000-8000-%012X', i)" : "i"),
          46.5 + i / 1000.0, 7.9 + i / 2000.0, 1200.0 + i, printf('2026-01-%02dT08:00:00.123Z', 1 + i % 28), 'Place ' || i,
          CASE i % 3 WHEN 0 THEN 'a longer note of the place ' || i ELSE '' END,
          CAST(substr(replace(hex(zeroblob(\(size + step * count))), '00', 'p' || i || '/'), 1, \(size) + \(step) * i) AS BLOB) FROM n
        """
    }

    private static let plain = """
        CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
        timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', note TEXT NOT NULL DEFAULT '', photo_data BLOB)
        """

    private static func stores() throws -> [Intact] {
        [
            try Intact(
                sql(600, 6, plain, "CREATE INDEX at ON waypoints(latitude, longitude)"), table: "waypoints",
                pageSize: 1024, alias: nil),
            try Intact(sql(1200, 3, plain, "SELECT 1"), table: "waypoints", pageSize: 512, alias: nil),
            // Without any index nothing proves how many rows there were.
            try Intact(
                sql(
                    300, 90, plain.replacing("id TEXT PRIMARY KEY", with: "id INTEGER PRIMARY KEY"),
                    "SELECT 1"),
                table: "waypoints", pageSize: 1024, alias: 0),
            try Intact(
                sql(3000, 40, plain, "CREATE INDEX one ON waypoints(note) WHERE note <> ''"),
                table: "waypoints",
                pageSize: 4096, alias: nil),
        ]
    }

    /// Runs the trials with these numbers; `begin` is called before each.
    public func run(_ numbers: Range<Int>, begin: (Int) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        let intact = try Self.stores()
        for store in intact where store.rows.count != Self.count {
            outcome.violations.append("the carver finds \(store.rows.count) rows of the intact store")
        }
        for number in numbers {
            begin(number)
            outcome.trials += 1
            let store = intact[number % intact.count]
            try await judge(store, number, &outcome)
        }
        return outcome
    }

    private func judge(_ store: Intact, _ number: Int, _ outcome: inout Outcome) async throws {
        let bytes = Mutation.rows(store.bytes, pageSize: store.pageSize, seed: seed &+ UInt64(number))
        let folder = try TemporaryFolder()
        let damaged = folder.url.appendingPathComponent("m.db")
        try Data(bytes).write(to: damaged)
        let copy = folder.url.appendingPathComponent("o.db")
        var violations: [String] = []
        let report: RepairReport
        do {
            report = try await StoreRepair.repair(damaged, into: copy, progress: ProgressReporter())
        } catch let error as RutterError {
            outcome.violations.append("\(number): \(error.code) \(error.message)")
            return
        }
        let recovered = try Self.rows(copy, store)
        // A number may be damaged, too: what a row says counts, wherever it is kept.
        let values = Set(recovered.map { Self.trimmed($0.cells) })
        let carver = PageCarver(
            bytes: bytes, pageSize: store.pageSize, columns: store.columns, alias: store.alias)
        // With another page size or other reserved bytes SQLite takes further bytes into a value.
        let isLayoutRight = bytes[Self.layout] == store.bytes[Self.layout]
        let readable = carver.rows().union(isLayoutRight ? Self.lookedUp(damaged, store) : [])
        outcome.readable += readable.count
        for row in readable
        where !values.contains(Self.trimmed(row.cells)) {
            violations.append("row \(row.number) is readable, and not in the copy")
        }
        let numbers = Set(recovered.filter { $0.isOfTable }.map(\.number))
        let missing = store.rows.filter {
            !numbers.contains($0.number) && !values.contains(Self.trimmed($0.cells))
        }
        if !missing.isEmpty { outcome.losses += 1 }
        if report.isComplete == true {
            outcome.complete += 1
            if !missing.isEmpty { violations.append("\(missing.count) are missing: \(report.verdict)") }
        }
        if report.lost > 0 {
            let gone = store.rows.count { !numbers.contains($0.number) }
            if report.lost > gone { violations.append("\(gone) are missing: \(report.verdict)") }
            if report.parts.contains(where: { $0.lost > 0 && $0.isProven }),
                !report.verdict.contains("at least")
            {
                outcome.exact += 1
                if report.lost != gone { violations.append("exactly \(gone) are missing: \(report.verdict)") }
            }
        }
        outcome.violations += violations.map { "\(number): \($0)" }
    }

    /// The same but for NULLs at the end, which a table without constraints may have more of.
    private static func trimmed(_ cells: [PageCarver.Cell]) -> [PageCarver.Cell] {
        Array(cells.reversed().drop { $0 == .null }.reversed())
    }

    /// A row of the copy.
    private struct Recovered {
        let number: Int64
        let cells: [PageCarver.Cell]
        /// Whether it is in its table, or kept beside it under its number.
        let isOfTable: Bool
    }

    /// The rows of all tables of the copy.
    private static func rows(_ url: URL, _ store: Intact) throws -> [Recovered] {
        let connection = try PlainConnection(url.path, isWritable: false)
        let names = connection.texts(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return names.flatMap { name -> [Recovered] in
            let isBeside = name.hasPrefix("lost_")
            return connection.rows("SELECT rowid, * FROM \"\(name)\"").map { row in
                let cells = row.map(cell)
                var number: Int64 = 0
                if case .number(let value) = cells[isBeside ? 1 : 0] { number = Int64(value) }
                let own = numbered(Array(cells.dropFirst(isBeside ? 2 : 1)), number, store.alias)
                // What has more cells than a row of the table is none.
                let isOfTable = name != "lost_and_found" && own.count <= store.columns
                return Recovered(number: number, cells: own, isOfTable: isOfTable)
            }
        }
    }

    /// The cells with the row's number where the column that repeats it is stored as NULL. Where the schema is damaged,
    /// that column repeats nothing, and SQLite, too, returns the NULL.
    private static func numbered(
        _ cells: [PageCarver.Cell], _ number: Int64, _ alias: Int?
    ) -> [PageCarver.Cell] {
        guard let alias, cells.indices.contains(alias), cells[alias] == .null else { return cells }
        var cells = cells
        cells[alias] = .number(Double(number))
        return cells
    }

    private static func cell(_ cell: StoredCell) -> PageCarver.Cell {
        switch cell {
        case .null: .null
        case .integer(let number): .number(Double(number))
        case .real(let number): .number(number)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }

    /// The rows that SQLite finds by their numbers.
    private static func lookedUp(_ url: URL, _ store: Intact) -> Set<PageCarver.Row> {
        guard let connection = try? PlainConnection("file:\(url.path)?immutable=1", isWritable: false) else {
            return []
        }
        var rows: Set<PageCarver.Row> = []
        for number in 1...Int64(count) {
            let sql = "SELECT * FROM \(store.table) WHERE rowid = \(number)"
            for row in connection.rows(sql) where row.count == store.columns {
                let cells = numbered(row.map(cell), number, store.alias)
                rows.insert(PageCarver.Row(number: number, cells: cells))
            }
        }
        return rows
    }
}
