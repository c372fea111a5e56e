import CivilTime
import Core
import Formats
import Foundation
import Logging
import PluginKit
import Synchronization
import Workbench

/// The configuration of a kernel.
public struct KernelConfiguration: Sendable {
    /// Where it listens.
    public var connection: ConnectionFile
    /// The folder of the notebook, which cells may read.
    public var folder: URL
    /// A new folder for workspaces, deleted at the end.
    public var scratch: URL
    /// The program's version.
    public var version: String
    /// A unique name.
    public var identity: String
    /// The machine's time as ISO 8601, for headers of messages.
    public var now: @Sendable () -> String
    /// Nanoseconds after a failure for which cells that were sent before it are expected: those of "Run All" arrive one after
    /// another.
    var abortWindow: UInt64 = 5_000_000_000
    /// Whether the parent process has exited.
    public var isAbandoned: @Sendable () -> Bool = { false }
    /// Makes the user's own session, for cells without front matter; `nil` gives those a temporary workspace.
    public var makeOwnSession: OwnSession?
    /// Where such cells work, in words, for the banner.
    public var ground = "in a temporary workspace, which is deleted at the end"
    /// Creates sessions with the kernel's logger.
    public var makeFactory: @Sendable (Logger) -> WorkbenchSessionFactory

    /// Makes a session with a logger, for a front end that shows progress and values.
    public typealias OwnSession =
        @Sendable (Logger, ProgressReporter, @escaping @Sendable (DisplayedValue) -> Void) throws -> Session

    /// A configuration.
    public init(
        connection: ConnectionFile, folder: URL, scratch: URL, version: String, identity: String,
        now: @escaping @Sendable () -> String,
        makeFactory: @escaping @Sendable (Logger) -> WorkbenchSessionFactory
    ) {
        self.connection = connection
        self.folder = folder
        self.scratch = scratch
        self.version = version
        self.identity = identity
        self.now = now
        self.makeFactory = makeFactory
    }
}

/// The workbench as a Jupyter kernel: messaging protocol 5.4 over libzmq, with signed messages.
///
/// Shell requests run one after another, control requests concurrently. Messages with a wrong signature are dropped and
/// reported on standard error.
public final class Kernel: Sendable {
    /// The version of the messaging protocol.
    static let protocolVersion = "5.4"
    private static let mostQueued = 10_000

    private struct Received: Sendable {
        let message: KernelMessage
        /// Counts the requests of the shell.
        let number: Int
    }

    /// The end of a cell that failed.
    private struct Failure: Sendable {
        /// As messages are dated.
        let date: Timestamp
        private let reading = MonotonicClock.now

        /// Whether a request was sent before it, which arrives in the nanoseconds after it.
        func precedes(_ header: JSONTree, within window: UInt64) -> Bool {
            guard MonotonicClock.elapsed(since: reading) < window,
                let sent = header["date"]?.text.flatMap({ ISO8601.timestamp($0) })
            else { return false }
            return sent < date
        }

        init(date: Timestamp) { self.date = date }
    }

    private struct State: Sendable {
        var seen = SeenSignatures()
        var received = 0
        /// Requests up to this number that run cells are aborted: they were queued when one failed.
        var abortedThrough = 0
        /// When a cell failed last: requests that were sent before it are aborted, too, wherever they waited.
        var failure: Failure?
        var count = 0
        var isStopping = false
        /// Whether an accepted cell has not ended; it may not have started.
        var isExecuting = false
        /// Whether that cell must stop.
        var isInterrupted = false
        var running: Task<KernelSession.Outcome, Never>?
    }

    let configuration: KernelConfiguration
    let session: KernelSession
    let outlet: KernelOutlet
    private let coder: MessageCoder
    private let sockets: KernelSockets
    private let messenger: KernelMessenger
    private let state: Mutex<State>
    private let shell: (requests: AsyncStream<Received>, add: AsyncStream<Received>.Continuation)
    private let control: (requests: AsyncStream<Received>, add: AsyncStream<Received>.Continuation)

