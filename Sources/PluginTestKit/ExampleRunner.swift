import Core
import PluginKit
import Synchronization
import Workbench

/// Runs the examples of commands, each in its own session, and compares their output.
///
/// A command whose example records decisions must be declared with `deciding`.
public enum ExampleRunner {
    /// Runs the examples of commands in sessions that a closure makes.
    ///
    /// Returns a message for each failure; empty when all examples pass.
    public static func failures(
        in commands: [any CommandProvider], makeSession: @Sendable () throws -> Session
    ) async -> [String] {
        await failures(
            in: commands.map { ($0.command.spec.name, $0.command.spec.examples) }, makeSession: makeSession)
    }

    private static func failures(
        in shown: [(name: String, examples: [CommandSpec.Example])],
        makeSession: @Sendable () throws -> Session
    ) async -> [String] {
        var failures: [String] = []
        let deciding: [String]
        do {
            deciding = try await makeSession().registry.entries.map(\.command.spec)
                .filter { $0.decision != nil }.map(\.name)
        } catch {
            return ["no session: \(error)"]
        }
        for (name, examples) in shown {
            if examples.isEmpty { failures.append("`\(name)` has no example") }
            for example in examples {
                // In a line that calls a command that decides, the decisions may be its; one that fails made none.
                let mayDecide =
                    deciding.contains { example.line.contains($0) } || example.line.hasPrefix("expect-error")
                if let failure = await failure(
                    of: example, mayDecide: mayDecide, makeSession: makeSession)
                {
                    failures.append("`\(name)`, \(example.title): \(failure)")
                }
            }
        }
        return failures
    }

    /// Runs the examples of the commands and export formats of plugins, each in a fresh test session.
    public static func failures(of plugins: @escaping @Sendable () -> [any Plugin]) async -> [String] {
        let kept = Mutex<[TestSession]>([])
        let formats = plugins().flatMap(\.capabilities).compactMap { $0 as? any ExportFormatSource }
            .flatMap(\.exportFormats)
        let shown =
            plugins().flatMap(\.commands).map { ($0.command.spec.name, $0.command.spec.examples) }
            + formats.map { ("export --as " + $0.name, $0.examples) }
        let failures = await failures(in: shown) {
            let test = try TestSession(plugins: plugins)
            // The folder of a test session is deleted with it.
            kept.withLock { $0.append(test) }
            return test.session
        }
        kept.withLock { $0 = [] }
        return failures
    }

    private static func failure(
        of example: CommandSpec.Example, mayDecide: Bool, makeSession: @Sendable () throws -> Session
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
        let collector = mayDecide ? nil : TraceCollector()
        let result = await session.run(example.line, tracing: collector)
        await session.close()
        if let steps = collector?.collected.steps, !steps.isEmpty {
            return "records \(steps.count) decisions, and is not declared with `deciding`"
        }
        if result.needsLibrary { return nil }
        if let text = result.errorText { return "`\(example.line)` failed\n\(text)" }
        // Notes follow a value through a pipe; an example may leave them out.
        guard let expected = example.output, expected != result.output, expected != result.outputWithoutNote
        else { return nil }
        return "`\(example.line)` prints\n\(result.output)\ninstead of\n\(expected)"
    }
}

extension EntryResult {
    /// Whether it failed because a library is not installed, as in a build with two packages alone.
    fileprivate var needsLibrary: Bool { failure?.code == CommonErrors.libraryMissing.code }
}
