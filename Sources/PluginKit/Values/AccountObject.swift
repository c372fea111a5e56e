import Core

/// The account of a source as a value: a row for each kind of item and what became of it.
public struct AccountObject: FieldedObject, TabularObject {
    /// The account.
    public let account: SourceAccount

    /// The columns of its rows.
    public static let columns = ["item", "outcome", "count", "what", "first"]

    /// The value of an account.
    public init(_ account: SourceAccount) { self.account = account }

    /// `account`.
    public var typeName: String { "account" }
    /// The sums in one line.
    public var summary: String {
        guard account.parts.count > 1 else {
            return account.parts.first?.words ?? account.remarks.joined(separator: "; ")
        }
        let seen = account.parts.reduce(0) { $0 + $1.seen }
        let others = account.parts.reduce(0) { sum, part in part.entries.reduce(sum) { $0 + $1.count } }
        return "\(seen, of: "item") of \(account.parts.count) kinds: "
            + (others == 0 ? "all used" : "\(others) not used as they stood")
    }
    /// What became of its items.
    public static let fields = FieldTable<Self> {
        Field("words") { .text($0.account.words) }
        Field("items") { .table(columns: Self.columns, cells: $0.cells) }
        Field("remarks") { .list($0.account.remarks.map { .text($0) }) }
    }

    /// What was seen and used of each kind of item, then what became of the others, then the remarks.
    public var table: Rows {
        let rows = cells + account.remarks.map { [.nothing, .text("remark"), .nothing, .text($0), .nothing] }
        return Rows(
            rows.map { .record(Record(keys: Self.columns, values: $0)) }, columns: Self.columns)
    }

    private var cells: [[Value]] {
        account.parts.flatMap { part -> [[Value]] in
            func row(_ outcome: String, _ count: Int, _ what: String = "", _ first: [String] = []) -> [Value]
            {
                [
                    .text(part.item), .text(outcome), .integer(count), .text(what),
                    .text(first.joined(separator: ", ")),
                ]
            }
            return [row("seen", part.seen), row("used", part.used)]
                + part.entries.map { row($0.outcome.rawValue, $0.count, $0.what, $0.first) }
        }
    }
}
