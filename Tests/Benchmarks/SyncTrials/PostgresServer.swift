import CSpawn
import Foundation
import Glibc
import PluginTestKit
import SyncPlugin

/// A private PostgreSQL server: with its own folder and loopback port, and the users anna and berta.
public final class PostgresServer: CloudServer {
    /// The folder of the server's programs on Debian; `nil` if none is installed.
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.compactMap(Int.init).max() else { return nil }
        let folder = "\(root)/\(newest)/bin"
        return FileManager.default.isExecutableFile(atPath: "\(folder)/postgres") ? folder : nil
    }()

    /// Whether a server is installed.
    public static var isInstalled: Bool { programs != nil }

    /// A system program failed.
    public struct Failure: Error, CustomStringConvertible {
        /// Its output.
        public let description: String

        /// A failure with a message.
        public init(description: String) { self.description = description }
    }

    private enum Settings {
        /// Attempts to start: the remains of a killed server disappear within seconds.
        static let startAttempts = 40
        static let betweenAttempts = 0.25
    }

    /// The folder of all files of this server.
    public let folder: TemporaryFolder
    /// Its port.
    public let port: Int
    private let programs: String
    private let options: String

    /// Creates a cluster with two users, sets up the cloud unless disabled, and starts the server. `options`
    /// are further options of the server. Without fsync, data that the server considers written survives the
    /// end of its processes, but not of the machine.
    public init(options: String = "-c fsync=off", isSetUp: Bool = true) throws {
        guard let programs = Self.programs else {
            throw Failure(description: "no PostgreSQL server is installed")
        }
        self.programs = programs
        self.options = options
        folder = try TemporaryFolder()
        port = try FreePorts.next()
        if getuid() == 0 { try Self.run("/usr/bin/chown", ["postgres", folder.url.path]) }
        chmod(folder.url.path, 0o711)
        try server(
            "initdb", ["-D", data, "-A", "scram-sha-256", "-U", "root", "--pwfile", try password(), "-N"])
        try start()
        for user in ["anna", "berta"] {
            try psql("root", "CREATE ROLE \(user) LOGIN PASSWORD 'secret-\(user)'")
        }
        if isSetUp { try CloudSetup.run(address("root"), accounts: ["anna", "berta"], quota: nil) }
    }

    deinit { try? stop(mode: "immediate") }

    /// The folder of its data.
    public var data: String { folder.url.appendingPathComponent("data").path }

    /// The address of the cloud for a user.
    public func address(_ user: String) -> String {
        "postgres://\(user):secret-\(user)@127.0.0.1:\(port)/postgres"
    }

    /// Starts the server, also after it was killed while remains still exist.
    public func start() throws {
        let settings = "-p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories= \(options)"
        var attempt = 1
        while true {
            do {
                return try server(
                    "pg_ctl", ["-D", data, "-w", "-l", "\(folder.url.path)/log", "-o", settings, "start"])
            } catch {
                if attempt == Settings.startAttempts { throw error }
                attempt += 1
                Thread.sleep(forTimeInterval: Settings.betweenAttempts)
            }
        }
    }

    /// Stops it: `fast` or `immediate`.
    public func stop(mode: String) throws { try server("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"]) }

    /// Ends the server and all its processes by SIGKILL.
    public func kill() throws {
        let file = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
        guard let first = file.split(whereSeparator: \.isNewline).first, let process = pid_t(first) else {
            throw Failure(description: "the server is not running")
        }
        let children = (try? Self.run("/usr/bin/pgrep", ["-P", "\(process)"])) ?? ""
        Glibc.kill(process, SIGKILL)
        for child in children.split(whereSeparator: \.isNewline) {
            if let child = pid_t(child) { Glibc.kill(child, SIGKILL) }
        }
    }

    /// Runs statements as a user with `psql`; returns its output.
    @discardableResult
    public func psql(_ user: String, _ sql: String) throws -> String {
        try Self.run("/usr/bin/psql", [address(user), "-At", "-v", "ON_ERROR_STOP=1", "-c", sql])
    }

    /// Runs the statements of a file.
    @discardableResult
    public func psql(_ user: String, file: URL) throws -> String {
        try Self.run("/usr/bin/psql", [address(user), "-At", "-v", "ON_ERROR_STOP=1", "-f", file.path])
    }

    private func password() throws -> String {
        let file = folder.url.appendingPathComponent("password")
        try Data("secret-root\n".utf8).write(to: file)
        chmod(file.path, 0o644)
        return file.path
    }

    private func server(_ program: String, _ arguments: [String]) throws {
        let path = "\(programs)/\(program)"
        // The server refuses to run as root.
        if getuid() == 0 {
            let own = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
            try Self.run("/usr/bin/setpriv", own + [path] + arguments)
        } else {
            try Self.run(path, arguments)
        }
    }

    /// Runs a program in the root folder, which every user may enter.
    private static let inRoot = ["/usr/bin/env", "-C", "/"]

    /// Runs a system program to its end; returns its output. Does not use `Process`, which waits until a
    /// descriptor is closed that a server started by the program would inherit and keep.
    @discardableResult
    public static func run(_ path: String, _ arguments: [String]) throws -> String {
        let scratch = try TemporaryFolder()
        let output = scratch.url.appendingPathComponent("out").path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        _ = spawn_close_from(&actions, STDERR_FILENO + 1)
        var words = (Self.inRoot + [path] + arguments).map { strdup($0) } + [nil]
        let variables = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in words + environment { free(text) } }
        var child = pid_t()
        let problem = posix_spawn(&child, Self.inRoot[0], &actions, nil, &words, &environment)
        if problem != 0 { throw Failure(description: "\(path): \(String(cString: strerror(problem)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
        if status != 0 { throw Failure(description: "\(path): \(text)") }
        return text
    }
}