    /// Binds the kernel's sockets. Throws `E-KERNEL-CONNECTION` or `E-LIBRARY-MISSING`.
    public init(_ configuration: KernelConfiguration) throws(RutterError) {
        try NativeLibrary.crypto.require()
        let sockets = try KernelSockets(configuration.connection)
        let coder = MessageCoder(key: configuration.connection.key)
        self.configuration = configuration
        self.sockets = sockets
        self.coder = coder
        state = Mutex(State())
        let (shell, addShell) = AsyncStream.makeStream(
            of: Received.self, bufferingPolicy: .bufferingOldest(Self.mostQueued))
        let (control, addControl) = AsyncStream.makeStream(
            of: Received.self, bufferingPolicy: .bufferingOldest(Self.mostQueued))
        self.shell = (shell, addShell)
        self.control = (control, addControl)
        let messenger = KernelMessenger(
            sockets: sockets, coder: coder, identity: configuration.identity, now: configuration.now)
        self.messenger = messenger
        outlet = KernelOutlet { messenger.publish($0, $1, parent: $2) }
        let outlet = outlet
        let log = Logger(label: "rutter") { _ in OutletLog(outlet: outlet) }
        var makeOwn: (@Sendable () throws -> Session)?
        if let make = configuration.makeOwnSession {
            makeOwn = { try make(log, ProgressReporter { outlet.report($0) }) { outlet.show($0) } }
        }
        session = KernelSession(
            factory: configuration.makeFactory(log), makeOwn: makeOwn,
            outlet: outlet, folder: configuration.folder, scratch: configuration.scratch)
    }

