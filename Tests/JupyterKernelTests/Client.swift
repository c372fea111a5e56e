import CZeroMQ
import Core
import Formats
import Foundation
import Logging
import Workbench

@testable import JupyterKernel

/// A kernel in this process and a client of it, over sockets in a folder.
final class Client: @unchecked Sendable {
    struct Timeout: Error { let waitedFor: String }

    static let key = "the key of the tests"
    /// Milliseconds: other tests may hold the threads of tasks for long.
    private static let longestWait = 60_000

    let kernel: Kernel
    let folder: URL
    private let context: UnsafeMutableRawPointer
    private var sockets: [ConnectionFile.Channel: UnsafeMutableRawPointer] = [:]
    private let coder = MessageCoder(key: Client.key)
    private let running: Task<Void, Never>
    private var count = 0
    /// The date of requests; the kernel's is the same.
    var date = "2026-01-01T00:00:00Z"

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "kernel-\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text =
            #"{"transport":"ipc","ip":"\#(folder.path)/k","key":"\#(Self.key)",\#(ConnectionFileTests.ports)}"#
        let connection = try ConnectionFile(Data(text.utf8), named: "connection")
        var configuration = KernelConfiguration(
            connection: connection, folder: folder, scratch: folder.appendingPathComponent("scratch"),
            version: "1.0.0", identity: "tests", now: { "2026-01-01T00:00:00Z" },
            makeFactory: { WorkbenchSessionFactory(log: $0, plugins: { [] }) })
        // On a busy machine the next request of a test may arrive late.
        configuration.abortWindow = .max
        let kernel = try Kernel(configuration)
        self.kernel = kernel
        running = Task.detached { await kernel.run() }
        context = zmq_ctx_new()
        for channel in ConnectionFile.Channel.allCases {
            let type = channel == .heartbeat ? ZMQ_REQ : channel == .iopub ? ZMQ_SUB : ZMQ_DEALER
            guard let socket = zmq_socket(context, Int32(type)) else { continue }
            var linger: Int32 = 0
            zmq_setsockopt(socket, Int32(ZMQ_LINGER), &linger, 4)
            if channel == .iopub { zmq_setsockopt(socket, Int32(ZMQ_SUBSCRIBE), "", 0) }
            zmq_connect(socket, connection.address(of: channel))
            sockets[channel] = socket
        }
        // What is published before is not received.
        try await welcome()
    }

    private func welcome() async throws {
        while true {
            let message = try await receive(.iopub)
            if message.type == "iopub_welcome" { return }
        }
    }

    /// Whether the kernel has ended.
    func ended() async { await running.value }

    func close() {
        for (_, socket) in sockets { zmq_close(socket) }
        sockets = [:]
        zmq_ctx_term(context)
        kernel.stop()
    }

    /// Sends a request; returns its number.
    @discardableResult
    func send(
        _ type: String, _ content: String = "{}", on channel: ConnectionFile.Channel = .shell,
        key: String = Client.key
    ) throws -> String {
        count += 1
        let number = "request-\(count)"
        let header = JSONTree(members: [
            "msg_id": .text(number), "msg_type": .text(type), "session": .text("client"),
            "username": .text("u"),
            "date": .text(date), "version": .text("5.4"),
        ])
        let message = KernelMessage(header: header, content: try JSONTree(parsing: Array(content.utf8)))
        sendRaw(MessageCoder(key: key).frames(of: message), on: channel)
        return number
    }

    func sendRaw(_ frames: [[UInt8]], on channel: ConnectionFile.Channel) {
        for (index, frame) in frames.enumerated() {
            zmq_send(sockets[channel], frame, frame.count, Int32(index < frames.count - 1 ? ZMQ_SNDMORE : 0))
        }
    }

    /// The next message of a channel. Throws after ten seconds.
    func receive(_ channel: ConnectionFile.Channel) async throws -> KernelMessage {
        try coder.message(of: await receiveRaw(channel)).message
    }

    func receiveRaw(_ channel: ConnectionFile.Channel) async throws -> [[UInt8]] {
        // The threads of tasks are few, and the kernel needs them.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.wait(for: channel) })
            }
        }
    }

    private func wait(for channel: ConnectionFile.Channel) throws -> [[UInt8]] {
        guard let socket = sockets[channel] else { return [] }
        var item = zmq_pollitem_t(socket: socket, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        guard zmq_poll(&item, 1, Self.longestWait) == 1 else { throw Timeout(waitedFor: channel.rawValue) }
        let message = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: 1)
        defer { message.deallocate() }
        var frames: [[UInt8]] = []
        while true {
            zmq_msg_init(message)
            defer { zmq_msg_close(message) }
            zmq_msg_recv(message, socket, 0)
            frames.append(
                Array(UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))))
            if zmq_msg_more(message) == 0 { return frames }
        }
    }

    /// What is published about a request, up to `idle`.
    func published(about number: String) async throws -> [KernelMessage] {
        var messages: [KernelMessage] = []
        while true {
            let message = try await receive(.iopub)
            guard message.parent["msg_id"]?.text == number else { continue }
            if message.content["execution_state"] == .text("idle") { return messages }
            if message.type != "status" { messages.append(message) }
        }
    }

    /// The reply to a cell, and what it shows.
    func run(_ code: String, _ more: String = "") async throws -> (reply: JSONTree, shown: [KernelMessage]) {
        let number = try send("execute_request", #"{"code":\#(JSONWriter.quoted(code))\#(more)}"#)
        let reply = try await receive(.shell)
        guard reply.parent["msg_id"]?.text == number else { throw Timeout(waitedFor: number) }
        return (reply.content, try await published(about: number))
    }
}
