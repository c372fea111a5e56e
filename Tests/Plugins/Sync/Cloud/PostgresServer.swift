import Foundation
import PluginTestKit

/// A PostgreSQL server of the tests' own: a folder of its own, a loopback port of its own.
final class PostgresServer: Sendable {
    /// Where Debian puts the server's programs; `nil` when none is installed.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.last.map { "\(root)/\($0)/bin" }
    }()

    static var isInstalled: Bool { programs != nil }

    let folder: TemporaryFolder
    let port: Int
    private let programs: String

    /// Makes a cluster with the users anna and berta, and starts it.
    init() throws {
        guard let programs = Self.programs else { throw CocoaError(.fileNoSuchFile) }
        self.programs = programs
        folder = try TemporaryFolder()
        port = 20_000 + Int(getpid()) % 20_000 + Int.random(in: 0..<5_000)
        if getuid() == 0 { try Self.run("/usr/bin/chown", ["postgres", folder.url.path]) }
        chmod(folder.url.path, 0o711)
        try server(
            "initdb", ["-D", data, "-A", "scram-sha-256", "-U", "root", "--pwfile", try password(), "-N"])
        try start()
        for user in ["anna", "berta"] {
            try psql("root", "CREATE ROLE \(user) LOGIN PASSWORD 'secret-\(user)'")
        }
        try psql("root", "GRANT CREATE ON DATABASE postgres TO anna, berta")
    }

    deinit { try? stop(mode: "immediate") }

    var data: String { folder.url.appendingPathComponent("data").path }

    func address(_ user: String) -> String { "postgres://\(user):secret-\(user)@127.0.0.1:\(port)/postgres" }

    func start() throws {
        try server(
            "pg_ctl",
            [
                "-D", data, "-w", "-l", "\(folder.url.path)/log", "-o",
                "-p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off", "start",
            ])
    }

    func stop(mode: String) throws { try server("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"]) }

    private func password() throws -> String {
        let file = folder.url.appendingPathComponent("password")
        try Data("secret-root\n".utf8).write(to: file)
        chmod(file.path, 0o644)
        return file.path
    }

    @discardableResult
    func psql(_ user: String, _ sql: String) throws -> String {
        try Self.run("/usr/bin/psql", [address(user), "-At", "-v", "ON_ERROR_STOP=1", "-c", sql])
    }

    private func server(_ program: String, _ arguments: [String]) throws {
        // The server refuses to run as root.
        let own = getuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let path = "\(programs)/\(program)"
        if own.isEmpty {
            try Self.run(path, arguments)
        } else {
            try Self.run("/usr/bin/setpriv", own + [path] + arguments)
        }
    }

    @discardableResult
    private static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let scratch = try TemporaryFolder()
        let out = scratch.url.appendingPathComponent("out")
        try Data().write(to: out)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: out), as: UTF8.self)
        if process.terminationStatus != 0 { throw Failure(text: "\(path): \(text)") }
        return text
    }

    struct Failure: Error { let text: String }
}
