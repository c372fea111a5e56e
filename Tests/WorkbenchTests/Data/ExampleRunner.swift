import PluginKit
import Workbench

/// Runs the examples of commands, each in a session of its own, and compares what they print.
enum ExampleRunner {
    /// What went wrong, a text for each example; empty when all examples do what they say.
    static func failures(
        in commands: [any Command], makeSession: @Sendable () throws -> Session
    ) async -> [String] {
        var failures: [String] = []
        for command in commands {
            if command.spec.examples.isEmpty { failures.append("`\(command.spec.name)` has no example") }
            for example in command.spec.examples {
                if let failure = await failure(of: example, makeSession: makeSession) {
                    failures.append("`\(command.spec.name)`, \(example.title): \(failure)")
                }
            }
        }
        return failures
    }

    private static func failure(
        of example: CommandSpec.Example, makeSession: @Sendable () throws -> Session
    ) async -> String? {
        let session: Session
        do {
            session = try makeSession()
        } catch {
            return "no session: \(error)"
        }
        for line in example.setup {
            let result = await session.run(line)
            if let text = result.errorText { return "setup `\(line)` failed\n\(text)" }
        }
        let result = await session.run(example.line)
        await session.close()
        if let text = result.errorText { return "`\(example.line)` failed\n\(text)" }
        guard let expected = example.output, expected != result.output else { return nil }
        return "`\(example.line)` prints\n\(result.output)\ninstead of\n\(expected)"
    }
}
