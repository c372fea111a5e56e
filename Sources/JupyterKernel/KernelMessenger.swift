import Formats
import Synchronization

/// Creates and sends a kernel's own messages.
final class KernelMessenger: Sendable {
    private let sockets: KernelSockets
    private let coder: MessageCoder
    private let identity: String
    private let now: @Sendable () -> String
    private let last = Atomic(0)

    init(sockets: KernelSockets, coder: MessageCoder, identity: String, now: @escaping @Sendable () -> String)
    {
        self.sockets = sockets
        self.coder = coder
        self.identity = identity
        self.now = now
    }

    /// Broadcasts a message about a request.
    func publish(_ type: String, _ content: JSONTree, parent: JSONTree) {
        send(type, content, parent: parent, to: [Array("kernel.\(identity).\(type)".utf8)], on: .iopub)
    }

    /// Sends a message about a request, if `isNext` before those that wait.
    func send(
        _ type: String, _ content: JSONTree, parent: JSONTree, to identities: [[UInt8]],
        on channel: ConnectionFile.Channel, isNext: Bool = false
    ) {
        let number = last.add(1, ordering: .relaxed).newValue
        let header = JSONTree(members: [
            "msg_id": .text("\(identity)_\(number)"), "msg_type": .text(type), "session": .text(identity),
            "username": .text("rutter"), "date": .text(now()), "version": .text(Kernel.protocolVersion),
        ])
        let message = KernelMessage(identities: identities, header: header, parent: parent, content: content)
        sockets.send(coder.frames(of: message), on: channel, isNext: isNext)
    }
}
