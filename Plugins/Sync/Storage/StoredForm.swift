import TrailStores

/// Values as a column stores them: SQLite converts what is written by the column's declared type, so that 007 becomes 7 in a
/// column of numbers. That is no edit: the record keeps what was written.
final class StoredForm {
    /// Converts as SQLite does; empty if that is not possible here.
    private let connection = try? PlainConnection(":memory:", isWritable: true)
    private var numeric: RawStatement?
    private var textual: RawStatement?

    /// The value that a column of an affinity has after a value was written.
    func of(_ value: FieldValue, in affinity: ColumnAffinity) -> FieldValue {
        switch (affinity, value) {
        case (.blob, _), (_, .absent), (_, .bytes), (_, .blob), (.text, .text), (.real, .number),
            (.integer, .integer), (.numeric, .integer):
            return value
        case (.real, .integer(let number)): return .number(Double(number))
        case (.integer, .number(let number)), (.numeric, .number(let number)):
            // The least integer has no opposite, and SQLite leaves it a real.
            let whole = Int64(exactly: number) ?? .min
            return whole == .min ? value : .integer(whole)
        case (.text, .integer), (.text, .number): return text(value)
        case (.real, .text), (.integer, .text), (.numeric, .text):
            let number = self.number(value)
            if case .integer(let whole) = number, affinity == .real { return .number(Double(whole)) }
            return number
        }
    }

    private func text(_ value: FieldValue) -> FieldValue {
        textual = textual ?? prepared("SELECT CAST(?1 AS TEXT)")
        guard let textual, bind(value, to: textual) else { return value }
        defer { textual.reset() }
        guard (try? textual.next()) == true, let text = textual.text(0) else { return value }
        return .text(text)
    }

    /// The number that a text stands for as a whole; the text itself if it is none.
    private func number(_ value: FieldValue) -> FieldValue {
        // The comparison with a number converts a text that looks like one, as a column does.
        numeric = numeric ?? prepared("SELECT CAST(?1 AS NUMERIC), ?1 = CAST(?1 AS NUMERIC)")
        guard let numeric, bind(value, to: numeric) else { return value }
        defer { numeric.reset() }
        guard (try? numeric.next()) == true, numeric.integer(1) == 1 else { return value }
        switch numeric.storage(0) {
        case .integer: return .integer(numeric.integer(0))
        case .real: return .number(numeric.number(0))
        case .null, .text, .blob: return value
        }
    }

    private func prepared(_ sql: String) -> RawStatement? {
        connection.flatMap { try? RawStatement($0.handle, sql) }
    }

    private func bind(_ value: FieldValue, to statement: RawStatement) -> Bool {
        statement.reset()
        switch value {
        case .integer(let number): statement.bind(1, number)
        case .number(let number): statement.bind(1, number)
        case .text(let text): statement.bind(1, text)
        case .absent, .bytes, .blob: return false
        }
        return true
    }
}
