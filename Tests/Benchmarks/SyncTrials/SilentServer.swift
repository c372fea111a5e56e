import Foundation
import Glibc

/// A server that takes connections and never says anything.
public final class SilentServer: Sendable {
    private let listener: Int32
    /// Where it listens.
    public let port: Int

    /// Listens on a port of this machine.
    public init() throws { (listener, port) = try SlowLink.listen() }

    /// Waits until somebody has connected and said something.
    public func waitForConnection() {
        let connection = accept(listener, nil, nil)
        var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 60_000)
    }

    /// Ends it.
    public func close() { Glibc.close(listener) }
}
