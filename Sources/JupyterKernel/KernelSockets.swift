import CZeroMQ
import Core
import Foundation
import Synchronization
import Workbench

extension NativeLibrary {
    /// libzmq.
    static let zeromq = NativeLibrary(
        "the Jupyter kernel", packages: "libzmq5", isThere: zeromq_is_there)
}

/// The sockets of a kernel, all used by one thread, as libzmq requires.
///
/// Never blocks on a command: the heartbeat responds while one runs.
final class KernelSockets: Sendable {
    typealias Channel = ConnectionFile.Channel

    private enum Settings {
        /// Largest frame in bytes; a larger one closes its connection.
        static let mostBytes: Int64 = 64 << 20
        /// Messages queued for a slow reader; further ones are dropped.
        static let mostWaiting: Int32 = 100_000
        /// Milliseconds for sending pending messages at shutdown.
        static let linger: Int32 = 1000
        /// Milliseconds between checks for the parent process.
        static let patience = 1000
    }

    /// Handles of libzmq.
    ///
    /// Unchecked: they are created on one thread and used on another one, which is started afterwards.
    private struct Handles: @unchecked Sendable {
        let context: UnsafeMutableRawPointer
        var sockets: [(channel: Channel, socket: UnsafeMutableRawPointer)] = []
    }

    private struct Waiting: Sendable {
        var messages: [(Channel, [[UInt8]])] = []
        var isEnding = false
    }

    private let handles: Handles
    private let wake: (reading: Int32, writing: Int32)
    private let waiting = Mutex(Waiting())
    private let ended = DispatchSemaphore(value: 0)

    /// Binds all sockets. Throws `E-LIBRARY-MISSING`, or `E-KERNEL-CONNECTION` for an address in use.
    init(_ connection: ConnectionFile) throws(RutterError) {
        try NativeLibrary.zeromq.require()
        var ends: [Int32] = [-1, -1]
        guard let context = zmq_ctx_new(), pipe(&ends) == 0 else {
            throw KernelErrors.connection("libzmq cannot be initialised")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wake = (ends[0], ends[1])
        var handles = Handles(context: context)
        do throws(RutterError) {
            for channel in Channel.allCases {
                let socket = try Self.bound(connection.address(of: channel), channel, context)
                handles.sockets.append((channel, socket))
            }
        } catch {
            for (_, socket) in handles.sockets { _ = zmq_close(socket) }
            _ = zmq_ctx_term(context)
            for end in ends { close(end) }
            throw error
        }
        self.handles = handles
    }

    private static func bound(
        _ address: String, _ channel: Channel, _ context: UnsafeMutableRawPointer
    ) throws(RutterError) -> UnsafeMutableRawPointer {
        let type =
            switch channel {
            case .shell, .control, .stdin: ZMQ_ROUTER
            case .heartbeat: ZMQ_REP
            case .iopub: ZMQ_XPUB
            }
        guard let socket = zmq_socket(context, Int32(type)) else { throw failure("cannot create a socket") }
        set(socket, ZMQ_LINGER, Settings.linger)
        set(socket, ZMQ_MAXMSGSIZE, Settings.mostBytes)
        if address.contains("[") { set(socket, ZMQ_IPV6, Int32(1)) }
        if channel == .iopub {
            set(socket, ZMQ_XPUB_VERBOSE, Int32(1))
            set(socket, ZMQ_SNDHWM, Settings.mostWaiting)
        } else if channel != .heartbeat {
            // A client that reconnects with the same identity takes over.
            set(socket, ZMQ_ROUTER_HANDOVER, Int32(1))
        }
        guard zmq_bind(socket, address) == 0 else {
            let problem = failure("cannot listen on \(address)")
            _ = zmq_close(socket)
            throw problem
        }
        return socket
    }

    private static func set<Number: FixedWidthInteger>(
        _ socket: UnsafeMutableRawPointer, _ option: some BinaryInteger, _ value: Number
    ) {
        withUnsafeBytes(of: value) { _ = zmq_setsockopt(socket, Int32(option), $0.baseAddress, $0.count) }
    }

    private static func failure(_ what: String) -> RutterError {
        KernelErrors.connection("\(what): \(zmq_strerror(zmq_errno()).map { String(cString: $0) } ?? "")")
    }

    // MARK: Use

    /// Starts receiving. `isAbandoned` is called about once a second; the closures are called on the sockets' thread.
    func start(
        isAbandoned: @escaping @Sendable () -> Bool, abandoned: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Channel, [[UInt8]]) -> Void
    ) {
        let thread = Thread { [self] in
            serve(isAbandoned, abandoned, receive)
            ended.signal()
        }
        thread.name = "kernel sockets"
        thread.start()
    }

