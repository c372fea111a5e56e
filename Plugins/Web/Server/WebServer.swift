import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A server on the loopback address.
final class WebServer: Sendable {
    let port: Int
    let hub: EventHub
    let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let open: OpenConnections

    /// Starts listening. `answer` receives the requests admitted by `guard`, and must not block.
    init(
        port wanted: Int, settings: WebSettings = WebSettings(), key: Secret, pass: Secret,
        hub: EventHub = EventHub(), answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let open = OpenConnections(limit: settings.connections)
        let rules = DeferredGuard()
        self.hub = hub
        do {
            listener = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 64)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard open.add(channel) else { return channel.close(promise: nil) }
                        let state = ConnectionState(settings) { open.mark(channel, waits: $0) }
                        try Self.configure(channel, state, settings, rules, hub, answer)
                    }
                }
                .bind(host: "127.0.0.1", port: wanted).get()
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        self.group = group
        self.open = open
        port = listener.localAddress?.port ?? wanted
        rules.set(RequestGuard(port: port, key: key, pass: pass))
    }

    /// Number of open connections.
    var openConnections: Int { open.count }

    /// Ends all connections.
    func stop() async {
        // A closed listener needs no closing.
        try? await listener.close()
        open.closeAll()
        try? await group.shutdownGracefully()
    }

    private static func configure(
        _ channel: any Channel, _ state: ConnectionState, _ settings: WebSettings, _ rules: DeferredGuard,
        _ hub: EventHub,
        _ answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) throws {
        let sockets = NIOWebSocketServerUpgrader(
            maxFrameSize: EventSocket.frameLimit,
            shouldUpgrade: { channel, head in
                let request = WebRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: head.headers.map { ($0.name.lowercased(), $0.value) })
                var isAdmitted = false
                if case .admitted? = rules.get()?.verdict(request) {
                    isAdmitted = request.path == "/api/events"
                }
                return channel.eventLoop.makeSucceededFuture(isAdmitted ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EventSocket(hub))
                }
            })
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteGuard(state, limit: settings.headLimit), name: ByteGuard.name)
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [sockets],
                completionHandler: { context in
                    // A page's WebSocket has no time limit.
                    for name in [ByteGuard.name, RequestHandler.name] {
                        context.pipeline.syncOperations.removeHandler(name: name, promise: nil)
                    }
                }
            ), withErrorHandling: true)
        let handler = RequestHandler(state, settings) { request in
            switch rules.get()?.verdict(request) {
            case .admitted: await answer(request)
            case .enters:
                WebResponse(
                    status: 303,
                    headers: [
                        ("Location", "/"), ("Set-Cookie", rules.get()?.cookie ?? ""),
                        ("Cache-Control", "no-store"),
                    ])
            case .refused(let status, let reason): .text(status, reason + "\n")
            case nil: .text(503, "the server is starting\n")
            }
        }
        try pipeline.addHandler(handler, name: RequestHandler.name)
    }
}

/// The rules of a server, set when its port is known.
private final class DeferredGuard: Sendable {
    private let known: Mutex<RequestGuard?>

    init() { known = Mutex(nil) }
    func set(_ rules: RequestGuard) { known.withLock { $0 = rules } }
    func get() -> RequestGuard? { known.withLock { $0 } }
}

/// The connections of a server, up to its limit. A new one takes the place of the one that has waited for its client longest, so
/// that connections that send nothing lock nobody out.
private final class OpenConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        /// Counts up with each change, since when it waits for its client; `nil` while it is served.
        var waitsSince: Int?
    }

    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var changes = 0

        mutating func next() -> Int {
            changes += 1
            return changes
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.open.count } }

    /// Adds a connection until it ends; `false` if all others are being served.
    func add(_ channel: any Channel) -> Bool {
        let (isAdded, closed) = state.withLock { state -> (Bool, (any Channel)?) in
            var closed: (any Channel)?
            if state.open.count >= limit {
                let waiting = state.open.compactMap { key, entry in
                    entry.waitsSince.map { (since: $0, key: key) }
                }
                guard let oldest = waiting.min(by: { $0.since < $1.since }) else { return (false, nil) }
                closed = state.open.removeValue(forKey: oldest.key)?.channel
            }
            state.open[ObjectIdentifier(channel)] = Entry(channel: channel, waitsSince: state.next())
            return (true, closed)
        }
        closed?.close(promise: nil)
        if isAdded {
            channel.closeFuture.whenComplete { [self] _ in
                state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
            }
        }
        return isAdded
    }

    /// Notes whether a connection waits for its client.
    func mark(_ channel: any Channel, waits: Bool) {
        state.withLock { state in
            let since = waits ? state.next() : nil
            state.open[ObjectIdentifier(channel)]?.waitsSince = since
        }
    }

    func closeAll() {
        for entry in state.withLock({ Array($0.open.values) }) { entry.channel.close(promise: nil) }
    }
}
