import Foundation
import Glibc

/// A server that accepts connections and never answers.
public final class SilentServer: Sendable {
    private let listener: Int32
    /// Its port.
    public let port: Int

    /// Listens on a port of this machine.
    public init() throws { (listener, port) = try SlowLink.listen() }

    /// Waits until a client has connected and sent data.
    public func waitForConnection() {
        let connection = accept(listener, nil, nil)
        var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 60_000)
    }

    /// Stops it.
    public func close() { Glibc.close(listener) }
}
