import PluginKit

/// `extend NAME=EXPRESSION …`
struct ExtendCommand: CommandProvider {
    var name: String { "extend" }

    var command: Command {
        Command(
            name, "add computed fields",
            details: """
                Each expression can use the fields of the row and the new fields before it. Existing fields are replaced. \
                Works on rows, which are streamed, and on a single record.
                """,
            .positional("fields", .assignments, "names and expressions, such as km=distance in km"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "a column", "$huts | extend rooms=ceil(beds / 8) | select name rooms",
                    after: [DataCommands.huts],
                    gives: "name      rooms\nIlla          7\nSorteny       6\nPerafita      1"),
                .init(
                    "one after the other",
                    "$huts | first | extend half=beds / 2 quarter=half / 2 | get quarter",
                    after: [DataCommands.huts], gives: "12.5"),
            ],
            searchTerms: [
                "running total", "cumulative sum",
                "percent", "share of the total", "cumulative", "calculate with columns",
                "computed column", "formula",
                "new column", "calculated column", "column", "compute", "insert", "add", "update", "derive",
                "percentage", "calculate", "share of total",
            ]
        ) { input, _, fields in
            let columns = fields.columns
            guard !columns.isEmpty else {
                throw LanguageErrors.missingArgument(
                    "`extend` needs NAME=EXPRESSION", at: .parameter("fields"),
                    fix: "extend km=distance in km")
            }
            var extended = ExtendedRows(columns: columns)
            if input.tabulated.fieldNames != nil { return try extended.row(input, nil) }
            let rows = try Rows(input, for: "extend")
            return .rows(try Self.extended(rows, columns))
        }
    }

    /// Rows with further columns. An aggregate can be one of a column before it: the rows with that column are read for it.
    private static func extended(_ rows: Rows, _ columns: [NamedExpressions.Column]) throws -> Rows {
        if let index = columns.lastIndex(where: { $0.expression.overRows != nil }), index > 0 {
            let first = try extended(rows, Array(columns[..<index]))
            return try extended(first, Array(columns[index...]))
        }
        let columns = try columns.map {
            NamedExpressions.Column(name: $0.name, expression: try $0.expression.over(rows))
        }
        let added = columns.map(\.name)
        let shown = rows.columns.map { columns in columns + added.filter { !columns.contains($0) }.unique }
        let fields = rows.sameFields.map { fields in
            { @Sendable in fields().map { known in known + added.filter { !known.contains($0) }.unique } }
        }
        let fresh = ExtendedRows(columns: columns)
        return rows.deriving(columns: shown, fields: fields) { source in
            let watch = FieldWatch(rows)
            var extended = fresh
            return {
                guard let row = try source.next() else {
                    try watch.finish { _ = try extended.row($0, $1) }
                    return nil
                }
                return try extended.row(row, watch)
            }
        }
    }
}

/// Adds fields to one row after the other. Rows that have the same keys share the new ones.
private struct ExtendedRows {
    private let names: [String]
    private let computations: [RowExpression.Body]
    private var keys: [String] = []
    /// The keys after each new column, and the index of the column's value.
    private var stages: [(keys: [String], index: Int)] = []

    init(columns: [NamedExpressions.Column]) {
        names = columns.map(\.name)
        computations = columns.map(\.expression.body)
    }

    mutating func row(_ row: Value, _ watch: FieldWatch?) throws -> Value {
        guard var record = row.asRecord else {
            throw DataErrors.notRows(
                "`extend` needs rows with fields, not \(row.article)", fix: "use `each` for plain values")
        }
        if stages.isEmpty || keys != record.keys { prepare(record.keys) }
        for (compute, stage) in zip(computations, stages) {
            let value = try compute(.record(record), watch)
            var values: [Value] = []
            values.reserveCapacity(stage.keys.count)
            values += record.values
            if stage.index < values.count { values[stage.index] = value } else { values.append(value) }
            record = Record(keys: stage.keys, values: values)
        }
        return .record(record)
    }

    private mutating func prepare(_ keys: [String]) {
        self.keys = keys
        stages = []
        var present = keys
        for name in names {
            if let index = present.firstIndex(of: name) {
                stages.append((present, index))
            } else {
                present.append(name)
                stages.append((present, present.count - 1))
            }
        }
    }
}

extension [String] {
    /// Each name once.
    fileprivate var unique: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}
