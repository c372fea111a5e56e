import CivilTime
import PluginKit

/// A field of a row, or a field within one: `beds`, `it["Avg Pace"]`, `location.lat`, `points[0].name`.
///
/// As for the fields of commands, a name with full stops that a row has itself comes first, what a row lacks is nothing, and what
/// no row has is an error.
struct RowPath: Sendable {
    /// The names in front of the first index.
    let names: [String]
    /// Whether the path begins with `it`.
    private let startsWithRow: Bool
    /// All names in one, as files that were flattened have them; `nil` for one name.
    private let joined: String?
    private let first: CachedField
    private let whole: CachedField?

    /// `nil` where the path does not begin with a field.
    init?(_ base: Expression, _ steps: [Expression.Step]) {
        guard case .name(let name) = base.content, LocalTime(word: name) == nil else { return nil }
        startsWithRow = name == "it"
        var names = startsWithRow ? [] : [name]
        var isQuoted = false
        reading: for step in steps {
            switch step.kind {
            case .field(let name): names.append(name)
            case .index(let index):
                guard let name = index.plainText else { break reading }
                names.append(name)
                isQuoted = true
            }
        }
        guard let first = names.first else { return nil }
        self.names = names
        self.first = CachedField(first)
        joined = names.count > 1 && !isQuoted ? names.joined(separator: ".") : nil
        whole = joined.map { CachedField($0) }
    }

    /// How many steps the names are.
    var stepCount: Int { names.count - (startsWithRow ? 0 : 1) }

    /// The value in a row. `missing` decides what a first name is that a row of fields lacks.
    func value(
        in row: Value, _ watch: FieldWatch?, _ span: SourceSpan,
        missing: (_ name: String) throws(RutterError) -> Value
    ) throws -> Value {
        if let joined, case .record = row, let value = whole?.value(in: row) {
            watch?.found(joined, isNested: true)
            return value
        }
        let text = names.joined(separator: ".")
        var value = row
        for (depth, name) in names.enumerated() {
            if let found = depth == 0 ? first.value(in: value) : value.field(name) {
                value = found
                continue
            }
            switch value {
            case .nothing where depth > 0: return .nothing
            case .record where depth == 0:
                guard names.count > 1, let watch else { return try missing(name) }
                try watch.missed(text, isNested: true, in: row.fieldNames ?? []) {
                    unknown(text, among: $0, span)
                }
                return .nothing
            case .record(let record):
                guard let watch else { return try FieldAccess.field(name, of: value, span) }
                try watch.missed(text, isNested: true, in: row.fieldNames ?? []) { _ in
                    LanguageErrors.unknownField(
                        "no row has the field `\(text)`", at: .span(span),
                        fix: "known fields: \(record.keys.joined(separator: ", "))",
                        suggestion: Suggestion.nearest(to: name, in: record.keys))
                }
                return .nothing
            default:
                if depth == 0, !startsWithRow { return try missing(name) }
                value = try FieldAccess.field(name, of: value, span)
            }
        }
        watch?.found(text, isNested: names.count > 1)
        return value
    }

    private func unknown(_ text: String, among known: [String], _ span: SourceSpan) -> RutterError {
        let isFound = known.contains(names[0])
        return LanguageErrors.unknownField(
            isFound ? "no row has the field `\(text)`" : "the rows have no field `\(names[0])`",
            at: .span(span),
            fix: "known fields: \(known.map { Evaluator.reference(to: $0) }.joined(separator: ", "))"
                + (isFound || names.count < 2 ? "" : "; a text is quoted: '\(text)'"),
            suggestion: isFound
                ? nil
                : (Suggestion.nearest(to: text, in: known) ?? Suggestion.nearest(to: names[0], in: known))
                    .map { Evaluator.reference(to: $0) })
    }
}

extension Expression {
    /// The text of quotes without variables in them.
    var plainText: String? {
        switch content {
        case .literal(.text(let text)): return text
        case .interpolated(let pieces):
            var whole = ""
            for piece in pieces {
                guard case .text(let text) = piece else { return nil }
                whole += text
            }
            return whole
        default: return nil
        }
    }
}