    /// Serves until a client requests shutdown, or `stop` is called.
    public func run() async {
        sockets.start(
            isAbandoned: configuration.isAbandoned, abandoned: { [self] in stop() },
            receive: { [self] in receive($1, on: $0) })
        publish("status", JSONTree(members: ["execution_state": .text("starting")]), parent: .object([]))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await request in shell.requests { await answer(request, on: .shell) }
            }
            group.addTask { [self] in
                for await request in control.requests { await answer(request, on: .control) }
            }
        }
        await session.close()
        sockets.stop()
    }

    /// Stops the running cell, as Ctrl-C does at the prompt.
    public func interrupt() {
        state.withLock { state in
            guard state.isExecuting else { return }
            state.isInterrupted = true
            state.abortedThrough = state.received
            state.running?.cancel()
        }
    }

    /// Shuts the kernel down: the running cell is stopped, and `run` returns.
    public func stop() {
        state.withLock { $0.isStopping = true }
        interrupt()
        shell.add.finish()
        control.add.finish()
    }

    // MARK: Messages

    private func receive(_ frames: [[UInt8]], on channel: ConnectionFile.Channel) {
        if channel == .iopub { return welcome(frames) }
        let message: KernelMessage
        do throws(MessageFault) {
            let (received, signature) = try coder.message(of: frames)
            guard !state.withLock({ $0.seen.remember(signature) }) else { throw .repeated }
            message = received
        } catch {
            return complain("a message on \(channel.rawValue) was dropped: \(error)")
        }
        // Immediately: the task threads may all be busy with the command to stop.
        if channel == .control, ["interrupt_request", "shutdown_request"].contains(message.type) {
            interrupt()
        }
        let number = state.withLock { state in
            if channel == .shell { state.received += 1 }
            return state.received
        }
        let result = (channel == .control ? control : shell).add.yield(
            Received(message: message, number: number))
        if case .dropped = result {
            complain("a message on \(channel.rawValue) was dropped: too many are queued")
        }
    }

    /// Notifies a subscriber that its subscription is active (JEP 65).
    private func welcome(_ frames: [[UInt8]]) {
        guard let frame = frames.first, frame.first == 1 else { return }
        let topic = String(decoding: frame.dropFirst(), as: UTF8.self)
        messenger.send(
            "iopub_welcome", JSONTree(members: ["subscription": .text(topic)]), parent: .object([]),
            to: [Array(frame.dropFirst())], on: .iopub, isNext: true)
    }

    private func complain(_ text: String) {
        FileHandle.standardError.write(Data("warning: \(text)\n".utf8))
    }

    private func publish(_ type: String, _ content: JSONTree, parent: JSONTree) {
        messenger.publish(type, content, parent: parent)
    }

    private func reply(
        _ type: String, _ content: JSONTree, to request: KernelMessage, on channel: ConnectionFile.Channel
    ) {
        messenger.send(type, content, parent: request.header, to: request.identities, on: channel)
    }

    // MARK: Requests

    private func answer(_ request: Received, on channel: ConnectionFile.Channel) async {
        let message = request.message
        publish("status", JSONTree(members: ["execution_state": .text("busy")]), parent: message.header)
        let type = message.type
        if type == "execute_request" {
            let content = await execute(message, number: request.number)
            reply("execute_reply", content, to: message, on: channel)
        } else if type == "shutdown_request" || type == "interrupt_request" {
            if type == "interrupt_request", channel == .shell { interrupt() }
            let restart = message.content["restart"].map { ["restart": $0] } ?? [:]
            var content = JSONTree(members: ["status": .text("ok")])
            for (key, value) in restart { content[key] = value }
            reply(type.replacing("_request", with: "_reply"), content, to: message, on: channel)
            if type == "shutdown_request" {
                publish("shutdown_reply", content, parent: message.header)
            }
        } else if type == "comm_open" {
            // No comm targets exist: the protocol requires closing it at once.
            publish(
                "comm_close",
                JSONTree(members: ["comm_id": message.content["comm_id"] ?? .text(""), "data": .object([])]),
                parent: message.header)
        } else if type.hasSuffix("_request"), let content = await look(message) {
            reply(type.replacing("_request", with: "_reply"), content, to: message, on: channel)
        } else if !["comm_msg", "comm_close", "input_reply"].contains(type) {
            complain("a message of the unknown type `\(TerminalText.withoutControls(type))` was ignored")
        }
        publish("status", JSONTree(members: ["execution_state": .text("idle")]), parent: message.header)
        if type == "shutdown_request" { stop() }
    }

    private func execute(_ message: KernelMessage, number: Int) async -> JSONTree {
        let request: ExecuteRequest
        do throws(RutterError) { request = try ExecuteRequest(message.content) } catch {
            var content = CellFailure(error).content
            content["status"] = .text("error")
            content["execution_count"] = JSONTree(state.withLock { $0.count })
            return content
        }
        let (isAborted, count) = state.withLock { state in
            let isAborted =
                number <= state.abortedThrough || state.isStopping
                || state.failure?.precedes(message.header, within: configuration.abortWindow) == true
            if request.isStored, !isAborted { state.count += 1 }
            (state.isExecuting, state.isInterrupted) = (!isAborted, false)
            return (isAborted, state.count)
        }
        if isAborted {
            return JSONTree(members: ["status": .text("aborted"), "execution_count": JSONTree(count)])
        }
        if !request.isSilent {
            publish(
                "execute_input",
                JSONTree(members: ["code": .text(request.code), "execution_count": JSONTree(count)]),
                parent: message.header)
        }
        outlet.begin(message.header, count: count, isSilent: request.isSilent)
        let task = Task { [session] in
            await session.run(request.code, stopsOnError: request.stopsOnError)
        }
        let isInterrupted = state.withLock { state in
            state.running = task
            return state.isInterrupted || state.isStopping
        }
        if isInterrupted { task.cancel() }
        let outcome = await task.value
        state.withLock { ($0.running, $0.isExecuting) = (nil, false) }
        outlet.end()
        if request.isStored {
            await session.remember(.init(number: count, input: request.code, output: outcome.output))
        }
        return await content(of: outcome, request, count: count)
    }

    private func content(
        of outcome: KernelSession.Outcome, _ request: ExecuteRequest, count: Int
    ) async -> JSONTree {
        if let failure = outcome.failure {
            if request.stopsOnError {
                let date = ISO8601.timestamp(configuration.now())
                state.withLock {
                    ($0.abortedThrough, $0.failure) = ($0.received, date.map(Failure.init(date:)))
                }
            }
            var content = failure.content
            content["status"] = .text("error")
            content["execution_count"] = JSONTree(count)
            return content
        }
        var expressions: [JSONTree.Member] = []
        for (name, expression) in request.expressions {
            var content: JSONTree
            switch await session.value(of: expression) {
            case .success(let data):
                content = JSONTree(members: ["status": .text("ok"), "data": data, "metadata": .object([])])
            case .failure(let failure):
                content = failure.content
                content["status"] = .text("error")
            }
            expressions.append(.init(name, content))
        }
        let exit = JSONTree(members: ["source": .text("ask_exit"), "keepkernel": .boolean(false)])
        return JSONTree(members: [
            "status": .text("ok"), "execution_count": JSONTree(count),
            "user_expressions": .object(expressions),
            "payload": .list(outcome.quits ? [exit] : []),
        ])
    }
}

/// A request to run a cell.
struct ExecuteRequest {
    let code: String
    let isSilent: Bool
    /// Whether the cell is counted and stored.
    let isStored: Bool
    let stopsOnError: Bool
    let expressions: [(name: String, expression: String)]

    init(_ content: JSONTree) throws(RutterError) {
        guard let code = content["code"]?.text else {
            throw KernelErrors.request("an execute_request has no `code`")
        }
        self.code = code
        isSilent = content["silent"]?.flag ?? false
        isStored = !isSilent && content["store_history"]?.flag ?? true
        stopsOnError = content["stop_on_error"]?.flag ?? true
        expressions = (content["user_expressions"]?.members ?? []).compactMap { member in
            member.value.text.map { (member.key, $0) }
        }
    }
}
