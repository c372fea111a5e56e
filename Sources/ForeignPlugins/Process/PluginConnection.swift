import CivilTime
import Core
import Formats
import Foundation
import PluginKit

/// The conversation with one plugin. The process starts with the first request, and again after it was ended; requests
/// follow each other.
actor PluginConnection {
    private let plugin: FoundPlugin
    private let greeting: JSONTree
    private var process: ChildProcess?
    private var stream: MessageStream?
    private var nextID = 1
    private var isBusy = false
    private var isClosed = false
    /// A request that was cancelled and whose answer may still come.
    private var abandoned: Abandoned?

    private struct Abandoned {
        let id: Int
        let since = MonotonicClock.now
    }

    /// A conversation to come; `greeting` is what `initialize` is asked with.
    init(_ plugin: FoundPlugin, greeting: JSONTree) {
        self.plugin = plugin
        self.greeting = greeting
    }

    /// Starts the process where it does not run, and returns the answer to `initialize`. Throws the errors of the start.
    func initialize() async throws -> JSONTree {
        try await exclusively {
            end()
            return try await start()
        }
    }

    /// Asks something, and returns the result. `call` receives what the plugin says meanwhile.
    func ask(
        _ method: String, _ params: [JSONTree.Member], limit: Duration, during call: RunningCall? = nil
    ) async throws -> JSONTree {
        try await exclusively {
            try settle(atMost: ForeignSettings.patience.cancelGrace)
            if process == nil { _ = try await start() }
            return try await exchange(method, params, limit, call)
        }
    }

    /// Asks for candidates of completion. What takes too long is cancelled; the plugin goes on, and its answer is passed over.
    func candidates(_ params: [JSONTree.Member]) async throws -> JSONTree {
        let limit = ForeignSettings.patience.completion
        return try await exclusively {
            try settle(atMost: limit)
            if process == nil { _ = try await start() }
            return try await exchange("complete", params, limit, nil, isOptional: true)
        }
    }

    /// Sends a line as it is; what comes of it shows in the next request. For the conformance suite.
    func send(raw line: [UInt8]) async throws {
        try await exclusively {
            try settle(atMost: ForeignSettings.patience.cancelGrace)
            if process == nil { _ = try await start() }
            stream?.send(line)
        }
    }

    /// Ends the process for good: it may end by itself for a moment. Returns how it ended; `nil` where none ran.
    @discardableResult
    func shutDown() async -> ChildProcess.Ending? {
        isClosed = true
        guard let process, let stream, !isBusy else {
            defer { end() }
            return process?.kill()
        }
        stream.send(PluginMessage.request("shutdown", id: nextID, .object([])))
        nextID += 1
        let start = MonotonicClock.now
        while MonotonicClock.elapsed(since: start) < ForeignSettings.patience.shutdownGrace.nanoseconds,
            !process.hasEnded
        {
            if case .closed = stream.step(waiting: ForeignSettings.pause) { break }
            while stream.next() != nil {}
            guard stream.unfinished < ForeignSettings.longestLine else { break }
        }
        let left = ForeignSettings.patience.shutdownGrace.nanoseconds
        let used = min(MonotonicClock.elapsed(since: start), left)
        let ending = process.waitForEnding(atMost: .nanoseconds(Int64(left - used)))
        end()
        return ending
    }

    /// Ends the process as a crash would.
    func kill() { end() }

    /// Ends the process and all it started.
    private func end() {
        process?.kill()
        process = nil
        stream = nil
        abandoned = nil
    }

    private func exclusively<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        guard !isBusy else {
            throw ForeignErrors.busy("the plugin `\(plugin.name)` is waiting for this pipeline")
        }
        isBusy = true
        defer { isBusy = false }
        return try await body()
    }
}

// MARK: - Start

extension PluginConnection {
    /// The environment of a plugin: what finds its interpreter, and nothing of the session's.
    private static let environment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var clean = ["LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"]
        for name in ["PATH", "HOME", "TMPDIR"] { clean[name] = own[name] }
        return clean
    }()

    private func start() async throws -> JSONTree {
        guard !isClosed else {
            throw ForeignErrors.ended("the plugin `\(plugin.name)` does not run any more")
        }
        try plugin.checkTrust()
        let manifest = plugin.manifest
        let process: ChildProcess
        do throws(ChildProcess.StartFailure) {
            process = try ChildProcess(
                .init(
                    manifest.program(in: plugin.folder), Array(manifest.command.dropFirst()),
                    environment: Self.environment, folder: plugin.folder.path))
        } catch {
            throw ForeignErrors.start(
                "the plugin `\(plugin.name)` cannot be started: \(manifest.command[0]): \(error.reason)",
                fix: manifest.startFix(in: plugin.folder))
        }
        process.limitMemory(ForeignSettings.memory)
        self.process = process
        stream = MessageStream(process)
        return try await exchange("initialize", greeting.members ?? [], manifest.startLimit, nil)
    }
}

