import NIOCore

/// What one connection is doing, and how long it may go on with it. Used on the connection's event loop alone.
final class ConnectionState {
    /// Where it stands.
    enum Phase {
        /// Between requests.
        case idle
        /// A request is arriving.
        case reading
        /// A response is being made.
        case answering
        /// A response is being sent.
        case sending
        /// The last response was sent; what still comes is thrown away.
        case parting
    }

    private(set) var phase = Phase.idle
    /// Whether the head of the present request has arrived.
    var hasHead = false
    /// Bytes of the present request that came before its head was complete.
    var headBytes = 0
    private let settings: WebSettings
    private var timer: Scheduled<Void>?

    init(_ settings: WebSettings) { self.settings = settings }

    /// Goes on to a phase, and closes the channel when it takes too long.
    func enter(_ next: Phase, on channel: any Channel) {
        timer?.cancel()
        timer = nil
        phase = next
        let limit: Int64
        switch next {
        case .idle:
            (hasHead, headBytes) = (false, 0)
            limit = settings.idleTime
        case .reading: limit = settings.requestTime
        case .sending: limit = settings.sendTime
        case .parting: limit = settings.partingTime
        case .answering: return
        }
        timer = channel.eventLoop.scheduleTask(in: .milliseconds(limit)) { channel.close(promise: nil) }
    }

    /// Nothing is awaited any more.
    func end() {
        timer?.cancel()
        timer = nil
    }
}
