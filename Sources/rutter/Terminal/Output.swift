import Foundation
import Notebooks
import PluginKit

/// The program's standard output and error, flushed at once and checked: write failures are reported and exit
/// non-zero; failures of standard error are ignored.
enum Output {
    /// Writes a line to standard output; exits on failure. On a terminal only colours and line ends
    /// are control characters.
    static func print(_ text: String) {
        if let problem = write((isTerminal ? TerminalText.styled(text) : text) + "\n") { fail(problem) }
    }

    /// Writes text for a program or file as it is; exits on failure.
    static func pass(_ text: String) {
        if let problem = write(text) { fail(problem) }
    }

    /// Writes bytes for a program or file; exits on failure.
    static func pass(_ bytes: Data) {
        if let problem = write(Array(bytes), to: STDOUT_FILENO) { fail(problem) }
    }

    private static let isTerminal = isatty(STDOUT_FILENO) == 1
    private static let errorsAreShown = isatty(STDERR_FILENO) == 1

    /// Reports that standard output cannot be written, and exits.
    static func fail(_ problem: String) -> Never {
        complain("error E-OUTPUT: standard output cannot be written: \(problem)\n")
        exit(ExitStatus.failure)
    }

    /// Writes text to standard output; returns the system's reason on failure.
    static func write(_ text: String) -> String? { write(text, to: STDOUT_FILENO) }

    /// Writes text to standard error; failures are ignored.
    static func complain(_ text: String) {
        _ = write(errorsAreShown ? TerminalText.styled(text) : text, to: STDERR_FILENO)
    }

    /// Writes control sequences of our own to standard error.
    static func control(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) -> String? {
        write(Array(text.utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno == EPIPE, descriptor == STDOUT_FILENO {
                // The parent may have ignored the signal: a closed reader must still end the writer.
                exit(ExitStatus.closedPipe)
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }
}
