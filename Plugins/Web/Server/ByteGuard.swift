import NIOCore

/// Runs before the parser: closes connections whose request line and headers are too long or too slow.
final class ByteGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let name = "bytes"
    private let state: ConnectionState
    private let limit: Int

    init(_ state: ConnectionState, limit: Int) {
        self.state = state
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        state.enter(.idle, on: context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if state.phase == .closing { return }
        if state.phase == .idle { state.enter(.reading, on: context.channel) }
        if !state.hasHead { state.headBytes += unwrapInboundIn(data).readableBytes }
        // The parser reports the head while it processes the bytes.
        context.fireChannelRead(data)
        guard !state.hasHead, state.phase == .reading, state.headBytes > limit else { return }
        state.enter(.closing, on: context.channel)
        let lines =
            "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: lines)), promise: nil)
        context.close(mode: .output, promise: nil)
    }

    /// The connection is now a page's WebSocket, which is long-lived.
    func handlerRemoved(context: ChannelHandlerContext) { state.end() }

    func channelInactive(context: ChannelHandlerContext) {
        state.end()
        context.fireChannelInactive()
    }
}
