import PluginKit
import TrailStores

/// `store rows`
struct ListRows: CommandProvider {
    let registry: StoreRegistry

    /// Default limit of rows.
    private static let usualLimit = 100

    var name: String { "store rows" }

    var command: Command {
        Command(
            name, "list a part of a table's rows, or count its values",
            details: """
                The column `row` is SQLite's row number, as in `store check`; views and tables WITHOUT ROWID have none, and --keys \
                returns a condition that selects the row instead. A blob is shown by its size: `store blob` returns it. --where is a condition in SQL, with column names, SQLite's functions \
                and those of `sql`. With --facet the values of a column are counted instead, the most frequent first; `where` is the \
                condition for --where that selects a value's rows. Never changes the store.
                """,
            .positional("table", .text, "table or view").completing(.knownWithin(SQLNames.word)),
            .option("store", .text, "open store by name, or a file; default: the store in use")
                .completing(.openStoresAndFiles),
            .option("where", .text, "condition in SQL"),
            .option("row", .integer(Int.min...Int.max), "only the row with this number"),
            .option("sort", .text, "column to sort by; default: the order in the table"),
            .flag("descending", "sort from the largest to the smallest"),
            .option("limit", .integer(1...100_000), "rows to return; default: \(Self.usualLimit)"),
            .option("offset", .integer(0...Int.max), default: "0", "rows to skip"),
            .option("facet", .text, "column whose values to count"),
            .flag("keys", "if rows have no numbers, return the condition for --where as `row`"),
            output: .rows([]), effect: .reads,
            examples: [
                .init(
                    "the largest", "store rows huts --sort beds --descending --limit 1 | select row name",
                    after: StoreExample.huts, gives: "row  name\n  1  Illa\nrows 1–1 of 2"),
                .init(
                    "how often a value occurs", "store rows huts --facet name | select value count",
                    after: StoreExample.huts,
                    gives: "value    count\nIlla         1\nSorteny      1\nvalues 1–2 of 2"),
            ],
            searchTerms: [
                "content of a table", "look into a table", "table", "browse", "page", "facet", "filter",
                "datasette", "contents of a table", "browse a table",
            ]
        ) { context, table, name, condition, row, sort, isDescending, limit, offset, facet, hasKeys in
            let store = try registry.chosen(name, context)
            let plan = try await TablePlan(table, in: store.connection)
            let condition = try Self.condition(condition, row, plan)
            let part = Part(limit: limit, offset: offset, usual: Self.usualLimit)
            do {
                if let facet {
                    return try await Self.facets(
                        try plan.column(facet, parameter: "facet"), plan, condition, part, store, context)
                }
                let order = try sort.map { try plan.column($0, parameter: "sort") }
                let keys = hasKeys && plan.rowNumber == nil ? plan.conditions : []
                return try await Self.rows(
                    plan, keys, condition, order, isDescending, part, store, context)
            } catch let error as RutterError where condition != nil {
                throw error.located(at: .parameter("where"))
            }
        }
    }

    /// The returned part of the rows.
    private struct Part {
        let limit: Int?
        let offset: Int
        let usual: Int

        var rows: Int { limit ?? usual }
        var sql: String { " LIMIT \(rows) OFFSET \(offset)" }

        /// The note on which rows of how many are returned.
        func note(_ shown: Int, of all: Int, _ word: String) -> String {
            shown == 0 ? "none of \(all) \(word)" : "\(word) \(offset + 1)–\(offset + shown) of \(all)"
        }

        /// The rows cut off by the default limit.
        func cut(_ shown: Int, of all: Int) -> Cut? {
            guard limit == nil else { return nil }
            return Cut(
                missing: all - offset - shown,
                "the first \(usual) are returned; --limit and --offset select others")
        }
    }

    private static func condition(_ text: String?, _ row: Int?, _ plan: TablePlan) throws -> String? {
        guard let row else { return text }
        let number = "\(try plan.number()) = \(row)"
        return text.map { "\(number) AND (\($0)\n)" } ?? number
    }

    private static func rows(
        _ plan: TablePlan, _ conditions: [String], _ condition: String?, _ order: String?,
        _ isDescending: Bool, _ part: Part, _ store: ChosenStore, _ context: Context
    ) async throws -> Value {
        let source = plan.source(where: condition)
        let direction = isDescending ? " DESC" : ""
        // Rows with the same value keep one order across pages.
        let keys = [order, plan.rowNumber].compactMap(\.self).map { $0 + direction }
        let sorted = keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))"
        let list =
            (conditions.isEmpty ? [plan.rowNumber ?? "NULL"] : conditions)
            + plan.columns.map(\.sqlIdentifier)
        let count = try await count("SELECT count(*)\(source)", store, context)
        let found = try await run(
            "SELECT \(list.joined(separator: ", "))\(source)\(sorted)\(part.sql)", store, context)
        let columns = SQLCells.unique(["row"] + plan.columns)
        var rows = Rows(
            columns: columns,
            cells: found.map { row in
                guard !conditions.isEmpty else { return row.map(SQLCells.value) }
                let parts = row.prefix(conditions.count).compactMap { cell -> String? in
                    if case .text(let part) = cell { part } else { nil }
                }
                return [.text(parts.joined(separator: " AND "))]
                    + row.dropFirst(conditions.count).map(SQLCells.value)
            },
            note: part.note(found.count, of: count, "rows"))
        rows.cut = part.cut(found.count, of: count)
        return .rows(rows)
    }

    private static func facets(
        _ column: String, _ plan: TablePlan, _ condition: String?, _ part: Part, _ store: ChosenStore,
        _ context: Context
    ) async throws -> Value {
        let source = plan.source(where: condition)
        let count = try await count(
            "SELECT count(*) FROM (SELECT DISTINCT \(column)\(source))", store, context)
        let found = try await run(
            """
            SELECT \(column), count(*), CASE typeof(\(column)) WHEN 'blob' THEN NULL ELSE \(SQLCells.condition(column)) END\(source) \
            GROUP BY 1 ORDER BY 2 DESC, 1\(part.sql)
            """, store, context)
        var rows = Rows(
            columns: ["value", "count", "where"],
            cells: found.map { $0.map(SQLCells.value) }, note: part.note(found.count, of: count, "values"))
        rows.cut = part.cut(found.count, of: count)
        return .rows(rows)
    }

    private static func count(_ sql: String, _ store: ChosenStore, _ context: Context) async throws -> Int {
        guard case .integer(let count)? = try await run(sql, store, context).first?.first else { return 0 }
        return Int(count)
    }

    private static func run(_ sql: String, _ store: ChosenStore, _ context: Context) async throws
        -> [[SQLQuery.Cell]]
    {
        try await SQLQuery(sql).run(
            on: store.connection, functions: SQLFunctions.all(context), isReadOnly: true,
            progress: context.progress
        ).rows
    }
}
