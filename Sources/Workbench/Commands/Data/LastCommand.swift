import PluginKit

/// `last [N]`
struct LastCommand: CommandProvider {
    var name: String { "last" }

    var command: Command {
        Command(
            name, "return the last row, or the last few",
            details: "Reads all rows; keeps no more in memory than it returns.",
            .optional("count", .integer(0...Int.max), "number of rows; without it, the last row itself"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("the row itself", "[3 1 2] | last", gives: "2"),
                .init("the last two", "range 1 100 | last 2", gives: "99\n100"),
            ], searchTerms: ["last rows", "last lines", "end of a table", "newest", "tail", "bottom"]
        ) { input, _, count in
            let rows = try Rows(input, for: "last")
            guard let count else {
                var last = Value.nothing
                try rows.forEach { last = $0 }
                return last
            }
            var ring = RingBuffer(capacity: count)
            try rows.forEach { ring.append($0) }
            return rows.replaced(by: ring.inOrder)
        }
    }
}

/// The last values of a sequence.
private struct RingBuffer {
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
