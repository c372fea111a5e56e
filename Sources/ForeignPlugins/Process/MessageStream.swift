import Core
import Formats
import Foundation
import Glibc
import PluginKit

/// The lines exchanged with a plugin's process, and the end of its standard error. Waits in steps, so that
/// Ctrl-C and timeouts are checked between them.
final class MessageStream {
    /// The result of a step.
    enum Step {
        /// Something was read or written, or nothing happened for a moment.
        case open
        /// The plugin has closed its output.
        case closed
    }

    private let process: ChildProcess
    private var lines = LineBuffer()
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var errorTail: [UInt8] = []
    private var hasErrors = true
    /// Bytes read since the last call began.
    private(set) var received = 0

    init(_ process: ChildProcess) { self.process = process }

    /// Queues a line to be sent during the next steps.
    func send(_ line: [UInt8]) {
        if sent == outgoing.count { (outgoing, sent) = ([], 0) }
        outgoing += line
    }

    /// Resets the count of bytes read.
    func beginCall() { received = 0 }

    /// The next whole line; `nil` when there is none yet.
    func next() -> [UInt8]? { lines.next() }

    /// Bytes of the unfinished line.
    var unfinished: Int { lines.count }

    /// The last line that the plugin wrote to its standard error.
    var lastComplaint: String? {
        drainErrors()
        let text = String(decoding: errorTail, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(
            String.init)
    }

    /// Reads available input and sends queued output; waits up to `milliseconds` for either.
    func step(waiting milliseconds: Int32) -> Step {
        let wantsToSend = sent < outgoing.count
        var files = [
            pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasErrors ? process.errors : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wantsToSend ? process.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return .open }
        if files[2].revents != 0 { sendSome() }
        if files[1].revents != 0 { drainErrors() }
        guard files[0].revents != 0 else { return .open }
        let piece = read(process.output)
        guard let piece, !piece.isEmpty else { return piece == nil ? .open : .closed }
        received += piece.count
        lines.append(piece)
        return .open
    }

    private func sendSome() {
        let count = outgoing[sent...].withUnsafeBytes {
            Glibc.send(
                process.input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        // A plugin that stops reading is detected by its missing answer.
        if count > 0 { sent += count } else if errno != EAGAIN, errno != EINTR { sent = outgoing.count }
    }

    /// Keeps the end of standard error. Reads a bounded amount, so that a plugin that never stops writing
    /// cannot prevent the checks of its limits.
    private func drainErrors() {
        for _ in 0..<ForeignSettings.errorReads {
            guard hasErrors, let piece = read(process.errors) else { return }
            if piece.isEmpty { hasErrors = false }
            errorTail = (errorTail + piece).suffix(ForeignSettings.errorTail)
        }
    }

    /// The bytes available without blocking: empty at the end, `nil` if there are none now.
    private func read(_ descriptor: Int32) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            result = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            count = max(result, 0)
        }
        return result < 0 && (errno == EAGAIN || errno == EINTR) ? nil : bytes
    }
}
