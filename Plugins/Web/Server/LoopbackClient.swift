import Formats
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests to our own server as its page does.
struct LoopbackClient: Sendable {
    /// A response.
    struct Response: Sendable {
        var status = 0
        var type = ""
        var body = ""
    }

    let server: WebServer
    /// The cookie; `nil` to be rejected.
    let cookie: String?

    /// Requests a page.
    func get(_ path: String) async throws -> Response { try await send(.GET, path, [], "") }

    /// Runs an entry. `permit` names the entry within which it runs.
    func run(_ entry: String, views: [String], permit: String) async throws -> Response {
        let body = JSONTree(members: [
            "entry": .text(entry), "views": .list(views.map { .text($0) }),
        ])
        let headers = [
            ("Origin", "http://127.0.0.1:\(server.port)"), ("Content-Type", "application/json"),
            (EntryPermits.header, permit),
        ]
        return try await send(.POST, "/api/run", headers, body.compactText)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ headers: [(String, String)], _ body: String
    ) async throws -> Response {
        let promise = server.group.any().makePromise(of: Response.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: server.group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ResponseCollector(promise))
                    }
                }
                .connect(host: "127.0.0.1", port: server.port).get()
        } catch {
            promise.fail(error)
            throw WebErrors.answer("the server cannot be reached: \(error)")
        }
        var fields = HTTPHeaders(headers)
        fields.add(name: "Host", value: "127.0.0.1:\(server.port)")
        fields.add(name: "Connection", value: "close")
        if let cookie { fields.add(name: "Cookie", value: cookie) }
        if !body.isEmpty { fields.add(name: "Content-Length", value: "\(body.utf8.count)") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: fields)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if !body.isEmpty {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        return try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Collects a response.
private final class ResponseCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<LoopbackClient.Response>
    private var response = LoopbackClient.Response()
    private var bytes = ByteBuffer()

    init(_ promise: EventLoopPromise<LoopbackClient.Response>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            response.status = Int(head.status.code)
            response.type = head.headers.first(name: "content-type") ?? ""
        case .body(let part): bytes.writeImmutableBuffer(part)
        case .end:
            response.body = String(buffer: bytes)
            promise.succeed(response)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(WebErrors.answer("the server closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(WebErrors.answer("\(error)"))
        context.close(promise: nil)
    }
}
