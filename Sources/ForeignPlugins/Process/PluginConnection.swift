import CivilTime
import Core
import Formats
import Foundation
import PluginKit

/// The connection to one plugin. The process starts with the first request, and again after it was
/// terminated; requests are sequential.
actor PluginConnection {
    private let plugin: FoundPlugin
    private let greeting: JSONTree
    private var process: ChildProcess?
    private var stream: MessageStream?
    private var nextID = 1
    private var isBusy = false
    private var isClosed = false
    /// A cancelled request whose answer may still arrive.
    private var abandoned: Abandoned?

    private struct Abandoned {
        let id: Int
        let since = MonotonicClock.now
    }

    /// The private copy of its files from which the process runs.
    private var copy: URL?

    /// Creates a connection; `greeting` is the parameters of `initialize`.
    init(_ plugin: FoundPlugin, greeting: JSONTree) {
        self.plugin = plugin
        self.greeting = greeting
    }

    /// Starts the process if it is not running, and returns the answer to `initialize`. Throws the errors of the start.
    func initialize() async throws -> JSONTree {
        try await exclusively {
            end()
            return try await start()
        }
    }

    /// Sends a request and returns the result. `call` receives the plugin's messages meanwhile.
    func ask(
        _ method: String, _ params: [JSONTree.Member], limit: Duration, during call: RunningCall? = nil
    ) async throws -> JSONTree {
        try await exclusively {
            try settle(atMost: ForeignSettings.timeouts.cancelGrace)
            if process == nil { _ = try await start() }
            return try await exchange(method, params, limit, call)
        }
    }

    /// Requests completion candidates. A slow request is cancelled; the plugin keeps running, and its answer is ignored.
    func candidates(_ params: [JSONTree.Member]) async throws -> JSONTree {
        let limit = ForeignSettings.timeouts.completion
        return try await exclusively {
            try settle(atMost: limit)
            if process == nil { _ = try await start() }
            return try await exchange("complete", params, limit, nil, isOptional: true)
        }
    }

    /// Sends a raw line; its effect shows in the next request. For the conformance suite.
    func send(raw line: [UInt8]) async throws {
        try await exclusively {
            try settle(atMost: ForeignSettings.timeouts.cancelGrace)
            if process == nil { _ = try await start() }
            stream?.send(line)
        }
    }

    /// Shuts the process down, with a short grace period. Returns its exit status; `nil` if none was running.
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
        while MonotonicClock.elapsed(since: start) < ForeignSettings.timeouts.shutdownGrace.nanoseconds,
            !process.hasEnded
        {
            if case .closed = stream.step(waiting: ForeignSettings.pause) { break }
            while stream.next() != nil {}
            guard stream.unfinished < ForeignSettings.longestLine else { break }
        }
        let left = ForeignSettings.timeouts.shutdownGrace.nanoseconds
        let used = min(MonotonicClock.elapsed(since: start), left)
        let ending = process.waitForEnding(atMost: .nanoseconds(Int64(left - used)))
        end()
        return ending
    }

    /// Kills the process, to simulate a crash.
    func kill() { end() }

    /// Terminates the process and its children.
    private func end() {
        process?.kill()
        process = nil
        stream = nil
        abandoned = nil
        if let copy { FileManager.default.discard(copy) }
        copy = nil
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
    /// The environment of a plugin: enough to find its interpreter, nothing of the session's.
    private static let environment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var clean = ["LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"]
        for name in ["PATH", "HOME", "TMPDIR"] { clean[name] = own[name] }
        return clean
    }()

    private func start() async throws -> JSONTree {
        guard !isClosed else {
            throw ForeignErrors.ended("the plugin `\(plugin.name)` is no longer running")
        }
        if let copy { FileManager.default.discard(copy) }
        copy = nil
        let folder = try plugin.verifiedCopy()
        copy = folder == plugin.folder ? nil : folder
        let manifest = plugin.manifest
        let process: ChildProcess
        do throws(ChildProcess.StartFailure) {
            process = try ChildProcess(
                .init(
                    manifest.program(in: folder), Array(manifest.command.dropFirst()),
                    environment: Self.environment, folder: folder.path))
        } catch {
            end()
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
        guard let stream else { throw ForeignErrors.ended("the plugin `\(plugin.name)` is not running") }
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
            // The connection is out of sync: the next request starts a new process.
            end()
            throw error
        }
    }

    /// Whether a whole line was read before the output was closed.
    private static func hasLine(_ stream: MessageStream, _ exchange: inout Exchange) -> Bool {
        exchange.waiting = stream.next()
        return exchange.waiting != nil
    }

    /// Processes the received lines; returns the result if the answer is among them.
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
                        "output after its answer: \(String(decoding: extra.prefix(80), as: UTF8.self))")
                }
                return result
            case .answer(let other, _):
                throw plugin.nonsense("it answered request \(other) instead of \(exchange.id)")
            case .notification(let method, let params):
                exchange.notifications += 1
                guard exchange.notifications <= ForeignSettings.mostNotifications else {
                    throw plugin.flood("more than \(ForeignSettings.mostNotifications) notifications")
                }
                // A late notification of an earlier call.
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

    /// Parses a line. Throws `E-PLUGIN-ANSWER` with the line if it is not a message.
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

    /// Checks for Ctrl-C and exceeded limits.
    private func watch(_ exchange: inout Exchange, _ stream: MessageStream) async throws {
        let elapsed = MonotonicClock.elapsed(since: exchange.start)
        if let since = exchange.cancelled {
            if MonotonicClock.elapsed(since: since) > ForeignSettings.timeouts.cancelGrace.nanoseconds {
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
                fix: "split the work into smaller calls, or raise `timeout` in "
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
        let ending = process?.waitForEnding(atMost: ForeignSettings.timeouts.shutdownGrace)
        let words =
            stream.lastComplaint.map { ": " + TerminalText.withoutControls(String($0.prefix(200))) } ?? ""
        return ForeignErrors.ended(
            "the plugin `\(plugin.name)` \(ending?.text ?? "ended")\(half) during `\(method)`\(words)",
            fix: "plugin test \(Literal.text(plugin.folder.path))")
    }
}

// MARK: - Abandoned requests

extension PluginConnection {
    /// Cancels a request without waiting for its answer. A plugin that ignores the cancellation is terminated after a timeout.
    private func abandon(_ id: Int, _ stream: MessageStream) {
        cancel(id, stream)
        _ = stream.step(waiting: 0)
        abandoned = Abandoned(id: id)
        Task { [weak self] in
            try await Task.sleep(for: ForeignSettings.timeouts.cancelGrace)
            await self?.expire(id)
        }
    }

    private func expire(_ id: Int) {
        guard let stream, abandoned?.id == id else { return }
        _ = stream.step(waiting: 0)
        passOver(stream)
        if abandoned?.id == id { end() }
    }

    /// Waits for the late answer to an abandoned request. A plugin that does not send it in time is
    /// terminated, and restarted.
    private func settle(atMost limit: Duration) throws {
        let start = MonotonicClock.now
        while let stream, let waiting = abandoned {
            passOver(stream)
            if abandoned == nil { return }
            if Task.isCancelled { throw Interruption.stopped }
            if MonotonicClock.elapsed(since: waiting.since) > ForeignSettings.timeouts.cancelGrace.nanoseconds
            {
                return end()
            }
            if MonotonicClock.elapsed(since: start) > limit.nanoseconds {
                throw ForeignErrors.timeout("the plugin `\(plugin.name)` is busy with a cancelled request")
            }
            if case .closed = stream.step(waiting: ForeignSettings.pause) {
                passOver(stream)
                return abandoned == nil ? () : end()
            }
        }
    }

    /// Reads lines up to the answer to the abandoned request; terminates a plugin that writes anything else.
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
            id, ForeignErrors.answer("the host answers only while a command runs"), number: -32_600)
    }
}

/// One request and its state.
private struct Exchange {
    let id: Int
    let method: String
    let limit: Duration
    /// Whether its answer is optional: then the plugin is not terminated if it is late.
    let isOptional: Bool
    let start = MonotonicClock.now
    /// When the plugin was asked to stop.
    var cancelled: UInt64?
    var notifications = 0
    var callbacks = 0
    /// A line that was already read.
    var waiting: [UInt8]?
    /// Whether a valid answer arrived: then an error is the plugin's own, and the process keeps running.
    var isAnswered = false

    var isCancelled: Bool { cancelled != nil }
}
