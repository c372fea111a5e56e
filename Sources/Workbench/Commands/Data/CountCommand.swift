import PluginKit

/// `count`
struct CountCommand: Command {
    let spec = CommandSpec(
        "count", "counts the rows", input: .rows([]), output: .value("number"), effect: .pure,
        examples: [.init("a list", "[3 1 2] | count", gives: "3")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let iterator = try Rows(input, for: "count").stream.makeIterator()
        var count = 0
        while try iterator.next() != nil {
            try context.checkCancelled()
            count += 1
        }
        return .integer(count)
    }
}
