import PluginKit

/// The items of a value that has some, as a stream, so that commands need not tell lists, tables and streams apart.
struct Rows {
    let stream: ValueStream
    /// The first item where it is there already, so that a wrong field is told before anything runs.
    private let known: Value?

    /// The columns of the rows where they are known beforehand.
    var columns: [String]? { stream.columns }

    /// The items of a list, table or stream, or of an object that is rows. Throws `E-DATA-ROWS` for other kinds.
    init(_ value: Value, for command: String) throws(RutterError) {
        switch value.tabulated {
        case .list(let items):
            stream = ValueStream(items, columns: items.commonColumns)
            known = items.first
        case .table(let table):
            stream = ValueStream(table.rows, columns: table.columns)
            known = table.rows.first
        case .stream(let stream):
            self.stream = stream
            known = nil
        default:
            throw DataErrors.notRows(
                "`\(command)` needs rows, not \(value.article)", fix: "put rows before it: … | \(command)")
        }
    }

    /// Throws `E-FIELD-UNKNOWN` when the first row is there and has no such field.
    func require(_ paths: [FieldPath]) throws(RutterError) {
        guard let known else { return }
        for path in paths { _ = try path.value(in: known) }
    }

    /// Goes through all rows, and stops on cancellation.
    func forEach(_ body: (Value) throws -> Void) throws {
        let iterator = try stream.makeIterator()
        while let row = try iterator.next() {
            try Self.checkCancelled()
            try body(row)
        }
    }

    /// All rows at once.
    func collect() throws -> [Value] { try stream.collect(check: Self.checkCancelled) }

    /// What is known of the columns of rows that a command makes.
    enum Columns {
        /// Those of the rows that came in.
        case same
        /// These.
        case known([String])
        /// They show when the rows are there.
        case unknown
    }

    /// Rows made from these rows one at a time.
    func mapped(
        columns: Columns = .same, _ step: @escaping @Sendable (Value) throws -> Value?
    ) -> Value {
        streamed(columns: columns) { step }
    }

    /// Rows made from these rows one at a time; `start` makes the step anew for each pass, with its own memory.
    func streamed(
        columns: Columns = .same, _ start: @escaping @Sendable () throws -> (Value) throws -> Value?
    ) -> Value {
        let source = stream
        return .stream(
            ValueStream(columns: names(of: columns)) {
                let step = try start()
                let iterator = try source.makeIterator()
                return ValueStream.Iterator {
                    while let item = try iterator.next() {
                        try Self.checkCancelled()
                        if let made = try step(item) { return made }
                    }
                    return nil
                }
            })
    }

    /// The value for items that are all there: a table where the rows that came in were one, otherwise a list.
    func rebuilt(_ items: [Value]) -> Value {
        columns.map { .table(Table(columns: $0, rows: items)) } ?? .list(items)
    }

    private func names(of columns: Columns) -> [String]? {
        switch columns {
        case .same: stream.columns
        case .known(let names): names
        case .unknown: nil
        }
    }

    static func checkCancelled() throws {
        try Interruption.check()
    }
}

extension Value {
    /// The kind with its article, for messages: `a length`, `an angle`, `nothing`.
    var article: String {
        let name = kindName
        if name == "nothing" { return name }
        return ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name
    }
}
