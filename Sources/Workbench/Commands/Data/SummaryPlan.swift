import PluginKit

/// What `summarize` computes: aggregates within expressions, and the keys of the groups.
struct SummaryPlan: DomainObject {
    private struct Column: Sendable {
        let name: String
        let expression: Expression
        /// Whether the expression is one aggregate and nothing else.
        let slot: Int?
    }

    private let columns: [Column]
    private let slots: [AggregateSlot]
    private let keys: [NamedExpressions.Column]
    private let scope: Scope
    /// Keys that are one text for all rows.
    private let texts: [(text: String, span: SourceSpan)]

    init(_ summary: Word.Summary, scope: Scope) throws {
        self.scope = scope
        guard !summary.columns.isEmpty else {
            throw LanguageErrors.missingArgument(
                "`summarize` needs at least one aggregate",
                fix: "summarize count() mean(distance) by category")
        }
        var slots: [AggregateSlot] = []
        var columns: [Column] = []
        for column in summary.columns {
            let before = slots.count
            try AggregateSlot.collect(column.expression, scope, into: &slots)
            guard slots.count > before else {
                throw FunctionErrors.aggregate(
                    "`\(column.source)` has no aggregate", at: .span(column.span),
                    fix: "first(\(column.source)), or a key: … by \(column.source)")
            }
            let isPlain = slots.count == before + 1 && slots[before].start == column.expression.span.start
            columns.append(
                Column(
                    name: column.name, expression: column.expression,
                    slot: isPlain && column.expression.isCall ? before : nil))
        }
        texts = summary.keys.compactMap { key in
            guard case .literal(.text(let text)) = key.expression.content else { return nil }
            return (text, key.span)
        }
        var taken: Set<String> = []
        keys = try summary.keys.map {
            guard taken.insert($0.name).inserted else {
                throw DataErrors.duplicate(
                    "duplicate key `\($0.name)`", at: .span($0.span),
                    fix: "rename one: other=\($0.source)")
            }
            return .init(name: $0.name, expression: RowExpression(text: $0.source, $0.expression, scope))
        }
        self.columns = columns.map { column in
            var name = column.name
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(column.name)\(number)"
                number += 1
            }
            return Column(name: name, expression: column.expression, slot: column.slot)
        }
        self.slots = slots
    }

    /// A row for each group, in order of first appearance; one row where there are no keys.
    func summarized(_ rows: Rows) throws -> Value {
        try requireNoFields(rows)
        var groups: [Group] = []
        var indexes = GroupIndexes()
        var values: [Value] = []
        var kept = 0
        var likes = keys.map { _ in LikeKeys() }
        let limit = RowLimit.current
        let keyValues = keys.map(\.expression.body)
        let arguments = slots.map { $0.argument?.body }
        if keys.isEmpty { groups.append(Group(keys: [], slots: accumulators)) }
        try rows.forEachWatched(looking: look) { row, watch in
            var index = 0
            if !keys.isEmpty {
                values.removeAll(keepingCapacity: true)
                for value in keyValues { values.append(try value(row, watch)) }
                index = try indexes.index(of: values)
                if index == groups.count {
                    try limit.check(kept + groups.count)
                    groups.append(Group(keys: values, slots: accumulators))
                    for key in likes.indices { likes[key].take(values[key]) }
                }
            }
            groups[index].count += 1
            for slot in arguments.indices {
                guard let argument = arguments[slot] else { continue }
                kept += try groups[index].slots[slot].take(try argument(row, watch))
            }
            try limit.check(kept)
        }
        let names = keys.map(\.name) + columns.map(\.name)
        var summary = Rows(columns: names, cells: try groups.map { $0.keys + (try cells(of: $0)) })
        summary.note = Rows.note(
            zip(keys, likes).map { key, like in
                like.note(key.name, of: key.expression.text) { "… by \(Literal.text(key.name))=\($0)" }
            })
        return .rows(summary)
    }

    /// Throws if a quoted key is the name of a field. All rows are read for their fields, so only where a key is quoted.
    private func requireNoFields(_ rows: Rows) throws {
        guard !texts.isEmpty, let fields = rows.knownFields,
            let (text, span) = texts.first(where: { fields.contains($0.text) })
        else { return }
        throw LanguageErrors.type(
            "the quoted `\(text)` is a text, the same for all rows, and not the field", at: .span(span),
            fix: "by \(Evaluator.reference(to: text))")
    }

    /// Evaluates all arguments for a row.
    private func look(_ row: Value, _ watch: FieldWatch) throws {
        for key in keys { _ = try key.expression(row, watch) }
        for slot in slots { _ = try slot.argument?(row, watch) }
    }

    private struct Group {
        var keys: [Value]
        var slots: [Accumulator]
        var count = 0
    }

    /// The groups by their keys, in order of first appearance.
    private struct GroupIndexes {
        /// Groups of one whole number, which are found with less work than others.
        private var wholes: [Int: Int] = [:]
        private var others: [ValueKey: Int] = [:]

        /// The index of the group of these values; the number of groups so far for a new one, which is added.
        mutating func index(of values: [Value]) throws -> Int {
            if values.count == 1, case .integer(let number) = values[0] { return index(of: number) }
            let key = try values.count == 1 ? ValueKey(values[0]) : .list(values.map(ValueKey.init))
            // A whole number that was computed, such as 2.0, is the same key.
            if case .integer(let number) = key { return index(of: number) }
            if let known = others[key] { return known }
            let next = count
            others[key] = next
            return next
        }

        private mutating func index(of number: Int) -> Int {
            if let known = wholes[number] { return known }
            let next = count
            wholes[number] = next
            return next
        }

        private var count: Int { wholes.count + others.count }
    }

    private var accumulators: [Accumulator] { slots.map { Accumulator($0.function, name: $0.name) } }

    private func cells(of group: Group) throws -> [Value] {
        let values = try slots.indices.map { index in
            slots[index].argument == nil ? Value.integer(group.count) : try group.slots[index].result()
        }
        var scope = scope
        scope.aggregates = Dictionary(zip(slots.map(\.start), values)) { first, _ in first }
        let evaluator = Evaluator(scope: scope, hasRow: true)
        let row = Value.record(Record(keys: keys.map(\.name), values: group.keys))
        return try columns.map { column in
            if let slot = column.slot { return values[slot] }
            return try evaluator.ready(column.expression)(row, nil)
        }
    }

    var typeName: String { "aggregates" }
    var fieldNames: [String] { columns.map(\.name) }
    func field(_ name: String) -> Value? { nil }
    var summary: String { fieldNames.joined(separator: " ") }
}

extension Expression {
    fileprivate var isCall: Bool { if case .call = content { true } else { false } }
}

extension Word.Summary {
    /// All expressions, so that their references and pipelines can be resolved first.
    var expressions: [Expression] { (columns + keys).map(\.expression) }
}
