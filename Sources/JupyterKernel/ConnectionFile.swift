import Core
import Formats
import Foundation
import Workbench

/// Jupyter's connection file: where a kernel listens and how it signs.
public struct ConnectionFile: Sendable {
    /// The five sockets of a kernel.
    public enum Channel: String, Sendable, CaseIterable {
        /// Requests to run, complete and inspect.
        case shell
        /// Requests that do not wait: interrupt, shutdown.
        case control
        /// Requests for user input; not used.
        case stdin
        /// An echo.
        case heartbeat = "hb"
        /// Broadcasts to all clients.
        case iopub
    }

    /// The key of the signatures; empty if messages are not signed.
    public let key: String
    private let transport: String
    private let ip: String
    private let ports: [Channel: Int]

    /// Whether an address is reachable only from this machine.
    private static func isLoopback(_ ip: String) -> Bool {
        let numbers = ip.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return ip == "localhost" || ip == "::1"
            || numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
    }

    /// Reads a file. Throws `E-KERNEL-CONNECTION`, also for an address that other machines can reach.
    public init(contentsOf file: URL) throws(RutterError) {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw KernelErrors.connection("the connection file \(file.path) cannot be read")
        }
        try self.init(data, named: file.lastPathComponent)
    }

    init(_ data: Data, named name: String) throws(RutterError) {
        guard let tree = try? JSONTree(parsing: data), case .object = tree else {
            throw KernelErrors.connection("\(name) is not a JSON object")
        }
        transport = tree["transport"]?.text ?? "tcp"
        guard ["tcp", "ipc"].contains(transport) else {
            throw KernelErrors.connection("unknown transport `\(transport)` in \(name)")
        }
        guard let ip = tree["ip"]?.text, !ip.isEmpty else {
            throw KernelErrors.connection("\(name) has no `ip`")
        }
        if transport == "tcp", !Self.isLoopback(ip) {
            throw KernelErrors.connection(
                "\(name) specifies the address \(ip); the kernel listens only on loopback addresses",
                fix: "let Jupyter use 127.0.0.1, and reach it through a tunnel")
        }
        self.ip = ip
        var ports: [Channel: Int] = [:]
        for channel in Channel.allCases {
            let name = channel.rawValue + "_port"
            guard let number = tree[name]?.number, let port = Int(exactly: number), (1...65535).contains(port)
            else { throw KernelErrors.connection("`\(name)` is missing or not a port") }
            ports[channel] = port
        }
        self.ports = ports
        let scheme = tree["signature_scheme"]?.text ?? "hmac-sha256"
        guard scheme == "hmac-sha256" else {
            throw KernelErrors.connection("unknown signature scheme `\(scheme)`; hmac-sha256 is supported")
        }
        key = tree["key"]?.text ?? ""
    }

    /// The address of a socket, as libzmq writes it.
    func address(of channel: Channel) -> String {
        let port = ports[channel].map(String.init) ?? ""
        return transport == "ipc"
            ? "ipc://\(ip)-\(port)" : "tcp://\(ip.contains(":") ? "[\(ip)]" : ip):\(port)"
    }

    /// The ports by their names in the protocol.
    var portMembers: [JSONTree.Member] {
        Channel.allCases.map { .init($0.rawValue + "_port", JSONTree(ports[$0] ?? 0)) }
    }
}
