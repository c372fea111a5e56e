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
                        try Self.configure(channel, settings, rules, hub, answer)
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
        _ channel: any Channel, _ settings: WebSettings, _ rules: DeferredGuard, _ hub: EventHub,
        _ answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) throws {
        let state = ConnectionState(settings)
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

/// The connections of a server, up to its limit.
private final class OpenConnections: Sendable {
    private let limit: Int
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    init(limit: Int) { self.limit = limit }

    var count: Int { channels.withLock { $0.count } }

    /// Adds a connection until it ends; `false` if there are too many.
    func add(_ channel: any Channel) -> Bool {
        let isAdded = channels.withLock { open in
            guard open.count < limit else { return false }
            open[ObjectIdentifier(channel)] = channel
            return true
        }
        if isAdded {
            channel.closeFuture.whenComplete { [self] _ in
                channels.withLock { $0[ObjectIdentifier(channel)] = nil }
            }
        }
        return isAdded
    }

    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
