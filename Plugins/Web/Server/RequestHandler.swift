import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Collects a request, has it answered, and sends the response.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    static let name = "requests"
    private let state: ConnectionState
    private let settings: WebSettings
    private let answer: @Sendable (WebRequest) async -> WebResponse
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isRefused = false
    private var work: Task<Void, Never>?

    init(
        _ state: ConnectionState, _ settings: WebSettings,
        answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) {
        self.state = state
        self.settings = settings
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if state.phase == .idle { state.enter(.reading, on: context.channel) }
            state.hasHead = true
            self.head = head
            body.clear()
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            if length > settings.bodyLimit { refuse(context) }
        case .body(let part):
            guard !isRefused else { return }
            body.writeImmutableBuffer(part)
            if body.readableBytes > settings.bodyLimit { refuse(context) }
        case .end:
            guard !isRefused, let head else { return }
            begin(head, context)
        }
    }

    /// Reports that a body is too large, and stops reading.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        body = ByteBuffer()
        let response = WebResponse.text(413, "a request body has at most \(settings.bodyLimit) bytes")
        send(response, keepsAlive: false, isHead: false, on: context.channel, state)
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state.enter(.answering, on: context.channel)
        let request = WebRequest(
            method: head.method.rawValue, target: head.uri,
            headers: head.headers.map { ($0.name.lowercased(), $0.value) },
            body: Array(body.readableBytesView))
        body = ByteBuffer()
        let channel = context.channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let keepsAlive = head.isKeepAlive
        work = Task { [answer] in
            let response = await answer(request)
            channel.eventLoop.execute {
                let handler = bound.value
                handler.send(
                    response, keepsAlive: keepsAlive, isHead: request.method == "HEAD", on: channel,
                    handler.state)
            }
        }
    }

    private func send(
        _ response: WebResponse, keepsAlive: Bool, isHead: Bool, on channel: any Channel,
        _ state: ConnectionState
    ) {
        guard channel.isActive else { return }
        state.enter(.sending, on: channel)
        var headers = HTTPHeaders(response.headers + ResponseHeaders.all)
        // A 304 response has no length.
        if response.status != 304 { headers.add(name: "Content-Length", value: "\(response.size)") }
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: response.status)
        channel.write(HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)))
            .whenFailure { _ in channel.close(promise: nil) }
        if !isHead, let file = response.file {
            let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
            Self.send(file, from: 0, on: channel) {
                bound.value.end(keepsAlive: keepsAlive, on: channel, bound.value.state)
            }
            return
        }
        if !isHead, !response.body.isEmpty {
            let buffer = channel.allocator.buffer(bytes: response.body)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
        }
        end(keepsAlive: keepsAlive, on: channel, state)
    }

    /// Sends a file in parts, each after the previous one was accepted, so that only one part is in memory.
    private static func send(
        _ file: FilePages.Download, from offset: Int, on channel: any Channel,
        then end: @escaping @Sendable () -> Void
    ) {
        guard offset < file.size else { return end() }
        guard let part = file.part(from: offset) else { return channel.close(promise: nil) }
        let count = part.readableBytes
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(part))).whenComplete { result in
            guard case .success = result else { return channel.close(promise: nil) }
            channel.eventLoop.execute { send(file, from: offset + count, on: channel, then: end) }
        }
    }

    /// Ends a response.
    private func end(keepsAlive: Bool, on channel: any Channel, _ state: ConnectionState) {
        let bound = NIOLoopBound(state, eventLoop: channel.eventLoop)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).assumeIsolated().whenComplete { result in
            guard case .success = result else { return channel.close(promise: nil) }
            // The next pipelined request may have started already.
            guard bound.value.phase == .sending else { return }
            // With unread data the system would reset the connection and discard the response.
            bound.value.enter(keepsAlive ? .idle : .closing, on: channel)
            if !keepsAlive { channel.close(mode: .output, promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Cancels the computation of a response that no client waits for.
        work?.cancel()
        state.end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade is answered as an ordinary request.
        if error is NIOWebSocketUpgradeError || error is HTTPServerUpgradeErrors { return }
        context.close(promise: nil)
    }
}
