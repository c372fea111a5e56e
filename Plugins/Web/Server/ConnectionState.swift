import NIOCore

/// The state of a connection and its time limits. Used only on the connection's event loop.
final class ConnectionState {
    /// The phase of a connection.
    enum Phase {
        /// Between requests.
        case idle
        /// A request is arriving.
        case reading
        /// A response is being computed.
        case answering
        /// A response is being sent.
        case sending
        /// The last response was sent; further input is discarded.
        case closing
    }

    private(set) var phase = Phase.idle
    /// Whether the head of the current request has arrived.
    var hasHead = false
    /// Bytes of the current request before its head was complete.
    var headBytes = 0
    private let settings: WebSettings
    private var timer: Scheduled<Void>?
    /// Told whether the connection waits for its client: for a request, or for the rest of one.
    private let waits: (Bool) -> Void

    init(_ settings: WebSettings, waits: @escaping (Bool) -> Void) {
        (self.settings, self.waits) = (settings, waits)
    }

    /// Enters a phase, and closes the channel when it takes too long.
    func enter(_ next: Phase, on channel: any Channel) {
        timer?.cancel()
        timer = nil
        phase = next
        waits(next == .idle || next == .reading)
        let limit: Int64
        switch next {
        case .idle:
            (hasHead, headBytes) = (false, 0)
            limit = settings.idleTime
        case .reading: limit = settings.requestTime
        case .sending: limit = settings.sendTime
        case .closing: limit = settings.closingTime
        case .answering: return
        }
        timer = channel.eventLoop.scheduleTask(in: .milliseconds(limit)) { channel.close(promise: nil) }
    }

    /// Ends all time limits; the connection waits for nothing.
    func end() {
        waits(false)
        timer?.cancel()
        timer = nil
    }
}
