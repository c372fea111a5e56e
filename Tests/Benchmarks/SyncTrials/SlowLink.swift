import Foundation
import Glibc
import Synchronization

/// A local port that forwards bytes to another port with a delay, until it is frozen or cut.
public final class SlowLink: Sendable {
    private enum Settings {
        static let chunk = 65_536
        static let waiting: Int32 = 32
    }

    /// Its port.
    public let port: Int
    private let target: Int
    private let delay: Duration
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        var connections: [Connection] = []
        /// Bytes towards the target that still pass; `nil` for all.
        var left: Int?
        /// Bytes in either direction after which all connections end; `nil` for no limit.
        var untilCut: (isUpwards: Bool, count: Int)?
        var wasCut = false
        var bytes = 0
    }

    /// A link to a port on which every byte takes `milliseconds`, in either direction.
    public init(to target: Int, milliseconds: Int) throws {
        self.target = target
        delay = .milliseconds(milliseconds)
        (listener, port) = try Self.listen()
        let thread = Thread { [weak self] in self?.accept() }
        thread.start()
    }

    /// Ends all connections.
    public func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            defer { state.connections = [] }
            return state.connections
        }
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        for connection in connections { connection.end() }
    }

    /// After this many further bytes towards the target nothing passes, and no connection ends: a frozen
    /// peer.
    public func freeze(afterBytes count: Int) { state.withLock { $0.left = count } }

    /// After this many further bytes in a direction all connections end, at any point.
    public func cut(afterBytes count: Int, isUpwards: Bool) {
        state.withLock { $0.untilCut = (isUpwards, count) }
    }

    /// The number of bytes in both directions.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// Ends the interruptions.
    public func repair() {
        state.withLock { state in
            state.untilCut = nil
            state.wasCut = false
        }
    }

    /// Whether a connection was interrupted since the last repair.
    public var wasCut: Bool { state.withLock { $0.wasCut } }

    /// How often connections were interrupted on all links of this process.
    public static var cuts: Int { cutCount.withLock { $0 } }
    private static let cutCount = Mutex(0)

    /// How many of the bytes pass before the interruption, if there is one.
    private func takeUntilCut(_ count: Int, isUpwards: Bool) -> Int {
        let (passes, connections): (Int, [Connection]) = state.withLock { state in
            guard let cut = state.untilCut, cut.isUpwards == isUpwards else { return (count, []) }
            if count <= cut.count {
                state.untilCut = (isUpwards, cut.count - count)
                return (count, [])
            }
            state.untilCut = nil
            state.wasCut = true
            defer { state.connections = [] }
            return (cut.count, state.connections)
        }
        if !connections.isEmpty { Self.cutCount.withLock { $0 += 1 } }
        for connection in connections { connection.cut() }
        return passes
    }

    static func listen() throws -> (Int32, Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, Settings.waiting) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw PostgresServer.Failure(description: "no port is free") }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private func accept() {
        while true {
            let near = Glibc.accept(listener, nil, nil)
            if near < 0 { return }
            let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(target)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(far, $0, length) == 0 }
            }
            var on: Int32 = 1
            for one in [near, far] {
                setsockopt(one, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            }
            let connection = Connection(near, far)
            let isWanted = state.withLock { state in
                state.connections.append(connection)
                return !state.isClosed
            }
            guard isConnected, isWanted else {
                connection.end()
                state.withLock { $0.connections.removeAll { $0 === connection } }
                continue
            }
            pass(connection, isUpwards: true)
            pass(connection, isUpwards: false)
        }
    }

    /// Two threads: one reads, the other writes each piece at its time.
    private func pass(_ connection: Connection, isUpwards: Bool) {
        let (source, target) =
            isUpwards ? (connection.near, connection.far) : (connection.far, connection.near)
        let pipe = Pipe()
        let delay = delay
        Thread { [self] in
            var buffer = [UInt8](repeating: 0, count: Settings.chunk)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                if count <= 0 || connection.isCut { break }
                state.withLock { $0.bytes += count }
                let passes = takeUntilCut(isUpwards ? take(count) : count, isUpwards: isUpwards)
                if passes > 0 { pipe.put(Array(buffer[0..<passes]), at: .now + delay) }
            }
            pipe.end()
        }.start()
        Thread { [self] in
            while let (bytes, moment) = pipe.next() {
                let wait = ContinuousClock.now.duration(to: moment)
                if wait > .zero {
                    Thread.sleep(forTimeInterval: Double(wait.components.attoseconds) / 1e18)
                }
                var sent = 0
                while sent < bytes.count {
                    let count = bytes.withUnsafeBytes {
                        send(
                            target, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                    }
                    if count <= 0 { break }
                    sent += count
                }
                if sent < bytes.count { break }
            }
            shutdown(target, Int32(SHUT_WR))
            if connection.hasEndedOneWay() {
                state.withLock { $0.connections.removeAll { $0 === connection } }
            }
        }.start()
    }

    /// The two sockets of a connection; closed when no longer used.
    private final class Connection: Sendable {
        let near, far: Int32
        private let state = Mutex((isCut: false, ways: 2))

        init(_ near: Int32, _ far: Int32) { (self.near, self.far) = (near, far) }

        deinit {
            Glibc.close(near)
            Glibc.close(far)
        }

        var isCut: Bool { state.withLock { $0.isCut } }

        /// Ends immediately.
        func end() { for socket in [near, far] { shutdown(socket, Int32(SHUT_RDWR)) } }

        /// Ends after all forwarded bytes have arrived.
        func cut() {
            state.withLock { $0.isCut = true }
            for socket in [near, far] { shutdown(socket, Int32(SHUT_RD)) }
        }

        /// Ends one direction; returns whether both have ended.
        func hasEndedOneWay() -> Bool {
            state.withLock { state in
                state.ways -= 1
                return state.ways == 0
            }
        }
    }

    /// How many of the bytes pass.
    private func take(_ count: Int) -> Int {
        state.withLock { state in
            guard let left = state.left else { return count }
            state.left = max(0, left - count)
            return min(left, count)
        }
    }

    /// Pieces in transit, in order.
    private final class Pipe: @unchecked Sendable {
        private let condition = NSCondition()
        private var pieces: [([UInt8], ContinuousClock.Instant)] = []
        private var isEnded = false

        func put(_ bytes: [UInt8], at moment: ContinuousClock.Instant) {
            condition.lock()
            pieces.append((bytes, moment))
            condition.signal()
            condition.unlock()
        }

        func end() {
            condition.lock()
            isEnded = true
            condition.signal()
            condition.unlock()
        }

        func next() -> ([UInt8], ContinuousClock.Instant)? {
            condition.lock()
            defer { condition.unlock() }
            while pieces.isEmpty, !isEnded { condition.wait() }
            return pieces.isEmpty ? nil : pieces.removeFirst()
        }
    }
}
