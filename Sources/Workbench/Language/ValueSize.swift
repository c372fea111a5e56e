import PluginKit

/// Limits the size of values that expressions produce.
///
/// A list that contains another one twice is cheap to make and twice as long in print; after forty doublings it
/// cannot be printed. The limit therefore applies to the number of values written out.
enum ValueSize {
    /// Maximum number of values in a list, including nested lists.
    static let largest = 4_000_000
    /// Deepest nesting of lists and records.
    static let deepest = 200

    /// Throws `E-TYPE` for lists that are too large or nested too deeply. Tables and streams count as one.
    static func check(_ items: [Value], at span: SourceSpan) throws(RutterError) {
        var total = 0
        try count(items, depth: 1, &total, span)
    }

    private static func count(
        _ items: [Value], depth: Int, _ total: inout Int, _ span: SourceSpan
    ) throws(RutterError) {
        guard depth <= deepest else {
            throw LanguageErrors.type(
                "more than \(deepest) nested lists", at: .span(span),
                fix: "use a flat list")
        }
        total += items.count
        guard total <= largest else {
            throw LanguageErrors.type(
                "the list would have more than \(largest) values", at: .span(span),
                fix: "work on a part of it: first N, where …")
        }
        for item in items {
            switch item {
            case .list(let inner): try count(inner, depth: depth + 1, &total, span)
            case .record(let record): try count(record.values, depth: depth + 1, &total, span)
            default: break
            }
        }
    }
}
