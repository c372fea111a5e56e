import Foundation
import Glibc

/// A server that a trial kills and restarts.
public protocol CloudServer: Sendable {
    /// Ends the server and all its processes by SIGKILL.
    func kill() throws
    /// Starts it, also after it was killed.
    func start() throws
}

/// Free ports.
enum FreePorts {
    static func next() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw PostgresServer.Failure(description: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
