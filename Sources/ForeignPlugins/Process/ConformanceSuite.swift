import Core
import Formats
import Foundation
import PluginKit

/// Tries a plugin against the protocol, one check after the other.
struct ConformanceSuite: Sendable {
    /// What became of a check.
    struct Outcome: Sendable {
        let check: String
        /// What was expected and did not come; `nil` when it passed.
        let failure: String?
    }

    /// Rows of the large value.
    private static let largeRows = 20_000
    let plugin: FoundPlugin
    let host: ForeignHost
    let context: Context

    /// All checks. What fails early leaves out those that build on it.
    func run() async -> [Outcome] {
        let connection = PluginConnection(plugin, greeting: ForeignHost.greeting(context))
        var outcomes: [Outcome] = []
        var declaration: PluginDeclaration?
        outcomes.append(
            await check("initialize") {
                declaration = try host.read(try await connection.initialize(), of: plugin)
            })
        if let declaration {
            for spec in declaration.commands.map(\.spec) { outcomes.append(await examples(of: spec)) }
            outcomes += await badInput(connection)
            outcomes.append(await largeValue(connection, declaration.commands[0].spec))
            outcomes.append(await cancellation(connection, declaration.commands[0].spec))
            outcomes.append(await crash(connection))
            outcomes.append(await ending(connection))
        }
        await connection.shutDown()
        return outcomes
    }

    private func check(_ name: String, _ body: () async throws -> Void) async -> Outcome {
        do {
            try await body()
            return Outcome(check: name, failure: nil)
        } catch let error as RutterError {
            return Outcome(check: name, failure: error.message)
        } catch {
            return Outcome(check: name, failure: "\(error)")
        }
    }

    private func expected(_ what: String) -> RutterError { ForeignErrors.answer(what) }

    // MARK: Examples

    /// Reruns the examples of a command as a notebook, in a fresh session.
    private func examples(of spec: CommandSpec) async -> Outcome {
        await check("examples of \(spec.name)") {
            guard let record = context.record else {
                throw expected("there is no session to run examples in")
            }
            let folder = context.workspace.appendingPathComponent(".plugin-test-\(plugin.name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { FileManager.default.discard(folder) }
            let notebook = folder.appendingPathComponent("examples.md")
            try Data(text(of: spec).utf8).write(to: notebook)
            let rerun = try await record.rerun(notebook, allowsPlugins: true)
            if rerun.outcome == "passed" { return }
            if let reason = rerun.reason { throw expected(reason) }
            let different = spec.examples.first { example in
                guard let entry = rerun.entries.last(where: { $0.input == example.line }) else { return true }
                return entry.failed || (example.output.map { $0 != entry.output } ?? false)
            }
            let shown =
                different.flatMap { example in rerun.entries.last { $0.input == example.line }?.output } ?? ""
            throw expected(
                "`\(different?.line ?? "")` gives \(shown.isEmpty ? "nothing" : shown.prefix(200).description)"
            )
        }
    }

    private func text(of spec: CommandSpec) -> String {
        var lines = ["---", "plugins: [\(JSONWriter.quoted(plugin.folder.path))]", "---", "# Examples", ""]
        for example in spec.examples {
            lines += ["```rutter"]
            for line in example.setup { lines += ["rutter> \(line)", "..."] }
            lines += ["rutter> \(example.line)"]
            lines += example.output.map { $0.isEmpty ? [] : [$0] } ?? ["..."]
            lines += ["```", ""]
        }
        // A notebook must compare something, also where no example says what it shows.
        lines += ["```rutter", "rutter> 1 + 1", "2", "```", ""]
        return lines.joined(separator: "\n")
    }

    // MARK: The protocol

    private func badInput(_ connection: PluginConnection) async -> [Outcome] {
        [
            await check("refuses an unknown method") {
                try await refused(connection, "no-such-method", [])
            },
            await check("refuses an unknown command") {
                try await refused(connection, "run", call("no-such-command", .null))
            },
            await check("goes on after a line that is no message") {
                try await connection.send(raw: Array("{\"jsonrpc\": 2.0,\n".utf8))
                try await refused(connection, "no-such-method", [])
            },
            await check("passes over a cancellation of nothing") {
                try await connection.send(
                    raw: PluginMessage.notification("cancel", .object([.init("id", JSONTree(999_999))])))
                try await refused(connection, "no-such-method", [])
            },
        ]
    }

    /// Asks what must be refused; an error of the plugin's own is the refusal.
    private func refused(_ connection: PluginConnection, _ method: String, _ params: [JSONTree.Member])
        async throws
    {
        do {
            _ = try await connection.ask(method, params, limit: plugin.manifest.callLimit)
        } catch let error as RutterError where isOwn(error) {
            return
        }
        throw expected("`\(method)` was answered with a result, not with an error")
    }

    private func isOwn(_ error: RutterError) -> Bool {
        error.code == ForeignErrors.failed.code
            || error.code.hasPrefix(PluginDeclaration.codePrefix(of: plugin.name))
    }

    private func call(_ command: String, _ input: JSONTree) -> [JSONTree.Member] {
        [
            .init("command", .text(command)), .init("arguments", .object([])), .init("input", input),
            .init("seed", JSONTree(42)), .init("clock", .text("2026-02-06T08:00:00Z")),
        ]
    }

    private func largeValue(_ connection: PluginConnection, _ spec: CommandSpec) async -> Outcome {
        await check("takes \(Self.largeRows) rows") {
            let rows = Rows(
                columns: ["number", "text"],
                cells: (0..<Self.largeRows).map { [.integer($0), .text("row \($0)")] })
            let input = try ValueCoding().tree(.rows(rows))
            try await answered(connection, spec.name, input)
        }
    }

    /// Runs a command, whose result and whose own errors are answers alike.
    private func answered(_ connection: PluginConnection, _ command: String, _ input: JSONTree) async throws {
        do {
            _ = try await connection.ask("run", call(command, input), limit: plugin.manifest.callLimit)
        } catch let error as RutterError where isOwn(error) {
            return
        }
    }

    private func cancellation(_ connection: PluginConnection, _ spec: CommandSpec) async -> Outcome {
        await check("answers a call that is cancelled") {
            let task = Task { try await answered(connection, spec.name, .null) }
            task.cancel()
            do {
                try await task.value
            } catch let error as RutterError where error.code == Interruption.stopped.code {}
            try await refused(connection, "no-such-method", [])
        }
    }

    private func crash(_ connection: PluginConnection) async -> Outcome {
        await check("starts again after it was killed") {
            await connection.kill()
            try await refused(connection, "no-such-method", [])
        }
    }

    private func ending(_ connection: PluginConnection) async -> Outcome {
        await check("ends with status 0 when it is told to") {
            guard let ending = await connection.shutDown(), ending != .exit(0) else { return }
            throw expected("it \(ending.text)")
        }
    }
}
