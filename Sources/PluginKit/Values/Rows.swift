import Core

/// A sequence of rows that commands take and return: values in memory, or a recipe that computes them on
/// demand.
///
/// Every iteration starts from the beginning, so rows can be kept in a variable and used twice. An iteration is confined
/// to one task; its iterator is not `Sendable`.
public struct Rows: Sendable {
    private enum Source: Sendable {
        case ready([Value])
        case lazy(@Sendable () throws -> Iterator)
    }

    /// The columns, in order; `nil` if they are known only from the rows. Objects may have more fields.
    public let columns: [String]?
    /// A note shown below the rows; rows that a command makes of these get it, too.
    public var note: String?
    /// A note on these rows alone, shown below them. Derived rows do not inherit it: they may be others.
    public var remark: String?
    /// What is missing; `nil` when the rows are complete. Derived rows inherit it.
    public var cut: Cut?
    /// What became of the items of the source that they are of. Derived rows do not inherit it: they may be others.
    public var account: SourceAccount?
    /// Whether the rows arrive live, as events happen; they are then shown one at a time. Derived rows
    /// inherit it.
    public var isLive = false
    private let source: Source
    private let fields: (@Sendable () -> [String]?)?
    /// Whether the fields of all rows are known without computing them.
    let fieldsAreKnown: Bool

    /// One note of several; `nil` for none.
    public static func note(_ notes: [String?]) -> String? {
        let known = notes.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    /// Rows in memory, each with the columns. `fields` are all fields of such rows, if known although there
    /// is no row.
    public init(
        _ rows: [Value], columns: [String]? = nil, note: String? = nil, cut: Cut? = nil,
        fields: [String]? = nil
    ) {
        self.columns = columns
        self.note = note
        self.cut = cut
        source = .ready(rows)
        if let fields { self.fields = { fields } } else { self.fields = nil }
        fieldsAreKnown = fields != nil || rows.first?.fieldNames != nil
    }

    /// Rows of cells.
    public init(columns: [String], cells: [[Value]], note: String? = nil) {
        self.init(
            cells.map { .record(Record(keys: columns, values: $0)) }, columns: columns, note: note,
            fields: columns)
    }

    /// Rows of objects of several types, of which the columns are shown. `fields` are those of an empty list.
    public init(
        objects: [any DomainObject], columns: [String], fields: [String]?, note: String? = nil,
        cut: Cut? = nil
    ) {
        self.init(
            objects.map { .object($0) }, columns: columns, note: note, cut: cut,
            // Columns that are computed for a query, such as a distance, exist without rows, too.
            fields: objects.isEmpty
                ? fields.map { known in known + columns.filter { !known.contains($0) } } : nil)
    }

    /// Rows of objects of one type, of which the columns are shown.
    public init<O: DomainObject>(
        objects: [O], columns: [String], note: String? = nil, cut: Cut? = nil
    ) {
        self.init(
            objects: objects, columns: columns, fields: O.declaredFieldNames, note: note, cut: cut)
    }

    /// Lazy rows; `start` begins each iteration. `fields` returns all fields that some row has, if known
    /// without computing them.
    public init(
        columns: [String]? = nil, fields: (@Sendable () -> [String]?)? = nil,
        start: @escaping @Sendable () throws -> Iterator
    ) {
        self.columns = columns
        self.fields = fields
        fieldsAreKnown = fields != nil
        source = .lazy(start)
    }

    /// Every field that some row has, the columns first; `nil` if unknown without computing the rows. A field
    /// that is not among them does not exist; in a row that lacks one of them it is nothing.
    public var knownFields: [String]? {
        if let fields { return fields() }
        guard let rows = ready, !rows.isEmpty else { return nil }
        return rows.fieldNames(after: columns ?? [])
    }

    /// The rows if in memory; `nil` for lazy rows.
    public var ready: [Value]? {
        if case .ready(let rows) = source { return rows }
        return nil
    }

    /// Whether the rows are lazy.
    public var isLazy: Bool { ready == nil }

    /// Begins an iteration.
    public func makeIterator() throws -> Iterator {
        switch source {
        case .lazy(let start): return try start()
        case .ready(let rows):
            var iterator = rows.makeIterator()
            return Iterator { iterator.next() }
        }
    }

    /// One pass over rows.
    public struct Iterator {
        private let pull: () throws -> Value?

        /// A pass that calls `pull` for each row until it returns `nil`.
        public init(_ pull: @escaping () throws -> Value?) { self.pull = pull }

        /// The next row, `nil` at the end. Throws the error of the step that computes the row.
        public func next() throws -> Value? { try pull() }
    }
}

/// Describes rows missing from an incomplete result because an implicit limit was reached.
public struct Cut: Sendable {
    /// The number of missing rows; `nil` if not counted.
    public let missing: Int?
    /// Which limit was reached, and how to raise it.
    public let reason: String

    /// A cut; `nil` when nothing is missing.
    public init?(missing: Int?, _ reason: String) {
        if let missing, missing <= 0 { return nil }
        self.missing = missing
        self.reason = reason
    }

    /// One line, such as `incomplete, 40 rows left out: the 200 nearest stops are read`.
    public var summary: String {
        let count = missing.map { ", \($0, of: "row") left out" } ?? ""
        return "incomplete\(count): \(reason)"
    }
}

extension Value {
    /// Rows with columns.
    public static func table(columns: [String], rows: [Value], note: String? = nil) -> Value {
        .rows(Rows(rows, columns: columns, note: note))
    }

    /// Rows of cells.
    public static func table(columns: [String], cells: [[Value]], note: String? = nil) -> Value {
        .rows(Rows(columns: columns, cells: cells, note: note))
    }

    /// Rows of cells with the account of their source.
    public static func table(
        _ account: SourceAccount, remark: String? = nil, columns: [String], cells: [[Value]]
    ) -> Value {
        var rows = Rows(columns: columns, cells: cells)
        rows.remark = remark
        rows.account = account
        return .rows(rows)
    }

    /// Rows of objects of one type, of which the columns are shown.
    public static func table<O: DomainObject>(objects: [O], columns: [String], note: String? = nil) -> Value {
        .rows(Rows(objects: objects, columns: columns, note: note))
    }

    /// Rows of objects with the account of their source.
    public static func table<O: DomainObject>(
        _ account: SourceAccount, objects: [O], columns: [String], note: String? = nil
    ) -> Value {
        var rows = Rows(objects: objects, columns: columns, note: note)
        rows.account = account
        return .rows(rows)
    }
}
