import Foundation
import Glibc

/// A server that accepts connections and never answers.
public final class SilentServer: Sendable {
    private let listener: Int32
    /// Its port.
    public let port: Int

    /// Listens on a port of this machine.
    public init() throws { (listener, port) = try SlowLink.listen() }

    /// Waits until a client has connected and sent data; returns whether one did within a minute.
    public func waitForConnection() -> Bool {
        guard Self.isReadable(listener) else { return false }
        return Self.isReadable(accept(listener, nil, nil))
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 60_000) == 1
    }

    /// Stops it.
    public func close() { Glibc.close(listener) }
}
