import PluginKit

/// `reverse`
struct ReverseCommand: LegacyCommand {
    let spec = CommandSpec(
        "reverse", "turns the order of the rows around", details: "Needs all rows at once.",
        input: .rows([]), output: .sameRows, effect: .pure,
        examples: [.init("a list", "[3 1 2] | reverse", gives: "2\n1\n3")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let rows = try Rows(input, for: "reverse")
        return rows.replaced(by: try rows.collect().reversed())
    }
}
