import PluginKit

/// `describe`
struct DescribeCommand: CommandProvider {
    var name: String { "describe" }

    var command: Command {
        Command(
            name, "show the kind of a value and its fields",
            details: """
                For rows: their number, and for each column the kinds of its values, the number of rows that have one and \
                that lack one, the smallest and greatest of numbers, quantities and dates of one kind, and the first one. \
                For a record or object: its fields. Reads all rows.
                """,
            input: .any, output: .value("description"), effect: .pure,
            examples: [
                .init(
                    "rows", "$huts | describe", after: [DataCommands.huts],
                    gives: """
                        table of 3 rows
                        field   kind    filled  missing  min  max  example
                        name    text         3        0            Illa
                        beds    number       3        0    6   50  50
                        valley  text         3        0            Madriu
                        """),
                .init("a quantity", "2km | describe", gives: "length: 2km"),
                .init(
                    "only the names", "$huts | describe | get fields.0.field", after: [DataCommands.huts],
                    gives: "name"),
            ],
            searchTerms: [
                "column statistics", "statistics of columns",
                "column names", "which columns", "types of columns", "structure of a table",
                "what is in this table", "type", "kind", "columns", "schema", "inspect", "what type",
                "kinds of columns", "data types", "missing cells",
            ]
        ) { input, _ in
            switch input {
            case .list, .rows: return .object(try Description(rows: input))
            default: return .object(Description(of: input))
            }
        }
    }
}

/// The result of `describe`.
struct Description: SelfRendering {
    private static let columns = ["field", "kind", "filled", "missing", "min", "max", "example"]

    let kind: String
    private let count: Int?
    private let items: String?
    private let fields: Rows?
    private let headline: String

    /// Of a single value.
    init(of value: Value) {
        kind = value.kindName
        count = nil
        items = nil
        let names = FieldAccess.names(of: value)
        if names.isEmpty {
            fields = nil
            if case .nothing = value {
                headline = kind
            } else {
                headline = kind + ": " + DisplayWidth.truncated(ValueText.inline(value), to: 60)
            }
            return
        }
        headline = "\(kind) with \(names.count, of: "field")"
        fields = Rows(
            columns: ["field", "kind", "value"],
            cells: names.map { name in
                let field = FieldPath(name, for: "field").find(in: value) ?? .nothing
                return [.text(name), .text(field.kindName), field]
            })
    }

    /// Of rows.
    init(rows value: Value) throws {
        let rows = try Rows(value, for: "describe")
        var whole = ColumnSummary()
        var columns: [String: ColumnSummary] = [:]
        var names = rows.columns ?? []
        for name in names { columns[name] = ColumnSummary() }
        var total = 0
        try rows.forEach { row in
            total += 1
            whole.take(row)
            for name in row.fieldNames ?? [] {
                guard let field = row.field(name) else { continue }
                if columns[name] == nil {
                    // Objects have more fields than their tables show; those are listed, too.
                    names.append(name)
                }
                columns[name, default: ColumnSummary()].take(field)
            }
        }
        kind = value.kindName
        count = total
        let things = total == 1 ? "row" : "rows"
        if names.isEmpty {
            items = whole.kinds
            fields = nil
            let list = rows.isLazy ? "stream" : "list"
            headline =
                "\(list) of \(total, of: "item")" + (total == 0 ? "" : ": \(whole.kinds)")
        } else {
            items = nil
            fields = Rows(
                columns: Self.columns,
                cells: names.map { [.text($0)] + (columns[$0] ?? ColumnSummary()).cells(of: total) },
                note: Rows.note([rows.note] + names.map { columns[$0]?.note($0) }))
            let what = rows.isLazy ? "stream" : kind
            headline = "\(what) of \(total) \(things)"
        }
    }

    var typeName: String { "description" }
    var fieldNames: [String] {
        ["kind"] + (count == nil ? [] : ["count"]) + (items == nil ? [] : ["items"])
            + (fields == nil ? [] : ["fields"])
    }
    var summary: String { headline }

    func field(_ name: String) -> Value? {
        switch name {
        case "kind": .text(kind)
        case "count": count.map { .integer($0) }
        case "items": items.map { .text($0) }
        case "fields": fields.map { .rows($0) }
        default: nil
        }
    }

    var plainRows: Rows? { fields }

    func rendered(in environment: Environment) -> String {
        guard let fields, let rows = fields.ready else { return TerminalText.lines(headline) }
        let table = TableRenderer(environment: environment).text(columns: fields.columns ?? [], rows: rows)
        return [headline, table, fields.note.map { "note: " + TerminalText.lines($0) }].compactMap(\.self)
            .joined(separator: "\n")
    }
}

/// The content of a column.
private struct ColumnSummary {
    private var names: [String] = []
    private var filled = 0
    private var example = Value.nothing
    private var least: Value?
    private var greatest: Value?
    private var answers = YesAndNo()

    mutating func take(_ value: Value) {
        if case .nothing = value { return }
        if filled == 0 { example = value }
        filled += 1
        answers.take(value)
        let kind = value.kindName
        if !names.contains(kind) { names.append(kind) }
        switch value {
        case .integer, .number, .quantity, .date, .object(is ExactNumber):
            let key = ValueOrder.key(of: value)
            if least.map({ ValueOrder.compare(key, ValueOrder.key(of: $0)) < 0 }) ?? true { least = value }
            if greatest.map({ ValueOrder.compare(key, ValueOrder.key(of: $0)) > 0 }) ?? true {
                greatest = value
            }
        default: break
        }
    }

    /// What is said of a column of yes and no.
    func note(_ name: String) -> String? {
        answers.found.map {
            let field = Evaluator.reference(to: name)
            return
                "`\(name)` has only \($0.yes) and \($0.no), as text: where \(field) == \(Literal.quoted($0.yes))"
        }
    }

    var kinds: String { names.isEmpty ? "nothing" : names.joined(separator: " or ") }

    func cells(of total: Int) -> [Value] {
        // Values of different kinds have no common order, so there is no minimum or maximum.
        let isOne = names.count == 1
        return [
            .text(kinds), .integer(filled), .integer(total - filled), isOne ? least ?? .nothing : .nothing,
            isOne ? greatest ?? .nothing : .nothing, example,
        ]
    }
}
