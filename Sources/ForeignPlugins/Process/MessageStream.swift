import Core
import Formats
import Foundation
import Glibc
import PluginKit

/// The lines that go to and come from a plugin's process, and the end of what it complains of. It waits in steps, so that
/// Ctrl-C and time limits are seen between them.
final class MessageStream {
    /// What became of a step.
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
    /// Bytes that were read since the last call began.
    private(set) var received = 0

    init(_ process: ChildProcess) { self.process = process }

    /// Adds a line to be sent while steps are waited for.
    func send(_ line: [UInt8]) {
        if sent == outgoing.count { (outgoing, sent) = ([], 0) }
        outgoing += line
    }

    /// Begins to count what is read.
    func beginCall() { received = 0 }

    /// The next whole line; `nil` when there is none yet.
    func next() -> [UInt8]? { lines.next() }

    /// Bytes of a line that has not ended.
    var unfinished: Int { lines.count }

    /// The last line that the plugin wrote to its standard error.
    var lastComplaint: String? {
        drainErrors()
        let text = String(decoding: errorTail, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(
            String.init)
    }

    /// Reads what there is and sends what can be sent; waits up to `milliseconds` for either.
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
        // A plugin that does not read any more is found by its answer that does not come.
        if count > 0 { sent += count } else if errno != EAGAIN, errno != EINTR { sent = outgoing.count }
    }

    /// Keeps the end of what is written to standard error. It reads a bounded amount: one that never stops writing must not
    /// keep its limits from being seen.
    private func drainErrors() {
        for _ in 0..<ForeignSettings.errorReads {
            guard hasErrors, let piece = read(process.errors) else { return }
            if piece.isEmpty { hasErrors = false }
            errorTail = (errorTail + piece).suffix(ForeignSettings.errorTail)
        }
    }

    /// What can be read at once: empty at the end, `nil` when there is nothing now.
    private func read(_ descriptor: Int32) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            result = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            count = max(result, 0)
        }
        return result < 0 && (errno == EAGAIN || errno == EINTR) ? nil : bytes
    }
}
