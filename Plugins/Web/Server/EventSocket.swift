import NIOCore
import NIOWebSocket
import Synchronization

/// The pages that receive events of the session.
final class EventHub: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    private let emptied = Mutex<(@Sendable () -> Void)?>(nil)

    /// Number of open pages.
    var count: Int { channels.withLock { $0.count } }

    func add(_ channel: any Channel) { channels.withLock { $0[ObjectIdentifier(channel)] = channel } }
    func remove(_ channel: any Channel) {
        let isEmpty = channels.withLock { channels in
            channels[ObjectIdentifier(channel)] = nil
            return channels.isEmpty
        }
        if isEmpty { emptied.withLock { $0 }?() }
    }

    /// Sets a function to call when the last page is closed.
    func whenEmpty(_ call: @escaping @Sendable () -> Void) { emptied.withLock { $0 = call } }

    /// Sends a text to all pages; a page that does not read is disconnected, and reloads its state when it
    /// reconnects.
    func send(_ text: String) {
        for channel in channels.withLock({ Array($0.values) }) {
            guard channel.isWritable else {
                channel.close(promise: nil)
                continue
            }
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            channel.writeAndFlush(frame, promise: nil)
        }
    }
}

/// A page's WebSocket: sends events; of incoming frames only protocol frames are answered.
final class EventSocket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Maximum bytes of an incoming frame.
    static let frameLimit = 4096
    private let hub: EventHub

    init(_ hub: EventHub) { self.hub = hub }

    func handlerAdded(context: ChannelHandlerContext) { hub.add(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            context.close(mode: .output, promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        hub.remove(context.channel)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
