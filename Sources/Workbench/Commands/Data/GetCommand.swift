import PluginKit

/// `get FIELD`
struct GetCommand: CommandProvider {
    var name: String { "get" }

    var command: Command {
        Command(
            name, "return one field",
            details: """
                For a record or object, returns the field's value; for rows, the values of all rows, nothing where a \
                row lacks the field. A number returns the \
                row at that index, counted from 0; -1 is the last.
                """,
            .positional(
                "field", .field, "field, nested field (at.latitude), or index of a row from 0"),
            .flag("optional", "return nothing where the field is missing"),
            input: .any, output: .any, effect: .pure,
            examples: [
                .init(
                    "of rows", "$huts | get name", after: [DataCommands.huts],
                    gives: "Illa\nSorteny\nPerafita"),
                .init("of a record", "$huts | first | get beds", after: [DataCommands.huts], gives: "50"),
                .init("a row", "[3 1 2] | get -1", gives: "2"),
            ],
            searchTerms: [
                "nested field", "field of a field", "nested json",
                "nth row", "row number", "field", "column", "pluck", "item",
            ]
        ) { input, _, field, isLenient in
            let path = FieldPath(field, for: "field")
            switch input {
            case .list, .rows:
                let rows = try Rows(input, for: "get")
                if let (index, rest) = path.leadingIndex {
                    let row = try item(index, of: rows)
                    return rest.isEmpty ? row : try FieldPath(rest, for: "field").value(in: row)
                }
                if !isLenient { try rows.require([path]) }
                return .rows(
                    rows.watchingFields(columns: nil) { row, watch in
                        isLenient ? path.find(in: row) ?? .nothing : try path.value(in: row, watch)
                    })
            default: return isLenient ? path.find(in: input) ?? .nothing : try path.value(in: input)
            }
        }
    }

    private func item(_ index: Int, of rows: Rows) throws -> Value {
        if let row = try rows.row(at: index) { return row }
        throw LanguageErrors.index(
            "row \(index) is out of range, length \(try rows.count())", at: .parameter("field"),
            fix: "rows are counted from 0")
    }
}

extension FieldPath {
    /// A number at the path's beginning, and what follows it.
    fileprivate var leadingIndex: (index: Int, rest: String)? {
        let head = text.prefix { $0 != "." }
        guard let index = Int(head) else { return nil }
        return (index, String(text.dropFirst(head.count + 1)))
    }
}
