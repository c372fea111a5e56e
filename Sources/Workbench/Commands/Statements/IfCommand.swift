import PluginKit

/// `if CONDITION { … } else { … }`
struct IfCommand: CommandProvider {
    var name: String { "if" }

    var command: Command {
        Command(
            name, "run a block when a condition is true",
            details:
                "After `else` another `if` may follow. In expressions the function if(condition, a, b) chooses a value.",
            .positional("condition", .expression, "condition"),
            .positional("then", .block, "block in { }"),
            .optional("else", .choice([.init("else")]), "the word else"),
            .optional("otherwise", .block, "block in { }, or another `if`"),
            output: .any, effect: .changes,
            examples: [
                .init("two ways", "if 2km > 1mi { 'far' } else { 'near' }", gives: "far"),
                .init("a chain", "if false { 1 } else if true { 2 } else { 3 }", gives: "2"),
            ],
            searchTerms: [
                "if else", "conditional", "condition", "branch", "else", "only if", "depending on",
                "when something is true",
            ]
        ) { _, condition, then, word, otherwise in
            guard case let flag = try condition(.nothing), case .boolean(let holds) = flag else {
                throw LanguageErrors.type(
                    "a condition must be true or false, not \(try condition(.nothing).kindWithArticle)",
                    at: .parameter("condition"), fix: "compare it with something: == != < <= > >= in =~")
            }
            guard word == nil || otherwise != nil else {
                throw LanguageErrors.missingArgument(
                    "a block must follow `else`", at: .parameter("else"), fix: "if … { … } else { … }")
            }
            if holds { return try await then.run() }
            return try await otherwise?.run() ?? .nothing
        }
    }
}

/// `for NAME in VALUE { … }`
struct ForCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "for" }

    var command: Command {
        Command(
            name, "run a block for each item",
            details: """
                Shows what the block returns for each item. `each` computes a value from each row without a block, and streams.
                """,
            .positional("name", .text, "variable's name"),
            .positional("in", .choice([.init("in")]), "the word in"),
            .positional("items", .expression, "list, rows, or a pipeline in brackets"),
            .positional("body", .block, "block in { }"),
            output: .nothing, effect: .changes,
            examples: [
                .init("a list", "for x in [1 2] { $x * 10 }", gives: "10\n20"),
                .init(
                    "a pipeline", "for n in (range 1 3 | where it != 2) { \"number $n\" }",
                    gives: "number 1\nnumber 3"),
            ],
            searchTerms: [
                "again and again", "for every file", "many times", "loop", "iterate", "each", "repeat",
                "each file", "several files", "on many files",
            ]
        ) { context, name, _, items, body in
            let session = try session.get()
            let value = try items(.nothing)
            guard let rows = value.asRows else {
                throw DataErrors.notRows(
                    "`for` needs a list or rows, not \(value.article)", at: .parameter("items"),
                    fix: "put a pipeline in brackets: for x in (range 1 3) { … }")
            }
            let outer = await session.variable(name)
            do {
                let iterator = IteratorBox(try rows.makeIterator())
                while let item = try iterator.content.next() {
                    try context.checkCancelled()
                    await session.setVariable(name, to: item)
                    try await session.show(try await body.run())
                    if await session.isStopping { break }
                }
            } catch {
                await session.restoreVariable(name, to: outer)
                throw error
            }
            await session.restoreVariable(name, to: outer)
            return .nothing
        }
    }
}

/// An iterator that stays within one task.
///
/// Unchecked: it is used by the task of its iteration only.
private final class IteratorBox: @unchecked Sendable {
    let content: Rows.Iterator
    init(_ content: Rows.Iterator) { self.content = content }
}
