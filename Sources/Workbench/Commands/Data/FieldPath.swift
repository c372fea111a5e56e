import PluginKit

/// A field name as given to a parameter: `label`, a nested field `at.latitude`, or a list item `points.0`.
/// Names that contain a full stop, as in some files, are supported.
struct FieldPath: Sendable {
    let text: String
    /// The parameter that it was passed for; errors point to it.
    let parameter: String
    private let isNested: Bool

    init(_ text: String, for parameter: String) {
        self.text = text
        self.parameter = parameter
        isNested = text.utf8.contains(UInt8(ascii: "."))
    }

    /// The name of a column of the values: the last one of the path, unless the rows have a field of the whole name.
    func name(among fields: [String]?) -> String {
        if fields?.contains(text) == true { return text }
        return text.split(separator: ".").last.map(String.init) ?? text
    }

    /// The field's value; throws `E-FIELD-UNKNOWN` when the row has none.
    func value(in row: Value) throws(RutterError) -> Value {
        if let found = find(in: row) { return found }
        throw unknown(in: row)
    }

    /// The field's value in one of several rows: nothing where the row lacks it and another one has it. Throws
    /// `E-FIELD-UNKNOWN` when it is known that no row has it, and for rows without fields.
    func value(in row: Value, _ watch: FieldWatch) throws(RutterError) -> Value {
        if let found = find(in: row) {
            watch.found(text, isNested: isNested)
            return found
        }
        guard let names = row.fieldNames else { throw unknown(in: row) }
        if isNested, let end = Self.end(text[...], in: row) {
            throw FieldPath(end.field, for: parameter).unknown(in: end.value)
        }
        try watch.missed(text, isNested: isNested, in: names, unknown(among:))
        return .nothing
    }

    /// Throws `E-FIELD-UNKNOWN` when the rows in memory, or an empty table with known fields, lack the field.
    /// Streams are checked at their end.
    func require(in rows: Rows) throws(RutterError) {
        // Objects may have more fields than they list, so rows of a stream are checked as they arrive.
        guard let ready = rows.ready, !ready.contains(where: { find(in: $0) != nil }) else { return }
        guard let known = rows.knownFields, !known.contains(text) else { return }
        let head = String(text.prefix { $0 != "." })
        if isNested, known.contains(head) { return }
        throw unknown(among: known)
    }

    private func unknown(in row: Value) -> RutterError {
        let names = FieldAccess.names(of: row)
        // What `describe` returns shows the rows that it holds.
        if let inner = names.first(where: { row.field($0)?.columnNames?.contains(text) == true }) {
            return LanguageErrors.unknownField(
                "unknown field `\(text)` of \(row.article)", at: .parameter(parameter),
                fix: "the rows in `\(inner)` have it: … | get \(inner) | …")
        }
        guard names.isEmpty, row.fieldNames == nil else { return unknown(among: names) }
        return LanguageErrors.unknownField(
            "\(row.article) has no field `\(text)`", at: .parameter(parameter),
            fix: "omit the field, or use rows with fields")
    }

    private func unknown(among names: [String]) -> RutterError {
        LanguageErrors.unknownField(
            "unknown field `\(text)`", at: .parameter(parameter),
            fix: Habits.fix(forField: text)
                ?? (names.isEmpty ? nil : "known fields: \(names.joined(separator: ", "))"),
            suggestion: Suggestion.nearest(to: text, in: names))
    }

    /// The field's value; `nil` when the row has none.
    func find(in row: Value) -> Value? { row.field(text) ?? Self.find(text[...], in: row) }

    private static func find(_ rest: Substring, in value: Value) -> Value? {
        if let found = member(String(rest), of: value) { return found }
        guard let dot = rest.firstIndex(of: "."), let inner = member(String(rest[..<dot]), of: value) else {
            return nil
        }
        // A field of a missing value is missing.
        if case .nothing = inner { return .nothing }
        return find(rest[rest.index(after: dot)...], in: inner)
    }

    /// The value without any fields, such as a text, in which the path would go on.
    private static func end(_ rest: Substring, in value: Value) -> (value: Value, field: String)? {
        guard let dot = rest.firstIndex(of: "."), let inner = member(String(rest[..<dot]), of: value) else {
            return nil
        }
        let next = rest[rest.index(after: dot)...]
        switch inner {
        case .text, .integer, .number, .boolean: return (inner, String(next))
        default: return end(next, in: inner)
        }
    }

    private static func member(_ name: String, of value: Value) -> Value? {
        if let found = value.field(name) { return found }
        switch value {
        // Throws for a field that the object does not have.
        case .coordinate, .box: return try? FieldAccess.field(name, of: value, SourceSpan(0, 0))
        default: return value.readyItems.flatMap { item(name, of: $0) }
        }
    }

    private static func item(_ name: String, of items: [Value]) -> Value? {
        guard let index = Int(name) else { return nil }
        let position = index < 0 ? items.count + index : index
        return items.indices.contains(position) ? items[position] : nil
    }
}

extension Value {
    /// The fields of a record or of rows; `nil` if they are not known before the rows are read.
    var columnNames: [String]? {
        tabulated.fieldNames ?? asRows.flatMap { $0.knownFields ?? $0.columns }
    }
}
