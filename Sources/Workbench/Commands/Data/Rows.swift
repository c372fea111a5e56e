import PluginKit

extension Rows {
    /// The rows of a list, table or stream, or of an object that is rows. Throws `E-DATA-ROWS` for other kinds.
    init(_ value: Value, for command: String) throws(RutterError) {
        guard let rows = value.asRows else {
            throw DataErrors.notRows(
                "`\(command)` needs rows, not \(value.article)", fix: "pipe rows to it: … | \(command)")
        }
        self = rows
    }

    /// Throws `E-FIELD-UNKNOWN` when the first row is there and has no such field.
    func require(_ paths: [FieldPath]) throws(RutterError) {
        guard let first = ready?.first else { return }
        for path in paths { _ = try path.value(in: first) }
    }
}