    /// Sends a message, if `isNext` before those that wait; never blocks.
    func send(_ frames: [[UInt8]], on channel: Channel, isNext: Bool = false) {
        waiting.withLock {
            $0.messages.insert((channel, frames), at: isNext ? 0 : $0.messages.count)
        }
        notify()
    }

    /// Sends pending messages and closes the sockets. Call it once, after `start`.
    func stop() {
        waiting.withLock { $0.isEnding = true }
        notify()
        ended.wait()
    }

    private func notify() {
        var byte: UInt8 = 1
        // A full pipe wakes the thread as well.
        _ = write(wake.writing, &byte, 1)
    }

    private func serve(
        _ isAbandoned: () -> Bool, _ abandoned: () -> Void, _ receive: (Channel, [[UInt8]]) -> Void
    ) {
        var items = handles.sockets.map {
            zmq_pollitem_t(socket: $0.socket, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        }
        items.append(zmq_pollitem_t(socket: nil, fd: wake.reading, events: Int16(ZMQ_POLLIN), revents: 0))
        var hasReported = false
        while sendWaiting(receive) {
            let count = zmq_poll(&items, Int32(items.count), Settings.patience)
            if count == 0, !hasReported, isAbandoned() {
                hasReported = true
                abandoned()
            }
            guard count > 0 else { continue }
            for (index, entry) in handles.sockets.enumerated() where items[index].revents != 0 {
                Self.receiveWaiting(entry, receive)
            }
            if items[items.count - 1].revents != 0 { drainWake() }
        }
        for (_, socket) in handles.sockets { _ = zmq_close(socket) }
        _ = zmq_ctx_term(handles.context)
        close(wake.reading)
        close(wake.writing)
    }

    private func drainWake() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wake.reading, &bytes, bytes.count) > 0 {}
    }

    /// Returns `false` when everything is sent and the kernel shuts down.
    private func sendWaiting(_ receive: (Channel, [[UInt8]]) -> Void) -> Bool {
        while true {
            // A new subscriber is welcomed before it receives anything else.
            for entry in handles.sockets where entry.channel == .iopub {
                Self.receiveWaiting(entry, receive)
            }
            let (messages, isEnding) = waiting.withLock { waiting in
                defer { waiting.messages = [] }
                return (waiting.messages, waiting.isEnding)
            }
            for (channel, frames) in messages {
                guard let entry = handles.sockets.first(where: { $0.channel == channel }) else { continue }
                Self.send(frames, entry.socket)
            }
            if messages.isEmpty { return !isEnding }
        }
    }

    /// Receives the messages that wait on a socket; a heartbeat is answered at once.
    private static func receiveWaiting(
        _ entry: (channel: Channel, socket: UnsafeMutableRawPointer), _ receive: (Channel, [[UInt8]]) -> Void
    ) {
        while let frames = Self.receive(entry.socket) {
            if entry.channel == .heartbeat {
                send(frames, entry.socket)
            } else {
                receive(entry.channel, frames)
            }
        }
    }

    /// Messages to a disconnected client are dropped without an error.
    private static func send(_ frames: [[UInt8]], _ socket: UnsafeMutableRawPointer) {
        for (index, frame) in frames.enumerated() {
            let flags = ZMQ_DONTWAIT | (index < frames.count - 1 ? ZMQ_SNDMORE : 0)
            if zmq_send(socket, frame, frame.count, Int32(flags)) < 0 { return }
        }
    }

    /// The frames of the next message; `nil` where none is waiting.
    private static func receive(_ socket: UnsafeMutableRawPointer) -> [[UInt8]]? {
        let message = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: 1)
        defer { message.deallocate() }
        var frames: [[UInt8]] = []
        while true {
            _ = zmq_msg_init(message)
            defer { _ = zmq_msg_close(message) }
            guard zmq_msg_recv(message, socket, Int32(ZMQ_DONTWAIT)) >= 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
            frames.append(Array(bytes))
            if zmq_msg_more(message) == 0 { return frames }
        }
    }
}
