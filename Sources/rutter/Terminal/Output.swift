import Foundation
import Notebooks
import PluginKit

/// The program's standard output and error, written at once and checked: what could not be written is told and ends the
/// program with a status of failure, and an error that cannot be shown does no harm.
enum Output {
    /// Writes a line to standard output; ends the program when that is not possible. On a terminal only colours and line ends
    /// are control characters.
    static func print(_ text: String) {
        if let problem = write((isTerminal ? TerminalText.styled(text) : text) + "\n") { fail(problem) }
    }

    /// Writes text for a program or file as it is; ends the program when that is not possible.
    static func pass(_ text: String) {
        if let problem = write(text) { fail(problem) }
    }

    private static let isTerminal = isatty(STDOUT_FILENO) == 1
    private static let errorsAreShown = isatty(STDERR_FILENO) == 1

    /// Tells why standard output cannot be written, and ends the program.
    static func fail(_ problem: String) -> Never {
        complain("error E-OUTPUT: standard output cannot be written: \(problem)\n")
        exit(ExitStatus.failure)
    }

    /// Writes text to standard output; gives the system's reason where that fails.
    static func write(_ text: String) -> String? { write(text, to: STDOUT_FILENO) }

    /// Writes text to standard error; where that fails there is nobody to tell.
    static func complain(_ text: String) {
        _ = write(errorsAreShown ? TerminalText.styled(text) : text, to: STDERR_FILENO)
    }

    /// Writes control sequences of our own to standard error.
    static func control(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) -> String? {
        let bytes = Array(text.utf8)
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
                // Where the signal was ignored by whoever started us: a reader that has enough ends the writer.
                exit(ExitStatus.closedPipe)
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }
}
