import CivilTime
import PluginKit
import TrailStores

/// `sql`
struct SQLCommand: CommandProvider {
    let registry: StoreRegistry

    var name: String { "sql" }

    var command: Command {
        Command(
            name, "run one SQL statement on a store or on rows",
            details: """
                Returns the rows as a table: numbers, text, nothing for NULL; a blob is shown by its size, and hex(column) shows its \
                bytes. Parameters such as :id take the field of a record from the pipe, or else the variable `let id = …`, quantities in \
                base units. Beside \
                SQLite's functions there are distance_m(lat, lon, lat, lon) in metres and bearing_deg(lat, lon, lat, lon) in \
                degrees from north; both return NULL for an invalid coordinate. random() follows the session's seed, CURRENT_TIMESTAMP its \
                clock; datetime('now') is the machine's. A store opened with --write can be changed: each statement \
                is atomic, but `undo` does not revert it. Other files cannot be reached.
                Rows from the pipe are the table `it`, and variables that hold rows are tables by their names; the statement then \
                runs on a database in memory. Quantities are base units, dates ISO 8601 in UTC, and a coordinate `at` has the columns \
                at_latitude and at_longitude beside it. A column that is selected unchanged keeps its units. \
                Texts are compared by their bytes: é in one character and in two are different.
                """,
            .positional("statement", .text, "one SQL statement in SQLite's dialect").completing(
                .knownWithin(SQLNames.word)),
            .option("store", .text, "open store by name, or a file; default: the store in use")
                .completing(.openStoresAndFiles),
            .flag("read-only", "refuse what changes the store, even if it is open for writing"),
            input: .optional(.value("record, or rows")), output: .rows([]), effect: .changes,
            examples: [
                .init(
                    "without any store",
                    "sql 'SELECT distance_m(46.5, 7.9, 46.6, 7.9) AS metres' --store :memory:",
                    gives: "            metres\n11122.630068319273"),
                .init(
                    "with a parameter",
                    "'{\"n\": 3}' | from json | sql 'SELECT :n * 2 AS twice' --store :memory:",
                    gives: "twice\n    6"),
                .init(
                    "with a variable", "sql 'SELECT :far / 1000 AS kilometres' --store :memory:",
                    after: ["let far = 12km"], gives: "kilometres\n        12"),
                .init(
                    "nothing can change", "expect-error E-STORE-READONLY sql 'DELETE FROM huts' --read-only",
                    after: StoreExample.huts),
                .init(
                    "over rows",
                    "[{name: Illa, height: 2488m} {name: Lake, height: 2.2km}] | sql 'SELECT name, height, height / 1000 AS km FROM it'",
                    gives: "name   height     km\nIlla  2.488km  2.488\nLake    2.2km    2.2"),
            ],
            searchTerms: [
                "change a value in a table", "update a row",
                "query", "select", "sqlite", "select statement", "execute", "sqlite query", "substring",
                "logarithm", "running total", "window function",
            ]
        ) { input, context, statement, store, isReadOnly in
            let isRows = input.asRows != nil && input.fieldNames == nil
            let tables =
                store == nil
                ? ValueTables.named(in: statement, input: isRows ? input : .nothing, context) : []
            if isRows, store != nil {
                throw CommonErrors.inputKind(
                    "`sql` runs on the rows of the pipe or on a store, not on both", fix: "omit --store")
            }
            // The store in use, unless rows come through the pipe.
            let overValues = isRows || (!tables.isEmpty && context.stores.current == nil)
            let values =
                overValues ? try ValueTables(tables, for: statement, zone: context.environment.timeZone) : nil
            for note in values?.notes ?? [] { context.log.notice("\(note)") }
            let store = try values?.store ?? registry.chosen(store, context)
            return try await run(statement, on: store, values, isRows ? .nothing : input, isReadOnly, context)
        }.reading(with: "read-only")
    }

    private func run(
        _ statement: String, on store: ChosenStore, _ values: ValueTables?, _ input: Value,
        _ isReadOnly: Bool,
        _ context: Context
    ) async throws -> Value {
        let query = SQLQuery(statement, parameters: try parameters(input, context))
        let result: SQLQuery.Result
        do {
            result = try await query.run(
                on: store.connection, functions: SQLFunctions.all(context), isReadOnly: isReadOnly,
                progress: context.progress)
        } catch let error as RutterError {
            throw try await explained(error, store, isOverRows: values != nil)
        }
        if result.columns.isEmpty {
            return .text("\(result.changes, of: "row") changed in \(store.name)")
        }
        let columns = result.origins.map { values?.column(of: $0) }
        return .table(
            columns: SQLCells.unique(result.columns),
            cells: result.rows.map { row in
                zip(row, columns).map { cell, column in
                    let plain = SQLCells.value(cell)
                    return column?.value(plain) ?? plain
                }
            })
    }

    // MARK: Parameters

    private func parameters(_ input: Value, _ context: Context) throws -> [String: SQLQuery.Cell] {
        let variables = context.variables.compactMapValues(Self.cell)
        if case .nothing = input { return variables }
        guard let record = input.asRecord else {
            throw CommonErrors.inputKind(
                "`sql` takes its parameters from a record, not from a \(input.kindName)",
                fix: "pipe one row: … | first | sql \"… :name …\"")
        }
        let pairs = zip(record.keys, record.values).compactMap { key, value in
            Self.cell(value).map { (key, $0) }
        }
        return variables.merging(Dictionary(pairs) { $1 }) { $1 }
    }

    private static func cell(_ value: Value) -> SQLQuery.Cell? {
        switch value {
        case .nothing: .null
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(Int64(number))
        case .number(let number): .real(number)
        case .quantity(let quantity): .real(quantity.value)
        case .text(let text): .text(text)
        case .date(let date): .text(ISO8601.text(date, fraction: .always))
        default: nil
        }
    }

    // MARK: Errors

    /// Suggests a similar table or column, and underlines the statement.
    private func explained(
        _ error: RutterError, _ store: ChosenStore, isOverRows: Bool
    ) async throws -> RutterError {
        var error = error.located(at: .parameter("statement"))
        let wants = ["no such column: ", "no such table: "].firstIndex { error.message.contains($0) }
        guard let wants, let word = error.message.split(separator: " ").last else { return error }
        let columns = try await ColumnFacts.all(store.connection)
        let names = wants == 0 ? columns.map(\.column) : columns.map(\.table)
        let bare = word.split(separator: ".").last.map(String.init) ?? String(word)
        error.suggestion = Suggestion.nearest(to: bare, in: Set(names).sorted())
        if wants == 1, isOverRows { error.fix = "the rows of the pipe are the table `\(ValueTables.piped)`" }
        return error
    }
}
