import PluginKit

/// The items of a value that has some, as a stream, so that commands need not tell lists, tables and streams apart.
struct Rows {
    let stream: ValueStream
    /// Whether the items are rows with columns rather than plain values.
    var columns: [String]? { stream.columns }

    /// The items of a list, table or stream; `nothing` has none. Throws `E-DATA-ROWS` for other kinds.
    init(_ value: Value, for command: String) throws(RutterError) {
        switch value {
        case .list(let items): stream = ValueStream(items, columns: items.commonColumns)
        case .table(let table): stream = ValueStream(table.rows, columns: table.columns)
        case .stream(let stream): self.stream = stream
        default:
            throw DataErrors.notRows(
                "`\(command)` needs rows, not \(value.kindName == "nothing" ? "nothing" : "a \(value.kindName)")",
                fix: "put rows before it: … | \(command)")
        }
    }

    /// Rows made from these rows one at a time; the columns stay unless given.
    func mapped(
        columns: [String]? = nil, _ step: @escaping @Sendable (Value) throws -> Value?
    ) -> Value {
        let source = stream
        return .stream(
            ValueStream(columns: columns ?? source.columns) {
                let iterator = try source.makeIterator()
                return ValueStream.Iterator {
                    while let item = try iterator.next() {
                        if Task.isCancelled { throw CommonErrors.interrupted("stopped") }
                        if let made = try step(item) { return made }
                    }
                    return nil
                }
            })
    }
}
