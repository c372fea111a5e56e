import PluginKit

/// `skip N`
struct SkipCommand: LegacyCommand {
    private static let count = Parameter.positional(
        "count", .integer(0...Int.max), "how many rows to leave out")

    let spec = CommandSpec(
        "skip", "leaves the first rows out", parameters: [count.spec], input: .rows([]), output: .sameRows,
        effect: .pure,
        examples: [.init("the third page of ten", "range 1 100 | skip 20 | first 10 | last", gives: "30")],
        searchTerms: ["offset", "drop", "page"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let count = try arguments[Self.count]
        return .rows(
            try Rows(input, for: "skip").filter {
                var left = count
                return { _ in
                    if left == 0 { return true }
                    left -= 1
                    return false
                }
            })
    }
}
