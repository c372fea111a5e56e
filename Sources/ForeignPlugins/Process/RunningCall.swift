import CivilTime
import Core
import Formats
import Foundation
import PluginKit
import Synchronization

/// A running command of a plugin: handles its notifications and its requests to the session.
final class RunningCall: Sendable {
    private struct State: Sendable {
        var columns: [String]?
        var rows: [Value] = []
        var trace: TraceLog
        var refusals: [ErrorKind] = []
    }

    private let context: Context
    private let effect: CommandSpec.Effect
    private let coding: ValueCoding
    private let label: String
    private let state: Mutex<State>

    init(_ spec: CommandSpec, _ context: Context, _ coding: ValueCoding) {
        self.context = context
        self.coding = coding
        effect = spec.effect
        label = spec.name
        state = Mutex(State(trace: TraceLog(limit: context.tracing?.limit ?? 0)))
    }

    /// Handles a notification; unknown ones are ignored, for compatibility with later protocols.
    func take(_ method: String, _ params: JSONTree, _ plugin: FoundPlugin) throws {
        switch method {
        case "progress":
            let done: Int = try params.read("done")
            let words: String? = try params.readIfPresent("message")
            context.progress.report(
                TerminalText.withoutControls(String((words ?? label).prefix(60))), done: max(0, done),
                of: try params.readIfPresent("total"))
        case "log":
            let words: String = try params.read("message")
            context.log.log(
                level: .init(rawValue: params["level"]?.text ?? "info") ?? .info,
                "\(plugin.name): \(TerminalText.withoutControls(String(words.prefix(ForeignSettings.longestMessage))))"
            )
        case "trace": try keep(try params.read("step"))
        case "rows": try keepRows(params)
        default: break
        }
    }

    private func keep(_ step: JSONTree) throws {
        guard context.tracing != nil else { return }
        let kind: String = try step.read("kind")
        guard case .record(let values) = try coding.value(step["values"] ?? .object([])) else {
            throw JSONFault("the `values` of a step are an object")
        }
        let why: String = try step.readIfPresent("why") ?? ""
        state.withLock {
            $0.trace.record(TraceStep(kind, Array(zip(values.keys, values.values)), why: why))
        }
    }

    private func keepRows(_ params: JSONTree) throws {
        let columns: [String] = try params.read("columns")
        let known = state.withLock { $0.columns }
        guard known == nil || known == columns else { throw JSONFault("parts of a table differ in columns") }
        let rows = try coding.rows(try params.read("rows", as: [JSONTree].self), columns: columns)
        state.withLock {
            $0.columns = columns
            $0.rows += rows
        }
    }

    /// Records an error that the plugin received from the session: it may pass it on.
    func noteRefusal(_ kind: ErrorKind) { state.withLock { $0.refusals.append(kind) } }

    /// The errors that the plugin received from the session.
    var refusals: [ErrorKind] { state.withLock { $0.refusals } }

    /// Answers a request; `nil` for a method that does not exist.
    func answer(_ method: String, _ params: JSONTree, _ plugin: FoundPlugin) async throws -> JSONTree? {
        switch method {
        case "host/now":
            return JSONTree(members: ["value": try coding.tree(.date(context.clock.now))])
        case "host/random":
            return JSONTree(members: ["value": JSONTree(context.random.uniform())])
        case "host/run":
            guard let pipelines = context.pipelines else { return nil }
            let line: String = try params.read("line")
            let input = try coding.value(params["input"] ?? .null)
            let value = try await pipelines.run(line, input: input, allowing: effect)
            return JSONTree(members: ["value": try coding.tree(value)])
        default: return nil
        }
    }

    /// The value of the answer, preceded by the earlier parts of the table. Passes the steps to the trace.
    func finish(_ result: JSONTree) throws -> Value {
        let (columns, parts, trace) = state.withLock { ($0.columns, $0.rows, $0.trace) }
        context.tracing?.keep(trace)
        guard let tree = result["value"] else {
            throw JSONFault("the result of `run` is not {\"value\": …}, but \(result.compactText.prefix(80))")
        }
        let value = try coding.value(tree)
        guard let columns else { return value }
        guard case .rows(var rows) = value, rows.columns == columns else {
            throw JSONFault("parts of a table were sent, but the value is not the table's last part")
        }
        rows = Rows(parts + (try rows.collect()), columns: columns, cut: rows.cut)
        return .rows(rows)
    }
}
