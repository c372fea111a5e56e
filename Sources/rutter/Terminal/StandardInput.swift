import Foundation

/// The lines of standard input as they arrive.
struct StandardInput {
    /// Why there is no next line.
    enum Problem: Error {
        /// Bytes that are not UTF-8.
        case notText
        /// The system's reason.
        case unreadable(String)
    }

    private static let blockSize = 65_536
    private var pending: [UInt8] = []
    /// Number of pending bytes already searched for a line end.
    private var searched = 0
    private var isAtEnd = false

    /// The next line without its end; `nil` at the end of the input. Throws for invalid UTF-8: replacing
    /// bytes, as is usual, would change stored data; and for an input that cannot be read, such as a folder.
    mutating func line() throws(Problem) -> String? {
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return try take(end, and: 1)
            }
            searched = pending.count
            if isAtEnd { return pending.isEmpty ? nil : try take(pending.count, and: 0) }
            try read()
        }
    }

    private mutating func read() throws(Problem) {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        let count = block.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { return }
        if count < 0 { throw .unreadable(String(cString: strerror(errno))) }
        if count == 0 { isAtEnd = true } else { pending.append(contentsOf: block[..<count]) }
    }

    private mutating func take(_ end: Int, and separator: Int) throws(Problem) -> String {
        defer {
            pending.removeFirst(end + separator)
            searched = 0
        }
        let isReturned = end > 0 && separator > 0 && pending[end - 1] == UInt8(ascii: "\r")
        guard let line = String(validating: pending[..<(isReturned ? end - 1 : end)], as: UTF8.self) else {
            throw .notText
        }
        return line
    }
}

extension String {
    /// Without the byte order mark that some editors write.
    var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}"
            ? String(String.UnicodeScalarView(unicodeScalars.dropFirst())) : self
    }
}
