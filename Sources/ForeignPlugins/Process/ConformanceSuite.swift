import Core
import Formats
import Foundation
import PluginKit

/// Tests a plugin for conformance with the protocol.
struct ConformanceSuite: Sendable {
    /// The result of a check.
    struct Outcome: Sendable {
        let check: String
        /// The failure; `nil` if it passed.
        let failure: String?
    }

    /// Rows of the large value.
    private static let largeRows = 20_000
    /// Characters of the long message.
    private static let largeText = 1 << 20
    let plugin: FoundPlugin
    let host: ForeignHost
    let context: Context

    /// Runs all checks. After an early failure, dependent checks are skipped.
    func run() async -> [Outcome] {
        let connection = PluginConnection(plugin, greeting: ForeignHost.greeting(context))
        var outcomes: [Outcome] = []
        var declaration: PluginDeclaration?
        outcomes.append(
            await check("initialize") {
                let read = try host.read(try await connection.initialize(), of: plugin)
                try await read.checkDefaults(of: plugin, context)
                declaration = read
            })
        if let declaration {
            for spec in declaration.commands.map(\.spec) { outcomes.append(await examples(of: spec)) }
            outcomes += await badInput(connection)
            let specs = declaration.commands.map(\.spec)
            outcomes.append(await largeValue(connection, specs))
            outcomes.append(await cancellation(connection, Self.simplest(specs) ?? specs[0]))
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
                throw expected("no session is available to run examples")
            }
            let folder = context.workspace.appendingPathComponent(".plugin-test-\(plugin.name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { FileManager.default.discard(folder) }
            let notebook = folder.appendingPathComponent("examples.md")
            try Data(text(of: spec).utf8).write(to: notebook)
            let rerun = try await record.rerun(notebook, allowsPlugins: true)
            if rerun.outcome == "passed" { return }
            if let reason = rerun.reason { throw expected(reason) }
            for example in spec.examples {
                let entry = rerun.entries.last { $0.input == example.line }
                if let fault = fault(of: example, entry) { throw expected("`\(example.line)` \(fault)") }
            }
            let failed = rerun.entries.last { $0.failed }
            throw expected("`\(failed?.input ?? "")` before an example \(failed.map(reason) ?? "fails")")
        }
    }

    /// The difference in an example's output, in one line; `nil` if there is none.
    private func fault(of example: CommandSpec.Example, _ entry: SessionEntry?) -> String? {
        guard let entry else { return "did not run" }
        if entry.failed { return reason(entry) }
        guard let wanted = example.output, wanted != entry.output else { return nil }
        let (expected, shown) = (lines(wanted), lines(entry.output))
        let index = expected.indices.first { !shown.indices.contains($0) || shown[$0] != expected[$0] }
        let number = index ?? expected.count
        func text(_ lines: [String]) -> String {
            lines.indices.contains(number) ? "`\(lines[number].prefix(200))`" : "nothing"
        }
        return "line \(number + 1) is \(text(shown)); `gives` expects \(text(expected))"
    }

    /// The error of an entry with its fix, without the quoted line and its marks.
    private func reason(_ entry: SessionEntry) -> String {
        let shown = lines(entry.output).filter { !$0.hasPrefix("  ") }.suffix(3)
        return "fails: " + shown.joined(separator: "; ").prefix(600)
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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
        // A notebook must compare something, even if no example has expected output.
        lines += ["```rutter", "rutter> 1 + 1", "2", "```", ""]
        return lines.joined(separator: "\n")
    }

    // MARK: The protocol

    private func badInput(_ connection: PluginConnection) async -> [Outcome] {
        [
            await check("rejects an unknown method") {
                try await refused(connection, "no-such-method", [])
            },
            await check("rejects an unknown command") {
                try await refused(connection, "run", call("no-such-command", .null))
            },
            await check("continues after a line that is not a message") {
                try await connection.send(raw: Array("{\"jsonrpc\": 2.0,\n".utf8))
                try await refused(connection, "no-such-method", [])
            },
            await check("ignores a cancellation of an unknown request") {
                try await connection.send(
                    raw: PluginMessage.notification("cancel", .object([.init("id", JSONTree(999_999))])))
                try await refused(connection, "no-such-method", [])
            },
        ]
    }

    /// Sends a request that must be rejected with an error of the plugin.
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

    /// The first command that needs no arguments, else the first.
    private static func simplest(_ specs: [CommandSpec]) -> CommandSpec? {
        specs.first { !$0.parameters.contains(where: \.isRequired) } ?? specs.first
    }

    /// Sends many rows to a command that takes rows; if there is none, a long message.
    private func largeValue(_ connection: PluginConnection, _ specs: [CommandSpec]) async -> Outcome {
        guard let spec = Self.simplest(specs.filter { $0.input.largeColumns != nil }),
            let columns = spec.input.largeColumns
        else {
            return await check("reads a message of 1 MB") {
                let text = String(repeating: "x", count: Self.largeText)
                try await refused(connection, "no-such-method", [.init("text", .text(text))])
            }
        }
        return await check("accepts \(Self.largeRows) rows") {
            let rows = Rows(
                columns: columns,
                cells: (0..<Self.largeRows).map { row in columns.map { .text("\($0) \(row)") } })
            try await answered(
                connection, spec.name, try ValueCoding().tree(.rows(rows)), "\(Self.largeRows) rows")
        }
    }

    /// Runs a command without arguments; results and errors are both valid answers.
    private func answered(
        _ connection: PluginConnection, _ command: String, _ input: JSONTree, _ what: String
    ) async throws {
        do {
            let result = try await connection.ask(
                "run", call(command, input), limit: plugin.manifest.callLimit)
            guard result["value"] == nil else { return }
            throw expected("the result is not {\"value\": …}")
        } catch let error as RutterError {
            if isOwn(error) || error.code == Interruption.stopped.code { return }
            var named = error
            named.message = "`\(command)`, called with no arguments and \(what): \(error.message)"
            throw named
        }
    }

    private func cancellation(_ connection: PluginConnection, _ spec: CommandSpec) async -> Outcome {
        await check("answers a cancelled call") {
            let task = Task { try await answered(connection, spec.name, .null, "no input") }
            task.cancel()
            try await task.value
            try await refused(connection, "no-such-method", [])
        }
    }

    private func crash(_ connection: PluginConnection) async -> Outcome {
        await check("restarts after it was killed") {
            await connection.kill()
            try await refused(connection, "no-such-method", [])
        }
    }

    private func ending(_ connection: PluginConnection) async -> Outcome {
        await check("exits with status 0 on shutdown") {
            guard let ending = await connection.shutDown(), ending != .exit(0) else { return }
            throw expected("it \(ending.text)")
        }
    }
}

extension CommandSpec.Shape {
    /// The columns of the rows that a command takes; `nil` if it takes no rows.
    fileprivate var largeColumns: [String]? {
        switch self {
        case .optional(let inner): inner.largeColumns
        case .any, .sameRows: ["number", "text"]
        case .rows(let columns): columns.isEmpty ? ["number", "text"] : columns
        case .nothing, .value: nil
        }
    }
}