// MARK: - Requests

extension PluginConnection {
    private func exchange(
        _ method: String, _ params: [JSONTree.Member], _ limit: Duration, _ call: RunningCall?,
        isOptional: Bool = false
    ) async throws -> JSONTree {
        guard let stream else { throw ForeignErrors.ended("the plugin `\(plugin.name)` does not run") }
        let id = nextID
        nextID += 1
        var exchange = Exchange(id: id, method: method, limit: limit, isOptional: isOptional)
        stream.beginCall()
        stream.send(PluginMessage.request(method, id: id, .object(params + [.init("id", JSONTree(id))])))
        do {
            while true {
                if let result = try await answer(&exchange, stream, call) {
                    if exchange.isCancelled { throw Interruption.stopped }
                    return try result.mapError { plugin.error($0, of: call?.refusals ?? []) }.get()
                }
                try await watch(&exchange, stream)
                let isClosed =
                    if case .closed = stream.step(waiting: ForeignSettings.pause) { true } else { false }
                if isClosed, !Self.hasLine(stream, &exchange) { throw ended(stream, method) }
            }
        } catch let error as RutterError where exchange.isAnswered || abandoned?.id == id {
            throw error
        } catch let fault as JSONFault {
            end()
            throw plugin.nonsense("\(fault)")
        } catch {
            // Whatever it was, the conversation has lost its thread: the next request begins a new one.
            end()
            throw error
        }
    }

    /// Whether a whole line was read before the output was closed.
    private static func hasLine(_ stream: MessageStream, _ exchange: inout Exchange) -> Bool {
        exchange.waiting = stream.next()
        return exchange.waiting != nil
    }

    /// Takes the lines that have come; the result, when the answer is among them.
    private func answer(
        _ exchange: inout Exchange, _ stream: MessageStream, _ call: RunningCall?
    ) async throws -> Result<JSONTree, PluginMessage.Refusal>? {
        while let line = exchange.waiting ?? stream.next() {
            exchange.waiting = nil
            switch try message(line) {
            case .answer(exchange.id, let result):
                exchange.isAnswered = true
                if let extra = stream.next() {
                    exchange.isAnswered = false
                    throw plugin.nonsense(
                        "after its answer it wrote: \(String(decoding: extra.prefix(80), as: UTF8.self))")
                }
                return result
            case .answer(let other, _):
                throw plugin.nonsense("it answered request \(other), and \(exchange.id) was asked")
            case .notification(let method, let params):
                exchange.notifications += 1
                guard exchange.notifications <= ForeignSettings.mostNotifications else {
                    throw plugin.flood("more than \(ForeignSettings.mostNotifications) notifications")
                }
                // One of a call before this one comes too late.
                if let other = params["id"], other != JSONTree(exchange.id) { break }
                try call?.take(method, params, plugin)
            case .request(let id, let method, let params):
                exchange.callbacks += 1
                guard exchange.callbacks <= ForeignSettings.mostCallbacks else {
                    throw plugin.flood("more than \(ForeignSettings.mostCallbacks) requests to the host")
                }
                stream.send(try await reply(id, method, params, call))
            }
            try await watch(&exchange, stream)
        }
        return nil
    }

    /// Reads a line. Throws `E-PLUGIN-ANSWER` that quotes one that is no message.
    private func message(_ line: [UInt8]) throws -> PluginMessage {
        do {
            return try PluginMessage(line)
        } catch {
            throw plugin.noMessage(line, error)
        }
    }

    /// Answers a request of the plugin.
    private func reply(
        _ id: JSONTree, _ method: String, _ params: JSONTree, _ call: RunningCall?
    ) async throws -> [UInt8] {
        guard let call else { return Self.notRunning(id) }
        do {
            guard let result = try await call.answer(method, params, plugin) else {
                return PluginMessage.refusal(
                    id, ForeignErrors.answer("the host has no method `\(method.prefix(40))`"), number: -32_601
                )
            }
            return PluginMessage.answer(id, result)
        } catch let error as RutterError {
            if Task.isCancelled { throw error }
            call.noteRefusal(error.kind)
            return PluginMessage.refusal(id, error, number: -32_000)
        } catch let fault as JSONFault {
            return PluginMessage.refusal(id, ForeignErrors.answer("\(fault)"), number: -32_602)
        }
    }

