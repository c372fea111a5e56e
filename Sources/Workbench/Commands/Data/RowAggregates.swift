import PluginKit

/// The aggregates in an expression about rows: in `beds == max(beds)` the greatest of all rows, not of the one.
///
/// `min` and `max` of several values stay what they are: functions of a row.
struct RowAggregates: Sendable {
    private let slots: [AggregateSlot]

    /// The aggregates of an expression; `nil` if it has none.
    init?(_ expression: Expression, _ scope: Scope) {
        var slots: [AggregateSlot] = []
        guard (try? AggregateSlot.collect(expression, scope, into: &slots)) != nil, !slots.isEmpty else {
            return nil
        }
        self.slots = slots
    }

    /// The expression with the aggregates of given rows as constants.
    func over(
        _ text: String, _ expression: Expression, _ scope: Scope
    ) -> @Sendable (Rows) throws -> RowExpression {
        { rows in
            var scope = scope
            scope.aggregates = try values(rows)
            var bound = RowExpression(
                text: text, body: Evaluator(scope: scope, hasRow: true).ready(expression))
            if case .record(let fields) = expression.content { bound.recordKeys = fields.map { $0.0 } }
            return bound
        }
    }

    private func values(_ rows: Rows) throws -> [Int: Value] {
        var accumulators = slots.map { Accumulator($0.function, name: $0.name) }
        let arguments = slots.map { $0.argument?.body }
        var count = 0
        var kept = 0
        let limit = RowLimit.current
        func look(_ row: Value, _ watch: FieldWatch) throws {
            for body in arguments { _ = try body?(row, watch) }
        }
        try rows.forEachWatched(looking: look) { row, watch in
            count += 1
            for (index, argument) in arguments.enumerated() {
                guard let argument else { continue }
                kept += try accumulators[index].take(try argument(row, watch))
            }
            try limit.check(kept)
        }
        var values: [Int: Value] = [:]
        for (slot, accumulator) in zip(slots, accumulators) {
            values[slot.start] = slot.argument == nil ? .integer(count) : try accumulator.result()
        }
        return values
    }
}
