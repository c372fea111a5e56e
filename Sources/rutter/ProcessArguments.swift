/// The process's arguments in the parser's order: the subcommand first.
///
/// Session options may precede the subcommand, too: `rutter --workspace W run FILE`. The parser would pass
/// those to the default subcommand, which takes no file.
enum ProcessArguments {
    private static let subcommands: Set<String> = [
        "prompt", "run", "test", "learn", "serve", "kernel", "notebook", "reference", "worker", "help",
    ]
    /// Options of a session, each followed by its value.
    private static let options: Set<String> = [
        "--workspace", "--seed", "--clock", "--timezone", "--units", "--log", "--log-level",
    ]

    static func ordered(_ arguments: [String]) -> [String] {
        let index = sessionOptions(of: arguments)
        guard index > 0, index < arguments.count, subcommands.contains(arguments[index]) else {
            return arguments
        }
        return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }

    /// The number of arguments at the start that are options of a session, or their values.
    static func sessionOptions(of arguments: [String]) -> Int {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if options.contains(argument) {
                index += 2
            } else if options.contains(where: { argument.hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        return min(index, arguments.count)
    }
}
