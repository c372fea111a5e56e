import Foundation
import Glibc

/// A client that sends any bytes to a loopback port, on a socket of its own.
struct RawClient: Sendable {
    /// A received response.
    struct Response: Sendable, Equatable {
        var text: String
        /// Whether the server closed the connection.
        var isClosed: Bool

        var status: Int? {
            let words = text.split(separator: " ", maxSplits: 2)
            return words.count > 1 && words[0].hasPrefix("HTTP/") ? Int(words[1]) : nil
        }
        var head: String { text.components(separatedBy: "\r\n\r\n")[0] }
        var body: String {
            text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        }

        func header(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").dropFirst().first {
                $0.lowercased().hasPrefix(name.lowercased() + ":")
            }.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    let port: Int

    /// Sends bytes and reads until the response is complete or the connection ends; `nil` when it cannot be opened.
    func exchange(_ text: String, untilClosed: Bool = false) async -> Response? {
        await exchange(Array(text.utf8), untilClosed: untilClosed)
    }

    func exchange(_ bytes: [UInt8], untilClosed: Bool = false) async -> Response? {
        await withCheckedContinuation { continuation in
            // Blocks: not on a thread of the runtime's.
            Thread {
                guard let connection = RawConnection(port: port) else {
                    return continuation.resume(returning: nil)
                }
                connection.send(bytes)
                continuation.resume(returning: connection.read(untilClosed: untilClosed))
            }.start()
        }
    }
}

/// A connection; blocks.
final class RawConnection: Sendable {
    private let descriptor: Int32

    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // A server that does not respond must not block the tests for ever. Beside many other tests on few
        // cores it is slow.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // `deinit` closes it, also after a failure.
        if status != 0 { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a response: to the length that it states, to the end of its head when that is an upgrade, or to the end.
    func read(untilClosed: Bool = false) -> RawClient.Response {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if !untilClosed, Self.isComplete(bytes) {
                return .init(text: String(decoding: bytes, as: UTF8.self), isClosed: false)
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                let isClosed = count == 0 || errno == ECONNRESET
                return .init(text: String(decoding: bytes, as: UTF8.self), isClosed: isClosed)
            }
            bytes += buffer[..<count]
        }
    }

    private static func isComplete(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let head = text[..<end.lowerBound].lowercased()
        if head.contains(" 101 ") || head.contains(" 304 ") { return true }
        guard let field = head.range(of: "content-length: ") else { return false }
        let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
        return bytes.count >= text[..<end.upperBound].utf8.count + length
    }
}
