import Foundation
import Notebooks

/// The program's standard output and error, written at once and checked: what could not be written is told and ends the
/// program with a status of failure, and an error that cannot be shown does no harm.
enum Output {
    /// Writes a line to standard output; ends the program when that is not possible.
    static func print(_ text: String) {
        if let problem = write(text + "\n") { fail(problem) }
    }

    /// Tells why standard output cannot be written, and ends the program.
    static func fail(_ problem: String) -> Never {
        complain("error E-OUTPUT: standard output cannot be written: \(problem)\n")
        exit(ExitStatus.failure)
    }

    /// Writes text to standard output; gives the system's reason where that fails.
    static func write(_ text: String) -> String? { write(text, to: STDOUT_FILENO) }

    /// Writes text to standard error; where that fails there is nobody to tell.
    static func complain(_ text: String) { _ = write(text, to: STDERR_FILENO) }

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
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }
}
