import PluginKit

extension Rows {
    /// The rows of a list, table or stream, or of an object that is rows. Throws `E-DATA-ROWS` for other kinds.
    init(_ value: Value, for command: String) throws(RutterError) {
        guard let rows = value.asRows else {
            var fix = "pipe rows to it: … | \(command)"
            if case .text = value {
                fix = value.fixOfMarkup ?? "read the text as rows first: … | from csv | \(command)"
            }
            if let inner = FieldAccess.names(of: value).first(where: { value.field($0)?.asRows != nil }) {
                fix = "its `\(inner)` are rows: … | get \(inner) | \(command)"
            }
            throw DataErrors.notRows("`\(command)` needs rows, not \(value.article)", fix: fix)
        }
        self = rows
    }

    /// Throws `E-FIELD-UNKNOWN` for a field that none of the rows has, as far as that is known without computing them.
    func require(_ paths: [FieldPath]) throws(RutterError) {
        for path in paths { try path.require(in: self) }
    }

    /// Calls `body` with every row; a field that no row has is an error at the end. `looking` performs the
    /// body's field look-ups for empty tables.
    func forEachWatched(
        looking: (Value, FieldWatch) throws -> Void, _ body: (Value, FieldWatch) throws -> Void
    ) throws {
        let watch = FieldWatch(self)
        try forEach { try body($0, watch) }
        try watch.finish(looking)
    }

    /// Calls `body` with every row; a field of `paths` that no row has is an error at the end.
    func forEachWatched(_ paths: [FieldPath], _ body: (Value, FieldWatch) throws -> Void) throws {
        try forEachWatched(looking: paths.look, body)
    }
}

extension [FieldPath] {
    /// Looks up each path in a row.
    func look(_ row: Value, _ watch: FieldWatch) throws {
        for path in self { _ = try path.value(in: row, watch) }
    }
}
