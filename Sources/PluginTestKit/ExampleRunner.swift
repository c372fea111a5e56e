import Core
import PluginKit
import Synchronization
import Workbench

/// Runs the examples of commands, each in its own session, and compares their output.
public enum ExampleRunner {
    /// Runs the examples of commands in sessions that a closure makes.
    ///
    /// Returns a message for each failure; empty when all examples pass.
    public static func failures(
        in commands: [any CommandProvider], makeSession: @Sendable () throws -> Session
    ) async -> [String] {
        var failures: [String] = []
        for command in commands.map(\.command) {
            if command.spec.examples.isEmpty { failures.append("`\(command.spec.name)` has no example") }
            for example in command.spec.examples {
                if let failure = await failure(of: example, makeSession: makeSession) {
                    failures.append("`\(command.spec.name)`, \(example.title): \(failure)")
                }
            }
        }
        return failures
    }

    /// Runs the examples of the commands of plugins, each in a fresh test session.
    public static func failures(of plugins: @escaping @Sendable () -> [any Plugin]) async -> [String] {
        let kept = Mutex<[TestSession]>([])
        let failures = await failures(in: plugins().flatMap(\.commands)) {
            let test = try TestSession(plugins: plugins)
            // The folder of a test session is deleted with it.
            kept.withLock { $0.append(test) }
            return test.session
        }
        kept.withLock { $0 = [] }
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
            if result.needsLibrary { return nil }
            if let text = result.errorText { return "setup `\(line)` failed\n\(text)" }
        }
        let result = await session.run(example.line)
        await session.close()
        if result.needsLibrary { return nil }
        if let text = result.errorText { return "`\(example.line)` failed\n\(text)" }
        guard let expected = example.output, expected != result.output else { return nil }
        return "`\(example.line)` prints\n\(result.output)\ninstead of\n\(expected)"
    }
}

extension EntryResult {
    /// Whether it failed because a library is not installed, as in a build with two packages alone.
    fileprivate var needsLibrary: Bool { failure?.code == CommonErrors.libraryMissing.code }
}