    /// Looks for Ctrl-C and for limits that are exceeded.
    private func watch(_ exchange: inout Exchange, _ stream: MessageStream) async throws {
        let elapsed = MonotonicClock.elapsed(since: exchange.start)
        if let since = exchange.cancelled {
            if MonotonicClock.elapsed(since: since) > ForeignSettings.patience.cancelGrace.nanoseconds {
                throw Interruption.stopped
            }
        } else if Task.isCancelled {
            exchange.cancelled = MonotonicClock.now
            cancel(exchange.id, stream)
        }
        if elapsed > exchange.limit.nanoseconds {
            if exchange.isOptional { abandon(exchange.id, stream) }
            throw ForeignErrors.timeout(
                "the plugin `\(plugin.name)` did not answer `\(exchange.method)` within \(exchange.limit.literal)",
                fix: "let it do less at a time, or raise `timeout` in "
                    + "\(plugin.folder.lastPathComponent)/\(PluginManifest.file), in seconds")
        }
        if stream.unfinished > ForeignSettings.longestLine {
            throw plugin.flood("a message of more than \(ForeignSettings.longestLine >> 20) MB")
        }
        if stream.received > ForeignSettings.mostBytes {
            throw plugin.flood("more than \(ForeignSettings.mostBytes >> 20) MB in one call")
        }
    }

    private func cancel(_ id: Int, _ stream: MessageStream) {
        stream.send(PluginMessage.notification("cancel", .object([.init("id", JSONTree(id))])))
    }

    private func ended(_ stream: MessageStream, _ method: String) -> RutterError {
        let half = stream.unfinished > 0 ? " in the middle of a message" : ""
        let ending = process?.waitForEnding(atMost: ForeignSettings.patience.shutdownGrace)
        let words =
            stream.lastComplaint.map { ": " + TerminalText.withoutControls(String($0.prefix(200))) } ?? ""
        return ForeignErrors.ended(
            "the plugin `\(plugin.name)` \(ending?.text ?? "ended")\(half), asked to \(method)\(words)",
            fix: "plugin test \(Literal.text(plugin.folder.path))")
    }
}

// MARK: - Requests that nobody waits for

extension PluginConnection {
    /// Cancels a request whose answer is not waited for. A plugin that ignores that, too, is ended after a while.
    private func abandon(_ id: Int, _ stream: MessageStream) {
        cancel(id, stream)
        _ = stream.step(waiting: 0)
        abandoned = Abandoned(id: id)
        Task { [weak self] in
            try await Task.sleep(for: ForeignSettings.patience.cancelGrace)
            await self?.expire(id)
        }
    }

    private func expire(_ id: Int) {
        guard let stream, abandoned?.id == id else { return }
        _ = stream.step(waiting: 0)
        passOver(stream)
        if abandoned?.id == id { end() }
    }

    /// Waits for the late answer to a request that was abandoned. A plugin that does not send it in time is ended, and
    /// starts again.
    private func settle(atMost limit: Duration) throws {
        let start = MonotonicClock.now
        while let stream, let waiting = abandoned {
            passOver(stream)
            if abandoned == nil { return }
            if Task.isCancelled { throw Interruption.stopped }
            if MonotonicClock.elapsed(since: waiting.since) > ForeignSettings.patience.cancelGrace.nanoseconds
            {
                return end()
            }
            if MonotonicClock.elapsed(since: start) > limit.nanoseconds {
                throw ForeignErrors.timeout("the plugin `\(plugin.name)` still works on what was cancelled")
            }
            if case .closed = stream.step(waiting: ForeignSettings.pause) {
                passOver(stream)
                return abandoned == nil ? () : end()
            }
        }
    }

    /// Reads lines up to the answer to the abandoned request; ends a plugin that writes something else.
    private func passOver(_ stream: MessageStream) {
        while let waiting = abandoned, let line = stream.next() {
            switch try? PluginMessage(line) {
            case .answer(waiting.id, _): abandoned = nil
            case .notification: break
            case .request(let id, _, _): stream.send(Self.notRunning(id))
            case .answer, nil: return end()
            }
        }
        if stream.unfinished > ForeignSettings.longestLine || stream.received > ForeignSettings.mostBytes {
            end()
        }
    }

    private static func notRunning(_ id: JSONTree) -> [UInt8] {
        PluginMessage.refusal(
            id, ForeignErrors.answer("the host is asked only while a command runs"), number: -32_600)
    }
}

/// One request and what has come of it.
private struct Exchange {
    let id: Int
    let method: String
    let limit: Duration
    /// Whether its answer can be done without: then the plugin is not ended when it comes late.
    let isOptional: Bool
    let start = MonotonicClock.now
    /// When the plugin was asked to stop.
    var cancelled: UInt64?
    var notifications = 0
    var callbacks = 0
    /// A line that was read already.
    var waiting: [UInt8]?
    /// Whether the answer came and nothing was wrong with it: then an error is the plugin's own, and it goes on.
    var isAnswered = false

    var isCancelled: Bool { cancelled != nil }
}
