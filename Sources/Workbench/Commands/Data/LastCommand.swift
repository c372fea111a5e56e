import PluginKit

/// `last [N]`
struct LastCommand: LegacyCommand {
    private static let count = Parameter.optional(
        "count", .integer(0...Int.max), "how many; without it the last row itself")

    let spec = CommandSpec(
        "last", "gives the last row, or the last few, in their order",
        details: "Goes through all rows and keeps no more than it gives.",
        parameters: [count.spec], input: .rows([]), output: .sameRows, effect: .pure,
        examples: [
            .init("the row itself", "[3 1 2] | last", gives: "2"),
            .init("the last two", "range 1 100 | last 2", gives: "99\n100"),
        ],
        searchTerms: ["tail", "bottom"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let rows = try Rows(input, for: "last")
        guard let count = try arguments[Self.count] else {
            var last = Value.nothing
            try rows.forEach { last = $0 }
            return last
        }
        var ring = RingOfValues(capacity: count)
        try rows.forEach { ring.append($0) }
        return rows.replaced(by: ring.inOrder)
    }
}

/// The last few of many values.
private struct RingOfValues {
    let capacity: Int
    private var values: [Value] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ value: Value) {
        if values.count < capacity {
            values.append(value)
        } else if capacity > 0 {
            values[oldest] = value
            oldest = (oldest + 1) % capacity
        }
    }

    var inOrder: [Value] { Array(values[oldest...] + values[..<oldest]) }
}
