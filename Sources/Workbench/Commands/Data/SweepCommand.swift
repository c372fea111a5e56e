import Pictures
import PluginKit

/// `sweep NAME VALUES { … }`
struct SweepCommand: CommandProvider {
    let session: SessionHandle

    /// Default number of values of a range.
    static let values = 6

    var name: String { "sweep" }

    var command: Command {
        Command(
            name, "run a block for each value of a parameter",
            details: """
                Returns a row for each value: the parameter and what the block returned, as a table with a plot of its \
                numbers. If the block returns a record or one row, each of its fields becomes a column; another value becomes \
                `result`. Values are a list, or a range FIRST..LAST of --steps evenly spaced values.
                """,
            .positional("name", .text, "parameter's name, used as $NAME in the block"),
            .positional("values", .value, "list, or a range such as 10m..60m"),
            .positional("body", .block, "block in { }"),
            .option("steps", .integer(2...10_000), "number of values of a range; default: 6"),
            output: .rows([]), effect: .changes,
            examples: [
                .init(
                    "a square", "sweep side 1..3 { $side * $side } --steps 3 | get result",
                    gives: "1\n4\n9"),
                .init(
                    "some lengths", "sweep reach [1km 5km] { $reach / 4 } | select reach result",
                    gives: "reach  result\n  1km  0.25km\n  5km  1.25km"),
            ],
            searchTerms: [
                "change a parameter", "effect of a parameter",
                "other values", "vary a parameter", "different values", "again and again",
                "what if", "vary", "parameter", "experiment", "for", "compare settings",
                "compare two routes", "compare profiles", "several values", "parameter study",
                "compare two settings",
            ]
        ) { context, name, values, body, steps in
            let session = try session.get()
            let values = try SweepValues(values, steps: steps).all
            let outer = await session.variable(name)
            var rows: [Record] = []
            do {
                for (index, value) in values.enumerated() {
                    try context.checkCancelled()
                    context.progress.report("trying values", done: index, of: values.count)
                    await session.setVariable(name, to: value)
                    rows.append(try Self.row(name, value, try await body.run()))
                }
            } catch {
                await session.restoreVariable(name, to: outer)
                throw error
            }
            await session.restoreVariable(name, to: outer)
            return .object(Sweep(parameter: name, rows: rows))
        }
    }

    private static func row(_ name: String, _ value: Value, _ outcome: Value) throws -> Record {
        let single: Value
        if let rows = outcome.asRows {
            let items = try rows.collect()
            guard items.count == 1 else {
                throw DataErrors.notRows(
                    "the block returned \(items.count) rows for \(ValueText.inline(value)); it must return one value",
                    at: .parameter("body"), fix: "reduce them, as in { … | count }, { … | first }")
            }
            single = items[0]
        } else {
            single = outcome
        }
        if case .nothing = single { return Record([(name, value), ("result", .nothing)]) }
        guard let fields = single.fieldNames, single.isStructured else {
            return Record([(name, value), ("result", single)])
        }
        let others = fields.filter { $0 != name }.map { ($0, single.field($0) ?? .nothing) }
        return Record([(name, value)] + others)
    }
}

extension Value {
    /// Whether it is a record or an object with fields, and not a single value.
    fileprivate var isStructured: Bool {
        switch self {
        case .record, .object: true
        default: false
        }
    }
}

/// The values of a sweep.
private struct SweepValues {
    let all: [Value]

    init(_ given: Value, steps: Int?) throws {
        if case .text(let text) = given {
            all = try Self.range(text, steps ?? SweepCommand.values)
            return
        }
        guard steps == nil else {
            throw CommonErrors.argumentRange("`--steps` requires a range", at: .parameter("steps"))
        }
        guard let rows = given.asRows else { throw Self.unreadable(ValueText.inline(given)) }
        all = try rows.collect()
        guard !all.isEmpty else {
            throw CommonErrors.argumentRange("the list of values is empty", at: .parameter("values"))
        }
    }

    private static func range(_ text: String, _ steps: Int) throws -> [Value] {
        guard let dots = text.firstRange(of: "..") else { throw unreadable(text) }
        let first = try end(text[..<dots.lowerBound], text)
        let last = try end(text[dots.upperBound...], text)
        func spaced(_ from: Double, _ to: Double) -> [Double] {
            (0..<steps).map { from + (to - from) * Double($0) / Double(steps - 1) }
        }
        switch (first, last) {
        case (.integer(let from), .integer(let to)) where (to - from).isMultiple(of: steps - 1):
            return (0..<steps).map { .integer(from + (to - from) / (steps - 1) * $0) }
        case (.quantity(let from), .quantity(let to)) where from.dimension == to.dimension:
            return spaced(from.value, to.value).map {
                .quantity(Quantity($0, from.dimension, unit: to.unit))
            }
        default:
            guard let from = first.asNumber, let to = last.asNumber else { throw unreadable(text) }
            return spaced(from, to).map { .number($0) }
        }
    }

    private static func end(_ text: Substring, _ whole: String) throws -> Value {
        guard let value = try? LiteralParser.single(String(text)) else { throw unreadable(whole) }
        return value
    }

    private static func unreadable(_ text: String) -> RutterError {
        CommonErrors.argumentRange(
            "`\(text)` is neither a list nor a range", at: .parameter("values"),
            fix: "for example 10m..60m, or [10m 30m 60m]")
    }
}

/// The outcome of a sweep: a table, and a chart of its numeric columns.
struct Sweep: TabularObject, SelfRendering, ChartDrawable {
    let parameter: String
    let rows: [Record]

    /// Rows of the chart in a terminal.
    private static let chartRows = 10

    var typeName: String { "sweep" }
    /// Its columns; a field name returns the whole column.
    var fieldNames: [String] { table.columns ?? [] }
    var summary: String { "sweep of \(parameter): \(rows.count) values" }
    var table: Rows {
        let values = rows.map { Value.record($0) }
        return Rows(values, columns: values.commonColumns)
    }
    var plainRows: Rows? { table }

    func field(_ name: String) -> Value? {
        guard fieldNames.contains(name) else { return nil }
        return .list(rows.map { $0[name] ?? .nothing })
    }

    func chart(units: ScaleUnits) -> Chart {
        chart ?? Chart(title: summary, x: ChartAxis(), y: ChartAxis(), series: [])
    }

    /// The chart; `nil` where fewer than two rows have numbers.
    var chart: Chart? {
        let names = table.columns?.filter { $0 != parameter } ?? []
        let values = rows.map { Value.record($0) }
        return PlotCommand.chart(ofNumbersIn: values, parameter, names)
    }

    func rendered(in environment: Environment) throws -> String {
        let text = try ValueRenderer(environment: environment).text(.rows(table))
        guard let chart else { return text }
        let style = TerminalStyle(isUnicode: environment.unicode, isColored: environment.color)
        return text + "\n" + chart.terminal(columns: environment.width, rows: Self.chartRows, style: style)
    }
}
